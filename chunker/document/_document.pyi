from collections.abc import Callable, Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from ruiji.chunker.document.inlines import Reading
from ruiji.chunker.document.model import Block, Inline
from ruiji.chunker.document.tree import NodeInPython as Node

def grow(
    events: bytes,
    opened: NDArray[Any],
    closed: NDArray[Any],
    kept: NDArray[Any],
    keep: NDArray[Any],
    texts: list[str],
    attributes: object,
    blanks: Mapping[int, str],
    unseen: Mapping[int, str],
    customs: Mapping[int, str],
    names: tuple[str | None, ...],
    kinds: bytes,
    deepest: int,
    /,
) -> Node: ...
def connect_reading(
    classes: tuple[type, ...],
    styles: tuple[str, ...],
    kinds: bytes,
    actions: bytes,
    shapes: bytes,
    permalinks: frozenset[str],
    signs: tuple[bytes, ...],
    mathematics: frozenset[str],
    functions: tuple[Callable[..., object], ...],
    /,
) -> None: ...
def connect_writing(
    delimiters: tuple[tuple[str, ...], ...],
    tags: tuple[str, ...],
    functions: tuple[Callable[..., object], ...],
    /,
) -> None: ...
def blocks_of(node: Node, reading: Reading, above: list[Node] | None = ..., /) -> list[Block] | None: ...
def inlines_of(children: Sequence[Node | str], reading: Reading, /) -> tuple[Inline, ...] | None: ...
def tidy(inlines: Sequence[Inline], /) -> tuple[Inline, ...] | None: ...
def written(blocks: Sequence[Block], /) -> str | None: ...
def markdown(
    root: Node,
    reading: Reading,
    is_headline: Callable[[str, bool], bool],
    is_of_empty_part: Callable[[str], bool],
    /,
) -> str: ...
def marked(root: Node, tags: frozenset[str], name: str, part: str, /) -> list[Node]: ...
