"""What of a page goes into its document: the kept text by the mask, and what belongs to it as a whole.

A mask judges text nodes. Code, formulas and headings are content as a whole or not at all; footnotes belong
to the text that refers to them; images have no text that could be judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain

import numpy as np

from ruiji.chunker.document.images import MOST, ImageFinder
from ruiji.features.arrays import BoolArray, LongArray, sums_between
from ruiji.features.page import elements
from ruiji.features.page.markup import Markup
from ruiji.features.page.textnodes import TextNodes

_NO_ATTRIBUTES: Mapping[str, str] = {}
_SHORT_PAGE, _FEW_LINKS = 2000, 0.1  # characters, and the share of them that links
_NAMING = frozenset("h1 h2 h3 h4 h5 h6 dt caption".split())
_CODE = frozenset(("code", "pre"))
_SAID = frozenset("p h2 h3 h4 h5 h6 ul ol dl blockquote pre table".split())
_LONG_ROW = 600  # characters: a longer row places parts of the page
_FRAMES_OF_CODE = frozenset(
    "div section article main figure td body".split()
)  # code right in these is a block
_EDITING = "editsection"  # in the classes of links beside headings with which readers edit MediaWiki's pages
_NOTE = "note"
_NOTES = re.compile(r"(?:^|[\s_-])(?:foot-?notes?|end-?notes?)(?=$|[\s_-])", re.IGNORECASE)
_FAR_BEYOND = 0.5  # notes longer than this share of the kept text are no notes
_SHORT_NOTES = 600  # characters: on short pages notes may well be longer than the text
_LONGEST_MARK = 5  # characters: [123]
_NOTE_TAGS = frozenset("li p div dd ol ul section aside td".split())


def decide(nodes: TextNodes, markup: Markup, content: BoolArray) -> tuple[BoolArray, BoolArray]:
    """Which text nodes are in the document, and which elements."""
    keep = content.copy()
    lengths = np.fromiter(map(len, nodes.texts), dtype=np.int64, count=len(nodes))
    _decide_short_pages(nodes, keep, lengths)
    _decide_code(nodes, keep, lengths)
    _decide_rows(nodes, keep, lengths)
    _decide_formulas(nodes, markup, keep)
    _decide_headings(nodes, keep)
    _decide_notes(nodes, markup, keep, lengths)
    _decide_editing(nodes, markup, keep)
    return keep, _kept_elements(nodes, markup, keep, lengths)


def _decide_short_pages(nodes: TextNodes, keep: BoolArray, lengths: LongArray) -> None:
    """In a short page that links hardly anywhere (a part of a page, a mail, a note), what stands beside kept
    text as a paragraph, heading, list, quote or code of its own is kept: there is nothing else on it.

    Of 499 pages of the wide web the rule changes one (a heading).
    """
    total = int(lengths.sum())
    if not 0 < total < _SHORT_PAGE or keep.all() or not keep.any():
        return
    if int(lengths[nodes.link >= 0].sum()) > _FEW_LINKS * total:
        return
    kept = sums_between(np.where(keep, lengths, 0), nodes.first, nodes.end)
    has_most = kept >= MOST * kept.max()
    said = elements.is_one_of(_SAID)[nodes.number]
    for element in np.flatnonzero(said & (kept == 0) & (nodes.parent >= 0)).tolist():
        if has_most[nodes.parent[element]]:
            keep[nodes.first[element] : nodes.end[element]] = True


def _decide_code(nodes: TextNodes, keep: BoolArray, lengths: LongArray) -> None:
    """Code is kept as a whole, or not at all: where most of it is, or the text before and behind it. Pieces
    of code with no text between them are one.
    """
    for first, end in _code_stretches(nodes):
        inside = slice(first, end)
        total = int(lengths[inside].sum())
        between = first > 0 and end < len(keep) and bool(keep[first - 1] and keep[end])
        keep[inside] = total > 0 and (between or int(lengths[inside][keep[inside]].sum()) >= MOST * total)


def _code_stretches(nodes: TextNodes) -> list[tuple[int, int]]:
    """First text and end of each stretch of code that stands in blocks of its own."""
    frames = elements.numbered(_FRAMES_OF_CODE)
    code = elements.numbers()["code"]
    stretches: list[tuple[int, int]] = []
    for element in elements.is_one_of(_CODE)[nodes.number].nonzero()[0].tolist():
        first, end = int(nodes.first[element]), int(nodes.end[element])
        if nodes.number[element] == code and int(nodes.number[nodes.parent[element]]) not in frames:
            continue
        if stretches and first <= stretches[-1][1]:
            first = stretches[-1][0]
            end = max(end, stretches.pop()[1])
        stretches.append((first, end))
    return stretches


def _decide_rows(nodes: TextNodes, keep: BoolArray, lengths: LongArray) -> None:
    """A row of short cells is kept as a whole where most of it is: a number alone looks like no content."""
    rows = (nodes.number == elements.numbers()["tr"]).nonzero()[0]
    if not len(rows):
        return
    first, end = nodes.first[rows], nodes.end[rows]
    total, kept = sums_between(lengths, first, end), sums_between(np.where(keep, lengths, 0), first, end)
    innermost = np.ones(len(rows), dtype=np.bool_)
    innermost[:-1] = end[:-1] <= first[1:]
    for row in np.flatnonzero(
        innermost & (kept >= MOST * total) & (kept < total) & (total < _LONG_ROW)
    ).tolist():
        keep[first[row] : end[row]] = True


def _decide_headings(nodes: TextNodes, keep: BoolArray) -> None:
    """A heading, term or caption is kept where the text right behind it is: it names what follows. Terms that
    link are entries of lists of contents.
    """
    term = elements.numbers()["dt"]
    naming = elements.is_one_of(_NAMING)[nodes.number].nonzero()[0][::-1]
    shown, last = keep.data, len(keep)
    for element, first, end in zip(
        naming.tolist(), nodes.first[naming].tolist(), nodes.end[naming].tolist(), strict=True
    ):
        if first < end < last and shown[end] and not any(shown[first:end]):
            keep[first:end] = nodes.number[element] != term or bool((nodes.link[first:end] < 0).all())


def _decide_formulas(nodes: TextNodes, markup: Markup, keep: BoolArray) -> None:
    """A formula is kept where the text before or behind it is: its letters say nothing of their own."""
    rendered = [event for event, name in markup.customs.items() if name == "mjx-container"]
    formulas = {
        *(nodes.number == elements.numbers()["math"]).nonzero()[0].tolist(),
        *markup.opened.searchsorted(rendered).tolist(),
    }
    for element in sorted(formulas):
        first, end = int(nodes.first[element]), int(nodes.end[element])
        beside = slice(max(0, first - 1), end + 1)
        keep[first:end] = bool(keep[beside].any())


def _decide_notes(nodes: TextNodes, markup: Markup, keep: BoolArray, lengths: LongArray) -> None:
    """Footnotes are kept: those that a mark in the content links to, and what is called so."""
    events = set(_called_notes(markup)) if markup.attributes.mention(_NOTE) else set()
    if marked := set(_marked_places(nodes, keep)):
        named = chain(markup.attributes.named("id"), _anchors(markup))
        places: dict[str, int] = {}
        for event, name in sorted(named):
            if name in marked:
                places.setdefault(name, event)
        events.update(places.values())
    if not events:
        return
    total = int(lengths[keep].sum())
    for element in markup.opened.searchsorted(sorted(events)).tolist():
        if nodes.first[element] == nodes.end[element]:  # an empty anchor: its parent is the note
            element = int(nodes.parent[element])
        if nodes.tag[element] in _NOTE_TAGS:
            inside = slice(int(nodes.first[element]), int(nodes.end[element]))
            if int(lengths[inside].sum()) <= max(_FAR_BEYOND * total, _SHORT_NOTES):
                keep[inside] = True


def _decide_editing(nodes: TextNodes, markup: Markup, keep: BoolArray) -> None:
    """The links beside headings with which MediaWiki lets readers edit a section say nothing."""
    if not markup.attributes.mention(_EDITING):
        return
    events = [event for event, _ in markup.attributes.named("class", _EDITING)]
    for element in markup.opened.searchsorted(events).tolist():
        keep[nodes.first[element] : nodes.end[element]] = False


def _called_notes(markup: Markup) -> Iterator[int]:
    """The events of elements that are called notes."""
    called = (markup.attributes.named(name, _NOTE) for name in ("id", "class", "data-type"))
    for event, value in chain(chain.from_iterable(called), _anchors(markup, _NOTE)):
        if _is_called_notes(value):
            yield event


def _anchors(markup: Markup, part: str = "") -> Iterator[tuple[int, str]]:
    """The elements with a name and no other, with it, where it has the part."""
    for event, name in markup.attributes.named("name", part):
        if not markup.attributes.get(event).get("id"):
            yield event, name


def _marked_places(nodes: TextNodes, keep: BoolArray) -> Iterator[str]:
    """The places in the page to which marks in the content link."""
    kept = (keep & (nodes.link >= 0)).nonzero()[0]
    links = dict.fromkeys(  # most say more than a mark does
        link
        for link, node in zip(nodes.link[kept].tolist(), kept.tolist(), strict=True)
        if len(nodes.texts[node].strip()) <= _LONGEST_MARK
    )
    for link in links:
        href = nodes.hrefs[link]
        if href[:1] == "#" and len(href) > 1:
            linked = (nodes.link == link).nonzero()[0].tolist()
            text = "".join(nodes.texts[node] for node in linked).strip()
            if 0 < len(text) <= _LONGEST_MARK and text.strip("[]()").isdigit():
                yield href[1:]


def _is_called_notes(name: str) -> bool:
    return bool(_NOTES.search(re.sub("__|(?<=[a-z])(?=[A-Z])", " ", name)))


def _kept_elements(nodes: TextNodes, markup: Markup, keep: BoolArray, lengths: LongArray) -> BoolArray:
    """Which elements are in the tree: those with kept text, and images and formulas in the midst of
    content. Captions of kept images are kept.
    """
    finder = ImageFinder(nodes, markup, keep, lengths)
    images = finder.images()
    captions = [texts for image in images for texts in image.caption]
    for texts in captions:
        keep[texts] = True
    kept = finder.has_text
    if captions:
        kept = sums_between(np.where(keep, lengths, 0), nodes.first, nodes.end) > 0
    kept[[element for image in images for element in image.elements]] = True
    for element in _script_formulas(markup):
        chain, above = finder.around(element)
        if finder.is_in_content(chain, above):
            kept[chain] = True
    return kept


def _script_formulas(markup: Markup) -> list[int]:
    """The elements without judged text that may be content: formulas that a script holds."""
    events = [
        event
        for event in markup.unseen
        if "math" in markup.attributes.get(event, _NO_ATTRIBUTES).get("type", "")
    ]
    formulas: list[int] = markup.opened.searchsorted(events).tolist()
    return formulas
