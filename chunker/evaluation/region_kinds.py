"""What a region of non-content is: the seven kinds of Nakamura 2007, section 3.1.

Annotations say where a region is, not which kind. The kind is guessed from names, links and words, in the
order of RULES: the first that holds. It is for tables of errors; nothing learns from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ruiji.chunker.labels import LabelArray, regions_of
from ruiji.features.arrays import BoolArray, IntArray
from ruiji.features.nodes.forest import forest
from ruiji.features.nodes.names import HINTS, nearest_hint
from ruiji.features.nodes.tags import FRAGMENT, target
from ruiji.features.page.textnodes import TextNodes

OTHER = "other"

COPYRIGHT = re.compile(
    r"©|\(c\)\s*(?:19|20)\d\d|copyright|all rights reserved|著作権(?!.*について)|無断転載", re.IGNORECASE
)
COUNTER = re.compile(
    r"アクセスカウンタ|カウンター|あなたは|[0-9０-９]\s*(?:人目|番目|hits)|visitors?\b", re.IGNORECASE
)
DIGITS = re.compile(r"[0-9０-９]{2}")
SEARCH = re.compile(r"検索|\bsearch\b", re.IGNORECASE)
ADVERTISEMENT = re.compile(
    r"広告|スポンサー(?:ド)?リンク|\[PR\]|［PR］|【PR】|\bsponsored\b|\badvertisement", re.IGNORECASE
)
CONTENTS = re.compile(r"^\s*(?:目次|もくじ|table of contents|contents|on this page)\b", re.IGNORECASE)
SITE_MAP = re.compile(r"サイトマップ|site\s?map", re.IGNORECASE)

# All of these were set by looking at regions of ja-sites and WCXB; shares are of a region's characters.
NOTICE = 400  # characters: a longer text that names a copyright is something else
# Share of the text nodes that say so. Of 11 unlike regions of ja-sites and 32 of WCXB, notices have 0.3 and
# more, whole footers at most 0.2.
NOTICED = 0.25
COUNTED = 60  # characters of a counter
FORM = 200  # characters of a search form
LINKED = 0.5  # from this share of linked characters on a region is a group of links
NAMED = 0.5  # share of a region that stands in elements named so
FRAGMENTS = 0.5  # share of the links that lead to a place of the same page


@dataclass(frozen=True, slots=True)
class Region:
    """What the rules look at."""

    texts: Sequence[str]
    linked: BoolArray
    fragment: BoolArray
    hint: IntArray

    @property
    def text(self) -> str:
        return " ".join(self.texts)

    @property
    def lengths(self) -> IntArray:
        return np.array([len(text.strip()) for text in self.texts])

    def share_linked(self) -> float:
        return _share(self.lengths, self.linked)

    def named(self, *meanings: str) -> bool:
        """Whether half of it stands in elements whose names mean one of these."""
        numbers = [HINTS.index(meaning) for meaning in meanings]
        return _share(self.lengths, np.isin(self.hint, numbers)) >= NAMED


def is_copyright_notice(region: Region) -> bool:
    if len(region.text) > NOTICE or region.share_linked() >= LINKED:
        return False
    saying = np.array([COPYRIGHT.search(text) is not None for text in region.texts])
    return _share(region.lengths, saying) >= NOTICED


def is_counter(region: Region) -> bool:
    text = region.text
    return len(text) <= COUNTED and bool(COUNTER.search(text)) and bool(DIGITS.search(text))


def is_table_of_contents(region: Region) -> bool:
    links = int(region.linked.sum())
    inner = links > 1 and int((region.fragment & region.linked).sum()) >= FRAGMENTS * links
    named = region.named("contents") or bool(CONTENTS.match(region.text))
    return links > 0 and (named or inner) and region.share_linked() >= LINKED


def is_advertisement(region: Region) -> bool:
    return region.named("advertisement") or bool(ADVERTISEMENT.search(region.text[:NOTICE]))


def is_search_form(region: Region) -> bool:
    return len(region.text) <= FORM and region.named("search") and bool(SEARCH.search(region.text))


def is_site_map(region: Region) -> bool:
    return region.share_linked() >= LINKED and bool(SITE_MAP.match(region.text.strip()))


def is_link_group(region: Region) -> bool:
    return region.share_linked() >= LINKED or region.named("navigation")


RULES: tuple[tuple[str, Callable[[Region], bool]], ...] = (
    ("copyright notice", is_copyright_notice),
    ("counter", is_counter),
    ("search form", is_search_form),
    ("table of contents", is_table_of_contents),
    ("advertisement", is_advertisement),
    ("site map", is_site_map),
    ("link group", is_link_group),
)
KINDS = (*(kind for kind, _ in RULES), OTHER)


def region_kinds(nodes: TextNodes, labels: LabelArray) -> list[tuple[int, int, str]]:
    """The regions of a page (first node, end) with their kinds."""
    regions = regions_of(labels)
    if not regions:
        return []
    pages = forest([nodes])
    linked = np.asarray(pages.link_kind) > 0
    placed = pages.of_links([np.array([href.strip() != "#" for href in nodes.hrefs], dtype=np.int8)], 0) > 0
    fragment = (np.asarray(target(pages)) == FRAGMENT) & placed  # a bare # is a button's
    hint = nearest_hint(pages).astype(np.int32)
    kinds = []
    for start, end in regions:
        own = slice(start, end)
        region = Region(nodes.texts[own], linked[own], fragment[own], hint[own])
        kinds.append((start, end, next((kind for kind, holds in RULES if holds(region)), OTHER)))
    return kinds


def _share(lengths: IntArray, which: BoolArray) -> float:
    total = int(lengths.sum())
    return float(lengths[which].sum() / total) if total else 0.0
