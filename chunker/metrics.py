"""How well a mask or a text is right: every metric of system 1 (Nakamura 2007, section 4.2), by blocks, and
by words.

All figures come from Counts, and Counts add up: those of a page to those of a site, a fold or a whole
collection.

    total = sum((score_labels(true, predicted) for true, predicted in pages), Counts())
    total.R_F, total.as_dict()
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ruiji.chunker.labels import LabelArray, O, regions_of
from ruiji.features.arrays import BoolArray

# The names of the metrics in every table and JSON file, in this order.
NAMES = (
    "L_bl", "L_nc", "R_r", "R_p", "R_F", "B_r", "B_p", "B_F", "FP_c",
    "block_P", "block_R", "block_F", "perfect", "word_P", "word_R", "word_F1",
)  # fmt: skip

# Kana, kanji and what belongs to them (々〆〇ー and voicing marks, not ・): Japanese and Chinese have no
# spaces between words.
UNSPACED = (
    "\u3005-\u3007\u3041-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f\U0001b000-\U0001b16f"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_UNSPACED = re.compile(f"[{UNSPACED}]")
_WORD = re.compile(r"\w+")
_WORD_OR_RUN = re.compile(rf"[{UNSPACED}]+|[^\W{UNSPACED}]+")


@dataclass(frozen=True, slots=True)
class Counts:
    """What the metrics are made of; zero is the page of which nothing was measured.

    A ratio without cases (0/0) does not apply: it is NaN, and ``as_dict`` leaves it out. So precision does
    not apply where nothing was predicted, nor recall where nothing is to be found; F applies as soon as one
    of them does, and is then 0 unless something was right.
    """

    nodes: int = 0
    same_labels: int = 0
    content_nodes: int = 0  # O in truth
    true_regions: int = 0
    predicted_regions: int = 0
    same_regions: int = 0
    true_nodes: int = 0  # B or I in truth
    predicted_nodes: int = 0
    common_nodes: int = 0
    true_blocks: int = 0  # content blocks
    predicted_blocks: int = 0
    common_blocks: int = 0
    block_pages: int = 0
    perfect_pages: int = 0
    word_pages: int = 0
    word_precisions: float = 0.0  # sums over pages: each page counts alike, however long it is
    word_recalls: float = 0.0
    word_f1s: float = 0.0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))

    def with_blocks_of(self, other: Counts) -> Counts:
        """The same counts but those of blocks, which are of the other."""
        names = ("true_blocks", "predicted_blocks", "common_blocks", "block_pages", "perfect_pages")
        return replace(self, **{name: getattr(other, name) for name in names})

    @property
    def L_bl(self) -> float:  # noqa: N802  the paper's names, here and below
        """The label accuracy of calling everything content."""
        return _ratio(self.content_nodes, self.nodes)

    @property
    def L_nc(self) -> float:  # noqa: N802
        """The label accuracy (4.3)."""
        return _ratio(self.same_labels, self.nodes)

    @property
    def R_r(self) -> float:  # noqa: N802
        """The share of the true regions that were found, with the same extent and labels (4.4)."""
        return _ratio(self.same_regions, self.true_regions)

    @property
    def R_p(self) -> float:  # noqa: N802
        """The share of the predicted regions that are true (4.5)."""
        return _ratio(self.same_regions, self.predicted_regions)

    @property
    def R_F(self) -> float:  # noqa: N802
        """The harmonic mean of R_r and R_p (4.6)."""
        return _ratio(2 * self.same_regions, self.true_regions + self.predicted_regions)

    @property
    def B_r(self) -> float:  # noqa: N802
        """The share of the non-content nodes that were found, B or I (4.7)."""
        return _ratio(self.common_nodes, self.true_nodes)

    @property
    def B_p(self) -> float:  # noqa: N802
        """The share of the nodes called non-content that are (4.8)."""
        return _ratio(self.common_nodes, self.predicted_nodes)

    @property
    def B_F(self) -> float:  # noqa: N802
        """The harmonic mean of B_r and B_p (4.9)."""
        return _ratio(2 * self.common_nodes, self.true_nodes + self.predicted_nodes)

    @property
    def FP_c(self) -> float:  # noqa: N802
        """The share of the content nodes that were called non-content (4.10)."""
        return _ratio(self.predicted_nodes - self.common_nodes, self.content_nodes)

    @property
    def block_P(self) -> float:  # noqa: N802
        """The share of the blocks called content that are (Yoshida and Yamamoto 2009)."""
        return _ratio(self.common_blocks, self.predicted_blocks)

    @property
    def block_R(self) -> float:  # noqa: N802
        """The share of the content blocks that were found."""
        return _ratio(self.common_blocks, self.true_blocks)

    @property
    def block_F(self) -> float:  # noqa: N802
        """The harmonic mean of block_P and block_R."""
        return _ratio(2 * self.common_blocks, self.true_blocks + self.predicted_blocks)

    @property
    def perfect(self) -> float:
        """The share of pages where every block is right."""
        return _ratio(self.perfect_pages, self.block_pages)

    @property
    def word_P(self) -> float:  # noqa: N802
        """The mean over pages of the share of extracted words that are true."""
        return _ratio(self.word_precisions, self.word_pages)

    @property
    def word_R(self) -> float:  # noqa: N802
        """The mean over pages of the share of true words that were extracted."""
        return _ratio(self.word_recalls, self.word_pages)

    @property
    def word_F1(self) -> float:  # noqa: N802
        """The mean over pages of the F1 of words; not the harmonic mean of word_P and word_R."""
        return _ratio(self.word_f1s, self.word_pages)

    @property
    def region_agreement(self) -> float:
        """How far two annotators agree by region, 2·A_xy/(A_x+A_y) (4.1): R_F, whoever of them is called the
        truth.
        """
        return self.R_F

    @property
    def node_agreement(self) -> float:
        """How far two annotators agree by text node, 2·L_xy/(L_x+L_y) (4.2): B_F, whoever of them is called
        the truth.
        """
        return self.B_F

    def as_dict(self) -> dict[str, float]:
        """The metrics that apply, by name, in the order of NAMES."""
        values = ((name, getattr(self, name)) for name in NAMES)
        return {name: value for name, value in values if not math.isnan(value)}


def score_labels(true: LabelArray, predicted: LabelArray) -> Counts:
    """The counts of a page by nodes and regions."""
    _check_lengths(true, predicted)
    truly, called = true != O, predicted != O
    true_regions, predicted_regions = _labelled_regions(true), _labelled_regions(predicted)
    true_nodes = int(truly.sum())
    return Counts(
        nodes=len(true),
        same_labels=int((true == predicted).sum()),
        content_nodes=len(true) - true_nodes,
        true_regions=len(true_regions),
        predicted_regions=len(predicted_regions),
        same_regions=len(true_regions & predicted_regions),
        true_nodes=true_nodes,
        predicted_nodes=int(called.sum()),
        common_nodes=int((truly & called).sum()),
    )


def score_blocks(
    true: BoolArray, predicted: BoolArray, block: npt.NDArray[np.int32], texts: Sequence[str]
) -> Counts:
    """The counts of a page by blocks, from two content masks. A block is content when more than half of its
    characters are.

    ``block`` and ``texts`` are columns of TextNodes; white space is no character. A page without nodes is
    perfect.
    """
    _check_lengths(true, predicted, block, texts)
    length = np.fromiter((sum(map(len, text.split())) for text in texts), dtype=np.int64, count=len(texts))
    whole = np.bincount(block, weights=length)
    truly, called = (2 * np.bincount(block, weights=length * mask) > whole for mask in (true, predicted))
    return Counts(
        true_blocks=int(truly.sum()),
        predicted_blocks=int(called.sum()),
        common_blocks=int((truly & called).sum()),
        block_pages=1,
        perfect_pages=int((truly == called).all()),
    )


def score_words(true: str, predicted: str) -> Counts:
    """The counts of a page by the words of its true text and of the extracted one."""
    precision, recall, f1 = word_scores(true, predicted)
    return Counts(word_pages=1, word_precisions=precision, word_recalls=recall, word_f1s=f1)


def word_scores(true: str, predicted: str) -> tuple[float, float, float]:
    """Precision, recall and F1 over the bags of words of two texts, as WCXB's evaluate.py has them: both
    empty 1, one empty 0.
    """
    expected, extracted = words(true), words(predicted)
    if not expected or not extracted:
        same = float(not expected and not extracted)
        return same, same, same
    common = sum((Counter(expected) & Counter(extracted)).values())
    return common / len(extracted), common / len(expected), 2 * common / (len(expected) + len(extracted))


def words(text: str) -> list[str]:
    r"""The words that are counted: ``\w+`` in lower case; of writing without spaces the pairs of neighbouring
    characters.
    """
    lowered = text.lower()
    if not _UNSPACED.search(lowered):
        return _WORD.findall(lowered)
    tokens: list[str] = []
    for run in _WORD_OR_RUN.findall(lowered):
        if len(run) > 1 and _UNSPACED.match(run):
            tokens.extend(map("".join, pairwise(run)))
        else:
            tokens.append(run)
    return tokens


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


def _labelled_regions(labels: LabelArray) -> set[tuple[int, int, int]]:
    """First node, end and first label of each region; the other labels of a region are I, so these three say
    all of it.
    """
    return {(start, end, int(labels[start])) for start, end in regions_of(labels)}


def _check_lengths(first: BoolArray | LabelArray, *others: Sequence[str] | npt.NDArray[np.generic]) -> None:
    if any(len(other) != len(first) for other in others):
        raise ValueError(
            f"columns of one page must be equally long, but are {[len(first), *map(len, others)]}"
        )
