"""Footnotes: where the text refers to one, and the block that says it.

A reference is a short mark (a number, a letter, a dagger) that links to a place in the page, or a raised
number without a link. What it refers to is a block that the link leads to, or one that begins with the same
number. A mark whose note is not found stays what it is: exponents and numbers of equations are no footnotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from urllib.parse import urldefrag

from ruiji.chunker.document.tree import Node, NodeInPython, TreeOrder
from ruiji.corpora.c_modules import compiled

_MARK = re.compile(
    r"[\[(（［【〔]?\s*+(?:(?:注|註|※|note|fn\.?|\*(?=\d))\s*+)?"
    r"(\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4}|[*†‡§¶]{1,3})\s*[\])）］】〕]?",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\s*[\[(（［【〔].*[\])）］】〕]\s*")
_NOTE_NAME = re.compile(
    r"(?:^|[\s_.:#-]|[a-z0-9](?=Foot))(?:fn|foot-?notes?|end-?notes?|notes?|cite_note|noteref)(?="
    r"$|[\s_.:0-9-])",
    re.IGNORECASE,
)
_NOTES_NAME = re.compile(
    r"(?:^|[\s_-])(?:foot-?notes?|end-?notes?|references|fnlist)(?=$|[\s_-])", re.IGNORECASE
)
_BACK_NAME = re.compile(
    r"(?:^|[\s_-])(?:back-?ref|back-?link|mw-cite-backlink|reversefootnote|footnote-back\w*)(?=$|[\s_-])",
    re.IGNORECASE,
)
# Notes in the line itself, as style sheets in Tufte's manner and footnote plugins show them beside it.
_SIDENOTE = re.compile(r"(?:^|\s)(?:side-?note|[\w-]*footnotes?-footnote__note)(?=$|\s)", re.IGNORECASE)
_BACK_SIGNS = frozenset("↩ ↩︎ ↵ ↑ ^ ⏎ ⤴ ↲ back return 戻る ↪".split())
NOTES_HEADINGS = frozenset(
    "footnotes notes endnotes footnote 脚注 注 注釈 註 註釈 fußnoten anmerkungen notas примечания".split()
)
_INLINE = frozenset("a span sup b strong i em small sub cite font".split())
_NOTE_BLOCKS = frozenset("li p div dd aside td section".split())
_LINKS, _RAISED, _BESIDE = frozenset(("a",)), frozenset(("sup",)), frozenset(("span", "small"))
_MARK_TAGS = _LINKS | _RAISED | _BESIDE
_MARKERS = frozenset("sup strong b a span".split())
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The footnotes of a tree: events of references with the labels, labels with the elements that say them,
    and events of what is left out of these (marks at their beginnings, ways back).
    """

    references: dict[int, str]
    definitions: tuple[tuple[str, Node], ...]
    left_out: frozenset[int]


def mark_of(text: str) -> str:
    """The label of a text that is a mark and nothing else, or an empty text."""
    match = _MARK.fullmatch(text.strip())
    return match.group(1) if match else ""


def fragment_of(href: str, url: str) -> str:
    """The place in the same page that a link leads to, or an empty text."""
    address, fragment = urldefrag(href.strip())
    own = urldefrag(url)[0]
    if address and address != own and address != own.rpartition("/")[2]:
        return ""
    return fragment


def find_notes(root: Node, url: str) -> Footnotes:
    """The footnotes of a tree; none where it has no marks and no notes in its lines."""
    marks, inside = _marks(root, url)
    if inside:
        return _sidenotes(TreeOrder(root), inside)
    if not marks:
        return Footnotes({}, (), frozenset())
    order = TreeOrder(root)
    linked = _linked(order, [(node, label, place) for node, label, place in marks if place], url)
    loose = _loose(order, [(node, label) for node, label, place in marks if node.tag == "sup"], linked)
    return _gathered(order, [*linked, *loose], url)


def _marks(root: Node, url: str) -> tuple[list[tuple[Node, str, str]], list[Node]]:
    """Elements that may refer to notes, with label and the place that they link to; and notes that stand in
    the line which refers to them.
    """
    marks: list[tuple[Node, str, str]] = []
    inside: list[Node] = []
    for node in _candidates(root):
        if node.tag == "a" and (href := node.get("href")) and "#" in href:
            if (label := mark_of(node.text())) and (place := fragment_of(href, url)):
                marks.append((node, label, place))
        elif node.tag == "sup" and (label := mark_of(node.text())):
            marks.append((node, label, ""))
        elif (
            node.tag in _BESIDE
            and "note" in (names := node.get("class").lower())
            and _SIDENOTE.search(names)
            and node.text()
        ):
            inside.append(node)
    return marks, inside


def _candidates(root: Node) -> list[Node]:
    """The elements that may be marks or notes by their tags and attributes, in order."""
    in_c = None if Node is NodeInPython else compiled("ruiji.chunker.document._document")
    if in_c is None:
        return root.of_tags(_MARK_TAGS)
    linked = in_c.marked(root, _LINKS, "href", "#")
    beside = in_c.marked(root, _BESIDE, "class", "note")
    return sorted([*linked, *beside, *root.of_tags(_RAISED)], key=attrgetter("event"))


def _sidenotes(order: TreeOrder, notes: list[Node]) -> Footnotes:
    """Notes that a style sheet shows beside the line in which they stand, in the order of the page."""
    left_out: set[int] = set()
    for note in notes:
        beside = order.parent[id(note)].elements
        place = beside.index(note)
        for mark in beside[max(0, place - 2) : place]:
            if mark.tag in ("label", "sup", "input", "a") and (not mark.text() or mark_of(mark.text())):
                left_out.add(mark.event)
    labels = [str(number) for number in range(1, len(notes) + 1)]
    references = {note.event: label for note, label in zip(notes, labels, strict=True)}
    return Footnotes(references, tuple(zip(labels, notes, strict=True)), frozenset(left_out))


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """A reference, and the block of its note."""

    reference: Node
    label: str
    block: Node


def _linked(order: TreeOrder, marks: list[tuple[Node, str, str]], url: str) -> list[_Pair]:
    """References that link to their notes."""
    pairs = []
    for node, label, place in marks:
        target = order.named.get(place)
        block = _block_of(order, target) if target is not None else None
        if target is None or block is None or order.is_inside(node, block):
            continue
        if order.place[id(block)] < order.place[id(node)] or not _is_note(
            order, node, label, target, block, url
        ):
            continue
        pairs.append(_Pair(_outermost(order, node), label, block))
    return pairs


def _block_of(order: TreeOrder, node: Node) -> Node | None:
    """The block that an element is or begins: its note, if it is one; of a table the row, of a term what is
    said of it.
    """
    while node.tag in _INLINE:
        parent = order.parent.get(id(node))
        if parent is None:
            return None
        node = parent
    parent = order.parent.get(id(node))
    if parent is not None and node.tag == "td" and mark_of(node.text().rstrip(".")) and parent.tag == "tr":
        return parent
    return node if node.tag in _NOTE_BLOCKS else None


def _is_note(order: TreeOrder, node: Node, label: str, target: Node, block: Node, url: str) -> bool:
    """Whether the block that a mark leads to looks like a note."""
    names = " ".join(
        other.get(name) for other in (target, *order.near(block)) for name in ("id", "class", "data-type")
    )
    leads_back = _leads_back(order, node, block, url)
    if _NOTE_NAME.search(names) or leads_back:
        return True
    is_raised = any(other.tag == "sup" for other in order.near(node)) or bool(
        _BRACKETED.fullmatch(node.text())
    )
    parent = order.parent.get(id(block))
    in_list = block.tag == "li" and parent is not None and parent.tag == "ol"
    return is_raised and (in_list or mark_of(block.text().split(" ")[0].rstrip(".:")) == label)


def _leads_back(order: TreeOrder, node: Node, block: Node, url: str) -> bool:
    """Whether a link in the block leads to where the mark stands."""
    own = {other.get(name) for other in order.near(node) for name in ("id", "name")} - {""}
    return any(
        fragment_of(child.get("href"), url) in own
        for child in block.descendants()
        if child.tag == "a" and child.get("href")
    )


def _outermost(order: TreeOrder, node: Node) -> Node:
    """The element that is nothing but the mark: the raised one around a link, or its frame."""
    text = node.text()
    for above in order.above(node):
        if above.tag not in _INLINE or mark_of(above.text()) != mark_of(text):
            break
        node = above
    return node


def _loose(order: TreeOrder, marks: list[tuple[Node, str]], linked: Iterable[_Pair]) -> list[_Pair]:
    """Raised numbers without links, with the blocks that begin with them, or the items of a list of notes."""
    known = {id(pair.reference) for pair in linked}
    references = []
    for node, label in marks:
        if id(node) not in known and not _begins_block(order, node) and not _inside_known(order, node, known):
            references.append((node, label))
    if not references:
        return []
    blocks = dict(_loose_blocks(order, {label for _, label in references}, order.place[id(references[0][0])]))
    return [
        _Pair(_outermost(order, node), label, blocks[label]) for node, label in references if label in blocks
    ]


def _inside_known(order: TreeOrder, node: Node, known: set[int]) -> bool:
    return any(id(other) in known for other in (*order.above(node), *node.descendants()))


def _begins_block(order: TreeOrder, node: Node) -> bool:
    """Whether nothing stands before an element in its block."""
    for above in (node, *order.above(node)):
        parent = order.parent.get(id(above))
        if above.tag in _NOTE_BLOCKS or parent is None:
            return True
        for child in parent.children:
            if child is above:
                break
            if (child if isinstance(child, str) else child.text()).strip():
                return False
    return False


def _loose_blocks(order: TreeOrder, labels: set[str], first: int) -> Iterator[tuple[str, Node]]:
    """Blocks behind the first reference that begin with a label, or are items of a list called notes."""
    in_notes = False
    for node in order.nodes[first:]:
        if node.tag in _HEADINGS:
            in_notes = node.text().strip(" :：").lower() in NOTES_HEADINGS
        elif node.tag == "hr":
            in_notes = True
        elif node.tag == "ol" and (in_notes or _is_called_notes(order, node)):
            for number, item in enumerate((child for child in node.elements if child.tag == "li"), 1):
                if str(number) in labels:
                    yield str(number), item
        elif node.tag in ("p", "div", "dd") and (marker := _marker(node)) is not None:
            label = mark_of(marker.text().rstrip("."))
            called = in_notes or _is_called_notes(order, node)
            if label in labels and (called or marker.tag == "sup"):
                yield label, node


def _is_called_notes(order: TreeOrder, node: Node) -> bool:
    return any(
        _NOTES_NAME.search(re.sub(r"__|(?<=[a-z])(?=[A-Z])", " ", other.get("class") + " " + other.get("id")))
        for other in order.near(node)
    )


def _marker(block: Node) -> Node | None:
    """The element at the beginning of a block, where it is a mark."""
    for child in block.children:
        if isinstance(child, str):
            if child.strip():
                return None
        else:
            return child if child.tag in _MARKERS and mark_of(child.text().rstrip(".")) else None
    return None


def _gathered(order: TreeOrder, pairs: list[_Pair], url: str) -> Footnotes:
    """The notes in the order of their blocks, each once, with labels that are unique."""
    references: dict[int, str] = {}
    labels: dict[int, str] = {}
    used: set[str] = set()
    definitions: list[tuple[str, Node]] = []
    left_out: set[int] = set()
    for pair in pairs:
        if id(pair.block) not in labels:
            label = pair.label if pair.label not in used else f"{pair.label}-{len(used) + 1}"
            labels[id(pair.block)] = label
            used.add(label)
            definitions.append((label, pair.block))
            left_out |= _not_said(order, pair.block, url)
        references[pair.reference.event] = labels[id(pair.block)]
    definitions.sort(key=lambda definition: order.place[id(definition[1])])
    return Footnotes(references, tuple(definitions), frozenset(left_out))


def _not_said(order: TreeOrder, block: Node, url: str) -> set[int]:
    """Events of what a note shows and does not say: its own mark, and the ways back."""
    events = set()
    inner = block
    while (
        len(inner.elements) == 1
        and inner.elements[0].tag in _NOTE_BLOCKS
        and not "".join(child for child in inner.children if isinstance(child, str)).strip()
    ):
        inner = inner.elements[0]
    if (marker := _marker(inner)) is not None:
        events.add(marker.event)
    for node in block.descendants():
        is_back = node.tag == "a" and (
            node.text().strip("[]() \ufe0e") in _BACK_SIGNS
            or bool(_BACK_NAME.search(node.get("class")))
            or (
                mark_of(node.text())
                and fragment_of(node.get("href"), url) in order.named
                and len(node.text()) <= 3
            )
        )
        if is_back or _BACK_NAME.search(node.get("class")):
            events.add(node.event)
    return events
