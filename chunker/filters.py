"""The masks by name, each as a function over a batch of pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from chunker.blocks import BlockRules
from chunker.mask import ContentMask, everything
from chunker.models import ModelError, load_model, model_digest
from features.textnodes import TextNodes


@dataclass(frozen=True, slots=True)
class Filter:
    """What makes masks of text nodes, and whether it wants the names of elements; ``digest`` stands for what it has learned."""

    masks: Callable[[Sequence[TextNodes]], list[ContentMask]]
    named: bool
    digest: str = ""


def _none(model: str, digest: str) -> Filter:
    return Filter(lambda pages: [everything(nodes) for nodes in pages], named=False)


def _blocks(model: str, digest: str) -> Filter:
    return Filter(BlockRules().predict_masks, named=False)


def _crf(model: str, digest: str) -> Filter:
    return Filter(load_model(model).predict_masks, named=True, digest=digest)


def _unique(model: str, digest: str) -> Filter:
    from chunker.extractor_folder import load_extractor  # brings scikit-learn along, which takes a second

    return Filter(load_extractor(model, _by_rules).predict_masks, named=True, digest=digest)


def _by_rules(nodes: TextNodes) -> ContentMask:
    """The mask of a page that is alone on its site."""
    return BlockRules().predict_masks([nodes])[0]


FILTERS: Mapping[str, Callable[[str, str], Filter]] = MappingProxyType({"blocks": _blocks, "crf": _crf, "none": _none, "unique": _unique})
DEFAULT_FILTER = "blocks"  # until a model ships
LEARNED = frozenset({"crf", "unique"})  # those that need a model
COLLECTIVE = frozenset({"unique"})  # those whose model can be made of the very pages that are to be filtered


def load_filter(name: str, model: str = "") -> Filter:
    """The filter of that name; ``model`` is a path or the name of a shipped model. Raises ModelError."""
    if name not in LEARNED:
        if model:
            raise ModelError(f"the filter {name} takes no model; --model goes with --filter crf")
        return _loaded(name, "", "")
    if not model and name in COLLECTIVE:
        raise ModelError(f"the filter {name} learns from a collection: fit an extractor, save it, and give its folder as model")
    if not model:
        raise ModelError(f"the filter {name} needs a model: --model PATH, made with ruiji train PAGES -o PATH")
    return _loaded(name, model, model_digest(model))


@lru_cache(maxsize=4)
def _loaded(name: str, model: str, digest: str) -> Filter:
    """A model is loaded once; one that was trained anew in the same place is another."""
    return FILTERS[name](model, digest)
