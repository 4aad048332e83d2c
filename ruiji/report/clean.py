"""The report of ``ruiji clean``: what was removed, why and where, as one page to read, to print, to mail.

What the page shows is gathered here; ``templates/clean.html`` shows it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from ruiji.detector.clean.decide import REASONS
from ruiji.detector.cleaning import CleanRun, read_run
from ruiji.report.drawings import bars, columns, histogram
from ruiji.report.pairs import ROWS_SHOWN, SITES_SHOWN, setting_text, shortened
from ruiji.report.rendering import write_page
from ruiji.words import BOTH, in_language

CLUSTERS_SHOWN = 10
EXAMPLES = 3  # of each reason, the longest
TENTHS = [(10 * tenth, 10 * tenth + 9) for tenth in range(10)] + [(100, 100)]  # per cent of a page

LARGEST_CLUSTERS = """
SELECT cluster, max(duplicates) AS pages, count(*) AS kept,
       coalesce(first(title ORDER BY url) FILTER (url = cluster), '') AS title,
       coalesce(first(left(text, 400) ORDER BY url) FILTER (url = cluster), '') AS text
FROM read_parquet(?) WHERE duplicates > 1
GROUP BY cluster ORDER BY pages DESC, cluster LIMIT ?"""

LONGEST_STRETCHES = """
SELECT url, kept_url, chars, left(text, 400) AS text FROM read_parquet(?)
WHERE reason = ? ORDER BY chars DESC, url, start LIMIT ?"""


def write_clean_report(out: Path, destination: Path, language: str = BOTH) -> None:
    """Writes the report of the corpus in ``out``. Raises InputError where there is no finished run."""
    write_page(destination, "clean.html", language, report_fields(read_run(out), language))


def report_fields(run: CleanRun, language: str) -> dict[str, Any]:
    """What the template shows of a run."""
    counts = run.description["counts"]
    removed = counts["removed_chars"]
    present = [name for name in REASONS if removed.get(name)]
    lengths = pq.read_table(run.file("removed"), columns=["chars"])["chars"].to_numpy()
    left_out = pq.read_table(run.file("left_out"))
    return {
        "counts": counts,
        "gone": sum(removed.values()),
        "marked": run.description["settings"]["level"] == "mark",
        "reasons": bars([(in_language(f"reason_{name}", language), removed[name], name) for name in present]),
        "present": present,
        "shares": columns(counts["pages_by_tenth_removed"], TENTHS),
        "lengths": histogram(lengths.astype(np.float64)),
        "sites": bars(
            [(site, size, "shared") for site, size in counts["removed_by_site"].items()][:SITES_SHOWN]
        ),
        "clusters": _with_short_text(_rows(LARGEST_CLUSTERS, str(run.file("corpus")), CLUSTERS_SHOWN)),
        "examples": [
            (name, _with_short_text(_rows(LONGEST_STRETCHES, str(run.file("removed")), name, EXAMPLES)))
            for name in present
        ],
        "left_out": [
            (row["url"], row["reason"], row["kept_url"] or row["error"] or "")
            for row in left_out.slice(0, ROWS_SHOWN).to_pylist()
        ],
        "more_left_out": len(left_out) - ROWS_SHOWN,
        "settings": [
            (name, setting_text(value))
            for name, value in (*run.description["settings"].items(), *run.description["versions"].items())
        ],
    }  # fmt: skip


def _rows(statement: str, *values: object) -> list[dict[str, Any]]:
    import duckdb

    with duckdb.connect() as connection:
        table = connection.sql(statement, params=list(values)).to_arrow_table()
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


def _with_short_text(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**row, "text": shortened(row["text"].strip())} for row in rows]
