"""Which pages share sentences, and what kind of pairs they are.

gathered pages, and those of earlier runs → ``collection``: the tables of the join → ``join``: the SQL, run by
``duck`` or ``spark`` → ``measure``: overlap, relation and category (``relations``), ``patchwork``, likely
``origin``, ``groups`` → the files of a run (``pipeline``). ``run`` and ``run_sentences`` read such a folder
again.
"""
