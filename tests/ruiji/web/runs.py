"""Small and large folders of ``detect``, written by hand: the viewer must not depend on how they came
about.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ruiji.detector.gather import schemas
from ruiji.detector.pairs.relations import CATEGORIES

SETTINGS = {
    "pages": ["x"],
    "filter": "blocks",
    "model": "",
    "engine": "duckdb",
    "against": [],
    "min_length": 5,
    "max_pages": 10,
    "match": "exact",
}


def write_run(
    out: Path,
    pages: Mapping[str, Sequence[tuple[str, bool]]],
    pairs: Sequence[Mapping[str, Any]],
    **settings: Any,
) -> Path:
    """A run over pages given as sentences (text, whether it is content), with the pairs given."""
    out.mkdir(parents=True)
    rows = [
        {"url": url, "position": place, "key": hash_of(text), "text": text, "length": len(text),
        "content": content,
         "paragraph": place // 2, "first_node": place, "last_node": place}
        for url, sentences in pages.items()
        for place, (text, content) in enumerate(sentences)
    ]  # fmt: skip
    pq.write_table(pa.Table.from_pylist(rows, schemas.SENTENCES), out / "sentences.parquet")
    described = [
        {
            "id": url,
            "url": url,
            "site": url.split("/")[2],
            "title": f"Title of {url}",
            "digest": url,
            "long_chars": 10,
        }
        for url in pages
    ]
    pq.write_table(pa.Table.from_pylist(described, schemas.PAGES), out / "pages.parquet")
    defaults = {
        "shared_sentences": 1, "shared_chars": 10, "overlap": 0.5, "containment": 0.5, "url_similarity": 0.0,
        "link": "none",
        "relation": "partial", "category": "shared_passage", "patchwork": "none", "source": "undecided",
        "source_reason": "",
        "long_chars_a": 10, "long_chars_b": 10, "edited_sentences": 0, "moved_passages": 0,
    }  # fmt: skip
    pair_rows = [defaults | {"bits": 4 * pair.get("shared_chars", 10)} | dict(pair) for pair in pairs]
    pq.write_table(pa.Table.from_pylist(pair_rows, schemas.PAIRS), out / "pairs.parquet")
    write_empty_tables(out)
    write_description(
        out,
        len(pages),
        len(rows),
        [pair.get("category", "shared_passage") for pair in pairs],
        SETTINGS | settings,
    )
    return out


def write_empty_tables(out: Path) -> None:
    """The files of a run that has no groups, links, passages or lineage."""
    empty = {
        "groups": schemas.GROUPS,
        "links": schemas.LINKS,
        "evidence": schemas.EVIDENCE,
        "lineage": schemas.LINEAGE,
    }
    for name, schema in empty.items():
        pq.write_table(pa.Table.from_pylist([], schema), out / f"{name}.parquet")


def write_description(
    out: Path, pages: int, sentences: int, categories: Sequence[str], settings: Mapping[str, Any]
) -> None:
    counts = {
        "pages": pages, "sentences": sentences, "links": 0, "pairs": len(categories), "groups": 0,
        "grouped_pages": 0, "patchwork_pages": 0,
        "failed": 0, "compared_with": 0, "categories": {name: categories.count(name) for name in CATEGORIES},
        "relations": {"identical": 0, "inclusion": 0, "partial": len(categories)},
    }  # fmt: skip
    description = {"settings": settings, "versions": {"ruiji": "0"}, "counts": counts, "seconds": {}}
    (out / "run.json").write_text(json.dumps(description), encoding="utf-8")


def hash_of(text: str) -> int:
    return int.from_bytes(text.encode()[:8].ljust(8, b"\0"), "little", signed=True) ^ (len(text) << 7)


def write_large_run(out: Path, pairs: int, pages: int = 20_000, sentences_each: int = 10) -> Path:
    """Many pairs of many pages, with sentences."""
    out.mkdir(parents=True)
    random = np.random.default_rng(7)
    urls = np.array([f"http://site{number % 300}.example/page/{number}.html" for number in range(pages)])
    one, other = random.integers(0, pages, (2, pairs * 2))
    ends = np.unique(np.stack((np.minimum(one, other), np.maximum(one, other)))[:, one != other], axis=1)[
        :, :pairs
    ]
    categories = np.array(["mirror", "archive", "same_site", "citation", "shared_passage"])
    size = ends.shape[1]
    pair_table = pa.table(
        {
            "url_a": urls[ends[0]], "url_b": urls[ends[1]], "shared_sentences": random.integers(1, 50, size),
            "shared_chars": random.integers(20, 5000, size), "bits": random.integers(20, 5000, size),
            "overlap": random.random(size),
            "containment": random.random(size),
            "url_similarity": random.random(size), "link": np.full(size, "none"),
            "relation": np.full(size, "partial"),
            "category": categories[random.integers(0, 5, size)], "patchwork": np.full(size, "none"),
            "source": np.full(size, "undecided"),
            "source_reason": np.full(size, ""), "long_chars_a": np.full(size, 100),
            "long_chars_b": np.full(size, 100),
        }
    )  # fmt: skip
    pq.write_table(_typed(pair_table, schemas.PAIRS), out / "pairs.parquet")
    total = pages * sentences_each
    sentence_table = pa.table(
        {
            "url": np.repeat(urls, sentences_each),
            "position": np.tile(np.arange(sentences_each, dtype=np.int32), pages),
            "key": random.integers(0, 1000, total),
            "text": np.array([f"港の文 {number}" for number in range(total)]),
            "length": np.full(total, 30, dtype=np.int32), "content": np.ones(total, dtype=bool),
            "paragraph": np.zeros(total, dtype=np.int32), "first_node": np.zeros(total, dtype=np.int32),
            "last_node": np.zeros(total, dtype=np.int32),
            "text_start": np.full(total, -1, dtype=np.int32), "text_end": np.full(total, -1, dtype=np.int32),
        }
    )  # fmt: skip
    pq.write_table(_typed(sentence_table, schemas.SENTENCES), out / "sentences.parquet")
    pages_table = pa.Table.from_pylist(
        [
            {"id": url, "url": url, "site": url.split("/")[2], "title": f"Page {place}", "digest": url}
            for place, url in enumerate(urls.tolist())
        ],
        schemas.PAGES,
    )
    pq.write_table(pages_table, out / "pages.parquet")
    write_empty_tables(out)
    write_description(out, pages, total, [], SETTINGS)
    return out


def _typed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The table with the types of those columns of the schema that it has."""
    return table.cast(pa.schema([schema.field(name) for name in table.column_names]))
