"""Which text of a page is content: text nodes in, a ContentMask out.

Annotated pages become examples (annotation); estimators learn from them or from what repeats on a site (crf
with stack and decoding, unique, self_taught), or rules decide (block_rules); filters give all of them by
name, and evaluation says how good they are.

    chunker = CrfChunker().fit(pages, labels)        # a scikit-learn estimator over text nodes
    mask = chunker.predict_masks([nodes])[0]         # a ContentMask: content, score, who decided
    mask = BlockRules().predict_masks([nodes])[0]    # the same by rules, with nothing to learn
    truth = annotated_mask(nodes)                    # what the annotation comments of the page mark
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ruiji.chunker.annotation.reading import AnnotationError, annotated_mask, read_annotation
    from ruiji.chunker.annotation.writing import annotate
    from ruiji.chunker.block_rules import BlockRules
    from ruiji.chunker.crf.estimator import CrfChunker
    from ruiji.chunker.crf.folder import ModelError, load_model, save_model
    from ruiji.chunker.crf.svm import AllContent, SvmChunker
    from ruiji.chunker.filters import FILTERS, load_filter
    from ruiji.chunker.mask import ContentMask, everything
    from ruiji.chunker.self_taught import SelfTaughtChunker
    from ruiji.chunker.unique.estimator import UniquenessExtractor

# What a room offers here is imported at first use: estimators bring scikit-learn along, which takes a second.
_ROOMS = {
    "annotation.reading": ("AnnotationError", "annotated_mask", "read_annotation"),
    "annotation.writing": ("annotate",),
    "block_rules": ("BlockRules",),
    "crf.estimator": ("CrfChunker",),
    "crf.folder": ("ModelError", "load_model", "save_model"),
    "crf.svm": ("AllContent", "SvmChunker"),
    "filters": ("FILTERS", "load_filter"),
    "mask": ("ContentMask", "everything"),
    "self_taught": ("SelfTaughtChunker",),
    "unique.estimator": ("UniquenessExtractor",),
}
_ROOM_OF_NAME = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _ROOM_OF_NAME:
        return getattr(import_module(f"{__name__}.{_ROOM_OF_NAME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "FILTERS",
    "AllContent",
    "AnnotationError",
    "BlockRules",
    "ContentMask",
    "CrfChunker",
    "ModelError",
    "SelfTaughtChunker",
    "SvmChunker",
    "UniquenessExtractor",
    "annotate",
    "annotated_mask",
    "everything",
    "load_filter",
    "load_model",
    "read_annotation",
    "save_model",
]
