"""How well ``ruiji clean`` removes what pages repeat, by the truth of transplanted pages.

    python -m benchmarks.clean $DATA/pairs-web OUT [--half a|b] [--show KIND]

OUT is the folder of ``ruiji clean $DATA/pairs-web/pages.jsonl.gz -o OUT``. Nothing of the cleaner is used to
measure it: letters are compared by runs of eight, as the set's own scorer does. Halves are by the address of
the page that was copied: what is chosen is chosen on half a, and half b is looked at once.

- repeated: of the letters that copies.tsv says were copied and that were extracted from both pages, those
  that no longer stand in both. Single quoted sentences (cite_1, quote_1), which stay by design, and edited
  copies are listed but not counted.
- lost: of all extracted letters, those that were removed and stand nowhere in the corpus.
- cut: removed stretches that begin or end within a sentence: no line break, and no sign that ends one.
- source: of the copies whose source the set knows, in how many the source keeps the passage.
"""

from __future__ import annotations

import argparse
import csv
import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from xxhash import xxh3_64_intdigest

RUN = 8  # letters that are compared at once
ENDS = "。．.!?！？…」』）)】]>:：;；、,・\"'”’*~〜♪|-–—/"
BY_DESIGN = ("cite_1", "quote_1", "edit_")
GONE_SHARE = 0.5  # of the letters of a copy that one of the two pages must have lost, to say which keeps it
BESIDE = 15  # characters that are shown beside a cut

Row = dict[str, Any]


def letters(text: str) -> str:
    """The letters of a text, as the set's scorer compares them."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).lower())


def runs(text: str) -> set[str]:
    """All runs of eight letters."""
    own = letters(text)
    return {own[place : place + RUN] for place in range(max(1, len(own) - RUN + 1))} if own else set()


@dataclass(slots=True)
class Corpus:
    """The texts by address, as they were extracted and as they are in the corpus, and the receipt."""

    whole: dict[str, str]
    cleaned: dict[str, str]
    removed: list[Row]
    whole_runs: dict[str, set[str]] = field(default_factory=dict)
    cleaned_runs: dict[str, set[str]] = field(default_factory=dict)


def read_corpus(out: Path) -> Corpus:
    """The corpus in a folder of ``ruiji clean``, with the stretches put back."""
    rows = pq.read_table(out / "corpus.parquet", columns=["url", "text"]).to_pylist()
    cleaned = {row["url"]: row["text"] for row in rows}
    removed = pq.read_table(out / "removed.parquet").to_pylist()
    by_page: dict[str, list[Row]] = defaultdict(list)
    for row in removed:
        by_page[row["url"]].append(row)
    whole = cleaned | {url: restored(cleaned.get(url, ""), rows) for url, rows in by_page.items()}
    corpus = Corpus(whole, cleaned, removed)
    corpus.whole_runs = {url: runs(text) for url, text in whole.items()}
    corpus.cleaned_runs = {url: runs(cleaned.get(url, "")) for url in whole}
    return corpus


def restored(text: str, rows: list[Row]) -> str:
    """A text with the stretches of the receipt put back."""
    for row in sorted(rows, key=lambda row: int(row["start"])):
        text = text[: row["start"]] + row["text"] + text[row["start"] :]
    return text


def in_half(url: str, half: str | None) -> bool:
    """Whether a page belongs to the half that is looked at."""
    return half is None or "ab"[xxh3_64_intdigest(url.encode()) & 1] == half


def copies_of(data: Path, half: str | None) -> list[tuple[str, str, str, str]]:
    """(page, source, text, kind) of each copy."""
    csv.field_size_limit(1 << 30)
    with (data / "gold.tsv").open(encoding="utf-8", newline="") as stream:
        kinds = {(row["url_a"], row["url_b"]): row["kind"] for row in csv.DictReader(stream, delimiter="\t")}
    with (data / "copies.tsv").open(encoding="utf-8", newline="") as stream:
        lines = [line.rstrip("\n").split("\t", 2) for line in stream][1:]
    copies = []
    for url, source, text in lines:
        first, second = sorted((url, source))
        if in_half(source, half):
            copies.append((url, source, text, kinds[first, second]))
    return copies


def within_sentence(text: str, place: int) -> bool:
    """Whether a border lies within a sentence."""
    before, after = text[:place], text[place:]
    if not before.strip() or not after.strip():
        return False
    gap = before[len(before.rstrip()) :] + after[: len(after) - len(after.lstrip())]
    return "\n" not in gap and before.rstrip()[-1] not in ENDS


def score_copies(corpus: Corpus, copies: list[tuple[str, str, str, str]], show: str) -> None:
    """Prints how much of what was copied is gone from one of both pages, by kind."""
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    count: Counter[str] = Counter()
    keeps: Counter[str] = Counter()
    for url, source, text, kind in copies:
        if url not in corpus.whole or source not in corpus.whole:
            continue
        repeated = runs(text) & corpus.whole_runs[url] & corpus.whole_runs[source]
        in_copy, in_source = repeated & corpus.cleaned_runs[url], repeated & corpus.cleaned_runs[source]
        still = in_copy & in_source
        count[kind] += 1
        before[kind] += len(repeated)
        after[kind] += len(still)
        if min(len(in_copy), len(in_source)) < GONE_SHARE * len(repeated):
            keeps["source" if len(in_source) > len(in_copy) else "copy"] += 1
        if show == kind and 10 * len(still) > len(repeated):
            print(f"STAYS {len(still)}/{len(repeated)} {url} {source} {text[:80]!r}")
    print("| kind | copies | repeated letters | removed |\n| --- | --- | --- | --- |")
    for kind in sorted(before):
        print(f"| {kind} | {count[kind]} | {before[kind]} | {1 - after[kind] / max(1, before[kind]):.4f} |")
    counted = [kind for kind in before if not kind.startswith(BY_DESIGN)]
    total, stays = sum(before[kind] for kind in counted), sum(after[kind] for kind in counted)
    share = 1 - stays / max(1, total)
    print(f"repeated letters removed, without {', '.join(BY_DESIGN)}: {share:.4f} of {total}")
    print(f"kept by the source {keeps['source']}, by the copy {keeps['copy']}")


def score_losses(corpus: Corpus, half: str | None, show: str) -> None:
    """Prints what is lost, what is cut within a sentence, and whether the receipt is right."""
    remaining = set().union(*corpus.cleaned_runs.values())
    lost = cut = wrong = 0
    own = [row for row in corpus.removed if in_half(row["url"], half)]
    for row in own:
        kept = corpus.whole[row["kept_url"]][row["kept_start"] : row["kept_end"]]
        same = letters(row["text"]) == letters(kept)  # shorter ones have no run of their own
        gone = set() if same else {run for run in runs(row["text"]) if run not in remaining}
        lost += len(gone)
        if gone and show == "lost":
            print("LOST", len(gone), row["reason"], row["url"], repr(row["text"][:150]), row["kept_url"])
        text = corpus.whole[row["url"]]
        wrong += text[row["start"] : row["end"]] != row["text"] or not same
        borders = [place for place in (row["start"], row["end"]) if within_sentence(text, place)]
        cut += bool(borders)
        if borders and show == "cut":
            places = [f"{text[at - BESIDE : at]}▮{text[at : at + BESIDE]}" for at in borders]
            print("CUT", row["url"], places)
    extracted = sum(len(letters(text)) for url, text in corpus.whole.items() if in_half(url, half))
    print(f"lost letters: {lost} of {extracted} = {lost / max(1, extracted):.6f}")
    print(f"stretches: {len(own)}, within a sentence {cut}, not as the receipt says {wrong}")
    print(f"pages: {len(corpus.whole)}, in the corpus {len(corpus.cleaned)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--half", choices=("a", "b"))
    parser.add_argument("--show", default="", metavar="KIND", help="copies that stay, or lost, or cut")
    options = parser.parse_args()
    corpus = read_corpus(options.out)
    score_copies(corpus, copies_of(options.data, options.half), options.show)
    score_losses(corpus, options.half, options.show)


if __name__ == "__main__":
    main()
