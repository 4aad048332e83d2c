"""Similar pages of a collection, from what was gathered of its pages to the files of a run.

gathered pages → tables of numbers → join → pairs, measured and told → groups
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ruiji.corpora.files import replacing
from ruiji.detector.gather import schemas
from ruiji.detector.gather.occurrences import Usable
from ruiji.detector.gather.parts import Parts
from ruiji.detector.pairs.collection import JoinInput, final_pages, final_rows
from ruiji.detector.pairs.join import STAR_ABOVE, Engine, Join
from ruiji.detector.pairs.lineage import Lineage
from ruiji.detector.pairs.measure import Overview, fresh_pages, measured, reported, sharing, told, weighed
from ruiji.detector.pairs.passages import Differences, shared_passages
from ruiji.detector.pairs.relations import CATEGORIES, RELATIONS, Thresholds
from ruiji.detector.pairs.releases import AT_HOME_COLUMNS, Releases
from ruiji.detector.pairs.run import FILES, RUN
from ruiji.detector.parquet import rows_of, write_rows


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything that decides what is a pair and of which kind."""

    usable: Usable = field(default_factory=Usable)
    thresholds: Thresholds = field(default_factory=Thresholds)
    star_above: int = STAR_ABOVE

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self.usable), **asdict(self.thresholds), "star_above": self.star_above}


def find_pairs(collection: JoinInput, engine: Engine, rules: Rules, folder: Path) -> dict[str, Any]:
    """Writes pairs, groups, evidence and lineage into the folder, as Parquet; returns what there is to count,
    by category and relation.
    """
    join = Join(rules.usable, collection.first_old, rules.star_above)
    join.run(engine)
    overview, lineage, differences = Overview(), Lineage(), Differences()
    releases = Releases()
    rough = folder / "measured.parquet"
    schema: pa.Schema | None = None

    def watched() -> Any:
        for batch in join.pairs(engine):
            batch = measured(batch, rules.thresholds)
            overview.add(sharing(batch))
            releases.add(batch)
            yield batch

    def all_weighed() -> Iterator[pa.RecordBatch]:
        for batch in rows_of([rough]):
            yield weighed(batch, releases, rules.thresholds)

    def fresh_pairs() -> Iterator[pa.Table]:
        for batch in all_weighed():
            saying = batch.filter(batch["reported"])
            table = told(saying, patchwork, differences)
            lineage.add(table, fresh_pages(saying, collection.first_old))
            yield table.filter(saying["fresh"])

    batches = watched()
    first = next(batches, None)
    counts: dict[str, Counter[str]] = {"relation": Counter(), "category": Counter()}
    patchwork: set[int] = set()
    if first is None:
        pairs = write_rows([], schemas.PAIRS, folder / "pairs.parquet")
        write_rows([], schemas.EVIDENCE, folder / "evidence.parquet")
    else:
        schema = first.schema
        write_rows(_chained(first, batches), schema, rough)
        if releases.there_are:
            for batch in rows_of([rough], AT_HOME_COLUMNS):
                releases.add_at_home(batch)
        patchwork = overview.partners.patchwork()
        numbered = folder / "reported.parquet"
        write_rows(map(reported, all_weighed()), schemas.PAGE_PAIRS, numbered)
        passages = shared_passages(join.shared(engine, numbered), differences)
        write_rows(passages, schemas.EVIDENCE, folder / "evidence.parquet")
        pairs = write_rows(_counted(fresh_pairs(), counts), schemas.PAIRS, folder / "pairs.parquet")
        rough.unlink()
    write_rows([lineage.table()], schemas.LINEAGE, folder / "lineage.parquet")
    identical = folder / "identical.parquet"
    write_rows([overview.identical_pairs()], schemas.PAGE_PAIRS, identical)
    groups = overview.groups(
        join.losses(engine, identical),
        join.collapsed(engine),
        collection.first_old,
        rules.thresholds.kept_share,
    )
    write_rows([groups], schemas.GROUPS, folder / "groups.parquet")
    return {
        "pairs": pairs,
        "relations": {name: counts["relation"][name] for name in RELATIONS},
        "categories": {name: counts["category"][name] for name in CATEGORIES},
        "groups": len(pc.unique(groups["group"])),
        "grouped_pages": len(groups),
        "patchwork_pages": len(patchwork),
    }


def _chained(first: Any, rest: Any) -> Any:
    yield first
    yield from rest


def _counted(tables: Iterator[pa.Table], counts: Mapping[str, Counter[str]]) -> Iterator[pa.Table]:
    for table in tables:
        for name, counter in counts.items():
            for found in pc.value_counts(table[name]).to_pylist():
                counter[found["values"]] += found["counts"]
        yield table


def write_gathered(parts: Parts, collection: JoinInput, folder: Path) -> dict[str, int]:
    """Writes pages.parquet, sentences.parquet and links.parquet into the folder; returns their numbers of
    rows.
    """
    sentences = schemas.SENTENCES.append(schemas.SKELETON) if parts.with_skeletons else schemas.SENTENCES
    return {
        "pages": write_rows(final_pages(parts, collection.repeated), schemas.PAGES, folder / "pages.parquet"),
        "sentences": write_rows(
            final_rows(parts, "sentences", collection.repeated), sentences, folder / "sentences.parquet"
        ),
        "links": write_rows(
            final_rows(parts, "links", collection.repeated), schemas.LINKS, folder / "links.parquet"
        ),
    }


def publish(folder: Path, out: Path, description: Mapping[str, Any]) -> None:
    """Gives the finished files of a folder their names in the run's folder; run.json comes last."""
    (out / RUN).unlink(missing_ok=True)  # files of two runs side by side are no finished run
    for name in FILES:
        (folder / f"{name}.parquet").replace(out / f"{name}.parquet")
    with replacing(out / RUN) as stream:
        stream.write(json.dumps(description, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n")


__all__: Sequence[str] = ["Rules", "find_pairs", "publish", "write_gathered"]
