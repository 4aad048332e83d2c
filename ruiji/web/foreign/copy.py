"""A foreign page as a harmless copy to look at, in which every text node carries its number.

cleaned_copy(parser_input(page).utf8)    # ... <p><ruiji-t data-n="3">text</ruiji-t></p> ...

No script, no handler, no address, nothing that a browser would fetch: elements and attributes are taken over
only where they are known to be harmless. The copy is written from the parser's own tree, in the order of the
walk, so the numbers are those of ``text_nodes``. A browser parses it anew; should that ever rearrange the
texts, the copy can be had under names that no parser treats in a special way. Elements have no numbers: they
are found from the texts inside them, and an attribute of its own for each costs a browser a quarter of the
time that it takes to read the copy.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ruiji.features.page import elements
from ruiji.features.page.walk import first_node, tree_of
from ruiji.features.text.invisible import without_invisible
from ruiji.web.foreign.css import harmless_css

Stylesheet = Callable[[str], str | None]
"""The text of the style sheet that a page names, None where there is none at hand."""

TEXT_ELEMENT = "ruiji-t"
OWN_PREFIX = "ruiji-"
UNKNOWN_ELEMENT = "ruiji-x"
# One pixel, instead of every image
GREY = "data:image/gif;base64,R0lGODlhAQABAIAAAMzMzAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="
LONGEST_VALUE = 2000  # of an attribute; longer ones are data for scripts

_GONE = frozenset(
    "area audio base basefont bgsound canvas datalist embed frame iframe keygen link meta noembed noframes "
    "param rp script "
    "source style template title track video".split()
)  # those with text are in elements.NOT_SHOWN: their text has no number
_BOXES = frozenset("audio canvas embed iframe video".split())  # something is seen there
_RENAMED = frozenset(
    "applet dialog frameset marquee noscript object optgroup option plaintext select textarea xmp".split()
)
_HTML_ATTRIBUTES = frozenset(
    "abbr align alink alt bgcolor border bordercolor cellpadding cellspacing char checked class clear "
    "color cols colspan compact datetime "
    "dir face frame headers height hidden hspace id label lang leftmargin link marginheight marginwidth "
    "noshade nowrap open placeholder "
    "reversed role rows rowspan rules scope selected size span start text title topmargin type valign "
    "value vlink vspace width".split()
)
_FREE_ATTRIBUTE = re.compile(r"(?:data|aria)-[a-z0-9-]+")
_SVG = {
    name.lower(): name
    for name in (
        "svg g path rect circle ellipse line polyline polygon text tspan textPath defs linearGradient "
        "radialGradient stop clipPath mask "
        "pattern symbol marker foreignObject a"
    ).split()
}
_SVG_TEXT = frozenset(("text", "tspan", "textpath"))
_SVG_ATTRIBUTES = {
    name.lower(): name
    for name in (
        "class id viewBox preserveAspectRatio d x y x1 y1 x2 y2 cx cy r rx ry dx dy width height points "
        "fill stroke stroke-width "
        "stroke-linecap stroke-linejoin stroke-dasharray stroke-miterlimit fill-rule clip-rule opacity "
        "fill-opacity stroke-opacity "
        "transform font-size font-family font-weight font-style text-anchor offset stop-color stop-opacity "
        "gradientUnits "
        "gradientTransform role"
    ).split()
}
_MATH = frozenset(
    "math mi mn mo ms mtext mrow mfrac msqrt mroot msup msub msubsup munder mover munderover mtable mtr "
    "mtd mspace mpadded mphantom mstyle "
    "semantics annotation".split()
)
_MATH_TEXT = frozenset(
    "mi mn mo ms mtext".split()
)  # HTML again inside (WHATWG HTML, 13.2.6: text integration points)
_INPUT_TYPES = frozenset("button checkbox radio reset search submit text".split())
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9-]*")
_BEFORE_DOCTYPE = re.compile(rb"\s+|<!--.*?-->|<\?[^>]*>", re.DOTALL)
_DOCTYPE = re.compile(rb"<!doctype\s[\w\s\"'/.:+-]*>", re.IGNORECASE)
_URL_IN_VALUE = re.compile(r"url|\\", re.IGNORECASE)
_LENGTH = re.compile(r"\d{1,4}")

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;", "\0": ""})
_SPECIAL = re.compile("[&<>\r\0]")
_VALUE_ESCAPES = _ESCAPES | str.maketrans({'"': "&quot;"})

_DISPLAY = {
    "block": (
        "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption "
        "figure footer form frameset "
        "h1 h2 h3 h4 h5 h6 header hgroup legend main menu nav noscript ol optgroup option p section search "
        "summary ul"
    ),
    "inline-block": "applet box button marquee object select textarea",
    "list-item": "li", "table": "table", "table-row": "tr", "table-cell": "td th", "table-row-group": "tbody",
    "table-header-group": "thead", "table-footer-group": "tfoot", "table-caption": "caption",
}  # fmt: skip
# How the elements of our own names look; the page's own rules come after it and win.
OWN_STYLE = (
    "".join(
        ",".join(OWN_PREFIX + name for name in names.split()) + f"{{display:{display}}}"
        for display, names in _DISPLAY.items()
    )
    + "ruiji-box{background:#8883;min-width:1em;min-height:1em}"
    "ruiji-select,ruiji-textarea{border:1px solid #999;padding:1px 3px}"
    "ruiji-textarea,ruiji-plaintext,ruiji-xmp,ruiji-pre,ruiji-listing{white-space:pre-wrap;font-family:monospace}"
    "ruiji-plaintext,ruiji-xmp,ruiji-pre,ruiji-listing{display:block}"
    "ruiji-b,ruiji-strong,ruiji-th,ruiji-h1,ruiji-h2,ruiji-h3,ruiji-h4{font-weight:bold}ruiji-i,ruiji-em,ruiji-cite{font-style:italic}"
    "ruiji-p,ruiji-ul,ruiji-ol,ruiji-dl,ruiji-h1,ruiji-h2,ruiji-h3,ruiji-h4{margin:1em "
    "0}ruiji-h1{font-size:2em}ruiji-h2{font-size:1.5em}"
    "ruiji-ul,ruiji-ol,ruiji-dd{margin-left:2.5em}"
)


def cleaned_copy(
    markup: bytes,
    stylesheet: Stylesheet | None = None,
    own_style: str = "",
    *,
    plain: bool = False,
    neutral: bool = False,
) -> str:
    """The harmless copy of a page, given the markup that the parser reads (``parser_input``), with
    ``own_style`` added at the end.

    ``stylesheet`` is asked for the style sheets that the page links to; ``plain`` leaves out all styles of
    the page. ``neutral`` writes the elements under names that mean nothing to a parser: who finds other texts
    in the copy than there should be asks for that.
    """
    writer = _Writer(stylesheet or _no_stylesheet, plain, neutral)
    writer.write(tree_of(markup))
    return document_type(markup) + writer.finished(own_style)


def document_type(markup: bytes) -> str:
    """The document type that a page starts with, which decides how it is laid out; empty where there is
    none.
    """
    place = 0
    while before := _BEFORE_DOCTYPE.match(markup, place):
        place = before.end()
    doctype = _DOCTYPE.match(markup, place)
    return doctype.group().decode("ascii", "replace") if doctype else ""


def _no_stylesheet(address: str) -> str | None:
    return None


@dataclass(slots=True)
class _Writer:
    """Writes a tree as markup; the state of one copy."""

    stylesheet: Stylesheet
    plain: bool
    neutral: bool
    texts: int = 0  # that have got their numbers
    pieces: list[str] = field(default_factory=list)
    late_styles: list[str] = field(default_factory=list)
    known: dict[tuple[Any, ...], tuple[str, str, str]] = field(default_factory=dict)

    def finished(self, own_style: str) -> str:
        """The markup."""
        styles = "".join(f"<style>{css}</style>" for css in self.late_styles)
        return "".join(self.pieces) + styles + f"<style>{own_style}</style>"

    def write(self, tree: LexborHTMLParser) -> None:
        """Goes through the tree as features.page.walk does, which gives texts the same numbers."""
        hidden_numbers = elements.numbered(elements.NOT_SHOWN)
        # Elements that are open: with the language around them (html, svg or math) and their end tags
        stack: list[tuple[LexborNode, str, str]] = []
        around: Counter[str] = Counter()  # of their names
        language = "html"
        node = first_node(tree)
        while node is not None:
            if node.tag_id == elements.TEXT:
                parent = (stack[-1][0].tag or "").lower() if stack else ""
                self._text(without_invisible(node.text_content or ""), language, parent)
            elif node.is_element_node:
                tag = node.tag or ""
                start, end, inner = self._tags(node, tag.lower(), language)
                self.pieces.append(start)
                is_hidden = (
                    node.tag_id in hidden_numbers
                    or (tag in elements.READINGS and around["ruby"] > 0)
                    or (tag in elements.NOT_SHOWN_IN_SVG and around["svg"] > 0)
                )
                child = None if is_hidden else node.first_child
                if child is not None:
                    stack.append((node, language, end))
                    around[tag] += 1
                    node, language = child, inner
                    continue
                self.pieces.append(end)
            following = node.next
            while following is None and stack:
                node, language, end = stack.pop()
                around[node.tag or ""] -= 1
                self.pieces.append(end)
                following = node.next
            node = following

    def _text(self, text: str, language: str, parent: str) -> None:
        """Writes a text, under its number where it has one."""
        if not text or text.isspace():
            self.pieces.append(text.translate(_ESCAPES))
            return
        name = "tspan" if language == "svg" and parent in _SVG_TEXT else TEXT_ELEMENT
        shown = text.translate(_ESCAPES) if _SPECIAL.search(text) else text
        self.pieces.append(f'<{name} data-n="{self.texts}">{shown}</{name}>')
        self.texts += 1

    def _tags(self, node: LexborNode, name: str, language: str) -> tuple[str, str, str]:
        """Start tag and end tag of an element in the copy, and the language inside it."""
        attributes = node.attributes
        if name in ("style", "link"):
            return self._style(node, name, attributes, language), "", language
        if name in _GONE:
            return self._box(attributes) if name in _BOXES and language == "html" else "", "", language
        if name == "svg" or (language == "svg" and name in _SVG):
            written = _SVG[name]
            return (
                f"<{written}{_written(_svg_attributes(attributes))}>",
                f"</{written}>",
                "html" if name == "foreignobject" else "svg",
            )
        if name == "math" or (language == "math" and name in _MATH):
            return f"<{name}>", f"</{name}>", "html" if name in _MATH_TEXT else "math"
        if language != "html":
            return f"<{UNKNOWN_ELEMENT}>", f"</{UNKNOWN_ELEMENT}>", language
        return self._html_tags(name, attributes)

    def _html_tags(self, name: str, attributes: Mapping[str, str | None]) -> tuple[str, str, str]:
        if name == "head":
            return f'<head><meta charset="utf-8"><style>{OWN_STYLE}</style>', "</head>", "html"
        key = (name, *attributes.items())
        known = self.known.get(key)
        if known is None:  # elements of a page are alike, and looking at attributes is most of the work
            known = self.known[key] = self._html_names(
                name, _written(self._html_attributes(name, attributes))
            )
        return known

    def _html_names(self, name: str, attributes: str) -> tuple[str, str, str]:
        """Start tag and end tag in the copy, and the language inside."""
        if name in elements.VOID:
            return f"<{name}{attributes}>", "", "html"
        if name not in ("html", "body") and (self.neutral or name in _RENAMED):
            name = OWN_PREFIX + name if _PLAIN_NAME.fullmatch(name) else UNKNOWN_ELEMENT
        elif name.startswith(OWN_PREFIX) or not _PLAIN_NAME.fullmatch(name):
            name = UNKNOWN_ELEMENT
        return f"<{name}{attributes}>", f"</{name}>", "html"

    def _html_attributes(self, name: str, attributes: Mapping[str, str | None]) -> dict[str, str]:
        kept = {}
        for attribute, given in attributes.items():
            value = given or ""
            if len(value) > LONGEST_VALUE and attribute != "style":
                continue
            if attribute in _HTML_ATTRIBUTES or (
                _FREE_ATTRIBUTE.fullmatch(attribute) and attribute != "data-n"
            ):
                kept[attribute] = value
            elif attribute == "style" and not self.plain:
                kept[attribute] = harmless_css(value)
        if name == "a" and "href" in attributes:
            kept["href"] = "#"  # looks like a link and leads nowhere
        elif name == "img":
            kept["src"] = GREY
        elif name == "input":
            kind = (attributes.get("type") or "text").lower()
            if kind == "hidden":
                kept["hidden"] = ""
            kept |= {"type": kind if kind in _INPUT_TYPES else "text", "readonly": "", "tabindex": "-1"}
        elif name == "details":
            kept["open"] = ""  # what is folded is text all the same
        elif name == "button":
            kept |= {"type": "button", "tabindex": "-1"}
        return kept

    def _style(self, node: LexborNode, name: str, attributes: Mapping[str, str | None], language: str) -> str:
        """The style sheet that an element holds or links to, as an element of the copy."""
        if self.plain:
            return ""
        css: str | None = node.text(deep=True)
        if name == "link":
            relations = (attributes.get("rel") or "").lower().split()
            wanted = "stylesheet" in relations and "alternate" not in relations
            css = self.stylesheet(attributes.get("href") or "") if wanted else None
        if not css:
            return ""
        harmless = harmless_css(css)
        if media := attributes.get("media"):
            harmless = f"@media {harmless_media(media)}{{{harmless}}}"
        if language != "html":  # in SVG its text would be read as markup
            self.late_styles.append(harmless)
            return ""
        return f"<style>{harmless}</style>"

    @staticmethod
    def _box(attributes: Mapping[str, str | None]) -> str:
        """A grey box of the size of what is not shown."""
        sizes = [
            f"{side}:{value}px"
            for side in ("width", "height")
            if _LENGTH.fullmatch(value := attributes.get(side) or "")
        ]
        return f'<ruiji-box style="{";".join(sizes)}"></ruiji-box>'


def _written(attributes: Mapping[str, str]) -> str:
    return "".join(
        f' {attribute}="{value.translate(_VALUE_ESCAPES)}"' for attribute, value in attributes.items()
    )


def harmless_media(media: str) -> str:
    """A media query in which nothing but one can stand."""
    return re.sub(r"[^\w\s,.:()<>=/-]", "", media).replace("<", "") or "all"


def _svg_attributes(attributes: Mapping[str, str | None]) -> dict[str, str]:
    """What shapes look like; nothing that points anywhere."""
    kept = {}
    for attribute, given in attributes.items():
        value = given or ""
        if attribute.lower() == "style":
            kept["style"] = harmless_css(value)
        elif (written := _SVG_ATTRIBUTES.get(attribute.lower())) and not _URL_IN_VALUE.search(value):
            kept[written] = value
    return kept
