"""A row a page, in order, whatever a page does and however many processes work."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.corpora.page import InputError, Page
from ruiji.corpora.pool import workers as batches
from ruiji.corpora.pool.starting import start_method
from ruiji.corpora.pool.work_limits import IDLE_FACTOR, Usage, WorkLimit, usage
from ruiji.corpora.pool.workers import (
    BATCH_BYTES,
    BATCH_PAGES,
    LARGE_BYTES,
    PagePool,
    batched,
    map_pages,
    run_batch,
)
from tests.corpora import page_functions
from tests.corpora.page_functions import failed, obey
from tests.paths import ROOT


def make_pages(number: int, **orders: bytes) -> list[Page]:
    """Pages p0, p1, …; ``p3=b"raise"`` says what happens to one."""
    return [Page(f"p{n}", f"p{n}", orders.get(f"p{n}", b"<p>")) for n in range(number)]


def rows_of(pages: list[Page], jobs: int, limit: WorkLimit | None = None) -> list[tuple[str, str]]:
    return list(map_pages(obey, pages, failed=failed, jobs=jobs, limit=limit or WorkLimit()))


def fine_but(pages: list[Page], **reasons: str) -> list[tuple[str, str]]:
    return [(page.id, reasons.get(page.id, "fine")) for page in pages]


@given(
    sizes=st.lists(st.integers(0, 40), max_size=100),
    pages_limit=st.integers(1, 10),
    bytes_limit=st.integers(1, 100),
)
def test_batches_are_bounded_and_hold_all_pages_in_order(
    sizes: list[int], pages_limit: int, bytes_limit: int
) -> None:
    pages = [Page(str(n), "u", b"x" * size) for n, size in enumerate(sizes)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "BATCH_PAGES", pages_limit)
        patch.setattr(batches, "BATCH_BYTES", bytes_limit)
        found = list(batched(pages))
    assert [page for batch in found for page in batch] == pages
    for batch in found:
        assert 1 <= len(batch) <= pages_limit
        assert sum(len(page.html) for page in batch[:-1]) < bytes_limit


def test_a_batch_is_closed_by_number_or_by_bytes() -> None:
    assert [len(batch) for batch in batched(make_pages(BATCH_PAGES * 2 + 1))] == [BATCH_PAGES, BATCH_PAGES, 1]
    large = b"x" * (BATCH_BYTES // 2)
    assert [len(batch) for batch in batched(make_pages(4, p0=large, p1=large, p2=large + large))] == [2, 1, 1]


def test_batched_streams() -> None:
    def endless() -> Iterator[Page]:
        while True:
            yield Page("p", "p")

    assert len(next(batched(endless()))) == BATCH_PAGES


@pytest.mark.parametrize("jobs", [0, 1, 2])
def test_rows_are_the_same_for_any_number_of_jobs(jobs: int) -> None:
    pages = make_pages(150, p3=b"raise", p77=b"recurse")
    found = rows_of(pages, jobs)
    assert found == fine_but(pages, p3="ValueError: as ordered", p77=dict(found)["p77"])
    assert dict(found)["p77"].startswith("RecursionError")


@pytest.mark.parametrize("jobs", [0, 2])
def test_no_pages_give_no_rows(jobs: int) -> None:
    assert rows_of([], jobs) == []


@pytest.mark.parametrize("jobs", [0, 2])
def test_batches_do_not_depend_on_the_number_of_jobs(jobs: int) -> None:
    found = list(
        map_pages(page_functions.sizes, make_pages(70), failed=page_functions.failed_size, jobs=jobs)
    )
    assert found == [32] * 64 + [6] * 6


def test_a_page_that_kills_its_worker_costs_one_row() -> None:
    pages = make_pages(70, p0=b"kill", p40=b"exit", p41=b"sys.exit", p69=b"kill")
    expected = fine_but(
        pages,
        p0="the worker process died (signal 9)",
        p40="the worker process died (exit status 7)",
        p41="the worker process died (exit status 3)",
        p69="the worker process died (signal 9)",
    )
    assert rows_of(pages, jobs=2) == expected


@pytest.mark.parametrize("order", [b"hang", b"work"])
def test_a_page_that_takes_too_long_costs_one_row(order: bytes) -> None:
    """Twice its limit at most: with the other pages of its batch, and alone."""
    pages = make_pages(6, p2=order)
    start = time.monotonic()
    limit = WorkLimit(seconds=1.5)
    assert rows_of(pages, jobs=1, limit=limit) == fine_but(pages, p2="took longer than 1.5 seconds")
    assert time.monotonic() - start < 2 * IDLE_FACTOR * 1.5 + 20


def test_time_is_given_by_size() -> None:
    limit = WorkLimit(seconds=2, seconds_per_megabyte=10)
    pages = [Page("a", "a", b"x" * (1 << 20)), Page("b", "b", "x" * (1 << 19))]
    assert limit.seconds_for(pages[:1]) == 12
    assert limit.seconds_for(pages) == 5.75  # together: they are tried again one by one


def test_a_page_that_takes_too_much_memory_costs_one_row() -> None:
    pages = make_pages(6, p2=b"grow")
    limit = WorkLimit(memory=256 << 20)
    assert rows_of(pages, jobs=1, limit=limit) == fine_but(pages, p2="took more than 256 MB of memory")


def test_without_a_process_table_the_clock_counts() -> None:
    before = usage(2**30)
    assert before.memory == 0
    late = Usage(before.clock + 11, before.work + 11, 0)
    assert before.problem(late, WorkLimit(), []) == "took longer than 10 seconds"
    assert before.problem(usage(2**30), WorkLimit(), []) == ""


def test_a_slow_reader_of_rows_does_not_make_pages_late() -> None:
    pages = make_pages(100)
    found = []
    for row in map_pages(obey, pages, failed=failed, jobs=1, limit=WorkLimit(seconds=1.5)):
        if not found or len(found) == 40:
            time.sleep(1.7)
        found.append(row)
    assert found == fine_but(pages)


def test_a_function_that_makes_too_few_rows_costs_the_page_at_fault() -> None:
    pages = make_pages(5, p2=b"vanish")
    found = run_batch(page_functions.too_few, pages, failed)
    assert [row[1] == "fine" for row in found] == [True, True, False, True, True]
    assert "0 rows of 1 pages" in found[2][1]


def test_rows_larger_than_a_pipe_arrive() -> None:
    found = list(
        map_pages(page_functions.large_rows, make_pages(6), failed=page_functions.failed_bytes, jobs=2)
    )
    assert found == [page.id.encode() * 1_000_000 for page in make_pages(6)]


def test_pages_larger_than_a_pipe_arrive() -> None:
    pages = make_pages(4, p0=b"x" * 5_000_000, p2=b"y" * 5_000_000)
    assert rows_of(pages, jobs=2) == fine_but(pages)


def test_a_row_that_cannot_travel_costs_one_row(capfd: pytest.CaptureFixture[str]) -> None:
    pages = make_pages(4, p1=b"raise")
    found = list(map_pages(page_functions.unpicklable, pages, failed=failed, jobs=1))
    assert [row[1] == "fine" for row in found] == [True, False, True, True]
    capfd.readouterr()


def test_work_is_spread_over_other_processes() -> None:
    found = set(
        map_pages(page_functions.process_ids, make_pages(200), failed=page_functions.failed_size, jobs=2)
    )
    assert os.getpid() not in found
    assert 1 <= len(found) <= 2


@pytest.mark.parametrize(("size", "together"), [(LARGE_BYTES + 1, False), (BATCH_BYTES, True)])
def test_large_pages_are_worked_on_one_at_a_time(size: int, together: bool) -> None:
    """Each may take all the memory of a page."""
    pages = [Page(f"p{number}", "u", bytes(size)) for number in range(5)]
    found = list(map_pages(page_functions.times_at_work, pages, failed=page_functions.failed_times, jobs=2))
    times = sorted(found)
    assert any(begin < end for (_, end), (begin, _) in pairwise(times)) == together


def test_an_early_end_leaves_no_process() -> None:
    others = set(multiprocessing.active_children())  # of other tests
    rows = map_pages(obey, make_pages(100, p99=b"hang"), failed=failed, jobs=2)
    assert next(rows) == ("p0", "fine")
    assert set(multiprocessing.active_children()) - others
    rows.close()  # type: ignore[attr-defined]
    assert not set(multiprocessing.active_children()) - others


@pytest.mark.parametrize("jobs", [0, 1, 2])
def test_workers_stay_for_several_functions(jobs: int) -> None:
    others = set(multiprocessing.active_children())
    pages = make_pages(70)
    with PagePool(jobs) as pool:
        ids = [
            set(pool.map(page_functions.process_ids, pages, failed=page_functions.failed_size))
            for _ in range(2)
        ]
        assert list(pool.map(obey, pages, failed=failed)) == fine_but(pages)
        assert list(pool.map(page_functions.sizes, pages[:3], failed=page_functions.failed_size)) == [3] * 3
    assert len(ids[0] | ids[1]) <= max(jobs, 1)
    assert not set(multiprocessing.active_children()) - others


def test_rows_that_nobody_waited_for_do_not_come_later() -> None:
    with PagePool(2) as pool:
        first = pool.map(obey, make_pages(100, p99=b"hang"), failed=failed)
        assert next(first) == ("p0", "fine")
        first.close()  # type: ignore[attr-defined]
        assert list(pool.map(page_functions.sizes, make_pages(40), failed=page_functions.failed_size)) == [
            *[32] * 32,
            *[8] * 8,
        ]


def test_a_worker_that_died_between_two_functions_is_replaced() -> None:
    with PagePool(1) as pool:
        (process,) = set(
            pool.map(page_functions.process_ids, make_pages(3), failed=page_functions.failed_size)
        )
        os.kill(process, signal.SIGKILL)
        pages = make_pages(40, p7=b"kill")
        expected = fine_but(pages, p7="the worker process died (signal 9)")
        assert list(pool.map(obey, pages, failed=failed)) == expected


def test_an_error_of_the_reader_is_raised_and_leaves_no_process() -> None:
    others = set(multiprocessing.active_children())

    def broken() -> Iterator[Page]:
        yield from make_pages(40)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(map_pages(obey, broken(), failed=failed, jobs=2))
    assert not set(multiprocessing.active_children()) - others


def test_reading_stays_a_bounded_number_of_pages_ahead() -> None:
    taken = 0

    def counted() -> Iterator[Page]:
        nonlocal taken
        for page in make_pages(5000):
            taken += 1
            yield page

    rows = map_pages(obey, counted(), failed=failed, jobs=2)
    next(rows)
    assert taken <= BATCH_PAGES * batches.BATCHES_AHEAD * 2 + 1
    rows.close()  # type: ignore[attr-defined]


class UnreadOrder:
    """A page that is made of it in the worker."""

    def __init__(self, page: Page) -> None:
        self.made = page

    @property
    def size(self) -> int:
        return self.made.size

    def page(self, as_utf8: bool = False) -> Page:
        return self.made


@pytest.mark.parametrize("jobs", [0, 2])
def test_what_is_not_yet_a_page_becomes_one_where_it_is_worked_on(jobs: int) -> None:
    pages = make_pages(40, p3=b"raise", p7=b"kill" if jobs else b"raise")
    expected = fine_but(
        pages,
        p3="ValueError: as ordered",
        p7="the worker process died (signal 9)" if jobs else "ValueError: as ordered",
    )
    assert list(map_pages(obey, map(UnreadOrder, pages), failed=failed, jobs=jobs)) == expected


COPIED_WORKERS = """
import os, sys
os.environ["OPENBLAS_NUM_THREADS"] = "1"
from ruiji.corpora.pool.starting import start_method
from ruiji.corpora.pool.workers import map_pages
from tests.corpora.page_functions import failed, obey
from tests.paths import ROOT
from tests.corpora.pool.test_workers import make_pages
pages = make_pages(70, p0=b"kill", p40=b"exit", p41=b"raise", p69=b"kill")
assert start_method() == ("fork" if sys.platform == "linux" else "spawn"), start_method()
for row in map_pages(obey, pages, failed=failed, jobs=2):
    if row[1] != "fine":
        print(*row)
"""


def test_workers_that_are_copies_of_the_process_behave_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-c", COPIED_WORKERS], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.splitlines() == [
        "p0 the worker process died (signal 9)",
        "p40 the worker process died (exit status 7)",
        "p41 ValueError: as ordered",
        "p69 the worker process died (signal 9)",
    ]


def test_beside_other_threads_workers_start_anew() -> None:
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert start_method() == "spawn"
    finally:
        stop.set()
        thread.join()


@pytest.fixture
def started_anew(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A mark for each worker that is started, none of which is a copy of this process."""
    started: list[str] = []

    def spawn() -> str:
        started.append("spawn")
        return "spawn"

    monkeypatch.setattr(batches, "start_method", spawn)
    return started


def test_workers_that_cannot_begin_cost_no_pages(
    started_anew: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each page had two workers, and failed: so a function of a notebook came to nothing but errors."""
    notebook = ModuleType("notebook_of_the_test")
    exec("def fine(pages):\n    return pages", notebook.__dict__)
    monkeypatch.setitem(sys.modules, notebook.__name__, notebook)
    with pytest.raises(InputError, match=r"cannot begin: the worker process died \(exit status 1\)"):
        list(map_pages(notebook.fine, make_pages(150), failed=failed, jobs=2))
    assert len(started_anew) < (batches.FAILED_STARTS + 1) * 2
    assert "No module named 'notebook_of_the_test'" in capfd.readouterr().err


def test_workers_that_hang_before_they_begin_cost_no_pages(
    started_anew: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "START_SECONDS", 0.0)
    monkeypatch.setattr(batches, "LOOK_SECONDS", 0.0)
    with pytest.raises(InputError, match="cannot begin: the worker process did not start within 0 seconds"):
        rows_of(make_pages(40), jobs=1)
    assert len(started_anew) == batches.FAILED_STARTS


def test_a_worker_that_dies_before_it_begins_is_replaced(started_anew: list[str], tmp_path: Path) -> None:
    """And no page was the reason: the batch stays together."""
    function = page_functions.SizesAtSecondStart(tmp_path / "seen")
    found = list(map_pages(function, make_pages(5), failed=page_functions.failed_size, jobs=1))
    assert found == [5] * 5
    assert len(started_anew) == 2


def test_a_page_that_cannot_be_read_on_arrival_costs_one_row(
    started_anew: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    """At once: its worker had waited for it until the time of the page was over, ten times as long."""
    pages = make_pages(3)
    records = [pages[0], page_functions.Unreadable(pages[1]), pages[2]]
    expected = fine_but(pages, p1="the worker process died (exit status 1)")
    assert list(map_pages(obey, records, failed=failed, jobs=1)) == expected
    assert "as ordered" in capfd.readouterr().err


def test_workers_started_from_several_threads_leave_the_script_where_it_is() -> None:
    """Each start hides it for a moment; one that found it hidden put an empty one back for good."""
    script = sys.modules["__main__"]
    pages = make_pages(3)
    found: list[list[tuple[str, str]]] = []

    def work() -> None:
        found.append(rows_of(pages, jobs=1))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    left, sys.modules["__main__"] = sys.modules["__main__"], script
    assert left is script
    assert found == [fine_but(pages)] * len(threads)
