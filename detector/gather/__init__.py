"""What is kept of each page for ``detect``, page by page, so that the join has only numbers left to do.

page → ``page``: parse, mask, sentences, links, its row → ``occurrences``: which sentences count,
``sentence_places``: where on the site they stand, ``published``: when the page says that it was written
→ ``gathered``: what a worker hands over → ``parts``, ``part_tables``: parts on disk, from which an
interrupted run goes on (columns in ``schemas``). ``linkage``: links in both directions, for ``convert``.
"""
