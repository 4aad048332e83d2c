"""Names of files that are no text, or no line, cost neither the list of pages nor what was decided."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import httpx
import numpy as np
import pytest

from ruiji.web.annotate.notes import read_notes
from ruiji.web.annotate.views import annotating_application
from tests.browser import served
from tests.ruiji.web.workbooks import make_workbook

NAMES = (b"\xff\xfe.html", b"a\nb.html", b"a\tb.html")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")


def test_pages_with_odd_names_are_listed_shown_and_saved(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in NAMES:
        (tmp_path / "in" / os.fsdecode(name)).write_bytes(b"<p>one</p><p>two</p>")
    workbook = make_workbook(tmp_path / "in", tmp_path / "out" / "hanako")
    with served(lambda port: annotating_application(workbook, port)) as url:
        assert httpx.get(url).status_code == 200
        assert len(httpx.get(f"{url}/api/pages").json()["rows"]) == len(NAMES)
        for number in range(len(NAMES)):
            assert httpx.get(f"{url}/api/pages/{number}").json()["labels"] == "00"
            workbook.put(number, np.zeros(2, dtype=np.int8), True)
    assert len(read_notes(tmp_path / "out" / "hanako").done) == len(NAMES)
    listed = tmp_path / "out" / "hanako" / "urls.tsv"
    assert not listed.exists() or all(line.count(b"\t") == 2 for line in listed.read_bytes().splitlines())
