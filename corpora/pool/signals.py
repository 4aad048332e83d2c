"""Signals around the start of a worker: Ctrl-C and the end of this process are for this process alone."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

HELD = (signal.SIGINT, signal.SIGTERM)
_PR_SET_PDEATHSIG = 1  # linux/prctl.h


@contextmanager
def starting_worker(method: str) -> Iterator[int]:
    """Ctrl-C and SIGTERM wait until the block ends, in which a worker is started: one whose parent ends while
    it still receives what it needs would say so with a traceback. Yields what ``become_worker`` wants.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()  # only there may it be said
    came: list[int] = []
    handlers = {}
    with _inherited_mask(method):
        if in_main_thread:
            handlers = {
                number: signal.signal(number, lambda number, _: came.append(number)) for number in HELD
            }
        try:
            yield os.getpid() if in_main_thread else 0
        finally:
            for number, handler in handlers.items():
                signal.signal(number, signal.SIG_DFL if handler is None else handler)
    for noted in came:
        signal.raise_signal(noted)


@contextmanager
def _inherited_mask(method: str) -> Iterator[None]:
    """A process that is started in the block does not see these signals, until it unblocks them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    if method == "spawn":
        resource_tracker.ensure_running()  # started in the block, it would let them through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HELD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def become_worker(parent: int = 0) -> None:
    """What a worker does first: an interrupt is for its parent, which ends it. Where ``parent`` is given, the
    worker ends with that process, whatever it is at: a page that its parser hangs on must not live on. (The
    system asks whether the thread lives that started the worker, so only a main thread may be a parent.)
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD)
    if parent and sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it has ended before we asked
            os._exit(0)
