"""Style sheets that ask for nothing, and look as before."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.web.foreign.css import harmless_css


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("a { color: red }", "a { color: red }"),
        ("a { background: blue url(x.png) no-repeat }", "a { background: blue none no-repeat }"),
        ('a { background: url( "a)b.png" ) }', "a { background: none }"),
        ("a { background: URL(x\\)y) red }", "a { background: none red }"),
        ("a { background: u\\72l(x) }", "a { background: none }"),
        ("a { background: \\75 \\000072\\6c(x) }", "a { background: none }"),
        ("a { background: image-set('a.png' 1x, url(b) 2x), red }", "a { background: none, red }"),
        ("a { content: 'url(x)' }", 'a { content: "url(x)" }'),
        ("@import 'x.css'; a{}", "  a{}"),
        ("@\\69 mport url(x;y) print; a{}", "  a{}"),
        ("@font-face { font-family: x; src: url(x) } a{}", "  a{}"),
        ("@media print { @import 'x' } a{}", "@media print {  } a{}"),
        ("u/**/rl(x)", "u rl(x)"),
        ("u@import 'x';rl(x)", "u rl(x)"),
        ("@media (width <= 40em) { a{} }", "@media (width <= 40em) { a{} }"),
        ("a::before { content: '</style><script>' }", r'a::before { content: "\3c /style>\3c script>" }'),
        ("a { background: \x80url(x) }", "a { background: none }"),
        ("@import\x80'x'; a{}", "  a{}"),
        ("url(never closed", "none"),
        ("a { background: url(a b) red", "a { background: none red}"),
        ("a { content: 'never closed", 'a { content: "never closed"}'),
        ("a { content: 'broken\n; color: red }", "a { content: ?\n; color: red }"),
        ("f(g('never closed", 'f(g("never closed"))'),
        ("u+abbr { color: red }", "u +abbr { color: red }"),
        ("x{y:u+cross-fade('a')}", "x{y:u +none}"),
        (r"\<sm { color: red }", r"\3c sm { color: red }"),
        ("a<script{}", "a< script{}"),
        ("<!-- a{} -->", "  a{}  "),
        (r"a { background: \d800url(x) }", "a { background: none }"),
        ("/* never closed url(x)", " "),
    ],
)
def test_what_is_fetched_goes_and_what_looks_stays(css: str, expected: str) -> None:
    assert harmless_css(css) == expected


PIECES = st.lists(
    st.sampled_from(["url(", "u\\72l(", "\\75", "rl(", "image-set(", "@import", "@\\69mport",
                     "'", '"', "(", ")", "{", "}", ";", "/*", "*/", "\\",
                     "\n", " ", "x.png", "http://evil.example", "a", "u", "</style", "<!--", "\0"])
    | st.text(max_size=3),
    max_size=12,
)  # fmt: skip


@given(PIECES)
def test_cleaning_is_final_and_leaves_no_address_that_a_parser_would_fetch(pieces: list[str]) -> None:
    cleaned = harmless_css("".join(pieces))
    assert harmless_css(cleaned) == cleaned
    assert "</style" not in cleaned
    outside_strings = re.sub(
        r"\"(?:[^\"\\\n]|\\.)*(?:\"|\n|$)|'(?:[^'\\\n]|\\.)*(?:'|\n|$)", "", cleaned, flags=re.DOTALL
    )
    assert not re.search(r"(?<![\w\\@-])(?:url|image-set)\(", outside_strings, re.IGNORECASE)


BOMBS = {
    "functions in functions": "url('x'",
    "brackets": "({[",
    "escapes": r"\61",
    "escaped names": r"u\72 l",
    "comments": "/**/",
    "strings": "'",
    "rules": "@import ",
    "ranges": "u+a",
    "tags": "<",
    "escaped tags": r"a\<",
    "backslashes": "\\",
    "addresses": "url(",
}


@pytest.mark.parametrize("piece", BOMBS.values(), ids=BOMBS)
def test_time_grows_with_the_size_and_not_faster(piece: str) -> None:
    """Twenty-four escapes took seconds, five hundred functions a RecursionError (issue 27, points 1 and
    10).
    """
    start = time.process_time()
    harmless_css(piece * (200_000 // len(piece)))
    assert time.process_time() - start < 10  # about one second


def test_a_number_that_python_does_not_read_costs_the_style_sheet() -> None:
    assert harmless_css("a{width:" + "9" * 5000 + "px}") == ""
