"""The markup of a line of JSON, read in C, is what Python's reader gives."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ruiji.corpora.c_modules import compiled
from ruiji.corpora.encoding.decoding import decode
from ruiji.corpora.rows import JsonLine

pytestmark = pytest.mark.skipif(
    compiled("ruiji.corpora._json_line") is None, reason="the reader in C was not built"
)

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
rows = st.dictionaries(st.sampled_from(["id", "html\\", "x", '"', "title", "ht"]), values, max_size=4)


def check(line: bytes) -> None:
    """Both ways give the same page, and the same UTF-8 of it."""
    by_c, reference = JsonLine(line, "x:1").page(as_utf8=True), JsonLine(line, "x:1").page()
    for name in ("id", "url", "content_type", "last_modified", "extra", "error"):
        assert getattr(by_c, name) == getattr(reference, name), name
    assert not reference.is_text
    if not reference.error:
        assert decode(by_c) == decode(reference)


@given(rows, st.text(max_size=40), st.booleans(), st.sampled_from([None, 2]), st.data())
@example({}, 'a"b\\c\u0000\x1f\u2028\ud83d\ude00<p class="x">\n\t</p>あ😀', True, None, None)
def test_lines_of_json(
    row: dict[str, Any], html: str, is_ascii: bool, indent: int | None, data: st.DataObject | None
) -> None:
    items = [*row.items(), ("html", html), ("url", "http://a.example/")]
    if data is not None:
        items = data.draw(st.permutations(items))
    text = json.dumps(dict(items), ensure_ascii=is_ascii, indent=indent)
    check(text.encode("utf-8", "surrogatepass"))


@given(st.binary(max_size=30) | st.text(alphabet='"\\u00e9d83{}[]:,html ', max_size=30).map(str.encode))
def test_lines_of_anything(inside: bytes) -> None:
    check(b'{"url": "u", "html": "' + inside + b'"}')
    check(b'{"url": "u", "html": ' + inside)
    check(inside)


@pytest.mark.parametrize(
    "line",
    [
        '{"url": "u", "html": "a", "html": "b"}',
        '{"url": "u", "\\u0068tml": "a"}',
        '{"url": "u", "x": {"html": "a"}, "html": "b\\\\"}',
        '{"url": "u", "html": null, "text": "plain"}',
        '{"url": "u", "html": "\\ud800"}',
        '{"url": "u", "html": "\\ud83d\\ude00\\/"} trailing',
        '{"url": "u", "html": "a" "b"}',
        '{"url": "u", "html": "a\\u00zz"}',
        '{"url": "u", "html": ""}',
        '["html", "a"]',
        '{"html": "no url"}',
    ],
)
def test_unusual_lines(line: str) -> None:
    check(line.encode())


def test_markup_comes_as_utf8_where_that_is_taken() -> None:
    page = JsonLine(b'{"url": "u", "html": "<p>\\u3042"}', "x:1").page(as_utf8=True)
    assert (page.html, page.is_text) == ("<p>あ".encode(), True)
