"""How much of a page to keep.

Scores and transitions give marginals and the best sequence (chain); log-odds of nodes give the content whose
expected F is best (expected_f).
"""
