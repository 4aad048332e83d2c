from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

def odds(
    columns: Mapping[str, NDArray[Any]],
    network: Mapping[str, object],
    matrix: NDArray[Any],
    result: NDArray[Any],
    /,
) -> None: ...
