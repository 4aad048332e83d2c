"""Callouts: boxes beside the text that say what they are in their class: notes, warnings, tips."""

from __future__ import annotations

import re

from ruiji.chunker.document.tree import Node

# Classes of the frames that documentation tools and style libraries put around callouts (Sphinx, MkDocs,
# Hugo, Docusaurus, Bootstrap, GitHub, Obsidian), and their kinds.
_NAMES = (
    "note|info|tip|hint|important|warning|caution|danger|error|success|question|example|abstract|bug|failure"
)
_FRAME = re.compile(
    rf"(?:^|\s)(?:admonition|alert|callout|markdown-alert|notice|hint|custom-block|theme-admonition)(?:-(?:block|box|{_NAMES}))?(?:\s|$)"
)
_KINDS = re.compile(rf"(?:^|[\s-])({_NAMES})(?:\s|$)")
_TITLE = re.compile(r"(?:^|[\s_-])(?:title|heading|head)(?:$|[\s_-])")
_TITLE_TAGS = frozenset(("summary", "p", "div", "span", "strong", "h2", "h3", "h4", "h5", "h6"))


def callout_kind(node: Node) -> str:
    """The kind of a callout, or an empty text where the element is none."""
    names = node.get("class")
    if not names or node.tag not in ("div", "aside", "section", "details", "blockquote", "p"):
        return ""
    if not _FRAME.search(names):
        return ""
    kind = _KINDS.search(names)
    return kind.group(1) if kind else ("note" if "admonition" in names or "callout" in names else "")


def callout_parts(node: Node) -> tuple[str, Node]:
    """The title of a callout, and the element without it."""
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
