"""The smallest inputs that the tests start from."""

from __future__ import annotations

from typing import Any

from corpora.page import Page
from features.textnodes import TextNodes, text_nodes

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
