"""The network as tables for the pass in C (``_network.c``): its weights padded to whole lanes, its vocabulary
as keys.
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import FloatArray, SingleArray, golden_hash
from ruiji.features.blocks.table import Blocks
from ruiji.features.text.keytable import KeyTable

if TYPE_CHECKING:
    from ruiji.chunker.stack.network import BlockNetwork

LANES = 16  # numbers that a processor of today multiplies at once; what is narrower is padded with zeros


def network_tables(network: BlockNetwork, farthest: float) -> dict[str, object]:
    """What the pass in C takes of a network; ``farthest`` is how far from its mean a number may be."""
    weights, width = network.weights, len(network.weights.block_bias)
    lanes = -(-width // LANES) * LANES
    texts, names = network.lexicon.tables
    return {
        "width": width,
        "lanes": lanes,
        "words": len(weights.words),
        "text_words": len(network.lexicon.text_words),
        "name_words": len(network.lexicon.name_words),
        "columns": len(network.columns),
        "out_bias": float(weights.out_bias[0]),
        "farthest": farthest,
        "column": network.scale.columns.astype(np.int32),
        "logarithmic": network.scale.logarithmic,
        "mean": network.scale.mean.astype(np.float32),
        "deviation": network.scale.deviation.astype(np.float32),
        "kind_column": network.kinds.columns.astype(np.int32),
        "kind_row": np.ascontiguousarray(network.kinds.rows, np.int32),
        "numbers": padded(weights.numbers, len(weights.numbers), lanes),
        "word": padded(weights.words, len(weights.words), lanes),
        "block_bias": padded(weights.block_bias, 1, lanes),
        "attention": padded(weights.attention, 1, lanes),
        "around": np.concatenate(
            [_gates(own, lanes, lanes) for own in (weights.before, weights.own, weights.after)]
        ),
        "page": _gates(weights.page, lanes, lanes),
        "gate_bias": _gates(weights.gate_bias[None], 1, lanes),
        "mixed": padded(weights.mixed, lanes, lanes),
        "last": padded(weights.last, lanes, lanes),
        "last_bias": padded(weights.last_bias, 1, lanes),
        "out": padded(weights.out, 1, lanes),
        **_keys("text", texts),
        **_keys("name", names),
    }


def padded(weights: SingleArray, rows: int, lanes: int) -> SingleArray:
    """The weights with zeros beside and below them."""
    whole = np.zeros((rows, lanes), dtype=np.float32)
    own = np.atleast_2d(weights)
    whole[: len(own), : own.shape[1]] = own
    return whole


def _gates(weights: SingleArray, rows: int, lanes: int) -> SingleArray:
    """Weights of values and of gates, each padded."""
    return np.concatenate([padded(half, rows, lanes) for half in np.split(weights, 2, axis=1)], axis=1)


def _keys(prefix: str, table: KeyTable | None) -> dict[str, object]:
    """The keys of words by the upper bits of their hashes, and where those of each such number start."""
    if table is None:
        keys, order, place, shift = np.zeros(0, np.uint64), np.zeros(0, np.int32), np.zeros(0, np.int64), 64
    else:
        place = (golden_hash(table.keys) >> table.shift).astype(np.int64)
        by_place = place.argsort(kind="stable")
        keys, order, place = table.keys[by_place], table.order[by_place], place[by_place]
        shift = int(table.shift)
    start = place.searchsorted(np.arange((1 << (64 - shift)) + 1)).astype(np.int32)
    columns = {"keys": keys, "order": order, "start": start, "shift": shift}
    return {f"{prefix}_{name}": column for name, column in columns.items()}


def odds_in_c(in_c: ModuleType, tables: dict[str, object], blocks: Blocks, matrix: SingleArray) -> FloatArray:
    """For each block the log-odds that it is content, by the tables of a network."""
    pages, words = blocks.pages, blocks.pages.words
    named, _ = pages.names
    kind, different = pages.name_kinds
    name_words, _ = pages.words_of_names
    columns: dict[str, npt.NDArray[np.generic]] = {
        "page_start": pages.page_start,
        "row_start": blocks.page_start,
        "block": pages.block,
        "first": pages.first,
        "end": pages.end,
        "word_text": words.text,
        "word_key": words.key,
        "named_element": named,
        "name_kind": kind,
        "name_start": name_words.text.searchsorted(np.arange(len(different) + 1)).astype(np.int32),
        "name_key": name_words.key,
    }
    odds = np.empty(len(blocks))
    in_c.odds(columns, tables, np.ascontiguousarray(matrix.T), odds)
    return odds
