"""``ruiji detect`` beside what a user would otherwise chain: trafilatura for the text, datasketch's MinHash
LSH for the pairs.

    python -m benchmarks.peers PAGES… [--pages 400] [--model MODEL]

Half of the pages are left as they are. Into each other page a passage of one of those is planted (3
sentences, or 10), or it is replaced by a near-duplicate of it, or left alone. CPU seconds are of whole runs,
from reading the file to the pairs, start of Python included.
"""

from __future__ import annotations

import argparse
import html
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmarks.detecting import Pair, detect, pair, share
from ruiji.chunker.block_rules import BlockRules
from ruiji.corpora import MINIWEB, decode, read_pages
from ruiji.detector import content_shares, sentence_table
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of

LONG = 20
MANY = 16  # long content sentences that a page must have to be copied from
PERMUTATIONS = 128  # datasketch's default
THRESHOLDS = (0.8, 0.5)  # of the Jaccard coefficient: the usual one, and a daring one
SHINGLE = 5  # characters
KINDS = {"3 sentences": 3, "10 sentences": 10, "near-duplicate": 0, "nothing": -1}
_PARAGRAPH_END = re.compile("</p>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Source:
    """A real page: its markup as text, and its long content sentences."""

    url: str
    markup: str
    sentences: list[str]


def sources(pages: Sequence[str], most: int) -> list[Source]:
    """Pages with paragraphs and enough sentences."""
    found: list[Source] = []
    rules = BlockRules()
    reading = read_pages(pages)
    while len(found) < most and (batch := list(islice(reading, 32))):
        read = [
            (page, nodes)
            for page, nodes in zip(batch, text_nodes_of(batch), strict=True)
            if not isinstance(nodes, PageFailed)
        ]
        good = [nodes for _, nodes in read]
        masks = rules.predict_masks(good)
        table = sentence_table(good)
        kept = (content_shares(table, masks) > 0.5) & (table.length >= LONG)
        for number, (page, _) in enumerate(read):
            texts = [table.texts[row] for row in ((table.page == number) & kept).nonzero()[0].tolist()]
            markup = decode(page).text
            if len(dict.fromkeys(texts)) >= MANY and len(_PARAGRAPH_END.findall(markup)) >= 4:
                found.append(Source(page.url, markup, list(dict.fromkeys(texts))))
    return found[:most]


def planted(found: Sequence[Source], destination: Path) -> dict[str, set[Pair]]:
    """Writes the pages; returns the pairs that were planted, by kind."""
    luck = random.Random(5)
    half = len(found) // 2
    wanted: dict[str, set[Pair]] = {kind: set() for kind in KINDS}
    with destination.open("w", encoding="utf-8") as stream:
        for number, source in enumerate(found):
            markup = source.markup
            if number >= half:
                kind = list(KINDS)[number % len(KINDS)]
                donor = luck.randrange(half)
                markup = _changed(source, found[donor], kind, luck)
                wanted[kind].add(pair(f"page{number}", f"page{donor}"))
            stream.write(
                json.dumps(
                    {"id": f"page{number}", "url": f"http://www{number}.example{number}.com/", "html": markup}
                )
                + "\n"
            )
    return wanted


def _changed(host: Source, donor: Source, kind: str, luck: random.Random) -> str:
    """The host's markup with what is planted."""
    count = KINDS[kind]
    if count < 0:
        return host.markup
    body = host if count else donor
    first = luck.randrange(len(donor.sentences) - count + 1)
    texts = donor.sentences[first : first + count] or host.sentences[:1]
    places = [match.end() for match in _PARAGRAPH_END.finditer(body.markup)]
    place = places[len(places) // 2]
    passage = "".join(f"<p>{html.escape(text)}</p>" for text in texts)
    return body.markup[:place] + passage + body.markup[place:]


def peer(path: str, threshold: float) -> list[Pair]:
    """The pairs that trafilatura and MinHash find."""
    from datasketch import MinHash, MinHashLSH
    from trafilatura import extract

    lsh = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)
    found: list[Pair] = []
    for page in read_pages([path]):
        text = extract(page.html) or ""
        minhash = MinHash(num_perm=PERMUTATIONS)
        minhash.update_batch(
            {text[start : start + SHINGLE].encode() for start in range(max(0, len(text) - SHINGLE + 1))}
            or {b""}
        )
        found += [pair(page.id, str(other)) for other in lsh.query(minhash)]
        lsh.insert(page.id, minhash)
    return found


def peer_run(path: Path, threshold: float) -> tuple[set[Pair], float]:
    """The peers' pairs and the CPU seconds of a process of their own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "benchmarks.peers", "--peer", str(threshold), str(path)]
    said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        pair(*one) for one in json.loads(said)
    }, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__.split("\n")[0])
    parser.add_argument("sources", nargs="*", default=[str(MINIWEB)], metavar="PAGES")
    parser.add_argument("--pages", type=int, default=400, help="at most so many pages (default: %(default)s)")
    parser.add_argument("--model", default="", help="a model of ruiji train: also --filter crf")
    parser.add_argument("--peer", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer is not None:
        print(json.dumps(peer(options.sources[0], options.peer)))
        return
    found = sources(options.sources, options.pages)
    with tempfile.TemporaryDirectory(prefix="ruiji-benchmark-") as folder:
        path = Path(folder) / "pages.jsonl"
        wanted = planted(found, path)
        kinds = [kind for kind, count in KINDS.items() if count >= 0]
        size = path.stat().st_size / 1e6
        print(
            f"{len(found)} pages, {size:.1f} MB; planted: "
            + ", ".join(f"{len(wanted[kind])} × {kind}" for kind in kinds),
            "",
            sep="\n",
        )
        print(
            "| | pages a CPU second | "
            + " | ".join(f"recall: {kind}" for kind in kinds)
            + " | pairs not planted |"
        )
        print("| --- | ---: |" + " ---: |" * (len(kinds) + 1), flush=True)
        for name, (pairs, seconds) in _runs(path, options.model):
            hits = [share(len(pairs & wanted[kind]), len(wanted[kind])) for kind in kinds]
            others = len(pairs - set().union(*(wanted[kind] for kind in kinds)))
            print(
                f"| {name} | {len(found) / seconds:.1f} | " + " | ".join([*hits, str(others)]) + " |",
                flush=True,
            )


def _runs(path: Path, model: str) -> Iterator[tuple[str, tuple[set[Pair], float]]]:
    for name, extra in (("none", []), ("blocks", []), *((("crf", ["--model", model]),) if model else ())):
        run = detect([str(path)], "--filter", name, "--jobs", "1", *extra)
        yield f"ruiji detect --filter {name}", (set(run.pairs), run.seconds)
    for threshold in THRESHOLDS:
        yield f"trafilatura, MinHash LSH at {threshold}", peer_run(path, threshold)


if __name__ == "__main__":
    main()
