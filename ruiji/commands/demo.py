"""``ruiji demo``: the bundled mini-web, stage by stage, on the terminal and in a folder."""

from __future__ import annotations

import argparse
import json
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from ruiji.chunker.annotation.reading import annotated_mask
from ruiji.chunker.filters import DEFAULT_FILTER
from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.miniweb import MINIWEB, load_truth
from ruiji.corpora.reading import read_pages
from ruiji.features.page.parsing import text_nodes
from ruiji.options import add_common
from ruiji.outcome import Outcome
from ruiji.progress import Reporter

ARTICLE = "www.shioji-shimpo.co.jp/sj-kiji/sj240402-1.html"  # menus, advertisements, a table
ARTICLE_LINES = 20  # of the page and of its Markdown, side by side
ARTICLE_COLUMNS = 46
SAMPLE = "www2.nagisanet.ne.jp/~tarou/tr-nikki.html"  # Shift_JIS that says EUC-JP, in table layout
SAMPLE_NODES = 14
PAIRS_SHOWN = 3  # with what they share
PASSAGES_SHOWN = ("rebroken_list", "single_sentence")  # kinds that the paper's rule misses
PASSAGE_LETTERS = 34
CONTRADICTIONS_SHOWN = 6

DESCRIPTION = (
    "Reads the bundled mini-web (a small fictional corner of the Japanese web) and shows what "
    "each stage sees."
)
EPILOG = "example:\n  ruiji demo -o demo-out"


@dataclass(frozen=True, slots=True)
class DemoSettings:
    """Where the results go."""

    out: Path
    jobs: int


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji demo``."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        default="demo-out",
        help="folder for the results (default: %(default)s)",
    )
    add_common(parser)


def settings_from(options: argparse.Namespace) -> DemoSettings:
    """The settings that the options describe."""
    return DemoSettings(Path(options.output), options.jobs)


def run(settings: DemoSettings, progress: Reporter) -> Outcome:
    """Shows the mini-web, stage by stage."""
    out, jobs = settings.out, settings.jobs
    show_article()
    extracted = show_text_nodes(out / "extract.jsonl", jobs, progress)
    show_truth()
    show_pairs(out / "detect", jobs, progress)
    show_passages(out / "copies", jobs, progress)
    show_records(out / "records", jobs, progress)
    print(
        f"\nEvery text node of every page: {extracted}\nThe pages themselves, for a browser: "
        f"{MINIWEB}/*/index.html"
    )
    return Outcome()


def show_article() -> None:
    """Prints the first lines of a page as a browser shows them, beside the Markdown that extract makes of
    it.
    """
    from ruiji.front_door.documents import extract

    article = next(page for page in read_pages([MINIWEB]) if page.id == ARTICLE)
    document = extract(article)
    before = [line for line in text_nodes(article).shown_text().splitlines() if line.strip()]
    after = [line for line in document.markdown.splitlines() if line.strip()]
    print(f"One page before and after extraction: {ARTICLE}")
    print(f"  {document.title}\n  published {document.published}, language {document.language}\n")
    rule = "-" * (ARTICLE_COLUMNS - 1)
    _print_columns(f"all {len(before)} lines of its text", "ruiji extract --format markdown")
    _print_columns(rule, rule)
    for left, right in islice(zip_longest(before, after, fillvalue=""), ARTICLE_LINES):
        _print_columns(left, right)
    print(f"  … {len(before) - ARTICLE_LINES} more\n")


def _print_columns(left: str, right: str) -> None:
    print(f"  {_clipped(left, ARTICLE_COLUMNS)}  {_clipped(right, ARTICLE_COLUMNS).rstrip()}")


@dataclass(slots=True)
class _Site:
    pages: int = 0
    nodes: int = 0
    content: int = 0
    sentences: int = 0
    encodings: Counter[str] = field(default_factory=Counter)


def show_text_nodes(destination: Path, jobs: int, progress: Reporter) -> Path:
    """Extracts every page into a file and prints what there is, site by site."""
    from ruiji.commands import extract
    from ruiji.detector.sentences.table import placed_sentences

    masks = MaskSettings("none")
    extract.run(
        extract.ExtractSettings((str(MINIWEB),), str(destination), "jsonl", True, masks, None, jobs), progress
    )
    sites: dict[str, _Site] = {}
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
    return destination


def _print_sites(sites: Mapping[str, _Site]) -> None:
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
        f"\n{record['id']}: {record['encoding']} ({record['encoding_evidence']}), "
        f"{record['nodes']} text nodes, among them"
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


def show_truth() -> None:
    """Prints how many pairs, passages and contradictions the mini-web was made with."""
    truth = load_truth()
    categories = Counter(pair["category"] for pair in truth["pairs"])
    kinds = Counter(item["kind"] for item in truth["contradictions"])
    print("\nWhat is true of it (truth.json), for the detectors to find:")
    print("  pairs of pages   " + ", ".join(f"{name} {count}" for name, count in categories.most_common()))
    print(f"  copied passages  {len(truth['passages'])}, patchwork pages {len(truth['patchwork'])}")
    print("  contradictions   " + ", ".join(f"{name} {count}" for name, count in kinds.most_common()))


def show_pairs(out: Path, jobs: int, progress: Reporter) -> None:
    """Runs detect on the mini-web into ``out`` and prints pairs by category beside truth.json."""
    import pyarrow.parquet as pq

    from ruiji.commands.detect import DetectCommand, detect
    from ruiji.detector.detection import DetectSettings
    from ruiji.detector.pairs.relations import CATEGORIES

    finished = detect(DetectCommand((str(MINIWEB),), out, DetectSettings(jobs=jobs)), progress)
    pages = pq.read_table(finished.file("pages"), columns=["url", "id"])
    id_of = dict(zip(pages["url"].to_pylist(), pages["id"].to_pylist(), strict=True))
    rows = pq.read_table(finished.file("pairs")).to_pylist()
    ours = {tuple(sorted((id_of[row["url_a"]], id_of[row["url_b"]]))): row["category"] for row in rows}
    truth = {tuple(sorted((pair["a"], pair["b"]))): pair["category"] for pair in load_truth()["pairs"]}
    right = Counter(category for pair, category in ours.items() if truth.get(pair) == category)
    print(
        f"\nPages that share content, found by ruiji detect with --filter {DEFAULT_FILTER}, and what is true "
        "(truth.json)\n"
    )
    print(f"  {'category':27}{'true':>6}{'found':>7}{'right':>7}")
    true_of, ours_of = Counter(truth.values()), Counter(ours.values())
    for name in CATEGORIES:
        print(f"  {name:27}{true_of[name]:6}{ours_of[name]:7}{right[name]:7}")
    print(f"  {'all':27}{len(truth):6}{len(ours):7}{sum(right.values()):7}")
    counts = finished.description["counts"]
    print(f"  {counts['groups']} groups of identical pages, {counts['patchwork_pages']} patchwork pages")
    for row in [row for row in rows if row["category"] == "citation"][:PAIRS_SHOWN]:
        _print_shared_sentence(finished, row["url_a"], row["url_b"])
    print(f"\nThe report, for a browser: {out / 'report.html'}")


def _print_shared_sentence(finished: Any, url_a: str, url_b: str) -> None:
    """Two pages and the first sentence that both have."""
    from ruiji.detector.gather.occurrences import Usable

    in_b = {row["text"] for row in finished.page_sentences(url_b).to_pylist() if row["content"]}
    text = next(
        row["text"]
        for row in finished.page_sentences(url_a).to_pylist()
        if row["length"] >= Usable().min_length and row["text"] in in_b
    )
    print(f"\n  {url_a}\n  {url_b}\n    「{text[:60]}{'…' if len(text) > 60 else ''}」")


def show_passages(out: Path, jobs: int, progress: Reporter) -> None:
    """Builds ``out/idx`` of the mini-web, asks it about the mini-web itself into ``out/passages.jsonl``, and
    prints how many of the true passages were found.
    """
    import math

    from ruiji.commands import index
    from ruiji.detector.copies.pages import IndexMatchSettings
    from ruiji.detector.copies.rule import PassageRule

    folder, destination = out / "idx", out / "passages.jsonl"
    pages, masks = (str(MINIWEB),), MaskSettings()
    index.write(index.WriteSettings(pages, folder, True, masks, jobs), progress)
    matching = IndexMatchSettings(masks, PassageRule("weighted", at_home=math.inf), jobs=jobs)
    index.find(index.MatchCommand(pages, folder, destination, matching), progress)
    url_of = {page.id: page.url for page in read_pages([MINIWEB])}
    passages: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line in destination.read_bytes().splitlines():
        row = json.loads(line)
        passages.setdefault((row["url"], row["source_url"]), []).append(row)
    there, seen = Counter[str](), Counter[str]()
    samples = []
    for true in load_truth()["passages"]:
        rows = passages.get((url_of[true["page"]], url_of[true["source"]]), [])
        hit = next((row for row in rows if _letters(true["text"]) in _letters(row["text"])), None)
        there[true["kind"]] += 1
        seen[true["kind"]] += hit is not None
        if hit is not None and true["kind"] in PASSAGES_SHOWN:
            samples.append((true, hit))
    print(
        "\nPassages that pages copied from other sites, and how many of the true ones an index of the "
        "mini-web finds:"
    )
    print("  " + ", ".join(f"{kind} {seen[kind]} of {there[kind]}" for kind in sorted(there)))
    for true, hit in samples:
        text = " ".join(hit["text"].split())
        print(f"  {true['kind']}, {hit['score']} bits: {text[:PASSAGE_LETTERS]}…")
        print(f"    in {true['page']}\n    from {true['source']}")
    print(f"All of them: {destination}")


def _letters(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text) if char.isalnum())


def show_records(out: Path, jobs: int, progress: Reporter) -> None:
    """Compares the records of the mini-web and prints what its pages contradict each other in."""
    from ruiji.commands.records import RecordsCommand, compare
    from ruiji.detector.records.pipeline import RecordSettings

    counts = compare(RecordsCommand((str(MINIWEB),), out, RecordSettings(jobs=jobs)), progress).counts
    kinds = ", ".join(f"{number} {kind}" for kind, number in counts["contradictions"].items())
    print(
        f"\nRecords (people, offices, products): {counts['records']}, {counts['correspondences']} "
        f"correspondences: {kinds}"
    )
    with (out / "conflicts.jsonl").open(encoding="utf-8") as stream:
        for row in islice(map(json.loads, stream), CONTRADICTIONS_SHOWN):
            print(
                f"  {_clipped(row['label'], 20)} {_clipped(row['field'], 10)} {_clipped(row['value_a'], 34)} "
                f"{row['value_b']}"
            )
    print(f"  side by side: {out / 'report.html'}")
