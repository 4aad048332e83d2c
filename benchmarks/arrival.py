"""How much of the structure of kept content arrives in the Markdown, by kind; it needs no annotation.

    python -m benchmarks.arrival $DATA/web/wcxb-dev.jsonl.gz [--every 5] [--lost 20]

Of each heading, list item, cell, block of code, quotation, link, image and emphasis of a page at least half
of whose text the mask keeps, the text (of a link also the target, of an image the target) must stand in the
Markdown as the same kind, as markdown-it-py reads it; items of lists of notes as footnotes. Texts are
compared by letters and digits. ``--lost`` prints some of what does not arrive.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any
from urllib.parse import unquote, urljoin

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from ruiji.chunker.document.images import address_of, is_decoration
from ruiji.chunker.document.metadata import headline_of
from ruiji.chunker.document.reading import body_of
from ruiji.chunker.document.writing.markdown import markdown
from ruiji.chunker.masking import MaskedPage, MaskSettings, masked_pages
from ruiji.corpora.page import Page

PARSER = (
    MarkdownIt("commonmark")
    .enable(["table", "strikethrough"])
    .use(footnote_plugin)
    .use(dollarmath_plugin, allow_space=False, allow_digits=False)
)
KINDS = {
    **{f"h{level}": "heading" for level in range(1, 7)},
    "li": "list item", "td": "cell", "th": "cell", "pre": "code", "blockquote": "quote", "a": "link",
    "img": "image", "code": "inline code",
    "strong": "strong", "b": "strong", "em": "emphasis", "i": "emphasis",
}  # fmt: skip
MOST = 0.5  # of the characters of an element are kept: it is content
NO_TARGET = ("#", "javascript:", "data:")


def folded(text: str) -> str:
    """The letters and digits of a text."""
    return "".join(char for char in text.casefold() if char.isalnum())


def _address(base: str, href: str) -> str:
    try:
        return unquote(urljoin(base, "".join(href.split()))).rstrip("/")
    except ValueError:
        return ""


def wanted(masked: MaskedPage) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The kind of each element that is content, and what may stand for it in the Markdown."""
    nodes, keep = masked.nodes, masked.mask.content
    assert nodes.markup is not None
    base = urljoin(masked.page.url, nodes.base)
    texts = [folded(text) for text in nodes.texts]
    for element, tag in enumerate(nodes.tag):
        kind = KINDS.get(tag)
        if kind is None or kind == "inline code":
            continue
        inside = range(int(nodes.first[element]), int(nodes.end[element]))
        own = nodes.markup.attributes.get(int(nodes.markup.opened[element]), {})
        if kind == "image":
            target = _address(base, address_of(own)) if address_of(own) else ""
            if target and not is_decoration(own) and _is_in_content(masked, texts, element):
                yield kind, (target,)
            continue
        whole = "".join(texts[node] for node in inside)
        kept = "".join(texts[node] for node in inside if keep[node])
        if not kept or len(kept) < MOST * len(whole):
            continue
        if kind == "link":
            href = own.get("href", "")
            if href and not href.strip().lower().startswith(NO_TARGET):
                yield kind, (f"{kept} {_address(base, href)}", f"{whole} {_address(base, href)}")
        elif kind not in ("strong", "emphasis") or not _is_in(
            masked, element, ("heading", "code", "inline code")
        ):
            yield kind, (kept, whole)


def _is_in_content(masked: MaskedPage, texts: list[str], image: int) -> bool:
    """Whether most of the text of the nearest element with text is kept."""
    nodes, keep = masked.nodes, masked.mask.content
    element = int(nodes.parent[image])
    while element >= 0:
        inside = range(int(nodes.first[element]), int(nodes.end[element]))
        if total := sum(len(texts[node]) for node in inside):
            return sum(len(texts[node]) for node in inside if keep[node]) >= MOST * total
        element = int(nodes.parent[element])
    return False


def _is_in(masked: MaskedPage, element: int, kinds: tuple[str, ...]) -> bool:
    while element >= 0:
        if KINDS.get(masked.nodes.tag[element]) in kinds:
            return True
        element = int(masked.nodes.parent[element])
    return False


def given(text: str, base: str) -> Mapping[str, Counter[str]]:
    """What a Markdown text has of each kind."""
    items = {kind: Counter[str]() for kind in KINDS.values()}
    _read(PARSER.parse(text), items, base)
    return items


def _read(tokens: list[Token], items: Mapping[str, Counter[str]], base: str) -> None:
    open_: list[tuple[str, list[str]]] = []
    named = {"heading_open": "heading", "list_item_open": "list item", "blockquote_open": "quote"}
    named |= {"th_open": "cell", "td_open": "cell", "footnote_open": "list item"}
    for token in tokens:
        if token.type in named:
            open_.append((named[token.type], []))
        elif token.type.removesuffix("_close") + "_open" in named:
            kind, parts = open_.pop()
            items[kind][folded("".join(parts))] += 1
        elif token.type in ("fence", "code_block"):
            items["code"][folded(token.content)] += 1
            for _, parts in open_:
                parts.append(token.content)
        elif token.type == "inline":
            said = _inline(token.children or [], items, base)
            for _, parts in open_:
                parts.append(said)
        elif token.type.startswith("math_block"):
            for _, parts in open_:
                parts.append(token.content)


def _inline(tokens: list[Token], items: Mapping[str, Counter[str]], base: str) -> str:
    said: list[str] = []
    open_: list[tuple[str, str, int]] = []
    styles = {"strong_open": "strong", "em_open": "emphasis", "link_open": "link"}
    tags = {"strong": "strong", "em": "emphasis"}
    for token in tokens:
        name = token.content.strip("</>")
        if token.type in styles:
            open_.append((styles[token.type], str(token.attrGet("href") or ""), len(said)))
        elif token.type == "html_inline" and name in tags and not token.content.startswith("</"):
            open_.append((tags[name], "", len(said)))
        elif token.type in ("strong_close", "em_close", "link_close") or (
            token.type == "html_inline" and name in tags and open_
        ):
            kind, href, start = open_.pop()
            inside = folded("".join(said[start:]))
            items[kind][f"{inside} {_address(base, href)}" if kind == "link" else inside] += 1
        elif token.type == "image":
            items["image"][_address(base, str(token.attrGet("src") or ""))] += 1
        elif token.type == "footnote_ref":
            said.append(str(token.meta["label"]))
        elif token.type in ("text", "code_inline") or token.type.startswith("math_inline"):
            said.append(token.content)
    return "".join(said)


def arrivals(masked: MaskedPage, text: str, title: str) -> Iterator[tuple[str, str, bool]]:
    """For each element that is content: its kind, what it says, and whether it arrives."""
    found = given(text, masked.page.url)
    found["heading"][folded(title)] += 1  # which is not repeated
    for kind, forms in wanted(masked):
        form = next((form for form in forms if found[kind][form] > 0), None)
        if form is not None:
            found[kind][form] -= 1
        yield kind, forms[0], form is not None


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="+", help="JSON lines with url and html")
    parser.add_argument("--every", type=int, default=1, help="only each so-manieth page")
    parser.add_argument("--lost", type=int, default=0, help="how many of each kind to print that are lost")
    options = parser.parse_args()
    filter_ = MaskSettings().load()
    total, arrived = Counter[str](), Counter[str]()
    lost: dict[str, list[tuple[str, str]]] = {kind: [] for kind in KINDS.values()}
    pages = 0
    for name in options.pages:
        with gzip.open(name, "rt", encoding="utf-8") as lines:
            for line in islice(lines, 0, None, options.every):
                row: dict[str, Any] = json.loads(line)
                page = Page(id=row.get("id") or row["url"], url=row["url"] or "", html=row["html"])
                (masked,) = masked_pages([page], filter_, detailed=True)
                if not isinstance(masked, MaskedPage):
                    continue
                pages += 1
                title = headline_of(masked.nodes)
                text = markdown(body_of(masked.nodes, masked.mask.content, page.url, title))
                for kind, said, arrives in arrivals(masked, text, title):
                    total[kind] += 1
                    arrived[kind] += arrives
                    if not arrives:
                        lost[kind].append((page.id, said))
    print(f"{pages} pages")
    for kind in dict.fromkeys(KINDS.values()):
        if total[kind]:
            print(f"{kind:10} {arrived[kind] / total[kind]:.3f} of {total[kind]}")
    for kind, examples in lost.items():
        step = max(1, len(examples) // options.lost) if options.lost else 1
        for page_id, said in examples[::step][: options.lost]:
            print(f"{kind:10} {page_id[:60]:60} {said[:100]}")


if __name__ == "__main__":
    main()
