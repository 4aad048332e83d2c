"""The pairs of a ``detect`` run: filtered where they are, each with the sentences of both pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from ruiji.detector.pairs.relations import CATEGORIES
from ruiji.detector.pairs.run import Run
from ruiji.detector.run_sentences import RunSentences
from ruiji.detector.verdicts import FILE
from ruiji.web.review.results import Query, Results

SITES_SHOWN = 300
SOURCES_SHOWN = 12  # of a patchwork page, each with a colour of its own


class PairResults(Results):
    """Pairs of pages, strongest first."""

    kind = "pair"
    categories = CATEGORIES
    key_columns = ("url_a", "url_b")
    orders: ClassVar = {
        "shared": "bits DESC",
        "overlap": "overlap DESC, shared_chars DESC",
        "unjudged": "(verdict <> 'none'), bits DESC",
        "id": "url_a, url_b",
    }

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / FILE)
        self.run = Run(folder)
        self.run_sentences = RunSentences(self.run, self._database)
        self._run(
            "CREATE TABLE pages AS SELECT url, any_value(site) AS site, any_value(title) AS title, "
            "any_value(digest) AS digest FROM read_parquet(?) GROUP BY url",
            [self.run_sentences.page_files],
        )
        self._run(
            "CREATE TABLE items AS SELECT "
            "row_number() OVER (ORDER BY bits DESC, url_a, url_b) - 1 AS number, pairs.*, "
            "coalesce(a.site, '') AS site_a, coalesce(b.site, '') AS site_b, "
            "coalesce(a.title, '') AS title_a, coalesce(b.title, '') AS title_b "
            "FROM read_parquet(?) AS pairs "
            "LEFT JOIN pages a ON a.url = url_a LEFT JOIN pages b ON b.url = url_b ORDER BY number",
            [str(self.run.file("pairs"))],
        )
        self._finish()

    def _condition(self, query: Query) -> tuple[list[str], list[Any]]:
        conditions, values = super()._condition(query)
        if query.relation:
            conditions.append("relation = ?")
            values.append(query.relation)
        if query.site:
            conditions.append("(site_a = ? OR site_b = ?)")
            values += [query.site] * 2
        if query.patchwork:
            conditions.append("patchwork <> 'none'")
        if query.least > 0:
            conditions.append("overlap >= ?")
            values.append(query.least)
        if query.text:
            # In an address or a title, or in a sentence that both have.
            named = " OR ".join(
                f"contains(lower({column}), lower(?))" for column in ("url_a", "url_b", "title_a", "title_b")
            )
            with_text = "(SELECT url FROM read_parquet(?) WHERE contains(lower(text), lower(?)))"
            conditions.append(f"({named} OR (url_a IN {with_text} AND url_b IN {with_text}))")
            values += [query.text] * 4 + [self.run_sentences.files, query.text] * 2
        return conditions, values

    def sites(self) -> list[str]:
        rows = self._run(
            "SELECT site, count(*) AS size FROM "
            "(SELECT site_a AS site FROM items UNION ALL SELECT site_b FROM items WHERE site_b <> site_a) "
            f"WHERE site <> '' GROUP BY 1 ORDER BY size DESC, site LIMIT {SITES_SHOWN}"
        )
        return [row["site"] for row in rows]

    def detail(self, number: int) -> dict[str, Any] | None:
        row = self.row(number)
        if row is None:
            return None
        sides = {side: self.run_sentences.sentences(row[f"url_{side}"]) for side in "ab"}
        shared, common = self.run_sentences.shared(sides["a"], sides["b"])
        pages = {row[f"url_{side}"]: sentences for side, sentences in sides.items()}
        near = self.run_sentences.near(row["url_a"], row["url_b"], pages)
        shared |= set(near.values())
        # Keys are wider than JavaScript's numbers: those that are shared get small ones.
        names: dict[int, int] = {}
        detail: dict[str, Any] = {"row": row, "sides": {}}
        for side, sentences in sides.items():
            equal = near if side == "b" else {}
            sources = (
                self._sources(row[f"url_{side}"], sentences) if row["patchwork"] in (side, "both") else []
            )
            of_key = {
                key: place for place, source in reversed(list(enumerate(sources))) for key in source["keys"]
            }
            detail["sides"][side] = {
                "url": row[f"url_{side}"],
                "title": row[f"title_{side}"],
                "site": row[f"site_{side}"],
                "sources": [
                    {name: source[name] for name in ("url", "title", "sentences", "pair")}
                    for source in sources
                ],
                "sentences": [
                    {
                        "text": sentence["text"],
                        "content": sentence["content"],
                        "paragraph": sentence["paragraph"],
                        "shared": names.setdefault(key, len(names))
                        if sentence["content"]
                        and (key := equal.get(sentence["key"], sentence["key"])) in shared
                        else None,
                        "common": bool(sentence["content"] and sentence["key"] in common),
                        "source": of_key.get(sentence["key"]) if sentence["content"] else None,
                    }
                    for sentence in sentences
                ],
            }
        return detail

    def _sources(self, url: str, sentences: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The pages of other sites that a page shares text with, those with the most sentences first, with
        the keys they share.
        """
        partners = self._run(
            "SELECT number, CASE WHEN url_a = ? THEN url_b ELSE url_a END AS url, "
            "CASE WHEN url_a = ? THEN title_b ELSE title_a END AS title "
            "FROM items WHERE (url_a = ? OR url_b = ?) AND site_a <> site_b "
            "ORDER BY shared_chars DESC, number LIMIT 50",
            [url] * 4,
        )
        keys = self.run_sentences.keys_of([row["url"] for row in partners], sentences)
        sources = [
            {
                "url": partner["url"],
                "title": partner["title"],
                "pair": partner["number"],
                "sentences": len(keys[partner["url"]]),
                "keys": keys[partner["url"]],
            }
            for partner in partners
            if keys[partner["url"]]
        ]
        return sorted(sources, key=lambda source: (-source["sentences"], source["url"]))[:SOURCES_SHOWN]
