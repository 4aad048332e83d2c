"""The masks by name, each as a function over a batch of pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

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


def _crf(model: str, digest: str) -> Filter:
    return Filter(load_model(model).predict_masks, named=True, digest=digest)


# Further filters (blocks, unique) join this table as they are built.
FILTERS: Mapping[str, Callable[[str, str], Filter]] = MappingProxyType({"crf": _crf, "none": _none})
LEARNED = frozenset({"crf"})  # those that need a model


def load_filter(name: str, model: str = "") -> Filter:
    """The filter of that name; ``model`` is a path or the name of a shipped model. Raises ModelError."""
    if name not in LEARNED:
        if model:
            raise ModelError(f"the filter {name} takes no model; --model goes with --filter crf")
        return _loaded(name, "", "")
    if not model:
        raise ModelError(f"the filter {name} needs a model: --model PATH, made with ruiji train PAGES -o PATH")
    return _loaded(name, model, model_digest(model))


@lru_cache(maxsize=4)
def _loaded(name: str, model: str, digest: str) -> Filter:
    """A model is loaded once; one that was trained anew in the same place is another."""
    return FILTERS[name](model, digest)
