"""How well the partial-copy index finds copies: the paper's rule beside the weighted one.

    python -m benchmarks.copies                          the mini-web and its truth
    python -m benchmarks.copies $DATA                    also copies planted into pages of other sites, and
    the pairs of pairs-ja

Planted copies are of six kinds, in equal numbers, drawn at random with a fixed seed: whole sentences in a
row, one sentence of 20 characters or more, sentences as a list whose lines break elsewhere, sentences wrapped
at a width, a passage with a sentence changed, and one with width, symbols and spaces changed. Each has a
sentence of 20 characters that at most 10 sources have (Kang 2009, section 4.2). A copy is found where
passages cover four fifths of it. A passage is right where it lies in a planted copy; whatever else is
reported counts as wrong, also what two sites really share.
"""

from __future__ import annotations

import argparse
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ruiji.chunker import annotated_mask, load_filter
from ruiji.corpora import MINIWEB, load_truth, read_pages
from ruiji.detector.copies.part import IndexPart, SourceText, part_in_memory
from ruiji.detector.copies.passages import Passage, find_passages
from ruiji.detector.copies.rule import RULES, PassageRule
from ruiji.features.page.links import host_of
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of

BATCH = 64
PLANTED = 600
LONG, RARE = 20, 10  # characters and sources: Kang 2009, section 4.2
WRAP = 34  # characters of a wrapped line
COVERED = 0.8
SOURCE_SITES = (
    "apache2-manual-ja",
    "debian-",
    "groonga-ja",
    "jser.info",
    "rubykaigi",
    "scilab-help-ja",
)  # families on one side


@dataclass(frozen=True, slots=True)
class Document:
    """A page as the index sees it."""

    id: str
    url: str
    text: str


def documents(source: Path, mask: str) -> list[Document]:
    """The pages of a source with the text that a filter leaves, or that annotation calls content."""
    pages = list(read_pages([source]))
    found = text_nodes_of(pages)
    made = []
    for page, nodes in zip(pages, found, strict=True):
        if not isinstance(nodes, PageFailed):
            content = (
                annotated_mask(nodes) if mask == "annotated" else load_filter(mask).masks([nodes])[0]
            ).content
            made.append(Document(page.id, page.url, nodes.shown_text(content)))
    return made


def index_of(chosen: Sequence[Document]) -> IndexPart:
    return part_in_memory([SourceText(one.url, one.text) for one in chosen])


def matched(index: IndexPart, chosen: Sequence[Document], rule: str) -> list[list[Passage]]:
    """The passages of each document."""
    found: list[list[Passage]] = []
    for start in range(0, len(chosen), BATCH):
        batch = chosen[start : start + BATCH]
        found += find_passages(
            [index], [one.text for one in batch], [one.url for one in batch], PassageRule(rule)
        )
    return found


def letters(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text) if char.isalnum())


def ratio(part: int, whole: int) -> str:
    return f"{part / whole if whole else 0:.3f} ({part}/{whole})"


def miniweb(mask: str) -> Iterator[str]:
    """Rows for the mini-web: precision over pairs of pages, recall of passages by kind."""
    chosen = documents(MINIWEB, mask)
    truth = load_truth()
    url_of = {one.id: one.url for one in chosen}
    index = index_of(chosen)
    true_pairs = {frozenset((url_of[pair["a"]], url_of[pair["b"]])) for pair in truth["pairs"]}
    true_pairs |= {frozenset((url_of[one["page"]], url_of[one["source"]])) for one in truth["passages"]}
    for rule in RULES:
        texts: dict[tuple[str, str], list[str]] = {}
        for one, passages in zip(chosen, matched(index, chosen, rule), strict=True):
            for passage in passages:
                texts.setdefault((one.url, passage.source_url), []).append(letters(passage.text))
        pairs = {frozenset(pair) for pair in texts}
        elsewhere = {pair for pair in pairs if len({host_of(url) for url in pair}) > 1}
        kinds, found = Counter[str](), Counter[str]()
        for one in truth["passages"]:
            kinds[one["kind"]] += 1
            place = texts.get((url_of[one["page"]], url_of[one["source"]]), [])
            found[one["kind"]] += any(letters(one["text"]) in text for text in place)
        by_kind = ", ".join(f"{kind} {found[kind]}/{kinds[kind]}" for kind in sorted(kinds))
        yield (
            f"| {mask} | {rule} | {ratio(len(elsewhere & true_pairs), len(elsewhere))} | "
            f"{ratio(len(pairs & true_pairs), len(pairs))} "
            f"| {ratio(sum(found.values()), sum(kinds.values()))} | {by_kind} |"
        )


def _list(sentences: list[str], chance: random.Random) -> str:
    """Sentences as items whose lines break elsewhere, with commas where full stops were."""
    text = "・" + "、・".join(sentence.rstrip("。") for sentence in sentences)
    cuts = sorted(chance.sample(range(4, len(text) - 4), max(2, len(text) // 22)))
    return "\n".join(text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True))


def _wrapped(sentences: list[str], chance: random.Random) -> str:
    text = "".join(sentences)
    width = chance.randint(WRAP - 10, WRAP + 10)
    return "\n".join(text[start : start + width] for start in range(0, len(text), width))


def _changed(sentences: list[str], chance: random.Random) -> str:
    middle = len(sentences) // 2
    return (
        "".join(sentences[:middle])
        + "この部分だけは筆者が書き直したものである。"
        + "".join(sentences[middle + 1 :])
    )


def _respelled(sentences: list[str], chance: random.Random) -> str:
    text = "".join(sentences).replace("、", chance.choice(["，", "､ ", "、"])).replace("。", "。 ")
    return re.sub("[A-Za-z0-9]", lambda match: chr(ord(match.group()) + 0xFEE0), text)


KINDS: dict[str, tuple[int, int, Callable[[list[str], random.Random], str]]] = {
    "copy": (3, 8, lambda sentences, chance: "".join(sentences)),
    "single sentence": (1, 1, lambda sentences, chance: sentences[0]),
    "rebroken list": (3, 6, _list),
    "wrapped": (2, 5, _wrapped),
    "changed inside": (5, 8, _changed),
    "respelled": (2, 5, _respelled),
}


@dataclass(frozen=True, slots=True)
class Planted:
    """A page with a copy in it, from one character to before another."""

    page: Document
    kind: str
    start: int
    end: int


def runs_of(text: str) -> list[list[str]]:
    """Sentences that follow each other, at most over a line end."""
    runs: list[list[str]] = [[]]
    for match in re.finditer("([^。\n]+。)|([^。\n]+)|\n", text):
        if match.group(1):
            runs[-1].append(match.group(1).strip())
        elif match.group(2):
            runs.append([])
    return [run for run in runs if run]


def weight(sentence: str) -> float:
    """The characters of a sentence, those of alphabets by half."""
    return sum(1.0 if char >= "\u2e80" else 0.5 for char in letters(sentence))


def plant(sources: Sequence[Document], hosts: Sequence[Document], seed: int) -> list[Planted]:
    """Pages with one copied passage each."""
    chance = random.Random(seed)
    runs = [run for one in sources for run in runs_of(one.text)]
    often = Counter(letters(sentence) for run in runs for sentence in set(run))
    made: list[Planted] = []
    while len(made) < PLANTED:
        kind = list(KINDS)[len(made) % len(KINDS)]
        fewest, most, shape = KINDS[kind]
        run = chance.choice(runs)
        count = chance.randint(fewest, most)
        if len(run) < count:
            continue
        start = chance.randint(0, len(run) - count)
        chosen = run[start : start + count]
        if not any(weight(one) >= LONG and often[letters(one)] <= RARE for one in chosen):
            continue
        host = chance.choice(hosts)
        lines = host.text.split("\n")
        place = chance.randint(0, len(lines))
        before, passage, after = "\n".join(lines[:place]), shape(chosen, chance), "\n".join(lines[place:])
        page = Document(host.id, f"http://copy{len(made)}.example/", f"{before}\n{passage}\n{after}")
        made.append(Planted(page, kind, len(before) + 1, len(before) + 1 + len(passage)))
    return made


def planted(folder: Path, mask: str, seed: int) -> Iterator[str]:
    """Rows for planted copies."""
    sources: list[Document] = []
    hosts: list[Document] = []
    for path in sorted((folder / "ja-sites").glob("*.jsonl.gz")):
        (sources if path.name.startswith(SOURCE_SITES) else hosts).extend(documents(path, mask))
    hosts = [one for one in hosts if len(one.text) < 20_000]
    index = index_of(sources)
    pages = plant(sources, hosts, seed)
    for rule in RULES:
        kinds, found = Counter[str](), Counter[str]()
        right = wrong = 0
        for one, passages in zip(pages, matched(index, [page.page for page in pages], rule), strict=True):
            covered: set[int] = set()
            for passage in passages:
                inside = range(max(passage.start, one.start), min(passage.end, one.end))
                covered.update(inside)
                good = len(inside) * 2 > passage.end - passage.start
                right, wrong = right + good, wrong + (not good)
            kinds[one.kind] += 1
            found[one.kind] += len(covered) >= COVERED * (one.end - one.start)
        by_kind = ", ".join(f"{kind} {found[kind]}/{kinds[kind]}" for kind in KINDS)
        yield (
            f"| {mask} | {rule} | {ratio(right, right + wrong)} | "
            f"{ratio(sum(found.values()), sum(kinds.values()))} | {by_kind} |"
        )


def gold_pairs(folder: Path, mask: str) -> Iterator[str]:
    """Rows for the pairs of pairs-ja: how many of each label have a passage in common."""
    chosen = documents(folder / "pairs-ja" / "pages.jsonl.gz", mask)
    index = index_of(chosen)
    id_of = {one.url: one.id for one in chosen}
    gold = [
        line.split("\t")
        for line in (folder / "pairs-ja" / "gold.tsv").read_text(encoding="utf-8").splitlines()[1:]
    ]
    for rule in RULES:
        pairs = set()
        for one, passages in zip(chosen, matched(index, chosen, rule), strict=True):
            pairs |= {frozenset((one.id, id_of[passage.source_url])) for passage in passages}
        found: dict[str, Counter[str]] = {}
        for first, second, label, _, _, shared, *_ in gold:
            row = found.setdefault(f"{label}, {'sharing' if int(shared) else 'sharing nothing'}", Counter())
            row["all"] += 1
            row["found"] += frozenset((first, second)) in pairs
        yield (
            f"| {mask} | {rule} | "
            + ", ".join(f"{label}: {row['found']}/{row['all']}" for label, row in sorted(found.items()))
            + " |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.copies", description=__doc__.split("\n")[0])
    parser.add_argument(
        "data", nargs="?", type=Path, metavar="DATA", help="the folder with ja-sites and pairs-ja"
    )
    parser.add_argument("--masks", default="annotated,blocks", metavar="LIST", help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the planted copies")
    options = parser.parse_args()
    masks = options.masks.split(",")
    print(
        "| mini-web, mask | rule | precision, pairs of other sites | precision, all pairs | recall | "
        "by kind |"
    )
    print("| --- | --- | --- | --- | --- | --- |")
    for mask in masks:
        print("\n".join(miniweb(mask)), flush=True)
    if options.data:
        print(
            f"\n| planted (seed {options.seed}), mask | rule | precision | recall | by kind |\n| --- | --- "
            "| --- | --- | --- |"
        )
        for mask in masks:
            print("\n".join(planted(options.data, mask, options.seed)), flush=True)
        print("\n| pairs-ja, mask | rule | pairs with a passage in common |\n| --- | --- | --- |")
        for mask in masks:
            print("\n".join(gold_pairs(options.data, mask)), flush=True)


if __name__ == "__main__":
    main()
