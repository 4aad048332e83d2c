"""The links of a collection in both directions: which pages a page links to, and which link to it (Kang 2009,
section 4.1, step 4).

Links are known when the last page has been read, so they wait on disk (SQLite); memory stays small however
many there are.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from ruiji.corpora.standard_format import LinkEntry
from ruiji.detector.urls import canonical_url

_TABLES = """
CREATE TABLE pages (number INTEGER PRIMARY KEY, id TEXT, url TEXT, canonical TEXT);
CREATE TABLE links (source INTEGER, place INTEGER, text TEXT, url TEXT, canonical TEXT, PRIMARY KEY (source,
place)) WITHOUT ROWID;
"""
_INDICES = (
    "CREATE INDEX page_of ON pages (canonical, number); CREATE INDEX links_to ON links (canonical, source);"
)

_OUT = """
SELECT text, url, coalesce((SELECT id FROM pages p WHERE p.canonical = l.canonical ORDER BY p.number LIMIT 1),
'')
FROM links l WHERE source = ? ORDER BY place"""

_IN = """
SELECT DISTINCT l.text, p.url, p.id FROM pages me JOIN links l ON l.canonical = me.canonical JOIN pages p ON
p.number = l.source
WHERE me.number = ? AND l.source <> me.number ORDER BY l.text, l.source"""


class Linkage:
    """First every page is added under its number, then ``finish``; then links can be asked for."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _TABLES)

    def add(self, number: int, page_id: str, url: str, links: Sequence[LinkEntry]) -> None:
        """A page and the links that stand in it."""
        self._database.execute(
            "INSERT INTO pages VALUES (?, ?, ?, ?)",
            (number, _clean(page_id), _clean(url), _clean(canonical_url(url))),
        )
        self._database.executemany(
            "INSERT INTO links VALUES (?, ?, ?, ?, ?)",
            [
                (number, place, _clean(link.text), _clean(link.url), _clean(canonical_url(link.url)))
                for place, link in enumerate(dict.fromkeys(links))
            ],
        )

    def finish(self) -> None:
        """All pages are in."""
        self._database.commit()
        self._database.executescript(_INDICES)

    def out_links(self, number: int) -> list[LinkEntry]:
        """The links of a page, with the id of the page that each means where it is in the collection."""
        return [LinkEntry(*row) for row in self._database.execute(_OUT, (number,))]

    def in_links(self, number: int) -> list[LinkEntry]:
        """The links of other pages to a page: their text, url and id; those of one text stand together."""
        return [LinkEntry(*row) for row in self._database.execute(_IN, (number,))]


@contextmanager
def linkage() -> Iterator[Linkage]:
    """An empty linkage on disk that is gone afterwards."""
    with TemporaryDirectory(prefix="ruiji-") as folder:
        database = sqlite3.connect(Path(folder) / "links.sqlite")
        try:
            yield Linkage(database)
        finally:
            database.close()


def _clean(text: str) -> str:
    """The text as it can be written: what is no character becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
