"""A function mapped over pages: in batches, on any number of processes, in order, whatever a page does.

``map_pages`` and ``PagePool``, whose workers stay for several functions, are the only places where work is
spread. The function takes a list of pages and returns one row a
page; it is the same that a cluster engine maps over its batches. A page that raises, kills its worker or
takes too long costs one row, made by ``failed``.

This process only reads: what it hands out may be the line that a page stands in, which the worker parses. A
worker has the next batch at hand while it works on one, so that it never waits for the reader.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, TypeVar

from ruiji.corpora.page import InputError, Page, PageRecord, page_of_record
from ruiji.corpora.pool.allocation import keep_freed_memory
from ruiji.corpora.pool.handover import PLACES, Handover
from ruiji.corpora.pool.signals import become_worker, starting_worker
from ruiji.corpora.pool.starting import script_hidden, start_method
from ruiji.corpora.pool.work_limits import Usage, WorkLimit, usage

Row = TypeVar("Row")
PageFunction = Callable[[Sequence[Page]], Sequence[Row]]
FailedRow = Callable[[Page, str], Row]

DEFAULT_LIMIT = WorkLimit()
BATCH_PAGES = 32  # enough to fill arrays, few enough that two workers share a small folder
BATCH_BYTES = 4 << 20  # a batch of large pages is closed early, so that memory and waiting stay bounded
LARGE_BYTES = 2 * BATCH_BYTES  # of a batch that is worked on alone: it may take all memory that a page may
ATTEMPTS = 2  # of a lone page: its worker may have been killed from outside
START_SECONDS = 300.0  # for a worker to import what it needs, on a machine that is busy
# In a row, for each job, of which no worker was ready: one may have been killed from outside, not all.
FAILED_STARTS = 3
LOOK_SECONDS = 0.25  # between two looks at what the workers have taken
BATCHES_AHEAD = 4  # read ahead of the slowest batch, for each worker
BATCHES_AT_HAND = PLACES  # of a worker: the one it works on, and the next
# Objects that a worker makes between two looks for garbage in circles. Documents have none; with Python's 700
# Markdown took 3 % more (four pairs of runs on every fifth page of WCXB, 2.81 and 2.74 CPU s in the mean).
NEW_OBJECTS = 50_000
# A function of a notebook, or of a program that came through a pipe, is in no module of a worker.
NO_WORKERS = (
    "worker processes cannot begin: {}. Their standard error says why; what they run must be in a module "
    "that they can import, and memory be left for them. In Python jobs=0 works without them"
)


def batched(pages: Iterable[PageRecord]) -> Iterator[list[PageRecord]]:
    """Pages in lists of bounded number and size; the cut depends on the pages alone, never on the number of
    jobs.
    """
    batch: list[PageRecord] = []
    size = 0
    for page in pages:
        batch.append(page)
        size += page.size
        if len(batch) >= BATCH_PAGES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def map_pages(
    function: PageFunction[Row],
    pages: Iterable[PageRecord],
    *,
    failed: FailedRow[Row],
    jobs: int = 1,
    limit: WorkLimit = DEFAULT_LIMIT,
) -> Iterator[Row]:
    """One row a page, in the order of the pages; what is not yet a page becomes one in the worker.

    ``jobs=0`` works in this process: the simplest, for notebooks and for pages one trusts. Otherwise that
    many worker processes do, ``function`` and ``failed`` must be picklable, and ``limit`` says what a page
    may take: one that takes more costs a row, and at most twice its limit (with its batch, and once alone).
    Raises InputError where no worker can begin, as where it cannot import ``function``.
    """
    with PagePool(jobs, limit) as pool:
        yield from pool.map(function, pages, failed=failed)


def run_batch(
    function: PageFunction[Row], records: Sequence[PageRecord], failed: FailedRow[Row]
) -> list[Row]:
    """The rows of a batch; where the function raises, page by page, so that only the page at fault fails.

    A function that has ``takes_utf8`` may be given pages whose markup is text as UTF-8 (``Page.is_text``),
    which spares a string that is as long as the page.
    """
    as_utf8 = getattr(function, "takes_utf8", False)
    batch = [page_of_record(record, as_utf8) for record in records]
    try:
        rows = list(function(batch))
        if len(rows) != len(batch):
            raise RuntimeError(f"the function made {len(rows)} rows of {len(batch)} pages")
        return rows
    except Exception as error:
        if len(batch) == 1:
            return [failed(batch[0], f"{type(error).__name__}: {error}")]
    return [row for page in batch for row in run_batch(function, [page], failed)]


def _work(
    connection: Connection,
    other_end: Connection | None,
    handover: Handover | None,
    function: PageFunction[Any],
    failed: FailedRow[Any],
    parent: int,
) -> None:
    """What a worker does: batches in, rows out, until the other end closes; a copy of the process that holds
    that end must give it up.
    """
    become_worker(parent)
    if other_end is not None:
        other_end.close()
    gc.freeze()  # what was imported stays and need not be looked at again
    gc.set_threshold(NEW_OBJECTS)
    keep_freed_memory()
    batches: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(connection, batches), daemon=True).start()
    try:
        connection.send(None)  # ready: from here on the pages' time counts
        while True:
            batch = pickle.loads(batches.get())  # here: what raises ends the worker
            if isinstance(batch, _Functions):
                function, failed = batch
                continue
            connection.send(run_batch(function, handover.take(batch) if handover else batch, failed))
    except (OSError, KeyboardInterrupt):
        return


def _receive(connection: Connection, batches: queue.SimpleQueue[bytes]) -> None:
    """Takes in batches while the worker works on an earlier one: who sends them never waits for that. Once
    nobody sends, nobody waits for the rows: the worker ends, whatever it is at.
    """
    try:
        while True:
            batches.put(connection.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)


class _Functions(NamedTuple):
    """What a worker is to do from now on."""

    function: PageFunction[Any]
    failed: FailedRow[Any]


@dataclass(slots=True, eq=False)
class _Task:
    """A batch on its way: its place in the order, its pages, the rows when they are there."""

    pages: list[PageRecord]
    rows: list[Any] | None = None
    attempts: int = 0
    parts: list[_Task] = field(default_factory=list)  # its pages one by one, after a worker died of it

    def is_large(self) -> bool:
        return sum(page.size for page in self.pages) > LARGE_BYTES

    def finished(self) -> bool:
        return self.rows is not None or (bool(self.parts) and all(part.finished() for part in self.parts))

    def result(self) -> list[Any]:
        return self.rows if self.rows is not None else [row for part in self.parts for row in part.result()]


@dataclass(slots=True, eq=False)
class _Worker:
    process: Any
    connection: Connection
    started: float
    handover: Handover | None  # where the worker is a copy of this process
    tasks: deque[_Task] = field(default_factory=deque)  # the first is the one that it works on
    before: Usage | None = None  # that task; None while the worker starts

    def close(self) -> None:
        """Gives up what this process holds for it."""
        self.connection.close()
        if self.handover is not None:
            self.handover.close()


class PagePool:
    """Worker processes, each with two batches at a time; one that dies or hangs is replaced, and the batch
    that it had begun is tried page by page. They may map several functions, one after another, and a worker
    may remember from one what serves the next (``features.page.kept``).

    ``jobs`` and ``limit`` are those of ``map_pages``.
    """

    def __init__(self, jobs: int, limit: WorkLimit = DEFAULT_LIMIT) -> None:
        self._jobs, self._limit = jobs, limit
        self._workers: list[_Worker] = []
        self._failed_starts = 0  # since a worker was ready

    def __enter__(self) -> PagePool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            self._end(worker)

    def map(
        self, function: PageFunction[Row], pages: Iterable[PageRecord], *, failed: FailedRow[Row]
    ) -> Iterator[Row]:
        """One row a page, as ``map_pages`` has them."""
        if self._jobs <= 0:
            for batch in batched(pages):
                yield from run_batch(function, batch, failed)
            return
        self._function, self._failed = function, failed
        for worker in self._workers[:]:
            if worker.tasks or not worker.process.is_alive():  # nobody waited for its rows, or it died idle
                self._end(worker)
                self._workers.remove(worker)
            else:
                with suppress(OSError):  # it died just now, which is seen when it is given a batch
                    worker.connection.send(_Functions(function, failed))
        yield from self._run(batched(pages))

    @staticmethod
    def _end(worker: _Worker) -> None:
        worker.process.kill()
        worker.process.join()
        worker.close()

    def _run(self, batches: Iterator[list[PageRecord]]) -> Iterator[Any]:
        waiting: deque[_Task] = deque()
        order: deque[_Task] = deque()
        more = True
        while more or order:
            room = more and len(order) < self._jobs * BATCHES_AHEAD
            if room:
                pages = next(batches, None)
                more = pages is not None
                if pages is not None:
                    order.append(_Task(pages))
                    waiting.append(order[-1])
            self._hand_out(waiting)
            if order and not order[0].finished():
                waiting.extendleft(reversed(self._collect(0.0 if room else LOOK_SECONDS)))
            while order and order[0].finished():
                yield from order.popleft().result()

    def _hand_out(self, waiting: deque[_Task]) -> None:
        """Gives each batch to the worker with the fewest, a large one when no other such is at work."""
        while waiting:
            at_work = (task for worker in self._workers for task in worker.tasks)
            if waiting[0].is_large() and any(task.is_large() for task in at_work):
                return
            worker = min(self._workers, key=lambda worker: len(worker.tasks), default=None)
            if (worker is None or worker.tasks) and len(self._workers) < self._jobs:
                worker = self._start()
                self._workers.append(worker)
            if worker is None or len(worker.tasks) >= BATCHES_AT_HAND:
                return
            self._give(worker, waiting.popleft())

    def _give(self, worker: _Worker, task: _Task) -> None:
        if worker.before is not None and not worker.tasks:
            worker.before = usage(worker.process.pid)
        worker.tasks.append(task)
        with suppress(OSError):  # it died meanwhile; _collect sees that, and the batch is tried again
            worker.connection.send(worker.handover.put(task.pages) if worker.handover else task.pages)

    def _start(self) -> _Worker:
        method = start_method()
        context: Any = multiprocessing.get_context(method)
        ours, theirs = context.Pipe()
        copied = method == "fork"
        held = ours if copied else None
        handover = Handover() if copied else None
        with (
            starting_worker(method) as parent,
            nullcontext() if copied else script_hidden(self._function, self._failed),
        ):
            arguments = (theirs, held, handover, self._function, self._failed, parent)
            process = context.Process(target=_work, args=arguments, daemon=True)
            process.start()
        theirs.close()
        return _Worker(process, ours, time.monotonic(), handover)

    def _collect(self, seconds: float) -> list[_Task]:
        """Takes in what arrives within these seconds; returns the tasks that have to be done again."""
        busy = [worker for worker in self._workers if worker.tasks]
        ready = wait([worker.connection for worker in busy], timeout=seconds)
        again: list[_Task] = []
        for worker in busy:
            if worker.connection in ready:
                try:
                    rows = worker.connection.recv()
                except (EOFError, OSError):
                    worker.process.join()
                    cause = f"the worker process died ({_cause(worker.process.exitcode)})"
                    again += self._bury(worker, cause, ATTEMPTS)
                    continue
                if worker.before is None:
                    self._failed_starts = 0
                else:
                    worker.tasks.popleft().rows = rows
                worker.before = usage(worker.process.pid)
            elif problem := self._problem(worker):
                worker.process.kill()
                worker.process.join()
                again += self._bury(worker, problem, 1)
        return again

    def _problem(self, worker: _Worker) -> str:
        """What a worker has taken too much of; "" where nothing."""
        if worker.before is None:
            late = time.monotonic() - worker.started > START_SECONDS
            return f"the worker process did not start within {START_SECONDS:g} seconds" if late else ""
        return worker.before.problem(usage(worker.process.pid), self._limit, worker.tasks[0].pages)

    def _bury(self, worker: _Worker, cause: str, attempts: int) -> list[_Task]:
        """The tasks of a worker that has ended, the first of which is why: page by page where it has
        several. Of one that never was ready, all are as they were: it is the reason itself.
        """
        worker.close()
        self._workers.remove(worker)
        if worker.before is None:
            self._failed_starts += 1
            if self._failed_starts >= FAILED_STARTS * self._jobs:
                raise InputError(NO_WORKERS.format(cause))
            return list(worker.tasks)
        task, *untouched = worker.tasks
        task.attempts += 1
        if len(task.pages) == 1 and task.attempts >= attempts:
            task.rows = [self._failed(page_of_record(task.pages[0]), cause)]
            return untouched
        if len(task.pages) == 1:
            return [task, *untouched]
        task.parts = [_Task([page]) for page in task.pages]
        return [*task.parts, *untouched]


def _cause(exit_code: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        return f"signal {-exit_code}"
    return f"exit status {exit_code}"
