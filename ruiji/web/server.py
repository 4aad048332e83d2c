"""The server under both applications: loopback only, templates that escape, two languages, static files from
the package.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvicorn
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from ruiji.corpora import InputError
from ruiji.progress import Reporter
from ruiji.web.safety import LOOPBACK, Guard, OutsideFolder, new_token, own_hosts
from ruiji.words import LANGUAGES, words

DEFAULT_PORT = 8765
LANGUAGE_COOKIE = "ruiji-language"
_HERE = Path(__file__).parent


class AsciiJson(JSONResponse):
    """Data as JSON in ASCII: a name of a file may have what is no character."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


class AppShell:
    """What the pages of an application share: the token, the templates and the words."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.token = new_token()
        self._templates = Environment(
            loader=FileSystemLoader(_HERE / "templates"), autoescape=True, undefined=StrictUndefined
        )

    def render(
        self, request: Request, template: str, data: Mapping[str, Any], status: int = 200, **fields: Any
    ) -> Response:
        """A page; ``data`` is what its script finds, as JSON."""
        language = language_of(request)
        here = {
            "application": self.name,
            "token": self.token,
            "language": language,
            "other_language": next(other for other in LANGUAGES if other != language),
            "t": words(language),
            "data": json.dumps(
                {**data, "words": words(language), "token": self.token}, ensure_ascii=False
            ).replace("<", "\\u003c"),
        }
        page = self._templates.get_template(template).render(**here, **fields)
        response = HTMLResponse(page.encode("utf-8", "replace"), status)
        if request.query_params.get("lang") in LANGUAGES:
            response.set_cookie(LANGUAGE_COOKIE, language, samesite="strict", max_age=365 * 86400)
        return response

    def application(self, routes: Sequence[BaseRoute], port: int) -> Starlette:
        """The application with its routes, behind the guard."""
        handlers: Mapping[Any, Any] = {
            HTTPException: self._failed,
            OutsideFolder: _refused,
            ClientDisconnect: _refused,
        }
        static = Mount("/static", StaticFiles(directory=_HERE / "static"))
        guard = Middleware(Guard, hosts=own_hosts(port), token=self.token)
        return Starlette(routes=[*routes, static], middleware=[guard], exception_handlers=handlers)

    async def _failed(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if request.url.path.startswith("/api/"):
            return JSONResponse({"error": error.detail}, error.status_code)
        if request.url.path.startswith(("/frame/", "/static/")):
            return PlainTextResponse(error.detail, error.status_code)
        return self.render(request, "failed.html", {}, status=error.status_code, message=error.detail)


async def _refused(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error) or "too large"}, 403)


def language_of(request: Request) -> str:
    """The language that was chosen, else the first of those that the browser prefers, else English."""
    for chosen in (request.query_params.get("lang"), request.cookies.get(LANGUAGE_COOKIE)):
        if chosen in LANGUAGES:
            return chosen
    for preferred in request.headers.get("accept-language", "").split(","):
        if (language := preferred.strip()[:2].lower()) in LANGUAGES:
            return language
    return LANGUAGES[0]


def listening(port: int | None) -> socket.socket:
    """A socket on the loopback interface: on the port asked for, else on the usual one or any that is free.
    Raises InputError.
    """
    for candidate in (port,) if port is not None else (DEFAULT_PORT, 0):
        own = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            own.bind((LOOPBACK, candidate))
            own.listen(128)  # connections wait here until the server is up
        except OSError as error:
            own.close()
            failure = error
        else:
            return own
    raise InputError(f"port {port}: {failure.strerror}; choose another with --port") from failure


def serve(application: Starlette, own: socket.socket, message: str, reporter: Reporter) -> None:
    """Serves until it is interrupted."""
    url = f"http://{LOOPBACK}:{own.getsockname()[1]}/"
    reporter.say(f"{message}\nOpen this in a browser; Ctrl-C ends it.\n")
    print(f"  {url}", flush=True)
    config = uvicorn.Config(
        application, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=1
    )
    with suppress(KeyboardInterrupt):  # how one ends it
        uvicorn.Server(config).run(sockets=[own])


async def json_body(request: Request) -> dict[str, Any]:
    """The object that a write carries. Raises HTTPException for anything else."""
    try:
        body = await request.json()
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, "that is no JSON") from error
    if not isinstance(body, dict):
        raise HTTPException(400, "an object is wanted")
    return body
