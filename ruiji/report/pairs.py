"""The report of ``ruiji detect``: a finished run as one page to read, to print, to mail.

What the page shows is gathered here; ``templates/pairs.html`` shows it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ruiji.detector.pairs.relations import CATEGORIES
from ruiji.detector.pairs.run import Run
from ruiji.detector.parquet import table_of
from ruiji.detector.run_sentences import RunSentences
from ruiji.detector.run_tables import MOST_FIRST
from ruiji.detector.verdicts import FILE, read_verdicts, tallied
from ruiji.report.drawings import Bar, bars, dots, histogram
from ruiji.report.families import family_trees
from ruiji.report.rendering import write_page
from ruiji.words import BOTH, in_language

PAIRS_WITH_EVIDENCE = 5  # of each category, those that say most
QUOTED = 3  # shared sentences of a pair, the longest first
LONGEST_QUOTE = 240  # characters
SITES_SHOWN = 10
ROWS_SHOWN = 60  # of a table of groups or failures


def write_report(out: Path, destination: Path, language: str = BOTH) -> None:
    """Writes the report of the run in ``out``. Raises InputError where there is no finished run."""
    write_page(destination, "pairs.html", language, report_fields(Run(out), language))


NEEDED = ("url_a", "url_b", "category", "relation", "overlap", "containment", "shared_chars")  # of every pair


def report_fields(run: Run, language: str) -> dict[str, Any]:
    """What the template shows of a run."""
    pairs = table_of(run.file("pairs"))
    for name in NEEDED:
        if pairs[name].null_count:
            raise ValueError(f"a pair has no {name}")
    pages = table_of(run.file("pages"), ["id", "url", "site", "title", "error"])
    in_pairs = pa.chunked_array([*pairs["url_a"].chunks, *pairs["url_b"].chunks], pa.string())
    rows = pages.filter(pc.is_in(pages["url"], in_pairs)).to_pylist()
    failed = pages.filter(pc.is_valid(pages["error"]))
    groups = table_of(run.file("groups"))
    counts = run.description["counts"]
    categories = pairs["category"].to_pylist()
    strongest = _strongest(pairs)
    return {
        "counts": counts,
        "category_names": CATEGORIES,
        "categories": bars(
            [(in_language(name, language), counts["categories"].get(name, 0), name) for name in CATEGORIES]
        ),
        "dots": dots(pairs["containment"].to_numpy(), pairs["overlap"].to_numpy(), categories),
        "present": [name for name in CATEGORIES if name in set(categories)],
        "lengths": histogram(pairs["shared_chars"].to_numpy().astype(np.float64)),
        "sites": _sites(pairs, {row["url"]: row["site"] or "" for row in rows}),
        "titles": {row["url"]: row["title"] for row in rows},
        "strongest": strongest,
        "quotes": _quotes(run, [pair for _, chosen in strongest for pair in chosen]),
        "verdicts": _verdicts(run.folder / FILE, language),
        "families": family_trees(table_of(run.file("lineage")), {row["url"]: row["title"] for row in rows}),
        "groups": groups.slice(0, ROWS_SHOWN).to_pylist(),
        "more_groups": len(groups) - ROWS_SHOWN,
        "failures": [(row["id"], row["error"]) for row in failed.slice(0, ROWS_SHOWN).to_pylist()],
        "more_failures": len(failed) - ROWS_SHOWN,
        "settings": [
            (name, setting_text(value))
            for name, value in (*run.description["settings"].items(), *run.description["versions"].items())
        ],
    }


def _strongest(pairs: pa.Table) -> list[tuple[str, list[dict[str, Any]]]]:
    """Of each category that occurs, the pairs that say most."""
    strongest = []
    for name in CATEGORIES:
        own = pairs.filter(pc.equal(pairs["category"], name)).sort_by(MOST_FIRST)
        if len(own):
            strongest.append((name, own.slice(0, PAIRS_WITH_EVIDENCE).to_pylist()))
    return strongest


def _quotes(run: Run, pairs: Sequence[dict[str, Any]]) -> dict[tuple[str, str], list[str]]:
    """The longest of the sentences that both pages of each pair have, as the first has them; all are read at
    once.
    """
    evidence = RunSentences(run)
    sentences = evidence.sentences_of({row[side] for row in pairs for side in ("url_a", "url_b")})
    keys = {url: evidence.long_keys(own) for url, own in sentences.items()}
    ends = [(row["url_a"], row["url_b"]) for row in pairs]
    common = evidence.common(set().union(*(keys[one] & keys[other] for one, other in ends)))
    quotes = {}
    for one, other in ends:
        both = keys[one] & keys[other]
        both |= set(evidence.near(one, other, sentences).values())
        texts = {
            sentence["key"]: sentence["text"]
            for sentence in reversed(sentences[one])
            if sentence["key"] in (both - common or both)
        }
        longest = sorted(texts.values(), key=lambda text: (-len(text), text))[:QUOTED]
        quotes[one, other] = [shortened(text) for text in longest]
    return quotes


def shortened(text: str) -> str:
    """The start of a text that is too long to be quoted."""
    return text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "…"


def _sites(pairs: pa.Table, site_of: dict[str, str]) -> list[tuple[str, list[Bar]]]:
    """The sites with the most pairs: between two sites, and within one."""
    between: Counter[tuple[str, str]] = Counter()
    for one, other in zip(pairs["url_a"].to_pylist(), pairs["url_b"].to_pylist(), strict=True):
        first, second = sorted((site_of.get(one, ""), site_of.get(other, "")))
        if first:
            between[first, second] += 1
    most_first = sorted(between.items(), key=lambda item: (-item[1], item[0]))
    two = [(f"{one} ↔ {other}", size, "shared") for (one, other), size in most_first if one != other]
    within = [(one, size, "same_site") for (one, other), size in most_first if one == other]
    lists = (("sites_between", two), ("sites_within", within))
    return [(key, bars(values[:SITES_SHOWN])) for key, values in lists if values]


def _verdicts(path: Path, language: str) -> list[tuple[object, ...]]:
    """What people said of each category: how many, right, wrong, of another category, the share that is
    right.
    """
    rows: list[tuple[object, ...]] = []
    for name, tally in tallied(read_verdicts(path).values()).items():
        low, high = tally.interval()
        share = f"{tally.share_right:.2f} ({low:.2f}–{high:.2f})"
        category = in_language(name, language)
        rows.append((category, tally.judged, tally.right, tally.wrong, tally.others.total(), share))
    return rows


def setting_text(value: object) -> str:
    """A setting or a version as a person reads it."""
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "–"
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:g}"
    return str(value) if value != "" else "–"
