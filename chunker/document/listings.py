"""Code: its text with white space as it stands, without line numbers and buttons, and its language."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from ruiji.chunker.document.model import CodeBlock
from ruiji.chunker.document.tree import BLOCKS, Node

# Classes of what highlighters put beside code: numbers of lines, and what shows when the mouse is over a
# word.
_BESIDE = re.compile(
    r"(?:^|[\s_-])(?:line-?no(?:s|number|numbers)?|line-?numbers?(?:-rows)?|linenumber|linenos|lnt|ln|gutter|rouge-gutter"
    r"|hljs-ln-numbers|blob-num|hover-info|tooltip|sr-only|copy(?:-\w+)?|clipboard\w*)(?:$|[\s])",
    re.IGNORECASE,
)
# Classes of bars above code, where they are blocks.
_BAR = re.compile(r"(?:^|[\s_-])(?:header|toolbar|title-?bar|copy-?button|filename)(?:$|[\s])", re.IGNORECASE)
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*|sourceCode\s+|syntax-)([\w+#.-]+)",
    re.IGNORECASE,
)
_PLAIN = frozenset("text plain plaintext txt none nohighlight default output console-output wrapper".split())
# How far up a highlighter's wrappers go: div.language-x > div > code > table > tbody > tr > td > pre.
_LEVELS_ABOVE = 7


@cache
def _languages() -> frozenset[str]:
    """The names of languages that stand alone in a class."""
    return frozenset(
        files("ruiji.chunker.document").joinpath("code_languages.txt").read_text(encoding="utf-8").split()
    )


def is_numbering(node: Node) -> bool:
    """Whether an element holds nothing but the numbers of lines."""
    return bool(re.fullmatch(r"[\d\s]+", "".join(node.texts())))


def code_text(node: Node) -> str:
    """The text of code, a line a line."""
    parts: list[str] = []
    _collect(node, parts)
    if node.tag == "code" and any(child.tag == "br" for child in node.descendants()):
        return _shown_lines(node)
    return "".join(parts)


def _shown_lines(node: Node) -> str:
    """The text of code in which line breaks are elements, so that white space is folded as in prose."""
    parts: list[str] = []
    for child in node.children:
        if isinstance(child, str):
            parts.append(re.sub(r"[ \t\r\n\f]+", " ", child))
        elif child.tag == "br":
            parts.append("\n")
        else:
            inside = _shown_lines(child)
            parts.append(_indented(inside) if "indent" in child.get("class") else inside)
    return re.sub(" ?\n ?", "\n", "".join(parts)) if node.tag == "code" else "".join(parts)


def _indented(text: str) -> str:
    """Lines farther to the right, as a style would show them."""
    return "\n".join(f"\u00a0\u00a0{line.strip(' ')}" if line.strip(" ") else "" for line in text.split("\n"))


def _collect(node: Node, parts: list[str]) -> None:
    for child in node.children:
        if isinstance(child, str):
            parts.append(child)
        elif child.tag == "br":
            parts.append("\n")
        elif _is_beside(child):
            continue
        elif child.tag in BLOCKS:
            _new_line(parts)
            _collect(child, parts)
            if any(part for part in parts):
                _new_line(parts)
        else:
            _collect(child, parts)


def _new_line(parts: list[str]) -> None:
    if parts and not parts[-1].endswith("\n"):
        parts.append("\n")


def _is_beside(node: Node) -> bool:
    names = node.get("class")
    if node.tag == "button" or (names and _BAR.search(names) and node.tag in BLOCKS):
        return True
    return bool(names and _BESIDE.search(names)) and (
        is_numbering(node) or "hover" in names or "tooltip" in names
    )


def code_block(node: Node, above: list[Node]) -> CodeBlock:
    """The block of code that an element is; ``above`` are the elements around it, the nearest last."""
    text = code_text(node)
    text = (text if node.tag == "pre" else text.strip()).replace("\u00a0", " ").replace("\r\n", "\n")
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return CodeBlock("\n".join(lines), language_of(node, above))


def joined_code(nodes: list[Node], above: list[Node]) -> CodeBlock:
    """The block of code that is shown in pieces, one element after another."""
    texts = [code_text(node).removeprefix("\n").removesuffix("\n") for node in nodes]
    language = next((name for node in nodes if (name := language_of(node, above))), "")
    return CodeBlock("\n".join(texts).replace("\u00a0", " ").strip("\n"), language)


def language_of(node: Node, above: list[Node]) -> str:
    """The language of code as classes and attributes say it; empty where none does."""
    inside = [child for child in node.descendants() if child.tag in ("code", "pre")][:2]
    for element in (*inside, node, *above[: -_LEVELS_ABOVE - 1 : -1]):
        names = element.get("class")
        named = element.get("data-lang") or element.get("data-language")
        if not named and (match := _LANGUAGE.search(names)):
            named = match.group(1)
        if not named:
            named = next((name for name in names.lower().split() if name in _languages()), "")
        named = named.lower().strip(".;,")
        if named and named not in _PLAIN and re.fullmatch(r"[\w+#.-]+", named):
            return named
        if named:
            return ""
    return ""


def stands_alone(node: Node) -> bool:
    """Whether a ``<code>`` outside of ``<pre>`` is a block of its own: several lines, or a class that says
    so.
    """
    if any(child.tag == "pre" for child in node.descendants()):
        return False
    text = code_text(node).strip()
    lines = text.count("\n")  # one line end may be where an editor broke a line of prose
    if lines > 1 or (lines and any(child.tag == "br" for child in node.descendants())):
        return True
    return bool(re.search(r"(?:^|\s)(?:block|code-block)(?:$|\s)", node.get("class")))
