"""The mini-web and its truth.json against each other: pairs by brute force, passages, records,
contradictions, links.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import Any
from urllib.parse import urljoin

import pytest
from selectolax.lexbor import LexborHTMLParser

from ruiji.chunker import annotated_mask
from ruiji.corpora import MINIWEB, decode, load_truth, read_pages
from ruiji.corpora.page import Page
from ruiji.detector import placed_sentences
from ruiji.features import text_nodes

LONG = 20  # characters of a sentence that counts (Kang 2009, section 4.2)
RARE = 10  # pages that may have it


@dataclass(frozen=True)
class Known:
    page: Page
    title: str
    encoding: str
    undecodable: int
    nodes: int
    non_content: int
    content_text: str
    long_sentences: frozenset[str]
    sentence_count: int
    targets: frozenset[str]


def squeezed(text: str) -> str:
    import unicodedata

    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))


def known(page: Page) -> Known:
    nodes = text_nodes(page)
    content = annotated_mask(nodes).content
    kept = []
    for sentence in placed_sentences(nodes):
        span = range(sentence.first_node, sentence.last_node + 1)
        inside = sum(len(nodes.texts[node]) for node in span if content[node])
        if 2 * inside >= sum(len(nodes.texts[node]) for node in span):
            kept.append(sentence.text)
    return Known(
        page, nodes.title, nodes.encoding, nodes.dropped.get("undecodable", 0), len(nodes),
        int((~content).sum()),
        squeezed(nodes.shown_text(content)), frozenset(text for text in kept if len(text) >= LONG), len(kept),
        frozenset(urljoin(page.url, href).partition("#")[0] for href in nodes.hrefs),
    )  # fmt: skip


@pytest.fixture(scope="module")
def web() -> dict[str, Known]:
    return {page.id: known(page) for page in read_pages([MINIWEB])}


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    return load_truth()


def test_it_is_a_small_web_of_many_sites_and_encodings(web: dict[str, Known]) -> None:
    assert len(web) >= 100
    assert len({page_id.partition("/")[0] for page_id in web}) >= 20
    assert {"UTF-8", "Shift_JIS", "EUC-JP", "ISO-2022-JP", "windows-1252"} == {
        known.encoding for known in web.values()
    }
    assert sum(path.stat().st_size for path in MINIWEB.rglob("*") if path.is_file()) < 6_000_000


def test_every_page_is_decoded_whole_and_titled(web: dict[str, Known]) -> None:
    assert [page_id for page_id, one in web.items() if one.undecodable or not one.title] == []


def test_every_page_has_content_and_nearly_every_page_non_content(web: dict[str, Known]) -> None:
    assert [page_id for page_id, one in web.items() if one.nodes == one.non_content] == []
    assert sum(one.non_content == 0 for one in web.values()) <= 3


def test_there_are_thousands_of_sentences_that_stand_on_one_page_only(web: dict[str, Known]) -> None:
    assert sum(one.sentence_count for one in web.values()) > 5000
    frequency = Counter(text for one in web.values() for text in one.long_sentences)
    assert max(frequency.values()) <= RARE
    assert sum(count == 1 for count in frequency.values()) > 3500


def test_urls_are_unique_and_every_page_is_listed(web: dict[str, Known]) -> None:
    assert len({one.page.url for one in web.values()}) == len(web)
    assert all(one.page.url.startswith("http://") and one.page.last_modified for one in web.values())


def test_no_link_inside_a_site_is_absolute_so_that_it_works_from_disk(web: dict[str, Known]) -> None:
    for page_id, one in web.items():
        markup = decode(one.page).text
        host = page_id.partition("/")[0]
        assert not re.search(rf'<a\s[^>]*href="http://{re.escape(host)}/', markup), page_id
        assert not re.search(r'<a\s[^>]*href="/(?!/)', markup), page_id


def test_nothing_is_loaded_from_elsewhere(web: dict[str, Known]) -> None:
    elsewhere = r"""\s*=\s*["']?(?:https?:)?//"""
    loads = re.compile(
        rf"<(?:script|img|iframe|embed|source)\b[^>]*\ssrc{elsewhere}|<link\b(?=[^>"
        rf"]*(?:stylesheet|icon|preload))[^>]*\shref{elsewhere}",
        re.I,
    )
    assert [page_id for page_id, one in web.items() if loads.search(decode(one.page).text)] == []


def url_parts(url: str) -> tuple[set[str], set[str]]:
    """Host and path parts as Kang 2009, section 5.3, compares them."""
    host, _, path = url.removeprefix("http://").partition("/")
    labels = host.split(".")
    labels = labels[1:] if "www" in labels[0] else labels
    labels = labels[1:] if labels[0] == "jp" else labels
    host = re.sub(r"\.(?:net|com|biz|org|co\.jp|ac\.jp|ne\.jp|or\.jp)$", "", ".".join(labels))
    parts = [part for part in re.sub("html$", "htm", re.sub("^(?:~|%7E)", "", path)).split("/") if part]
    if parts and "index" in parts[-1]:
        parts.pop()
    return set(re.split("[.-]", host)), set(parts)


def simpson(a: set[str], b: set[str]) -> float:
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


def classified(a: Known, b: Known, shared: set[str]) -> tuple[str, str]:
    """Relation and category by the definitions of system 3, written down once more as an oracle."""
    common = sum(map(len, shared))
    size_a, size_b = (sum(map(len, one.long_sentences)) for one in (a, b))
    hosts, paths = zip(url_parts(a.page.url), url_parts(b.page.url), strict=True)
    similar = simpson(*hosts) + simpson(*paths) > 0
    if 2 * common / (size_a + size_b) > 0.6:
        return "identical", "mirror" if similar else "boilerplate_or_plagiarism"
    if common / min(size_a, size_b) > 0.5:
        return "inclusion", "archive" if similar else "link_collection"
    linked = b.page.url in a.targets or a.page.url in b.targets
    return "partial", "same_site" if similar else "citation" if linked else "shared_passage"


def test_the_pairs_of_truth_are_exactly_those_that_brute_force_finds(
    web: dict[str, Known], truth: dict[str, Any]
) -> None:
    pages_of = defaultdict(list)
    for page_id in sorted(web):
        for text in web[page_id].long_sentences:
            pages_of[text].append(page_id)
    shared: dict[tuple[str, str], set[str]] = defaultdict(set)
    for text, pages in pages_of.items():
        for pair in combinations(pages, 2):
            shared[pair].add(text)
    found = {pair: classified(web[pair[0]], web[pair[1]], texts) for pair, texts in shared.items()}
    stated = {(pair["a"], pair["b"]): (pair["relation"], pair["category"]) for pair in truth["pairs"]}
    assert found == stated


def test_every_category_of_system_3_has_pairs(truth: dict[str, Any]) -> None:
    counted = Counter(pair["category"] for pair in truth["pairs"])
    assert set(counted) == {
        "mirror", "boilerplate_or_plagiarism", "archive", "link_collection", "same_site", "citation",
        "shared_passage",
    }  # fmt: skip
    assert min(counted.values()) >= 4
    assert all(
        pair["original"] in (pair["a"], pair["b"], None) or pair["original"] for pair in truth["pairs"]
    )


def test_copied_passages_stand_on_both_pages(web: dict[str, Known], truth: dict[str, Any]) -> None:
    for passage in truth["passages"]:
        start = squeezed(passage["text"])
        assert start in web[passage["source"]].content_text, passage
        if passage["kind"] != "rebroken_list":
            assert start in web[passage["page"]].content_text, passage
    assert {"copy", "quote", "single_sentence", "rebroken_list"} == {
        passage["kind"] for passage in truth["passages"]
    }


def test_patchwork_pages_take_from_several_sites(truth: dict[str, Any]) -> None:
    for page in truth["patchwork"]:
        sources = {
            passage["source"].partition("/")[0] for passage in truth["passages"] if passage["page"] == page
        }
        assert len(sources) >= 4, page


def test_records_stand_where_their_selectors_point(web: dict[str, Known], truth: dict[str, Any]) -> None:
    trees = {page_id: LexborHTMLParser(decode(one.page).utf8) for page_id, one in web.items()}
    for record in truth["records"]:
        for place in record["places"]:
            found = trees[place["page"]].css(place["selector"])
            assert len(found) == 1, place
            text = squeezed(found[0].text(deep=True))
            assert [value for value in place["fields"].values() if squeezed(value) not in text] == [], place


def test_contradictions_are_between_places_of_one_record(truth: dict[str, Any]) -> None:
    places = {record["entity"]: record["places"] for record in truth["records"]}
    for item in truth["contradictions"]:
        assert item["kind"] in ("conflict", "variant", "missing", "age")
        for side in (item["a"], item["b"]):
            values = [
                squeezed(value)
                for place in places[item["entity"]]
                if place["page"] == side["page"]
                for value in place["fields"].values()
            ]
            assert values, item
            if side["value"] is not None:
                assert any(squeezed(side["value"]) in value for value in values), item
        if item["kind"] == "conflict":
            assert squeezed(item["a"]["value"]) != squeezed(item["b"]["value"])
