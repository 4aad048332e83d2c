"""Callouts: boxes beside the text that say what they are in their class: notes, warnings, tips."""

from __future__ import annotations

import re
from functools import lru_cache

from ruiji.chunker.document.tree import Node

# Classes of the frames that documentation tools and style libraries put around callouts (Sphinx, MkDocs,
# Hugo, Docusaurus, Bootstrap, GitHub, Obsidian), and their kinds.
_NAMES = (
    "note|info|tip|hint|important|warning|caution|danger|error|success|question|example|abstract|bug|failure"
)
_FRAME = re.compile(
    r"(?:^|\s)(?:admonition(?:block)?|alert|blockquote-tag|callout|markdown-alert|notice|notecard|hint|custom-block"
    r"|theme-admonition)"
    rf"(?:-{{1,2}}(?:block|box|{_NAMES}))?(?:\s|$)"
)
# One of these is in the classes of each callout; most elements have none of them there.
CALLOUT_SIGNS = (
    *"admonition alert blockquote-tag callout notice notecard hint custom-block".split(),
    *"note tip important warning caution info danger".split(),
)
_KINDS = re.compile(rf"(?:^|[\s-])({_NAMES})(?:\s|$)")
_DOCBOOK = frozenset(CALLOUT_SIGNS[-7:]) | {"hint"}
_TITLE = re.compile(r"(?:^|[\s_-]|[a-z](?=[HT]))(?:[Tt]itle|[Hh]eading|head)(?:$|[\s_-])")
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_TITLE_TAGS = frozenset(("summary", "p", "div", "span", "strong", "h2", "h3", "h4", "h5", "h6"))


def callout_kind(node: Node) -> str:
    """The kind of a callout, or an empty text where the element is none."""
    names = node.get("class")
    if not names or node.tag not in ("div", "aside", "section", "details", "blockquote", "p"):
        return ""
    if not _is_frame(names):
        return _docbook_kind(node)
    kind = _KINDS.search(names)
    return kind.group(1) if kind else ("note" if "admonition" in names or "callout" in names else "")


def may_be_callout(names: str) -> bool:
    """Whether the classes of an element may be those of a callout."""
    return _is_frame(names) or names.strip().lower() in _DOCBOOK


@lru_cache(maxsize=4096)  # elements share their names
def _is_frame(names: str) -> bool:
    return _FRAME.search(names) is not None


def _docbook_kind(node: Node) -> str:
    """The kind of a frame that has it as its whole class, where it begins with a title or holds one table, as
    DocBook's style sheets write it.
    """
    name = node.get("class").strip().lower()
    if name not in _DOCBOOK or not node.elements:
        return ""
    return name if _title_of(node) is not None or _only_table(node) is not None else ""


def _title_of(node: Node) -> Node | None:
    first = node.elements[0]
    kind = node.get("class").strip().lower()
    says_kind = first.tag in ("p", "summary") and (
        first.tag == "summary" or first.text().lower().rstrip(":") == kind
    )
    return first if first.tag in _HEADINGS or says_kind else None


def _only_table(node: Node) -> Node | None:
    """The table that is all of an element and has a title in a header cell."""
    if len(node.elements) != 1 or node.elements[0].tag != "table":
        return None
    table = node.elements[0]
    return table if any(child.tag == "th" for child in table.descendants()) else None


def callout_parts(node: Node) -> tuple[str, Node]:
    """The title of a callout, and the element without it."""
    if not _is_frame(node.get("class")):
        if (title := _title_of(node)) is not None:
            return title.text(), _without(node, title)
        cells = [child for child in node.descendants() if child.tag in ("td", "th")]
        title = next(cell for cell in cells if cell.tag == "th")
        said = [cell for cell in cells if cell.tag == "td" and cell.text()]
        parts = [part for cell in said for part in cell.children]
        return title.text(), Node("div", node.event, {}, parts, any(cell.has_block for cell in said))
    for child in node.descendants():
        if child.tag == "summary" or (child.tag in _TITLE_TAGS and _TITLE.search(child.get("class"))):
            return child.text(), _without(node, child)
    return "", node


def _without(node: Node, left_out: Node) -> Node:
    """A copy of an element without one of those inside."""
    children = [
        child if isinstance(child, str) else _without(child, left_out)
        for child in node.children
        if child is not left_out
    ]
    return Node(node.tag, node.event, node.attributes, children, node.has_block)
