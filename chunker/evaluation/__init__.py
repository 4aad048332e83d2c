"""How good a chunker is: folds by site, every metric (crossval), and the figures of the paper
(nakamura_2007).
"""
