"""Which text of a page is content.

chunker = CrfChunker().fit(pages, labels)          # a scikit-learn estimator over text nodes
mask = chunker.predict_masks([nodes])[0]           # a ContentMask: content, score, who decided
truth = annotated_mask(nodes)                      # what the annotation comments in the page say
mask = BlockRules().predict_masks([nodes])[0]      # the same by rules, with nothing to learn
mask = load_filter("crf", "model/").masks([nodes])[0]
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from chunker.annotating import annotate
from chunker.annotation import AnnotationError, annotated_mask, read_annotation
from chunker.blocks import BlockRules
from chunker.filters import FILTERS, load_filter
from chunker.mask import ContentMask, everything
from chunker.models import ModelError, load_model, save_model

if TYPE_CHECKING:
    from chunker.crf import CrfChunker
    from chunker.svm import AllContent, SvmChunker

# Estimators bring scikit-learn along, which takes a second: they are imported when somebody asks for them.
_ESTIMATORS = {"CrfChunker": "chunker.crf", "SvmChunker": "chunker.svm", "AllContent": "chunker.svm"}


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
