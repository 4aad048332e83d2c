"""The value that everything else works on. Imports nothing of the project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

STANDARD_FORMAT = (
    "standard_format"  # in Page.extra: what the standard format says of the page beside its sentences
)


class InputError(Exception):
    """An input that cannot be read at all; the message is one sentence for the user.

    >>> import ruiji
    >>> ruiji.read_pages("nowhere.html")
    Traceback (most recent call last):
    ...
    ruiji.corpora.page.InputError: nowhere.html: there is no such file or folder
    """


@dataclass(frozen=True, slots=True)
class Page:
    """One fetched HTML document.

    ``html`` is bytes as they came over the wire, or text where somebody has decoded it already (a JSONL
    field). ``content_type`` is the HTTP header. ``extra`` holds the fields of the source that have no place
    here. ``error`` says why a page could not be read; such a page has no html and goes through every stage as
    one row that carries the error.

    >>> Page("ferries", "http://a.example/ferries", b"<p>At seven.</p>").url
    'http://a.example/ferries'
    """

    id: str
    url: str
    html: bytes | str = b""
    content_type: str = ""
    last_modified: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""
