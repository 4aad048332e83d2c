from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

_Numbers = NDArray[Any]

def shift(columns: Mapping[str, object], pages: _Numbers, result: _Numbers, /) -> None: ...
