"""A page's content as a document that people can use as it is.

tree (what of the page's tree is content) → inlines, paragraphs, listings, formulas, tables, callouts, notes
(what the parts of it are) → blocks (the whole, as values of model) → markdown and other writers.
"""
