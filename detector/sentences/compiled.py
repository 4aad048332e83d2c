"""The loops over sentences in C, where they were built."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType


@lru_cache(maxsize=1)
def compiled() -> ModuleType | None:
    """The module in C, or None where it was not built."""
    try:
        from ruiji.detector.sentences import _sentences
    except ImportError:
        return None
    return _sentences
