"""What a browser shows is what we see: Chromium's innerText of every mini-web page against our text nodes."""

from __future__ import annotations

import json
import re
import subprocess
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from ruiji.corpora import MINIWEB, read_pages
from ruiji.features import text_nodes
from tests.browser import CHROMIUM, FLAGS, needs_chromium

pytestmark = needs_chromium

# Loads each page in a frame without scripts and posts back the encoding and the text that the browser shows.
HARNESS = """<!DOCTYPE html><iframe id=f sandbox="allow-same-origin" width=1200 height=800></iframe><script>
(async () => {
  const frame = document.getElementById('f'), seen = {};
  for (const path of await (await fetch('/list')).json()) {
    const address = '/' + path.split('/').map(encodeURIComponent).join('/');
    await new Promise(done => { frame.onload = done; frame.src = address; });
    seen[path] = [frame.contentDocument.characterSet, frame.contentDocument.body.innerText];
  }
  await fetch('/seen', {method: 'POST', body: JSON.stringify(seen)});
})();
</script>"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, list[str]]]:
    """path → [encoding, innerText] of every page of the mini-web, as Chromium has it."""
    paths = [page.id for page in read_pages([MINIWEB])]
    answer: dict[str, list[str]] = {}
    arrived = threading.Event()

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *rest: Any) -> None:
            super().__init__(*rest, directory=str(MINIWEB))

        def do_GET(self) -> None:
            own = {"/": HARNESS, "/list": json.dumps(paths)}.get(self.path)
            if own is None:
                return super().do_GET()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")  # no charset: a frame without one would inherit it
            self.end_headers()
            self.wfile.write(own.encode())
            return None

        def do_POST(self) -> None:
            answer.update(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()
            arrived.set()

        def log_message(self, *rest: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        profile = tmp_path_factory.mktemp("profile")
        url = f"http://127.0.0.1:{server.server_port}/"
        command = [
            str(CHROMIUM),
            "--headless",
            "--remote-debugging-port=0",
            *FLAGS,
            f"--user-data-dir={profile}",
            url,
        ]
        browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            assert arrived.wait(120), "Chromium did not answer"
            yield answer
        finally:
            browser.kill()
            browser.wait()
            server.shutdown()


WRONG_LABEL = {"www2.nagisanet.ne.jp/~tarou/tr-nikki.html"}  # says EUC-JP: a browser shows garbage, we do not


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text).lower()


def test_we_read_every_page_in_the_encoding_that_the_browser_uses(shown: dict[str, list[str]]) -> None:
    ours = {page.id: text_nodes(page).encoding for page in read_pages([MINIWEB])}
    assert {path for path, (encoding, _) in shown.items() if encoding != ours[path]} <= WRONG_LABEL


def test_no_line_that_the_browser_shows_is_missing(shown: dict[str, list[str]]) -> None:
    missing = []
    for page in read_pages([MINIWEB]):
        if page.id in WRONG_LABEL:
            continue
        ours = squeezed("".join(text_nodes(page).texts))
        lines = [squeezed(cell) for line in shown[page.id][1].split("\n") for cell in line.split("\t")]
        missing += [(page.id, line) for line in lines if line not in ours]
    assert missing == []


def test_the_mini_web_has_its_text(shown: dict[str, list[str]]) -> None:
    assert Path(MINIWEB).is_dir()
    assert len(shown) > 100
    assert all(len(text) > 200 for _, text in shown.values())
