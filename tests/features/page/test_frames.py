"""Frames left open in noscript do not swallow the page."""

from __future__ import annotations

import pytest

from ruiji.corpora.page import Page
from ruiji.features.page.frames import close_frames
from ruiji.features.page.parsing import text_nodes

MANAGER = '<noscript><iframe src="https://tags.example/ns.html" height="0" width="0" /></noscript>'


@pytest.mark.parametrize(
    ("markup", "closed"),
    [
        (MANAGER, MANAGER.replace("</noscript>", "</iframe></noscript>")),
        (MANAGER * 2, MANAGER.replace("</noscript>", "</iframe></noscript>") * 2),
        ("<noscript><iframe src=a></iframe></noscript>", None),
        (
            "<noscript><iframe></iframe><iframe></noscript><p>",
            "<noscript><iframe></iframe><iframe></iframe></noscript><p>",
        ),
        ("<iframe><noscript></noscript></iframe>", None),
        ("<noscript><iframe>", None),  # a browser ends it with the page, and so does the parser
        ("<p>no frame</p><noscript>text</noscript>", None),
        ("", None),
    ],
)
def test_only_open_frames_are_closed(markup: str, closed: str | None) -> None:
    assert close_frames(markup.encode()).decode() == (markup if closed is None else closed)


def test_the_page_after_such_a_frame_is_there() -> None:
    nodes = text_nodes(
        Page(id="a", url="", html=f"<body>{MANAGER}<main><h1>Heading</h1><p>All of the page.</p></main>")
    )
    assert list(nodes.texts) == ["Heading", "All of the page."]
    assert dict(nodes.dropped) == {}
