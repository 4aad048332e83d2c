"""Annotated sets in the forms in which others publish them, as pages with ``main_content``.

Each of cleaneval, dragnet, l3s and label_studio reads one form; gold joins a page and its text, and sets
knows them all by name. What stands in a set and cannot be read exactly is an error row, never a guess.
"""
