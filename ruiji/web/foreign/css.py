"""Style sheets of foreign pages that ask for nothing: what would be fetched is taken out, what only looks
stays.

harmless_css("a { color: red; background: blue url(x.png) }")    # a { color: red; background: blue none }

The text is read as CSS Syntax Level 3 reads it, so that escapes (``u\\72l(``) and comments hide nothing.
"""

from __future__ import annotations

import re

# Functions that name something to fetch (CSS Images 4, CSS Values 5) or, in browsers of old, to run; all give
# way to ``none``.
FETCHING = frozenset(
    "url url-prefix src image image-set -webkit-image-set cross-fade -webkit-cross-fade element -moz-element paint expression".split()
)
# Rules that load or rename things; they go with their block.
LOADING_RULES = frozenset("import charset namespace font-face document -moz-document".split())

_ESCAPE = r"\\(?:[0-9a-fA-F]{1,6}(?:\r\n|[ \t\r\n\f])?|[^\r\n\f0-9a-fA-F])"
_NAME = rf"(?:[-\w\u0080-\U0010ffff]|{_ESCAPE})+"
_STRING = r"\"(?:[^\"\\\r\n\f]|\\(?:\r\n|[\s\S]))*(?:\"|(?=[\r\n\f])|\\?\Z)|'(?:[^'\\\r\n\f]|\\(?:\r\n|[\s\S]))*(?:'|(?=[\r\n\f])|\\?\Z)"
_TOKEN = re.compile(
    rf"(?P<comment>/\*[\s\S]*?(?:\*/|\Z))|(?P<string>{_STRING})|(?P<rule>@{_NAME})|(?P<function>{_NAME}\()|(?P<name>{_NAME})"
    r"|(?P<other>[\s:,.#>+~*=!%]+|\\?[\s\S])",
)
_ESCAPED = re.compile(r"\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\r\n\f])?|([^\r\n\f]))")
_RAW_URL = re.compile(r"(?:[^)\\]|\\[\s\S])*(?:\)|\\?\Z)")
_ASCII_START, _ASCII_END = re.compile(r"[\0-\x7f]*"), re.compile(r"[\0-\x7f]*\Z")
_TAG_LIKE = re.compile(r"<(?![\s=\d])")  # < of a media query stays
_OPENING, _CLOSING = "([{", ")]}"


def harmless_css(css: str) -> str:
    """The style sheet, or the value of a style attribute, without anything that a browser would fetch; safe
    inside ``<style>``.
    """
    css = css.replace("\0", "\ufffd")
    kept: list[str] = []
    position, size = 0, len(css)
    while position < size:
        match = _TOKEN.match(css, position)
        assert match is not None  # the last alternative takes any character
        position, kind, text = match.end(), match.lastgroup, match.group()
        if kind == "function" and (name := _fetching(text[:-1])):
            position = _after_function(css, position, name)
            kept.append("none")
        elif kind == "rule" and _unescaped(_ASCII_START.match(text[1:]).group()) in LOADING_RULES:  # type: ignore[union-attr]
            position = _after_rule(css, position)
            kept.append(" ")  # or what stands on its sides would become one word
        else:
            kept.append(" " if kind == "comment" else text)
    return _TAG_LIKE.sub(r"\\3c ", "".join(kept))


def _fetching(name: str) -> str:
    """The name of the function if it is one that fetches, else nothing.

    Which characters beyond ASCII belong to a name has changed between drafts of the standard, so both
    readings count.
    """
    for reading in (_unescaped(name), _unescaped(_ASCII_END.search(name).group())):  # type: ignore[union-attr]
        if reading in FETCHING:
            return reading
    return ""


def _unescaped(name: str) -> str:
    """The name that a browser reads, in lower case."""
    return _ESCAPED.sub(_character, name).lower()


def _character(match: re.Match[str]) -> str:
    if match.group(2) is not None:
        return match.group(2)
    number = int(match.group(1), 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"


def _after_function(css: str, position: int, name: str) -> int:
    """Where a function ends whose parenthesis has opened."""
    if name.startswith("url"):
        start = css[position:].lstrip()[:1]
        if start not in ("'", '"'):
            match = _RAW_URL.match(css, position)
            assert match is not None
            return match.end()
    return _after_block(css, position, ")")


def _after_rule(css: str, position: int) -> int:
    """Where an at-rule ends: after its semicolon or its block."""
    while position < len(css):
        match = _TOKEN.match(css, position)
        assert match is not None
        text = match.group()
        if text == "}":  # of the block around it
            return position
        position = match.end()
        if text == ";":
            return position
        if text == "{":
            return _after_block(css, position, "}")
        if match.lastgroup == "function":
            position = _after_function(css, position, _unescaped(text[:-1]))
    return position


def _after_block(css: str, position: int, closing: str) -> int:
    """Where a block ends that has opened, brackets inside it closed in their order."""
    open_brackets = [closing]
    while position < len(css) and open_brackets:
        match = _TOKEN.match(css, position)
        assert match is not None
        text, position = match.group(), match.end()
        if match.lastgroup == "function":
            if _unescaped(text[:-1]).startswith("url"):
                position = _after_function(css, position, _unescaped(text[:-1]))
            else:
                open_brackets.append(")")
        elif text in _OPENING:
            open_brackets.append(_CLOSING[_OPENING.index(text)])
        elif text == open_brackets[-1]:
            open_brackets.pop()
    return position
