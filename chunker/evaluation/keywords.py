"""The keywords that annotated pages give: table 4.7 of Nakamura 2007, with the words that its pages gave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ruiji.chunker.annotation.examples import Example
from ruiji.chunker.crf.weights import chosen_attributes
from ruiji.chunker.evaluation.nakamura_2007 import TABLE_4_7
from ruiji.chunker.labels import O
from ruiji.features.nodes.sets import feature_set
from ruiji.features.text import morphology


@dataclass(frozen=True, slots=True)
class Keyword:
    """A noun that the rule of section 3.3 selects: how often and in how many domains it occurs, how often of
    that in non-content (P_nc, formula 3.1), and whether the paper's pages gave it too.
    """

    word: str
    occurrences: int
    domains: int
    non_content: float
    published: bool

    @property
    def weight(self) -> float:
        """P_nc times the number of domains (formula 3.2), by which the paper's rule selects."""
        return self.non_content * self.domains


def selected_keywords(examples: Sequence[Example]) -> list[Keyword]:
    """The keywords that all of these pages give together, as table 4.7 has them, those of the largest weight
    first.
    """
    pages = [(example, example.nodes) for example in examples if example.nodes is not None]
    attributes = chosen_attributes(
        feature_set("nakamura"), [nodes for _, nodes in pages], [example.labels for example, _ in pages]
    )
    chosen = frozenset(attributes.values["keyword"])
    known = {word.casefold() for word in TABLE_4_7}  # ours are in lower case
    counts: Counter[str] = Counter()
    marked: Counter[str] = Counter()
    domains: dict[str, set[str]] = {word: set() for word in chosen}
    for example, nodes in pages:
        for label, nouns in zip(example.labels.tolist(), morphology.analyse(nodes.texts).nouns, strict=True):
            for word in filter(chosen.__contains__, nouns):
                counts[word] += 1
                marked[word] += label != O
                domains[word].add(nodes.host)
    keywords = [
        Keyword(word, counts[word], len(domains[word]), marked[word] / counts[word], word.casefold() in known)
        for word in chosen
        if counts[word]
    ]
    return sorted(keywords, key=lambda keyword: (-keyword.weight, -keyword.occurrences, keyword.word))
