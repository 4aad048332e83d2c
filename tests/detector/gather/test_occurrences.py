"""Which sentences of a page are content, under its mask."""

from __future__ import annotations

import numpy as np
import pytest

from ruiji.chunker.mask import ContentMask
from ruiji.detector.gather.occurrences import Usable, page_sentences
from tests.factories import make_nodes

SIGNATURE = "釣れない日も海を眺めていられればそれで幸せです。"
POST = "今朝は防波堤の先端でアジが二十匹ほど釣れました。"


def content_texts(texts: list[str], content: list[bool], written: str = "<p>{}</p>") -> list[str]:
    """The texts of a page's paragraphs that count as content when its mask says this."""
    nodes = make_nodes("".join(written.format(text) for text in texts))
    flags = np.array(content)
    mask = ContentMask(flags, flags.astype(np.float32), "test")
    (found,) = page_sentences([nodes], [mask], Usable())
    return [text for text, kept in zip(found.texts, found.columns["content"].tolist(), strict=True) if kept]


def test_a_signature_that_the_mask_lets_through_once_is_not_content() -> None:
    assert content_texts([POST, SIGNATURE, SIGNATURE, SIGNATURE], [True, True, False, False]) == [POST]


@pytest.mark.parametrize(
    ("content", "times"),
    [
        ([True, False], 1),
        ([True, True, False], 2),
        ([True, True, False, False], 2),
        ([False, False, False], 0),
    ],
    ids=["twice is not often", "mostly content", "half", "never"],
)
def test_what_stands_seldom_or_mostly_in_content_is_as_the_mask_says(content: list[bool], times: int) -> None:
    assert content_texts([SIGNATURE] * len(content), content) == [SIGNATURE] * times


def test_prose_counts_where_the_mask_leaves_next_to_nothing_of_a_page() -> None:
    prose = [
        f"{number}日目の朝も港では漁師たちが網を繕いながら天気の話をしていました。" for number in range(40)
    ]
    menu = "トップページ 会社案内 採用情報 店舗一覧 サイトマップ 商品検索"
    texts = [*prose, menu]
    assert content_texts(texts, [False] * len(texts)) == prose
    assert content_texts(texts, [True, True, True, *[False] * 38]) == prose[:3], (
        "a mask that leaves some is believed"
    )
    assert content_texts(texts[:10], [False] * 10) == [], "a short page may have no content"


QUOTED = "漁師の祖父は、北風が三日続いたら四日目の朝に船を出せと教えてくれました。"
LABEL = "釣り具 通販"


def test_prose_that_the_mask_leaves_out_in_the_midst_of_the_content_counts() -> None:
    assert content_texts([POST, QUOTED, SIGNATURE], [True, False, True]) == [POST, QUOTED, SIGNATURE]


@pytest.mark.parametrize(
    ("texts", "content"),
    [
        ([QUOTED, POST, SIGNATURE], [False, True, True]),
        ([POST, SIGNATURE, QUOTED], [True, True, False]),
        ([POST, QUOTED, SIGNATURE, QUOTED], [True, False, True, False]),
        ([POST, QUOTED, *[LABEL] * 12, SIGNATURE], [True, *[False] * 13, True]),
        ([POST, QUOTED, *[LABEL] * 5, SIGNATURE], [True, *[False] * 6, True]),
        ([POST, LABEL, SIGNATURE], [True, False, True]),
    ],
    ids=["opening", "closing", "twice in the page", "a long gap", "mostly labels", "no prose"],
)
def test_other_sentences_that_the_mask_leaves_out_do_not(texts: list[str], content: list[bool]) -> None:
    kept = [text for text, inside in zip(texts, content, strict=True) if inside]
    assert content_texts(texts, content) == kept


def test_a_teaser_in_the_midst_of_the_content_is_none() -> None:
    linked = '<p><a href="other.html">{}</a></p>'
    assert content_texts([POST, QUOTED, SIGNATURE], [True, False, True], linked) == [POST, SIGNATURE]
