"""Title, author and date of pages with truth, beside trafilatura and htmldate, in one run.

    python -m benchmarks.metadata $DATA/web/news-train.jsonl.gz

A title or an author is right where its letters and digits are those of the truth, in any order of the
authors; a date where the day is the same. ``miss`` are pages with truth for which nothing was given,
``wrong`` those for which something else was.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ruiji.chunker.document.metadata import metadata_of
from ruiji.corpora.page import Page
from ruiji.features.page.parsing import text_nodes

FIELDS = ("title", "author", "published")
Found = Mapping[str, str]


def ours(row: Mapping[str, Any]) -> Found:
    """What this project reads; the text is only looked at for the language."""
    nodes = text_nodes(Page(id=row["id"], url=row["url"], html=row["html"]), detailed=True)
    metadata = metadata_of(nodes, "", row["url"])
    return {"title": metadata.title, "author": metadata.author, "published": metadata.published}


def trafilaturas(row: Mapping[str, Any]) -> Found:
    """What trafilatura reads."""
    import trafilatura

    document = trafilatura.extract_metadata(row["html"], default_url=row["url"])
    if document is None:
        return {}
    return {"title": document.title or "", "author": document.author or "", "published": document.date or ""}


def htmldates(row: Mapping[str, Any]) -> Found:
    """What htmldate reads: the original date."""
    import htmldate

    return {"published": htmldate.find_date(row["html"], original_date=True, url=row["url"]) or ""}


TOOLS: Mapping[str, Callable[[Mapping[str, Any]], Found]] = {
    "ruiji": ours,
    "trafilatura": trafilaturas,
    "htmldate": htmldates,
}


def is_right(name: str, found: str, truth: str) -> bool:
    """Whether a value is that of the truth."""
    if name == "published":
        return found[:10] == truth[:10]
    if name == "author":
        return _people(found) == _people(truth)
    return _folded(found) == _folded(truth)


def _folded(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _people(text: str) -> frozenset[str]:
    return frozenset(_folded(name) for name in re.split(r"[,;]| and ", text)) - {""}


def score(rows: list[Mapping[str, Any]]) -> Iterator[tuple[str, str, Counter[str]]]:
    """For each tool and field: how often it was right, wrong, or gave nothing."""
    for tool, read in TOOLS.items():
        counts = {name: Counter[str]() for name in FIELDS}
        for row in rows:
            found = read(row)
            for name in FIELDS:
                truth = str(row.get(name) or "")
                value = found.get(name, "")
                if truth and (tool != "htmldate" or name == "published"):
                    counts[name][
                        "right" if is_right(name, value, truth) else "wrong" if value else "miss"
                    ] += 1
        for name in FIELDS:
            yield tool, name, counts[name]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", help="JSON lines with id, url, html and title, author, published")
    with gzip.open(parser.parse_args().pages, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for tool, name, count in score(rows):
        total = sum(count.values())
        if total:
            print(
                f"{tool:12} {name:10} {count['right'] / total:.3f} of {total:4} (wrong {count['wrong']}, "
                f"miss {count['miss']})"
            )


if __name__ == "__main__":
    main()
