"""Copies whose sentences were changed: how many each ``--match`` finds, and what the default and skeletons
bring in beside exact matching.

    python -m benchmarks.edited                                            from the bundled mini-web
    python -m benchmarks.edited $DATA/ja-sites/jser.info.jsonl.gz --show   from other pages, with the pairs
    that exact matching does not make

Each copy is a page of three sentences of one page, all changed in one way, by rules on the text and not by
the analyser that makes skeletons. A sentence with another word says something else; that all three
of a page are so is what near sentences are for.
"""

from __future__ import annotations

import argparse
import html
import json
import random
import re
import tempfile
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from benchmarks.detecting import Detected, Pair, detect, pair, share
from ruiji.chunker.mask import everything
from ruiji.corpora import MINIWEB, read_pages
from ruiji.detector import content_shares, is_japanese, sentence_table
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of

COPIES = 200  # of each kind
SENTENCES = 3  # of a copy
LONG = 20  # characters
LONGEST = 200

_WORDS = "一-鿿々ァ-ヺー"
_PARTICLES = [
    (re.compile(f"(?<=[{_WORDS}]){old}(?=[{_WORDS}、])"), new)
    for old, new in (("は", "も"), ("が", "は"), ("に", "へ"), ("から", "より"))
]
_TENSES = """ました。 ます。 でした。 です。 ていた。 ている。 した。 する。 である。 であった。 だった。 だ。
れる。 れた。""".split()
_POLITE = """ている。 ています。 ていた。 ていました。 する。 します。 した。 しました。 である。 です。
だった。 でした。 れる。 れます。
    れた。 れました。""".split()
_COMPOUND = re.compile("[一-鿿]{2,4}")
_FULL_WIDTH = str.maketrans({chr(point): chr(point + 0xFEE0) for point in range(0x21, 0x7F)})


def particles(text: str, others: Sequence[str]) -> str:
    for pattern, new in _PARTICLES:
        text = pattern.sub(new, text, count=1)
    return text


def _ending(endings: Sequence[str], text: str) -> str:
    """The text with the other ending of a pair; the longest ending that it has counts."""
    others = dict(batched_pairs(endings))
    others = {new: old for old, new in others.items()} | others
    ending = max((old for old in others if text.endswith(old)), key=len, default="")
    return text.removesuffix(ending) + others[ending] if ending else text


def batched_pairs(words: Sequence[str]) -> list[tuple[str, str]]:
    return list(zip(words[::2], words[1::2], strict=True))


def tense(text: str, others: Sequence[str]) -> str:
    return _ending(_TENSES, text)


def politeness(text: str, others: Sequence[str]) -> str:
    return _ending(_POLITE, text)


def width(text: str, others: Sequence[str]) -> str:
    return text.translate(_FULL_WIDTH)


def punctuation(text: str, others: Sequence[str]) -> str:
    return text.replace("、", "，").replace("。", "．") if "、" in text else text


def order(text: str, others: Sequence[str]) -> str:
    first, comma, rest = text.partition("、")
    second, other_comma, end = rest.partition("、")
    return f"{second}、{first}、{end}" if comma and other_comma else text


def opened(text: str, others: Sequence[str]) -> str:
    return f"ちなみに、{text}"


def filled(text: str, others: Sequence[str]) -> str:
    """The text with a word in it that says nothing; it is on no list that the detector has."""
    return re.sub(f"([はがを])(?=[{_WORDS}])", r"\1いくらか", text, count=1)


def with_another_word(text: str, others: Sequence[str]) -> str:
    """The text with one more word that says something."""
    return re.sub(f"([はがを])(?=[{_WORDS}])", rf"\1{others[0]}の", text, count=1)


def another_word(text: str, others: Sequence[str]) -> str:
    found = _COMPOUND.findall(text)
    if not found:
        return text
    old = found[len(found) // 2]
    return text.replace(old, next(word for word in others if word != old), 1)


EDITS: dict[str, Callable[[str, Sequence[str]], str]] = {
    "particles": particles, "tense": tense, "politeness": politeness, "width": width,
    "punctuation": punctuation, "order of clauses": order,
    "a word in front": opened, "an empty word within": filled, "one more word within": with_another_word,
    "another word": another_word,
}  # fmt: skip
MATCHES = ("exact", "loose", "skeleton")


def long_sentences(sources: Sequence[str], most: int) -> dict[str, list[str]]:
    """The long Japanese sentences of each page that ends them with 。, by its id."""
    found: dict[str, list[str]] = {}
    pages = list(islice(read_pages(sources), most))
    for page, nodes in zip(pages, text_nodes_of(pages, named=False), strict=True):
        if isinstance(nodes, PageFailed):
            continue
        table = sentence_table([nodes])
        whole = content_shares(table, [everything(nodes)])
        found[page.id] = [
            text
            for text, share_ in zip(table.texts, whole.tolist(), strict=True)
            if share_ and LONG <= len(text) <= LONGEST and text.endswith("。") and is_japanese(text)
        ]
    return found


def copies(
    originals: dict[str, list[str]], edit: str, luck: random.Random
) -> dict[str, tuple[str, list[str]]]:
    """By id of the copy: the id of its source and the changed sentences. Sentences that the edit does not
    change are passed over.
    """
    words = sorted(
        {word for texts in originals.values() for text in texts for word in _COMPOUND.findall(text)}
    )
    made: dict[str, tuple[str, list[str]]] = {}
    sources = sorted(originals)
    luck.shuffle(sources)
    for source in (sources * (1 + COPIES // max(len(sources), 1)))[:COPIES]:
        texts = originals[source]
        changed = [
            new for text in dict.fromkeys(texts) if (new := EDITS[edit](text, luck.sample(words, 2))) != text
        ]
        if len(changed) >= SENTENCES:
            first = luck.randrange(len(changed) - SENTENCES + 1)
            made[f"copy of {len(made)} {edit}"] = source, changed[first : first + SENTENCES]
    return made


def written(
    originals: dict[str, list[str]], made: dict[str, tuple[str, list[str]]], destination: Path
) -> None:
    """The originals and the copies as pages, a sentence a paragraph."""
    with destination.open("w", encoding="utf-8") as stream:
        pages = [*originals.items(), *((name, texts) for name, (_, texts) in made.items())]
        for number, (name, texts) in enumerate(pages):
            markup = "<title>x</title>" + "".join(f"<p>{html.escape(text)}</p>" for text in texts)
            stream.write(
                json.dumps(
                    {"id": name, "url": f"http://site{number}.example/", "html": markup}, ensure_ascii=False
                )
                + "\n"
            )


def scored(name: str, made: dict[str, tuple[str, list[str]]], runs: dict[str, Detected]) -> str:
    """A row: how many copies there are, how many of them each way of matching found with their source."""
    wanted: set[Pair] = {pair(copy, source) for copy, (source, _) in made.items()}
    return (
        f"| {name} | {len(made)} | "
        + " | ".join(share(len(run.pairs.keys() & wanted), len(wanted)) for run in runs.values())
        + " |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.edited", description=__doc__.split("\n")[0])
    parser.add_argument("sources", nargs="*", default=[str(MINIWEB)], metavar="PAGES")
    parser.add_argument("--pages", type=int, default=300, help="at most so many pages (default: %(default)s)")
    parser.add_argument(
        "--show", action="store_true", help="show the pairs of originals that exact matching does not make"
    )
    options = parser.parse_args()
    originals = long_sentences(options.sources, options.pages)
    print(f"| copies with other | copies | {' | '.join(MATCHES)} |\n| --- | {'| '.join(['---: '] * 4)}|")
    natural: dict[str, set[Pair]] = {}
    with tempfile.TemporaryDirectory(prefix="ruiji-benchmark-") as folder:
        path = Path(folder) / "pages.jsonl"
        for edit in EDITS:
            made = copies(originals, edit, random.Random(5))
            written(originals, made, path)
            runs = {match: detect([str(path)], "--filter", "none", "--match", match) for match in MATCHES}
            print(scored(edit, made, runs), flush=True)
            natural = {
                match: {one for one in run.pairs if not made.keys() & set(one)} for match, run in runs.items()
            }
    print("\npairs of originals:", ", ".join(f"{match} {len(natural[match])}" for match in MATCHES))
    for match in MATCHES if options.show else ():
        for one, other in sorted(natural[match] - natural["exact"]):
            print(match, one, other, sep="\n  ")


if __name__ == "__main__":
    main()
