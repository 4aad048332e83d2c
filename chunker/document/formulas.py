"""Mathematics as TeX: what the page says itself (annotations, alternative texts, scripts), or MathML and
MathJax's boxes translated.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

from ruiji.chunker.document.images import is_tex
from ruiji.chunker.document.tree import Node

_TEX_ENCODINGS = ("application/x-tex", "text/x-tex", "TeX", "LaTeX", "application/x-latex")
_RENDERED = re.compile(
    r"(?:^|\s)(?:katex(?:-display)?|MathJax\w*|mwe-math-element"
    r"|math(?:-container|-inline|-display|-block)?)(?:\s|$)"
)
_DISPLAY = re.compile(r"display|block", re.IGNORECASE)
_STYLE = re.compile(r"^\{\\displaystyle\s*+(.*)\}$", re.DOTALL)
_FENCES = {"(": ")", "[": "]", "{": "}", "|": "|"}
_COMMAND = re.compile(r"\\(?:[a-zA-Z]+|[{}|\\,;!])")


_ACCENTS = {"¯": "bar", "‾": "bar", "―": "bar", "^": "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde",
            "→": "vec", "⃗": "vec", "˙": "dot", "¨": "ddot"}  # fmt: skip
_FUNCTIONS = frozenset(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln lg exp lim max min sup inf det dim "
    "ker deg gcd arg Pr".split()
)


def is_formula(node: Node) -> bool:
    """Whether an element holds a formula and nothing else."""
    if node.tag in ("math", "mjx-container"):
        return True
    if node.tag == "script":
        return node.get("type").startswith("math/")
    if node.tag == "img":
        return is_tex(node.get("alt")) and bool(
            re.search(
                r"\b(?:tex|latex|math|mwe-math|equation)",
                node.get("class") + " " + node.get("src"),
                re.IGNORECASE,
            )
            or _COMMAND.search(node.get("alt"))
        )
    names = node.get("class")
    return bool(names) and node.tag in ("span", "div", "code") and _is_rendered(names)


@lru_cache(maxsize=4096)  # elements share their names
def _is_rendered(names: str) -> bool:
    return _RENDERED.search(names) is not None


def is_display(node: Node) -> bool:
    """Whether a formula stands on lines of its own."""
    inside = [node, *node.descendants()]
    if any(other.get("display") in ("block", "true") for other in inside):
        return True
    if node.tag == "script":
        return "mode=display" in node.get("type").replace(" ", "")
    return any(
        "katex-display" in other.get("class") or "MathJax_Display" in other.get("class") for other in inside
    )


def tex_of(node: Node) -> str:
    """The formula of an element as TeX; empty where there is none."""
    inside = [node, *node.descendants()]
    for other in inside:
        if other.tag == "annotation" and other.get("encoding") in _TEX_ENCODINGS:
            return tidy_tex("".join(other.texts()))
        if other.tag == "script" and other.get("type").startswith("math/tex"):
            return tidy_tex("".join(other.texts()))
    for other in inside:
        if other.get("alttext"):
            return tidy_tex(other.get("alttext"))
        if other.tag == "img" and is_tex(other.get("alt")):
            return tidy_tex(other.get("alt"))
    for other in inside:
        if other.tag in ("math", "mjx-math"):
            return tidy_tex(_row(_children(other)))
    raw = "".join(node.texts()).strip()
    match = re.fullmatch(r"\\\((.*)\\\)|\\\[(.*)\\\]|\$\$?(.*?)\$\$?", raw, re.DOTALL)
    return tidy_tex(next(part for part in match.groups() if part is not None)) if match else ""


def shown_twice(root: Node) -> frozenset[int]:
    """Events of elements in which MathJax 2 shows a formula that stands in the script behind them."""
    return frozenset(
        before.event
        for node in (root, *root.descendants())
        for before, behind in pairwise(node.elements)
        if behind.tag == "script"
        and behind.get("type").startswith("math/")
        and "MathJax" in before.get("class")
    )


def tidy_tex(tex: str) -> str:
    """A formula without the style and the dollars around it, on one line."""
    tex = " ".join(tex.split()).strip("$ ")
    match = _STYLE.match(tex)
    return match.group(1).strip() if match else tex


@cache
def _symbols() -> Mapping[str, str]:
    """The TeX command of each character that has one: a character and a command a line."""
    lines = Path(__file__).with_name("tex_symbols.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if line)


def _name(node: Node) -> str:
    """MathML's name of an element, also of MathJax's own."""
    return node.tag.removeprefix("mjx-")


_SKIPPED = frozenset(
    "mjx-assistive-mml mjx-nstrut mjx-dstrut mjx-line mjx-spacer mjx-strut annotation annotation-xml".split()
)
_WRAPPERS = frozenset(
    "mjx-box mjx-dbox mjx-dtable mjx-row mjx-num mjx-den mjx-frac mjx-sqrt mjx-root mjx-base".split()
)


def _children(node: Node) -> list[Node]:
    """The children that are part of the formula, those in MathJax's boxes as if they stood outside."""
    children: list[Node] = []
    for child in node.elements:
        if child.tag in _SKIPPED or child.tag == "mjx-surd":
            continue
        children += _children(child) if child.tag in _WRAPPERS else [child]
    return children


def _row(nodes: list[Node]) -> str:
    """Elements side by side; brackets that close again become TeX's growing ones."""
    parts = [_convert(node) for node in nodes]
    operators = [_name(node) == "mo" for node in nodes]
    for start, (part, operator) in enumerate(zip(parts, operators, strict=True)):
        if operator and part in ("(", "[") and (end := _closing(parts, operators, start)):
            parts[start], parts[end] = f"\\left{part}", f"\\right{_FENCES[part]}"
    return " ".join(part for part in parts if part)


def _closing(parts: list[str], operators: list[bool], start: int) -> int:
    """Where the bracket that opens at a place is closed, or 0."""
    depth = 0
    for place in range(start, len(parts)):
        if operators[place] and parts[place] in (parts[start], f"\\left{parts[start]}"):
            depth += 1
        elif operators[place] and parts[place] == _FENCES[parts[start].removeprefix("\\left")]:
            depth -= 1
            if not depth:
                return place
    return 0


def _token(node: Node) -> str:
    """The characters of a leaf: letters of other alphabets and operators by their commands."""
    text = "".join(node.texts()).strip()
    plain = "".join(
        unicodedata.normalize("NFKC", char) if 0x1D400 <= ord(char) <= 0x1D7FF else char for char in text
    )
    if plain in _FUNCTIONS:
        return f"\\{plain}"
    return " ".join(_symbols().get(char, char) for char in plain) if len(plain) == 1 else _word(plain)


def _word(text: str) -> str:
    return "".join(_symbols().get(char, char) + (" " if char in _symbols() else "") for char in text).strip()


def _group(node: Node) -> str:
    return "{" + _convert(node) + "}"


def _scripts(signs: str) -> Callable[[list[Node]], str]:
    """A base with what stands below and above it."""

    def convert(nodes: list[Node]) -> str:
        if not nodes:
            return ""
        scripts = zip(signs, nodes[1:], strict=False)
        return _convert(nodes[0]) + "".join(sign + _group(node) for sign, node in scripts)

    return convert


def _convert(node: Node) -> str:
    """One element as TeX."""
    name = _name(node)
    children = _children(node)
    if name in ("mi", "mn", "mo"):
        return _token(node)
    if name in ("mtext", "ms"):
        text = "".join(node.texts()).strip()
        return f"\\text{{{text}}}" if text else ""
    if name == "mover" and len(children) == 2 and (accent := _ACCENTS.get(children[1].text())):
        return f"\\{accent}{_group(children[0])}"
    if name in ("msub", "munder", "msup", "mover", "msubsup", "munderover"):
        return _script_element(name, node, children)
    if name == "mfrac" and len(children) >= 2:
        return f"\\frac{_group(children[0])}{_group(children[1])}"
    if name == "msqrt":
        return f"\\sqrt{{{_row(children)}}}"
    if name == "mroot" and len(children) >= 2:
        return f"\\sqrt[{_convert(children[1])}]{_group(children[0])}"
    if name == "mtable":
        rows = [" & ".join(_row(_children(cell)) for cell in _children(row)) for row in children]
        return "\\begin{matrix} " + " \\\\ ".join(rows) + " \\end{matrix}"
    if name == "mfenced":
        inner = " , ".join(_convert(child) for child in children)
        return f"\\left{node.get('open') or '('}{inner}\\right{node.get('close') or ')'}"
    if name in ("mspace", "mphantom"):
        return ""
    if not children:
        return _token(node) if name not in ("mrow", "mstyle") else ""
    return _row(children)


def _script_element(name: str, node: Node, children: list[Node]) -> str:
    """A base with scripts; MathJax keeps them in a box of their own, the upper one first."""
    boxes = [child for child in children if child.tag in ("mjx-script", "mjx-under", "mjx-over")]
    if boxes:
        base = [child for child in children if child not in boxes][:1]
        if name == "munderover":  # what is above stands first, what is below inside of the base
            return "".join(map(_convert, base)) + "".join(
                ("^" if box.tag == "mjx-over" else "_") + "{" + _row(_children(box)) + "}" for box in boxes
            )
        scripts = [other for box in boxes for other in _children(box)]
        children = base + (scripts[::-1] if name == "msubsup" else scripts)
    signs = {"msub": "_", "munder": "_", "msup": "^", "mover": "^"}.get(name, "_^")
    return _scripts(signs)(children)
