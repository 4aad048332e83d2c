"""What hostile pages try, one by one in a real browser: the harmless copy alone, with no policy and with
scripts allowed, runs nothing and asks for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Error, Page, Route

from ruiji.web.foreign.copy import cleaned_copy
from tests.browser import needs_chromium
from tests.ruiji.web.payloads import ATTEMPTS, FAMILIES, payload_page

ADDRESS = "http://page.example/"
Trial = Callable[..., list[str]]


@pytest.fixture
def trial(chromium: Browser) -> Iterator[Trial]:
    """What happens when a markup is opened as a page of its own: each request, dialog and ruin."""
    context = chromium.new_context()
    page: Page = context.new_page()
    events: list[str] = []
    markup = ""

    def answer(route: Route) -> None:
        if route.request.url == ADDRESS:
            route.fulfill(body=markup, content_type="text/html; charset=utf-8")
        elif route.request.url == f"{ADDRESS}favicon.ico":
            route.abort()
        else:
            events.append(f"asked for {route.request.url}")
            route.abort()

    context.route("**/*", answer)
    page.on("dialog", lambda dialog: (events.append(f"said {dialog.message}"), dialog.dismiss()))

    def happens(html: str, patience: int = 1) -> list[str]:
        nonlocal markup
        markup = html
        events.clear()
        try:
            page.goto(ADDRESS, wait_until="load")
            for _ in range(patience):
                page.wait_for_timeout(20)
                if events:
                    break
            if page.evaluate("[location.href, window.__ruined]") != [ADDRESS, None]:
                events.append("ruined")
        except Error as error:  # it went elsewhere meanwhile
            events.append(str(error))
        return list(events)

    yield happens
    context.close()


@needs_chromium
@pytest.mark.parametrize(
    ("family", "neutral"),
    [*((family, False) for family in FAMILIES), *((family, True) for family in ("css", "svg", "reparsed"))],
)
def test_no_attempt_succeeds(trial: Trial, family: str, neutral: bool) -> None:
    for name, attempt in ATTEMPTS.items():
        if name.startswith(f"{family} "):
            copy = cleaned_copy(payload_page(attempt).encode(), neutral=neutral)
            assert trial(copy) == [], (name, attempt)


@needs_chromium
@pytest.mark.parametrize(
    "family", ["script", "handlers", "frames", "head", "resources", "css", "svg", "reparsed"]
)
def test_the_same_attempts_succeed_in_the_page_itself(trial: Trial, family: str) -> None:
    """Else the test above would show nothing. Two, since a browser may ask for some things only once."""
    hits = [attempt for name, attempt in ATTEMPTS.items() if name.startswith(f"{family} ")]
    assert sum(bool(trial(payload_page(attempt), patience=25)) for attempt in hits[:8]) >= 2
