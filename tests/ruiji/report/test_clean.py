"""The report of ``ruiji clean``: what pages say is text in it."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Browser

from ruiji.__main__ import main
from ruiji.report.clean import write_clean_report
from tests.browser import needs_chromium
from tests.ruiji.report.files import assert_fits_and_asks_for_nothing, assert_harmless
from tests.ruiji.web.payloads import PAYLOADS, RUIN


@needs_chromium
def test_no_payload_runs_in_it(tmp_path: Path, chromium: Browser) -> None:
    evil = f"javascript:{RUIN}//\"'><img src=x onerror='{RUIN}'>"
    rows = [
        {
            "url": f"{start}{name}-{copy}",
            "title": text,
            "text": f"{text}\n{evil}\nNumber {name} was here.\n" * 3,
        }
        for name, text in PAYLOADS.items()
        for copy in range(2)
        for start in (evil, f"http://{copy}.example/{evil}")
    ]
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert (
        main(["clean", str(tmp_path / "pages.jsonl"), "-o", str(tmp_path / "out"), "--jobs", "1", "-q"]) == 0
    )
    write_clean_report(tmp_path / "out", tmp_path / "report.html")
    assert_harmless(tmp_path / "report.html")
    for page in assert_fits_and_asks_for_nothing(tmp_path / "report.html", chromium):
        assert "onerror" in page.inner_text("body")
