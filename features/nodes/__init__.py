"""Features of a text node.

forest      text nodes of several pages → one set of arrays; structure: sections, lists, tables around a node
texts, tags, names, surroundings  features as pure functions of a forest; buckets: sizes and shares in steps
attributes  how a feature is declared and how its values become numbers with weights
nakamura, full, stacked  lists of features; sets: those lists by name
"""
