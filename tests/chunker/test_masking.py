"""Pages in, masked pages or named failures out, in order."""

from __future__ import annotations

import pytest

from ruiji.chunker.filters import load_filter
from ruiji.chunker.fitting import check_masks, fitted_masks
from ruiji.chunker.masking import FailedPage, MaskedPage, MaskSettings, masked_pages
from ruiji.corpora.errors import SettingError
from ruiji.corpora.page import Page
from ruiji.corpora.sources import page_source

PAGES = [
    Page("a", "http://a.example/", "<ul><li><a href=/>家</a></ul><p>港の記事は潮の話である。</p>"),
    Page("b", "http://b.example/", b""),
    Page("c", "http://c.example/", error="not fetched"),
    Page("d", "http://d.example/", "<p>別の頁の文章である。</p>"),
]


@pytest.mark.parametrize("name", ["none", "blocks", "crf"])
def test_failed_pages_keep_their_place_and_their_reason(name: str) -> None:
    results = masked_pages(PAGES, load_filter(name))
    assert [result.page.id for result in results] == list("abcd")
    assert [result.error for result in results if isinstance(result, FailedPage)] == [
        "the page is empty (0 bytes)",
        "not fetched",
    ]
    masked = [result for result in results if isinstance(result, MaskedPage)]
    assert all(len(result.mask.content) == len(result.nodes) for result in masked)
    assert masked[1].text == masked[1].nodes.shown_text(masked[1].mask.content)


def test_names_of_elements_are_kept_for_who_wants_them() -> None:
    assert masked_pages(PAGES[:1], load_filter("none"))[0].nodes.names is None  # type: ignore[union-attr]
    named = masked_pages(PAGES[:1], load_filter("none"), named=True)[0]
    assert named.nodes.names is not None  # type: ignore[union-attr]


def test_a_filter_that_needs_no_fitting_is_left_as_it_is() -> None:
    masks = MaskSettings("blocks")
    with fitted_masks(masks, page_source(PAGES)) as fitted:
        assert fitted is masks
    with (
        pytest.raises(SettingError, match="groups goes with filter='unique' without model"),
        fitted_masks(masks, page_source(PAGES), groups={}),
    ):
        pass


def test_pages_that_are_read_twice_cannot_come_once() -> None:
    with (
        pytest.raises(SettingError, match="reads the pages twice"),
        fitted_masks(MaskSettings("unique"), page_source(iter(PAGES))),
    ):
        pass


@pytest.mark.parametrize(
    ("masks", "message"),
    [
        (MaskSettings("blocks", "model"), "model goes with filter='crf'"),
        (MaskSettings("blocks", fallback="none"), "fallback goes with filter='unique'"),
    ],
)
def test_settings_that_do_not_go_together_are_named(masks: MaskSettings, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        check_masks(masks)
