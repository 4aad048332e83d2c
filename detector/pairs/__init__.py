"""Pages that share sentences: the join, what kind of pair it is, groups."""
