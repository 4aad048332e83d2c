"""The records of one page, from its markup.

``tree`` and ``tables`` (elements, cells) → ``lines`` → ``mentions`` (what may be a name) → ``anchors`` (what
is one) → ``extents`` (which lines belong to it) → ``line_facts`` and ``assemble`` (its fields).
"""
