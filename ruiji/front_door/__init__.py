"""What ``import ruiji`` offers: each system as one call on the pages that a program has.

documents    extract, extract_many, read_pages, load_model: pages one by one
collections  detect, clean, records: pages that are compared with each other
archive      build_index, open_index: pages that others are compared with
arguments    what these calls have in common
checks       settings of a wrong kind are refused

Pages are HTML as text or bytes, paths of whatever ``ruiji extract`` reads, Pages, dicts with ``url`` and
``html``, a pandas DataFrame or an Arrow table with these columns.
"""
