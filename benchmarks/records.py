"""Accuracy and speed of ``ruiji records`` on made-up lists.

python -m benchmarks.records            F by layout, tuned and held out
python -m benchmarks.records --growth   seconds of CPU for 500, 1,000, 2,500 and 5,000 pages of ten records
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Sequence

from benchmarks.record_lists import HELD_OUT, TUNED, Made, make_collection, planted_differences, true_pairs
from ruiji.chunker import load_filter
from ruiji.corpora.page import Page
from ruiji.detector.records.book import Book, PageRecords, compared_pages, page_records
from ruiji.detector.records.compare.relevance import Rule
from ruiji.detector.records.fields.concepts import built_in
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of

COLLECTIONS = 12
GROWTH = (500, 1000, 2500, 5000)


def found_in(pages: Sequence[Page], filter_name: str = "blocks") -> list[PageRecords]:
    """The records of each page."""
    chosen = load_filter(filter_name)
    schema = built_in()
    found = []
    for page, nodes in zip(pages, text_nodes_of(pages), strict=True):
        assert not isinstance(nodes, PageFailed)
        found.append(page_records(page, nodes, chosen.masks([nodes])[0].content, schema))
    return found


def scored(made: Made, book: Book) -> tuple[set[tuple[int, str, str]], set[tuple[int, str, str]], int]:
    """The true pairs, those of them that were found, and how many other pairs were found."""
    things = {place.number: made.shown.get(place.url, {}).get(place.record.title) for place in book.places}
    true = true_pairs(made)
    right: set[tuple[int, str, str]] = set()
    wrong = 0
    for pair in book.pairs:
        one, other = things[pair.one], things[pair.other]
        urls = sorted((book.places[pair.one].url, book.places[pair.other].url))
        if one is not None and one == other:
            right.add((one, urls[0], urls[1]))
        else:
            wrong += 1
    return true, right & true, wrong


def accuracy(
    layouts: str, filter_name: str = "blocks", rule: Rule | None = None, verbose: bool = True
) -> float:
    """F over all collections, and recall by layout."""
    chosen = {"tuned": TUNED, "held out": HELD_OUT}[layouts]
    true_total = right_total = wrong_total = 0
    tally: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    for seed in range(COLLECTIONS):
        made = make_collection(seed, chosen)
        book = compared_pages(found_in(made.pages, filter_name), built_in(), rule or Rule())
        true, right, wrong = scored(made, book)
        true_total, right_total, wrong_total = (
            true_total + len(true),
            right_total + len(right),
            wrong_total + wrong,
        )
        for pair in true:
            for url in pair[1:]:
                wanted[made.layouts[url]] += 1
                hits[made.layouts[url]] += pair in right
        _tally_differences(made, book, tally)
    recall, precision = right_total / true_total, right_total / max(1, right_total + wrong_total)
    score = 2 * recall * precision / max(1e-9, recall + precision)
    if verbose:
        print(
            f"\n{layouts}: F {score:.3f}  recall {recall:.3f}  precision {precision:.3f}  ({true_total} true pairs)"
        )
        for kind in ("facts", "notations"):
            print(
                f"  {kind}: {tally[kind + ' found']} of {tally[kind]} planted found, {tally[kind + ' invented']} others told"
            )
        for name in wanted:
            print(f"  {name:22} recall {hits[name] / wanted[name]:.3f}")
    return score


def _tally_differences(made: Made, book: Book, tally: Counter[str]) -> None:
    """Counts which planted differences were told with the right kind, and which were told that are none."""
    things = {place.number: made.shown.get(place.url, {}).get(place.record.title) for place in book.places}
    told: dict[str, set[tuple[int, str, str, str]]] = defaultdict(set)
    by_number = {place.number: place for place in book.places}
    for item in book.contradictions:
        thing = things[item.one]
        concept = item.concept
        if thing is None or concept == "name" or item.kind == "missing":
            continue
        urls = sorted((by_number[item.one].url, by_number[item.other].url))
        told["notations" if item.kind == "variant" else "facts"].add((thing, concept, urls[0], urls[1]))
    for kind, planted in zip(("facts", "notations"), planted_differences(made), strict=True):
        tally[kind] += len(planted)
        tally[kind + " found"] += len(planted & told[kind])
        tally[kind + " invented"] += len(told[kind] - planted)


def growth() -> None:
    """CPU seconds of both stages, and what they find."""
    print("pages  records  pairs  contradictions  find s  compare s")
    for size in GROWTH:
        groups = size // 5
        pages: list[Page] = []
        for seed in range(groups):
            made = make_collection(
                seed,
                TUNED | HELD_OUT,
                things=12,
                pages_a_group=5,
                many=True,
                groups=(("university", "company", "english", "office", "product")[seed % 5],),
            )
            pages += made.pages
        start = time.process_time()
        found = found_in(pages)
        middle = time.process_time()
        book = compared_pages(found, built_in())
        end = time.process_time()
        counts = f"{len(pages):5}  {len(book.places):7}  {len(book.pairs):5}  {len(book.contradictions):14}"
        print(f"{counts}  {middle - start:6.1f}  {end - middle:9.1f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--filter", default="blocks")
    parser.add_argument("--only", choices=("tuned", "held out"))
    options = parser.parse_args()
    if options.growth:
        growth()
        return
    for layouts in (options.only,) if options.only else ("tuned", "held out"):
        accuracy(layouts, options.filter)


if __name__ == "__main__":
    main()
