"""python -m benchmarks.transplant --data $DATA -o set --half 0 [--seed N] [--scale X]"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks.transplant.addresses import Addresses
from benchmarks.transplant.designs import GoldPair, TransplantSet, relation, stock_texts
from benchmarks.transplant.donors import Block, Donor, donors
from ruiji.detector.sites import site_key

SETS = {
    "ja": ["ja-sites/*.jsonl.gz"],
    "en": ["web/wcxb-dev.jsonl.gz", "measure/l3s.jsonl.gz", "measure/dragnet.jsonl.gz"],
}
COUNTS = {
    "mirrors": 22, "copies": 22, "users": 24, "parts": 66, "edited": 42, "archives": 5, "digests": 4,
    "patchworks": 9, "paragraphs": 22, "tickers": 6,
}  # fmt: skip
STOCK_TEXTS = 4  # of each kind and language
STOCK_SITES = (4, 4, 3, 2)  # on which they stand
RARE = 10  # pages with a sentence, at most, for it to make a pair
COMMON = 60  # pages with a sentence from which on nobody counts its pairs
PAIR_COLUMNS = "url_a url_b relation kind shared_chars note source patchwork lang".split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--half", type=int, choices=(0, 1), required=True, help="of the sites")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=float, default=0.5, help="of the number of pairs")
    asked = parser.parse_args()
    luck = random.Random(asked.seed)
    pool = {
        lang: [donor for donor in unused_donors(asked.data, lang) if site_key(donor.url) % 2 == asked.half]
        for lang in SETS
    }
    for rest in pool.values():
        luck.shuffle(rest)
    made = TransplantSet(pool, luck, Addresses(luck, set()))
    texts = {lang: _stock(rest) for lang, rest in pool.items()}
    for lang in pool:
        for kind, count in COUNTS.items():
            getattr(made, kind)(lang, round(count * asked.scale))
        for kind, blocks in texts[lang].items():
            for block, sites in zip(blocks, STOCK_SITES, strict=False):
                made.stock(lang, kind, block, sites)
    made.date_pages()
    asked.out.mkdir(parents=True, exist_ok=True)
    _write_pages(made, asked.out)
    _write_pairs(made, asked.out / "gold.tsv")
    print(f"{len(made.pages)} pages, {len(made.gold)} pairs by design")


def unused_donors(data: Path, lang: str) -> list[Donor]:
    """The pages of the sets that are not in pairs-web."""
    with gzip.open(data / "pairs-web/truth.jsonl.gz", "rt", encoding="utf-8") as stream:
        used = frozenset(json.loads(line)["template"] for line in stream)
    sources = [str(path) for pattern in SETS[lang] for path in sorted(data.glob(pattern))]
    return list(donors(sources, lang, used))


def _stock(pool: list[Donor]) -> dict[str, list[Block]]:
    """Stock texts by kind; the pages that they come from leave the pool."""
    chosen: dict[str, list[Block]] = defaultdict(list)
    for donor in list(pool):
        kind, block = next(iter(stock_texts(donor)), ("", None))
        if block is not None and len(chosen[kind]) < STOCK_TEXTS:
            chosen[kind].append(block)
            pool.remove(donor)
    return chosen


def _write_pages(made: TransplantSet, out: Path) -> None:
    with (
        gzip.open(out / "pages.jsonl.gz", "wt", encoding="utf-8") as pages,
        gzip.open(out / "truth.jsonl.gz", "wt", encoding="utf-8") as truth,
    ):
        for url, page in sorted(made.pages.items()):
            row: dict[str, Any] = {"id": url, "url": url, "html": page.html}
            if page.last_modified:
                row["last_modified"] = page.last_modified
            about = {name: getattr(page, name) for name in ("url", "org", "kind", "lang", "template")}
            about["content"] = [block.text for block in page.blocks]
            pages.write(json.dumps(row, ensure_ascii=False) + "\n")
            truth.write(json.dumps(about, ensure_ascii=False) + "\n")


def _write_pairs(made: TransplantSet, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream, delimiter="\t")
        table.writerow(PAIR_COLUMNS)
        for (a, b), pair in sorted((made.gold | _not_designed(made)).items()):
            side = {a: "a", b: "b"}
            table.writerow(
                [a, b, pair.relation, pair.kind, pair.shared_chars, pair.note,
                    side.get(pair.source, "-"), side.get(pair.patchwork, "none"), pair.lang]
            )  # fmt: skip


def _not_designed(made: TransplantSet) -> dict[tuple[str, str], GoldPair]:
    """Pairs that nobody designed, but that share true sentences."""
    sentences = {url: page.sentences() for url, page in sorted(made.pages.items())}
    index: dict[str, list[str]] = defaultdict(list)
    for url, texts in sentences.items():
        for text in texts:
            index[text].append(url)
    shared: dict[tuple[str, str], int] = defaultdict(int)
    rare: set[tuple[str, str]] = set()
    for text, urls in index.items():
        for a, b in combinations(urls, 2) if len(urls) <= COMMON else ():
            shared[a, b] += len(text)
            if len(urls) <= RARE:
                rare.add((a, b))
    chars = {url: sum(map(len, texts)) for url, texts in sentences.items()}
    pairs = {}
    for (a, b), count in shared.items():
        if (a, b) not in made.gold:
            one, other = made.pages[a], made.pages[b]
            natural = "natural" if one.kind == other.kind == "original" else "derived"
            kind = natural if (a, b) in rare else "common"
            pairs[a, b] = GoldPair(kind, relation(count, chars[a], chars[b]), count, "", "", "", one.lang)
    return pairs


if __name__ == "__main__":
    main()
