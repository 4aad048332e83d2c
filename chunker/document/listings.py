"""Code: its text with white space as it stands, without line numbers and buttons, and its language."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

from ruiji.chunker.document.model import Block, CodeBlock, Paragraph, plain_text
from ruiji.chunker.document.tree import BLOCKS, Node

# Classes of what highlighters put beside code: numbers of lines, and what shows when the mouse is over a
# word.
_BESIDE = re.compile(
    r"popup|(?:^|[\s_-])(?:line-?no(?:s|number|numbers)?|line-?numbers?(?:-rows)?|linenumber|linenos|lnt|ln|gutter"
    r"|hover-info|tooltip|sr-only|copy(?:-\w+)?|clipboard\w*)(?:$|[\s])",
    re.IGNORECASE,
)
_SHOWN_ON_DEMAND = ("hover", "tooltip", "popup")
# Classes of bars above code, where they are blocks.
_BAR = re.compile(r"(?:^|[\s_-])(?:header|toolbar|title-?bar|copy-?button|filename)(?:$|[\s])", re.IGNORECASE)
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*|sourceCode\s+|syntax-)([\w+#.-]+)",
    re.IGNORECASE,
)
_PLAIN = frozenset("text plain plaintext txt none nohighlight default output console-output wrapper".split())
# Frames in which highlighters and editors draw code without <pre>, and the lines that they draw.
DRAWN_SIGNS = ("highlight", "cm-content")
_DRAWN = re.compile(rf"(?:^|\s)(?:{'|'.join(DRAWN_SIGNS)})(?:$|\s)")
_DRAWN_LINE = re.compile(r"(?:^|\s)(?:cm-)?line(?:$|\s)")
_FRAME_TAGS = frozenset(("div", "section"))
# Words that stand above code and are none of it.
_COPY = frozenset(
    (
        "copy",
        "copy code",
        "copied",
        "copied!",
        "copy to clipboard",
        "コピー",
        "コードをコピー",
        "kopieren",
        "copier",
    )
)
_SPOKEN = {"c#": "csharp", "c++": "cpp", "javascript": "js", "typescript": "ts", "shell": "bash"}
# How far up a highlighter's wrappers go: div.language-x > div > code > table > tbody > tr > td > pre.
_LEVELS_ABOVE = 7


@cache
def _languages() -> frozenset[str]:
    """The names of languages that stand alone in a class."""
    return frozenset(Path(__file__).with_name("code_languages.txt").read_text(encoding="utf-8").split())


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
    if node.tag == "button" or (names and node.tag in BLOCKS and _BAR.search(names)):
        return True
    return bool(names and _may_be_beside(names)) and (
        is_numbering(node) or any(word in names for word in _SHOWN_ON_DEMAND)
    )


@lru_cache(maxsize=4096)  # elements share their names
def _may_be_beside(names: str) -> bool:
    return _BESIDE.search(names) is not None


def copies_code(node: Node) -> bool:
    """Whether an element is a button that copies the code beside it."""
    return node.tag == "button" and node.text().lower() in _COPY


@lru_cache(maxsize=4096)  # elements share their names
def may_be_drawn(names: str) -> bool:
    """Whether the classes of an element may be those of a frame in which code is drawn."""
    return any(sign in names for sign in DRAWN_SIGNS) and _DRAWN.search(names) is not None


def drawn_lines(node: Node) -> list[Node]:
    """The lines of code that is drawn without ``<pre>``, by the names that highlighters and editors use; none
    where an element is no such frame.
    """
    names = node.get("class")
    if not names or node.tag not in _FRAME_TAGS or not may_be_drawn(names):
        return []
    inside = node.descendants()
    lines = [child for child in inside if _DRAWN_LINE.search(child.get("class")) and not is_numbering(child)]
    return lines if not any(child.tag == "pre" and child not in lines for child in inside) else []


def drawn_code(node: Node, lines: list[Node], above: list[Node]) -> CodeBlock:
    """The block of code whose lines are drawn one by one."""
    texts = (re.sub(r"[\r\n]", "", code_text(line)).replace("\u00a0", " ").rstrip() for line in lines)
    return CodeBlock("\n".join(texts).strip("\n"), language_of(node, above))


def without_labels(blocks: list[Block]) -> list[Block]:
    """Blocks without the lines that say the language of code above it, or number its lines beside it."""
    kept: list[Block] = []
    for place, block in enumerate(blocks):
        behind = blocks[place + 1] if place + 1 < len(blocks) else None
        before = blocks[place - 1] if place else None
        if not (isinstance(block, Paragraph) and is_label(plain_text(block.inlines), before, behind)):
            kept.append(block)
    return kept


def is_label(text: str, before: Block | None, behind: Block | None) -> bool:
    """Whether a line between blocks says the language of code below it, or numbers the lines of code beside
    it.
    """
    if isinstance(behind, CodeBlock) and (_names_language(text, behind) or _counts_lines(text, behind)):
        return True
    return isinstance(before, CodeBlock) and _counts_lines(text, before)


def _names_language(text: str, code: CodeBlock) -> bool:
    """Whether a line above code says its language and nothing else."""
    name = text.strip().lower()
    return name in _COPY or name in (code.language, *_languages()) or _SPOKEN.get(name, name) == code.language


def _counts_lines(text: str, code: CodeBlock) -> bool:
    """Whether a text is the numbers of the lines of code."""
    numbers = text.split()
    return (
        bool(numbers)
        and numbers == [str(line + 1) for line in range(len(numbers))]
        and (len(numbers) == code.text.count("\n") + 1)
    )


def is_code(node: Node) -> bool:
    """Whether an element is a block of code."""
    return node.tag in ("pre", "listing", "xmp") or (
        node.tag == "code" and not node.has_block and stands_alone(node)
    )


def code_of(nodes: list[Node], path: list[Node]) -> list[Block]:
    """Code that stands side by side: a block each, but one where ``<code>`` shows it piece by piece."""
    if len(nodes) > 1 and any(node.tag == "code" for node in nodes):
        return [joined_code(nodes, path)]
    blocks = [code_block(node, path) for node in nodes if not (is_numbering(node) and _is_gutter(node, path))]
    return [block for block in blocks if block.text]


def _is_gutter(node: Node, path: list[Node]) -> bool:
    """Whether code of digits only stands beside other code, in a cell of the same row."""
    row = next((other for other in reversed(path) if other.tag == "tr"), None)
    return (
        row is not None
        and sum(any(child.tag == "pre" for child in cell.descendants()) for cell in row.elements) > 1
    )


def code_block(node: Node, above: list[Node]) -> CodeBlock:
    """The block of code that an element is; ``above`` are the elements around it, the nearest last."""
    text = code_text(_without_bars(node))
    text = (text if node.tag == "pre" else text.strip()).replace("\u00a0", " ").replace("\r\n", "\n")
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return CodeBlock("\n".join(lines), language_of(node, above))


def _without_bars(node: Node) -> Node:
    """The one ``<code>`` in a ``<pre>`` that has blocks besides, which say its language or copy it."""
    if node.tag != "pre" or not node.has_block:
        return node
    code = [child for child in node.descendants() if child.tag == "code"]
    if len(code) != 1 or any(isinstance(child, str) and child.strip() for child in node.children):
        return node
    beside = [
        child for child in node.descendants() if child.tag in BLOCKS and code[0] not in child.descendants()
    ]
    inside = code[0].descendants()
    outside = [child for child in beside if child not in inside]
    return code[0] if outside else node


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
