"""Numbers of a block, for the models under the CRF. A block is the text nodes under one lowest block-level
element.

table     a forest → its blocks, with the sums that several numbers share
text_numbers, tree_numbers, place_numbers, title, discussion, runs  families: pure functions from blocks to
          named columns
families  the list of families, and all columns as one matrix
compiled  the same matrix by one pass in C (_numbers.c)
lexicon   the words of a vocabulary, and the blocks that have them
"""
