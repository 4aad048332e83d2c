"""The rule of block uniqueness, fitted to pages and asked for masks (``estimator`` has what users see)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from ruiji.chunker.mask import ContentMask, everything
from ruiji.chunker.unique.explanation import BlockExplanation
from ruiji.chunker.unique.keys import mixed_keys
from ruiji.chunker.unique.near_index import KeysOf, NearIndex, presence, vectors_of
from ruiji.chunker.unique.page_blocks import PageBlocks, page_blocks
from ruiji.chunker.unique.scores import ScoreRule
from ruiji.chunker.unique.template import (
    OPEN,
    PageKeys,
    PlaceFilling,
    common_words,
    learn_places,
    page_keys,
)
from ruiji.chunker.unique.twins import find_twins, twins_of
from ruiji.chunker.unique.view import PageView, repeated_keys, share_of_most
from ruiji.features.arrays import BoolArray, FloatArray, IntArray
from ruiji.features.page.textnodes import TextNodes

NodeScores = npt.NDArray[np.float32]

PLAIN = dict.fromkeys(("duplicates", "dates", "shares", "places"), False)  # the rule as published
DECIDED_BY = "unique"  # who decided a mask, where pages could be compared
THRESHOLD = 0.9  # cosine above which blocks match (section 3.2.5)
SHARE = 0.5  # of the site's other pages; our measurement: 0.2 and 0.5 differ by 0.03 at most, 0.5 is better
SEVERAL = (
    2  # other pages that have a text for it to say something of its place, where there are as many to spare
)
# Of a page's own characters, those that differ from other pages by counts alone; above this share the page
# tells by numbers. Our choice.
COUNTS_SHARE = 0.2


class Uniqueness:
    """What UniquenessExtractor does, without scikit-learn, which takes longer to import than a hundred pages
    take. X is a sequence of TextNodes, read with the names of their elements.

    ``threshold`` is the cosine above which two blocks match; equal blocks always do. ``fallback`` gives the
    mask of a page that is alone on its site, or of a site that was not learned. The rest are improvements on
    the paper's rule, each of which can be switched off:

    - ``duplicates``: pages with the same article, or that contain each other, are found first and not
      compared.
    - ``dates``: by-lines stay content though other pages have the same date; a template around a date or a
      count is one template.
    - ``shares``: a block is left out when ``share`` of the site's other pages have it at the same place, not
      when any page has it; and it stays where it is surrounded by content, as headings and stock phrases are,
      unless nearly all pages have it. A heading of content stays even then, and so do the labels of notes and
      tables, which come back between content.
    - ``places``: a place (path of tags and class names) that on most pages of the site holds nothing but
      links and what other pages, or the same page again, have there is left out as a whole, so also what
      differs from page to page in it. For a list of links a few pages will do, unless the list is what its
      pages are for; and what is called by the same class elsewhere is the same.
    """

    def __init__(
        self,
        threshold: float = THRESHOLD,
        share: float = SHARE,
        duplicates: bool = True,
        dates: bool = True,
        shares: bool = True,
        places: bool = True,
        fallback: Callable[[TextNodes], ContentMask] = everything,
    ) -> None:
        self.threshold = threshold
        self.share = share
        self.duplicates = duplicates
        self.dates = dates
        self.shares = shares
        self.places = places
        self.fallback = fallback

    def fit(
        self,
        X: Iterable[TextNodes],  # noqa: N803  scikit-learn's name
        y: Any = None,
        groups: Sequence[Hashable] | None = None,
        names: Sequence[str] | None = None,
    ) -> Self:
        """Learns what repeats. Pages of one of the ``groups`` are not compared with each other; ``names`` are
        what explain calls them.
        """
        return self.fit_blocks([page_blocks(nodes) for nodes in X], groups, names)

    def fit_blocks(
        self,
        pages: Sequence[PageBlocks],
        groups: Sequence[Hashable] | None = None,
        names: Sequence[str] | None = None,
    ) -> Self:
        """The same from the blocks of pages, which are much smaller than their text nodes."""
        self._learn(pages, groups, names)
        return self

    def fit_scores(
        self,
        pages: Sequence[PageBlocks],
        groups: Sequence[Hashable] | None = None,
        names: Sequence[str] | None = None,
    ) -> list[NodeScores | None]:
        """The scores of the nodes of each page, which are those of its mask, once all are learned; None for a
        page that the fallback judges, and for all where a cosine decides.
        """
        views = self._learn(pages, groups, names)
        if not self.shares:
            return [None] * len(views)
        return [self._node_scores(view) if self._is_compared(view) else None for view in views]

    def _learn(
        self, pages: Sequence[PageBlocks], groups: Sequence[Hashable] | None, names: Sequence[str] | None
    ) -> list[PageView]:
        """Learns what repeats; returns the pages as the collection sees them."""
        self._check_settings()
        for given, what in ((groups, "groups"), (names, "names")):
            if given is not None and len(given) != len(pages):
                raise ValueError(f"{len(pages)} pages, but {what} of {len(given)}")
        self.hosts_ = sorted({page.host for page in pages})
        number = self._host_numbers()
        self.names_ = [f"page {place + 1}" for place in range(len(pages))] if names is None else list(names)
        self.site_ = np.array([number[page.host] for page in pages], dtype=np.int32)
        self.site_pages_ = np.bincount(self.site_, minlength=len(self.hosts_)).astype(np.int32)
        self.digest_ = np.array([page.digest for page in pages], dtype=np.uint64)
        self.vectors_ = vectors_of(pages)
        self.twins_ = find_twins(pages, self.vectors_, self.site_, self.site_pages_, groups, self.duplicates)
        self.words_ = common_words(pages, self.site_pages_[self.site_])
        keys = [page_keys(page, self.words_, self.dates) for page in pages]
        self.seen_ = presence([own.all() for own in keys])
        keys_of = self.seen_.remembering()
        views = [
            self._view(page, own, number, self.twins_.of(number), keys_of)
            for number, (page, own) in enumerate(zip(pages, keys, strict=True))
        ]
        self.places_ = learn_places([view.place for view in views if view.compared], self.site_pages_)
        return views

    def predict_masks(self, X: Sequence[TextNodes]) -> list[ContentMask]:  # noqa: N803
        """The content mask of each page, in the collection or not; a page is known again by its blocks."""
        self._check_fitted()
        self._check_settings()
        judged = [nodes for nodes in X if self.may_compare(nodes.host)]
        views = [self._seen(page_blocks(nodes)) for nodes in judged]
        matched: Sequence[BoolArray | None] = [None] * len(views) if self.shares else self._matched(views)
        masks = map(self._mask, judged, views, matched)
        return [next(masks) if self.may_compare(nodes.host) else self._mask_alone(nodes) for nodes in X]

    def may_compare(self, host: str) -> bool:
        """Whether there may be pages that one of this host is compared with."""
        return self.is_plain() or host in self._host_numbers()

    def _mask(self, nodes: TextNodes, view: PageView, matched: BoolArray | None) -> ContentMask:
        if not self._is_compared(view):
            return self._mask_alone(nodes)
        score = self._node_scores(view, matched)
        return ContentMask(score > 0.5, score, DECIDED_BY)

    def _mask_alone(self, nodes: TextNodes) -> ContentMask:
        """The mask of a page that nothing can be compared with: that of the fallback."""
        other = self.fallback(nodes)
        return ContentMask(
            other.content, other.score, f"{DECIDED_BY}: alone, {other.decided_by}", other.labels
        )

    def _node_scores(self, view: PageView, matched: BoolArray | None = None) -> NodeScores:
        """The score of each node; ``matched`` are the blocks that match another's by cosine, where that
        decides.
        """
        repeated = view.share >= self.share if matched is None else matched
        return self._rule().block_scores(view, repeated)[view.blocks.block].astype(np.float32)

    def _rule(self) -> ScoreRule:
        return ScoreRule(self.share, self.shares, self.places_ if self.places else None)

    def _is_compared(self, view: PageView) -> bool:
        """Whether there is a page to compare with: one of the site, or by the plain rule, which compares
        across sites (section 3.2.1), any.
        """
        return view.compared > 0 or (self.is_plain() and len(self.names_) > len(view.left_out))

    def is_plain(self) -> bool:
        """Whether this is the rule as published."""
        return not (self.duplicates or self.dates or self.shares or self.places)

    def predict(self, X: Sequence[TextNodes]) -> list[BoolArray]:  # noqa: N803
        """Whether each node of each page is content."""
        return [mask.content for mask in self.predict_masks(X)]

    def _seen(self, page: PageBlocks) -> PageView:
        """A page as the collection sees it."""
        same = np.flatnonzero(self.digest_ == page.digest)
        keys = page_keys(page, self.words_, self.dates)
        if len(same):
            number = int(same[0])
            return self._view(page, keys, number, self.twins_.of(number), self.seen_.keys_of)
        known = self._host_numbers().get(page.host, -1)
        twins = np.zeros(0, dtype=np.int32)
        if self.duplicates:
            pages = int(self.site_pages_[known]) if known >= 0 else 0
            twins = twins_of(page, self.vectors_, self.twins_, self.site_, known, pages)
        return self._view(page, keys, None, twins, self.seen_.keys_of)

    def _view(
        self, page: PageBlocks, keys: PageKeys, number: int | None, twins: IntArray, keys_of: KeysOf
    ) -> PageView:
        """How many of the pages that a page is compared with have its texts and blocks."""
        site = self._host_numbers().get(page.host, -1)
        left_out = np.sort(twins if number is None else np.append(twins, np.int32(number)))
        own_site = left_out[self.site_[left_out] == site]
        compared = (int(self.site_pages_[site]) if site >= 0 else 0) - len(own_site)
        whole = max(compared, 1)
        left = keys_of(own_site)
        here, anywhere, placed, block = (
            self.seen_.others(part, left) / whole
            for part in (keys.here, keys.anywhere, keys.placed, keys.block)
        )
        here = self._whatever_counts(page, keys, here, left, whole)
        byline = page.byline if self.dates else np.zeros(len(page), dtype=np.bool_)
        of_node = page.block
        # One other page may be a second edition that is too short to be known as such.
        several = (min(SEVERAL, max(compared - 1, 1)) - 0.5) / whole
        seen = (here > several) | ((anywhere > several) & ~page.heading[of_node])
        again = (
            repeated_keys(mixed_keys(keys.element[page.element][of_node], page.text)) & ~page.heading[of_node]
        )
        filling, recurring = (
            page.chars * (page.linked | (repeats & ~byline[of_node])) for repeats in (seen, seen | again)
        )
        place = PlaceFilling(site, keys, page, filling, recurring)
        # Every page has a by-line at that place once its date is masked; how many have this very date is what
        # counts.
        share = (
            np.where(byline, placed, np.maximum(placed, share_of_most(page, here))) if self.places else block
        )
        return PageView(page, keys, place, share, byline, twins, left_out, compared)

    def _whatever_counts(
        self, page: PageBlocks, keys: PageKeys, here: FloatArray, left_out: IntArray, whole: int
    ) -> FloatArray:
        """The share of pages that have each text here, numbers of visitors and the like aside; but not where
        the page tells by numbers.
        """
        differ = np.flatnonzero(keys.counted != keys.here)
        if not len(differ):
            return here
        counted = here.copy()
        counted[differ] = np.maximum(here[differ], self.seen_.others(keys.counted[differ], left_out) / whole)
        own = here < self.share
        by_counts = int(page.chars[own & (counted >= self.share)].sum())
        return counted if by_counts <= COUNTS_SHARE * int(page.chars[own].sum()) else here

    def _matched(self, views: Sequence[PageView]) -> list[BoolArray]:
        """Whether each block of each page matches one of a page that it is compared with, by cosine."""
        index = self._index()
        asked: dict[int, list[tuple[int, int]]] = {}
        matched = [np.zeros(len(view.blocks), dtype=np.bool_) for view in views]
        for number, view in enumerate(views):
            for block, vector in enumerate(view.blocks.vector.tolist()):
                asked.setdefault(vector, []).append((number, block))
        left_out = [set(view.left_out.tolist()) for view in views]
        for places in asked.values():
            number, block = places[0]
            page = views[number].blocks
            enough = 1 + max(len(left_out[number]) for number, _ in places)
            pages = self._pages_with(index, page, block, enough)
            for number, block in places:
                matched[number][block] = not pages <= left_out[number] and not views[number].byline[block]
        return matched

    def _host_numbers(self) -> dict[str, int]:
        """The number of each host, made when first wanted: a list of many hosts is slow to search."""
        made: tuple[list[str], dict[str, int]] | None = getattr(self, "_made_numbers", None)
        if made is None or made[0] is not self.hosts_:
            numbers = {host: place for place, host in enumerate(self.hosts_)}
            made = self._made_numbers = (self.hosts_, numbers)
        return made[1]

    def _index(self) -> NearIndex:
        """The index over what was learned, made when first wanted; it says nothing that the vectors do
        not.
        """
        made: NearIndex | None = getattr(self, "_made_index", None)
        if made is None or made.vectors is not self.vectors_ or made.threshold != self.threshold:
            made = self._made_index = NearIndex(self.vectors_, self.threshold)
        return made

    def _pages_with(self, index: NearIndex, page: PageBlocks, block: int, enough: int) -> set[int]:
        """The pages that have a block or one like it; all of them, or some when there are ``enough``."""
        key = page.vector[block]
        at = int(self.vectors_.key.searchsorted(key))
        exact = np.array(
            [at] if at < len(self.vectors_) and self.vectors_.key[at] == key else [], dtype=np.int32
        )
        pages = set(self.vectors_.pages(exact).tolist())
        if len(pages) < enough and not index.lonely[exact].any():
            span = slice(page.at[block], page.at[block + 1])
            for some in index.search(index.query(page.keys[span], page.counts[span])):
                pages.update(self.vectors_.pages(some).tolist())
                if len(pages) >= enough:
                    break
        return pages

    def explain(self, nodes: TextNodes, node: int) -> BlockExplanation:
        """Which other pages have the block of a node, how many of the site's, and at which place."""
        self._check_fitted()
        (mask,) = self.predict_masks([nodes])
        view = self._seen(page_blocks(nodes))
        page = view.blocks
        block = int(page.block[node])
        index = self._index()
        others = sorted(
            self._pages_with(index, page, block, len(self.site_) + 1) - set(view.left_out.tolist())
        )
        kind, fill = self._rule().places_of(view)
        return BlockExplanation(
            text=nodes.shown_text(np.isin(np.arange(len(nodes)), np.flatnonzero(page.block == block))),
            content=bool(mask.content[node]),
            score=float(mask.score[node]),
            decided_by=mask.decided_by,
            path=nodes.path(node),
            share=float(view.share[block]),
            compared=view.compared,
            pages=[self.names_[other] for other in others],
            twins=[self.names_[other] for other in view.twins.tolist()],
            byline=bool(view.byline[block]),
            template_place=bool(kind[block] > OPEN),
            fill=float(fill[block]),
        )

    def settings(self) -> dict[str, Any]:
        """What a copy is made with, but for the fallback."""
        return {name: getattr(self, name) for name in ("threshold", "share", *PLAIN)}

    def _check_fitted(self) -> None:
        if not hasattr(self, "places_"):
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(f"{type(self).__name__} has not learned any pages yet; call fit first")

    def _check_settings(self) -> None:
        for name, value in (("threshold", self.threshold), ("share", self.share)):
            if not 0 < value <= 1:
                raise ValueError(f"{name} must be above 0 and at most 1, not {value}")
