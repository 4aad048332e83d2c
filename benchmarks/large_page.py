"""How long a large page takes to open in ``ruiji annotate``: CPU seconds of the server's stages and of the
browser's main thread.

python -m benchmarks.large_page [--megabytes 5] [--prose] [--filter blocks]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import uvicorn

from ruiji.features.page.parsing import text_nodes_and_markup
from ruiji.web.annotate.blocks import blocks_of
from ruiji.web.annotate.copies import Copies
from ruiji.web.annotate.page_desk import DeskSettings
from ruiji.web.annotate.views import FRAME_STYLE, annotating_application
from ruiji.web.annotate.workbook import Workbook
from ruiji.web.annotate.worker import DeskWorker
from ruiji.web.foreign.copy import cleaned_copy
from ruiji.web.server import listening

Made = TypeVar("Made")

TEXT = "港町の朝は早い。まだ暗いうちから<b>漁師</b>たちが船を出し、市場には魚を運ぶ人の声がひびいている。"
CARD = (
    '<div class="card c{n}"><h3><a href="/p/{n}">記事 {n}</a></h3><p style="color:#333">'
    + TEXT
    + "</p><ul><li><a href=x>海</a><li>港</ul></div>\n"
)
PROSE = "<p>" + TEXT * 8 + "</p>\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=5.0)
    parser.add_argument("--prose", action="store_true", help="long paragraphs instead of small cards")
    parser.add_argument(
        "--filter", default="blocks", help="whose labels the page is shown with (default: %(default)s)"
    )
    options = parser.parse_args()
    with TemporaryDirectory() as temporary:
        folder = Path(temporary) / "pages" / "host.example"
        folder.mkdir(parents=True)
        unit = PROSE if options.prose else CARD
        parts = [unit.format(n=number) for number in range(int(options.megabytes * 1e6 / len(unit.encode())))]
        page = (
            '<!DOCTYPE html><html><head><meta charset="utf-8"><title>large</title></head><body>'
            + "".join(parts)
            + "</body></html>"
        )
        (folder / "large.html").write_text(page, encoding="utf-8")
        measure(Path(temporary), options.filter)


def measure(folder: Path, filter_name: str) -> None:
    """Prints the times."""
    out = folder / "out" / "a"
    workbook = Workbook(folder / "pages", out, DeskWorker(DeskSettings(out, filter_name)))
    start = time.monotonic()
    workbook.opened(0)
    print(f"{time.monotonic() - start:.2f} s on the clock: decode, parse, walk, label, in the worker")
    page = workbook.sheets[0].file.read()
    nodes, markup = timed("parse, walk", lambda: text_nodes_and_markup(page))
    size = (folder / "pages" / "host.example" / "large.html").stat().st_size / 1e6
    copy = timed("harmless copy", lambda: cleaned_copy(markup, own_style=FRAME_STYLE))
    timed("blocks", lambda: blocks_of(nodes))
    print(f"{size:.1f} MB, {len(nodes):,} text nodes, copy {len(copy.encode()) / 1e6:.1f} MB")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("no Chromium here: the browser is not measured")
    own = listening(0)
    copies = Copies(workbook, FRAME_STYLE)
    copies.make_large_ready()
    port = own.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(annotating_application(workbook, port, copies), log_level="warning", lifespan="off")
    )
    threading.Thread(target=server.run, kwargs={"sockets": [own]}, daemon=True).start()
    browse(chromium, f"http://127.0.0.1:{port}")
    server.should_exit = True
    workbook.desk.close()


def browse(chromium: str, url: str) -> None:
    """Opens the page in a browser and prints what its main thread did until the page can be annotated."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(url)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        start = time.time()
        page.goto(f"{url}/page/0", wait_until="commit")
        page.wait_for_selector("html[data-ready]", timeout=300_000)
        passed = time.time() - start
        metrics = {
            entry["name"]: entry["value"] for entry in session.send("Performance.getMetrics")["metrics"]
        }
        layout, style = metrics["LayoutDuration"], metrics["RecalcStyleDuration"]
        print(
            f"{metrics['TaskDuration']:.2f} s browser: main thread, of it layout {layout:.2f}, style "
            f"{style:.2f}"
        )
        print(f"{passed:.2f} s on the clock from click to ready, whatever else the machine does")
        browser.close()


def timed(name: str, work: Callable[[], Made]) -> Made:
    """What the work returns; its CPU time is printed."""
    start = time.process_time()
    made = work()
    print(f"{time.process_time() - start:.2f} s {name}")
    return made


if __name__ == "__main__":
    main()
