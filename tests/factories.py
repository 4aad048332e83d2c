"""The smallest inputs that the tests start from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ruiji.chunker.annotation.examples import Example, examples_of
from ruiji.chunker.labels import LabelArray, as_names, as_numbers, repaired
from ruiji.corpora import MINIWEB, read_pages
from ruiji.corpora.page import Page
from ruiji.features.page.parsing import text_nodes
from ruiji.features.page.textnodes import TextNodes

# Ordinary prose with kana, kanji, katakana and punctuation, as statistics of encodings want it.
PROSE = (
    "港町の朝は早い。まだ暗いうちから漁師たちが船を出し、市場には魚を運ぶ人の声がひびいている。"
    "わたしたちは駅前のパン屋でコーヒーを買い、海岸までゆっくりと歩いていった。"
    "「今日はいい天気になりそうだ」と彼女が言うので、帰りはバスに乗らないことにした。"
)


def make_page(html: bytes | str, **fields: Any) -> Page:
    """A page of the given html."""
    return Page(**{"id": "page", "url": "http://host.example/dir/page.html", "html": html} | fields)


def make_nodes(html: bytes | str, **fields: Any) -> TextNodes:
    """The text nodes of the given html."""
    return text_nodes(make_page(html, **fields))


# Small sites of the mini-web, of several kinds and in two languages.
SMALL_SITES = (
    "www.cs.miozaki-u.ac.jp",
    "tabi-no-kakera.com",
    "otoku-joho-navi777.com",
    "fjordnotes.org",
    "jinji.miozaki-u.ac.jp",
)


@lru_cache(maxsize=8)
def annotated_examples(*sites: str) -> tuple[Example, ...]:
    """The annotated pages of some sites of the mini-web."""
    return tuple(
        examples_of(
            [page for page in read_pages([MINIWEB]) if page.id.partition("/")[0] in (sites or SMALL_SITES)]
        )
    )


def nodes_of(examples: Sequence[Example]) -> list[TextNodes]:
    """Their text nodes, as an estimator takes them."""
    return [example.nodes for example in examples if example.nodes is not None]


def labels_in(examples: Sequence[Example]) -> list[LabelArray]:
    """Their labels, as an estimator takes them."""
    return [example.labels for example in examples]


def with_regions_begun(labels: list[str]) -> list[str]:
    """Labels of a library with B at the start of each region, which it does not promise."""
    return as_names(repaired(as_numbers(labels), np.zeros(1, dtype=np.int32)))
