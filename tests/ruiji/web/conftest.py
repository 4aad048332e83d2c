"""A tab that lets nothing pass unseen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Dialog, Page


@dataclass
class Watched:
    """A tab, every address that it asked for, and everything that went wrong in it."""

    page: Page
    requests: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def foreign(self, own: str) -> list[str]:
        return [url for url in self.requests if not url.startswith((own + "/", "data:", "about:"))]


def answer(dialog: Dialog, seen: Watched) -> None:
    if dialog.type == "beforeunload":  # our own, where something is not saved yet
        dialog.accept()
    else:
        seen.troubles.append(f"dialog: {dialog.message}")
        dialog.dismiss()


@pytest.fixture
def watched(chromium: Browser) -> Iterator[Callable[..., Watched]]:
    contexts = []

    def tab(**settings: object) -> Watched:
        context = chromium.new_context(
            **{"locale": "en-GB", "viewport": {"width": 1280, "height": 800}} | settings
        )  # type: ignore[arg-type]
        context.set_default_timeout(10_000)
        contexts.append(context)
        seen = Watched(context.new_page())
        context.on("request", lambda request: seen.requests.append(request.url))
        context.on("dialog", lambda dialog: answer(dialog, seen))
        seen.page.on("pageerror", lambda error: seen.troubles.append(f"error: {error}"))
        return seen

    yield tab
    for context in contexts:
        context.close()
