"""The value that everything else works on. Imports nothing of the project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

STANDARD_FORMAT = (
    "standard_format"  # in Page.extra: what the standard format says of the page beside its sentences
)


PLAIN_TEXT = "plain_text"  # in Page.extra: the text as which the page came, without markup of its own


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
    one row that carries the error. ``is_text``: the bytes are the UTF-8 of a text that somebody has
    decoded; only a function that says it takes such pages is given them (``workers.run_batch``).

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
    is_text: bool = False

    @property
    def size(self) -> int:
        """Bytes or characters of markup."""
        return len(self.html)

    @property
    def address(self) -> str:
        """Its url: what a page that is still to be read has as well."""
        return self.url


class UnreadPage(Protocol):
    """A page as it stands in its source: who has the time makes a page of it."""

    @property
    def size(self) -> int:
        """Bytes that it has there."""

    @property
    def address(self) -> str:
        """Its url, as far as it can be seen without reading all of it; "" where it cannot."""

    def page(self, as_utf8: bool = False) -> Page:
        """The page, which has an error where it cannot be read; ``as_utf8`` allows for markup that is text to
        come as UTF-8, with ``is_text``.
        """


PageRecord = Page | UnreadPage


def page_of_record(record: PageRecord, as_utf8: bool = False) -> Page:
    """The page itself; ``as_utf8`` as above."""
    return record if isinstance(record, Page) else record.page(as_utf8=as_utf8)


def well_formed(text: str) -> str:
    """The text with lone surrogates, which no table and no UTF-8 can carry, as escapes: from JSON, or from
    names of files that are not UTF-8.

    >>> well_formed("http://\\ud800.example/")
    'http://\\\\ud800.example/'
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def page_of_text(
    text: str,
    page_id: str,
    url: str,
    title: str = "",
    last_modified: str = "",
    extra: Mapping[str, Any] | None = None,
) -> Page:
    """The page that a text is.

    >>> page_of_text("a < b\\nc", "t", "t").html
    '<!doctype html><title></title><p>a &lt; b</p>\\n<p>c</p>'
    """
    from html import escape  # brings the names of all characters along, and few pages are texts

    lines = "\n".join(f"<p>{escape(line, quote=False)}</p>" for line in text.splitlines() if line.strip())
    html = f"<!doctype html><title>{escape(title, quote=False)}</title>{lines}"
    return Page(page_id, url, html, "", last_modified, {**(extra or {}), PLAIN_TEXT: text})


def is_plain_text(page: Page) -> bool:
    """Whether a page came as text."""
    return PLAIN_TEXT in page.extra
