"""A page as text nodes.

nodes = text_nodes(page)       # one parse, one walk
nodes.texts, nodes.path(3), nodes.block, nodes.link_kind(3), nodes.dropped
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ruiji.features.page.links import LinkKind
    from ruiji.features.page.parser_input import PageFailed
    from ruiji.features.page.parsing import text_nodes, text_nodes_of
    from ruiji.features.page.textnodes import TextNodes

# What a room offers here is imported at first use.
_ROOMS = {
    "page.links": ("LinkKind",),
    "page.parser_input": ("PageFailed",),
    "page.parsing": ("text_nodes", "text_nodes_of"),
    "page.textnodes": ("TextNodes",),
}
_ROOM_OF_NAME = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _ROOM_OF_NAME:
        return getattr(import_module(f"{__name__}.{_ROOM_OF_NAME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["LinkKind", "PageFailed", "TextNodes", "text_nodes", "text_nodes_of"]
