"""What functions from outside the package give, checked: ours have tests, theirs have not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ruiji.corpora.page import InputError
from ruiji.features.nodes.forest import Forest

Answer = TypeVar("Answer")


class WrongValues(InputError, ValueError):
    """A feature or tagger from outside fails, or gives what it must not; the message is one sentence."""


def answer_of(what: str, question: Callable[[], Answer]) -> Answer:
    """What a function from outside answers. Raises WrongValues where it fails."""
    try:
        return question()
    except Exception as error:  # whatever it raises is its own failure
        raise WrongValues(f"{what} failed: {type(error).__name__}: {error}") from error


def outside_codes(
    name: str, function: Callable[[Forest], object], values: Sequence[str], pages: Forest
) -> npt.NDArray[np.integer]:
    """For each node the place of its value. Raises WrongValues."""
    codes = np.asarray(answer_of(f"the feature {name}", lambda: function(pages)))
    if (
        codes.shape != (len(pages),)
        or codes.dtype.kind not in "biu"
        or not ((codes >= 0) & (codes < len(values))).all()
    ):
        raise WrongValues(
            f"the feature {name} must give a whole number from 0 to {len(values) - 1} for "
            f"each of the {len(pages)} text nodes, the place of its value in {values}; it gave an "
            f"array of {codes.dtype} and shape {codes.shape}"
        )
    return codes
