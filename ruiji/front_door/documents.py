"""Pages one by one: their content as documents, the models that find it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruiji.chunker.conventions import AUTO
from ruiji.chunker.filters import DEFAULT_FILTER
from ruiji.chunker.fitting import check_masks, fitted_masks, learns_from_pages
from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.errors import SettingError
from ruiji.corpora.page import Page
from ruiji.corpora.pool.workers import map_pages
from ruiji.corpora.sources import PageSource, page_source, single_page
from ruiji.document import (
    Document,
    DocumentSettings,
    DocumentsOfPages,
    document_settings,
    is_unsure,
    least_for,
    without_text,
)
from ruiji.features.page.parser_input import PageFailed
from ruiji.front_door.arguments import source_for
from ruiji.front_door.checks import checked

if TYPE_CHECKING:  # what only some calls need is imported when they are called
    from ruiji.chunker.crf.estimator import CrfChunker

JOBS = 2  # worker processes of extract_many


@checked
def extract(
    html: Any,
    url: str = "",
    *,
    filter: str = DEFAULT_FILTER,
    model: str | Path = "",
    convention: str = AUTO,
    links: bool = True,
    images: bool = True,
    tables: bool = True,
    ruby: str = "drop",
    comments: str = "auto",
) -> Document:
    """The content of one page: HTML as text or bytes, a path, a dict with ``url`` and ``html``, or a Page.

    ``url`` is where the page is from. ``filter`` says what counts as content: ``crf``, a learned model, which
    ``model`` may name; ``blocks``, rules; ``none``, all of it. ``convention`` is what the model is to take
    for content: ``blocks``, ``headline`` or ``element`` (``auto``: ``element`` on Japanese pages).
    ``links``, ``images`` and ``tables`` can be left out of the Markdown; ``ruby="keep"`` writes readings
    there (漢字《かんじ》); ``comments="keep"`` has comments of readers in the text, ``"field"`` in that
    field only, ``"drop"`` nowhere, ``"auto"`` in the field and, where the filter keeps them, in the text.
    Raises PageFailed for what is no HTML page.

    >>> import ruiji
    >>> page = "<ul><li><a href=/>Home</a></ul><p>The ferry to Uzushio leaves at seven every morning.</p>"
    >>> document = ruiji.extract(page, url="http://ferry.example/", filter="blocks")
    >>> document.text
    'The ferry to Uzushio leaves at seven every morning.'
    >>> ruiji.extract(page, filter="none").text.splitlines()[0]
    'Home'
    """
    masks = MaskSettings(filter, str(model), convention=convention)
    check_masks(masks)
    if learns_from_pages(masks):
        raise SettingError(
            "‹filter=unique› compares pages of a site: pass them to extract_many, or name a ‹model›"
        )
    settings = document_settings(links, images, tables, ruby, comments)
    (document,) = DocumentsOfPages(masks, settings)([single_page(html, url)])
    if document.error:
        raise PageFailed(document.error)
    return document


@checked
def extract_many(
    pages: Any,
    jobs: int = JOBS,
    *,
    filter: str = DEFAULT_FILTER,
    model: str | Path = "",
    alone: bool = False,
    convention: str = AUTO,
    fallback: str = "",
    links: bool = True,
    images: bool = True,
    tables: bool = True,
    ruby: str = "drop",
    comments: str = "auto",
    precision: float | None = None,
) -> Iterator[Document]:
    """The content of each page, in order and as it comes; a page that fails has an ``error`` and no text.

    ``jobs`` is the number of worker processes; 0 works in this one. Where a site has several of the pages,
    what most of them repeat at the same place counts against a text; so they are looked at twice, unless they
    come from an iterator or ``alone`` judges each page by itself. ``filter="unique"`` keeps what other
    pages of the same site do not have, and reads the pages twice; ``fallback`` decides on pages that are
    alone on their site. ``precision`` leaves documents without text of which it cannot be promised.

    >>> import ruiji
    >>> pages = [{"url": f"http://a.example/{name}", "html": f"<p>{name}</p>"} for name in ("one", "two")]
    >>> [document.text for document in ruiji.extract_many(pages, jobs=0, filter="none")]
    ['one', 'two']
    """
    masks = MaskSettings(filter, str(model), fallback, alone=alone, convention=convention)
    check_masks(masks)
    source = source_for(masks, pages)
    settings = document_settings(links, images, tables, ruby, comments)
    return _documents(source, masks, settings, jobs, least_for(masks, precision))


def _documents(
    pages: PageSource, masks: MaskSettings, settings: DocumentSettings, jobs: int, least: float | None
) -> Iterator[Document]:
    with fitted_masks(masks, pages, jobs) as fitted:
        function = DocumentsOfPages(fitted, settings)
        for document in map_pages(function, pages, failed=function.failed, jobs=jobs):
            yield without_text(document) if is_unsure(document.expected_f1, least) else document


def read_pages(pages: Any) -> Iterator[Page]:
    """The pages of files, folders and archives, or of what else a program has, one after the other.

    >>> import ruiji
    >>> from ruiji.corpora import MINIWEB
    >>> next(ruiji.read_pages([MINIWEB / "fjordnotes.org"])).id
    'fn-2019/fn-eelgrass-at-the-back-door.html'
    """
    return iter(page_source(pages))


@checked
def load_model(name: str | Path = "default") -> CrfChunker:
    """A trained chunker: a shipped model by its name, or the folder that ``ruiji train`` wrote.

    Raises ModelError where there is none.

    >>> import ruiji
    >>> ruiji.load_model("nakamura").features
    'nakamura'
    """
    from ruiji.chunker.crf.folder import load_model as load_folder

    return load_folder(str(name))
