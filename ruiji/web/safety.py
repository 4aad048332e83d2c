"""What keeps the application to one person at one machine: checks of every request, headers of every answer,
paths that stay inside.

A page in another tab can make a browser send requests to a local server. Reading the answers takes a host
name that points here (DNS rebinding), so the Host header must be ours; writing takes only a form, so writes
need our Origin and a token that only our own pages carry.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = "127.0.0.1"
TOKEN_HEADER = "x-ruiji-token"
MAX_BODY = 16 << 20  # bytes of a write; the labels of a page of a million nodes are one
SAFE_METHODS = frozenset(("GET", "HEAD"))

# Our own pages: scripts and styles from our files only, frames from us only.
APPLICATION_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# Copies of foreign pages: nothing runs, nothing is fetched, also where one is opened in a tab of its own.
FOREIGN_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; "
    "sandbox allow-same-origin"
)
_HEADERS = {
    "content-security-policy": APPLICATION_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}


class OutsideFolder(ValueError):
    """A path that leaves the folder it belongs to; the message names it."""


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(24)


def confined(folder: Path, path: Path) -> Path:
    """The real path, links followed. Raises OutsideFolder where it is not inside the folder."""
    real = path.resolve()
    if not real.is_relative_to(folder.resolve()):
        raise OutsideFolder(f"{path}: leads out of {folder}")
    return real


def own_hosts(port: int) -> frozenset[str]:
    """The values of Host under which we are known."""
    names = (LOOPBACK, "localhost")
    return frozenset(f"{name}:{port}" for name in names) | frozenset(
        names if port == 80 else ()
    )  # which browsers leave out


class Guard:
    """Middleware that refuses what does not come from our own pages, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str], token: str) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # a web socket; there is none here
            await send({"type": "websocket.close", "code": 1008})
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self.refusal(scope["method"], scope["path"], Headers(scope=scope))
        if refusal:
            await PlainTextResponse(f"refused: {refusal}\n", 403)(scope, receive, send_with_headers)
        else:
            await self.app(scope, _limited(receive), send_with_headers)

    def refusal(self, method: str, path: str, headers: Headers) -> str:
        """Why a request is refused; empty where it is not."""
        host = headers.get("host", "").lower()
        if host not in self.hosts:
            return f"the host must be {' or '.join(sorted(self.hosts))}"
        if path.startswith(("/api/", "/frame/")) and headers.get("sec-fetch-site", "same-origin") not in (
            "same-origin",
            "none",
        ):
            return "another site asked for it"
        if method in SAFE_METHODS:
            return ""
        if headers.get("origin", "").lower() != f"http://{host}":
            return "a write must come from this application's own pages (Origin)"
        if not secrets.compare_digest(headers.get(TOKEN_HEADER, "").encode(), self.token.encode()):
            return "a write needs this session's token; load the page anew"
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return "a write is JSON"
        return ""


def _limited(receive: Receive) -> Receive:
    """The same, but more than MAX_BODY is as if the sender had hung up."""
    received = 0

    async def limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        return message if received <= MAX_BODY else {"type": "http.disconnect"}

    return limited
