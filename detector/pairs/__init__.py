"""Which pages share sentences, and what kind of pairs they are.

gathered pages, and those of earlier runs → ``collection``: the tables of the join → ``join``: the SQL, with
``common_use`` and ``near``, run by ``duck`` or ``spark`` → ``measure``: overlap, relation and category
(``relations``, ``releases``), ``patchwork``, likely ``origin``, ``groups`` → the files of a run
(``pipeline``), which ``run`` reads again.
"""
