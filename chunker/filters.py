"""The masks by name, each as a function over a batch of pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from ruiji.chunker.conventions import AUTO
from ruiji.chunker.crf.folder import ModelError, load_labeller, model_digest
from ruiji.chunker.mask import ContentMask, everything
from ruiji.corpora.errors import SettingError
from ruiji.features.page.textnodes import TextNodes

if TYPE_CHECKING:  # with all that decodes
    from ruiji.chunker.crf.labeller import Labeller


@dataclass(frozen=True, slots=True)
class Filter:
    """What makes masks of text nodes, and whether it wants the names of elements; ``digest`` stands for what
    it has learned.
    """

    masks: Callable[[Sequence[TextNodes]], list[ContentMask]]
    named: bool
    digest: str = ""
    # The same without labels of regions, which most have no use for; None where that saves nothing
    content: Callable[[Sequence[TextNodes]], list[ContentMask]] | None = None

    def masks_for(self, pages: Sequence[TextNodes], regions: bool) -> list[ContentMask]:
        """The masks, with labels of regions where they are wanted and there are any."""
        return (self.masks if regions or self.content is None else self.content)(pages)


@dataclass(frozen=True, slots=True)
class FilterSource:
    """What a filter is made of: the model, a digest of what it has learned, what decides where it cannot,
    whether each page is judged by itself, and if not the folder with what is known of the sites of the pages
    (``chunker.site``), where something is; and what annotators are to be followed.
    """

    model: str = ""
    digest: str = ""
    fallback: str = ""
    alone: bool = False
    sites: str = ""
    convention: str = AUTO


def _none(source: FilterSource) -> Filter:
    return Filter(lambda pages: [everything(nodes) for nodes in pages], named=False)


def _blocks(source: FilterSource) -> Filter:
    from ruiji.chunker.block_rules import BlockRules

    return Filter(BlockRules().predict_masks, named=False)


@lru_cache(maxsize=4)
def _labeller(model: str, digest: str) -> Labeller:
    """A model, read once whatever is known of the sites; ``digest`` stands for what it has learned."""
    return load_labeller(model)


def _crf(source: FilterSource) -> Filter:
    masks = replace(_labeller(source.model, source.digest), convention=source.convention).masks
    if source.sites:
        from ruiji.chunker.site.evidence import SiteEvidence

        masks = partial(masks, shift=SiteEvidence.load(Path(source.sites)).shift)
    digest = source.digest + " alone" * source.alone
    if source.convention != AUTO:
        digest += f" {source.convention}"
    return Filter(masks, named=True, digest=digest, content=partial(masks, regions=False))


def _unique(source: FilterSource) -> Filter:
    from ruiji.chunker.unique.folder import load_extractor  # brings scikit-learn along, which takes a second
    from ruiji.chunker.unique.known_masks import KnownMasks

    other = fallback_filter(source.fallback)
    extractor = load_extractor(source.model, lambda nodes: other.masks([nodes])[0])
    known = KnownMasks.load(Path(source.model))
    masks = partial(known.masks, extractor=extractor)
    return Filter(masks, named=True, digest=f"{source.digest} {source.fallback} {other.digest}".strip())


def fallback_filter(fallback: str) -> Filter:
    """The filter for pages that are alone on their site: its name, with the model after a colon. Raises
    ModelError.
    """
    name, _, model = (fallback or DEFAULT_FALLBACK).partition(":")
    if name not in FILTERS or name in COLLECTIVE:
        there = ", ".join(sorted(FILTERS.keys() - COLLECTIVE))
        raise ModelError(f"no fallback {name!r}; there are {there}, a model after a colon: crf:MODEL")
    return load_filter(name, model)


FILTERS: Mapping[str, Callable[[FilterSource], Filter]] = MappingProxyType(
    {"blocks": _blocks, "crf": _crf, "none": _none, "unique": _unique}
)
DEFAULT_FALLBACK = "blocks"  # of a page that is alone on its site
DEFAULT_FILTER = "crf"
DEFAULT_MODEL = "default"  # the shipped one that serves all languages
LEARNED = frozenset({"crf", "unique"})  # those that take a model
COLLECTIVE = frozenset({"unique"})  # those whose model can be made of the very pages that are to be filtered


def load_filter(
    name: str,
    model: str = "",
    fallback: str = "",
    alone: bool = False,
    sites: str = "",
    convention: str = AUTO,
) -> Filter:
    """The filter of that name; ``model`` is a path or the name of a shipped model.

    ``fallback`` is for a filter that compares pages: what decides where there is nothing to compare with.
    ``alone``, ``sites`` and ``convention`` are for a learned model: whether it judges each page by itself,
    the folder with what it is to know of the sites, and by which convention it answers.
    Raises ModelError, or SettingError where the settings do not go together.
    """
    if fallback and name not in COLLECTIVE:
        raise SettingError(
            f"the filter {name} takes no fallback; ‹fallback› goes with "
            f"‹filter={', '.join(sorted(COLLECTIVE))}›"
        )
    if name not in LEARNED:
        if model:
            raise SettingError(f"the filter {name} takes no model; ‹model› goes with ‹filter=crf›")
        return _loaded(name, FilterSource())
    if not model and name in COLLECTIVE:
        raise ModelError(
            f"the filter {name} learns from a collection: fit an extractor, save it, and give its folder "
            "as model"
        )
    model = model or DEFAULT_MODEL
    return _loaded(name, FilterSource(model, model_digest(model), fallback, alone, sites, convention))


@lru_cache(maxsize=4)
def _loaded(name: str, source: FilterSource) -> Filter:
    """A model is loaded once; one that was trained anew in the same place is another."""
    return FILTERS[name](source)
