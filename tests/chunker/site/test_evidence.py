"""What sites repeat: from sampled pages to the masks of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from ruiji.chunker.fitting import check_masks, fitted_masks
from ruiji.chunker.masking import MaskedPage, MaskSettings, masked_pages
from ruiji.chunker.site.copies import long_texts
from ruiji.chunker.site.evidence import MOST_PAGES, SiteEvidence, SitePage, evidence_of, site_pages
from ruiji.chunker.site.gathering import LOOKED_AT, _has_sites, gather_evidence, sampled, sampled_numbers
from ruiji.chunker.site.repeated import OTHERS
from ruiji.corpora.errors import SettingError
from ruiji.corpora.page import Page
from ruiji.corpora.sources import named_pages, page_source
from ruiji.features.nodes.forest import forest
from ruiji.features.page.parsing import text_nodes

NO_TEXTS = long_texts(np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int32))
PLACES = "市場 船着き場 灯台 漁協 水族館 朝市 桟橋 造船所 海岸 公園".split()
MENU = "".join(
    f"<p><a href=/{number}>{place}のご案内と、ご利用になる前に読んでいただきたいこと</a></p>"
    for number, place in enumerate(PLACES)
)


def page(number: int, site: str = "minato.example") -> Page:
    """A page with next to no content beside a large menu."""
    text = f"第{number}号は{PLACES[number % 10]}の話です。"
    html = f"<html lang=ja><title>第{number}号</title><body><div>{MENU}</div><div><p>{text}</p></div>"
    return Page(f"{number}", f"http://{site}/{number}.html", html)


PAGES = [page(number) for number in range(12)]


def texts_of(pages: Sequence[Page], masks: MaskSettings, jobs: int = 0) -> list[str]:
    """The content of each page."""
    with fitted_masks(masks, page_source(list(pages)), jobs) as fitted:
        results = masked_pages(pages, fitted.load())
    return [result.text for result in results if isinstance(result, MaskedPage)]


def test_a_menu_that_all_pages_repeat_is_no_content() -> None:
    alone = texts_of(PAGES, MaskSettings(alone=True))
    together = texts_of(PAGES, MaskSettings())
    assert all("ご利用になる前に" in text for text in alone)
    assert not any("ご利用になる前に" in text for text in together)


def test_it_takes_three_other_pages() -> None:
    few = PAGES[: OTHERS + 1]  # of which the first is not sampled
    kept = ["ご利用になる前に" in text for text in texts_of(few, MaskSettings())]
    assert kept == [False, True, True, True]
    assert gather_evidence(page_source(PAGES[:OTHERS])) is None


@pytest.mark.parametrize("jobs", [1, 2])
def test_any_number_of_workers_finds_the_same(jobs: int) -> None:
    mixed = [page(number, site) for number in range(9) for site in ("a.example", "b.example")]
    here, there = (gather_evidence(page_source(mixed), count) for count in (0, jobs))
    assert here is not None
    assert there is not None
    assert len(here) == 2
    for name in (field.name for field in fields(SiteEvidence)):
        assert np.array_equal(getattr(here, name), getattr(there, name))


def test_a_page_does_not_count_itself() -> None:
    evidence = evidence_of(site_pages([text_nodes(own) for own in PAGES[: OTHERS + 1]]))
    shift = evidence.shift(forest([text_nodes(PAGES[0])]))
    assert shift is not None
    assert shift[-1] == 0.0  # the text that no other page has
    assert (shift[:-1] < 0).all()


def test_the_same_page_at_many_addresses_counts_once() -> None:
    copies = [replace(PAGES[1], url=f"http://minato.example/copy{number}") for number in range(9)]
    assert not len(evidence_of(site_pages([text_nodes(own) for own in copies])))


def test_pages_of_a_site_are_sampled_ever_more_rarely_and_not_beyond_a_bound() -> None:
    sampled_pages = list(sampled(page(number) for number in range(3000)))
    assert [own.id for own in sampled_pages[:12]] == [*map(str, range(1, 10)), "11", "13", "16"]
    assert len(sampled_pages) == MOST_PAGES == len(sampled_numbers())
    keys = np.arange(5, dtype=np.uint64)
    many = evidence_of(
        SitePage("a", np.append(keys, np.uint64(number)), NO_TEXTS) for number in range(5, 500)
    )
    assert many.pages.tolist() == [MOST_PAGES]
    assert len(many.key) == len(keys)  # what single pages have is forgotten


def test_a_crawl_of_single_pages_is_read_once() -> None:
    read: list[str] = []

    class Crawl:
        def __iter__(self) -> object:
            for number in range(4 * LOOKED_AT):
                read.append(f"{number}")
                yield page(number, f"site{number}.example")

    assert gather_evidence(page_source(Crawl())) is None
    assert len(read) == LOOKED_AT


@pytest.mark.parametrize(("sites", "found"), [(40, True), (250, True), (400, False)])
def test_sites_are_found_in_any_order_where_they_have_several_pages(sites: int, found: bool) -> None:
    names = [Page("", f"http://site{number % sites}.example/{number}", "") for number in range(LOOKED_AT)]
    assert _has_sites(page_source(names).records()) == found


@pytest.mark.parametrize(("single", "found"), [(0, True), (60, True), (61, False)])
def test_a_few_pages_of_one_site_among_others_are_enough(single: int, found: bool) -> None:
    urls = [f"http://site{number}.example/" for number in range(single)]
    pages = [Page("", url, "") for url in urls + [f"http://a.example/{number}" for number in range(4)]]
    assert _has_sites(page_source(pages).records()) == found


def test_pages_that_come_once_are_judged_alone() -> None:
    source = page_source(iter(PAGES))
    with fitted_masks(MaskSettings(), source) as fitted:
        assert fitted == MaskSettings()
    assert len(list(source)) == len(PAGES)


def test_what_is_known_lies_where_workers_see_it_and_is_gone_afterwards(tmp_path: Path) -> None:
    with fitted_masks(MaskSettings(), page_source(PAGES), 0, beside=tmp_path) as fitted:
        assert Path(fitted.sites).parent == tmp_path
        assert fitted.load().digest == MaskSettings().load().digest
    assert not list(tmp_path.iterdir())


def test_evidence_survives_its_file(tmp_path: Path) -> None:
    evidence = evidence_of(site_pages([text_nodes(own) for own in PAGES]))
    evidence.save(tmp_path)
    nodes = forest([text_nodes(PAGES[3])])
    before, after = evidence.shift(nodes), SiteEvidence.load(tmp_path).shift(nodes)
    assert before is not None
    assert after is not None
    assert before.tolist() == after.tolist()
    assert evidence.shift(forest([text_nodes(page(1, "other.example"))])) is None


def test_lines_of_json_show_their_address_unread(tmp_path: Path) -> None:
    file = tmp_path / "pages.jsonl"
    file.write_text(
        '{"id": "1", "html": "<p>{\\"url\\": \\"http://no.example/\\"}", "url": "http://a.example/1"}\n'
        '{"url": "http:\\/\\/b.example\\/2", "html": ""}\n{"html": "<p>"}\n',
        encoding="utf-8",
    )
    assert [record.address for record in named_pages([file]).records()] == [
        "http://a.example/1",
        "http://b.example/2",
        "",
    ]


def test_only_a_learned_model_judges_alone_or_together() -> None:
    with pytest.raises(SettingError, match="alone goes with filter='crf'"):
        check_masks(MaskSettings("blocks", alone=True))
    assert MaskSettings(alone=True).load().digest != MaskSettings().load().digest
