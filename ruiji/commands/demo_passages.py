"""The part of ``ruiji demo`` about copied passages: an index of the mini-web, asked about the mini-web
itself, beside the truth.
"""

from __future__ import annotations

import argparse
import json
import unicodedata
from collections import Counter
from pathlib import Path

from ruiji.chunker.filters import DEFAULT_FILTER
from ruiji.commands import index as indexing
from ruiji.corpora import MINIWEB, load_truth, read_pages
from ruiji.progress import Reporter

SHOWN = ("rebroken_list", "single_sentence")  # what the paper's rule misses
LETTERS = 34


def show_passages(out: Path, jobs: int, reporter: Reporter) -> None:
    """Builds ``out/idx``, writes ``out/passages.jsonl`` and prints how much of what is true was found."""
    index, found = out / "idx", out / "passages.jsonl"
    model = {"filter": DEFAULT_FILTER, "model": ""}
    indexing.build(argparse.Namespace(pages=[str(MINIWEB)], output=str(index), jobs=jobs, **model), reporter)
    asked = {
        "index": str(index),
        "output": str(found),
        "rule": "weighted",
        "other_sites": True,
        "verify": False,
    }
    indexing.match(argparse.Namespace(pages=[str(MINIWEB)], jobs=jobs, **asked, **model), reporter)
    url_of = {page.id: page.url for page in read_pages([MINIWEB])}
    passages: dict[tuple[str, str], list[dict[str, object]]] = {}
    for line in found.read_bytes().splitlines():
        row = json.loads(line)
        passages.setdefault((row["url"], row["source_url"]), []).append(row)
    there, seen = Counter[str](), Counter[str]()
    samples = []
    for true in load_truth()["passages"]:
        rows = passages.get((url_of[true["page"]], url_of[true["source"]]), [])
        hit = next((row for row in rows if _letters(true["text"]) in _letters(str(row["text"]))), None)
        there[true["kind"]] += 1
        seen[true["kind"]] += hit is not None
        if hit is not None and true["kind"] in SHOWN:
            samples.append((true, hit))
    print(
        "\nPassages that pages copied from other sites, and how many of the true ones an index of the mini-web finds:"
    )
    print("  " + ", ".join(f"{kind} {seen[kind]} of {there[kind]}" for kind in sorted(there)))
    for true, hit in samples:
        text = " ".join(str(hit["text"]).split())
        print(
            f"  {true['kind']}, {hit['score']} bits: {text[:LETTERS]}…\n    in {true['page']}\n    from {true['source']}"
        )
    print(f"All of them: {found}")


def _letters(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text) if char.isalnum())
