"""The tables of a run: what ``detect`` writes into its folder, and the integers that the join works on."""

from __future__ import annotations

import pyarrow as pa

PAGES = pa.schema([
    ("id", pa.string()),
    ("url", pa.string()),
    ("site", pa.string()),
    ("title", pa.string()),
    ("encoding", pa.string()),
    ("nodes", pa.int64()),
    ("content_nodes", pa.int64()),
    ("long_chars", pa.int64()),
    ("dropped", pa.map_(pa.string(), pa.int64())),
    ("error", pa.string()),
    ("last_modified", pa.string()),  # UTC, 2024-11-05T07:12:00Z; null where nobody said
    ("long_sentences", pa.int64()),  # different ones, in the content
    # Of those sentences: equal for pages with the same content; null where there are none
    ("digest", pa.string()),
    ("published", pa.string()),  # 2009-05-12 or 2009-05; null where the page does not say
    ("published_by", pa.string()),  # where it says so: meta, data, time, address, line
    ("named", pa.int64()),  # long sentences that name the page's own site
    ("frame_fit", pa.int64()),  # per cent: how well the words of the content fit those around it
])  # fmt: skip

# Every sentence of every page, in order; enough to show a page by paragraphs. ``key`` is xxh3_64 as a signed
# number.
SENTENCES = pa.schema([
    ("url", pa.string()),
    ("position", pa.int32()),
    ("key", pa.int64()),
    ("text", pa.string()),
    ("length", pa.int32()),
    ("content", pa.bool_()),
    ("paragraph", pa.int32()),
    ("first_node", pa.int32()),
    ("last_node", pa.int32()),
    ("place", pa.int64()),  # on its site; 0 for sentences that do not count
    # Of the whole paragraph at that place; 0 for prose, which two pages may have in common as content
    ("paragraph_key", pa.int64()),
    ("bits", pa.int32()),  # how much it says that two pages have it; 0 for sentences that do not count
    ("text_start", pa.int32()),  # in the extracted text; -1 for sentences that do not count, or are not there
    ("text_end", pa.int32()),
    ("fit", pa.int32()),  # how many per cent of its words the rest of the page has; 0 where it does not count
])  # fmt: skip
SKELETON = pa.field(
    "skeleton", pa.string()
)  # one more column where sentences are matched by skeleton; "" where it is the text

LINKS = pa.schema([("url", pa.string()), ("target", pa.string()), ("text", pa.string())])

PAIRS = pa.schema([
    ("url_a", pa.string()),
    ("url_b", pa.string()),
    ("shared_sentences", pa.int64()),
    ("shared_chars", pa.int64()),
    ("bits", pa.int64()),  # how much it says that both have those sentences
    ("overlap", pa.float64()),
    ("containment", pa.float64()),
    ("url_similarity", pa.float64()),
    ("link", pa.string()),
    ("relation", pa.string()),
    ("category", pa.string()),
    ("patchwork", pa.string()),
    ("source", pa.string()),
    ("source_reason", pa.string()),
    ("long_chars_a", pa.int64()),
    ("long_chars_b", pa.int64()),
    # How the shared texts differ: sentences that match but are written otherwise, passages in another order
    ("edited_sentences", pa.int64()),
    ("moved_passages", pa.int64()),
])  # fmt: skip

# ``lost_chars`` of the content are in the page and not in the one that is kept.
GROUPS = pa.schema(
    [("group", pa.int64()), ("url", pa.string()), ("keep", pa.bool_()), ("lost_chars", pa.int64())]
)

# A passage that the pages of a pair share, with where it stands in their extracted texts; null where the text
# of a page does not have it, since only detect counts it as content (a quotation that the mask leaves out).
EVIDENCE = pa.schema([
    ("url_a", pa.string()), ("url_b", pa.string()), ("start_a", pa.int64()), ("end_a", pa.int64()),
    ("start_b", pa.int64()), ("end_b", pa.int64()), ("chars", pa.int64()), ("bits", pa.int64()),
])  # fmt: skip

# Which page a page was made from: original, copy, quotation, patchwork; the original from none.
LINEAGE = pa.schema(
    [("group", pa.int64()), ("url", pa.string()), ("from_url", pa.string()), ("kind", pa.string())]
)

# What the join reads. A page is a number; an occurrence is a long content sentence of a page, each different
# one once.
JOIN_PAGES = pa.schema([
    ("page", pa.int64()),
    ("url", pa.string()),
    ("url_key", pa.int64()),
    ("url_length", pa.int64()),
    ("site", pa.string()),
    ("site_key", pa.int64()),  # of who runs the page, which several hosts may be
    ("path_key", pa.int64()),  # of its path, which releases and mirrors of a page have in common
    ("changed", pa.string()),  # sorts by time; undated pages last
    ("published", pa.string()),  # "2009-05-12 meta"; "" where nobody knows
    ("long_sentences", pa.int64()),
    ("long_chars", pa.int64()),
    ("named", pa.int64()),
    ("frame_fit", pa.int64()),
    ("digest", pa.string()),
])  # fmt: skip
OCCURRENCES = pa.schema([
    ("page", pa.int64()), ("key", pa.int64()), ("text_key", pa.int64()), ("length", pa.int64()),
    ("bits", pa.int64()), ("fit", pa.int64()),
    ("names", pa.int64()),  # 1 where it names the page's own site
    ("text_start", pa.int64()), ("text_end", pa.int64()), ("place", pa.int64()),
    ("paragraph_key", pa.int64()),
    ("text", pa.string()),
])  # fmt: skip
ASIDES = pa.schema([("page", pa.int64()), ("key", pa.int64())])  # long sentences that are no content
CONTENTS = pa.schema(
    [("page", pa.int64()), ("key", pa.int64()), ("chars", pa.int64())]
)  # all content, by text
PAGE_PAIRS = pa.schema(
    [("page_a", pa.int64()), ("page_b", pa.int64()), ("url_a", pa.string()), ("url_b", pa.string())]
)
TARGETS = pa.schema([("page", pa.int64()), ("target", pa.int64())])  # which page links to which address
LEFT_OUT = pa.schema([("page", pa.int64())])  # pages that do not take part: a later page of the same url has
