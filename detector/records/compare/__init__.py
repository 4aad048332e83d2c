"""Records of many pages held against each other.

``staging`` (tables on disk, with ``name_keys``) → ``matching`` (weights of evidence; ``occasions``: which
events are one), or ``paper`` (formula (4), with ``similarity`` and ``relevance``) → ``sets`` →
``contradictions``.
"""
