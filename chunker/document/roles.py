"""What elements are by their names: among their neighbours, in a line, and as a block alone."""

from __future__ import annotations

from typing import get_args

from ruiji.chunker.document.inlines import CODE, STYLES
from ruiji.chunker.document.model import Style
from ruiji.chunker.document.paragraphs import HEADINGS
from ruiji.chunker.document.tree import BLOCKS
from ruiji.features.page.elements import CUSTOM_NUMBER, READINGS, names

FORMS = frozenset("select textarea option optgroup datalist".split())
LISTS = frozenset(("ul", "ol", "menu", "dir"))
# Blocks that say nothing of what is in them, unless an attribute does.
FRAMES = (
    BLOCKS - LISTS - HEADINGS.keys() - FORMS - frozenset("blockquote dl figure listing pre table xmp".split())
)


# What children side by side are together; the numbers are those of the module in C.
IN_LINE, ITEMS, CODES, ALONE = range(4)

# What the module in C tells elements by: what they are among their neighbours, in a line, and alone. Of what
# is not here it looks at the children.
_FRAME, _LOOKED_AT, _UNKNOWN = 4, 5, 6
_KINDS: dict[str, int] = {
    **dict.fromkeys(BLOCKS | {"hr"}, ALONE),
    **dict.fromkeys(FRAMES, _FRAME),
    **dict.fromkeys(("pre", "listing", "xmp"), CODES),
    "li": ITEMS,
    "code": _LOOKED_AT,
}
_CHILDREN, _LINK, _BREAK, _NOTHING, _READ, _IMAGE, _CODE_IN_LINE, _RUBY, _FIRST_STYLE = range(9)
STYLE_NAMES: tuple[Style, ...] = get_args(Style)
_ACTIONS: dict[str, int] = {
    "a": _LINK,
    "br": _BREAK,
    "img": _IMAGE,
    "ruby": _RUBY,
    **dict.fromkeys(("svg", "hr", *READINGS), _NOTHING),
    **dict.fromkeys(("math", "script", "button"), _READ),
    **dict.fromkeys(CODE, _CODE_IN_LINE),
    **{tag: _FIRST_STYLE + STYLE_NAMES.index(style) for tag, style in STYLES.items()},
}
(
    _AS_LIST,
    _AS_ORDERED,
    _AS_QUOTE,
    _AS_RULE,
    _AS_LINK,
    _AS_NOTHING,
    _AS_FRAME,
    _AS_CHILDREN,
    _FIRST_BLOCK_STYLE,
) = range(7, 16)
_SHAPES: dict[str, int] = {
    **dict.fromkeys(FRAMES, _AS_FRAME),
    **HEADINGS,
    **dict.fromkeys(LISTS, _AS_LIST),
    "ol": _AS_ORDERED,
    "blockquote": _AS_QUOTE,
    "hr": _AS_RULE,
    "a": _AS_LINK,
    **dict.fromkeys(FORMS, _AS_NOTHING),
    **dict.fromkeys(("pre", "listing", "xmp", "code", "dl", "figure", "table"), 0),
    **{tag: _FIRST_BLOCK_STYLE + STYLE_NAMES.index(style) for tag, style in STYLES.items()},
}


def tables_by_number() -> tuple[bytes, bytes, bytes]:
    """The three tables by the parser's numbers of elements."""
    known = [names().get(number, "") for number in range(CUSTOM_NUMBER + 1)]
    tables = ((_KINDS, _UNKNOWN), (_ACTIONS, _CHILDREN), (_SHAPES, _AS_CHILDREN))
    kinds, actions, shapes = (bytes(table.get(name, default) for name in known) for table, default in tables)
    return kinds, actions, shapes
