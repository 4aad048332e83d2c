"""How much of the records hangs on the markup of the development sites: the same pages, written in another
way (see ``benchmarks.rewriting``).

python -m benchmarks.records_markup $DATA/records-real                 a line a rewriting
python -m benchmarks.records_markup $DATA/records-real --lost NAME     whom one rewriting loses, by page
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.records import folded_name, tsv_rows
from benchmarks.rewriting import REWRITINGS, Rewriting, rewritten
from ruiji.chunker import load_filter
from ruiji.chunker.filters import Filter
from ruiji.corpora import Page, read_pages
from ruiji.detector.records.fields.concepts import built_in
from ruiji.detector.records.model import Record
from ruiji.detector.records.page import page_records
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of

MOST_PAGES = 12  # of a site, those that name most
NEGATIVES = 30  # pages without records


@dataclass(frozen=True, slots=True)
class Sample:
    """A page, whom it names (folded name → kind), the spellings as written, what else may be found."""

    page: Page
    site: str
    known: Mapping[str, tuple[str, str]]  # folded spelling → the name of truth, its kind
    names: tuple[str, ...]
    complete: bool
    tolerated: frozenset[str]


def samples(folder: Path) -> list[Sample]:
    """The pages of each site that name most, and some without records."""
    known: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    written: dict[str, set[str]] = defaultdict(set)
    sites: dict[str, str] = {}
    for row in tsv_rows(folder / "records.tsv"):
        if row["planted"] == "1" or row["kind"] == "talk":
            continue
        sites[row["url"]] = row["site"]
        for name in (row["name"], *json.loads(row["also"])):
            known[row["url"]].setdefault(folded_name(name), (row["name"], row["kind"]))
        if row["kind"] == "person":
            written[row["url"]].add(row["name"])
    complete = {row["url"] for row in tsv_rows(folder / "complete.tsv")}
    tolerated: dict[str, set[str]] = defaultdict(set)
    for row in tsv_rows(folder / "tolerated.tsv"):
        tolerated[row["url"]].add(folded_name(row["name"]))
    by_site: dict[str, list[str]] = defaultdict(list)
    for url in sorted(sites, key=lambda url: (-len(known[url]), url)):
        by_site[sites[url]].append(url)
    chosen = {url for urls in by_site.values() for url in urls[:MOST_PAGES]}
    chosen |= set(sorted((folder / "negatives.txt").read_text(encoding="utf-8").split())[:NEGATIVES])
    return [
        Sample(
            page,
            sites.get(page.url, ""),
            known[page.url],
            tuple(sorted(written[page.url])),
            page.url in complete or page.url not in sites,
            frozenset(tolerated[page.url]),
        )
        for page in read_pages([str(folder / "pages.jsonl.gz")])
        if page.url in chosen
    ]


def _keys(record: Record) -> Iterator[str]:
    for text in (record.title, *(f.value for f in record.fields if f.concept in ("name", "reading"))):
        yield folded_name(text)


def records_found(sample: Sample, rewriting: Rewriting, chosen: Filter) -> tuple[Record, ...]:
    """The records of a page that is written in another way."""
    source = (
        sample.page.html if isinstance(sample.page.html, str) else sample.page.html.decode("utf-8", "replace")
    )
    page = replace(sample.page, html=rewritten(source, rewriting, sample.names))
    (nodes,) = text_nodes_of([page], named=True)
    if isinstance(nodes, PageFailed):
        return ()
    return page_records(page, nodes, chosen.masks([nodes])[0].content, built_in()).records


@dataclass(slots=True)
class Score:
    """What one rewriting leaves: by site and kind the found and all names, and right and wrong records."""

    found: dict[tuple[str, str], int]
    all: dict[tuple[str, str], int]
    right: int = 0
    wrong: int = 0
    noise: int = 0

    def mean(self, kind: str) -> float:
        shares = [self.found[key] / count for key, count in self.all.items() if key[1] == kind]
        return sum(shares) / len(shares)


def score(pages: Sequence[Sample], rewriting: Rewriting, chosen: Filter, show: bool = False) -> Score:
    """The score of one rewriting; ``show`` prints whom it loses."""
    result = Score(defaultdict(int), defaultdict(int))
    for sample in pages:
        got = set()
        wrong = []
        for record in records_found(sample, rewriting, chosen):
            key = next((key for key in _keys(record) if key in sample.known), None)
            if key is not None:
                got.add(sample.known[key])
                result.right += sample.complete
            elif sample.complete and not any(key in sample.tolerated for key in _keys(record)):
                result.wrong += bool(sample.site)
                result.noise += not sample.site
                wrong.append(record.title)
        everyone = set(sample.known.values())
        for name, kind in everyone:
            result.all[sample.site, kind] += 1
            result.found[sample.site, kind] += (name, kind) in got
        lost = sorted(name for name, _ in everyone - got)
        if show and (lost or wrong):
            print(f"{sample.page.url}  lost {len(lost)} of {len(everyone)}: {lost[:8]}  wrong: {wrong[:8]}")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--lost", default="", help="the rewriting of which to print whom it loses")
    options = parser.parse_args()
    pages, chosen = samples(options.data), load_filter("crf")
    if options.lost:
        (rewriting,) = [one for one in REWRITINGS if one.__name__ == options.lost]
        score(pages, rewriting, chosen, show=True)
        return
    print(f"{len(pages)} pages; means of sites\n{'rewriting':22} people  organisations  precision  noise")
    for rewriting in REWRITINGS:
        result = score(pages, rewriting, chosen)
        precision = result.right / max(1, result.right + result.wrong)
        print(
            f"{rewriting.__name__:22}  {result.mean('person'):.3f}          {result.mean('org'):.3f}"
            f"      {precision:.3f}  {result.noise:5}",
            flush=True,
        )


if __name__ == "__main__":
    main()
