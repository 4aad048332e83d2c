"""The set of dragnet (Peters and Lecocq, WWW 2013): ``HTML/NAME.html``, and its text in
``Corrected/NAME.html.corrected.txt``.

Readers' comments follow the content after a line of their own; they are no content here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
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
# ``!@#$%^&*()  COMMENTS`` as the set's guide has it; it was typed by hand, so signs and spaces vary.
_COMMENTS = re.compile(r"^[ \t]*!@[^\w\n]*COMMENTS\b.*", re.MULTILINE | re.DOTALL)


def read_dragnet(source: Path) -> Iterator[Page]:
    """The pages of the set in a folder, in sorted order; ``HTML/urls.tsv`` may give their addresses."""
    pages, texts = folder_in(source, PAGES), folder_in(source, TEXTS)
    for page in read_folder(pages):
        try:
            text = gold_text(texts / f"{page.id.removesuffix('.gz')}{TEXT_SUFFIX}")
        except NoGold as reason:
            yield page_without_gold(page, reason)
            continue
        yield page_with_gold(page, _COMMENTS.sub("", text).strip())
