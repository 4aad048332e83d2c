"""A page as text nodes.

nodes = text_nodes(page)       # one parse, one walk
nodes.texts, nodes.path(3), nodes.block, nodes.link_kind(3), nodes.dropped
"""

from ruiji.features.page.links import LinkKind
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes, text_nodes_of
from ruiji.features.page.textnodes import TextNodes

__all__ = ["LinkKind", "PageFailed", "TextNodes", "text_nodes", "text_nodes_of"]
