"""Whether search gets better where what is not content is not searched: the evaluation that Nakamura 2007
wishes for (section 5.2).

Every page is looked for by its title, which is in the head of a page and no text node, without the name of
the site. Searched is all text
of the pages, what a filter calls content, or what the annotation calls content. By rank (BM25, Robertson and
Zaragoza 2009): where the page itself comes. By all words: whether the pages that have every word of the query
are those whose true content has them; section 1 gives the example of a page that is found by the name of
another section in its menu.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_matrix

from ruiji.chunker.annotation.examples import Example
from ruiji.chunker.evaluation.crossval import PageOutcome
from ruiji.chunker.evaluation.statistics import RESAMPLES, Interval, drawn_means
from ruiji.chunker.labels import O
from ruiji.chunker.metrics import words
from ruiji.features.arrays import BoolArray, FloatArray, LongArray

ALL_TEXT, FILTERED, TRUE = "all text", "content by the filter", "true content"
K1, B = 1.2, 0.75  # the usual values (Robertson and Zaragoza 2009, section 3.5)
SITE_NAME, SEVERAL = 0.5, 2  # above this share of a site's titles, and in so many, a word is the site's name
MOST_WORDS = 30  # of a query: some titles are whole paragraphs


@dataclass(frozen=True, slots=True, eq=False)
class Retrieval:
    """How the queries fared on one way to search; a row a query."""

    site: Sequence[str]
    reciprocal_rank: FloatArray  # 1 where the page came first, 0 where it was not found
    wanted: LongArray  # pages whose true content has all words of the query
    found: LongArray  # pages whose searched text has them
    right: LongArray  # both

    def as_dict(self) -> dict[str, float]:
        """The measures by name: mean reciprocal rank, the share of queries whose page comes first, precision
        and recall of the pages with all words.
        """
        wanted, found, right = (int(own.sum()) for own in (self.wanted, self.found, self.right))
        return {
            "MRR": float(self.reciprocal_rank.mean()),
            "first": float((self.reciprocal_rank == 1).mean()),
            **({"words_P": right / found} if found else {}),
            **({"words_R": right / wanted} if wanted else {}),
        }


def retrieval(pages: Sequence[PageOutcome]) -> dict[str, Retrieval]:
    """How pages are found by their titles on all text, on what was called content, and on what is. Titles
    that several pages have are no queries.
    """
    examples = [page.example for page in pages]
    asked = _title_words(examples)
    times = Counter(asked)
    queries = [(number, query) for number, query in enumerate(asked) if query and times[query] == 1]
    searched = {
        ALL_TEXT: [_text(page, np.ones(len(page.labels), dtype=bool)) for page in pages],
        FILTERED: [_text(page, page.labels == O) for page in pages],
        TRUE: [_text(page, page.example.labels == O) for page in pages],
    }
    indexes = {name: _Index.of(texts) for name, texts in searched.items()}
    rows: dict[str, list[tuple[float, int, int, int]]] = {name: [] for name in searched}
    for number, query in queries:
        wanted = indexes[TRUE].with_all(query)
        for name, index in indexes.items():
            found = index.with_all(query)
            rank = index.rank(query, number)
            rows[name].append(
                (1 / rank if rank else 0.0, int(wanted.sum()), int(found.sum()), int((found & wanted).sum()))
            )
    sites = [examples[number].site for number, _ in queries]
    return {name: _collected(sites, own) for name, own in rows.items()}


def ahead_in_rank(first: Retrieval, second: Retrieval, resamples: int = RESAMPLES) -> Interval:
    """How far the first way to search is ahead of the second in mean reciprocal rank, by draws of sites."""
    gains = first.reciprocal_rank - second.reciprocal_rank
    return drawn_means(gains, first.site, resamples)


@dataclass(frozen=True, slots=True, eq=False)
class _Index:
    """The words of some texts: BM25 weights, a row a text and a column a word."""

    column: Mapping[str, int]
    weights: csc_matrix

    @classmethod
    def of(cls, texts: Sequence[str]) -> _Index:
        column: dict[str, int] = {}
        row, at, count = [], [], []
        for number, text in enumerate(texts):
            for word, times in Counter(words(text)).items():
                row.append(number)
                at.append(column.setdefault(word, len(column)))
                count.append(times)
        counts = np.array(count, dtype=np.float64)
        rows, columns = np.array(row, dtype=np.int64), np.array(at, dtype=np.int64)
        length = np.bincount(rows, weights=counts, minlength=len(texts))
        having = np.bincount(columns, minlength=len(column))
        rarity = np.log(1 + (len(texts) - having + 0.5) / (having + 0.5))
        damped = counts + K1 * (1 - B + B * length[rows] / max(float(length.mean()), 1e-9))
        weights = rarity[columns] * counts * (K1 + 1) / damped if len(rows) else counts
        return cls(column, csc_matrix((weights, (rows, columns)), shape=(len(texts), max(len(column), 1))))

    def with_all(self, query: Sequence[str]) -> BoolArray:
        """Which texts have all words."""
        columns = [self.column[word] for word in query if word in self.column]
        if len(columns) < len(query):
            return np.zeros(self.weights.shape[0], dtype=bool)
        having: BoolArray = np.asarray((self.weights[:, columns] > 0).sum(axis=1)).ravel() == len(columns)
        return having

    def rank(self, query: Sequence[str], number: int) -> int:
        """The place of a text among those with any of the words, from 1; behind all that score the same. 0
        where it has none of them.
        """
        columns = [self.column[word] for word in query if word in self.column]
        scores = np.asarray(self.weights[:, columns].sum(axis=1)).ravel()
        return int((scores >= scores[number]).sum()) if scores[number] > 0 else 0


def _collected(sites: Sequence[str], rows: Sequence[tuple[float, int, int, int]]) -> Retrieval:
    ranks, *counts = zip(*rows, strict=True) if rows else ((), (), (), ())
    wanted, found, right = (np.array(own, dtype=np.int64) for own in counts)
    return Retrieval(sites, np.array(ranks, dtype=np.float64), wanted, found, right)


def _title_words(examples: Sequence[Example]) -> list[tuple[str, ...]]:
    """The words of each title, each once, without those that the titles of a site share: its name."""
    titles = [words("" if example.nodes is None else example.nodes.title) for example in examples]
    pages = Counter(example.site for example in examples)
    having = Counter(
        (example.site, word) for example, title in zip(examples, titles, strict=True) for word in set(title)
    )
    return [
        tuple(
            word
            for word in dict.fromkeys(title)
            if not SEVERAL <= having[example.site, word] > SITE_NAME * pages[example.site]
        )[:MOST_WORDS]
        for example, title in zip(examples, titles, strict=True)
    ]


def _text(page: PageOutcome, chosen: BoolArray) -> str:
    return "" if page.example.nodes is None else page.example.nodes.shown_text(chosen)
