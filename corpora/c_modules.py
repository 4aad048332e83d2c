"""The modules in C, which an install without a compiler does not have. Imports nothing of the project."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType


@cache
def compiled(name: str) -> ModuleType | None:
    """The module in C of that name, or None where it was not built: then Python and NumPy do the same.

    >>> compiled("ruiji.corpora._nothing") is None
    True
    """
    try:
        return import_module(name)
    except ImportError:
        return None
