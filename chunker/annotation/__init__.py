"""Annotation comments in pages ⇄ labels of text nodes.

A page's source becomes tokens (tokens, source), its comments markers (markers), and these regions of text
nodes (reading). Where a set has the main text only, it is aligned to the nodes (common_runs, alignment).
The sets of others are brought into that form (importers). Either way a page becomes an Example to learn from
(examples). The way back, from regions to comments in the source, is comment_places and writing; site_rules
applies one rule to a site, annotators compares two people.
"""
