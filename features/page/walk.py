"""The one walk over a parsed page: a loop that only notes what it meets.

The loop is the hot path of the toolkit. It writes one number an event (a tag opens, text, a tag ends;
``steps.py``). The loop is there twice: in Python (``walk``), and in C (``_walk.c``) for machines
that could build it; both note the same.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from functools import lru_cache
from types import ModuleType

import selectolax.lexbor
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from ruiji.corpora.c_modules import compiled
from ruiji.features.page import elements
from ruiji.features.page.steps import (
    COMMENT,
    DATA_SCRIPTS,
    DESCRIBING,
    DETAILS,
    END,
    HIDDEN_NAME,
    HIDING,
    LAST_NO_ELEMENT,
    NAMING,
    NEW_LINE_SPACE,
    SPACE,
    TEXT,
    Steps,
    element_numbers,
)
from ruiji.features.text.invisible import without_invisible

MIRROR = "selectedcontent"  # the element that shows the chosen option of a list once more
# Such elements and options: the parser copies at every option, 20,000 take it 11 s. Real pages
# have two of them.
MAX_OPTIONS = 2000


def names_of(attributes: Mapping[str, str | None]) -> str:
    """What the attributes call an element: class, id and the like, with a word for not being shown at
    first.
    """
    names = ""
    for attribute, value in attributes.items():
        if attribute in NAMING:
            if value:
                names = f"{names} {value}" if names else value
        elif attribute in HIDING and _hides(attribute, value or ""):
            names = f"{names} {HIDDEN_NAME}" if names else HIDDEN_NAME
    return names


def _hides(attribute: str, value: str) -> bool:
    if attribute == "style":
        return "display:none" in value.replace(" ", "")
    return attribute == "hidden" or value == "true"


def steps_through(markup: bytes, named: bool = False, detailed: bool = False) -> Steps:
    """The steps through a page: parsed without what the parser does after the fact, as long as the page has
    no use for it.

    That is one thing, the copy of the chosen option that ``<selectedcontent>`` shows, and costs a twentieth
    of the parser's time.
    """
    steps = steps_of(markup, named, with_events=False, detailed=detailed)
    mirrors = list(steps.customs.values()).count(MIRROR)
    if mirrors and mirrors + steps.events.count(elements.numbers()["option"]) <= MAX_OPTIONS:
        return steps_of(markup, named, with_events=True, detailed=detailed)
    return steps


def tree_of(markup: bytes) -> LexborHTMLParser:
    """The parsed page, for who needs the tree itself; without the copies of chosen options where they may be
    too many.
    """
    options = LexborDocumentOptions.UNDEF
    if len(markup) > MAX_OPTIONS:
        lower = markup.lower()
        mirrors = lower.count(f"<{MIRROR}".encode())
        if mirrors and mirrors + lower.count(b"<option") > MAX_OPTIONS:
            options = LexborDocumentOptions.WO_EVENTS
    return LexborHTMLParser(markup, options=options)


def steps_of(markup: bytes, named: bool, with_events: bool, detailed: bool = False) -> Steps:
    """The steps through a page as the parser gives it with or without its events: by the loop in C where
    there is one.
    """
    if in_c := walk_in_c():
        number = elements.numbers()
        columns = in_c.steps(
            markup, named, with_events, _kinds(named), number["svg"], number["ruby"], number["code"],
            number["script"],
            DETAILS if detailed else None, DATA_SCRIPTS, without_invisible,
        )  # fmt: skip
        if columns is not None:
            return Steps(*(*columns, named, detailed))
    options = LexborDocumentOptions.UNDEF if with_events else LexborDocumentOptions.WO_EVENTS
    return walk(LexborHTMLParser(markup, options=options), named, detailed)


@lru_cache(maxsize=1)
def walk_in_c() -> ModuleType | None:
    """The loop in C, or None where it was not built or does not go with the parser that is installed."""
    in_c = compiled("ruiji.features.page._walk")
    try:
        if in_c is not None:
            in_c.bind(selectolax.lexbor.__file__)
    except ImportError:
        return None
    return in_c


@lru_cache(maxsize=2)
def _kinds(named: bool) -> bytes:
    """The elements that the loop tells apart as a letter for each number: what ``visit`` in _walk.c goes
    by.
    """
    number = element_numbers(named)
    letters = bytearray(256)
    for kind, elements_ in (
        (b"o", number.ordinary),
        (b"v", number.childless),
        (b"n", number.looked_at),
        (b"p", number.preformatted),
        (b"P", number.preformatted & number.looked_at),
        (b"h", number.hidden),
        (b"a", {number.anchor}),
        (b"b", {number.base}),
        (b"t", {number.title}),
        (b"T", {number.template}),
        (b"m", {number.meta} if named else ()),
        (b"r", number.readings),
    ):
        for element in elements_:
            letters[element] = kind[0]
    return bytes(letters)


def walk(tree: LexborHTMLParser, named: bool = False, detailed: bool = False) -> Steps:
    """The steps through a tree, in one pass without recursion: pages nest deeper than Python's stack.

    ``named`` also notes what classes, ids and roles call the elements, which costs a look at the attributes
    of each, titles and alternative texts, and how the page describes itself. ``detailed`` notes what a
    document is written from: the attributes of DETAILS, white space in code, and what is there without being
    shown.
    """
    # Half of the nodes are white space, most others plain containers: those come first, and each look at a
    # node counts.
    (
        ordinary, childless, looked_at, preformatted, hidden_numbers, anchor, base_number, title_number,
        template, meta,
        readings,
    ) = element_numbers(named)  # fmt: skip
    events: list[int] = []
    texts: list[str] = []
    customs: dict[int, str] = {}
    anchor_events: list[int] = []
    hrefs: list[str] = []
    marks: list[tuple[int, str]] = []
    hidden: dict[str, int] = {}
    title: str | None = None
    base = ""
    name_events: list[int] = []
    names: list[str] = []
    described: list[tuple[int, str]] = []
    metas: list[tuple[str, str]] = []
    attribute_rows = array("i")
    attribute_values = bytearray()
    blanks: list[tuple[int, str]] = []
    unseen: list[tuple[int, str]] = []
    code, script = (elements.numbers()[name] for name in ("code", "script"))
    spaces_matter = False  # not before the first element of code
    line_ends_matter = False  # not before the first element that shows them
    stack: list[LexborNode] = []
    node = first_node(tree)
    while node is not None:
        number = node.tag_id
        if detailed and number > LAST_NO_ELEMENT and node.is_element_node:
            for name, value in node.attributes.items():
                if name in DETAILS:
                    start = len(attribute_values)
                    attribute_values += (value or "").encode("utf-8", "replace")
                    attribute_rows.extend((len(events), DETAILS.index(name), start, len(attribute_values)))
            spaces_matter = spaces_matter or number == code or number in preformatted
        if named and number > LAST_NO_ELEMENT and node.is_element_node:
            attributes = node.attributes
            described += [(len(events), text) for name in DESCRIBING if (text := attributes.get(name))]
        if number == TEXT:
            if node.is_empty_text_node and not line_ends_matter and not spaces_matter:
                events.append(SPACE)
            else:
                visible = without_invisible(node.text_content or "")
                if not visible:
                    pass  # as if there were none: it parts no words
                elif visible.isspace():
                    if spaces_matter:
                        blanks.append((len(events), visible))
                    events.append(NEW_LINE_SPACE if line_ends_matter and "\n" in visible else SPACE)
                else:
                    events.append(TEXT)
                    texts.append(visible)
        elif number in ordinary:
            events.append(number)
            child = node.first_child
            if child is not None:
                stack.append(node)
                node = child
                continue
            events.append(END)
        elif number in childless:
            events.append(number)
            events.append(END)
        elif number == COMMENT:
            comment = node.comment_content
            if comment and "CONTENT" in comment:
                marks.append((len(texts), comment))
        else:
            child = node.first_child
            if number == anchor:
                if child is not None and (href := node.attrs.get("href")) is not None:
                    anchor_events.append(len(events))
                    hrefs.append(href)
            elif number in hidden_numbers:
                if number == title_number and title is None and all(above.tag != "svg" for above in stack):
                    title = node.text(deep=True)
                elif size := _template_size(node) if number == template else _hidden_size(node, child):
                    name = node.tag or ""
                    hidden[name] = hidden.get(name, 0) + size
                    if detailed and number == script and is_data(node.attributes.get("type")):
                        unseen.append((len(events), node.text(deep=True)))
                child = None
            elif number in readings:
                if child is not None and any(above.tag == "ruby" for above in stack):
                    name, reading = node.tag or "", node.text(deep=True)
                    hidden[name] = hidden.get(name, 0) + len(reading)
                    if detailed:
                        unseen.append((len(events), reading))
                    child = None
            elif number in looked_at or number in preformatted:
                if number in preformatted:
                    line_ends_matter = True
                if number in looked_at and child is not None and (name := names_of(node.attributes)):
                    name_events.append(len(events))
                    names.append(name)
            elif number == meta:  # only where names are looked at
                attributes = node.attributes
                key, content = (
                    attributes.get("name") or attributes.get("property"),
                    attributes.get("content") or attributes.get("value"),
                )
                if key and content:
                    metas.append((key, content))
            elif number == base_number:
                base = base or node.attributes.get("href") or ""
            elif not node.is_element_node:  # a document type, a processing instruction: nothing to note
                number = COMMENT
            else:
                number = elements.CUSTOM_NUMBER
                customs[len(events)] = name = node.tag or ""
                if (
                    child is not None
                    and name in elements.NOT_SHOWN_IN_SVG
                    and any(above.tag == "svg" for above in stack)
                ):
                    hidden[name] = hidden.get(name, 0) + len(node.text(deep=True))
                    child = None
            if child is not None:
                events.append(number)
                stack.append(node)
                node = child
                continue
            if number != COMMENT:
                events.append(number)
                events.append(END)
        following = node.next
        while following is None and stack:
            events.append(END)
            following = stack.pop().next
        node = following
    return Steps(
        bytes(events),
        texts,
        customs,
        anchor_events,
        hrefs,
        marks,
        title or "",
        base,
        hidden,
        name_events,
        names,
        described,
        metas,
        attribute_rows.tobytes(),
        bytes(attribute_values),
        blanks,
        unseen,
        named,
        detailed,
    )


def is_data(type_: str | None) -> bool:
    """Whether a script of that type is data."""
    return (type_ or "").startswith(DATA_SCRIPTS)


def first_node(tree: LexborHTMLParser) -> LexborNode | None:
    """The first node of the document: comments and the document type may stand before the root."""
    node = tree.root
    while node is not None and node.prev is not None:
        node = node.prev
    return node


def _template_size(node: LexborNode) -> int:
    """How many characters of markup a template holds: its content is a document of its own, not its
    children.
    """
    markup = node.html or ""
    return len(markup) - (markup.find(">") + 1) - len("</template>")


def _hidden_size(node: LexborNode, child: LexborNode | None) -> int:
    """How many characters an element that is not shown holds; markup counts where the parser keeps it as
    such.
    """
    if child is None:
        return 0
    if child.next is None and child.tag_id == TEXT:
        return len(child.text_content or "")
    return len(node.text(deep=True))
