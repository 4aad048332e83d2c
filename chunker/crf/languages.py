"""Whether a model has seen the language of the pages that it is asked about, by its card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ruiji.chunker.crf.folder import read_card
from ruiji.chunker.crf.sampling import FEW_PAGES
from ruiji.chunker.document.metadata.language import language_of
from ruiji.corpora.sources import PageSource
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of
from ruiji.features.page.textnodes import TextNodes

JAPANESE = "ja"
MOSTLY = 0.5  # share of pages in a language from which on a collection counts as being in it
LOOKED_AT = 10  # pages of a collection, from its beginning
BATCH = 32  # pages looked at together


def languages_of(pages: Sequence[TextNodes]) -> dict[str, int]:
    """How many of the pages are in each language, as ISO 639-1; the most frequent first."""
    return dict(sorted(Counter(_languages(pages)).items(), key=lambda item: (-item[1], item[0])))


def _languages(pages: Sequence[TextNodes]) -> Iterator[str]:
    """The language of each page: Japanese by its kana, as for headlines, others by the longest texts, since
    menus are in any; those of which nobody can say are left out.
    """
    from ruiji.chunker.stack.headlines import japanese
    from ruiji.features.nodes.forest import forest

    for start in range(0, len(pages), BATCH):
        batch = pages[start : start + BATCH]
        for nodes, is_japanese in zip(batch, japanese(forest(batch)).tolist(), strict=True):
            text = "" if is_japanese else "\n".join(sorted(nodes.texts, key=len, reverse=True))
            if language := JAPANESE if is_japanese else language_of(text, "")[0]:
                yield language


def language_caution(card: Mapping[str, Any], asked: Mapping[str, int]) -> str:
    """What is wrong with asking a model, by its card, about pages of which so many are in each language; ""
    where nothing is, or where the card is older than this.
    """
    seen = card.get("data", {}).get("languages")
    if not seen or not asked:
        return ""
    language, pages = next(iter(asked.items()))
    known, learned = seen.get(language, 0), sum(seen.values())
    if pages < MOSTLY * sum(asked.values()) or known >= min(FEW_PAGES, MOSTLY * learned):
        return ""
    return (
        f"these pages are in another language ({language}) than those that taught the model: {known} of its "
        f"{learned} pages are in it"
    )


def caution_for(model: str, pages: PageSource) -> str:
    """What is wrong with asking a model about these pages; "" where nothing is."""
    first = text_nodes_of([page for page in islice(pages, LOOKED_AT) if not page.error], named=False)
    read = [nodes for nodes in first if not isinstance(nodes, PageFailed)]
    return language_caution(read_card(model), languages_of(read))
