"""From the tree of a page to its records."""
