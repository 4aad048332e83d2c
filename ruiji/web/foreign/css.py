"""Style sheets of foreign pages that ask for nothing: what would be fetched is taken out, what only looks
stays.

>>> harmless_css("a { color: red; background: blue url(x.png) }")
'a { color: red; background: blue none }'

tinycss2 reads the text as CSS Syntax Level 3 says, so escapes (``u\\\\72l(``) and comments hide nothing.
What is written is not the text but the tokens that were understood, so a browser cannot read it in another
way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from tinycss2 import parse_component_value_list, serialize
from tinycss2.ast import FunctionBlock, IdentToken, LiteralToken, Node, StringToken, WhitespaceToken
from tinycss2.serializer import BAD_PAIRS, serialize_string_value

# Functions that name something to fetch (CSS Images 4, CSS Values 5) or, in browsers of old, to run; all give
# way to ``none``.
FETCHING = frozenset(
    "url url-prefix src image image-set -webkit-image-set cross-fade -webkit-cross-fade element -moz-element "
    "paint expression".split()
)
# Rules that load or rename things; they go with their block.
LOADING_RULES = frozenset("import charset namespace font-face document -moz-document".split())
DEEPEST = 64  # brackets inside brackets; no real style sheet comes near it, and writing takes the stack

_BLOCKS = frozenset(("() block", "[] block", "{} block"))
_ASCII_START = re.compile(r"[\0-\x7f]*")
_ESCAPED_IN_NAME = re.compile(r"(?<!\\)((?:\\\\)*)\\<")
_LINE_BREAK, _NEWLINE = re.compile(r"\r\n?|\f"), re.compile(r"\n")
_RANGE_LIKE = re.compile(r"u\+[0-9a-f?]", re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")


def harmless_css(css: str) -> str:
    """The style sheet, or the value of a style attribute, without anything that a browser would fetch; safe
    inside ``<style>``. Empty where it cannot be read at all.
    """
    try:
        tokens = _tokens(css)
    except ValueError:  # tinycss2: a number of more digits than Python reads
        return ""
    written = serialize(_harmless(tokens, DEEPEST))
    return _ESCAPED_IN_NAME.sub(r"\1\\3c ", _SURROGATE.sub("\ufffd", written))


def _tokens(css: str) -> list[Node]:
    """The tokens of a style sheet. ``u+abbr`` is a selector in today's CSS, but a range of characters to
    tinycss2, which matters only to rules that are taken out: there it is read again with a comment in it.
    """
    css = _LINE_BREAK.sub("\n", css)
    tokens: list[Node] = parse_component_value_list(css)
    if not _RANGE_LIKE.search(css):
        return tokens
    line_starts = [0, *(match.end() for match in _NEWLINE.finditer(css))]
    cuts = [
        line_starts[token.source_line - 1] + token.source_column  # between u and +
        for token in _with_inner(tokens)
        if token.type == "unicode-range"
    ]
    pieces = (css[start:end] for start, end in pairwise([0, *cuts, len(css)]))
    again: list[Node] = parse_component_value_list("/**/".join(pieces))
    return again


def _with_inner(tokens: Iterable[Node]) -> Iterable[Node]:
    """The tokens and those inside blocks and functions, in the order of the text."""
    open_lists = [iter(tokens)]
    while open_lists:
        token = next(open_lists[-1], None)
        if token is None:
            open_lists.pop()
            continue
        yield token
        if token.type in _BLOCKS:
            open_lists.append(iter(token.content))
        elif token.type == "function":
            open_lists.append(iter(token.arguments))


def _harmless(tokens: Iterable[Node], depth: int) -> list[Node]:
    """The tokens without those that fetch; what is nested deeper than ``depth`` goes too."""
    kept: list[Node] = []
    rest = iter(tokens)
    for token in rest:
        if token.type == "error" and token.kind.startswith("eof-"):  # what the end has cut off is closed
            continue
        harmless = _harmless_token(token, depth)
        if harmless is None:
            _skip_rule(rest)
            harmless = _space(token)  # or what stands on its sides would become one word
        if kept and _would_join(kept[-1], harmless):
            kept.append(_space(token))
        kept.append(harmless)
    return kept


def _harmless_token(token: Node, depth: int) -> Node | None:
    """What is written in the place of a token; None for the start of a rule that loads something."""
    if token.type == "at-keyword":
        return None if _names(token.value) & LOADING_RULES else token
    if token.type == "url" or (token.type == "error" and token.kind == "bad-url"):
        return _none(token)
    if token.type == "error" and token.kind == "bad-string":  # what it stands in is not valid, as before
        return LiteralToken(token.source_line, token.source_column, "?")
    if token.type == "function":
        if _names(token.name) & FETCHING or depth == 0:
            return _none(token)
        return FunctionBlock(
            token.source_line, token.source_column, token.name, _harmless(token.arguments, depth - 1)
        )
    if token.type in _BLOCKS:
        inner = _harmless(token.content, depth - 1) if depth else []
        return type(token)(token.source_line, token.source_column, inner)
    if token.type == "string":  # also one that the end of the text has cut off
        text = '"' + serialize_string_value(token.value).replace("<", r"\3c ") + '"'
        return StringToken(token.source_line, token.source_column, token.value, text)
    if token.type == "comment" or _joining(token) in ("<!--", "-->"):
        return _space(token)
    return token


def _skip_rule(rest: Iterable[Node]) -> None:
    """Takes the rest of an at-rule: to its semicolon, or with its block."""
    for token in rest:
        if token.type == "{} block" or (isinstance(token, LiteralToken) and token.value == ";"):
            return


def _names(name: str) -> set[str]:
    """What a browser may read as the name, in lower case. Which characters beyond ASCII belong to a name has
    changed between drafts of the standard, so the part before and the part after them count too.
    """
    return {name.lower(), _ascii_start(name).lower(), _ascii_start(name[::-1])[::-1].lower()}


def _ascii_start(name: str) -> str:
    start = _ASCII_START.match(name)
    assert start is not None
    return start.group()


def _none(token: Node) -> Node:
    return IdentToken(token.source_line, token.source_column, "none")


def _space(token: Node) -> Node:
    return WhitespaceToken(token.source_line, token.source_column, " ")


def _would_join(one: Node, other: Node) -> bool:
    """Whether two tokens that touch would be read as one, or as a tag (``<`` of a media query stays)."""
    first, second = _joining(one), _joining(other)
    return (first, second) in BAD_PAIRS or (first == "<" and second not in ("=", "whitespace"))


def _joining(token: Node) -> str:
    """What decides whether two tokens that touch would be read as one (CSS Syntax 3, section 9)."""
    return str(token.value if token.type == "literal" else token.type)
