from typing import Any

from numpy.typing import NDArray

def columns(
    events: bytes,
    meanings: NDArray[Any],
    anchors: list[int],
    names: list[int],
    descriptions: list[tuple[int, str]],
    /,
) -> tuple[bytes, ...]: ...
