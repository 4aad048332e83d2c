"""Features of a text node, and the sets of features by name."""
