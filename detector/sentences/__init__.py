"""Sentences of pages: normalised, split, with the text nodes that they come from."""
