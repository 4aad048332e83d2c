"""What the shipped models learn from: the annotated sets, and what is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ruiji.chunker.conventions import BLOCKS, ELEMENT, HEADLINE
from ruiji.corpora import MINIWEB

COPIES = "copies with comments"  # the group of pages that were made, on the card


@dataclass(frozen=True, slots=True)
class DataSet:
    """Annotated pages that a shipped model learns from: under which licence they are, and what their
    annotators took for content, in words and by name (chunker.conventions).
    """

    name: str
    short: str
    sources: Sequence[Path]
    licence: str
    convention: str
    convention_name: str = BLOCKS


def data_sets(data: Path) -> list[DataSet]:
    """What the shipped models learn from. ja-web is for measuring only, and is not among them."""
    return [
        DataSet(
            "WCXB development set: the wide web, mostly English",
            "WCXB",
            [data / "web" / "wcxb-dev.jsonl.gz"],
            "CC BY 4.0",
            "main text; headline mostly out, comments of readers mostly out, posts of forums in",
        ),
        DataSet(
            "News of some forty countries (fundus, readability)",
            "news",
            [data / "web" / "news-train.jsonl.gz"],
            "truth MIT and Apache-2.0, pages their publishers'",
            "main text; headline in or out as the source has it, comments of readers out",
        ),
        DataSet(
            "Japanese manuals and blogs, 19 sites",
            "Japanese sites",
            sorted((data / "ja-sites").glob("*.jsonl.gz")),
            "free documentation licences; each row names its own",
            "regions; headline in, all of the content's element in, tables of contents out",
            ELEMENT,
        ),
        DataSet(
            "ruiji's mini-web",
            "mini-web",
            [MINIWEB],
            "MIT, as ruiji",
            "regions (Nakamura 2007); headline in, related articles and comments out",
            HEADLINE,
        ),
    ]


COPIES_SET = DataSet(
    "Copies of articles of these sets with comments below them, made by ruiji (scripts/after_article.py)",
    COPIES,
    [],
    "as the pages that they are made of",
    "as the pages that they are made of; what was added is out",
)

PLANTED_SET = DataSet(
    "Threads and lists in place of articles of these sets, made by ruiji (scripts/template_zoo.py)",
    "planted",
    [],
    "as the pages that they are made of",
    "posts, entries and descriptions in; who wrote and when is not learned from",
)
