"""A page of a set and the text that its annotators kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ruiji.chunker.annotation.examples import MAIN_CONTENT
from ruiji.corpora.page import PLAIN_TEXT, InputError, Page
from ruiji.corpora.reading import page_from_file


class NoGold(Exception):
    """A page whose annotation is missing or cannot be read; the message says why."""


def folder_in(source: Path, name: str) -> Path:
    """The folder of that name in a set. Raises InputError where there is none."""
    folder = source / name
    if not folder.is_dir():
        raise InputError(f"{source}: has no folder {name}")
    return folder


def gold_text(path: Path) -> str:
    """The text of a file, in whatever encoding. Raises NoGold."""
    if not path.is_file():
        raise NoGold(f"there is no {path.name}")
    page = page_from_file(path, path.name, path.name)
    if page.error:
        raise NoGold(f"{path.name}: {page.error}")
    return str(page.extra[PLAIN_TEXT])


def page_with_gold(page: Page, main_content: str) -> Page:
    """The page with the text that is its content."""
    return replace(page, extra={**page.extra, MAIN_CONTENT: main_content})


def page_without_gold(page: Page, reason: NoGold) -> Page:
    """The page as an error row: nothing can be learned from it."""
    return page if page.error else replace(page, html=b"", error=str(reason))
