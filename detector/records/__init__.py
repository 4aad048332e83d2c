"""Records: people, organisations, products and events that pages describe, and where pages contradict each
other.

Data passes from ``markup`` (a page as lines, names, fields) and ``things`` (what else than people has a name)
with what ``fields`` knows, over ``find`` and ``page`` (the records of one page) to ``compare`` (which
correspond, which contradict), ``comparison`` and ``pipeline`` (pages to a folder), ``folder`` (results),
``changes``, ``owners`` and ``notices`` (what changed, for whom).
"""
