"""The partial-copy index: which passages of a text stand in the sources of an index, and where.

text → ``folding``: letters → ``digest``: segments (sentences, joined lines, ``chunks``) with ``fingerprints``
→ ``suffixes``: sorted, searchable → ``part`` in ``files`` with its ``texts``; ``contents`` names the parts of
an ``index``. A query is digested alike → ``hits`` → ``alignment``: stretches that both have → ``rule``: bits
→ ``passages``.
"""
