"""``ruiji index``: builds, adds to, asks, describes and removes from the partial-copy index."""

from __future__ import annotations

import argparse
import json
import math
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ruiji.chunker.fitting import check_masks
from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.files import files_below, owned, replacing
from ruiji.corpora.sources import named_pages
from ruiji.detector.copies.contents import read_contents
from ruiji.detector.copies.pages import IndexMatchSettings, PagePassages, match_pages, write_index
from ruiji.detector.copies.rule import PassageRule
from ruiji.detector.copies.writing import remove_documents
from ruiji.options import add_common, add_filter, add_pages, add_volume, mask_settings
from ruiji.outcome import Outcome
from ruiji.progress import Reporter
from ruiji.resume import standard_output

RULES = ("weighted", "plain")

DESCRIPTION = "An index of sources, and the passages that other pages copied from them."
EPILOG = """\
examples:
  ruiji index build encyclopedia.jsonl.gz -o idx     the sources, once
  ruiji index add idx new-articles/                  more of them; nothing is rebuilt
  ruiji index match idx crawl.warc.gz -o found.jsonl what a crawl copied from them
  ruiji index remove idx http://a.example/old        takes a source out
  ruiji index info idx                               what the index holds

A killed build or add leaves the index as it was; the same command goes on where it stopped."""

BUILD_EPILOG = """\
examples:
  ruiji index build wiki/ news.parquet -o idx
  ruiji index build wiki/ -o idx --filter none       all of the text, menus included

An index that is already there is replaced when the new one is whole."""

ADD_EPILOG = """\
example:
  ruiji index add idx news-of-today.jsonl

A page whose address is in the index already takes the place of the one before; the address of a file in a
folder is its path within it. The same files, unchanged since, are added once: the command can be run again
after whatever ended it. Where the filter, its model or --alone are not those of the build, the run says so
and adds the pages all the same. What sites repeat is looked for among the pages that are added."""

REMOVE_EPILOG = """\
example:
  ruiji index remove idx http://a.example/old http://a.example/older

Addresses are those that "source_url" of a match shows. One that the index does not have is named, and the
exit status is then 1."""

INFO_EPILOG = """\
example:
  ruiji index info idx"""

MATCH_EPILOG = """\
examples:
  ruiji index match idx blog/                        one JSON object a copied passage, on the terminal
  ruiji index match idx crawl.warc.gz -o found.jsonl --other-sites
  ruiji index match idx page.html --rule plain       the rule of the paper: three segments in a row

An object has: url source_url start end source_start source_end segments score text. Offsets count the
characters of what ruiji extract shows as text with the same --filter; score is in bits, and a passage is
reported from 40 on, which is one rare sentence of 20 Japanese characters. A page that is in the index itself
is not compared with itself."""


@dataclass(frozen=True, slots=True)
class WriteSettings:
    """Which pages go into which index; ``anew`` in place of what it holds."""

    pages: tuple[str, ...]
    index: Path
    anew: bool
    masks: MaskSettings
    jobs: int


@dataclass(frozen=True, slots=True)
class MatchCommand:
    """Which pages an index is asked about, how, and where the passages go; None for standard output."""

    pages: tuple[str, ...]
    index: Path
    output: Path | None
    matching: IndexMatchSettings


@dataclass(frozen=True, slots=True)
class RemoveSettings:
    """Which addresses are taken out of which index."""

    urls: tuple[str, ...]
    index: Path


@dataclass(frozen=True, slots=True)
class InfoSettings:
    """Which index is described."""

    index: Path


IndexSettings = WriteSettings | MatchCommand | RemoveSettings | InfoSettings


def add_options(parser: argparse.ArgumentParser) -> None:
    """The actions with their options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))

    build = actions.add_parser(
        "build", help="make an index of pages", description="Makes an index of pages.", epilog=BUILD_EPILOG
    )
    add_pages(build)
    build.add_argument("-o", "--output", metavar="IDX", required=True, help="the folder of the index")
    add_filter(build)
    add_common(build)

    add = actions.add_parser(
        "add", help="add pages to an index", description="Adds pages to an index.", epilog=ADD_EPILOG
    )
    add.add_argument("index", metavar="IDX", help="the folder of the index")
    add_pages(add)
    add_filter(add)
    add_common(add)

    match = actions.add_parser(
        "match",
        help="find what pages copied",
        description="The passages of pages that stand in the index too, each checked letter by letter.",
        epilog=MATCH_EPILOG,
    )
    match.add_argument("index", metavar="IDX", help="the folder of the index")
    add_pages(match)
    match.add_argument(
        "--rule",
        choices=RULES,
        default="weighted",
        help="what counts as a copy (default: %(default)s, by rarity)",
    )
    match.add_argument("--other-sites", action="store_true", help="leave out sources of the page's own site")
    match.add_argument(
        "--verify", action="store_true", help="first read the whole index and compare its checksums"
    )
    match.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
    add_filter(match)
    add_common(match)

    remove = actions.add_parser(
        "remove",
        help="take pages out of an index",
        description="Takes the sources of some addresses out of an index.",
        epilog=REMOVE_EPILOG,
    )
    remove.add_argument("index", metavar="IDX", help="the folder of the index")
    remove.add_argument("urls", metavar="URL", nargs="+", help="the addresses")
    add_volume(remove)

    info = actions.add_parser(
        "info",
        help="say what an index holds",
        description="Says how many documents an index holds, how large it is and how their texts were made.",
        epilog=INFO_EPILOG,
    )
    info.add_argument("index", metavar="IDX", help="the folder of the index")
    add_volume(info)


def settings_from(options: argparse.Namespace) -> IndexSettings:
    """The settings of the action that was asked for."""
    if options.action == "remove":
        return RemoveSettings(tuple(options.urls), Path(options.index))
    if options.action == "info":
        return InfoSettings(Path(options.index))
    pages, masks = tuple(options.pages), mask_settings(options)
    if options.action == "match":
        rule = (
            PassageRule(options.rule, at_home=math.inf) if options.other_sites else PassageRule(options.rule)
        )
        output = Path(options.output) if options.output is not None else None
        matching = IndexMatchSettings(masks, rule, options.verify, options.jobs)
        return MatchCommand(pages, Path(options.index), output, matching)
    anew = options.action == "build"
    return WriteSettings(pages, Path(options.output if anew else options.index), anew, masks, options.jobs)


def run(settings: IndexSettings, progress: Reporter) -> Outcome:
    """Builds, adds to, asks, describes or removes from an index."""
    match settings:
        case WriteSettings():
            return write(settings, progress)
        case RemoveSettings():
            return remove(settings, progress)
        case InfoSettings():
            return describe(settings)
    return find(settings, progress)


def write(settings: WriteSettings, progress: Reporter) -> Outcome:
    """Puts pages into an index."""
    if not settings.anew:
        read_contents(settings.index)
    check_masks(settings.masks)
    pages = named_pages(settings.pages)
    failed = write_index(
        pages, settings.index, settings.masks, anew=settings.anew, jobs=settings.jobs, progress=progress
    )
    contents = read_contents(settings.index)
    size = sum(size for part in contents.parts for size, _ in part.files.values())
    progress.summary(
        f"{contents.documents} documents in {len(contents.parts)} parts, "
        f"{contents.searched_bytes:,} bytes to search, {size:,} in all"
    )
    return Outcome(failed)


def remove(settings: RemoveSettings, progress: Reporter) -> Outcome:
    """Takes sources out of an index; an address that it does not have counts as failed."""
    removed = remove_documents(settings.index, set(settings.urls))
    unknown = [url for url in dict.fromkeys(settings.urls) if url not in removed]
    for url in unknown:
        progress.page_failed(url, "the index has no such address")
    left = read_contents(settings.index).documents
    progress.summary(f"{len(removed)} addresses removed, {left} documents left")
    return Outcome(len(unknown))


def describe(settings: InfoSettings) -> Outcome:
    """Prints what an index holds."""
    contents = read_contents(settings.index)
    size = sum(size for part in contents.parts for size, _ in part.files.values())
    rows = {
        "documents": f"{contents.documents:,}",
        "parts": f"{len(contents.parts):,}",
        "bytes to search": f"{contents.searched_bytes:,}",
        "bytes in all": f"{size:,}",
        **{name: str(value) for name, value in contents.settings.items() if value},
    }
    lines = [f"{name:<16} {value}\n" for name, value in rows.items()]
    with standard_output() as stream:
        stream.write("".join(lines).encode("utf-8", "replace"))
    return Outcome(0)


def find(settings: MatchCommand, progress: Reporter) -> Outcome:
    """Writes the passages of pages that stand in the index too."""
    read_contents(settings.index)
    check_masks(settings.matching.masks)
    pages = named_pages(settings.pages)
    count = passages = failed = 0
    inputs = chain(pages.files(), files_below(settings.index, settings.matching.masks.model))
    with (
        nullcontext() if settings.output is None else owned(settings.output, inputs),
        standard_output() if settings.output is None else replacing(settings.output) as stream,
    ):
        for row in match_pages(pages, settings.index, settings.matching, progress):
            count += 1
            passages += len(row.passages)
            failed += bool(row.error)
            stream.write(passage_lines(row))
    progress.summary(f"{count} pages, {passages} copied passages, {failed} failed")
    return Outcome(failed)


def passage_lines(row: PagePassages) -> bytes:
    """The passages of a page, a line of JSON each."""
    records = (
        {
            "url": row.url,
            "source_url": passage.source_url,
            "start": passage.start,
            "end": passage.end,
            "source_start": passage.source_start,
            "source_end": passage.source_end,
            "segments": passage.segments,
            "score": passage.score,
            "text": passage.text,
        }
        for passage in row.passages
    )
    return b"".join(
        json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n" for record in records
    )
