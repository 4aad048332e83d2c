"""What a page needs to be shown, made once: its harmless copy and its blocks. Large pages are made ready
before anybody asks.
"""

from __future__ import annotations

import threading
import zlib
from collections import OrderedDict

from ruiji.features.page.parser_input import PageFailed
from ruiji.web.annotate.page_desk import PageDesk
from ruiji.web.annotate.page_files import PageFile
from ruiji.web.annotate.workbook import Workbook
from ruiji.web.annotate.worker import Desk, Work, time_limit

KEPT = 4  # pages, as they are sent
LARGE = 1 << 20  # bytes of a copy that takes long to make: such copies stay, packed
PACKED_BYTES = 256 << 20  # of them together; what comes later is made when it is asked for
LARGE_FILE = 1 << 19  # bytes of a page whose copy may be large


class Copies:
    """The copies and blocks of the pages of a workbook. A page that fails is not tried again."""

    def __init__(self, workbook: Workbook, own_style: str) -> None:
        self.workbook, self.own_style = workbook, own_style
        self._page_locks = [
            threading.Lock() for _ in workbook.sheets
        ]  # what two ask for at once is made once
        self._lock = threading.Lock()  # of the fields below
        self._recent: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._packed: dict[tuple[str, int], bytes] = {}
        self._packed_size = 0

    def copy(self, number: int, plain: bool = False, neutral: bool = False) -> bytes:
        """The harmless copy of a page. Raises PageFailed."""
        if plain or neutral:
            return self._make_copy(number, self.workbook.desk, plain, neutral)
        return self._piece("copy", number, self.workbook.desk)

    def blocks(self, number: int) -> bytes:
        """The blocks of a page as JSON. Raises PageFailed."""
        return self._piece("blocks", number, self.workbook.desk)

    def make_ready(self, number: int) -> None:
        """Makes what a page needs, for a thread in the background."""
        try:
            for kind in ("blocks", "copy"):
                self._piece(kind, number, self.workbook.background)
        except PageFailed:
            return  # the list says why

    def make_large_ready(self) -> None:
        """Makes what the large pages need, the most uncertain first; for a thread in the background."""
        for number in self.workbook.by_uncertainty():
            if self._packed_size < PACKED_BYTES and self.workbook.sheets[number].file.size() >= LARGE_FILE:
                self.make_ready(number)

    def _piece(self, kind: str, number: int, desk: Desk) -> bytes:
        with self._page_locks[number]:
            piece = self._kept(kind, number)
            if piece is None:
                piece = self._make_copy(number, desk) if kind == "copy" else self._make_blocks(number, desk)
                self._keep(kind, number, piece)
        return piece

    def _kept(self, kind: str, number: int) -> bytes | None:
        with self._lock:
            piece = self._recent.get((kind, number))
            packed = self._packed.get((kind, number))
        return zlib.decompress(packed) if piece is None and packed is not None else piece

    def _keep(self, kind: str, number: int, piece: bytes) -> None:
        packed = zlib.compress(piece, 1) if len(piece) >= LARGE else b""
        with self._lock:
            self._recent[kind, number] = piece
            if len(self._recent) > 2 * KEPT:
                self._recent.popitem(last=False)
            if packed and self._packed_size < PACKED_BYTES:
                self._packed[kind, number] = packed
                self._packed_size += len(packed)

    def _make_copy(self, number: int, desk: Desk, plain: bool = False, neutral: bool = False) -> bytes:
        file = self.workbook.opened(number).file
        return self._made(number, desk, PageDesk.copy, file, self.own_style, plain, neutral)

    def _make_blocks(self, number: int, desk: Desk) -> bytes:
        sheet = self.workbook.opened(number)
        return self._made(number, desk, PageDesk.blocks, sheet.file, len(sheet.labels))

    def _made(self, number: int, desk: Desk, work: Work[..., bytes], file: PageFile, *more: object) -> bytes:
        try:
            return desk.ask(time_limit(file), work, file, *more)
        except PageFailed as error:
            self.workbook.fail(number, error)
            raise
