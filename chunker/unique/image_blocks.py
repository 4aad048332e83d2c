"""Blocks of an image alone, for the experiments of Yoshida and Yamamoto 2009: pictures are content there
(section 3.1), and titles and alternative texts say what they show (section 3.2.3).

A mask is of text nodes, so such a block is in no mask and decides about no other block; but the paper counts
it like any other. Here it is judged by the plain rule, to be counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from ruiji.chunker.labels import LabelArray, O
from ruiji.chunker.metrics import Counts
from ruiji.chunker.unique.near_index import matches_by_cosine, sums
from ruiji.chunker.unique.page_blocks import NOT_RENDERED, block_elements, line_keys, tag_key
from ruiji.features.arrays import BoolArray, FloatArray
from ruiji.features.page.textnodes import TextNodes

ROWS = 1000  # that are compared with all others at a time


@dataclass(frozen=True, slots=True, eq=False)
class ImageBlock:
    """A block-level element with images and no text of its own: the text node that it stands before, and how
    often it has each tag, title and alternative text, by key.
    """

    before: int
    vector: tuple[tuple[int, int], ...]


def image_blocks(nodes: TextNodes) -> list[ImageBlock]:
    """The blocks of images alone of a page, in order."""
    tags = list(nodes.tag)
    owner = block_elements(tags, nodes.parent.tolist())
    with_text = {owner[element] for element in nodes.element.tolist()}
    described: dict[int, list[int]] = {}
    for element, text in nodes.described or ():
        described.setdefault(element, []).extend(line_keys(text))
    inside: dict[int, list[int]] = {}
    for element, tag in enumerate(tags):
        if tag == "img" and owner[element] not in with_text:
            inside.setdefault(owner[element], [])
    for element, tag in enumerate(tags):
        if owner[element] in inside and tag not in NOT_RENDERED:
            inside[owner[element]].append(element)
    blocks = []
    for block, own in inside.items():
        tally: dict[int, int] = {}
        for element in own:
            for key in (tag_key(tags[element]), *described.get(element, ())):
                tally[key] = tally.get(key, 0) + 1
        blocks.append(ImageBlock(int(nodes.first[block]), tuple(sorted(tally.items()))))
    return blocks


def unique_images(pages: Sequence[Sequence[ImageBlock]], threshold: float) -> list[BoolArray]:
    """Of each block of each page whether no other page has one that is alike: equal, or with a cosine above
    the threshold.
    """
    number: dict[tuple[tuple[int, int], ...], int] = {}
    rows, page_of = [], []
    for page, blocks in enumerate(pages):
        for block in blocks:
            rows.append(number.setdefault(block.vector, len(number)))
            page_of.append(page)
    if not number:
        return [np.zeros(0, dtype=np.bool_) for _ in pages]
    column: dict[int, int] = {}
    entries = [
        (row, column.setdefault(key, len(column)), count)
        for vector, row in number.items()
        for key, count in vector
    ]
    row, at, count = (np.array(own) for own in zip(*entries, strict=True))
    square = sums(row, count**2, len(number))
    vectors = csr_matrix((count.astype(np.float64), (row, at)), shape=(len(number), len(column)))
    having = csr_matrix((np.ones(len(rows)), (rows, page_of)), shape=(len(number), len(pages)))
    seen = np.concatenate(
        [
            np.diff((_alike(vectors, square, start, threshold) @ having).tocsr().indptr)
            for start in range(0, len(number), ROWS)
        ]
    )
    unique = seen[np.array(rows)] == 1  # its own page only
    borders = np.cumsum([0, *map(len, pages)])
    return [unique[start:end] for start, end in zip(borders[:-1].tolist(), borders[1:].tolist(), strict=True)]


def _alike(vectors: csr_matrix, square: FloatArray, start: int, threshold: float) -> csr_matrix:
    """Which vectors are alike: ROWS of them from a start on, and all."""
    dot = (vectors[start : start + ROWS] @ vectors.T).tocoo()
    row = dot.row + start
    alike = (row == dot.col) | matches_by_cosine(dot.data, square[row], square[dot.col], threshold)
    return csr_matrix((np.ones(int(alike.sum())), (dot.row[alike], dot.col[alike])), shape=dot.shape)


def with_images(
    counts: Counts, labels: LabelArray, blocks: Sequence[ImageBlock], unique: BoolArray
) -> Counts:
    """The counts of a page with its images. An image is content in truth where the texts on both sides are,
    and is not where it stands inside a region; at the border of a region nobody knows, and it is not counted.
    """
    true = called = common = wrong = 0
    for block, said in zip(blocks, unique.tolist(), strict=True):
        content = _truth(labels, block.before)
        if content is None:
            continue
        true, called, common = true + content, called + said, common + (content and said)
        wrong += content != said
    spoiled = -1 if wrong and counts.perfect_pages else 0
    return counts + Counts(
        true_blocks=true, predicted_blocks=called, common_blocks=common, perfect_pages=spoiled
    )


def _truth(labels: LabelArray, before: int) -> bool | None:
    """Whether what stands before a text node is content; None where the annotation does not say."""
    sides = [bool(label == O) for label in labels[max(before - 1, 0) : before + 1].tolist()]
    if not sides or len(set(sides)) > 1:
        return None
    return sides[0]
