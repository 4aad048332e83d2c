"""L3S-GN1 (Kohlschütter, Fankhauser and Nejdl, WSDM 2010): ``original/ID.html``, and ``annotated/ID.html``
with the same text in ``span``s of the classes ``x-nc-sel0`` to ``x-nc-sel5``; ``url-mapping.txt`` has the
addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ruiji.chunker.annotation.importers.gold import NoGold, folder_in, page_with_gold, page_without_gold
from ruiji.corpora.encoding.decoding import decode
from ruiji.corpora.page import Page
from ruiji.corpora.reading import page_from_file, read_folder

PAGES, ANNOTATED, ADDRESSES = "original", "annotated", "url-mapping.txt"
LEVELS = ("none", "headline", "full-text", "supplemental", "related", "comments")  # x-nc-sel0 to x-nc-sel5
CONTENT_LABELS = ("headline", "full-text", "supplemental")  # what counts where nobody says otherwise
NOT_SHOWN = frozenset(("script", "style", "noscript", "template"))
_LEVEL = re.compile(r"(?:^|\s)x-nc-sel([0-5])(?:\s|$)")
_ADDRESS = re.compile(r"<urn:uuid:([^>]+)>\s+(\S+)")


def read_l3s(source: Path, labels: Sequence[str] = CONTENT_LABELS) -> Iterator[Page]:
    """The pages of the set in a folder, in sorted order; content is what has one of the ``labels``, of
    LEVELS.
    """
    pages, annotated = folder_in(source, PAGES), folder_in(source, ANNOTATED)
    urls = _urls(source / ADDRESSES)
    for page in read_folder(pages):
        try:
            main_content = _main_content(annotated / page.id, labels)
        except NoGold as reason:
            yield page_without_gold(page, reason)
            continue
        url = urls.get(page.id.partition(".")[0], page.url)
        yield page_with_gold(replace(page, url=url), main_content)


def _urls(path: Path) -> dict[str, str]:
    """The address of each page by its ID; none where the set came without."""
    if not path.is_file():
        return {}
    return dict(_ADDRESS.findall(path.read_text(encoding="utf-8", errors="replace")))


def _main_content(path: Path, labels: Sequence[str]) -> str:
    """The text that is marked as content in an annotated page, a line a text node. Raises NoGold."""
    from resiliparse.parse.html import HTMLTree  # a dependency anyway: it reads encodings

    page = page_from_file(path, path.name, path.name)
    if page.error:
        raise NoGold(f"{ANNOTATED}/{path.name}: {page.error}")
    try:
        tree = HTMLTree.parse(decode(page).text)
    except ValueError as error:
        raise NoGold(f"{ANNOTATED}/{path.name}: {error}") from error
    return "\n".join(_content_texts(tree.body, labels))


def _content_texts(body: Any, labels: Sequence[str]) -> Iterator[str]:
    """The texts whose nearest annotated ancestor is content."""
    pending = [(body, False)] if body is not None else []
    while pending:
        node, is_content = pending.pop()
        if node.tag == "#text":
            if is_content and (text := str(node.text).strip()):
                yield text
        elif node.tag not in NOT_SHOWN:
            if level := _LEVEL.search(str(node.class_name or "")):
                is_content = LEVELS[int(level[1])] in labels
            pending += [(child, is_content) for child in reversed(list(node.child_nodes))]
