"""Real annotated pages, where they are present: nothing is lost, and the encoding does not matter."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import pytest

from ruiji.chunker import annotated_mask
from ruiji.corpora import Page, read_pages
from ruiji.features import text_nodes
from tests.paths import DATA

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(
        not DATA.is_dir(), reason="the annotated pages are not here; RUIJI_DATA names their folder"
    ),
]
SITES = sorted(DATA.glob("ja-sites/*.jsonl.gz"))


@pytest.mark.parametrize("path", SITES, ids=lambda path: path.name)
def test_annotations_of_every_page_are_regions_of_text_nodes(path: Path) -> None:
    for page in read_pages([path]):
        content = annotated_mask(text_nodes(page)).content
        assert content.any(), page.id


def test_pages_of_the_wide_web_give_text_or_have_none_to_give() -> None:
    without = []
    pages = list(islice(read_pages(sorted(DATA.glob("web/*.jsonl.gz"))), 0, None, 5))
    for page in pages:
        nodes = text_nodes(page)
        assert bool(nodes.shown_text()) == (len(nodes) > 0), page.id
        if not len(nodes):
            without.append(page.id)
    assert len(without) <= 0.01 * len(pages)


@pytest.mark.parametrize("codec", ["cp932", "euc_jp", "iso2022_jp", "utf-8", "utf-16"])
def test_a_page_without_a_label_gives_the_same_nodes_in_every_japanese_encoding(codec: str) -> None:
    tried = 0
    for path in SITES:
        for page in islice(read_pages([path]), 5):
            assert isinstance(page.html, str)
            unlabelled = re.sub(r"<\?xml[^>]*>|<meta[^>]*charset[^>]*>", "", page.html)
            body = unlabelled.encode(codec, "ignore")
            text = body.decode(codec)
            if codec in ("euc_jp", "iso2022_jp"):  # these tables differ from the standard in a few signs
                text = text.translate(str.maketrans("〜‖−¢£¬", "～∥－￠￡￢"))
            expected = text_nodes(Page("x", "http://a.example/", text)).texts
            assert text_nodes(Page("x", "http://a.example/", body)).texts == expected, page.id
            tried += 1
    assert tried > 50
