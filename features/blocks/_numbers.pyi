from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

_Numbers = NDArray[Any]

def fill(
    columns: Mapping[str, _Numbers],
    tables: Mapping[str, object],
    title: _Numbers,
    description: _Numbers,
    matrix: _Numbers,
    width: int,
    /,
) -> None: ...
def matches(
    texts: list[str],
    block_start: _Numbers,
    page_start: _Numbers,
    heads: list[Any],
    sizes: tuple[int, ...],
    title: _Numbers,
    description: _Numbers,
    /,
) -> list[int]: ...
