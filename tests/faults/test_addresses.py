"""Addresses that are none, or of a megabyte, cost no page: not its own, and nobody else's time."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

import ruiji

TABLE = "<table><tr><th>氏名<th>内線<tr><td>大庭 律<td>3454</table>"
TEXT = "<p>It rained all day, and nobody went to the harbour.</p>"
BROKEN = (
    "http://[::1", "http://[x]/", "http://[v1.x]/", "//[", "http://a.example:x/", "http://a]b/", "http://\ud800.example/",
    "http://a/\udc80", "\x1b[2J", "",
)  # fmt: skip
LONG = (
    f"http://{'a' * 10**6}.example/", f"http://{'a.' * 10**5}example/", f"http://{'-a' * 10**5}.example/",
    f"http://a.example/{'~a/' * 10**5}", f"http://{'@' * 10**6}", f"http://a.example/{'../' * 10**5}",
)  # fmt: skip
SECONDS = 20.0  # for all of them; they took 86, a name of a host of a megabyte 19


@pytest.mark.parametrize("base", BROKEN)
def test_a_page_with_a_broken_address_is_read(base: str) -> None:
    html = f"<base href='{base}'><title>t</title>{TEXT}<a href='{base}'>a link</a><img src='{base}'>"
    for url in BROKEN:
        document = ruiji.extract(html, url=url, filter="none")
        assert "nobody went" in document.text
        assert "nobody went" in document.markdown


def rows() -> list[dict[str, Any]]:
    return [
        {"url": f"{url}{number}", "html": f"<title>{url[7:500]}</title>{TABLE}{TEXT}<a href='{url}'>x</a>"}
        for number, url in enumerate((*BROKEN, *LONG))
    ]


@pytest.mark.parametrize("function", [ruiji.detect, ruiji.clean, ruiji.records])
def test_every_page_is_in_the_result(function: Any) -> None:
    begin = time.process_time()
    result = function(rows(), filter="none", jobs=0)
    assert time.process_time() - begin < SECONDS
    if function is ruiji.records:
        assert len(set(result.records["url"].to_pylist())) == len(rows())
    else:
        assert result.counts["pages"] == len(rows())
        assert result.counts.get("failed", 0) == 0


def test_files_whose_names_are_no_text_are_pages(tmp_path: Path) -> None:
    for name in (b"\xff.html", b"\xfe.html"):
        Path(f"{tmp_path}/").joinpath(name.decode("utf-8", "surrogateescape")).write_text(TABLE)
    result = ruiji.records(tmp_path, filter="none", jobs=0)
    assert sorted(set(result.records["url"].to_pylist())) == ["\\udcfe.html", "\\udcff.html"]
