"""The tables of ``clean``: what it writes into its folder, and what its statements work on.

A page is known by its number in the input, and, once all are there, by its place in the order of addresses.
"""

from __future__ import annotations

import pyarrow as pa


def _columns(kind: pa.DataType, names: str) -> list[tuple[str, pa.DataType]]:
    return [(name, kind) for name in names.split()]


# A row a page of the corpus. The first eleven are those of the interface; ``metadata`` and ``dropped`` are
# JSON, since not every reader of Parquet knows maps.
CORPUS = pa.schema([
    *_columns(pa.string(), "url title author published language text markdown"),
    ("expected_f1", pa.float64()),
    ("cluster", pa.string()),  # the url of the page that stands for its cluster
    ("duplicates", pa.int64()),  # pages of the cluster, with this one
    ("removed_chars", pa.int64()),
    ("id", pa.string()),
    ("site", pa.string()),
    ("characters", pa.int64()),  # of the extracted text, before anything was removed
    ("removed_share", pa.float64()),
    ("japanese", pa.float64()),  # share of the characters that are kana or kanji
    ("expected_precision", pa.float64()),
    ("dropped", pa.string()),
    ("metadata", pa.string()),
])  # fmt: skip

# A row a stretch that was removed: where it stood and where it is kept, in the extracted texts. ``text`` is
# what stood there.
REMOVED = pa.schema([
    ("url", pa.string()), ("start", pa.int64()), ("end", pa.int64()), ("reason", pa.string()),
    ("kept_url", pa.string()), ("kept_start", pa.int64()), ("kept_end", pa.int64()), ("chars", pa.int64()),
    ("text", pa.string()), ("id", pa.string()), ("kept_id", pa.string()),
])  # fmt: skip

# A row a page of the input that is not in the corpus, and why.
LEFT_OUT = pa.schema([
    ("id", pa.string()), ("url", pa.string()), ("reason", pa.string()), ("kept_url", pa.string()),
    ("characters", pa.int64()), ("error", pa.string()),
])  # fmt: skip

# Parts. ``record`` is a JSON object with everything of a page that no statement looks at.
PAGES = pa.schema([
    ("page", pa.int64()), ("id", pa.string()), ("url", pa.string()), ("site", pa.string()),
    ("changed", pa.string()),  # sorts by time; undated pages last
    ("published", pa.string()),  # "2009-05-12 meta"; "" where nobody knows
    ("chars", pa.int64()), ("units", pa.int64()), ("different", pa.int64()),
    ("letters", pa.int64()),  # of units that say enough by themselves
    ("named", pa.int64()), ("digest", pa.string()), ("expected_f1", pa.float64()), ("error", pa.string()),
])  # fmt: skip
DOCUMENTS = pa.schema([("page", pa.int64()), ("text", pa.string()), ("record", pa.string())])
UNITS = pa.schema(
    _columns(
        pa.int64(),
        "page position key_high key_low bits length fit unit_start unit_end unit_until unit_left",
    )
)
TARGETS = pa.schema([("page", pa.int64()), ("target", pa.int64())])  # which page links to which address

# What statements know of the pages that take part.
RANKS = pa.schema(_columns(pa.int64(), "page rank place site_key site_pages twin different url_key"))
# A stretch that goes, by places of pages; what stands before and behind it decides where exactly it is cut.
STRETCHES = pa.schema([
    *_columns(pa.int64(), "place unit_start unit_end unit_until unit_left"),
    *_columns(pa.int64(), "kept kept_start kept_end units"),
    ("reason", pa.int64()),
])  # fmt: skip
# Units that go, and two places where they may be kept beside what stands beside them.
GOING = pa.schema(
    _columns(
        pa.int64(),
        "place position unit unit_start unit_end unit_until unit_left kept kept_position kept_start kept_end "
        "reason page_before position_before page_behind position_behind",
    )
)
UNSURE = pa.schema(_columns(pa.int64(), "page place"))  # pages that are left out for their precision
ROOTS = pa.schema(_columns(pa.int64(), "rank holder"))  # ranks: a page that goes, and the one that holds it
