"""A corpus without its repetitions, with a receipt for every character.

documents → ``units``: the sentences of a text, with their keys → ``staging``: parts on disk → ``order``:
which page keeps what several have, by the signs of ``original`` → ``join``: the SQL, run by DuckDB or Spark →
``decide``: which sentences go → ``stretches``: where the text is cut → ``corpus``: the files (``pipeline``).
"""
