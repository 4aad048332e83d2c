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
def word_sums(
    kinds: _Numbers,
    rows: int,
    each: int,
    word: _Numbers,
    first: _Numbers,
    end: _Numbers,
    page_end: _Numbers,
    spans: int,
    page_start: _Numbers,
    pages: int,
    weights: _Numbers,
    words: int,
    width: int,
    sums: _Numbers,
    /,
) -> None: ...
