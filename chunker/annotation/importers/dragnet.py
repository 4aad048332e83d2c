"""The set of dragnet (Peters and Lecocq, WWW 2013): ``HTML/NAME.html``, and its text in
``Corrected/NAME.html.corrected.txt``.

Readers' comments follow the article after a mark; they are content where that is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ruiji.chunker.annotation.importers.gold import (
    NoGold,
    folder_in,
    gold_text,
    page_with_gold,
    page_without_gold,
)
from ruiji.corpora.page import Page
from ruiji.corpora.reading import read_folder

PAGES, TEXTS, TEXT_SUFFIX = "HTML", "Corrected", ".corrected.txt"
# ``!@#$%^&*()  COMMENTS`` as the set's guide has it. It was typed by hand: signs and spaces vary, and
# dragnet's own reader takes it within a line and over two.
_COMMENTS = re.compile(r"!@\W*COMMENTS\b.*")
ARTICLE, COMMENTS = LABELS = ("article", "comments")


def read_dragnet(source: Path, labels: Sequence[str] = (ARTICLE,)) -> Iterator[Page]:
    """The pages of the set in a folder, in sorted order; content is the article, the comments of readers or
    both. ``HTML/urls.tsv`` may give the addresses.
    """
    pages, texts = folder_in(source, PAGES), folder_in(source, TEXTS)
    for page in read_folder(pages):
        try:
            text = gold_text(texts / f"{page.id.removesuffix('.gz')}{TEXT_SUFFIX}")
        except NoGold as reason:
            yield page_without_gold(page, reason)
            continue
        article, *comments = _COMMENTS.split(text, maxsplit=1)
        parts = {ARTICLE: article, COMMENTS: "".join(comments)}
        yield page_with_gold(
            page, "\n".join(parts[label].strip() for label in LABELS if label in labels).strip()
        )
