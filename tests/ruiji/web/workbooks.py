"""Workbooks whose pages are worked on in the process of the test, which is quicker to start."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ruiji.features import text_nodes
from ruiji.web.annotate.page_desk import DeskSettings
from ruiji.web.annotate.workbook import Workbook
from ruiji.web.annotate.worker import OwnProcessDesk


def make_workbook(folder: Path, out: Path, filter_name: str = "none") -> Workbook:
    return Workbook(folder, out, OwnProcessDesk(DeskSettings(out, filter_name)))


def texts_of(workbook: Workbook, number: int) -> Sequence[str]:
    """The text nodes of a page."""
    return text_nodes(workbook.sheets[number].file.read()).texts
