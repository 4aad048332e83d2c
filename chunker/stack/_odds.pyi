from typing import Any

from numpy.typing import NDArray

_Numbers = NDArray[Any]

def tree_sums(
    matrix: _Numbers,
    rows: int,
    columns: int,
    borders: _Numbers,
    tree: _Numbers,
    remaining: _Numbers,
    starts: _Numbers,
    trees: int,
    values: _Numbers,
    sums: _Numbers,
    /,
) -> None: ...
