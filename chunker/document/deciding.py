"""What of a page goes into its document: the kept text by the mask, and what belongs to it as a whole.

A mask judges text nodes. Code, formulas and headings are content as a whole or not at all; footnotes belong
to the text that refers to them; images have no text that could be judged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain

import numpy as np

from ruiji.features.arrays import BoolArray, LongArray, sums_between
from ruiji.features.page import elements
from ruiji.features.page.markup import Markup
from ruiji.features.page.textnodes import TextNodes

# Half of the characters: what decides on code, which is content as a whole or not at all, and on images,
# which have no text that could be judged.
MOST = 0.5

_NO_ATTRIBUTES: Mapping[str, str] = {}
_LONG_ROW = 600  # characters: a longer row places parts of the page
_FRAMES_OF_CODE = frozenset(
    "div section article main figure td body".split()
)  # code right in these is a block
# Names of frames around images that are not part of what is said.
_ASIDE = re.compile(
    r"(?:^|[\s_-])(?:nav\w*|menu|side-?bar\w*|social|shar(?:e|ing)|logo|icons?|avatar|banner|ads?|advert\w*|promo\w*|related|author"
    r"|byline|masthead|site-?header|footer|header|newsletter|subscribe|breadcrumbs?|sponsor\w*|emoji|gravatar|badge)(?=$|[\s_-])",
    re.IGNORECASE,
)
_ASIDE_TAGS = frozenset("nav aside header footer button form label".split())
_NOTES = re.compile(r"(?:^|[\s_-])(?:foot-?notes?|end-?notes?)(?=$|[\s_-])", re.IGNORECASE)
_FAR_BEYOND = 0.5  # notes longer than this share of the kept text are no notes
_LONGEST_MARK = 5  # characters: [123]
_NOTE_TAGS = frozenset("li p div dd ol ul section aside td".split())


def decide(nodes: TextNodes, markup: Markup, content: BoolArray) -> tuple[BoolArray, BoolArray]:
    """Which text nodes are in the document, and which elements."""
    keep = content.copy()
    lengths = np.fromiter(map(len, nodes.texts), dtype=np.int64, count=len(nodes))
    _decide_code(nodes, keep, lengths)
    _decide_rows(nodes, keep, lengths)
    _decide_formulas(nodes, markup, keep)
    _decide_headings(nodes, keep)
    _decide_notes(nodes, markup, keep, lengths)
    return keep, _kept_elements(nodes, markup, keep, lengths)


def _decide_code(nodes: TextNodes, keep: BoolArray, lengths: LongArray) -> None:
    """Code is kept as a whole, or not at all: where most of it is, or the text before and behind it."""
    frames = elements.numbered(_FRAMES_OF_CODE)
    for element in np.flatnonzero(
        np.isin(nodes.number, [elements.numbers()["pre"], elements.numbers()["code"]])
    ).tolist():
        first, end = int(nodes.first[element]), int(nodes.end[element])
        if (
            nodes.number[element] == elements.numbers()["code"]
            and int(nodes.number[nodes.parent[element]]) not in frames
        ):
            continue
        inside = slice(first, end)
        total = int(lengths[inside].sum())
        between = first > 0 and end < len(keep) and bool(keep[first - 1] and keep[end])
        keep[inside] = total > 0 and (between or int(lengths[inside][keep[inside]].sum()) >= MOST * total)


def _decide_rows(nodes: TextNodes, keep: BoolArray, lengths: LongArray) -> None:
    """A row of short cells is kept as a whole where most of it is: a number alone looks like no content."""
    rows = np.flatnonzero(nodes.number == elements.numbers()["tr"])
    first, end = nodes.first[rows], nodes.end[rows]
    total, kept = sums_between(lengths, first, end), sums_between(np.where(keep, lengths, 0), first, end)
    innermost = np.ones(len(rows), dtype=np.bool_)
    innermost[:-1] = end[:-1] <= first[1:]
    for row in np.flatnonzero(
        innermost & (kept >= MOST * total) & (kept < total) & (total < _LONG_ROW)
    ).tolist():
        keep[first[row] : end[row]] = True


def _decide_headings(nodes: TextNodes, keep: BoolArray) -> None:
    """A heading is kept where the text right behind it is: it names what follows."""
    numbers = list(elements.numbered(frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))))
    for element in np.flatnonzero(np.isin(nodes.number, numbers))[::-1].tolist():
        first, end = int(nodes.first[element]), int(nodes.end[element])
        if first < end < len(keep) and keep[end] and not keep[first:end].any():
            keep[first:end] = True


def _decide_formulas(nodes: TextNodes, markup: Markup, keep: BoolArray) -> None:
    """A formula is kept where the text before or behind it is: its letters say nothing of their own."""
    rendered = [event for event, name in markup.customs.items() if name == "mjx-container"]
    formulas = {
        *np.flatnonzero(nodes.number == elements.numbers()["math"]).tolist(),
        *markup.opened.searchsorted(rendered).tolist(),
    }
    for element in sorted(formulas):
        first, end = int(nodes.first[element]), int(nodes.end[element])
        beside = slice(max(0, first - 1), end + 1)
        keep[first:end] = bool(keep[beside].any())


def _decide_notes(nodes: TextNodes, markup: Markup, keep: BoolArray, lengths: LongArray) -> None:
    """Footnotes are kept: those that a mark in the content links to, and what is called so."""
    total = int(lengths[keep].sum())
    named = [(event, name) for event, name in markup.by_name.get("id", ()) if name]
    named += [
        (event, name)
        for event, name in markup.by_name.get("name", ())
        if name and not markup.attributes[event].get("id")
    ]
    places: dict[str, int] = {}
    for event, name in sorted(named):
        places.setdefault(name, event)
    called = chain(named, markup.by_name.get("class", ()), markup.by_name.get("data-type", ()))
    events = {event for event, value in called if "note" in value and _is_called_notes(value)}
    for link, href in enumerate(nodes.hrefs):
        if href.startswith("#") and href[1:] in places:
            linked = np.flatnonzero(nodes.link == link)
            text = "".join(nodes.texts[node] for node in linked.tolist()).strip()
            if 0 < len(text) <= _LONGEST_MARK and text.strip("[]()").isdigit() and keep[linked].any():
                events.add(places[href[1:]])
    for element in markup.opened.searchsorted(sorted(events)).tolist():
        if nodes.first[element] == nodes.end[element]:  # an empty anchor: its parent is the note
            element = int(nodes.parent[element])
        if nodes.tag[element] in _NOTE_TAGS:
            inside = slice(int(nodes.first[element]), int(nodes.end[element]))
            if int(lengths[inside].sum()) <= _FAR_BEYOND * total:
                keep[inside] = True


def _is_called_notes(name: str) -> bool:
    return bool(_NOTES.search(re.sub("__|(?<=[a-z])(?=[A-Z])", " ", name)))


def _kept_elements(nodes: TextNodes, markup: Markup, keep: BoolArray, lengths: LongArray) -> BoolArray:
    """Which elements are in the tree: those with kept text, and images and formulas in the midst of
    content.
    """
    weights = np.where(keep, lengths, 0)
    inside = sums_between(weights, nodes.first, nodes.end)
    kept: BoolArray = inside > 0
    most: BoolArray = kept & (inside >= MOST * sums_between(lengths, nodes.first, nodes.end))
    parent = nodes.parent.tolist()
    for element in _atoms(nodes, markup):
        chain, above = [], element
        while above >= 0 and not kept[above]:
            chain.append(above)
            above = parent[above]
        if above >= 0 and most[above] and not any(_is_aside(nodes, markup, other) for other in chain):
            kept[chain] = True
    return kept


def _is_aside(nodes: TextNodes, markup: Markup, element: int) -> bool:
    """Whether an element without kept text is called what stands beside the content."""
    own = markup.attributes.get(int(markup.opened[element]), _NO_ATTRIBUTES)
    names = f"{own.get('class', '')} {own.get('id', '')}"
    return nodes.tag[element] in _ASIDE_TAGS or bool(_ASIDE.search(names))


def _atoms(nodes: TextNodes, markup: Markup) -> list[int]:
    """The elements without judged text that may be content: images, and formulas that a script holds."""
    images = np.flatnonzero(nodes.number == elements.numbers()["img"])
    formulas = markup.opened.searchsorted(
        [
            event
            for event in markup.unseen
            if "math" in markup.attributes.get(event, _NO_ATTRIBUTES).get("type", "")
        ]
    )
    return sorted({*images.tolist(), *formulas.tolist()})
