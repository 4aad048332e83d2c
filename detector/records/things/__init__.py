"""Organisations, offices, products and events: which lines of a page name one.

``naming`` (what can be a name, what lines tell) → ``sponsors``, ``offices``, ``events`` → ``thing_anchors``.
"""
