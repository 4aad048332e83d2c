"""How pages are found with and without what is not content (Nakamura 2007, section 5.2)."""

from __future__ import annotations

from collections.abc import Mapping

from ruiji.chunker.evaluation.cautions import counted
from ruiji.chunker.evaluation.retrieval import ALL_TEXT, FILTERED, TRUE, Retrieval, ahead_in_rank
from ruiji.chunker.evaluation.statistics import verdict
from ruiji.tables.scores import score_table

COLUMNS = ("MRR", "first", "words_P", "words_R")
LEGEND = (
    "MRR mean reciprocal rank of the page, first: share of queries that it answers first (BM25) · words_P, "
    "words_R: of the pages with all words of the query, those whose true content has them"
)


def retrieval_table(found: Mapping[str, Retrieval]) -> str:
    """What each way to search reaches, and how far leaving out non-content is ahead."""
    queries = len(found[ALL_TEXT].site)
    head = f"Retrieval: {counted(queries, 'page')} looked for by title"
    if not queries:
        return f"{head}; no page has a title of its own"
    table = score_table({name: own.as_dict() for name, own in found.items()}, COLUMNS)
    ahead = [
        verdict(name, ALL_TEXT, "MRR", ahead_in_rank(found[name], found[ALL_TEXT]))
        for name in (FILTERED, TRUE)
    ]
    return "\n\n".join([head, table, "\n".join(ahead), LEGEND])
