"""``ruiji clean`` beside what people chain otherwise, on the same texts of transplanted pages.

    python -m benchmarks.clean_peers $DATA/pairs-web OUT [--half a|b] [--trafilatura] [--datatrove PYTHON]

OUT is the folder of ``ruiji clean``; the texts are those of its receipt, or trafilatura's of the same pages.

- minhash: of documents that datasketch's MinHash LSH finds alike, the first is kept whole (128 permutations,
  words of five, Jaccard 0.8, as text-dedup and datatrove are used).
- substring: every stretch of 50 letters or more that stood before is cut out, wherever it begins and ends, as
  deduplicate-text-datasets does (there by bytes and a suffix array, here by windows; the first is kept).
- datatrove minhash, datatrove sentences: datatrove's own pipelines, run by an interpreter that has datatrove,
  spaCy and its Japanese dictionary (they are too heavy to install beside ruiji).

CPU seconds are those of removing alone, of texts that are extracted: for ruiji of ``clean --filter none``
over the texts of the receipt.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.clean import ENDS, RUN, Corpus, copies_of, in_half, letters, read_corpus, runs, score_copies
from ruiji.corpora.sources import named_pages

SHINGLE = 5  # words; of Japanese, characters
PERMUTATIONS = 128
ALIKE = 0.8
WINDOW = 50  # characters of a repeated substring
STEP = 1 << 61

Texts = dict[str, str]


def minhash(texts: Texts) -> Texts:
    """The documents without those that are alike with an earlier one."""
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=ALIKE, num_perm=PERMUTATIONS)
    kept: Texts = {}
    for name, text in texts.items():
        words = re.findall(r"[぀-ヿ一-鿿]|\w+", text.lower())
        shingles = {" ".join(words[at : at + SHINGLE]) for at in range(max(1, len(words) - SHINGLE + 1))}
        signature = MinHash(num_perm=PERMUTATIONS)
        signature.update_batch([shingle.encode() for shingle in sorted(shingles)])
        if not index.query(signature):
            index.insert(name, signature)
            kept[name] = text
    return kept


def substring(texts: Texts) -> Texts:
    """The texts without stretches that stood before, in the same or an earlier text."""
    seen: set[int] = set()
    cleaned: Texts = {}
    for name, text in texts.items():
        windows = [hash(text[at : at + WINDOW]) % STEP for at in range(max(0, len(text) - WINDOW + 1))]
        gone = bytearray(len(text))
        for at, window in enumerate(windows):
            if window in seen:
                gone[at : at + WINDOW] = b"\1" * WINDOW
        seen.update(windows)
        cleaned[name] = "".join(character for character, out in zip(text, gone, strict=True) if not out)
    return cleaned


def datatrove(python: str, method: str, texts: Texts) -> Texts:
    """What datatrove leaves of the texts."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_texts(folder / "in" / "texts.jsonl", texts)
        script = Path(__file__).with_name("datatrove_clean.py")
        command = [python, str(script), method, str(folder / "in" / "texts.jsonl"), str(folder / "out")]
        subprocess.run(command, check=True, capture_output=True)
        lines = [
            json.loads(line)
            for path in sorted((folder / "out" / "kept").glob("*"))
            for line in path.read_bytes().splitlines()
        ]
    return {line["id"]: line["text"] for line in lines}


def ruiji_clean(texts: Texts) -> Texts:
    """What ``ruiji clean`` leaves of texts without markup: to see what it takes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_texts(folder / "texts.jsonl", texts)
        command = [sys.executable, "-m", "ruiji", "clean", str(folder / "texts.jsonl"), "-q"]
        subprocess.run([*command, "-o", str(folder / "out"), "--filter", "none", "--jobs", "1"], check=True)
        return read_corpus(folder / "out").cleaned


def _write_texts(path: Path, texts: Texts) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8") as stream:
        for url, text in texts.items():
            stream.write(json.dumps({"id": url, "url": url, "text": text}) + "\n")


def _cpu_seconds() -> float:
    """What this process and those that it has waited for have taken."""
    parts = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(part.ru_utime + part.ru_stime for part in parts)


def trafilatura_texts(data: Path) -> Texts:
    """The texts that trafilatura extracts."""
    import trafilatura

    return {page.url: trafilatura.extract(page.html) or "" for page in named_pages([data / "pages.jsonl.gz"])}


def cut_sentences(corpus: Corpus, half: str | None) -> int:
    """Lines of a cleaned text that begin or end in the midst of a sentence of the whole one."""
    cut = 0
    for url, text in corpus.cleaned.items():
        if in_half(url, half) and text != corpus.whole[url]:
            whole = corpus.whole[url].split("\n")
            lines = {line.strip() for line in whole}
            sentences = {
                letters(part) for line in whole for part in re.split(f"(?<=[{re.escape(ENDS)}])", line)
            }
            for line in text.split("\n"):
                parts = re.split(f"(?<=[{re.escape(ENDS)}])", line.strip())
                if line.strip() not in lines:
                    cut += sum(letters(part) not in sentences for part in (parts[0], parts[-1]))
    return cut


def within_sentences(text: str) -> set[str]:
    """The runs of eight letters that do not cross the end of a sentence or line."""
    parts = (letters(part) for part in re.split(f"[{re.escape(ENDS)}\\n]", text))
    return {part[at : at + RUN] for part in parts for at in range(len(part) - RUN + 1)}


def report(name: str, corpus: Corpus, data: Path, half: str | None, seconds: float) -> None:
    """Prints what a method removes, loses and cuts."""
    corpus.whole_runs = {url: runs(text) for url, text in corpus.whole.items()}
    corpus.cleaned_runs = {url: runs(corpus.cleaned.get(url, "")) for url in corpus.whole}
    print(f"\n## {name}: {seconds:.1f} CPU seconds")
    score_copies(corpus, copies_of(data, half), "")
    remaining = set().union(*corpus.cleaned_runs.values())
    own = [url for url in corpus.whole if in_half(url, half)]
    within = [within_sentences(corpus.whole[url]) for url in own]
    lost = sum(len(own_runs - remaining) for own_runs in within)
    total = sum(map(len, within))
    print(
        f"runs within sentences that stand nowhere any more: {lost} of {total} = {lost / max(1, total):.6f}"
    )
    print(
        f"sentences cut: {cut_sentences(corpus, half)}; pages {len(corpus.whole)}, left {len(corpus.cleaned)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--half", choices=("a", "b"))
    parser.add_argument("--trafilatura", action="store_true")
    parser.add_argument("--datatrove", metavar="PYTHON", help="an interpreter that has datatrove")
    options = parser.parse_args()
    corpus = read_corpus(options.out)
    methods: dict[str, Callable[[Texts], Texts]] = {"minhash": minhash, "substring": substring}
    if options.datatrove:
        for kind in ("minhash", "sentences"):
            methods[f"datatrove {kind}"] = partial(datatrove, options.datatrove, kind)
    started = _cpu_seconds()
    ruiji_clean(corpus.whole)
    report("ruiji clean", corpus, options.data, options.half, _cpu_seconds() - started)
    texts = trafilatura_texts(options.data) if options.trafilatura else corpus.whole
    for name, method in methods.items():
        started = _cpu_seconds()
        cleaned = method(texts)
        report(name, Corpus(texts, cleaned, []), options.data, options.half, _cpu_seconds() - started)


if __name__ == "__main__":
    main()
