"""What holds of every report as a file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from playwright.sync_api import Browser, Page

GOLDENS = Path(__file__).parent / "goldens"
_ACTIVE = {"script", "img", "iframe", "link", "object", "embed", "form", "base", "video", "audio", "template"}
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


def assert_is_golden(report: Path, name: str) -> None:
    """UPDATE_GOLDENS=1 writes them anew; look at the difference."""
    written = _STYLE.sub("<style></style>", report.read_text(encoding="utf-8"))
    golden = GOLDENS / name
    if os.environ.get("UPDATE_GOLDENS"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(written, encoding="utf-8")
    assert written == golden.read_text(encoding="utf-8")


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def assert_harmless(report: Path) -> None:
    """No element that runs or is fetched, no handler, no address but of the web, and a policy against the
    rest.
    """
    elements = _Elements()
    elements.feed(report.read_text(encoding="utf-8"))
    assert {tag for tag, _ in elements.seen}.isdisjoint(_ACTIVE)
    for tag, attributes in elements.seen:
        assert not [name for name in attributes if name.startswith("on") or "src" in name], tag
        assert not attributes.keys() & {"background", "poster", "action", "xlink:href"}
        assert (attributes.get("href") or "http").startswith("http")
    policies = [
        attributes["content"] or ""
        for tag, attributes in elements.seen
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert len(policies) == 1
    assert policies[0].startswith("default-src 'none';")
    assert "script" not in policies[0]


def assert_fits_and_asks_for_nothing(report: Path, chromium: Browser) -> Iterator[Page]:
    """The report on a phone and on a wide screen: no sideways scrolling, no request but for itself, nothing
    run.
    """
    for width, scheme in ((390, "dark"), (1200, "light")):
        page = chromium.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))  # type: ignore[misc]
        page.on("dialog", lambda dialog, asked=asked: (asked.append(dialog.message), dialog.dismiss()))  # type: ignore[misc]
        page.goto(report.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        yield page
        assert page.evaluate("window.__ruined") is None
        assert asked == [report.as_uri()]
        page.close()
