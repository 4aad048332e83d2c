"""What makes a pair: the sentences of both pages, those they share, and where the sentences of a patchwork
page came from.

evidence = RunSentences(Run(Path("OUT")))
one, other = evidence.sentences(url_a), evidence.sentences(url_b)
usable, common = evidence.shared(one, other)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ruiji.detector.pairs.run import Run

if TYPE_CHECKING:
    import duckdb


class RunSentences:
    """Asks the sentences of a run, and of those it was compared with, where they are: on the disk."""

    def __init__(self, run: Run, database: duckdb.DuckDBPyConnection | None = None) -> None:
        import duckdb

        self.run = run
        runs = run.with_earlier()
        self.files = [str(one.file("sentences")) for one in runs]
        self.page_files = [str(one.file("pages")) for one in runs]
        self._database = database or duckdb.connect(":memory:")

    def _rows(self, statement: str, values: Sequence[Any]) -> list[dict[str, Any]]:
        cursor = self._database.cursor()
        cursor.execute(statement, list(values))
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def sentences(self, url: str) -> list[dict[str, Any]]:
        """The sentences of a page in order (key, text, content, paragraph, length, text_start), from the
        newest run that has it.
        """
        return self.sentences_of([url])[url]

    def sentences_of(self, urls: Iterable[str]) -> dict[str, list[dict[str, Any]]]:
        """The sentences of several pages, in one reading of the files."""
        found: dict[str, list[dict[str, Any]]] = {url: [] for url in urls}
        for path in self.files:
            missing = [url for url, sentences in found.items() if not sentences]
            if missing:
                statement = (
                    "SELECT url, key, text, content, paragraph, length, text_start FROM read_parquet(?) "
                    "WHERE url IN (SELECT unnest(?::VARCHAR[])) ORDER BY url, position"
                )
                for row in self._rows(statement, [path, missing]):
                    found[row.pop("url")].append(row)
        return found

    def shared(
        self, one: Sequence[dict[str, Any]], other: Sequence[dict[str, Any]]
    ) -> tuple[set[int], set[int]]:
        """The keys that make the pair, and those that both have but too many pages have as well."""
        both = self.long_keys(one) & self.long_keys(other)
        common = self.common(both)
        return both - common, common

    def near(
        self, url_a: str, url_b: str, sentences: Mapping[str, Sequence[dict[str, Any]]]
    ) -> dict[int, int]:
        """The sentences of the second page that are those of the first in other words, both by their keys:
        what the passages of the pair have beside the sentences that are equal.
        """
        passages = self._rows(
            "SELECT start_a, end_a, start_b, end_b FROM read_parquet(?) WHERE url_a = ? AND url_b = ? "
            "AND start_a >= 0 AND start_b >= 0",
            [str(self.run.file("evidence")), url_a, url_b],
        )
        found: dict[int, int] = {}
        for passage in passages:
            own = self._inside(sentences[url_a], passage["start_a"], passage["end_a"])
            other = self._inside(sentences[url_b], passage["start_b"], passage["end_b"])
            if len(own) == len(other):
                found.update(pair for pair in zip(other, own, strict=True) if pair[0] != pair[1])
        return found

    def _inside(self, sentences: Sequence[dict[str, Any]], start: int, end: int) -> list[int]:
        """The long sentences that begin in a stretch of the extracted text, by their keys."""
        inside = [row for row in sentences if start <= row["text_start"] < end]
        least = self.run.settings["min_length"]
        return [row["key"] for row in inside if row["content"] and row["length"] >= least]

    def common(self, keys: Collection[int]) -> set[int]:
        """Those of the keys that too many pages have: they make no pair."""
        if not keys:
            return set()
        counted = self._rows(
            "SELECT key FROM read_parquet(?) AS sentences LEFT JOIN (SELECT url, any_value(digest) AS "
            "digest FROM read_parquet(?) GROUP BY url) AS pages USING (url) WHERE content AND key IN "
            "(SELECT unnest(?::BIGINT[])) GROUP BY key HAVING count(DISTINCT coalesce(pages.digest, "
            "sentences.url)) > ?",
            [self.files, self.page_files, sorted(keys), self.run.settings["max_pages"]],
        )
        return {row["key"] for row in counted}

    def keys_of(self, urls: Sequence[str], sentences: Sequence[dict[str, Any]]) -> dict[str, list[int]]:
        """Of each of the pages, the long sentences that it shares with the given ones, by their keys."""
        keys = sorted(self.long_keys(sentences))
        found: dict[str, list[int]] = {url: [] for url in urls}
        if keys and urls:
            statement = (
                "SELECT DISTINCT url, key FROM read_parquet(?) WHERE content AND url IN (SELECT "
                "unnest(?::VARCHAR[])) AND key IN (SELECT unnest(?::BIGINT[])) ORDER BY url, key"
            )
            for row in self._rows(statement, [self.files, list(urls), keys]):
                found[row["url"]].append(row["key"])
        return found

    def long_keys(self, sentences: Sequence[dict[str, Any]]) -> set[int]:
        """The keys of the content sentences that are long enough to count."""
        least = self.run.settings["min_length"]
        return {row["key"] for row in sentences if row["content"] and row["length"] >= least}
