"""Speed, size and growth of the partial-copy index, on documents of 25 segments that are made here.

    python -m benchmarks.index                        from 100,000 to 5,000,000 documents
    python -m benchmarks.index --documents 100000
    python -m benchmarks.index --whole                every document with its text: ten minutes and more, and
    7 GB of disk

Documents are Japanese sentences put together at random from words; one sentence in fifty is one of a hundred
stock phrases. Queries are such documents too; one in a hundred (the paper's section 6.3: 82 of 10,204) or one
in ten has four sentences in a row from a document of the index. Times are CPU time of one process; matching
starts from the text: fold, split, hash, look up, and check what was found letter by letter on the stored
texts. After the first 100,000, documents are random fingerprints without a text, in parts that are not
written to disk, stock phrases among them as before: to a query they are the same.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ruiji.detector.copies.digest import SENTENCE, query_digest
from ruiji.detector.copies.fingerprints import BORDER
from ruiji.detector.copies.index import CopyIndex, open_index
from ruiji.detector.copies.part import IndexPart, SourceText, digested, host_counts
from ruiji.detector.copies.suffixes import look_up, sort_suffixes
from ruiji.detector.copies.writing import writing

SEGMENTS = 25
STEPS = (100_000, 300_000, 1_000_000, 2_000_000, 5_000_000)
BATCH = 128
QUERIES = 4096
SELDOM, OFTEN = 100, 10  # one query in so many has a copy
COPIED_SEGMENTS = 4
SOURCE_BLOCKS = 16  # thousands of documents, all over the index, that queries copy from
STOCK_SHARE = 0.02
STOCK = 100
WORDS = 4000
CLAUSES = 1 << 16
LARGEST_PART = 2_500_000  # documents

KANA = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん"
KANJI = (
    "港町朝船海風山川道人日月火水木金土年時間本国大小中学生先会社員電車駅前後左右東西南北春夏秋冬花鳥魚"
    "石空雨雪声手足目耳口心力名物事"
)


class Prose:
    """Random documents; the same number is always the same document. A sentence is a word, an ending and a
    clause of many.
    """

    def __init__(self) -> None:
        random = np.random.default_rng(20090108)
        self._heads = _words(random, WORDS, KANJI, 2, 5)
        self._tails = _words(random, WORDS, KANA, 2, 5)
        pairs = random.integers(0, WORDS, (CLAUSES, 5, 2)).tolist()
        count = random.integers(2, 6, CLAUSES).tolist()
        self._clauses = [
            "".join(self._heads[a] + self._tails[b] for a, b in row[:n])
            for row, n in zip(pairs, count, strict=True)
        ]
        self.stock = [clause + "。" for clause in self._clauses[:STOCK]]

    def documents(self, first: int, end: int) -> Iterator[tuple[str, list[str]]]:
        """Url and sentences of the documents with these numbers; ``first`` is a multiple of a thousand."""
        heads, tails, clauses = self._heads, self._tails, self._clauses
        for start in range(first, end, 1000):
            random = np.random.default_rng(start)
            words = random.integers(0, WORDS, (2, 1000 * SEGMENTS)).tolist()
            chosen = random.integers(0, CLAUSES, 1000 * SEGMENTS).tolist()
            sentences = [
                f"{heads[a]}{tails[b]}{clauses[c]}。" for a, b, c in zip(*words, chosen, strict=True)
            ]
            for place in np.flatnonzero(random.random(1000 * SEGMENTS) < STOCK_SHARE).tolist():
                sentences[place] = self.stock[place % STOCK]
            for number in range(start, min(start + 1000, end)):
                place = (number - start) * SEGMENTS
                yield f"http://host{number % 50021}.example/{number}", sentences[place : place + SEGMENTS]


def _words(random: np.random.Generator, count: int, letters: str, shortest: int, longest: int) -> list[str]:
    lengths = random.integers(shortest, longest, count).tolist()
    return [
        "".join(letters[k] for k in random.integers(0, len(letters), length).tolist()) for length in lengths
    ]


def text_of(sentences: list[str]) -> str:
    """Sentences as a page shows them: five in a paragraph."""
    return "\n".join("".join(sentences[start : start + 5]) for start in range(0, len(sentences), 5))


def grow(folder: Path, prose: Prose, first: int, end: int) -> tuple[float, float]:
    """Adds documents; returns the CPU seconds of making them up and of everything."""
    begin = time.process_time()
    making = 0.0
    with writing(folder, {"filter": "none"}, f"benchmark {first}", anew=not first) as writer:
        for start in range(first, end, 1000):
            before = time.process_time()
            documents = [
                (url, text_of(sentences)) for url, sentences in prose.documents(start, min(start + 1000, end))
            ]
            making += time.process_time() - before
            for batch in range(0, len(documents), BATCH):
                chosen = documents[batch : batch + BATCH]
                for (url, text), digest in zip(chosen, digested([text for _, text in chosen]), strict=True):
                    writer.add(url, text, *digest)
    return making, time.process_time() - begin


class NoTexts:
    """The texts of documents that have none."""

    def __init__(self, documents: int) -> None:
        self._documents = documents

    def __getitem__(self, number: int, /) -> SourceText:
        return SourceText("", "")

    def __len__(self) -> int:
        return self._documents


def filled(prose: Prose, documents: int) -> list[IndexPart]:
    """Parts in memory with so many documents of random fingerprints, stock phrases among them, as large as
    parts get.
    """
    stock = query_digest(prose.stock)
    sentences = stock.kind == SENTENCE
    random = np.random.default_rng(documents)
    parts = []
    for first in range(0, documents, LARGEST_PART):
        count = min(LARGEST_PART, documents - first)
        digest = random.integers(0, BORDER, (count, SEGMENTS + 1), dtype=np.uint32)
        marks = random.integers(18, 32, (count, SEGMENTS + 1), dtype=np.uint8)
        common = np.flatnonzero(random.random(digest.size, dtype=np.float32) < STOCK_SHARE)
        which = random.integers(0, int(sentences.sum()), len(common))
        digest.ravel()[common], marks.ravel()[common] = (
            stock.fingerprint[sentences][which],
            stock.marks()[sentences][which],
        )
        digest[:, -1], marks[:, -1] = BORDER, 0
        starts = np.arange(count, dtype=np.uint32) * np.uint32(SEGMENTS + 1)
        host = (np.arange(count, dtype=np.uint32) % np.uint32(50021)) + np.uint32(1)
        parts.append(
            IndexPart(
                sort_suffixes(digest.ravel(), marks.ravel()), starts, host, *host_counts(host), NoTexts(count)
            )
        )
    return parts


def bytes_of(part: IndexPart) -> int:
    """What is searched of a part."""
    suffixes = part.suffixes
    arrays = (
        suffixes.digest,
        suffixes.order,
        suffixes.table,
        suffixes.chunks,
        part.first,
        part.host,
        part.hosts,
        part.host_sources,
    )
    return sum(array.nbytes for array in arrays)


def queries(prose: Prose, documents: int, copied: int) -> tuple[list[str], list[str], int]:
    """Texts and urls of new documents, and how many have a copied passage: one in ``copied``."""
    random = np.random.default_rng(7)
    chosen = sorted({int(block) * 1000 for block in random.integers(0, documents // 1000, SOURCE_BLOCKS)})
    sources = [own for start in chosen for _, own in prose.documents(start, start + 1000)]
    texts, urls, planted = [], [], 0
    for number, (url, sentences) in enumerate(prose.documents(10**9, 10**9 + QUERIES)):
        if number % copied == 0:
            own = sources[int(random.integers(0, len(sources)))]
            sentences[10:14] = own[3 : 3 + COPIED_SEGMENTS]
            planted += 1
        texts.append(text_of(sentences))
        urls.append(url.replace("host", "other"))
    return texts, urls, planted


def microseconds(function: object, texts: list[str], *more: list[str]) -> float:
    """CPU time a document, the best of three rounds."""
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        for start in range(0, len(texts), BATCH):
            function(texts[start : start + BATCH], *(one[start : start + BATCH] for one in more))  # type: ignore[operator]
        best = min(best, time.process_time() - begin)
    return best / len(texts) * 1e6


def measure(folder: Path, prose: Prose, documents: int, real: int, building: float) -> str:
    """A row of the table; what the index in the folder does not have is filled up."""
    begin = time.process_time()
    opened = open_index(folder)
    opening = time.process_time() - begin
    index = CopyIndex(opened.contents, (*opened.parts, *filled(prose, documents - real)))
    stored = sum(
        size
        for part in opened.contents.parts
        for name, (size, _) in part.files.items()
        if name.startswith("text-")
    )
    texts, urls, planted = queries(prose, real, OFTEN)
    found = []
    for start in range(0, len(texts), BATCH):
        found += index.match_all(texts[start : start + BATCH], urls[start : start + BATCH])
    good = sum(bool(one) for number, one in enumerate(found) if number % OFTEN == 0)
    wrong = sum(bool(one) for number, one in enumerate(found) if number % OFTEN)
    digest = microseconds(query_digest, texts)
    whole = microseconds(index.match, texts, urls)
    without, other_urls, _ = queries(prose, real, SELDOM)
    clean = microseconds(index.match, without, other_urls)

    def search(batch: list[str]) -> None:
        query = query_digest(batch)
        for part in index.parts:
            look_up(part.suffixes, query.fingerprint, query.marks())

    found_only = microseconds(search, without) - microseconds(query_digest, without)
    figures = (
        f"{documents:,}", len(index.parts), f"{sum(map(bytes_of, index.parts)) / documents:.0f}",
        f"{stored / real:.0f}",
        f"{building:.0f}", f"{opening * 1000:.1f}", f"{digest:.1f}", f"{found_only:.1f}", f"{clean:.1f}",
        f"{whole:.1f}", f"{3600 / clean:.0f}", f"{3600 / whole:.0f}", f"{good}/{planted}", wrong,
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}",
    )  # fmt: skip
    return "| " + " | ".join(map(str, figures)) + " |"


COLUMNS = (
    "documents", "parts", "bytes to search", "bytes of text", "build µs", "open ms", "digest µs",
    "look up µs", "match µs",
    "match µs, one in ten", "million an hour", "million an hour, one in ten", "copies found", "wrong",
    "peak MB",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.index", description=__doc__.split("\n")[0])
    parser.add_argument(
        "--documents", type=lambda text: [int(one) for one in text.split(",")], default=STEPS, metavar="N,N,…"
    )
    parser.add_argument("--folder", type=Path, help="where to build; default: a temporary folder")
    parser.add_argument("--whole", action="store_true", help="give every document its text")
    options = parser.parse_args()
    prose = Prose()
    letters = np.mean(
        [len(sentence) - 1 for _, sentences in prose.documents(0, 1000) for sentence in sentences]
    )
    print(
        f"documents of {SEGMENTS} segments of {letters:.1f} letters; microseconds and bytes are for one "
        "document\n"
    )
    print("| " + " | ".join(COLUMNS) + " |\n|" + " ---: |" * len(COLUMNS), flush=True)
    with TemporaryDirectory(prefix="ruiji-") as temporary:
        folder = (options.folder or Path(temporary)) / "idx"
        done = real = 0
        building = 0.0
        for documents in options.documents:
            if options.whole or not done:
                making, whole = grow(folder, prose, done, documents)
                building, real = (whole - making) / (documents - done) * 1e6, documents
            done = documents
            print(measure(folder, prose, documents, real, building), flush=True)


if __name__ == "__main__":
    main()
