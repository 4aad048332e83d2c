"""Content extractors on the same pages, by the same metric, in one run: quality by kind of page, speed beside
it.

    python -m benchmarks.extractors PAGES…            the shipped model and peers on annotated pages
    python -m benchmarks.extractors PAGES… --fold     each of five folds, ours trained on the others' domains
    python -m benchmarks.extractors PAGES… --fold 0   the first fold alone
    python -m benchmarks.extractors PAGES… --aged     pages as old ones are: no names, no elements of HTML 5

Word F1 as WCXB has it (pairs of characters in Japanese), the mean over pages; an extractor that fails on a
page has found nothing there. Pages that the shipped model has learned from are no test of it: measure those
with --fold. Speed is CPU time of one core, from the page's bytes to its text. Beside it stands how good ours
expects to be, by sixths of the pages.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import justext
import numpy as np
import trafilatura
from lxml import html as lxml_html
from readability import Document
from resiliparse.extract.html2text import extract_plain_text
from sklearn.base import clone

from benchmarks.aged import aged
from ruiji.chunker.annotation.examples import Example, examples_of
from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.folder import load_model
from ruiji.chunker.evaluation.crossval import grouped_folds
from ruiji.chunker.labels import O
from ruiji.chunker.metrics import word_scores
from ruiji.corpora import Page, decode, read_pages
from ruiji.features.page.parsing import text_nodes
from scripts.added_pages import added_pages
from scripts.make_models import DEFAULT

BATCH = 32  # pages that ours takes together, as the command does
ALL = "all"
OURS = "ruiji"
BASELINE = "trafilatura"
PARTS = 6

Known = tuple[Page, Example]


def by_trafilatura(page: str) -> str:
    return trafilatura.extract(page) or ""


def by_resiliparse(page: str) -> str:
    return str(extract_plain_text(page, main_content=True))


def by_readability(page: str) -> str:
    return str(lxml_html.fromstring(Document(page).summary()).text_content())


def by_justext(page: str) -> str:
    """With English stop words: most of WCXB is English, and for Japanese jusText has none, so that there it
    calls all text bad.
    """
    paragraphs = justext.justext(page.encode("utf-8"), justext.get_stoplist("English"), encoding="utf-8")
    return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)


PEERS: Mapping[str, Callable[[str], str]] = {
    BASELINE: by_trafilatura,
    "resiliparse": by_resiliparse,
    "readability-lxml": by_readability,
    "jusText": by_justext,
}


@dataclass(slots=True)
class Result:
    """The F1 of each page, what ours expected of it, and CPU seconds in all."""

    f1: list[float] = field(default_factory=list)
    expected: list[float] = field(default_factory=list)
    seconds: float = 0.0
    failed: int = 0

    def take(self, other: Result) -> None:
        """Adds what was measured on other pages."""
        self.f1 += other.f1
        self.expected += other.expected
        self.seconds += other.seconds
        self.failed += other.failed


def run_peer(extract: Callable[[str], str], pages: Sequence[Page], truths: Sequence[str]) -> Result:
    """A peer on every page. A peer's own exceptions are its failures, whatever they are."""
    result = Result()
    for page, truth in zip(pages, truths, strict=True):
        begun = time.process_time()
        try:
            text = extract(page.html if isinstance(page.html, str) else decode(page).text)
        except Exception:
            text = ""
            result.failed += 1
        result.seconds += time.process_time() - begun
        result.f1.append(word_scores(truth, text)[2])
    return result


def run_ours(chunker: CrfChunker, pages: Sequence[Page], truths: Sequence[str]) -> Result:
    """A learned model on every page."""
    list(chunker.decoded([text_nodes(pages[0])]))  # tables are made once
    result = Result()
    for start in range(0, len(pages), BATCH):
        begun = time.process_time()
        nodes = [text_nodes(page) for page in pages[start : start + BATCH]]
        decoded = list(chunker.decoded(nodes))
        texts = [own.shown_text(page.labels == O) for own, page in zip(nodes, decoded, strict=True)]
        result.seconds += time.process_time() - begun
        result.f1 += [
            word_scores(truth, text)[2]
            for truth, text in zip(truths[start : start + BATCH], texts, strict=True)
        ]
        result.expected += [page.expected_f1 for page in decoded]
    return result


def compared(chunker: CrfChunker, known: Sequence[Known]) -> dict[str, Result]:
    """Every extractor on these pages."""
    pages, truths = [page for page, _ in known], [example.text for _, example in known]
    return {OURS: run_ours(chunker, pages, truths)} | {
        name: run_peer(extract, pages, truths) for name, extract in PEERS.items()
    }


def by_folds(
    known: Sequence[Known], folds: int, wanted: Sequence[int]
) -> tuple[list[Page], dict[str, Result]]:
    """The pages of these folds and every extractor on them, ours as it has learned from the pages of the
    other folds.
    """
    examples = [example for _, example in known]
    measured: list[Page] = []
    results: dict[str, Result] = {}
    for number, fold in enumerate(grouped_folds(examples, folds)):
        if wanted and number not in wanted:
            continue
        added = added_pages([known[page] for page in fold.train])
        train = [examples[page] for page in fold.train] + [*added.copies, *added.planted]
        nodes = [example.nodes for example in train if example.nodes is not None]
        chunker = clone(DEFAULT.chunker)
        chunker.fit(nodes, [example.labels for example in train], sample_weight=added.weights)
        test = [known[page] for page in fold.test]
        for name, result in compared(chunker, test).items():
            results.setdefault(name, Result()).take(result)
        measured += [page for page, _ in test]
        ours = np.mean(results[OURS].f1[-len(test) :])
        print(f"fold {number}: {len(test)} pages, {OURS} {ours:.4f}", file=sys.stderr, flush=True)
    return measured, results


def table(pages: Sequence[Page], results: Mapping[str, Result]) -> str:
    """F1 by kind of page, where pages say theirs, and speed against trafilatura."""
    kinds = np.array([str(page.extra.get("page_type") or "") for page in pages])
    shown = [ALL, *sorted(set(kinds.tolist()) - {""})]
    lines = [
        f"{len(pages)} pages",
        "",
        "| | " + " | ".join(shown) + " | failed | trafilatura = 1 |",
        "| --- |" + " ---: |" * (len(shown) + 2),
    ]
    base = results[BASELINE].seconds
    for name, result in results.items():
        f1 = np.array(result.f1)
        cells = [
            f"{f1[np.ones(len(f1), dtype=bool) if kind == ALL else kinds == kind].mean():.3f}"
            for kind in shown
        ]
        lines.append(
            f"| {name} | " + " | ".join(cells) + f" | {result.failed} | {base / result.seconds:.1f} |"
        )
    return "\n".join(lines)


def confidence(result: Result) -> str:
    """How good ours expected to be, and was: pages in the order of what it expected, in so many parts."""
    order = np.argsort(result.expected, kind="stable")
    expected, true = np.array(result.expected)[order], np.array(result.f1)[order]
    count = min(PARTS, len(order))
    lines = [
        "| | " + " | ".join(f"{number + 1}" for number in range(count)) + " |",
        "| --- |" + " ---: |" * count,
    ]
    for name, values in (("expected F1", expected), ("F1", true)):
        lines.append(
            f"| {name} | " + " | ".join(f"{part.mean():.3f}" for part in np.array_split(values, count)) + " |"
        )
    if expected.std() > 0 and true.std() > 0:
        lines += ["", f"correlation {np.corrcoef(expected, true)[0, 1]:.2f}"]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.extractors", description=__doc__.split("\n")[0]
    )
    parser.add_argument("sources", nargs="+", metavar="PAGES")
    parser.add_argument("--folds", type=int, default=5, help="of --fold (default: %(default)s)")
    parser.add_argument(
        "--fold",
        type=int,
        nargs="*",
        help="measure these folds, or all, each with a model that learns from the others",
    )
    parser.add_argument(
        "--aged",
        action="store_true",
        help="measure on the pages without names and without elements of HTML 5",
    )
    options = parser.parse_args()
    if any(not 0 <= number < options.folds for number in options.fold or ()):
        parser.error(f"--fold is from 0 to {options.folds - 1}")
    pages = [page for page in read_pages(options.sources) if not page.error]
    examples = [
        example
        for start in range(0, len(pages), BATCH)
        for example in examples_of(pages[start : start + BATCH])
    ]
    known = [
        (page, example)
        for page, example in zip(pages, examples, strict=True)
        if example.nodes is not None and example.marked
    ]
    if options.aged:  # only what is measured: models learn from pages as they are
        known = [(aged(page), example) for page, example in known]
    if options.fold is None:
        measured, results = [page for page, _ in known], compared(load_model(DEFAULT.name), known)
    else:
        measured, results = by_folds(known, options.folds, options.fold)
    print(table(measured, results), confidence(results[OURS]), sep="\n\n")


if __name__ == "__main__":
    main()
