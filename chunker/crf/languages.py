"""Whether a model has seen the language of the pages that it is asked about, by its card."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from ruiji.chunker.crf.folder import read_card
from ruiji.corpora.sources import PageSource
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of
from ruiji.features.text.morphology import is_japanese

MOSTLY = 0.5  # share of pages in Japanese from which on a collection counts as Japanese
LOOKED_AT = 10  # pages of a collection, from its beginning


def language_caution(card: Mapping[str, Any], japanese: float) -> str:
    """What is wrong with asking a model, by its card, about pages of which so large a share is Japanese; ""
    where nothing is.
    """
    data = card.get("data", {})
    if "japanese_pages" not in data or not data.get("pages"):
        return ""
    if japanese >= MOSTLY and not data["japanese_pages"]:
        return "these pages are Japanese, and the model has seen no Japanese page"
    if japanese < MOSTLY and data["japanese_pages"] == data["pages"]:
        return "most of these pages are not Japanese, and the model has seen Japanese pages only"
    return ""


def caution_for(model: str, pages: PageSource) -> str:
    """What is wrong with asking a model about these pages; "" where nothing is."""
    first = text_nodes_of([page for page in islice(pages, LOOKED_AT) if not page.error], named=False)
    judged = [is_japanese(nodes.texts) for nodes in first if not isinstance(nodes, PageFailed)]
    return language_caution(read_card(model), sum(judged) / len(judged)) if judged else ""
