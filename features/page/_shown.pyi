from typing import Any

from numpy.typing import NDArray

def shown_text(
    texts: list[str],
    flags: NDArray[Any],
    lines: NDArray[Any],
    keep: NDArray[Any],
    space_before: int,
    preformatted: int,
    /,
) -> str: ...
