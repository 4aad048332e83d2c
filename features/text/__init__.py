"""Characters and words: what kinds of characters a text has, and what kinds of words."""
