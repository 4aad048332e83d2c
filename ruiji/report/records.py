"""The report of ``ruiji records``: contradictions side by side, differing fields marked. All that comes from
pages is escaped.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ruiji.corpora.files import replacing
from ruiji.detector.records.folder import NEW, Written

PAIRS_SHOWN = 300  # pairs of records, the worst first; conflicts.jsonl has all
MEANINGS = {
    "conflict": "the pages contradict each other",
    "age": "explained by age: the older page may have been right in its time",
    "missing": "one page leaves out what the other says",
    "variant": "the same, written differently",
}
STYLE = """
.ruiji-records { font: 15px/1.6 system-ui, "Hiragino Sans", "Noto Sans JP", sans-serif; color: #1d2430; }
.ruiji-records table { border-collapse: collapse; width: 100%; table-layout: fixed; margin: .2rem 0 1.6rem; background: #fff; }
.ruiji-records th, .ruiji-records td { text-align: left; vertical-align: top; padding: .3rem .6rem;
  border: 1px solid #d9dee6; overflow-wrap: anywhere; font-weight: normal; }
.ruiji-records thead th { background: #eef1f5; font-size: .85rem; }
.ruiji-records th:first-child { width: 9rem; color: #56606e; }
.ruiji-records td.kind { width: 6rem; }
.ruiji-records col.k { width: 6.5rem; } .ruiji-records col.f { width: 9rem; }
.ruiji-records h3 { margin: 1.4rem 0 .2rem; font-size: 1.05rem; }
.ruiji-records tr.conflict td.v { background: #fde3e1; } .ruiji-records tr.age td.v { background: #fdf1d3; }
.ruiji-records tr.missing td.v { background: #e6e9fb; } .ruiji-records tr.variant td.v { background: #e4f3e6; }
.ruiji-records mark { background: #f6a9a2; color: inherit; padding: 0 .1em; border-radius: 2px; }
.ruiji-records tr.age mark { background: #f2cf78; } .ruiji-records tr.variant mark { background: #a9d8b0; }
.ruiji-records small { color: #56606e; } .ruiji-records .same td { color: #56606e; }
.ruiji-records .new { background: #1a4fa3; color: #fff; border-radius: 3px; padding: 0 .4em; font-size: .8rem; }
"""


def write_records_report(out: Path, destination: Path) -> None:
    """Writes the report of a run as one self-contained page."""
    page = (
        "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'><title>ruiji records</title>"
        "<style>body { max-width: 76rem; margin: 2rem auto; padding: 0 1rem; background: #f7f8fa; }</style>"
        f"<h1 style='font: 600 1.5rem system-ui, sans-serif'>Records that correspond</h1>{records_section(out)}</html>\n"
    )
    with replacing(destination) as stream:
        stream.write(page.encode("utf-8", "replace"))


def records_section(out: Path) -> str:
    """The contradictions of a run as a piece of HTML with its own styles, for a report or a viewer to
    include.
    """
    written = Written(out)
    rows = list(written.conflicts())
    records = {row["id"]: row for row in written.records()}
    counts = written.description().get("counts", {})
    new = _new_ids(out)
    pairs: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        pairs[row["record_a"], row["record_b"]].append(row)
    parts = [f"<section class=ruiji-records><style>{STYLE}</style>", _summary(rows, counts, new)]
    for (one, other), found in list(pairs.items())[:PAIRS_SHOWN]:
        if one in records and other in records:
            parts.append(_pair(records[one], records[other], found, new))
    if len(pairs) > PAIRS_SHOWN:
        parts.append(f"<p>The first {PAIRS_SHOWN} of {len(pairs)} pairs; conflicts.jsonl has all.</p>")
    if not rows:
        parts.append("<p>No two corresponding records contradict each other.</p>")
    return "\n".join((*parts, "</section>"))


def _new_ids(out: Path) -> set[str] | None:
    path = out / NEW
    if not path.is_file():
        return None
    return {json.loads(line)["id"] for line in path.read_text(encoding="utf-8").splitlines()}


def _summary(rows: Sequence[Mapping[str, Any]], counts: Mapping[str, Any], new: set[str] | None) -> str:
    lines = "".join(
        f"<tr class={kind}><td class=v>{kind}</td><td>{sum(row['kind'] == kind for row in rows)}</td>"
        + (
            f"<td>{sum(row['kind'] == kind and row['id'] in new for row in rows)}</td>"
            if new is not None
            else ""
        )
        + f"<td>{meaning}</td></tr>"
        for kind, meaning in MEANINGS.items()
    )
    head = (
        "<tr><th>kind</th><th>number</th>"
        + ("<th>new</th>" if new is not None else "")
        + "<th>meaning</th></tr>"
    )
    told = (
        f"<p>{counts['records']} records on {counts['pages']} pages, {counts['correspondences']} correspondences.</p>"
        if counts
        else ""
    )
    return f"{told}<table style='max-width:44rem'><thead>{head}</thead><tbody>{lines}</tbody></table>"


def _pair(
    one: Mapping[str, Any], other: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], new: set[str] | None
) -> str:
    """Two records side by side: what differs first, then what both say."""
    lines = []
    for row in rows:
        badge = " <span class=new>new</span>" if new is not None and row["id"] in new else ""
        values = (
            _marked(row["value_a"], row["value_b"])
            if row["kind"] != "missing"
            else (_said(row["value_a"]), _said(row["value_b"]))
        )
        lines.append(
            f"<tr class={escape(row['kind'])}><td>{escape(row['kind'])}{badge}<br><small>{row['confidence']:.2f}"
            f"{' · slip of the hand?' if row.get('slip') else ''}</small></td>"
            f"<td>{escape(row['field'])}</td><td class=v>{values[0]}</td><td class=v>{values[1]}</td></tr>"
        )
    told = {value for row in rows for value in (row["value_a"], row["value_b"])}
    for field in one["fields"]:
        partner = next((theirs for theirs in other["fields"] if theirs["concept"] == field["concept"]), None)
        if field["concept"] and partner and field["value"] not in told and partner["value"] not in told:
            lines.append(
                f"<tr class=same><td>both</td><td>{escape(field['label'] or partner['label'] or field['concept'])}</td>"
                f"<td>{escape(field['value'])}</td><td>{escape(partner['value'])}</td></tr>"
            )
    heads = "".join(
        f"<th>{escape(side['url'])}<br><small>{escape(side['time'][:10] or 'time unknown')} · {escape(side['path'])}</small></th>"
        for side in (one, other)
    )
    return (
        f"<h3>{escape(one['label'] or other['label'])}</h3><table><colgroup><col class=k><col class=f><col><col></colgroup>"
        f"<thead><tr><th>kind</th><th>field</th>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    )


def _said(value: str) -> str:
    return escape(value) if value else "<small>nothing</small>"


def _marked(one: str, other: str) -> tuple[str, str]:
    """Both values with the part between their common start and their common end marked."""
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(one), len(other)) - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return tuple(
        f"{escape(text[:start])}<mark>{escape(text[start : len(text) - end])}</mark>{escape(text[len(text) - end :])}"
        for text in (one, other)
    )  # type: ignore[return-value]
