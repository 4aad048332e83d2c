"""``ruiji report``: goldens in three languages, nothing that runs or is fetched, and a look at it in a
browser.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Browser

from ruiji.__main__ import main
from ruiji.detector.gather import schemas
from ruiji.detector.verdicts import Verdict, write_verdict
from ruiji.report.pairs import write_report
from tests.browser import needs_chromium
from tests.ruiji.report.files import assert_fits_and_asks_for_nothing, assert_harmless, assert_is_golden
from tests.ruiji.web.payloads import PAYLOADS, RUIN
from tests.ruiji.web.runs import write_run

A, B, C = "http://a.example/1", "http://b.example/2", "http://b.example/3"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    sentence = "港町の朝は早い。まだ暗いうちから漁師たちが船を出す。"
    pages = {
        A: [(sentence, True), ("メニュー", False)],
        B: [(sentence, True), ("別の文がここにあります。", True)],
        C: [("別の文がここにあります。", True)],
    }
    pairs = [
        {
            "url_a": A,
            "url_b": B,
            "category": "citation",
            "shared_chars": 300,
            "overlap": 0.9,
            "containment": 1.0,
            "link": "b_to_a",
            "source": "a",
            "edited_sentences": 1,
        },
        {
            "url_a": B,
            "url_b": C,
            "category": "same_site",
            "shared_chars": 30,
            "overlap": 0.2,
            "containment": 0.3,
            "patchwork": "b",
        },
    ]
    folder = write_run(tmp_path / "out", pages, pairs)
    rows = [(0, A, None, "original"), (0, B, A, "quotation"), (0, C, B, "copy")]
    family = [dict(zip(schemas.LINEAGE.names, row, strict=True)) for row in rows]
    pq.write_table(pa.Table.from_pylist(family, schemas.LINEAGE), folder / "lineage.parquet")
    return folder


@pytest.mark.parametrize("language", ["both", "en", "ja"])
def test_the_report_is_what_it_was(out: Path, language: str) -> None:
    """UPDATE_GOLDENS=1 writes them anew; look at the difference."""
    write_verdict(
        out / "verdicts.jsonl", Verdict("pair", (A, B), "citation", "right", time="2024-01-01T00:00:00Z")
    )
    assert main(["report", str(out), "-o", str(out / "r.html"), "--lang", language, "-q"]) == 0
    assert_is_golden(out / "r.html", f"report-{language}.html")


def test_the_default_is_a_file_in_the_folder(out: Path) -> None:
    assert main(["report", str(out), "-q"]) == 0
    assert (out / "report.html").is_file()


def test_what_is_no_run_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(tmp_path)]) == 2
    assert "not a finished run of ruiji detect" in capsys.readouterr().err


def test_a_run_without_pairs_has_a_report(tmp_path: Path) -> None:
    out = write_run(tmp_path / "out", {A: [("一つの文だけです。", True)]}, [])
    write_report(out, out / "report.html")
    assert "<b>0</b>" in (out / "report.html").read_text(encoding="utf-8")


def test_nothing_in_it_runs_or_is_fetched(tmp_path: Path) -> None:
    urls = [f"javascript:{RUIN}", f"http://x.example/\"onclick='{RUIN}'<script>{RUIN}</script>"]
    out = write_run(tmp_path / "out",
        {url if "/" in url else url + "//a/b": [(text, True) for text in PAYLOADS.values()] for url in urls},
                    [{"url_a": urls[1], "url_b": urls[0] + "//a/b"}])  # fmt: skip
    write_report(out, out / "report.html")
    assert_harmless(out / "report.html")


@needs_chromium
def test_it_fits_a_phone_and_a_wide_screen_and_asks_for_nothing(out: Path, chromium: Browser) -> None:
    write_report(out, out / "report.html")
    for page in assert_fits_and_asks_for_nothing(out / "report.html", chromium):
        assert page.locator("blockquote").all_inner_texts()[-1].startswith("港町の朝は早い。")
        assert page.locator("circle").count() == 2
