"""What is known of fields and names, and how values are compared.

``concepts`` (which field a label means), ``names``, ``romaji``, ``organisations``, ``posts`` and
``kanji_forms`` read ``data``; ``values`` folds values into keys and says how two of them stand to each other.
"""
