"""The report of ``ruiji records``: goldens in three languages, what differs is marked, and nothing of a page
runs.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser

from ruiji.corpora import InputError
from ruiji.detector.records.folder import (
    CONFLICTS,
    CORRESPONDENCES,
    DESCRIPTION,
    NEW,
    PAIR_SCHEMA,
    RECORD_SCHEMA,
    RECORDS,
)
from ruiji.report.records import marked_values, write_records_report
from ruiji.words import REPORT_LANGUAGES
from tests.browser import needs_chromium
from tests.ruiji.report.files import assert_fits_and_asks_for_nothing, assert_harmless, assert_is_golden
from tests.ruiji.web.payloads import PAYLOADS, RUIN

A, B = "http://a.example/staff.html", "http://b.example/list.html"


def record(record_id: str, url: str, label: str, fields: dict[str, str], time: str = "") -> dict[str, Any]:
    written = [
        {"label": name, "concept": name, "kind": name, "value": value} for name, value in fields.items()
    ]
    return {
        "id": record_id, "url": url, "path": "/html/body/table[1]/tr[2]", "kind": "person", "layout": "row",
        "label": label, "fields": json.dumps(written, ensure_ascii=False), "empty": "[]", "group": "",
        "time": time, "time_source": "", "set": 0,
    }  # fmt: skip


def conflict(conflict_id: str, kind: str, field: str, values: tuple[str, str], **more: Any) -> dict[str, Any]:
    return {
        "id": conflict_id, "kind": kind, "field": field, "value_a": values[0], "value_b": values[1],
        "url_a": A,
        "url_b": B, "record_a": "1", "record_b": "2", "confidence": 0.9, **more,
    }  # fmt: skip


def write_folder(out: Path, records: Sequence[dict[str, Any]], conflicts: Sequence[dict[str, Any]]) -> Path:
    """A folder of ``ruiji records``, written by hand."""
    out.mkdir()
    pq.write_table(pa.Table.from_pylist(list(records), RECORD_SCHEMA), out / RECORDS)
    reasons = [{"reason": "name", "bits": 9.9}, {"reason": "mail", "bits": -1.0}]
    pair = {"url_a": A, "url_b": B, "id_a": "1", "id_b": "2", "reasons": json.dumps(reasons)}
    pq.write_table(pa.Table.from_pylist([pair], PAIR_SCHEMA), out / CORRESPONDENCES)
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in conflicts]
    (out / CONFLICTS).write_text("".join(lines), encoding="utf-8")
    counts = {"pages": 2, "records": len(records), "correspondences": 1}
    (out / DESCRIPTION).write_text(json.dumps({"counts": counts}), encoding="utf-8")
    return out


@pytest.fixture
def out(tmp_path: Path) -> Path:
    records = [
        record(
            "1",
            A,
            "高橋 美沙",
            {"post": "教授", "ext": "3454", "mail": "t@a.example"},
            "2024-05-01T00:00:00Z",
        ),
        record("2", B, "髙橋 美沙", {"post": "准教授", "ext": "3445", "mail": "t@a.example"}),
    ]
    conflicts = [
        conflict("x", "conflict", "内線", ("3454", "3445"), slip=True),
        conflict("y", "age", "職名", ("教授", "准教授")),
        conflict("z", "missing", "学位", ("博士", "")),
        conflict("w", "variant", "氏名", ("高橋", "髙橋"), confidence=0.5),
    ]
    folder = write_folder(tmp_path / "out", records, conflicts)
    (folder / NEW).write_text('{"id": "y"}\n', encoding="utf-8")
    return folder


@pytest.mark.parametrize("language", REPORT_LANGUAGES)
def test_the_report_is_what_it_was(out: Path, language: str) -> None:
    write_records_report(out, out / "report.html", language)
    assert_is_golden(out / "report.html", f"records-{language}.html")


def test_what_is_no_comparison_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no results of ruiji records"):
        write_records_report(tmp_path, tmp_path / "report.html")


def test_a_run_without_contradictions_has_a_report(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "out", [], [])
    write_records_report(folder, folder / "report.html", "en")
    assert "No two corresponding records contradict" in (folder / "report.html").read_text(encoding="utf-8")


@needs_chromium
def test_no_payload_runs_in_it(tmp_path: Path, chromium: Browser) -> None:
    evil = f"javascript:{RUIN}//\"'><img src=x onerror='{RUIN}'>"
    texts = dict(enumerate(PAYLOADS.values()))
    records = [
        record(name, evil, evil, {f"{place}{evil}": text for place, text in texts.items()}, evil)
        for name in "12"
    ]
    conflicts = [conflict(text, evil, text, (text, evil + text)) for text in texts.values()]
    folder = write_folder(tmp_path / "out", records, conflicts)
    write_records_report(folder, folder / "report.html")
    assert_harmless(folder / "report.html")
    for page in assert_fits_and_asks_for_nothing(folder / "report.html", chromium):
        assert page.locator("table.records tbody tr").count() >= len(texts)


@needs_chromium
def test_it_fits_a_phone_and_a_wide_screen(out: Path, chromium: Browser) -> None:
    write_records_report(out, out / "report.html")
    assert_harmless(out / "report.html")
    for page in assert_fits_and_asks_for_nothing(out / "report.html", chromium):
        assert page.locator("tr.conflict mark").all_inner_texts() == ["54", "45"]
        assert page.locator("tr.same td").all_inner_texts()[1:] == ["メール", "t@a.example", "t@a.example"]


@given(st.text("ab", max_size=6), st.text("ab", max_size=6))
def test_marked_values_are_the_values_and_what_is_marked_differs_at_both_ends(one: str, other: str) -> None:
    first, second = marked_values(one, other)
    assert (first.start + first.differing + first.end, second.start + second.differing + second.end) == (
        one,
        other,
    )
    assert (first.start, first.end) == (second.start, second.end)
    if first.differing and second.differing:
        assert first.differing[0] != second.differing[0]
        assert first.differing[-1] != second.differing[-1]
