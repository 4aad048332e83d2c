"""Copied passages (lines of ``index match``) and contradictions (``conflicts.jsonl`` of ``records``) as
results to review.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import pyarrow as pa

from ruiji.corpora import InputError
from ruiji.corpora.errors import json_of
from ruiji.detector import normalise
from ruiji.detector.verdicts import FILE
from ruiji.web.review.results import Query, Results

LINKED = 6  # characters from which a sentence that both sides have is marked in both
_LINE = re.compile(r"[^\n]+")
_SENTENCE = re.compile(r"[^。！？!?]+[。！？!?」』）)]*|[。！？!?」』）)]+")
BATCH = 5000  # rows that are put into the table at a time


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file. Raises InputError for a line that is none."""
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            try:
                record = json_of(line)
            except ValueError as error:
                raise InputError(f"{path}: line {number} is not JSON: {error}") from error
            if not isinstance(record, dict):
                raise InputError(f"{path}: line {number} is not an object")
            yield record


class _LineResults(Results):
    """Results that are lines of a file; ``columns`` are taken into the table, the rest of a line is kept as
    JSON.
    """

    columns: ClassVar[Mapping[str, str]] = {}
    needed: tuple[str, ...] = ()
    searched: tuple[str, ...] = ()
    urls: tuple[str, str] = ("", "")

    def __init__(self, path: Path, verdict_file: Path) -> None:
        super().__init__(verdict_file)
        declared = ", ".join(f"{name} {kind}" for name, kind in self.columns.items())
        self._run(
            f"CREATE TABLE items (number BIGINT, category VARCHAR, site_a VARCHAR, site_b VARCHAR, "
            f"{declared}, rest VARCHAR)"
        )
        batch: list[list[Any]] = []
        for number, record in enumerate(read_lines(path)):
            if missing := [name for name in self.needed if name not in record]:
                raise InputError(
                    f"{path}: line {number + 1} has no {missing[0]}; is it a file of ruiji {self.made_by}?"
                )
            batch.append(self._values(number, record))
            if len(batch) == BATCH:
                self._put(batch)
                batch = []
        self._put(batch)
        self._finish()

    made_by = ""

    def _values(self, number: int, record: dict[str, Any]) -> list[Any]:
        sites = [_site(str(record.get(name) or "")) for name in self.urls]
        taken = [_value(record.get(name), kind) for name, kind in self.columns.items()]
        rest = {name: value for name, value in record.items() if name not in self.columns}
        return [number, self._category(record), *sites, *taken, json.dumps(rest, ensure_ascii=False)]

    def _category(self, record: dict[str, Any]) -> str:
        return self.kind

    def _put(self, batch: list[list[Any]]) -> None:
        if batch:
            kinds = {"VARCHAR": pa.string(), "BIGINT": pa.int64(), "DOUBLE": pa.float64()}
            own = [
                ("number", "BIGINT"),
                ("category", "VARCHAR"),
                ("site_a", "VARCHAR"),
                ("site_b", "VARCHAR"),
            ]
            schema = pa.schema(
                [(name, kinds[kind]) for name, kind in (*own, *self.columns.items(), ("rest", "VARCHAR"))]
            )
            columns = [
                pa.array(values, field.type)
                for values, field in zip(zip(*batch, strict=True), schema, strict=True)
            ]
            self._run_on("INSERT INTO items SELECT * FROM batch", "batch", pa.table(columns, schema=schema))

    def _condition(self, query: Query) -> tuple[list[str], list[Any]]:
        conditions, values = super()._condition(query)
        if query.site:
            conditions.append("(site_a = ? OR site_b = ?)")
            values += [query.site] * 2
        if query.text:
            conditions.append(
                "(" + " OR ".join(f"contains(lower({column}), lower(?))" for column in self.searched) + ")"
            )
            values += [query.text] * len(self.searched)
        return conditions, values

    def sites(self) -> list[str]:
        rows = self._run("SELECT DISTINCT unnest([site_a, site_b]) AS site FROM items ORDER BY 1 LIMIT 300")
        return [row["site"] for row in rows if row["site"]]

    def detail(self, number: int) -> dict[str, Any] | None:
        row = self.row(number)
        if row is None:
            return None
        return {"row": row | {"rest": json_of(row["rest"])}}


def _site(url: str) -> str:
    try:
        return urlsplit(url).hostname or url.partition("/")[0]
    except ValueError:
        return ""


def _value(value: Any, kind: str) -> Any:
    """A value as the column takes it; what does not fit is nothing."""
    if value is None:
        return None
    if kind == "VARCHAR":
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if kind == "DOUBLE" else int(value)


class PassageResults(_LineResults):
    """Copied passages, the longest first."""

    kind = "passage"
    categories = ("passage",)
    made_by = "index match"
    columns: ClassVar = {
        "url": "VARCHAR", "source_url": "VARCHAR", "start": "BIGINT", "end_": "BIGINT",
        "source_start": "BIGINT", "source_end": "BIGINT", "segments": "BIGINT", "score": "DOUBLE",
        "text": "VARCHAR",
    }  # fmt: skip
    needed = ("url", "source_url", "text")
    searched = ("url", "source_url", "text")
    urls = ("url", "source_url")
    key_columns = ("url", "source_url", "start", "source_start")
    orders: ClassVar = {
        "shared": "length(text) DESC",
        "overlap": "score DESC NULLS LAST",
        "unjudged": "(verdict <> 'none'), length(text) DESC",
        "id": "url, start",
    }

    def __init__(self, path: Path, texts: Mapping[str, str] | None = None) -> None:
        super().__init__(path, path.with_name(path.name.removesuffix(".jsonl") + f".{FILE}"))
        self.texts = texts or {}

    def addresses(self) -> set[str]:
        """The pages that passages were copied from and to."""
        return {
            row["url"] for row in self._run("SELECT DISTINCT unnest([url, source_url]) AS url FROM items")
        }

    def detail(self, number: int) -> dict[str, Any] | None:
        """The passage and, where the pages are at hand, both texts around it, sentence by sentence."""
        detail = super().detail(number)
        if detail is None:
            return None
        row = detail["row"]
        ends = (("a", "url", "start", "end_"), ("b", "source_url", "source_start", "source_end"))
        texts = {side: self.texts.get(row[url]) for side, url, _, _ in ends}
        if texts["a"] is None:
            texts["a"], row = row["text"], row | {"start": 0, "end_": len(row["text"])}
        pieces = {side: _pieces(texts[side] or "", row[start], row[end]) for side, _, start, end in ends}
        keys = {side: {normalise(text) for text, inside, _ in pieces[side] if inside} for side in "ab"}
        linked = sorted(key for key in keys["a"] & keys["b"] if len(key) >= LINKED)
        names = {key: place for place, key in enumerate(linked)}
        sides = {}
        for side, url, _, _ in ends:
            others = keys["b" if side == "a" else "a"]
            sentences = [
                {
                    "text": text,
                    "content": inside,
                    "paragraph": line,
                    "common": False,
                    "source": None,
                    "shared": names.get(normalise(text)) if inside else None,
                    "changed": inside and bool(others) and normalise(text) not in others,
                }
                for text, inside, line in pieces[side]
            ]
            sides[side] = {"url": row[url], "title": "", "sources": [], "sentences": sentences}
        return detail | {"sides": sides}

    def _values(self, number: int, record: dict[str, Any]) -> list[Any]:
        return super()._values(
            number, {("end_" if name == "end" else name): value for name, value in record.items()}
        )

    def _condition(self, query: Query) -> tuple[list[str], list[Any]]:
        conditions, values = super()._condition(query)
        if query.least > 0:
            conditions.append("length(text) >= ?")
            values.append(query.least)
        return conditions, values


def _pieces(text: str, start: int | None, end: int | None) -> list[tuple[str, bool, int]]:
    """The sentences of a text, cut at the ends of the passage too: text, whether it is in the passage, number
    of its line.
    """
    first, last = start or 0, len(text) if end is None else end
    pieces = []
    for line_number, line in enumerate(_LINE.finditer(text)):
        borders = sorted(
            {
                line.start(),
                line.end(),
                *(place for place in (first, last) if line.start() < place < line.end()),
            }
        )
        for low, high in pairwise(borders):
            inside = first <= low and high <= last
            pieces += [
                (piece.group(), inside, line_number)
                for piece in _SENTENCE.finditer(text, low, high)
                if piece.group().strip()
            ]
    return pieces


class ConflictResults(_LineResults):
    """Contradictions, the surest first."""

    kind = "conflict"
    made_by = "records"
    columns: ClassVar = {
        "id": "VARCHAR", "kind": "VARCHAR", "field": "VARCHAR", "value_a": "VARCHAR", "value_b": "VARCHAR",
        "url_a": "VARCHAR", "url_b": "VARCHAR", "time_a": "VARCHAR", "time_b": "VARCHAR",
        "confidence": "DOUBLE",
    }  # fmt: skip
    needed = ("id", "kind", "url_a", "url_b")
    searched = ("url_a", "url_b", "field", "value_a", "value_b")
    urls = ("url_a", "url_b")
    key_columns = ("id",)
    orders: ClassVar = {
        "shared": "confidence DESC NULLS LAST",
        "overlap": "confidence DESC NULLS LAST",
        "unjudged": "(verdict <> 'none'), confidence DESC NULLS LAST",
        "id": "url_a, url_b",
    }

    def __init__(self, path: Path) -> None:
        super().__init__(path, path.with_name(FILE))
        self.categories = tuple(
            row["category"] for row in self._run("SELECT DISTINCT category FROM items ORDER BY 1")
        )

    def _category(self, record: dict[str, Any]) -> str:
        return str(record["kind"])

    def _condition(self, query: Query) -> tuple[list[str], list[Any]]:
        conditions, values = super()._condition(query)
        if query.least > 0:
            conditions.append("confidence >= ?")
            values.append(query.least)
        return conditions, values
