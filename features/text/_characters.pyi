from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

_Numbers = NDArray[Any]

def scan(
    texts: Sequence[str],
    tables: tuple[_Numbers, ...],
    counts: _Numbers,
    lengths: _Numbers,
    first: _Numbers,
    last: _Numbers,
    words: _Numbers,
    /,
) -> None: ...
def words(
    texts: Sequence[str],
    tables: tuple[_Numbers, ...],
    split_case: bool,
    longest_text: int,
    lengths: _Numbers,
    /,
) -> tuple[bytes, bytes, bytes, bytes]: ...
def word_keys(words: Sequence[str], tables: tuple[_Numbers, ...], keys: _Numbers, /) -> None: ...
def same_texts(
    texts: Sequence[str],
    page_start: _Numbers,
    stripped: bool,
    numbers: _Numbers,
    keys: _Numbers,
    /,
) -> None: ...
