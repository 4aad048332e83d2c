"""Text into sentences, and what two copies of a sentence have in common.

texts of a page → ``normalise`` (``character_tables`` says what each character is) → ``splitting`` cuts at
sentence ends, ``anchors`` parts neighbouring links → ``table``: every sentence of a batch of pages with its
place, length and key → ``skeleton``: its content words only, where sentences are matched by them.
"""
