"""Labels of text nodes: IOB2 over non-content (Nakamura 2007, section 3.2.2).

B is the first node of a region, I a further one inside it, O is content. Two regions may stand side by side:
the second begins with B.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import IntArray

O, B, I = 0, 1, 2  # noqa: E741  the names that IOB2 has
LABELS = ("O", "B", "I")  # the name of each number
# Of a node that nobody is sure of: it is not learned from. Not -1, which is where mistakes with indices end
# up
UNSURE = -2

LabelArray = npt.NDArray[np.int8]
Region = tuple[int, int]  # first node, and the one after the last


def labels_of(regions: Iterable[Region], size: int) -> LabelArray:
    """The labels of a page of that many nodes with these regions; empty regions leave no trace."""
    labels = np.zeros(size, dtype=np.int8)
    for start, end in regions:
        labels[start:end] = I
        labels[start : min(start + 1, end)] = B
    return labels


def regions_of(labels: LabelArray) -> list[Region]:
    """The regions that labels say. An I after O begins a region too, as in every reading of IOB2 that
    forgives.
    """
    before = np.concatenate(([O], labels[:-1])) if len(labels) else labels
    starts = np.flatnonzero((labels == B) | ((labels == I) & (before == O)))
    ends = []
    for start, following in zip(starts.tolist(), [*starts[1:].tolist(), len(labels)], strict=False):
        content = np.flatnonzero(labels[start:following] == O)
        ends.append(start + int(content[0]) if len(content) else following)
    return list(zip(starts.tolist(), ends, strict=True))


def repaired(labels: LabelArray, starts: IntArray) -> LabelArray:
    """Labels in which every region begins with B, as IOB2 wants it; ``starts`` are the first nodes of
    pages.
    """
    after_content = np.concatenate(([O], labels))[:-1] == O
    after_content[starts[starts < len(labels)]] = True
    return np.where((labels == I) & after_content, B, labels).astype(np.int8)


def on_common_nodes(
    texts: Sequence[str], labels: LabelArray, other_texts: Sequence[str], other_labels: LabelArray
) -> tuple[LabelArray, LabelArray]:
    """The labels of two annotators on the same nodes, where a marker of one inside a text made two nodes of
    it.

    Raises ValueError where the texts are not the same.
    """
    if "".join(texts) != "".join(other_texts):
        raise ValueError("the texts are not the same")
    ends, other_ends = (np.cumsum([0, *map(len, own)])[1:] for own in (texts, other_texts))
    borders = np.union1d(ends, other_ends)
    return _on_pieces(labels, ends, borders), _on_pieces(other_labels, other_ends, borders)


def _on_pieces(labels: LabelArray, ends: npt.NDArray[np.int64], borders: npt.NDArray[np.int64]) -> LabelArray:
    """The labels of the pieces that end at the borders; of a node that begins a region only its first piece
    does.
    """
    node = ends.searchsorted(borders)
    labels_of_pieces = labels[node]
    again = np.concatenate(([False], node[1:] == node[:-1])) if len(node) else np.zeros(0, dtype=bool)
    return np.where(again & (labels_of_pieces == B), I, labels_of_pieces).astype(np.int8)


def labels_of_mask(content: npt.NDArray[np.bool_]) -> LabelArray:
    """The labels of a mask, where each maximal run of non-content is one region."""
    labels = np.where(content, O, I).astype(np.int8)
    after_content = np.concatenate(([True], content))[:-1]
    labels[~content & after_content] = B
    return labels


def as_names(labels: LabelArray) -> list[str]:
    """Labels by name."""
    return [LABELS[label] for label in labels.tolist()]


def as_numbers(labels: Sequence[str] | Sequence[int] | LabelArray) -> LabelArray:
    """Labels by number, from numbers or names. Raises ValueError for what is no label."""
    numbers: dict[str | int, int] = {name: number for number, name in enumerate(LABELS)} | {
        number: number for number in (O, B, I, UNSURE)
    }
    try:
        return np.array(
            [numbers[label] for label in (labels.tolist() if isinstance(labels, np.ndarray) else labels)],
            dtype=np.int8,
        )
    except (KeyError, TypeError) as error:
        wrong = error.args[0] if isinstance(error, KeyError) else labels
        raise ValueError(f"no IOB2 label: {wrong!r}; labels are {', '.join(LABELS)}") from error
