"""Errors about settings, worded for whoever made them: in Python by name, on the command line as options."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

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
