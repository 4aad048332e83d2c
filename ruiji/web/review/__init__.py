"""``ruiji review``: results side by side in a browser, and a person's verdict on each.

``results`` is the shape of results of any kind: a table that is filtered and paged where it is, and the
details of one row; ``pairs`` fills it from a run of ``detect``, ``passages`` from the lines of ``index
match`` or ``records``; ``views`` answers the browser and keeps verdicts in a file.
"""
