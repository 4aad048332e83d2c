from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

_Numbers = NDArray[Any]

def pages(columns: Mapping[str, object], /) -> list[tuple[bytes, bytes, bytes]]: ...
def shift(
    columns: Mapping[str, object],
    evidence: Mapping[str, object],
    sites: _Numbers,
    places: _Numbers,
    result: _Numbers,
    /,
) -> None: ...
