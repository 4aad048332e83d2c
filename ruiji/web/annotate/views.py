"""``ruiji annotate``: pages as they look, in a browser; click what is not content, and it is saved."""

from __future__ import annotations

import getpass
import json
import os
import re
import shlex
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ruiji.chunker.annotation.reading import AnnotationError
from ruiji.chunker.labels import O
from ruiji.corpora import InputError, read_pages
from ruiji.features.page.parser_input import PageFailed
from ruiji.progress import Reporter
from ruiji.web.annotate.copies import Copies
from ruiji.web.annotate.page_desk import DeskSettings
from ruiji.web.annotate.workbook import Sheet, Workbook, check_output
from ruiji.web.annotate.worker import DeskWorker
from ruiji.web.safety import FOREIGN_POLICY
from ruiji.web.server import AppShell, AsciiJson, json_body, listening, serve

_NAME = re.compile(r"[\w][\w.-]{0,63}")
# How the marks look inside the copy; the frame is drawn in light colours, as pages are.
FRAME_STYLE = (
    ":root{color-scheme:light;background:#fff}"
    "[data-ruiji-off]{background-color:#d9488018!important;box-shadow:inset 0 0 0 1px #d9488040!important}"
    "[data-ruiji-off] [data-ruiji-off]{box-shadow:none!important}"
    "ruiji-t[off],[data-ruiji-off] "
    "ruiji-t{background:#f7c9da!important;color:#7d3552!important;text-decoration:none!important;"
    "box-decoration-break:clone}"
    "tspan[off],[data-ruiji-off] tspan[data-n]{fill:#c2185b!important}"
    "ruiji-t[uncertain]{outline:1px dotted #e08a00!important;outline-offset:0}"
    "[data-ruiji-far]{content-visibility:auto;contain-intrinsic-size:auto 8em}"
    "[data-ruiji-far=unwatched]{content-visibility:hidden}"
    "*{cursor:default!important;animation:none!important;transition:none!important}"
)


def annotate_folder(
    folder: Path,
    out: Path | None,
    annotator: str,
    filter_name: str,
    model: str,
    port: int | None,
    reporter: Reporter,
) -> None:
    """Serves the application until it is interrupted. Raises InputError where the folder cannot be
    annotated.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: annotate takes a folder of HTML files")
    read_pages([folder])
    name = annotator or _user()
    if not _NAME.fullmatch(name):
        raise InputError(
            f"--annotator {name!r}: use letters, digits, - and _ only; it becomes the name of a folder"
        )
    destination = (out or folder.resolve().with_name(folder.resolve().name + "-annotated")) / name
    check_output(folder, destination)
    settings = DeskSettings(destination, filter_name, model)
    with closing(DeskWorker(settings)) as desk, closing(DeskWorker(settings)) as background:
        workbook = Workbook(folder, destination, desk, background)
        desk.start()
        own = listening(port)
        copies = Copies(workbook, FRAME_STYLE)
        application = annotating_application(workbook, own.getsockname()[1], copies)
        threading.Thread(target=_prepare, args=(workbook, copies), daemon=True, name="prepare").start()
        serve(
            application,
            own,
            f"{len(workbook.sheets)} pages of {folder}; what you annotate is saved in {destination}",
            reporter,
        )


def _user() -> str:
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):
        name = os.environ.get("USER", "")
    return re.sub(r"[^\w.-]", "-", name).lstrip(".-") or "annotator"


def _prepare(workbook: Workbook, copies: Copies) -> None:
    workbook.prepare()
    copies.make_large_ready()


def annotating_application(workbook: Workbook, port: int, copies: Copies | None = None) -> Starlette:
    """The application over one workbook."""
    shell = AppShell("annotate")
    views = AnnotateViews(shell, workbook, copies or Copies(workbook, FRAME_STYLE))
    return shell.application(
        [
            Route("/", views.list),
            Route("/page/{number:int}", views.page),
            Route("/frame/{number:int}", views.frame),
            Route("/api/pages", views.pages),
            Route("/api/agreement", views.agreement),
            Route("/api/pages/{number:int}", views.tree, methods=["GET"]),
            Route("/api/pages/{number:int}", views.put, methods=["POST"]),
            Route("/api/pages/{number:int}/apply", views.apply, methods=["POST"]),
            Route("/api/changes/{change:int}/undo", views.take_back, methods=["POST"]),
        ],
        port,
    )


class AnnotateViews:
    """The answers to requests."""

    def __init__(self, shell: AppShell, workbook: Workbook, copies: Copies) -> None:
        self.shell, self.workbook, self.copies = shell, workbook, copies

    def list(self, request: Request) -> Response:
        """The list of pages."""
        command = f"ruiji train {shlex.quote(str(self.workbook.out))} -o model"
        data = {"train": command, "out": str(self.workbook.out)}
        return self.shell.render(
            request, "annotate-list.html", data, train=command, out=str(self.workbook.out)
        )

    def pages(self, request: Request) -> Response:
        """What the list shows."""
        rows = [_row(number, self.workbook.sheets[number]) for number in self.workbook.by_uncertainty()]
        return AsciiJson({"rows": rows, "progress": self.workbook.progress()})

    def page(self, request: Request) -> Response:
        """One page to annotate."""
        number = self._number(request)
        order = self.workbook.by_uncertainty()
        sheet = self.workbook.sheets[number]
        place = order.index(number)
        data = {
            "number": number,
            "next": order[(place + 1) % len(order)],
            "previous": order[place - 1],
            "open": next(
                (
                    other
                    for other in order[place + 1 :] + order[:place]
                    if _is_open(self.workbook.sheets[other])
                ),
                None,
            ),
        }
        response = self.shell.render(
            request,
            "annotate-page.html",
            data,
            name=sheet.name,
            title=sheet.title or sheet.name,
            number=number,
        )
        if data["open"] is not None:
            response.background = BackgroundTask(
                self.copies.make_ready, data["open"]
            )  # while this one is looked at
        return response

    def frame(self, request: Request) -> Response:
        """The harmless copy of a page, for the frame."""
        wanted = request.query_params
        try:
            copy = self.copies.copy(
                self._number(request), wanted.get("plain") == "1", wanted.get("neutral") == "1"
            )
        except PageFailed as error:
            raise HTTPException(404, str(error)) from error
        return HTMLResponse(copy, headers={"content-security-policy": FOREIGN_POLICY})

    def tree(self, request: Request) -> Response:
        """The blocks of a page, its labels and its uncertain."""
        number = self._number(request)
        sheet = self.workbook.sheets[number]
        try:
            blocks = self.copies.blocks(number)
        except PageFailed as error:
            raise HTTPException(404, str(error)) from error
        known = {
            "labels": "".join(map(str, sheet.labels.tolist())),
            "uncertain": sheet.uncertain,
            "origin": sheet.origin if not sheet.saved else "saved",
            "done": sheet.done,
            "saved": sheet.saved,
            "progress": self.workbook.progress(),
        }
        return Response(
            json.dumps(known).encode()[:-1] + b', "blocks": ' + blocks + b"}", media_type="application/json"
        )

    async def put(self, request: Request) -> Response:
        """Takes labels and saves them."""
        number = self._number(request)
        body = await json_body(request)
        labels, done = body.get("labels"), body.get("done")
        if (
            not isinstance(labels, str)
            or not re.fullmatch("[012]*", labels)
            or not (done is None or isinstance(done, bool))
        ):
            raise HTTPException(400, "labels are a text of 0, 1 and 2")
        array = np.frombuffer(labels.encode(), dtype=np.uint8).astype(np.int8) - ord("0")
        try:
            await run_in_threadpool(self.workbook.put, number, array, done)
        except (AnnotationError, PageFailed, ValueError, OSError) as error:
            raise HTTPException(409, str(error)) from error
        return AsciiJson({"progress": self.workbook.progress()})

    async def apply(self, request: Request) -> Response:
        """Decides all blocks of the site at the place of one."""
        body = await json_body(request)
        element, content = body.get("element"), body.get("content")
        if not isinstance(element, int) or not isinstance(content, bool):
            raise HTTPException(400, "element and content are wanted")
        try:
            applied = await run_in_threadpool(self.workbook.apply, self._number(request), element, content)
        except (AnnotationError, PageFailed, ValueError, OSError) as error:
            raise HTTPException(409, str(error)) from error
        return AsciiJson(applied)

    async def take_back(self, request: Request) -> Response:
        """Undoes what was applied to a site."""
        change = request.path_params["change"]
        if not 0 <= change < len(self.workbook.applied):
            raise HTTPException(404, "there is no such change")
        try:
            await run_in_threadpool(self.workbook.take_back, change)
        except (AnnotationError, PageFailed, OSError) as error:
            raise HTTPException(409, str(error)) from error
        return AsciiJson({"progress": self.workbook.progress()})

    def agreement(self, request: Request) -> Response:
        """How far the other annotators agree."""
        try:
            agreements = self.workbook.agreements()
        except PageFailed as error:
            raise HTTPException(409, str(error)) from error
        rows = []
        for name, agreement in agreements.items():
            total = agreement.total
            values = {"by_region": total.region_agreement, "by_node": total.node_agreement}
            kept = {key: round(value, 4) for key, value in values.items() if value == value}
            rows.append({"annotator": name, "pages": len(agreement.by_page), **kept})
        return AsciiJson({"rows": rows})

    def _number(self, request: Request) -> int:
        number: int = request.path_params["number"]
        if not 0 <= number < len(self.workbook.sheets):
            raise HTTPException(404, "there is no such page")
        return number


def _is_open(sheet: Sheet) -> bool:
    return not sheet.done and not sheet.error


def _row(number: int, sheet: Sheet) -> dict[str, Any]:
    state = "error" if sheet.error else "done" if sheet.done else "saved" if sheet.saved else "new"
    size = len(sheet.labels)
    return {
        "number": number,
        "name": sheet.name,
        "title": sheet.title,
        "site": sheet.site,
        "state": state,
        "error": sheet.error,
        "ready": sheet.ready,
        "nodes": size,
        "off": round(float((sheet.labels != O).sum()) / size, 3) if size else 0,
        "uncertainty": round(sheet.uncertainty, 4),
    }
