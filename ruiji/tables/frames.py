"""Scores as Parquet, for pandas and others: a file each for pages, text nodes, folds, kinds of regions and
weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ruiji.chunker.evaluation.crossval import Scores
from ruiji.chunker.evaluation.frames import (
    fold_frame,
    kind_frame,
    node_frame,
    page_frame,
    together,
    weight_frame,
)
from ruiji.corpora.files import owned_folder, replacing

if TYPE_CHECKING:
    from ruiji.chunker.crf.estimator import CrfChunker


def write_tables(
    folder: Path, scores: Mapping[str, Scores], main: str, model: CrfChunker | None = None
) -> list[str]:
    """Writes what is known of each contender's pages and folds, of the text nodes and kinds of regions of
    the one called ``main``, and the weights of a model; returns the names of the files.
    Raises InputError where the folder holds something else.
    """
    tables = {
        "pages": together({name: page_frame(own) for name, own in scores.items()}),
        "folds": together({name: fold_frame(own).reset_index() for name, own in scores.items()}),
        "nodes": node_frame(scores[main]),
        "kinds": kind_frame(scores[main]).reset_index(),
    }
    if model is not None:
        tables["weights"] = weight_frame(model)
    with owned_folder(folder, "evaluate"):
        for name, frame in tables.items():
            with replacing(folder / f"{name}.parquet") as stream:
                frame.to_parquet(stream)
    return [f"{name}.parquet" for name in tables]
