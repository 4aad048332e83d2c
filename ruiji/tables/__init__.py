"""Results as people read them on a terminal: tables of scores, of differences, and those of the two papers
about content with ours beside them.
"""
