"""Processes in which foreign pages are worked on: each work has a limit of time and memory, and a worker that
dies, hangs or grows is replaced.

worker = DeskWorker(settings)
worker.ask(10.0, PageDesk.read, file, rules)    # raises PageFailed where the page hangs or kills the worker
"""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

from ruiji.chunker.annotation.reading import AnnotationError
from ruiji.corpora.pool.signals import become_worker, starting_worker
from ruiji.corpora.pool.work_limits import usage
from ruiji.features.page.parser_input import PageFailed
from ruiji.web.annotate.page_desk import DeskSettings, PageDesk
from ruiji.web.annotate.page_files import PageFile

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Work = Callable[Concatenate[PageDesk, Arguments], Result]

# A page of 5 MB takes about ten seconds in all (benchmarks.large_page), a usual one less than one.
SECONDS_A_PAGE, SECONDS_A_MEGABYTE = 10.0, 10.0
# What a work may add, and what a process may keep of earlier ones before it is replaced; with what it starts
# with, two gigabytes are enough for all.
WORK_BYTES, KEPT_BYTES = 1024 << 20, 512 << 20
LOOK_SECONDS = 0.1  # between two looks at it
METHOD: Final = "spawn"  # how the process begins: the same on every platform, and safe beside threads
START_SECONDS = 120.0  # for libraries and the model, on a busy machine
_EXPECTED = (AnnotationError, OSError, ValueError)  # what the work says of a page; PageFailed is a ValueError


def time_limit(file: PageFile) -> float:
    """The seconds that one work on a page may take."""
    return SECONDS_A_PAGE + SECONDS_A_MEGABYTE * file.size() / 1e6


class Desk(Protocol):
    """Where works on pages are done."""

    def ask(
        self, seconds: float, work: Work[Arguments, Result], *args: Arguments.args, **more: Arguments.kwargs
    ) -> Result:
        """What the work returns. Raises what it raises, and PageFailed for what it should not raise."""

    def close(self) -> None:
        """Ends it."""


class OwnProcessDesk:
    """Works in this process, without a limit: for pages that one trusts, such as those of tests."""

    def __init__(self, settings: DeskSettings) -> None:
        self._desk = PageDesk(settings)
        self._lock = threading.Lock()

    def ask(
        self, seconds: float, work: Work[Arguments, Result], *args: Arguments.args, **more: Arguments.kwargs
    ) -> Result:
        with self._lock:
            result: Result = _result(*_outcome(self._desk, work, args, more))
        return result

    def close(self) -> None:
        pass


class DeskWorker:
    """Works in a process of its own."""

    def __init__(self, settings: DeskSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()  # one work at a time
        self._is_closed = False
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._first_bytes = 0  # that it had before its first work

    def start(self) -> None:
        """Starts the process, which otherwise the first work does. Raises what PageDesk raises for its
        settings.
        """
        with self._lock:
            self._started()

    def ask(
        self, seconds: float, work: Work[Arguments, Result], *args: Arguments.args, **more: Arguments.kwargs
    ) -> Result:
        with self._lock:
            connection = self._connection or self._started()
            connection.send((work, args, more))
            outcome = self._received(seconds)
            if self._bytes() - self._first_bytes > KEPT_BYTES:
                self._end()
        result: Result = _result(*outcome)
        return result

    def close(self) -> None:
        """Ends the process, also one that is at work: whoever waits for it gets PageFailed."""
        self._is_closed = True
        if (process := self._process) is not None:
            process.kill()
        with self._lock:
            self._end()

    def _started(self) -> Connection:
        if self._is_closed:
            raise PageFailed("the application is being closed")
        context = multiprocessing.get_context(METHOD)
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._settings), daemon=True)
        with starting_worker(METHOD):
            self._process.start()
        theirs.close()
        _result(*self._received(START_SECONDS))
        self._first_bytes = self._bytes()
        return self._connection

    def _bytes(self) -> int:
        """The memory of the process."""
        pid = None if self._process is None else self._process.pid
        return 0 if pid is None else usage(pid).memory

    def _received(self, seconds: float) -> tuple[Any, Exception | None]:
        assert self._connection is not None
        assert self._process is not None
        end, most = time.monotonic() + seconds, self._bytes() + WORK_BYTES
        problem = f"took longer than {seconds:.0f} seconds"
        try:
            while time.monotonic() < end:
                if self._connection.poll(LOOK_SECONDS):
                    outcome: tuple[Any, Exception | None] = self._connection.recv()
                    return outcome
                if self._bytes() > most:
                    problem = f"took more than {WORK_BYTES >> 20} MB of memory"
                    break
        except (EOFError, OSError):
            self._process.join(1)
            code = self._process.exitcode
            self._end()
            cause = f"signal {-code}" if code is not None and code < 0 else f"exit status {code}"
            raise PageFailed(f"the worker process died ({cause})") from None
        self._end()
        raise PageFailed(problem)

    def _end(self) -> None:
        if self._process is not None and self._connection is not None:
            self._connection.close()
            self._process.kill()
            self._process.join()
        self._process = self._connection = None


def _serve(connection: Connection, settings: DeskSettings) -> None:
    """What the process does: works in, outcomes out, until the other end closes."""
    become_worker()  # a thread of the server may have started it, which ends before the server does
    try:
        desk = PageDesk(settings)
    except Exception as error:
        connection.send((None, error))
        return
    connection.send((None, None))
    with suppress(EOFError, OSError):
        while True:
            work, args, more = connection.recv()
            connection.send(_outcome(desk, work, args, more))


def _outcome(
    desk: PageDesk, work: Callable[..., Result], args: Any, more: Any
) -> tuple[Result | None, Exception | None]:
    """What the work returned, or the error that it raised; one that nobody expects is a failure of the
    page.
    """
    try:
        return work(desk, *args, **more), None
    except _EXPECTED as error:
        return None, error
    except Exception as error:
        return None, PageFailed(f"{type(error).__name__}: {error}")


def _result(value: Any, error: Exception | None) -> Any:
    if error is not None:
        raise error
    return value
