"""What records work needs to know of the world, as text files: field names, posts, forms of kanji."""

from __future__ import annotations

from importlib.resources import files


def data_text(name: str) -> str:
    """The text of a file of this folder."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def data_lines(name: str) -> list[str]:
    """The lines of a file of this folder that are neither empty nor a comment."""
    lines = (line.strip() for line in data_text(name).splitlines())
    return [line for line in lines if line and not line.startswith("#")]
