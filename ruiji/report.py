"""``report.html``: a finished run as one self-contained page. Everything that comes from pages is escaped; nothing is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from corpora.writing import replacing
from detector.runs import Run

PAIRS_SHOWN = 500  # of each category, those with the most shared characters first
STYLE = """
body { font: 15px/1.6 system-ui, "Hiragino Sans", "Noto Sans JP", sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 2rem; }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #ddd; vertical-align: top; overflow-wrap: anywhere; }
td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
h2 { margin-top: 2.5rem; } small { color: #666; }
"""


def write_report(out: Path, destination: Path, language: str = "both") -> None:
    """Writes the report of the run in ``out``."""
    run = Run(out)
    with replacing(destination) as stream:
        stream.write(_page(run).encode("utf-8", "replace"))


def _page(run: Run) -> str:
    counts, settings = run.description["counts"], run.settings
    pairs = pq.read_table(run.file("pairs"))
    parts = [
        "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>ruiji: {counts['pairs']} pairs</title><style>{STYLE}</style>",
        f"<h1>{counts['pairs']} pairs of pages that share content</h1>",
        f"<p>{counts['pages']} pages, {counts['sentences']} sentences; filter {escape(settings['filter'])}; sentences of "
        f"{settings['min_length']} characters or more in at most {settings['max_pages']} pages; {counts['groups']} groups of identical "
        f"pages; {counts['patchwork_pages']} patchwork pages; {counts['failed']} pages failed.</p>",
        _table(("category", "pairs"), ((name, number) for name, number in counts["categories"].items())),
    ]
    for name, number in counts["categories"].items():
        if number:
            parts.append(_category(name, pairs.filter(pc.equal(pairs["category"], name))))
    parts += [_groups(run), _failed(run), "</html>\n"]
    return "\n".join(part for part in parts if part)


def _category(name: str, pairs: Any) -> str:
    rows = pairs.sort_by([("shared_chars", "descending"), ("url_a", "ascending"), ("url_b", "ascending")]).slice(0, PAIRS_SHOWN)
    more = f" <small>the {PAIRS_SHOWN} strongest</small>" if len(pairs) > PAIRS_SHOWN else ""
    columns = (
        "url_a",
        "url_b",
        "shared_sentences",
        "shared_chars",
        "overlap",
        "containment",
        "link",
        "patchwork",
        "source",
        "source_reason",
    )
    shown = ([row[column] for column in columns] for row in rows.to_pylist())
    return f"<h2>{escape(name)}: {len(pairs)}{more}</h2>" + _table(columns, shown)


def _groups(run: Run) -> str:
    groups = pq.read_table(run.file("groups")).to_pylist()
    if not groups:
        return ""
    rows = ((row["group"], "keep" if row["keep"] else "", row["url"]) for row in groups)
    return "<h2>Groups of identical pages</h2>" + _table(("group", "", "url"), rows)


def _failed(run: Run) -> str:
    pages = pq.read_table(run.file("pages"), columns=["id", "error"])
    failed = pages.filter(pc.is_valid(pages["error"])).to_pylist()
    return "<h2>Pages that failed</h2>" + _table(("page", "error"), ((row["id"], row["error"]) for row in failed)) if failed else ""


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    head = "".join(f"<th>{escape(column.replace('_', ' '))}" for column in columns)
    body = "".join("<tr>" + "".join(map(_cell, row)) for row in rows)
    return f"<table><thead><tr>{head}</thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"<td class=n>{value:.2f}"
    return f"<td class=n>{value}" if isinstance(value, int) else f"<td>{escape(str(value))}"
