"""CleanEval (Baroni, Chantree, Kilgarriff and Sharoff, LREC 2008): ``N.html`` and its text
``N-cleaned.txt`` or ``N.txt``, beside it or in another folder of the set.

A page stands in an element ``text`` whose ``id`` may be its address. The text starts with a line ``URL:``,
and ``<p>``, ``<h>`` and ``<l>`` begin its paragraphs, headings and items.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ruiji.chunker.annotation.importers.gold import NoGold, gold_text, page_with_gold, page_without_gold
from ruiji.corpora.page import Page
from ruiji.corpora.reading import read_folder

CLEANED = "-cleaned"  # at the end of a text's name in the development set
_WRAPPER_START = re.compile(rb'\A(?:\xef\xbb\xbf)?\s*<text\b(?:[^>"\n]|"[^"\n]*")*>', re.IGNORECASE)
_WRAPPER_END = re.compile(rb"</text>\s*\Z", re.IGNORECASE)
_ID = re.compile(rb'\sid="(https?://[^"\s]+)"', re.IGNORECASE)
_URL_LINE = re.compile(r"\A\s*URL:[ \t]*(\S*)[^\n]*\n?", re.IGNORECASE)
_LINE_MARK = re.compile(r"</?[phl]>", re.IGNORECASE)

Texts = Mapping[str, Sequence[Path]]


def read_cleaneval(source: Path) -> Iterator[Page]:
    """The pages below a folder, in sorted order."""
    texts = _texts_by_stem(source)
    for page in read_folder(source):
        try:
            url, main_content = _gold(gold_text(_gold_path(source / page.id, texts)))
        except NoGold as reason:
            yield page_without_gold(page, reason)
            continue
        yield page_with_gold(_unwrapped(page, url), main_content)


def _texts_by_stem(source: Path) -> Texts:
    """The texts below a folder by the name of their page; those that say that they are cleaned come first."""
    texts: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(source.rglob("*.txt"), key=lambda path: (not path.stem.endswith(CLEANED), path)):
        texts[path.stem.removesuffix(CLEANED)].append(path)
    return texts


def _gold_path(page: Path, texts: Texts) -> Path:
    """The text of a page: the one beside it, or the only one of that name. Raises NoGold."""
    stem = page.name.partition(".")[0]
    of_page = texts.get(stem, ())
    beside = [path for path in of_page if path.parent == page.parent]
    if beside:
        return beside[0]
    if len(of_page) > 1:
        raise NoGold(f"{len(of_page)} folders have a text of the name {stem}; convert one language at a time")
    return of_page[0] if of_page else page.with_name(f"{stem}{CLEANED}.txt")


def _gold(text: str) -> tuple[str, str]:
    """The address that a text names, "" for none, and its content without marks."""
    url_line = _URL_LINE.match(text)
    content = text[url_line.end() :] if url_line else text
    return url_line[1] if url_line else "", _LINE_MARK.sub("", content).strip()


def _unwrapped(page: Page, url: str) -> Page:
    """The page out of its element ``text``; that names the address where the gold text (``url``) does not."""
    if isinstance(page.html, str):
        return page
    start = _WRAPPER_START.match(page.html)
    if start is None:
        return replace(page, url=url or page.url)
    address = _ID.search(start[0])
    named = address[1].decode("utf-8", "replace") if address else ""
    return replace(page, url=url or named or page.url, html=_WRAPPER_END.sub(b"", page.html[start.end() :]))
