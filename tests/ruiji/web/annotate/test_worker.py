"""A page that hangs, crashes or raises costs that page, and nothing else."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from ruiji.chunker.crf.folder import ModelError
from ruiji.features.page.parser_input import PageFailed
from ruiji.web.annotate.page_desk import DeskSettings, PageDesk
from ruiji.web.annotate.page_files import PageFile, page_files
from ruiji.web.annotate.views import annotating_application
from ruiji.web.annotate.workbook import Workbook
from ruiji.web.annotate.worker import DeskWorker, time_limit
from tests.browser import served

PAGE = "<title>t</title><p>one</p><p>two</p>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    pages.mkdir()
    for name in ("bad.html", "good.html"):
        (pages / name).write_text(PAGE, encoding="utf-8")
    return pages


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[DeskWorker]:
    worker = DeskWorker(DeskSettings(tmp_path / "out" / "hanako", "none"))
    yield worker
    worker.close()


# Works as a hostile page would make of them; the worker imports them from here.


def hang(desk: PageDesk, file: PageFile, *more: object) -> Any:
    while True:
        pass


def die(desk: PageDesk, file: PageFile, *more: object) -> Any:
    os.kill(os.getpid(), signal.SIGSEGV)


def stumble(desk: PageDesk, file: PageFile, *more: object) -> Any:
    raise RecursionError("too deep")


KEPT: list[bytes] = []


def grow(desk: PageDesk, file: PageFile, megabytes: int) -> Any:
    KEPT.append(b"x" * (megabytes << 20))
    time.sleep(0.3)  # as long as a look takes to come
    return os.getpid()


def test_a_page_that_takes_too_much_memory_fails_and_what_stays_is_given_back(
    worker: DeskWorker, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ruiji.web.annotate.worker.WORK_BYTES", 200 << 20)
    monkeypatch.setattr("ruiji.web.annotate.worker.KEPT_BYTES", 100 << 20)
    file = next(page_files(folder, folder / "out"))
    first = worker.ask(60, grow, file, 60)
    assert worker.ask(60, grow, file, 60) == first
    assert worker.ask(60, grow, file, 1) != first  # 120 MB stayed
    with pytest.raises(PageFailed, match="took more than 200 MB of memory"):
        worker.ask(60, grow, file, 400)
    assert worker.ask(60, grow, file, 1) != first


@pytest.mark.parametrize(
    ("work", "seconds", "reason"),
    [
        (hang, 1.0, "took longer than 1 seconds"),
        (die, 60.0, "died (signal 11)"),
        (stumble, 60.0, "RecursionError: too deep"),
    ],
)
def test_the_page_fails_and_the_next_one_is_read(
    folder: Path, tmp_path: Path, worker: DeskWorker, work: Any, seconds: float, reason: str
) -> None:
    (bad, good) = page_files(folder, tmp_path / "out" / "hanako")
    with pytest.raises(PageFailed, match=re.escape(reason)):
        worker.ask(seconds, work, bad)
    assert worker.ask(time_limit(good), PageDesk.read, good, ()).title == "t"


def test_what_a_model_says_of_its_settings_reaches_the_caller(tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        DeskWorker(DeskSettings(tmp_path, "crf", str(tmp_path / "no-model"))).start()


def test_the_time_grows_with_the_page(folder: Path, tmp_path: Path) -> None:
    (bad, good) = page_files(folder, tmp_path / "out" / "hanako")
    good.path.write_text(PAGE * 100_000, encoding="utf-8")
    assert time_limit(bad) == pytest.approx(10, abs=0.1)
    assert time_limit(good) == pytest.approx(10 + 10 * good.size() / 1e6)


class HangingDesk:
    """A worker in which everything that is done with one page hangs."""

    def __init__(self, worker: DeskWorker) -> None:
        self.worker = worker
        self.asked: list[str] = []

    def ask(self, seconds: float, work: Any, file: PageFile, *args: Any) -> Any:
        self.asked.append(file.name)
        if file.name == "bad.html":
            return self.worker.ask(0.5, hang, file, *args)
        return self.worker.ask(seconds, work, file, *args)

    def close(self) -> None:
        self.worker.close()


def test_the_server_lists_the_page_with_its_reason_and_shows_the_others(
    folder: Path, tmp_path: Path, worker: DeskWorker
) -> None:
    desk = HangingDesk(worker)
    workbook = Workbook(folder, tmp_path / "out" / "hanako", desk)  # type: ignore[arg-type]
    with served(lambda port: annotating_application(workbook, port)) as url:
        assert httpx.get(f"{url}/frame/0", timeout=60).status_code == 404
        assert httpx.get(f"{url}/api/pages/0", timeout=60).status_code == 404
        assert 'data-n="1">two' in httpx.get(f"{url}/frame/1", timeout=60).text
        assert httpx.get(f"{url}/api/pages/1", timeout=60).json()["labels"] == "00"
        rows = {row["name"]: row["error"] for row in httpx.get(f"{url}/api/pages").json()["rows"]}
    assert rows == {"bad.html": "took longer than 0 seconds", "good.html": ""}
    assert desk.asked.count("bad.html") == 1  # it is not tried again


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Ctrl-C of a terminal reaches the workers")
def test_an_interrupt_ends_the_command_while_a_page_is_being_parsed(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    attributes = " ".join(f"a{number}" for number in range(100_000))  # quadratic in the parser
    (folder / "slow.html").write_text(f"<p {attributes}>text</p>", encoding="utf-8")
    command = [sys.executable, "-m", "ruiji", "annotate", str(folder), "--filter", "none", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        url = process.stdout.readline().strip()
        assert httpx.get(f"{url}api/pages", timeout=60).status_code == 200  # it answers meanwhile
        start = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the server and to its workers
        assert process.wait(30) == 0
        assert time.monotonic() - start < 8
        assert "Traceback" not in process.stderr.read()
