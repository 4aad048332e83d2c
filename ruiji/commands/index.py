"""``ruiji index``: builds, adds to and asks the partial-copy index."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from secrets import token_hex

from ruiji.chunker import load_filter
from ruiji.corpora import InputError, map_pages, read_pages
from ruiji.corpora.files import replacing
from ruiji.corpora.page import Page
from ruiji.detector.copies.index import CopyIndex, Writer, open_index, read_contents, writing
from ruiji.detector.copies.part import digested
from ruiji.detector.copies.rule import PassageRule
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of
from ruiji.fitted_filter import prepared
from ruiji.progress import Reporter
from ruiji.resume import signature, standard_output


@dataclass(frozen=True, slots=True)
class Shown:
    """The text of a page that an index deals with, or why there is none."""

    page: Page
    text: str
    error: str


def shown_texts(pages: Sequence[Page], filter_name: str, model: str) -> list[Shown]:
    """The content of each page as ``ruiji extract`` shows it with the same filter: what the offsets of
    passages count in.
    """
    chosen = load_filter(filter_name, model)
    found = text_nodes_of(pages, chosen.named)
    masks = iter(chosen.masks([nodes for nodes in found if not isinstance(nodes, PageFailed)]))
    return [
        Shown(page, "", str(nodes))
        if isinstance(nodes, PageFailed)
        else Shown(page, nodes.shown_text(next(masks).content), "")
        for page, nodes in zip(pages, found, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Digested:
    """What an index keeps of a page: its text, and the digest of it as bytes."""

    id: str
    url: str
    text: str
    digest: bytes
    marks: bytes
    error: str


@dataclass(frozen=True, slots=True)
class DigestPages:
    """The function that is mapped over the pages of an index: decode, parse, mask, digest."""

    filter: str
    model: str

    def __call__(self, pages: Sequence[Page]) -> list[Digested]:
        shown = shown_texts(pages, self.filter, self.model)
        digests = digested([one.text for one in shown])
        return [
            Digested(one.page.id, one.page.url, one.text, *digest, one.error)
            for one, digest in zip(shown, digests, strict=True)
        ]

    def failed(self, page: Page, error: str) -> Digested:
        """The row of a page that could not be digested."""
        return Digested(page.id, page.url, "", b"", b"", error)


@dataclass(frozen=True, slots=True)
class Matched:
    """The passages of a page as lines of JSON."""

    id: str
    output: bytes
    passages: int
    error: str


@dataclass(frozen=True, slots=True)
class MatchPages:
    """The function that is mapped over the pages of a stream: decode, parse, mask, match, write.

    ``parts`` are those of the index when the run began: all workers must see the same.
    """

    index: str
    parts: tuple[str, ...]
    filter: str
    model: str
    rule: PassageRule

    def __call__(self, pages: Sequence[Page]) -> list[Matched]:
        shown = shown_texts(pages, self.filter, self.model)
        index = _opened(self.index, self.parts)
        found = index.match([one.text for one in shown], [one.page.url for one in shown], self.rule)
        rows = []
        for one, passages in zip(shown, found, strict=True):
            lines = [
                _line({
                    "url": one.page.url, "source_url": passage.source_url, "start": passage.start, "end": passage.end,
                    "source_start": passage.source_start, "source_end": passage.source_end, "segments": passage.segments,
                    "score": passage.score, "text": passage.text,
                })
                for passage in passages
            ]  # fmt: skip
            rows.append(Matched(one.page.id, b"".join(lines), len(lines), one.error))
        return rows

    def failed(self, page: Page, error: str) -> Matched:
        """The row of a page that could not be matched."""
        return Matched(page.id, b"", 0, error)


def _line(record: dict[str, object]) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


@lru_cache(maxsize=2)
def _opened(folder: str, parts: tuple[str, ...]) -> CopyIndex:
    index = open_index(Path(folder))
    if tuple(part.folder for part in index.contents.parts) != parts:
        raise InputError(f"{folder}: the index was changed while it was asked")
    return index


def build(options: argparse.Namespace, reporter: Reporter) -> None:
    """Makes an index of pages; one that is there is replaced when the new one is whole."""
    _write(Path(options.output), options, reporter, anew=True)


def add(options: argparse.Namespace, reporter: Reporter) -> None:
    """Adds pages to an index."""
    _write(Path(options.index), options, reporter, anew=False)


def _write(folder: Path, options: argparse.Namespace, reporter: Reporter, anew: bool) -> None:
    if not anew:
        read_contents(folder)
    with prepared(options.filter, options.model, options.pages, options.jobs, reporter) as model:
        learned = load_filter(options.filter, model).digest
        pages = read_pages(options.pages)
        settings = {"filter": options.filter, "model": learned}
        named = (
            token_hex() if "-" in options.pages else signature({**settings, "anew": anew}, options.pages)
        )  # a pipe is read once
        with writing(folder, settings, named, anew) as writer:
            if writer.done:
                reporter.say(f"going on after {writer.done} pages of an interrupted run")
                reporter.failed = writer.failed
            _fill(
                writer,
                DigestPages(options.filter, model),
                islice(pages, writer.done, None),
                options.jobs,
                reporter,
            )
    contents = read_contents(folder)
    size = sum(size for part in contents.parts for size, _ in part.files.values())
    reporter.summary(
        f"{contents.documents} documents in {len(contents.parts)} parts, {contents.searched_bytes:,} bytes to search, {size:,} in all"
    )


def _fill(
    writer: Writer, function: DigestPages, pages: Iterator[Page], jobs: int, reporter: Reporter
) -> None:
    count = writer.done
    for row in reporter.watch(map_pages(function, pages, failed=function.failed, jobs=jobs), done=count):
        count += 1
        if row.error:
            reporter.page_failed(row.id, row.error)
        else:
            writer.add(row.url, row.text, row.digest, row.marks)
        writer.seen(count, reporter.failed)


def match(options: argparse.Namespace, reporter: Reporter) -> None:
    """Finds the passages of pages that stand in the index too."""
    index = open_index(Path(options.index), check=options.verify)
    parts = tuple(part.folder for part in index.contents.parts)
    del index
    with prepared(options.filter, options.model, options.pages, options.jobs, reporter) as model:
        load_filter(options.filter, model)
        rule = (
            PassageRule(options.rule, at_home=math.inf) if options.other_sites else PassageRule(options.rule)
        )
        function = MatchPages(str(options.index), parts, options.filter, model, rule)
        pages = read_pages(options.pages)
        with standard_output() if options.output is None else replacing(Path(options.output)) as stream:
            count = passages = 0
            for row in reporter.watch(map_pages(function, pages, failed=function.failed, jobs=options.jobs)):
                count += 1
                passages += row.passages
                if row.error:
                    reporter.page_failed(row.id, row.error)
                stream.write(row.output)
    reporter.summary(f"{count} pages, {passages} copied passages, {reporter.failed} failed")


COMMANDS = {"build": build, "add": add, "match": match}


def run(options: argparse.Namespace, reporter: Reporter) -> None:
    """The command that the options name."""
    COMMANDS[options.index_command](options, reporter)
