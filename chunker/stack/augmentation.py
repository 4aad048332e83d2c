"""Copies of annotated articles with less of their content, to learn from beside the pages themselves.

Annotated articles are long, and what surrounds them is short. News are the other way round: two paragraphs
among sixty headlines, which look like an overview page then. A copy with the first words of the content and
all the rest teaches that a page which is marked as an article has one, however short it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ruiji.chunker.decoding.expected_f import node_weights
from ruiji.chunker.labels import LabelArray, O
from ruiji.features.nodes.forest import forest
from ruiji.features.page.textnodes import TextNodes

WORDS = (30.0, 200.0)  # that a copy has of its content, from and to


def truncated_articles(
    X: Sequence[TextNodes],  # noqa: N803
    labels: Sequence[LabelArray],
    seed: int,
) -> tuple[list[int], list[TextNodes], list[LabelArray]]:
    """The numbers of the pages that are marked as articles and long enough to be cut, with copies and their
    labels; always the same.
    """
    chosen = np.random.default_rng(seed).uniform(*WORDS, size=len(X))
    numbers, copies, given = [], [], []
    for number, (page, own, words) in enumerate(zip(X, labels, chosen.tolist(), strict=True)):
        if page.is_article and (kept := beginning(page, own, words)) is not None:
            numbers.append(number)
            copies.append(with_nodes(page, kept))
            given.append(own[kept])
    return numbers, copies, given


def beginning(page: TextNodes, labels: LabelArray, words: float) -> npt.NDArray[np.bool_] | None:
    """The nodes of the first so many words of content, to the end of their block, and all that is not
    content; None where that is most.
    """
    content = labels == O
    words_before = np.cumsum(node_weights(forest([page])) * content)
    if not len(words_before) or words_before[-1] < 2 * words:
        return None
    kept: npt.NDArray[np.bool_] = ~content | (page.block <= page.block[int(words_before.searchsorted(words))])
    return kept


def with_nodes(page: TextNodes, kept: npt.NDArray[np.bool_]) -> TextNodes:
    """The page with some of its text nodes only."""
    which = np.flatnonzero(kept)
    before = np.concatenate(([0], kept.cumsum())).astype(np.int32)
    return replace(
        page,
        texts=[page.texts[node] for node in which.tolist()],
        element=page.element[which],
        line=np.unique(page.line[which], return_inverse=True)[1].astype(np.int32),
        block=np.unique(page.block[which], return_inverse=True)[1].astype(np.int32),
        link=page.link[which],
        flags=page.flags[which],
        first=before[page.first],
        end=before[page.end],
        marks=(),
    )
