from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

_Numbers = NDArray[Any]

def cut(
    columns: Mapping[str, object], page_start: _Numbers, keep: _Numbers, expected: _Numbers, /
) -> None: ...
