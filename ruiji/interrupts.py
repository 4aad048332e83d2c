"""An interrupt (Ctrl-C) is one, whatever a library makes of it: in an import it can become an ImportError."""

from __future__ import annotations

from typing import NoReturn

_came: list[int] = []  # numbers of the signals that were noted in this process


def note(number: int, _frame: object) -> NoReturn:
    """Raises KeyboardInterrupt, and remembers that it did."""
    _came.append(number)
    raise KeyboardInterrupt


def came() -> bool:
    """Whether an interrupt was noted."""
    return bool(_came)
