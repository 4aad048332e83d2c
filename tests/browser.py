"""The browser that tests use: an installed Chromium, one for all tests that drive it."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import uvicorn
from starlette.applications import Starlette

from ruiji.web.server import listening

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium")
FLAGS = (
    "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --disable-quic"
).split()


@contextmanager
def served(application: Callable[[int], Starlette]) -> Iterator[str]:
    """The address of an application that runs in a thread of its own; it is given its port."""
    own: socket.socket = listening(0)
    port = own.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(application(port), log_level="warning", lifespan="off", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [own]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(5)
        own.close()
