"""Images of a page: which of them belong to the content, and their addresses.

A mask judges text, and an image has none. It belongs to the content where it stands right beside kept text,
or between the headline and the first of it, and is not called what decorates a page.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from ruiji.corpora.c_modules import compiled
from ruiji.features.arrays import BoolArray, FloatArray, LongArray, running_sum, sums_between
from ruiji.features.page import elements
from ruiji.features.page.markup import Markup
from ruiji.features.page.textnodes import TextNodes

# Half of the characters around an image are kept: it is in the midst of content.
MOST = 0.5

# The figures below were chosen by reading what became of the images of 40 pages of WCXB.
_NEAR = 80  # dropped characters between an image and kept text: a credit, a caption, a button
_LONGEST_CAPTION = 200  # dropped characters beside an image in its own frame: with more it is another piece
_FAR_FROM_HEADLINE = 400  # dropped characters from the headline to the text: by-line, date, tags
_FARTHEST = _FAR_FROM_HEADLINE + _LONGEST_CAPTION + 1000  # with a caption of its own: none is kept beyond
_WIDE = 300  # pixels: an image below the headline that is more than a portrait
_ICON, _LINE = 48, 24  # pixels: narrower images are icons, lower ones as well
# Attributes in which pages keep the address of an image until it is looked at, and the one shown then.
_SOURCES = ("data-src", "data-lazy-src", "data-original", "data-lazy", "src")
_SETS = ("srcset", "data-srcset")
_CANDIDATE = re.compile(r"([^\s,]\S*)(?:\s+(\d{1,5}(?:\.\d{1,3})?)[wx])?\s*(?:,|$)")

# Words in the names of frames around images that are not part of what is said, and how others begin.
_ASIDE = frozenset(
    (
        "menu social share sharing logo icon icons avatar banner ad ads related author byline masthead "
        "footer header newsletter subscribe breadcrumb breadcrumbs emoji gravatar badge"
    ).split()
)
_ASIDE_STARTS = ("nav", "sidebar", "advert", "promo", "sponsor")
_BETWEEN_WORDS = str.maketrans("-_", "  ")
_ASIDE_TAGS = frozenset("nav aside header footer button form label".split())
# Folders and names of files that hold decoration.
_DECORATION = re.compile(
    r"/(?:icons?(?:-[\w-]+)?|buttons?|avatars?|emojis?|smil(?:ies|eys?)|flags\d*|ranks|badges|favicons?)/"
    r"|/(?:spacer|pixel|blank|transparent|empty|loading|(?:ajax-|pre)?loader|spinner|placeholder|clear|1x1|dot)"
    r"[\w.-]*\.(?:gif|png|svg)$",
    re.IGNORECASE,
)
_PORTRAIT = re.compile(r"\b(?:avatar|gravatar|profile (?:photo|picture|image))\b", re.IGNORECASE)
_PIXELS = re.compile(r"\s*(\d{1,5})(?:\.\d+)?(?:px)?\s*")
_HOME = re.compile(r"\s*(?:(?:https?:)?//[^/]*/?|/|#.*|(?:\.{0,2}/)*index\.html?)\s*")
_NO_ATTRIBUTES: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class KeptImage:
    """An image with the elements around it up to the first that has kept text, and the texts of its
    caption.
    """

    elements: tuple[int, ...]
    caption: tuple[slice, ...]


def address_of(attributes: Mapping[str, str]) -> str:
    """The address of an image as its element has it, also of one that a script would load; empty where it is
    in the page itself.
    """
    for name in _SOURCES:
        address = attributes.get(name, "").strip()
        if address and not address.startswith("data:"):
            return address
    return next((largest for name in _SETS if (largest := _largest(attributes.get(name, "")))), "")


def _largest(srcset: str) -> str:
    """The address of the largest image of a set, the first of these; addresses may have commas."""
    best, size = "", -1.0
    for address, given in _CANDIDATE.findall(srcset):
        if float(given or 1) > size and not address.startswith("data:"):
            best, size = address.rstrip(","), float(given or 1)
    return best


def is_tex(text: str) -> bool:
    """Whether the alternative text of an image is a formula."""
    return bool(re.search(r"\\[a-zA-Z]+|[\^_]\{|^\$.*\$$|\^\d", text))


def is_decoration(attributes: Mapping[str, str]) -> bool:
    """Whether an image is too small to say anything, shows who writes, or has the address of decoration."""
    return _says_nothing(attributes) or _DECORATION.search(_path_of(address_of(attributes))) is not None


def _says_nothing(attributes: Mapping[str, str]) -> bool:
    """Whether an image is too small to say anything, or shows who writes."""
    if _is_below(attributes.get("width"), _ICON) or _is_below(attributes.get("height"), _LINE):
        return True
    alt = attributes.get("alt", "").strip()
    return bool(alt) and (
        _PORTRAIT.search(alt) is not None or not any(map(str.isalnum, alt))  # an arrow, a bullet
    )


def _path_of(address: str) -> str:
    """An address without what is asked and the place in the page."""
    return address.partition("?")[0].partition("#")[0]


def _is_below(text: str | None, least: int) -> bool:
    """Whether a text gives fewer pixels than so many."""
    pixels = _pixels(text) if text else None
    return pixels is not None and pixels < least


def _pixels(text: str) -> int | None:
    digits = _PIXELS.fullmatch(text) if text else None
    return int(digits.group(1)) or None if digits else None  # 0 says that a style tells it


def _leads_home(href: str) -> bool:
    """Whether a link leads to a front page or within the page: its image is a logo or an arrow."""
    return _HOME.fullmatch(href) is not None


@cache
def _aside_flags() -> bytes:
    """Of each number of an element whether it is one of those beside the content."""
    numbers = elements.numbered(_ASIDE_TAGS)
    return bytes(number in numbers for number in range(elements.CUSTOM_NUMBER + 1))


@lru_cache(maxsize=4096)  # elements share their names
def _is_called_aside(names: str) -> bool:
    words = names.lower().replace("side-bar", "sidebar").translate(_BETWEEN_WORDS).split()
    return not _ASIDE.isdisjoint(words) or any(
        word.startswith(_ASIDE_STARTS) and word.isalnum() for word in words
    )


class ImageFinder:
    """Finds the images of a page that belong to its content; ``keep`` are the kept texts."""

    def __init__(self, nodes: TextNodes, markup: Markup, keep: BoolArray, lengths: LongArray) -> None:
        self._nodes, self._markup = nodes, markup
        self._first, self._end, self._parent = nodes.first.data, nodes.end.data, nodes.parent.data
        self._lengths: FloatArray = running_sum(lengths)
        inside = sums_between(np.where(keep, lengths, 0), nodes.first, nodes.end)
        self.has_text: BoolArray = inside > 0
        self._has_text = self.has_text.tobytes()
        self._opened = markup.opened.data
        self._most: BoolArray = inside >= MOST * (self._lengths[nodes.end] - self._lengths[nodes.first])
        self._headline = self._headline_end(keep)
        self._kept_texts = keep.nonzero()[0]
        self._places, self._characters = self._kept_texts.data, self._lengths.data
        numbers = elements.numbers()
        self._number = nodes.number.data
        self._anchor, self._figure, self._picture = numbers["a"], numbers["figure"], numbers["picture"]
        self._aside_tags = elements.numbered(_ASIDE_TAGS)

    def images(self) -> list[KeptImage]:
        """The images that are content, in order; one that a page shows twice at a place counts once."""
        kept: list[KeptImage] = []
        last, shown = (-1, ""), set[tuple[int, str]]()
        for element, image in self._near():
            own = self._attributes(element)
            address = address_of(own)
            number, path = bisect_left(self._places, self._first[element]), _path_of(address)
            place = (number, path)
            is_left_out = (
                not address
                or place == last
                or (number, address) in shown
                or _says_nothing(own)
                or _DECORATION.search(path) is not None
            )
            if is_left_out and not is_tex(own.get("alt", "")):
                continue
            kept.append(image)
            last = place
            shown.add((number, address))
        return kept

    def _near(self) -> Iterator[tuple[int, KeptImage]]:
        """The images that stand beside kept text or below the headline, each with what is around it."""
        candidates, nodes, markup = self._candidates(), self._nodes, self._markup
        decided: list[tuple[int, tuple[int, ...] | None]]
        in_c = compiled("ruiji.chunker.document._images")
        if in_c is None:
            decided = [(image, None) for image in candidates.tolist()]
        else:
            decided = in_c.near_images(
                candidates, nodes.first, nodes.end, nodes.parent, markup.opened, nodes.number,
                self._has_text, self._most, self._places, self._characters, _aside_flags(),
                self._headline, self._anchor, self._figure, (_NEAR, _LONGEST_CAPTION, _FAR_FROM_HEADLINE),
                markup.attributes, _leads_home, _is_called_aside,
            )  # fmt: skip
        for element, chain in decided:
            image = self._kept(element) if chain is None else KeptImage(chain, ())
            if image is not None:
                yield element, image

    def _candidates(self) -> LongArray:
        """The images that are not far from all kept text, whatever frame they are in."""
        images: LongArray = (self._nodes.number == elements.numbers()["img"]).nonzero()[0]
        if not len(images) or not len(self._kept_texts):
            return images[:0]
        first = self._nodes.first[images]
        places = self._kept_texts
        place = places.searchsorted(first)
        last = np.where(place > 0, places[place - 1] + 1, max(self._headline, 0))
        next_ = places[np.minimum(place, len(places) - 1)]
        before = self._lengths[first] - self._lengths[last]
        behind = np.where(place < len(places), self._lengths[next_] - self._lengths[first], np.inf)
        chosen: LongArray = images[np.minimum(before, behind) <= _FARTHEST]
        return chosen

    def around(self, element: int) -> tuple[list[int], int]:
        """An element and those around it without kept text, and the first that has some, or -1."""
        chain: list[int] = []
        while element >= 0 and not self._has_text[element]:
            chain.append(element)
            element = self._parent[element]
        return chain, element

    def is_in_content(self, chain: list[int], above: int) -> bool:
        """Whether elements without kept text stand in the midst of content."""
        return above >= 0 and bool(self._most[above]) and not any(map(self._is_aside, chain))

    def _kept(self, element: int) -> KeptImage | None:
        chain, above = self.around(element)
        if above < 0:
            return None
        if not chain:  # an image that has text: alternative content
            return KeptImage((), ())
        outermost = chain[-1]
        first, end = self._first[outermost], self._end[outermost]
        before, behind = self._distances(first, end)
        is_near = min(before, behind) <= _NEAR and self._most[above]
        if not is_near and behind > _FAR_FROM_HEADLINE:
            return None
        captions = self._captions(chain)
        beside = self._sum(first, end) - sum(self._sum(part.start, part.stop) for part in captions)
        if (
            beside <= _LONGEST_CAPTION
            and (is_near or self._is_below_headline(element, chain, behind))
            and not any(map(self._is_aside, chain))
        ):
            return KeptImage(tuple(chain), captions)
        return None

    def _captions(self, chain: list[int]) -> tuple[slice, ...]:
        """The texts of the captions of the figure that an image is in."""
        number = elements.numbers()["figcaption"]
        for element in chain:
            if self._number[element] == self._figure:
                end = element + 1
                while end < len(self._parent) and self._first[end] < self._end[element]:
                    end += 1
                inside = [other for other in range(element, end) if self._nodes.number[other] == number]
                return tuple(slice(self._first[other], self._end[other]) for other in inside)
        return ()

    def _distances(self, first: int, end: int) -> tuple[float, float]:
        """The dropped characters up to the kept text, or the headline, before and behind some texts."""
        place = bisect_left(self._places, first)
        last = self._places[place - 1] + 1 if place else self._headline
        before = self._sum(last, first) if 0 <= last <= first else np.inf
        place = bisect_left(self._places, end)
        behind = self._sum(end, self._places[place]) if place < len(self._places) else np.inf
        return before, behind

    def _is_below_headline(self, element: int, chain: list[int], behind: float) -> bool:
        """Whether a large image stands between the headline and the text."""
        if not 0 <= self._headline <= self._first[element]:
            return False
        if bisect_left(self._places, self._first[element]) and self._places[0] >= self._headline:
            return False  # there is text above it already
        own = self._attributes(element)
        width = _pixels(own.get("width", ""))
        is_large = (
            width is None and any(self._number[other] in (self._figure, self._picture) for other in chain)
        ) or (width is not None and width >= _WIDE)
        return is_large and behind <= _FAR_FROM_HEADLINE

    def _headline_end(self, keep: BoolArray) -> int:
        """Where the last headline ends that stands before all kept text or begins it, or -1."""
        if not keep.any():
            return -1
        first = int(np.argmax(keep))
        headlines = (self._nodes.number == elements.numbers()["h1"]).nonzero()[0].tolist()
        ends = [self._end[element] for element in headlines if self._first[element] <= first]
        return ends[-1] if ends and ends[-1] else -1

    def _is_aside(self, element: int) -> bool:
        """Whether an element without kept text is called what stands beside the content; what holds the
        headline is not.
        """
        own = self._attributes(element)
        number = self._number[element]
        if number == self._anchor and _leads_home(own.get("href", "")):
            return True
        aside = number in self._aside_tags or _is_called_aside(f"{own.get('class', '')} {own.get('id', '')}")
        return aside and not self._first[element] < self._headline <= self._end[element]

    def _attributes(self, element: int) -> Mapping[str, str]:
        return self._markup.attributes.get(self._opened[element], _NO_ATTRIBUTES)

    def _sum(self, first: int, end: int) -> float:
        return self._characters[end] - self._characters[first]
