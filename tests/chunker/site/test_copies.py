"""Pages that are the same one at several addresses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from ruiji.chunker.fitting import fitted_masks
from ruiji.chunker.masking import MaskedPage, MaskSettings, masked_pages
from ruiji.chunker.site.copies import LEAST_CHARS, LONGEST, LongTexts, different, joined, long_texts
from ruiji.chunker.site.evidence import MOST_PAGES, evidence_of, site_pages
from ruiji.chunker.site.repeated import OTHERS
from ruiji.corpora.page import Page
from ruiji.corpora.sources import page_source
from ruiji.features.nodes.forest import forest
from ruiji.features.page.parsing import text_nodes

MENU = "<ul>" + "".join(f"<li><a href=/{number}>市場の案内の{number}</a>" for number in range(12)) + "</ul>"
SENTENCES = (
    "港の朝は早く、まだ暗いうちから船が次々と戻り、氷を積んだ荷車が市場へと急いでいく。",
    "競りが始まると声が飛び交い、鯛や鯵や烏賊の箱が、わずか三十分ほどで買い手の手に渡る。",
    "魚を運び終えた人々は桟橋の食堂に集まり、味噌汁をすすりながら、その日の潮について語る。",
    "町の水族館は、網にかかった珍しい魚を漁師から譲り受け、十年前から水槽で飼い続けている。",
    "夕方になると灯台に明かりがともり、沖へ出る船の列が、湾の入り口でゆっくりと向きを変える。",
    "造船所では、木造の船を直せる職人が二人だけになり、若い弟子を全国から募ることになった。",
)


def page(number: int, sentences: Sequence[str], site: str = "minato.example") -> Page:
    """An article below a menu, with a line that no other page has."""
    text = "".join(f"<p>{sentence}" for sentence in sentences)
    html = f"<html lang=ja><body>{MENU}<div><h1>港の一日</h1>{text}</div><div><p>印刷 {number}</div>"
    return Page(f"{number}", f"http://{site}/?print={number}", html)


def texts_of(pages: Sequence[Page], masks: MaskSettings) -> list[str]:
    """The content of each page."""
    with fitted_masks(masks, page_source(list(pages)), 0) as fitted:
        return [own.text for own in masked_pages(pages, fitted.load()) if isinstance(own, MaskedPage)]


def others(count: int) -> list[Page]:
    """Different pages of the same site."""
    return [
        page(100 + number, [f"{sentence[:-1]}と、第{number}号は伝えた。" for sentence in SENTENCES])
        for number in range(count)
    ]


@pytest.mark.parametrize("copies", [4, 5, 40])
@pytest.mark.parametrize("different", [0, 2, 12])
def test_an_article_at_many_addresses_is_not_erased(copies: int, different: int) -> None:
    pages = [page(number, SENTENCES) for number in range(copies)] + others(different)
    for text in texts_of(pages, MaskSettings())[:copies]:
        assert all(sentence in text for sentence in SENTENCES)


def test_copies_count_once() -> None:
    copies = site_pages([text_nodes(page(number, SENTENCES)) for number in range(9)])
    different = site_pages([text_nodes(own) for own in others(MOST_PAGES)])
    assert not len(evidence_of([*copies, *different[: OTHERS - 2]]))
    evidence = evidence_of([*copies, *different[: OTHERS - 1]])
    assert evidence.pages.tolist() == [OTHERS]
    assert evidence_of([*copies, *different]).pages.tolist() == [MOST_PAGES]


def test_the_menu_of_a_copy_is_compared_with_pages_that_are_none() -> None:
    pages = [page(number, SENTENCES) for number in range(9)]
    evidence = evidence_of(site_pages([text_nodes(own) for own in pages + others(OTHERS)]))
    nodes = text_nodes(pages[0])
    shift = evidence.shift(forest([nodes]))
    assert shift is not None
    down = {text.strip() for text, own in zip(nodes.texts, shift, strict=True) if own}
    assert down == {f"市場の案内の{number}" for number in range(12)}


def row(*lengths: int, start: int = 1) -> LongTexts:
    """A page with different texts of these lengths."""
    keys = np.arange(start, start + len(lengths), dtype=np.uint64)
    return long_texts(keys, np.array(lengths, dtype=np.int32))


@pytest.mark.parametrize(
    ("own", "other", "copies"),
    [
        (row(300, 40), row(300), True),
        (row(LEAST_CHARS), row(LEAST_CHARS), True),
        (row(LEAST_CHARS - 1), row(LEAST_CHARS - 1), False),  # too little to say so
        (row(300, 300), row(300), False),
        (row(300), row(300, start=5), False),
        (row(), row(), False),
    ],
)
def test_copies_have_most_of_their_characters_in_common(
    own: LongTexts, other: LongTexts, copies: bool
) -> None:
    assert own.copies(other).tolist() == other.copies(own).tolist() == [copies]


def test_only_the_longest_texts_stand_for_a_page() -> None:
    many = row(*range(1, 100))
    assert many.key.shape == (1, LONGEST)
    assert sorted(many.length[0].tolist()) == [*range(100 - LONGEST, 100)]
    twice = long_texts(np.array([7, 7], dtype=np.uint64), np.array([50, 50], dtype=np.int32))
    assert twice.length.sum() == 50
    assert len(joined([])) == 0
    assert len(joined([many, twice])) == 2


@pytest.mark.parametrize("keys", [[], [3], [3, 3], [9, 1, 9, 4, 1], [2**64 - 1, 0]])
def test_different_keys_are_those_of_numpy(keys: list[int]) -> None:
    column = np.array(keys, dtype=np.uint64)
    assert different(column).tolist() == np.unique(column).tolist()
