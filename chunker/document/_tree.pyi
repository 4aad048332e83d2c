from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from ruiji.chunker.document.nodes import NodeInPython as Node

def grow(
    events: bytes,
    opened: NDArray[Any],
    closed: NDArray[Any],
    kept: NDArray[Any],
    keep: NDArray[Any],
    texts: list[str],
    attributes: object,
    blanks: Mapping[int, str],
    unseen: Mapping[int, str],
    customs: Mapping[int, str],
    names: tuple[str | None, ...],
    kinds: bytes,
    deepest: int,
    /,
) -> Node: ...
