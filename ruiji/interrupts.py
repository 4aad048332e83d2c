"""An interrupt (Ctrl-C) is one, whatever happens to run when it comes.

Raised in the middle of an import it can become an ImportError, or end the process in a library whose C++ meets an
exception where it expects none (duckdb); raised in a callback of Python's own it is printed and forgotten. So it
waits until no import is at work, and is raised again where it was forgotten.
"""

from __future__ import annotations

import signal
import sys
import time
from types import FrameType

LOOK_AGAIN = 0.01  # seconds; far below what somebody notices
LONGEST_WAIT = 5.0  # seconds; importing all that a command needs takes one, and a module of a user may hang
_IMPORTING = "<frozen importlib._bootstrap>"  # the file of all frames that import

_came: list[float] = []  # when those came that wait, or were raised, in this process


def watch() -> None:
    """From now on interrupts come as KeyboardInterrupt, as soon as nothing is being imported."""
    signal.signal(signal.SIGALRM, _note)
    sys.unraisablehook = _raise_again
    signal.signal(signal.SIGINT, _note)


def came() -> bool:
    """Whether there was an interrupt."""
    return bool(_came)


def _note(number: int, frame: FrameType | None) -> None:
    """Raises KeyboardInterrupt, or looks again in a moment."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        return  # what had to be done is done
    now = time.monotonic()
    if number == signal.SIGINT:
        _came.append(now)
    if _imports(frame) and now - _came[0] < LONGEST_WAIT:
        signal.setitimer(signal.ITIMER_REAL, LOOK_AGAIN)
        return
    raise KeyboardInterrupt


def _imports(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTING:
            return True
        frame = frame.f_back
    return False


def _raise_again(unraisable: sys.UnraisableHookArgs) -> None:
    """Python calls this with an exception that it cannot raise, as of a finalizer."""
    if _came and issubclass(unraisable.exc_type, KeyboardInterrupt):
        signal.setitimer(signal.ITIMER_REAL, LOOK_AGAIN)
    else:
        sys.__unraisablehook__(unraisable)
