"""The style sheets that a mirroring tool saved beside the pages; nothing is ever fetched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ruiji.web.foreign.copy import Stylesheet
from ruiji.web.safety import OutsideFolder, confined

MAX_STYLE_BYTES = 2 << 20


def saved_stylesheets(folder: Path, page: Path) -> Stylesheet:
    """What gives the text of a style sheet that the page (a file in the folder) names, where the folder holds
    it.
    """

    def stylesheet(address: str) -> str | None:
        for candidate in _candidates(folder, page, address):
            try:
                real = confined(folder, candidate)
                if (
                    real.suffix.lower() == ".css"
                    and real.is_file()
                    and real.stat().st_size <= MAX_STYLE_BYTES
                ):
                    return real.read_text(encoding="utf-8-sig", errors="replace")
            except (OSError, OutsideFolder, ValueError):
                continue
        return None

    return stylesheet


def _candidates(folder: Path, page: Path, address: str) -> Iterator[Path]:
    """Where the style sheet may have been saved: by host name, from the root of the site, beside the page."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return
    path = unquote(parts.path)
    if parts.netloc:
        yield folder / parts.netloc / path.lstrip("/")
    elif path.startswith("/"):
        relative = page.relative_to(folder)
        if len(relative.parts) > 1:
            yield folder / relative.parts[0] / path.lstrip("/")
        yield folder / path.lstrip("/")
    elif path:
        yield page.parent / path
