"""A function mapped over pages: in batches, on any number of processes, in order, whatever a page does.

``map_pages`` is the only place where work is spread. The function takes a list of pages and returns one row a
page; it is the same that a cluster engine maps over its batches. A page that raises, kills its worker or
takes too long costs one row, made by ``failed``.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from types import ModuleType
from typing import Any, Generic, TypeVar

from ruiji.corpora.page import Page
from ruiji.corpora.work_limits import Usage, WorkLimit, usage

Row = TypeVar("Row")
PageFunction = Callable[[Sequence[Page]], Sequence[Row]]
FailedRow = Callable[[Page, str], Row]

DEFAULT_LIMIT = WorkLimit()
BATCH_PAGES = 32  # enough to fill arrays, few enough that two workers share a small folder
BATCH_BYTES = 4 << 20  # a batch of large pages is closed early, so that memory and waiting stay bounded
ATTEMPTS = 2  # of a lone page: its worker may have been killed from outside, or died before it began
START_SECONDS = 300.0  # for a worker to import what it needs, on a machine that is busy
LOOK_SECONDS = 0.25  # between two looks at what the workers have taken
BATCHES_AHEAD = 4  # read ahead of the slowest batch, for each worker


def batched(pages: Iterable[Page]) -> Iterator[list[Page]]:
    """Pages in lists of bounded number and size; the cut depends on the pages alone, never on the number of
    jobs.
    """
    batch: list[Page] = []
    size = 0
    for page in pages:
        batch.append(page)
        size += len(page.html)
        if len(batch) >= BATCH_PAGES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def map_pages(
    function: PageFunction[Row],
    pages: Iterable[Page],
    *,
    failed: FailedRow[Row],
    jobs: int = 1,
    limit: WorkLimit = DEFAULT_LIMIT,
) -> Iterator[Row]:
    """One row a page, in the order of the pages.

    ``jobs=0`` works in this process: the simplest, for notebooks and for pages one trusts. Otherwise that
    many worker processes do, ``function`` and ``failed`` must be picklable, and ``limit`` says what a page
    may take: one that takes more costs a row, and at most twice its limit (with its batch, and once alone).
    """
    if jobs <= 0:
        for batch in batched(pages):
            yield from run_batch(function, batch, failed)
        return
    with _Pool(function, failed, jobs, limit) as pool:
        yield from pool.run(batched(pages))


def run_batch(function: PageFunction[Row], batch: Sequence[Page], failed: FailedRow[Row]) -> list[Row]:
    """The rows of a batch; where the function raises, page by page, so that only the page at fault fails."""
    try:
        rows = list(function(batch))
        if len(rows) != len(batch):
            raise RuntimeError(f"the function made {len(rows)} rows of {len(batch)} pages")
        return rows
    except Exception as error:
        if len(batch) == 1:
            return [failed(batch[0], f"{type(error).__name__}: {error}")]
    return [row for page in batch for row in run_batch(function, [page], failed)]


def _work(connection: Connection, function: PageFunction[Any], failed: FailedRow[Any]) -> None:
    """What a worker does: batches in, rows out, until the other end closes."""
    gc.freeze()  # what was imported stays and need not be looked at again
    try:
        connection.send(None)  # ready: from here on the pages' time counts
        while True:
            connection.send(run_batch(function, connection.recv(), failed))
    except (EOFError, OSError, KeyboardInterrupt):
        return


@dataclass(slots=True, eq=False)
class _Task:
    """A batch on its way: its place in the order, its pages, the rows when they are there."""

    pages: list[Page]
    rows: list[Any] | None = None
    attempts: int = 0
    parts: list[_Task] = field(default_factory=list)  # its pages one by one, after a worker died of it

    def finished(self) -> bool:
        return self.rows is not None or (bool(self.parts) and all(part.finished() for part in self.parts))

    def result(self) -> list[Any]:
        return self.rows if self.rows is not None else [row for part in self.parts for row in part.result()]


@dataclass(slots=True, eq=False)
class _Worker:
    process: Any
    connection: Connection
    started: float
    task: _Task | None = None
    before: Usage | None = None  # the task; None while the worker starts


class _Pool(Generic[Row]):
    """Worker processes, each with one batch at a time; one that dies or hangs is replaced, and its batch is
    tried page by page.
    """

    def __init__(
        self, function: PageFunction[Row], failed: FailedRow[Row], jobs: int, limit: WorkLimit
    ) -> None:
        self._function, self._failed, self._jobs, self._limit = function, failed, jobs, limit
        self._context = multiprocessing.get_context(
            "spawn"
        )  # the same on every platform, and safe beside threads
        self._workers: list[_Worker] = []

    def __enter__(self) -> _Pool[Row]:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.connection.close()
            worker.process.kill()
            worker.process.join()

    def run(self, batches: Iterator[list[Page]]) -> Iterator[Row]:
        waiting: deque[_Task] = deque()
        order: deque[_Task] = deque()
        more = True
        while more or order:
            while more and len(order) < self._jobs * BATCHES_AHEAD:
                pages = next(batches, None)
                if pages is None:
                    more = False
                else:
                    order.append(_Task(pages))
                    waiting.append(order[-1])
            self._hand_out(waiting)
            if order and not order[0].finished():
                waiting.extendleft(reversed(self._collect()))
            while order and order[0].finished():
                yield from order.popleft().result()

    def _hand_out(self, waiting: deque[_Task]) -> None:
        for worker in self._workers:
            if worker.task is None and waiting:
                self._give(worker, waiting)
        while waiting and len(self._workers) < self._jobs:
            self._workers.append(self._start())
            self._give(self._workers[-1], waiting)

    def _give(self, worker: _Worker, waiting: deque[_Task]) -> None:
        task = waiting.popleft()
        worker.task = task
        if worker.before is not None:
            worker.before = usage(worker.process.pid)
        with suppress(OSError):  # it died while idle; _collect sees that, and the batch is tried again
            worker.connection.send(task.pages)

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=_work, args=(theirs, self._function, self._failed), daemon=True
        )
        # The worker inherits that interrupts are ignored: an interrupt is for us, and we end the workers.
        with _interrupts_ignored(), _script_hidden(self._function, self._failed):
            process.start()
        theirs.close()
        return _Worker(process, ours, time.monotonic())

    def _collect(self) -> list[_Task]:
        """Takes in what has arrived; returns the tasks that have to be done again."""
        busy = [worker for worker in self._workers if worker.task is not None]
        ready = wait([worker.connection for worker in busy], timeout=LOOK_SECONDS)
        again: list[_Task] = []
        for worker in busy:
            task = worker.task
            assert task is not None
            if worker.connection in ready:
                try:
                    rows = worker.connection.recv()
                except (EOFError, OSError):
                    worker.process.join()
                    cause = f"the worker process died ({_cause(worker.process.exitcode)})"
                    again += self._bury(worker, task, cause, ATTEMPTS)
                    continue
                if worker.before is None:
                    worker.before = usage(worker.process.pid)
                else:
                    task.rows, worker.task = rows, None
            elif problem := self._problem(worker, task):
                worker.process.kill()
                worker.process.join()
                again += self._bury(worker, task, problem, 1)
        return again

    def _problem(self, worker: _Worker, task: _Task) -> str:
        """What a worker has taken too much of; "" where nothing."""
        if worker.before is None:
            late = time.monotonic() - worker.started > START_SECONDS
            return f"the worker process did not start within {START_SECONDS:g} seconds" if late else ""
        return worker.before.problem(usage(worker.process.pid), self._limit, task.pages)

    def _bury(self, worker: _Worker, task: _Task, cause: str, attempts: int) -> list[_Task]:
        worker.connection.close()
        self._workers.remove(worker)
        task.attempts += 1
        if len(task.pages) == 1 and task.attempts >= attempts:
            task.rows = [self._failed(task.pages[0], cause)]
            return []
        if len(task.pages) == 1:
            return [task]
        task.parts = [_Task([page]) for page in task.pages]
        return task.parts


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Ctrl-C does nothing for a moment; only the main thread may say so, elsewhere nothing is changed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _script_hidden(*functions: object) -> Iterator[None]:
    """A process that is started meanwhile does not run the user's script again, as spawned processes do.

    A script without ``if __name__ == "__main__"`` would else start workers in its workers. Where a function
    is defined in the script, the worker needs it, and nothing is hidden.
    """
    script = sys.modules.get("__main__")
    modules = {getattr(function, "__module__", None) for function in functions}
    if script is None or "__main__" in modules:
        yield
        return
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


def _cause(exit_code: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        return f"signal {-exit_code}"
    return f"exit status {exit_code}"
