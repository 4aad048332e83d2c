"""Features of the tree: the tags above a node, what opens and closes at it, how far it lies from the node
before.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ruiji.corpora.c_modules import compiled
from ruiji.features.nodes.attributes import Finds
from ruiji.features.nodes.buckets import NUMBER_BORDERS, Codes, bucket
from ruiji.features.nodes.forest import Forest, shared
from ruiji.features.nodes.nakamura import tag_codes
from ruiji.features.nodes.structure import climbed, structural_tags
from ruiji.features.page import elements
from ruiji.features.page.links import LinkKind

SEMANTIC = tuple(
    "a address article aside blockquote button caption code dd details dl dt em figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header i b "
    "label li main nav noscript ol option p pre section select small span strong summary sup table "
    "td textarea th time tr ul".split()
)
NONE, OTHER = "-", "other"  # in a path of tags: no element, and one that is known by name only
TARGETS = ("none", "fragment", "script", "up", "root", "beside", "below", "external")
FRAGMENT, _SCRIPT, _UP, _ROOT, _BESIDE, _BELOW, _EXTERNAL = range(1, len(TARGETS))


def parent_tag(pages: Forest) -> Codes:
    """The element right above."""
    return tag_codes()[pages.number[pages.element]]


@shared
def block_tag(pages: Forest) -> Codes:
    """The nearest block-level element."""
    return tag_codes()[pages.number[pages.block_element[pages.element]]]


def tags_above(pages: Forest) -> Finds:
    """The nearest three structural tags together."""
    return _path_finds(structural_tags(pages, 3))


def blocks_above(pages: Forest) -> Finds:
    """The nearest three block-level elements together."""
    return _path_finds(climbed(pages, pages.block_element, 3))


def _path_finds(tags: npt.NDArray[np.int32]) -> Finds:
    """At each node the three tags of its column, as one value."""
    first, second, third = tags.astype(np.uint64)
    key = (first << np.uint64(16)) | (second << np.uint64(8)) | third
    at = np.arange(len(key), dtype=np.int32)
    names = elements.names() | {0: NONE}

    def spell(which: Sequence[int]) -> list[str]:
        return [
            "/".join(names.get(int(key[find]) >> shift & 255, OTHER) for shift in (16, 8, 0))
            for find in which
        ]

    return Finds(at, at + 1, key, spell)


def tags_key(path: str) -> int:
    """The key of three tags."""
    first, second, third = (
        0 if name == NONE else elements.numbers().get(name, elements.CUSTOM_NUMBER)
        for name in path.split("/")
    )
    return first << 16 | second << 8 | third


def _tag_finds(
    pages: Forest, which: npt.NDArray[np.bool_], end: npt.NDArray[np.int32] | None = None
) -> Finds:
    at = np.flatnonzero(which & (pages.end > pages.first))
    key = pages.number[at].astype(np.uint64)
    names = elements.names()
    numbers = key.tolist()
    ends = pages.end[at] if end is None else end[at]
    return Finds(pages.first[at], ends, key, lambda some: [names[numbers[find]] for find in some])


def inside(pages: Forest) -> Finds:
    """The elements with a meaning that enclose the node, however far above."""
    return _tag_finds(pages, pages.named(*SEMANTIC))


def opens(pages: Forest) -> Finds:
    """The block-level elements that begin with this node."""
    return _tag_finds(pages, pages.named(*elements.BLOCK_LEVEL), pages.first + 1)


def closed_before(pages: Forest) -> Finds:
    """The block-level elements that ended between the node before and this one."""
    at = np.flatnonzero(pages.named(*elements.BLOCK_LEVEL) & (pages.end > pages.first))
    at = at[pages.end[at] < len(pages)]
    at = at[pages.page[pages.end[at]] == pages.page[pages.end[at] - 1]]
    names = elements.names()
    key = pages.number[at].astype(np.uint64)
    numbers = key.tolist()
    return Finds(pages.end[at], pages.end[at] + 1, key, lambda some: [names[numbers[find]] for find in some])


def tag_key(name: str) -> int:
    """The key of a tag."""
    return elements.numbers().get(name, 0)


def climb(pages: Forest) -> Codes:
    """How many levels the node lies below the lowest element that it shares with the node before."""
    return np.minimum(bucket(pages.depth[pages.element] - pages.common_depth, (1, 2, 3, 4, 5, 7, 10)), 7)


def descent(pages: Forest) -> Codes:
    """How many levels the node before lies below the lowest element that it shares with this one."""
    depth = pages.depth[pages.element]
    before = np.concatenate(([0], depth[:-1])) if len(depth) else depth
    before = np.where(pages.common_depth > 0, before, 0)  # the first of a page has none before it
    return np.minimum(bucket(before - pages.common_depth, (1, 2, 3, 4, 5, 7, 10)), 7)


@shared
def same_siblings(pages: Forest) -> npt.NDArray[np.int64]:
    """For each element the number of elements with the same parent and name."""
    key = pages.parent.astype(np.int64) * 256 + pages.number
    _, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
    count: npt.NDArray[np.int64] = np.where(
        pages.parent > 0, counts[inverse], 1
    )  # the roots of other pages are no siblings
    return count


def siblings(pages: Forest) -> Codes:
    """How many siblings of the same name the enclosing block-level element has."""
    return bucket(same_siblings(pages)[pages.block_element[pages.element]], NUMBER_BORDERS)


def siblings_above(pages: Forest) -> Codes:
    """The same for the block-level element above that."""
    above = pages.block_element[pages.parent[pages.block_element[pages.element]]]
    return bucket(same_siblings(pages)[above], NUMBER_BORDERS)


@shared
def target(pages: Forest) -> Codes:
    """Where a link leads: to a place in the page (a table of contents), up, beside, below, out of the
    site.
    """
    return pages.of_links(
        [np.array(_targets(page.hrefs, bytes(page.link_kinds)), dtype=np.int8) for page in pages.pages], 0
    )


@shared
def fragment(pages: Forest) -> npt.NDArray[np.bool_]:
    """Whether a node is a link to a place in the page: what ``target`` says of it, without a look at the
    other links.
    """
    return pages.of_links([_fragments(page.hrefs) for page in pages.pages], 0) > 0


def _fragments(hrefs: Sequence[str]) -> npt.NDArray[np.int8]:
    in_c = compiled("ruiji.features.page._links")
    if in_c is not None and isinstance(hrefs, list):
        return np.frombuffer(in_c.fragments(hrefs), dtype=np.int8)
    return fragments_in_python(hrefs)


def fragments_in_python(hrefs: Sequence[str]) -> npt.NDArray[np.int8]:
    """The reference for the loop in C."""
    return np.array(
        [href.startswith("#") or (href[:1].isspace() and href.strip().startswith("#")) for href in hrefs],
        dtype=np.int8,
    )


def _targets(hrefs: Sequence[str], kinds: bytes) -> list[int]:
    external = int(LinkKind.EXTERNAL)
    known: dict[str, int] = {}
    codes = []
    for href, kind in zip(hrefs, kinds, strict=True):
        if kind == external:
            codes.append(_EXTERNAL)
        else:
            code = known.get(href)
            if code is None:
                code = known[href] = _target(href)
            codes.append(code)
    return codes


def _target(href: str) -> int:
    """Where a link inside the site leads."""
    address = href.strip()
    if address.startswith("#"):
        return FRAGMENT
    if address.startswith(".."):
        return _UP
    path = address
    if ":" in address[:12]:  # a scheme; a path with a colon so early is rare
        if not address[:4].lower().startswith("http"):
            return _SCRIPT
        path = address.partition("://")[2].partition("/")[2]
    elif address.startswith("//"):
        path = address[2:].partition("/")[2]
    elif not address:
        return _SCRIPT
    path = path.removeprefix("./").lstrip("/")
    if not path or path.startswith("index."):
        return _ROOT
    return _BELOW if "/" in path else _BESIDE
