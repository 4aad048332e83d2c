"""What a page needs to be shown, made once: its harmless copy and its blocks. Large pages are made ready
before anybody asks.
"""

from __future__ import annotations

import json
import threading
import zlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.textnodes import TextNodes
from ruiji.web.annotate.stylesheets import saved_stylesheets
from ruiji.web.annotate.workbook import Workbook
from ruiji.web.foreign.copy import cleaned_copy

KEPT = 4  # pages, as they are sent
LARGE = 1 << 20  # bytes of a copy that takes long to make: such copies stay, packed
PACKED_BYTES = 256 << 20  # of them together; what comes later is made when it is asked for
LARGE_FILE = 1 << 19  # bytes of a page whose copy may be large


class Copies:
    """The copies and blocks of the pages of a workbook."""

    def __init__(self, workbook: Workbook, own_style: str) -> None:
        self.workbook, self.own_style = workbook, own_style
        self._lock = threading.Lock()  # what two requests ask for at once is made once
        self._packed: dict[tuple[str, int], bytes] = {}
        self._size = 0
        self._recent = lru_cache(maxsize=2 * KEPT)(self._unpacked)

    def copy(self, number: int, plain: bool = False, neutral: bool = False) -> bytes:
        """The harmless copy of a page. Raises PageFailed."""
        if plain or neutral:
            return self._made_copy(number, plain, neutral)
        return self._recent("copy", number)

    def blocks(self, number: int) -> bytes:
        """The blocks of a page as JSON. Raises PageFailed."""
        return self._recent("blocks", number)

    def make_ready(self, number: int) -> None:
        """Makes what a page needs, for a thread in the background."""
        try:
            self.blocks(number)
            self.copy(number)
        except PageFailed:
            return  # the list says why

    def make_large_ready(self) -> None:
        """Makes what the large pages need, the most doubtful first; for a thread in the background."""
        for number in self.workbook.by_doubt():
            path = self.workbook.sheets[number].path
            if self._size < PACKED_BYTES and path.is_file() and path.stat().st_size >= LARGE_FILE:
                self.make_ready(number)

    def _unpacked(self, kind: str, number: int) -> bytes:
        with self._lock:
            packed = self._packed.get((kind, number))
            if packed is not None:
                return zlib.decompress(packed)
            make: Callable[[int], bytes] = self._made_copy if kind == "copy" else self._made_blocks
            made = make(number)
            if len(made) >= LARGE and self._size < PACKED_BYTES:
                self._packed[kind, number] = zlib.compress(made, 1)
                self._size += len(self._packed[kind, number])
            return made

    def _made_copy(self, number: int, plain: bool = False, neutral: bool = False) -> bytes:
        folder, path = self.workbook.folder, Path(self.workbook.sheets[number].path)
        stylesheets = saved_stylesheets(folder, path)
        return cleaned_copy(
            self.workbook.markup(number), stylesheets, self.own_style, plain=plain, neutral=neutral
        ).encode("utf-8", "replace")

    def _made_blocks(self, number: int) -> bytes:
        return json.dumps(
            blocks_of(self.workbook.opened(number)[2]), ensure_ascii=False, separators=(",", ":")
        ).encode("utf-8", "replace")


def blocks_of(nodes: TextNodes) -> dict[str, Any]:
    """The elements that hold text, as columns; one around another with the same text counts once, the outer
    one.

    Of each block: its element, the block around it (-1 for none), its first node and the one after its last,
    how many elements its element lies above the one that holds the first node, and what it is called, as a
    place in ``labels``.
    """
    first, end = nodes.first.tolist(), nodes.end.tolist()
    depth = nodes.depths()
    text_depth = depth[nodes.element].tolist()
    depths = depth.tolist()
    named = dict(nodes.names or ())
    block_of: list[int] = []  # element → the block that stands for it
    labels: dict[str, int] = {}
    columns: dict[str, list[Any]] = {
        "element": [],
        "parent": [],
        "first": [],
        "end": [],
        "above": [],
        "label": [],
    }
    for element, parent in enumerate(nodes.parent.tolist()):
        above = block_of[parent] if parent >= 0 else -1
        same = (
            above >= 0 and columns["first"][above] == first[element] and columns["end"][above] == end[element]
        )
        if first[element] == end[element] or same:
            block_of.append(above)
            continue
        block_of.append(len(columns["element"]))
        words = named.get(element, "").split()
        label = ".".join((nodes.tag[element], *words[:2]))[:60]
        columns["element"].append(element)
        columns["parent"].append(above)
        columns["first"].append(first[element])
        columns["end"].append(end[element])
        columns["above"].append(text_depth[first[element]] - depths[element])
        columns["label"].append(labels.setdefault(label, len(labels)))
    return columns | {"labels": list(labels)}
