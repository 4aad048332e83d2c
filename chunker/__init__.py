"""Which text of a page is content.

chunker = CrfChunker().fit(pages, labels)          # a scikit-learn estimator over text nodes
mask = chunker.predict_masks([nodes])[0]           # a ContentMask: content, score, who decided
truth = annotated_mask(nodes)                      # what the annotation comments in the page say
mask = BlockRules().predict_masks([nodes])[0]      # the same by rules, with nothing to learn
mask = load_filter("crf", "model/").masks([nodes])[0]
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ruiji.chunker.annotation.reading import AnnotationError, annotated_mask, read_annotation
from ruiji.chunker.annotation.writing import annotate
from ruiji.chunker.block_rules import BlockRules
from ruiji.chunker.crf.folder import ModelError, load_model, save_model
from ruiji.chunker.filters import FILTERS, load_filter
from ruiji.chunker.mask import ContentMask, everything

if TYPE_CHECKING:
    from ruiji.chunker.crf.estimator import CrfChunker
    from ruiji.chunker.crf.svm import AllContent, SvmChunker

# Estimators bring scikit-learn along, which takes a second: they are imported when somebody asks for them.
_ESTIMATORS = {
    "CrfChunker": "ruiji.chunker.crf.estimator",
    "SvmChunker": "ruiji.chunker.crf.svm",
    "AllContent": "ruiji.chunker.crf.svm",
}


def __getattr__(name: str) -> Any:
    if name in _ESTIMATORS:
        return getattr(import_module(_ESTIMATORS[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "FILTERS",
    "AllContent",
    "AnnotationError",
    "BlockRules",
    "ContentMask",
    "CrfChunker",
    "ModelError",
    "SvmChunker",
    "annotate",
    "annotated_mask",
    "everything",
    "load_filter",
    "load_model",
    "read_annotation",
    "save_model",
]
