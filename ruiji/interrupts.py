"""An interrupt (Ctrl-C) is one, whatever happens to run when it comes.

Raised in the middle of an import it can become an ImportError, or end the process in a library whose C++
meets an exception where it expects none (duckdb); raised in a callback of Python's own it is printed and
forgotten. So it waits a while for imports to end, and is raised again where it was forgotten.
"""

from __future__ import annotations

import signal
import sys
import time
from types import FrameType

LOOK_AGAIN = 0.01  # seconds; far below what somebody notices
# Seconds that an import may take until it is interrupted after all: of a module in C, which may import in
# turn, and of one in Python, of which those of scipy take seconds where their bytecode is not written.
LONGEST_LOADING, LONGEST_IMPORT = 5.0, 0.3
# Files of Python's own whose frames import, and those functions of them that load a module in C.
_IMPORTING, _LOADING = "<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>"
_LOADERS = "ExtensionFileLoader."

_came: list[float] = []  # when those came that wait, or were raised, in this process


def watch() -> None:
    """From now on interrupts come as KeyboardInterrupt, once nothing is being imported."""
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
    if now - _came[0] < _longest_wait(frame):
        signal.setitimer(signal.ITIMER_REAL, LOOK_AGAIN)
        return
    raise KeyboardInterrupt


def _longest_wait(frame: FrameType | None) -> float:
    longest = 0.0
    while frame is not None:
        file, name = frame.f_code.co_filename, frame.f_code.co_qualname
        if file == _LOADING and name.startswith(_LOADERS):
            return LONGEST_LOADING
        if file == _IMPORTING:
            longest = LONGEST_IMPORT
        frame = frame.f_back
    return longest


def _raise_again(unraisable: sys.UnraisableHookArgs) -> None:
    """Python calls this with an exception that it cannot raise, as of a finalizer."""
    if _came and issubclass(unraisable.exc_type, KeyboardInterrupt):
        signal.setitimer(signal.ITIMER_REAL, LOOK_AGAIN)
    else:
        sys.__unraisablehook__(unraisable)
