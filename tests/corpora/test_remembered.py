"""Pages that are read once as far as they fit into memory."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from ruiji.corpora.page import Page
from ruiji.corpora.remembered import OBJECT_BYTES, RememberedPages
from ruiji.corpora.sources import named_pages, page_source

PAGES = [Page(f"{number}", f"http://a.example/{number}", "<p>港" * 10) for number in range(6)]
SIZE = PAGES[0].size + OBJECT_BYTES


class Watched:
    """Pages, and which were asked for."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __iter__(self) -> object:
        for page in PAGES:
            self.read.append(page.id)
            yield page


@pytest.mark.parametrize("most", [0, SIZE, 3 * SIZE, 6 * SIZE - 1, 6 * SIZE, 100 * SIZE])
def test_the_pages_are_the_same_however_many_fit(most: int) -> None:
    watched = Watched()
    pages = RememberedPages(page_source(watched), most)
    assert list(islice(pages.records(), 2)) == PAGES[:2]
    suspended = pages.records()
    assert next(suspended) == PAGES[0]
    for _ in range(3):
        assert list(pages.records()) == PAGES == list(pages)
    assert list(suspended) == PAGES[1:]
    if most >= 6 * SIZE:
        assert watched.read == [page.id for page in PAGES]


def test_pages_that_come_once_are_not_kept() -> None:
    pages = RememberedPages(page_source(iter(PAGES)))
    assert not pages.repeatable
    assert list(pages.records()) == PAGES
    assert list(pages.records()) == []


def test_what_breaks_off_breaks_off_again() -> None:
    class Broken:
        def __iter__(self) -> object:
            yield PAGES[0]
            raise OSError("it is gone")

    pages = RememberedPages(page_source(Broken()))
    for _ in range(2):
        records = pages.records()
        assert next(records) == PAGES[0]
        with pytest.raises(OSError, match="gone"):
            next(records)


def test_it_says_of_itself_what_its_source_says(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>a")
    source = named_pages([tmp_path])
    pages = RememberedPages(source)
    assert pages.names == source.names
    assert list(pages.files()) == list(source.files())
    assert pages.signature({"a": 1}) == source.signature({"a": 1})
