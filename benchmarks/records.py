"""Accuracy of ``ruiji records`` on real pages with known people, and its growth.

python -m benchmarks.records $DATA/records-real              ours, the paper's method, its baselines,
                                                             each indicator left out
python -m benchmarks.records corpora/miniweb                the same on the mini-web
python -m benchmarks.records $DATA/records-real --lambda     the paper's method for λ from 0 to 1
python -m benchmarks.records $DATA/records-real --held-out   the threshold of ours, chosen on all sites
                                                             but the one that is judged
python -m benchmarks.records --growth                        CPU seconds and memory, 10,000 to 1,000,000
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import re
import resource
import tempfile
import time
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ruiji.chunker import load_filter
from ruiji.chunker.filters import Filter
from ruiji.corpora import MINIWEB, Page, load_truth, read_pages
from ruiji.detector.records.compare.matching import MatchSettings
from ruiji.detector.records.compare.paper import AND_SEARCH, INDICATORS, OR_SEARCH, PAPER, PaperSettings
from ruiji.detector.records.compare.relevance import PaperRule
from ruiji.detector.records.comparison import CompareSettings, compare_pages
from ruiji.detector.records.fields.concepts import built_in
from ruiji.detector.records.folder import RecordsFolder
from ruiji.detector.records.model import PERSON, Field, PageRecords, Record
from ruiji.detector.records.page import page_records
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of

GROWTH = (10_000, 30_000, 100_000, 300_000, 1_000_000)
PAGE_SIZE = 20  # records of a made-up page
LAMBDAS = tuple(step / 10 for step in range(11))
NAMELESS = ("所属", "ext.", "電話", "所在地")  # first fields of the mini-web's records that are no name
THRESHOLDS = (2.0, 3.5, 5.0, 6.5, 8.0, 10.0)  # bits


@dataclass(frozen=True, slots=True)
class PairTruth:
    """Who is named on which page, and which two of them are one, by site; names are folded."""

    people: Mapping[tuple[str, str], str]  # page and name → entity
    pairs: Mapping[frozenset[tuple[str, str]], str]  # two pages and names → site
    sites: Mapping[str, str]  # page → site


def folded_name(name: str) -> str:
    """A name without case, width, spaces, signs and honorifics."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    plain = re.sub(r"[(（\[].*", "", plain) or plain
    return re.sub(r"[\W_]+|さん$|氏$", "", plain)


def read_truth(folder: Path) -> PairTruth:
    """The truth of a folder with records.tsv and same.tsv."""
    csv.field_size_limit(10**9)
    people: dict[tuple[str, str], str] = {}
    site_of: dict[str, str] = {}
    for row in tsv_rows(folder / "records.tsv"):
        site_of[row["url"]] = row["site"]
        for name in (row["name"], *json.loads(row["also"])):
            people.setdefault((row["url"], folded_name(name)), row["entity"])
    pairs = {}
    for row in tsv_rows(folder / "same.tsv"):
        if row["kind"] != "talk":
            ends = frozenset((row[f"url_{side}"], folded_name(row[f"name_{side}"])) for side in "ab")
            pairs[ends] = site_of[row["url_a"]]
    return PairTruth(people, pairs, site_of)


def miniweb_truth() -> PairTruth:
    """The truth of the mini-web: who stands on which page, under the name that stands there."""
    addresses = {page.id: page.url for page in read_pages([MINIWEB])}
    people: dict[tuple[str, str], str] = {}
    places: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for record in load_truth()["records"]:
        for place in record["places"]:
            label, value = next(iter(place["fields"].items()))
            name = value if value and label not in NAMELESS else record["entity"]
            key = (addresses[place["page"]], folded_name(name))
            people.setdefault(key, record["entity"])
            places[record["entity"]].append(key)
    site_of = {url: urlsplit(url).hostname or url for url in addresses.values()}
    pairs = {
        frozenset((one, other)): site_of[one[0]]
        for keys in places.values()
        for one, other in combinations(sorted(set(keys)), 2)
        if one[0] != other[0]
    }
    return PairTruth(people, pairs, site_of)


def truth_and_pages(data: Path) -> tuple[PairTruth, list[PageRecords]]:
    """The truth of a folder, and the records of its pages."""
    if (data / "truth.json").is_file():
        return miniweb_truth(), found_pages(data)
    return read_truth(data), found_pages(data / "pages.jsonl.gz")


def tsv_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def found_pages(path: Path, filter_name: str = "crf") -> list[PageRecords]:
    """The records of each page of a file."""
    chosen = load_filter(filter_name)
    found = (page_found(page, chosen) for page in read_pages([str(path)]))
    return [page for page in found if page is not None]


def page_found(page: Page, chosen: Filter) -> PageRecords | None:
    """The records of one page; None where it cannot be read."""
    (nodes,) = text_nodes_of([page], named=True)
    if isinstance(nodes, PageFailed):
        return None
    return page_records(page, nodes, chosen.masks([nodes])[0].content, built_in())


@dataclass(slots=True)
class SiteCounts:
    """Judged pairs of one site that are right and wrong, and true pairs that were found or not."""

    right: int = 0
    wrong: int = 0
    hits: int = 0
    pairs: int = 0

    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    def recall(self) -> float:
        return self.hits / max(1, self.pairs)

    def f1(self) -> float:
        both = self.precision() + self.recall()
        return 2 * self.precision() * self.recall() / both if both else 0.0


def site_counts(
    pages: Sequence[PageRecords], truth: PairTruth, settings: CompareSettings
) -> dict[str, SiteCounts]:
    """The counts of each site that has true pairs; a wrong pair counts for the sites of both ends."""
    with tempfile.TemporaryDirectory() as folder:
        compare_pages(pages, Path(folder), built_in(), settings)
        results = RecordsFolder(Path(folder))
        names = {row["id"]: _known(row, truth) for row in results.records()}
        counts: dict[str, SiteCounts] = defaultdict(SiteCounts)
        got = set()
        for row in results.correspondences():
            one, other = names[row["id_a"]], names[row["id_b"]]
            if one is None or other is None:
                continue
            same = truth.people[one] == truth.people[other]
            for site in sorted({truth.sites[one[0]], truth.sites[other[0]]}):
                counts[site].right += same
                counts[site].wrong += not same and one[1] != other[1]
            got.add(frozenset((one, other)))
    for ends, site in truth.pairs.items():
        counts[site].pairs += 1
        counts[site].hits += ends in got
    return {site: count for site, count in sorted(counts.items()) if count.pairs}


def accuracy(
    pages: Sequence[PageRecords], truth: PairTruth, settings: CompareSettings
) -> tuple[float, float, float]:
    """Precision of the judged pairs, recall, and recall as the mean of sites."""
    counts = site_counts(pages, truth, settings)
    total = SiteCounts()
    for count in counts.values():
        total.right, total.wrong = total.right + count.right, total.wrong + count.wrong
        total.hits, total.pairs = total.hits + count.hits, total.pairs + count.pairs
    return total.precision(), total.recall(), sum(c.recall() for c in counts.values()) / len(counts)


def judge_held_out(folder: Path) -> None:
    """Prints for each site the threshold that is best on the others, and how it does there."""
    truth, pages = truth_and_pages(folder)
    runs = {
        bits: site_counts(pages, truth, CompareSettings(matching=MatchSettings(threshold=bits)))
        for bits in THRESHOLDS
    }
    print("bits   mean F of sites")
    for bits, counts in runs.items():
        print(f"{bits:4.1f}   {sum(count.f1() for count in counts.values()) / len(counts):.3f}")
    print("\nsite            pairs  bits  precision  recall  F")
    judged = []
    for site in next(iter(runs.values())):
        best = max(
            THRESHOLDS, key=lambda bits: sum(c.f1() for other, c in runs[bits].items() if other != site)
        )
        count = runs[best].get(site, SiteCounts())
        judged.append(count)
        print(
            f"{site:15} {count.pairs:5}  {best:4.1f}      {count.precision():.3f}   {count.recall():.3f}  "
            f"{count.f1():.3f}"
        )
    print(
        "mean of sites               {:.3f}   {:.3f}  {:.3f}".format(
            *(
                sum(part(c) for c in judged) / len(judged)
                for part in (SiteCounts.precision, SiteCounts.recall, SiteCounts.f1)
            )
        )
    )


def _known(row: Mapping[str, Any], truth: PairTruth) -> tuple[str, str] | None:
    """The page and name of truth that a record is about."""
    spelled = [
        row["label"],
        *(field["value"] for field in row["fields"] if field["concept"] in ("name", "reading")),
    ]
    keys = ((row["url"], folded_name(name)) for name in spelled)
    return next((key for key in keys if key in truth.people), None)


def compare_methods(folder: Path) -> None:
    """Prints a line a method."""
    truth, pages = truth_and_pages(folder)
    runs = {"ours": CompareSettings(), "paper": CompareSettings(paper=PaperSettings())}
    for method in (OR_SEARCH, AND_SEARCH):
        runs[f"{method.upper()} search"] = CompareSettings(paper=PaperSettings(method=method))
    for indicator in INDICATORS:
        without = PaperSettings(method=PAPER, without=frozenset((indicator,)))
        runs[f"paper without {indicator}"] = CompareSettings(paper=without)
    print(f"{'method':24} precision  recall  mean of sites")
    for name, settings in runs.items():
        print(
            f"{name:24}" + "     {:.3f}   {:.3f}          {:.3f}".format(*accuracy(pages, truth, settings)),
            flush=True,
        )


def sweep(folder: Path) -> None:
    """Prints a line a λ."""
    truth, pages = truth_and_pages(folder)
    print("  λ   precision  recall  F")
    for lam in LAMBDAS:
        settings = CompareSettings(paper=PaperSettings(PaperRule(lam=lam)))
        precision, recall, _ = accuracy(pages, truth, settings)
        print(
            f"{lam:4.1f}      {precision:.3f}   {recall:.3f}  "
            f"{2 * precision * recall / max(1e-9, precision + recall):.3f}",
            flush=True,
        )


def made_up_pages(records: int, seed: int = 1) -> Iterator[PageRecords]:
    """Pages of made-up staff: each person stands on about two and a half pages of one or two
    organisations.
    """
    chance = random.Random(seed)
    start = datetime(2020, 1, 1, tzinfo=UTC)
    for page in range(records // PAGE_SIZE):
        organisation = page // 8
        rows = []
        for place in range(PAGE_SIZE):
            person = organisation * 64 + chance.randrange(64)
            name = f"{_word(person * 7 + 3)} {_word(person * 13 + 5)}".title()
            values = (
                ("post", "post", chance.choice(("Professor", "Lecturer", "Manager", "Engineer"))),
                ("mail", "mail", f"p{person}@org{organisation}.example.com"),
                ("ext", "phone", str(1000 + (person + (chance.random() < 0.02)) % 9000)),
                ("affiliation", "text", f"Department {organisation % 50}"),
            )
            fields = (
                Field("", "name", "name", name),
                *(Field("", concept, kind, value) for concept, kind, value in values),
            )
            rows.append(
                Record(
                    f"/html/body/table/tr[{place + 1}]", "row", name, fields, (), "/html/body/table", PERSON
                )
            )
        host = f"www{page % 3}.org{organisation}.example.com".replace(
            "example.com", f"example{organisation}.com"
        )
        url = f"http://{host}/staff{page}.html"
        yield PageRecords(url, url, host, start + timedelta(days=page % 900), "header", (), tuple(rows))


def _word(number: int) -> str:
    """A pronounceable word for a number; different numbers mostly give different words."""
    number = (number * 2_654_435_761) % 2**32
    return "".join(
        "bdfgklmnprstvz"[(number >> shift) % 14] + "aeiou"[(number >> shift) % 5] for shift in (0, 7, 14)
    )


def growth(sizes: Sequence[int]) -> None:
    """Prints the seconds of the processor and the largest memory for each size."""
    print("  records  correspondences  contradictions  CPU seconds  largest memory (MB)")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            start = time.process_time()
            counts = compare_pages(made_up_pages(size), Path(folder), built_in())
            seconds = time.process_time() - start
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        told = sum(counts["contradictions"].values())
        print(
            f"{counts['records']:9}  {counts['correspondences']:15}  {told:14}  {seconds:11.1f}  {memory:19}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--lambda", dest="lam", action="store_true")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--most", type=int, default=GROWTH[-1], help="largest number of records for --growth")
    options = parser.parse_args()
    if options.growth:
        growth([size for size in GROWTH if size <= options.most])
    elif options.data is None:
        parser.error("give the folder of real pages, or --growth")
    elif options.held_out:
        judge_held_out(options.data)
    elif options.lam:
        sweep(options.data)
    else:
        compare_methods(options.data)


if __name__ == "__main__":
    main()
