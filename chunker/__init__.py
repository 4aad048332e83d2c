"""Which text of a page is content.

mask = FILTERS["none"](nodes)      # a ContentMask: content, score, who decided
truth = annotated_mask(nodes)      # what the annotation comments in the page say
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from chunker.annotation import AnnotationError, annotated_mask
from chunker.mask import ContentMask, everything
from features.textnodes import TextNodes

# Masks that need nothing but the page. Further filters (blocks, unique, crf) join this table as they are built.
FILTERS: Mapping[str, Callable[[TextNodes], ContentMask]] = MappingProxyType({"none": everything})

__all__ = ["FILTERS", "AnnotationError", "ContentMask", "annotated_mask", "everything"]
