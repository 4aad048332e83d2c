"""Training by CRFsuite: attributes and labels of nodes in, the bytes of a model file out."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from pycrfsuite import Trainer
from sklearn_crfsuite import CRF

from ruiji.chunker.labels import UNSURE, LabelArray, as_names

SIZE_AT = 4  # in the head of a CRFsuite file: its magic, then the bytes of all of it


def train_crf(
    items: Iterable[list[list[bytes]]],
    labels: Sequence[LabelArray],
    c1: float,
    c2: float,
    max_iterations: int,
    watch: Callable[[], object],
) -> bytes:
    """The model that CRFsuite learns from the attributes and labels of pages, without nodes labelled UNSURE.

    ``watch`` is called after each round.
    """
    with TemporaryDirectory() as folder:  # CRFsuite writes to a path only
        path = Path(folder) / "model"
        crf = CRF(
            algorithm="lbfgs",
            c1=c1,
            c2=c2,
            max_iterations=max_iterations,
            all_possible_transitions=True,
            model_filename=str(path),
            trainer_cls=_watched_trainer(watch),
        )
        sure = [own != UNSURE for own in labels]
        known_items = ([*compress(own, known)] for own, known in zip(items, sure, strict=True) if known.any())
        crf.fit(
            known_items,
            [as_names(own[known]) for own, known in zip(labels, sure, strict=True) if known.any()],
        )
        data = path.read_bytes()
        check_whole(data)
        return data


def check_whole(data: bytes) -> None:
    """Raises OSError where CRFsuite could not write all of a model: it does not say so itself."""
    size = int.from_bytes(data[SIZE_AT : SIZE_AT + 4], "little")
    if len(data) <= SIZE_AT or size != len(data):
        raise OSError(errno.ENOSPC, "the model cannot be written whole; is the disk full?", gettempdir())


def _watched_trainer(watch: Callable[[], object]) -> type[Trainer]:
    """CRFsuite's trainer, which calls ``watch`` after each round."""

    class Watched(Trainer):  # type: ignore[misc]
        def message(self, message: str) -> None:
            if self.logparser.feed(message) == "iteration":
                watch()

    return Watched
