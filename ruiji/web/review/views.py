"""``ruiji review``: pairs, copied passages or contradictions side by side in a browser, and verdicts by
key.
"""

from __future__ import annotations

import math
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ruiji.detector.verdicts import VERDICTS
from ruiji.progress import Reporter
from ruiji.web.review.results import PAGE_SIZE, UNJUDGED, Query, Results, TextsOf, open_results
from ruiji.web.server import AppShell, AsciiJson, json_body, listening, serve

LONGEST_SEARCH = 200


def review_results(path: Path, port: int | None, reporter: Reporter, texts_of: TextsOf | None = None) -> None:
    """Serves the application until it is interrupted. Raises InputError where there is nothing to review."""
    results = open_results(path, texts_of)
    own = listening(port)
    application = reviewing_application(results, own.getsockname()[1], str(path))
    serve(
        application,
        own,
        f"{results.counts()['all']} {results.kind}s of {path}; verdicts are kept in {results.verdict_file}",
        reporter,
    )


def reviewing_application(results: Results, port: int, name: str) -> Starlette:
    """The application over some results."""
    shell = AppShell("review")
    views = ReviewViews(shell, results, name)
    return shell.application(
        [
            Route("/", views.list),
            Route("/item/{number:int}", views.item),
            Route("/api/items", views.items),
            Route("/api/items/{number:int}", views.detail, methods=["GET"]),
            Route("/api/items/{number:int}", views.judge, methods=["POST"]),
        ],
        port,
    )


class ReviewViews:
    """The answers to requests."""

    def __init__(self, shell: AppShell, results: Results, name: str) -> None:
        self.shell, self.results, self.name = shell, results, name

    def list(self, request: Request) -> Response:
        """The list."""
        data = {
            "kind": self.results.kind,
            "categories": list(self.results.categories),
            "sites": self.results.sites(),
        }
        return self.shell.render(
            request,
            "review-list.html",
            data,
            kind=self.results.kind,
            name=self.name,
            verdict_file=str(self.results.verdict_file),
        )

    def item(self, request: Request) -> Response:
        """One item."""
        number = request.path_params["number"]
        if self.results.row(number) is None:
            raise HTTPException(404, "there is no such item")
        data = {"kind": self.results.kind, "number": number, "categories": list(self.results.categories)}
        return self.shell.render(request, "review-item.html", data, kind=self.results.kind, number=number)

    def items(self, request: Request) -> Response:
        """A page of the list."""
        return AsciiJson(self.results.rows(query_of(request)))

    def detail(self, request: Request) -> Response:
        """Everything about one item."""
        detail = self.results.detail(request.path_params["number"])
        if detail is None:
            raise HTTPException(404, "there is no such item")
        return AsciiJson(detail | {"counts": self.results.counts()})

    async def judge(self, request: Request) -> Response:
        """Keeps a verdict."""
        body = await json_body(request)
        verdict, other = body.get("verdict"), body.get("other") or ""
        if verdict not in VERDICTS or not isinstance(other, str):
            raise HTTPException(400, f"a verdict is one of {', '.join(VERDICTS)}")
        try:
            counts = await run_in_threadpool(
                self.results.judge, request.path_params["number"], verdict, other
            )
        except (ValueError, OSError) as error:
            raise HTTPException(409, str(error)) from error
        if counts is None:
            raise HTTPException(404, "there is no such item")
        return AsciiJson(counts)


def query_of(request: Request) -> Query:
    """The query that an address describes; what makes no sense in it is left out."""
    given = request.query_params
    verdict = given.get("verdict", "")
    return Query(
        category=given.get("category", ""),
        relation=given.get("relation", ""),
        site=given.get("site", ""),
        text=given.get("text", "")[:LONGEST_SEARCH],
        verdict=verdict if verdict in (*VERDICTS, UNJUDGED) else "",
        patchwork=given.get("patchwork") == "1",
        least=_number(given.get("least", "")),
        sort=given.get("sort", ""),
        offset=int(_number(given.get("offset", ""))),
        limit=int(_number(given.get("limit", ""))) or PAGE_SIZE,
    )


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if math.isfinite(value) and 0 <= value < 1e12 else 0.0
