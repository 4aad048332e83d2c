"""From documents in parts to the files of ``clean``: order of pages → statements → decisions → cuts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from ruiji.corpora.errors import check_choice
from ruiji.detector.clean import join, schemas
from ruiji.detector.clean.corpus import CorpusWriter, clusters
from ruiji.detector.clean.decide import CONTAINED, IDENTICAL, Matches, ReasonArray, reasons, whole_pages
from ruiji.detector.clean.order import KEEP, CleanPages, clean_pages, write_ranks
from ruiji.detector.clean.original import original_first
from ruiji.detector.clean.staging import DocumentParts
from ruiji.detector.clean.stretches import going, stretches
from ruiji.detector.pairs.join import Engine
from ruiji.detector.parquet import rows_of, write_rows
from ruiji.features.arrays import LongArray

LEVELS = ("page", "passage", "mark")
QUOTATIONS = ("keep", "drop")
SITES_COUNTED = 50  # those with most removed
TABLES = ("documents", "units", "targets")


@dataclass(frozen=True, slots=True)
class CleanRules:
    """What is kept where, and what goes.

    ``precision`` leaves out pages whose extraction is less sure; None keeps all.
    """

    keep: str = "original"
    level: str = "passage"
    quotations: str = "keep"
    precision: float | None = None


def clean_rules(**given: Any) -> CleanRules:
    """The rules; raises SettingError for words that are none."""
    rules = CleanRules(**given)
    for name, words in (("keep", KEEP), ("level", LEVELS), ("quotations", QUOTATIONS)):
        check_choice(name, getattr(rules, name), words)
    return rules


class ClosingEngine(Engine, Protocol):
    """An engine that can be ended."""

    def close(self) -> None:
        """Removes its files."""


EngineMaker = Callable[[Mapping[str, Sequence[Path]], Path], ClosingEngine]  # of tables, and a folder for it


@dataclass(slots=True)
class _Kept:
    """Of each page, the page that keeps most of its text, and how much."""

    page: LongArray
    chars: LongArray

    def add(self, table: pa.Table) -> None:
        """Takes in the stretches of whole pages."""
        place, kept, start, until = (
            table[name].to_numpy() for name in ("place", "kept", "unit_start", "unit_until")
        )
        pairs, number = np.unique(np.stack((place, kept)), axis=1, return_inverse=True)
        chars = np.bincount(number.ravel(), until - start).astype(np.int64)
        order = np.lexsort((pairs[1], -chars, pairs[0]))
        _, first = np.unique(pairs[0][order], return_index=True)
        best = order[first]
        self.page[pairs[0][best]], self.chars[pairs[0][best]] = pairs[1][best], chars[best]


@dataclass(frozen=True, slots=True)
class Cleaning:
    """The steps over the parts of one or several shards, in a work folder. ``least`` is the expected F1 of
    pages that take part.
    """

    parts: Sequence[DocumentParts]
    rules: CleanRules
    least: float | None
    engine: EngineMaker
    work: Path

    def run(self) -> dict[str, Any]:
        """Leaves corpus.parquet, removed.parquet and left_out.parquet in the work folder; returns counts."""
        pages = clean_pages(self._files("pages"), self.rules.keep, self.least)
        tables = {name: self._files(name) for name in TABLES}
        if self.rules.keep == "original" and self.rules.level != "page":
            with_links = self._engine_on(pages, tables)
            try:
                pages = _by_origin(pages, with_links)
            finally:
                with_links.close()
        engine = self._engine_on(pages, tables)
        try:
            return self._write(pages, engine)
        finally:
            engine.close()

    def _files(self, name: str) -> list[Path]:
        return [path for parts in self.parts for path in parts.files(name)]

    def _engine_on(self, pages: CleanPages, tables: Mapping[str, Sequence[Path]]) -> ClosingEngine:
        ranks = self.work / "ranks.parquet"
        write_ranks(pages, ranks)
        engine = self.engine({**tables, "ranks": [ranks]}, self.work / "engine")
        join.run_steps(engine, join.UNIT_STEPS)
        return engine

    def _write(self, pages: CleanPages, engine: Engine) -> dict[str, Any]:
        find = _page_matches if self.rules.level == "page" else _passage_matches
        found = find(pages, engine, self.work, self.rules)
        kept = _Kept(np.arange(len(pages), dtype=np.int64), np.zeros(len(pages), dtype=np.int64))
        units = self.work / "going.parquet"
        write_rows((going(matches, why) for matches, why in found), schemas.GOING, units)
        engine.add("going", [units])
        join.run_steps(engine, join.SIDE_STEPS)
        path = self.work / "stretches.parquet"
        side_by_side = whole_pages(join.rows(engine, join.SIDE_BY_SIDE))
        write_rows(_watched(side_by_side, kept), schemas.STRETCHES, path)
        writer = CorpusWriter(
            pages, clusters(kept.page, kept.chars, pages.numbers("chars")), self.rules.level != "mark"
        )
        unsure = self._unsure_texts(pages, engine)
        rows = writer.write(join.rows(engine, join.DOCUMENTS), rows_of([path]), unsure, self.work)
        return _counts(writer, rows)

    def _unsure_texts(self, pages: CleanPages, engine: Engine) -> Iterator[pa.RecordBatch]:
        """The texts of pages that are left out for their precision, in their order."""
        if not len(pages.unsure):
            return iter(())
        path = self.work / "unsure.parquet"
        numbers = pages.unsure["page"].to_numpy()
        write_rows(
            [pa.table([numbers, np.arange(len(numbers))], schema=schemas.UNSURE)], schemas.UNSURE, path
        )
        engine.add("unsure", [path])
        return join.rows(engine, join.UNSURE)


def _watched(units: Iterable[Matches], kept: _Kept) -> Iterator[pa.Table]:
    for own in units:
        table = stretches(own)
        kept.add(table)
        yield table


def _by_origin(pages: CleanPages, engine: Engine) -> CleanPages:
    batches = list(join.rows(engine, join.LINKED_PAGES))
    return original_first(pages, pa.Table.from_batches(batches)) if batches else pages


def _passage_matches(
    pages: CleanPages, engine: Engine, work: Path, rules: CleanRules
) -> Iterator[tuple[Matches, ReasonArray]]:
    units, identical = pages.numbers("units"), pages.identical
    for matches in whole_pages(join.rows(engine, join.MATCHES)):
        yield matches, reasons(matches, units, identical, rules.quotations == "drop")


def _page_matches(
    pages: CleanPages, engine: Engine, work: Path, rules: CleanRules
) -> Iterator[tuple[Matches, ReasonArray]]:
    join.run_steps(engine, join.PAGE_STEPS)
    roots = work / "roots.parquet"
    write_rows([_roots(join.rows(engine, join.HELD_BY), len(pages))], schemas.ROOTS, roots)
    engine.add("roots", [roots])
    for matches in whole_pages(join.rows(engine, join.PAGE_MATCHES)):
        why: ReasonArray = np.where(matches["identical"] > 0, IDENTICAL, CONTAINED).astype(np.int8)
        yield matches, why


def _roots(holders: Iterable[pa.RecordBatch], count: int) -> pa.Table:
    """By rank, the page that in the end holds each page that is held."""
    above = np.arange(count, dtype=np.int64)
    held = [batch for batch in holders if len(batch)]
    for batch in held:
        above[batch["rank"].to_numpy()] = batch["holder"].to_numpy()
    while not np.array_equal(higher := above[above], above):
        above = higher
    rank = np.flatnonzero(above != np.arange(count))
    return pa.table([rank, above[rank]], schema=schemas.ROOTS)


def _counts(writer: CorpusWriter, rows: dict[str, int]) -> dict[str, Any]:
    totals = writer.totals
    return {
        "pages": totals.pages + len(writer.pages.unsure) + len(writer.pages.failed),
        "failed": len(writer.pages.failed),
        "kept": rows["corpus"],
        "left_out": dict(sorted(totals.left_out.items())),
        "stretches": dict(sorted(totals.stretches.items())),
        "characters": totals.chars,
        "removed_chars": dict(sorted(totals.removed.items())),
        "removed_by_site": dict(totals.sites.most_common(SITES_COUNTED)),
        "pages_by_tenth_removed": [totals.shares[tenth] for tenth in range(11)],
    }
