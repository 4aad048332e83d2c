"""Errors worded for whoever can mend them: settings, in Python by name and on the command line as options;
results of a run that cannot be read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ruiji.corpora.page import InputError

_SETTING = re.compile(r"‹(\w+)(?:=([^‹›]*))?›")


class SettingError(InputError):
    """Settings that cannot be used together, or not here.

    In the message, ``‹groups›`` stands for a setting and ``‹filter=unique›`` for a setting with its value. As
    text they read ``groups`` and ``filter='unique'``; ``worded`` has them as somebody else writes them.

    >>> str(SettingError("‹groups› needs ‹filter=unique›"))
    "groups needs filter='unique'"
    """

    def __init__(self, template: str) -> None:
        self.template = template
        super().__init__(self.worded(_as_python))

    def worded(self, setting: Callable[[str, str | None], str]) -> str:
        """The message with each setting, given its name and value, as ``setting`` words it."""
        return _SETTING.sub(lambda match: setting(match[1], match[2]), self.template)


def _as_python(name: str, value: str | None) -> str:
    return name if value is None else f"{name}={value!r}"


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Raises SettingError where the value of a setting is none of its choices; None leaves it open.

    >>> check_choice("urls", "letters", ("site", "paper"))
    Traceback (most recent call last):
    ...
    ruiji.corpora.errors.SettingError: urls is one of site, paper, not 'letters'
    """
    if value is not None and value not in choices:
        raise SettingError(f"‹{name}› is one of {', '.join(choices)}, not {value!r}")


class DamagedResults(InputError):
    """What a run has written cannot be read."""


# What reading values of another shape than they should have raises.
SHAPE_ERRORS = (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError)


@contextmanager
def reading_results(folder: Path) -> Iterator[None]:
    """What goes wrong while results of a run are read is one sentence about them.

    >>> with reading_results(Path("out")):
    ...     {}["counts"]
    Traceback (most recent call last):
    ...
    ruiji.corpora.errors.DamagedResults: out: the results there cannot be read (KeyError: 'counts'); they \
were changed, or another version of ruiji wrote them
    """
    try:
        yield
    except InputError:
        raise
    except SHAPE_ERRORS as error:
        reason = f"{type(error).__name__}: {error}"
        raise DamagedResults(
            f"{folder}: the results there cannot be read ({reason}); they were changed, or another version "
            "of ruiji wrote them"
        ) from error


def json_of(data: str | bytes) -> Any:
    """The value of a JSON text. Raises ValueError, also where lists stand in lists without end.

    >>> json_of("[" * 100_000)
    Traceback (most recent call last):
    ...
    ValueError: lists or objects stand in each other too deep
    """
    try:
        return json.loads(data)
    except RecursionError:
        raise ValueError("lists or objects stand in each other too deep") from None
