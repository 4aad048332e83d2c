"""``ruiji demo``: the bundled mini-web, stage by stage, on the terminal and in a folder."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from ruiji.chunker import annotated_mask
from ruiji.commands.demo_pairs import show_pairs
from ruiji.commands.demo_passages import show_passages
from ruiji.commands.extract import Extract
from ruiji.corpora import MINIWEB, load_truth, map_pages, read_pages
from ruiji.corpora.files import replacing
from ruiji.detector import placed_sentences
from ruiji.features import text_nodes
from ruiji.progress import Reporter

SAMPLE = "www2.nagisanet.ne.jp/~tarou/tr-nikki.html"  # Shift_JIS that says EUC-JP, in table layout
SAMPLE_NODES = 14
CONTRADICTIONS_SHOWN = 6


@dataclass(slots=True)
class _Site:
    pages: int = 0
    nodes: int = 0
    content: int = 0
    sentences: int = 0
    encodings: Counter[str] = field(default_factory=Counter)


def show_miniweb(out: Path, jobs: int, reporter: Reporter) -> None:
    """Extracts every page into ``out/extract.jsonl`` and prints what there is, site by site."""
    function = Extract("none", "jsonl", with_nodes=True)
    destination = out / "extract.jsonl"
    sites: dict[str, _Site] = {}
    with replacing(destination) as stream:
        rows = map_pages(function, read_pages([MINIWEB]), failed=function.failed, jobs=jobs)
        for row in reporter.watch(rows):
            stream.write(row.output)
    for page in read_pages([MINIWEB]):
        nodes = text_nodes(page)
        site = sites.setdefault(page.id.partition("/")[0], _Site())
        site.pages += 1
        site.nodes += len(nodes)
        site.content += int(annotated_mask(nodes).content.sum())
        site.sentences += len(placed_sentences(nodes))
        site.encodings[nodes.encoding] += 1
    _print_sites(sites)
    _print_sample(destination)
    _print_truth()
    show_pairs(out / "detect", jobs, reporter)
    show_passages(out / "copies", jobs, reporter)
    show_records(out / "records", jobs, reporter)
    print(
        f"\nEvery text node of every page: {destination}\nThe pages themselves, for a browser: {MINIWEB}/*/index.html"
    )


def _print_sites(sites: dict[str, _Site]) -> None:
    print(f"{'site':42} pages  nodes  content  sentences  encodings")
    for host, site in sites.items():
        share = site.content / site.nodes
        encodings = ", ".join(
            f"{name} {count}" if len(site.encodings) > 1 else name
            for name, count in site.encodings.most_common()
        )
        print(f"{host:42} {site.pages:5}  {site.nodes:5}  {share:7.0%}  {site.sentences:9}  {encodings}")
    total = [
        sum(getattr(site, name) for site in sites.values())
        for name in ("pages", "nodes", "content", "sentences")
    ]
    print(f"{'all':42} {total[0]:5}  {total[1]:5}  {total[2] / total[1]:7.0%}  {total[3]:9}")
    print("(content: share of text nodes outside the annotated menus, advertisements and footers)")


def _print_sample(extracted: Path) -> None:
    with extracted.open(encoding="utf-8") as stream:
        record = next(record for record in map(json.loads, stream) if record["id"] == SAMPLE)
    print(
        f"\n{record['id']}: {record['encoding']} ({record['encoding_evidence']}), {record['nodes']} text nodes, among them"
    )
    for label in record["labels"][:SAMPLE_NODES]:
        text = " ".join(label["text"].split())
        print(f"  {_clipped(text, 44)}  {label['path']}")


def _clipped(text: str, width: int) -> str:
    """The text in exactly so many columns of a terminal, where a kanji takes two."""
    taken, columns = "", 0
    for char in text:
        size = 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if columns + size > width - 1:
            return taken + "…" + " " * (width - columns - 1)
        taken, columns = taken + char, columns + size
    return taken + " " * (width - columns)


def _print_truth() -> None:
    truth = load_truth()
    categories = Counter(pair["category"] for pair in truth["pairs"])
    kinds = Counter(item["kind"] for item in truth["contradictions"])
    print("\nWhat is true of it (truth.json), for the detectors to find:")
    print("  pairs of pages   " + ", ".join(f"{name} {count}" for name, count in categories.most_common()))
    print(f"  copied passages  {len(truth['passages'])}, patchwork pages {len(truth['patchwork'])}")
    print("  contradictions   " + ", ".join(f"{name} {count}" for name, count in kinds.most_common()))


def show_records(out: Path, jobs: int, reporter: Reporter) -> None:
    """Compares the records of the mini-web and prints what its pages contradict each other in."""
    from ruiji.commands.records import Task, find_records  # brings pyarrow along

    counts = find_records(Task((str(MINIWEB),), out, jobs=jobs), reporter)
    kinds = ", ".join(f"{number} {kind}" for kind, number in counts["contradictions"].items())
    print(
        f"\nRecords (people, offices, products): {counts['records']}, {counts['correspondences']} correspondences: {kinds}"
    )
    with (out / "conflicts.jsonl").open(encoding="utf-8") as stream:
        for row in islice(map(json.loads, stream), CONTRADICTIONS_SHOWN):
            print(
                f"  {_clipped(row['label'], 20)} {_clipped(row['field'], 10)} {_clipped(row['value_a'], 34)} {row['value_b']}"
            )
    print(f"  side by side: {out / 'report.html'}")
