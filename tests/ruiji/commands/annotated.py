"""A handful of annotated pages, quick settings to learn from them, and readers of what commands write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SITES = ("tabi-no-kakera.com", "otoku-joho-navi777.com", "www.cs.miozaki-u.ac.jp")
LIGHT = ["--c1", "0.5", "--c2", "0.5"]  # for a handful of pages
QUICK = [*LIGHT, "--iterations", "8", "--jobs", "1"]
BEGIN, END = "<!-- (((BEGIN NOT CONTENT -->", "<!-- )))END NOT CONTENT -->"


def write(folder: Path, **html: str) -> Path:
    """A folder of pages, by name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in html.items():
        (folder / f"{name}.html").write_text(content, encoding="utf-8")
    return folder


def read(path: Path) -> dict[str, Any]:
    """A JSON file that other programs can read too: NaN is no JSON."""

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)
    return found


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]
