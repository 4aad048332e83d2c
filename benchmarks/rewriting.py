"""Rewritings of a page that keep what it says and change how it is written, as other sites write it.

Each takes the tree of a page and the names that stand on it, and changes the tree in place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from lxml import html as lxml_html

Tree = Any  # an element of lxml, which has no types
Rewriting = Callable[[Tree, Sequence[str]], None]

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_SKIPPED = frozenset(("script", "style", "title", "pre", "code", "textarea"))
_BRACKETS = str.maketrans("（）()", "()（）")
_NOTE = re.compile(r"^\s*[(（](?P<note>[^()（）]{2,60})[)）]\s*$")


def _elements(tree: Tree, *tags: str) -> list[Tree]:
    return list(tree.iter(*tags))


def _renamed(tree: Tree, names: Mapping[str, str]) -> None:
    for element in _elements(tree, *names):
        element.tag = names[element.tag]


def _texts(tree: Tree) -> Iterator[tuple[Tree, str, str]]:
    """The element, ``text`` or ``tail``, and the text of each text of the body."""
    for element in list(tree.iter()):
        if isinstance(element.tag, str) and element.text and element.tag not in _SKIPPED:
            yield element, "text", element.text
        if element.tail and element.getparent() is not None and element.getparent().tag not in _SKIPPED:
            yield element, "tail", element.tail


def _replaced_names(tree: Tree, names: Sequence[str], written: Callable[[str], str]) -> None:
    """Each name written in another way, wherever the page has it in one text."""
    if not names:
        return
    listed = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    pattern = re.compile(rf"(?<!\w)(?:{listed})(?!\w)")
    for element, place, text in _texts(tree):
        setattr(element, place, pattern.sub(lambda match: written(match.group()), text))


def _wrapped_names(tree: Tree, names: Sequence[str], tag: str, **attributes: str) -> None:
    """Each name at the start of a text in an element of its own."""
    known = sorted(names, key=len, reverse=True)
    for element, place, text in list(_texts(tree)):
        plain = text.lstrip()
        name = next((name for name in known if plain.startswith(name)), "")
        if not name or element.tag == tag:
            continue
        wrapper = element.makeelement(tag, attributes)
        wrapper.text, wrapper.tail = name, plain[len(name) :]
        if place == "text":
            element.text = None
            element.insert(0, wrapper)
        else:
            element.tail = None
            element.addnext(wrapper)


def without_classes(tree: Tree, names: Sequence[str]) -> None:
    for element in tree.iter():
        for attribute in ("class", "id", "itemprop", "itemtype", "itemscope"):
            element.attrib.pop(attribute, None)


def headings_as_blocks(tree: Tree, names: Sequence[str]) -> None:
    _renamed(tree, dict.fromkeys(_HEADINGS, "div"))


def headings_as_bold(tree: Tree, names: Sequence[str]) -> None:
    for element in _elements(tree, *_HEADINGS):
        bold = element.makeelement("b", {})
        bold.text, element.text = element.text, None
        for child in list(element):
            bold.append(child)
        element.append(bold)
        element.tag = "p"


def headings_lower(tree: Tree, names: Sequence[str]) -> None:
    _renamed(tree, {"h1": "h3", "h2": "h4", "h3": "h5", "h4": "h6", "h5": "h6"})


def tables_as_blocks(tree: Tree, names: Sequence[str]) -> None:
    _renamed(tree, dict.fromkeys(("table", "tbody", "thead", "tr", "td", "th"), "div"))


def tables_without_heads(tree: Tree, names: Sequence[str]) -> None:
    _renamed(tree, {"thead": "tbody", "th": "td"})


def rows_as_lines(tree: Tree, names: Sequence[str]) -> None:
    """Rows as items of a list, their cells parted by commas."""
    for row in _elements(tree, "tr"):
        cells = [cell for cell in row if cell.tag in ("td", "th")]
        for cell in cells:
            cell.tag = "span"
            cell.tail = ", " if cell is not cells[-1] else None
        row.tag = "li"
    _renamed(tree, dict.fromkeys(("table",), "ul") | dict.fromkeys(("tbody", "thead"), "div"))


def lists_as_blocks(tree: Tree, names: Sequence[str]) -> None:
    _renamed(tree, dict.fromkeys(("ul", "ol", "li"), "div"))


def lists_as_lines(tree: Tree, names: Sequence[str]) -> None:
    """Items as lines of one block, parted by line breaks."""
    for item in _elements(tree, "li"):
        item.append(item.makeelement("br", {}))
        item.tag = "span"
    _renamed(tree, dict.fromkeys(("ul", "ol"), "div"))


def lists_as_tables(tree: Tree, names: Sequence[str]) -> None:
    for item in _elements(tree, "li"):
        row = item.makeelement("tr", {})
        item.addprevious(row)
        row.append(item)
        item.tag = "td"
    _renamed(tree, dict.fromkeys(("ul", "ol"), "table"))


def definitions_as_rows(tree: Tree, names: Sequence[str]) -> None:
    for listed in _elements(tree, "dl"):
        row = None
        for item in list(listed):
            if item.tag == "dt" or row is None:
                row = item.makeelement("tr", {})
                item.addprevious(row)
            row.append(item)
        listed.tag = "table"
    _renamed(tree, {"dt": "th", "dd": "td"})


def definitions_as_blocks(tree: Tree, names: Sequence[str]) -> None:
    _renamed(tree, {"dl": "div", "dt": "p", "dd": "p"})


def all_as_blocks(tree: Tree, names: Sequence[str]) -> None:
    """Nothing but classes says what an element is, as frameworks write."""
    lists_as_blocks(tree, names)
    tables_as_blocks(tree, names)
    headings_as_blocks(tree, names)
    definitions_as_blocks(tree, names)


def other_brackets(tree: Tree, names: Sequence[str]) -> None:
    for element, place, text in _texts(tree):
        setattr(element, place, text.translate(_BRACKETS))


def _noted(tree: Tree, names: Sequence[str], written: Callable[[str, str], str]) -> None:
    """Names with a note in brackets, written in another way."""
    for element, place, text in _texts(tree):
        plain = text.strip()
        name = next((name for name in names if plain.startswith(name)), "")
        if name and (match := _NOTE.match(plain[len(name) :])):
            setattr(element, place, written(name, match.group("note")))


def notes_after_slash(tree: Tree, names: Sequence[str]) -> None:
    _noted(tree, names, lambda name, note: f"{name} / {note}")


def notes_after_comma(tree: Tree, names: Sequence[str]) -> None:
    _noted(tree, names, lambda name, note: f"{name}、{note}" if not name.isascii() else f"{name}, {note}")


def notes_before(tree: Tree, names: Sequence[str]) -> None:
    _noted(tree, names, lambda name, note: f"{note}　{name}")


def bold_names(tree: Tree, names: Sequence[str]) -> None:
    _wrapped_names(tree, names, "strong")


def linked_names(tree: Tree, names: Sequence[str]) -> None:
    _wrapped_names(tree, names, "a", href="/person.html")


def names_in_spans(tree: Tree, names: Sequence[str]) -> None:
    _wrapped_names(tree, names, "span")
    _wrapped_names(tree, names, "font")


def without_links(tree: Tree, names: Sequence[str]) -> None:
    for element in _elements(tree, "a"):
        element.tag = "span"
        element.attrib.pop("href", None)


def names_unspaced(tree: Tree, names: Sequence[str]) -> None:
    _replaced_names(tree, names, lambda name: name if name.isascii() else re.sub(r"[ 　]+", "", name))


def names_wide_spaced(tree: Tree, names: Sequence[str]) -> None:
    _replaced_names(tree, names, lambda name: name if name.isascii() else re.sub(r"[ 　]+", "　", name))


def surnames_in_capitals(tree: Tree, names: Sequence[str]) -> None:
    def written(name: str) -> str:
        before, _, last = name.rpartition(" ")
        return f"{before} {last.upper()}" if name.isascii() and before else name

    _replaced_names(tree, names, written)


def honorifics(tree: Tree, names: Sequence[str]) -> None:
    _replaced_names(tree, names, lambda name: name if name.isascii() else f"{name}さん")


def as_written(tree: Tree, names: Sequence[str]) -> None:
    """The page as it is."""


REWRITINGS: tuple[Rewriting, ...] = (
    as_written,
    without_classes,
    headings_as_blocks,
    headings_as_bold,
    headings_lower,
    tables_as_blocks,
    tables_without_heads,
    rows_as_lines,
    lists_as_blocks,
    lists_as_lines,
    lists_as_tables,
    definitions_as_rows,
    definitions_as_blocks,
    all_as_blocks,
    other_brackets,
    notes_after_slash,
    notes_after_comma,
    notes_before,
    bold_names,
    linked_names,
    names_in_spans,
    without_links,
    names_unspaced,
    names_wide_spaced,
    surnames_in_capitals,
    honorifics,
)


def rewritten(source: str, rewriting: Rewriting, names: Sequence[str]) -> str:
    """The page written in another way; as it was where nobody can parse it."""
    tree = lxml_html.document_fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", source))
    rewriting(tree, names)
    return str(lxml_html.tostring(tree, encoding="unicode", doctype="<!DOCTYPE html>"))
