"""A page as people want it: its content as text, with what is known of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from ruiji.chunker.comments import comment_nodes
from ruiji.chunker.mask import ContentMask
from ruiji.chunker.masking import MaskedPage, MaskSettings, masked_pages
from ruiji.corpora.errors import SettingError
from ruiji.corpora.page import Page
from ruiji.features.arrays import BoolArray
from ruiji.features.page.textnodes import TextNodes

if TYPE_CHECKING:  # documents with their structure take a while to import, and plain text needs none of it
    from ruiji.chunker.document.model import Body
    from ruiji.chunker.document.reading import BodySettings

RUBY = ("keep", "drop")
COMMENTS = ("auto", "keep", "field", "drop")


@dataclass(frozen=True, slots=True)
class DocumentSettings:
    """What of a page goes into its document: links, images and tables in the Markdown, readings of ruby
    behind their text (漢字《かんじ》) or nowhere, comments of readers.
    """

    links: bool = True
    images: bool = True
    tables: bool = True
    ruby: str = "drop"
    comments: str = "auto"

    def body(self) -> BodySettings:
        """The part that is about the body."""
        from ruiji.chunker.document.reading import BodySettings

        return BodySettings(self.links, self.images, self.tables, self.ruby == "keep")


def document_settings(links: bool, images: bool, tables: bool, ruby: str, comments: str) -> DocumentSettings:
    """The settings; raises SettingError for words that are none."""
    for name, value, choices in (("ruby", ruby, RUBY), ("comments", comments, COMMENTS)):
        if value not in choices:
            raise SettingError(f"‹{name}› is {' or '.join(choices)}, not {value!r}")
    return DocumentSettings(links, images, tables, ruby, comments)


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """The content of a page.

    ``text`` is what a reader of the page reads, ``markdown`` the same with its structure, without the
    headline that repeats the ``title``. ``published`` and ``modified`` are ISO 8601, ``language`` is ISO
    639-1 and that of the content, ``sources`` say where title, author and the like came from. ``comments``
    are those of readers. ``body`` is the document as values, ``nodes`` are all text nodes of the page and
    ``mask`` says which of them are content. ``expected_f1`` is how good the text is likely to be, as the F1
    of its words; None where the filter cannot say. ``dropped`` counts characters that are in no text node, by
    reason. A page that failed has an ``error``, no text, no nodes and no mask.

    >>> import ruiji
    >>> page = "<title>Ferry - Port</title><h1>Ferry</h1><p>It leaves at <b>seven</b>.</p><ul><li>daily</ul>"
    >>> document = ruiji.extract(page, filter="none")
    >>> print(document.title, document.markdown, sep="\\n\\n")
    Ferry
    <BLANKLINE>
    It leaves at **seven**.
    <BLANKLINE>
    - daily
    """

    id: str
    url: str
    title: str = ""
    author: str = ""
    published: str = ""
    modified: str = ""
    site: str = ""
    language: str = ""
    canonical: str = ""
    image: str = ""
    license: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    markdown: str = ""
    comments: str = ""
    encoding: str = ""
    encoding_evidence: str = ""
    expected_f1: float | None = None
    dropped: Mapping[str, int] = field(default_factory=dict)
    body: Body | None = None
    nodes: TextNodes | None = None
    mask: ContentMask | None = None
    error: str = ""

    @property
    def content_nodes(self) -> int:
        """The number of text nodes that are content."""
        return 0 if self.mask is None else int(self.mask.content.sum())

    def labels(self) -> list[dict[str, Any]]:
        """Each text node with its text, whether it is content, how surely, and its path in the page."""
        if self.nodes is None or self.mask is None:
            return []
        paths = self.nodes.element_paths()
        columns = (self.nodes.texts, self.mask.content.tolist(), self.mask.score.tolist())
        return [
            {"text": text, "content": content, "score": round(score, 4), "path": paths[element]}
            for text, content, score, element in zip(*columns, self.nodes.element.tolist(), strict=True)
        ]

    def record(self) -> dict[str, Any]:
        """The document as one JSON object, as ``ruiji extract --format jsonl`` writes it."""
        return {
            "id": self.id,
            "url": self.url,
            "title": self.title,
            "author": self.author,
            "published": self.published,
            "modified": self.modified,
            "language": self.language,
            "encoding": self.encoding,
            "text": self.text,
            "markdown": self.markdown,
            "comments": self.comments,
            "content_nodes": self.content_nodes,
            "nodes": 0 if self.nodes is None else len(self.nodes),
            "expected_f1": None if self.expected_f1 is None else round(self.expected_f1, 4),
            "dropped": dict(self.dropped),
            "error": self.error or None,
            "encoding_evidence": self.encoding_evidence,
            "site": self.site,
            "canonical": self.canonical,
            "image": self.image,
            "license": self.license,
            "sources": dict(self.sources),
        }


def least_for(masks: MaskSettings, precision: float | None) -> float | None:
    """The expected F1 that a page must have for a precision to be promised of it; None where none is asked
    for. Raises SettingError where the filter cannot promise any.
    """
    if precision is None:
        return None
    if masks.filter != "crf":
        raise SettingError(
            f"‹precision› goes with ‹filter=crf›: ‹filter={masks.filter}› cannot say how sure it is"
        )
    from ruiji.chunker.crf.promise import least_expected_f1

    return least_expected_f1(precision, masks.model)


def is_unsure(expected_f1: float | None, least: float | None) -> bool:
    """Whether the precision that is asked for cannot be promised of a page; one that came as text is sure."""
    return least is not None and expected_f1 is not None and expected_f1 < least


def without_text(document: Document) -> Document:
    """The document of a page whose text is not sure enough: its characters are dropped for their
    precision.
    """
    dropped = {**document.dropped, "precision": len(document.text)}
    return replace(document, text="", markdown="", comments="", dropped=dropped)


def _with_comments_decided(masked: MaskedPage, settings: DocumentSettings) -> tuple[ContentMask, BoolArray]:
    """The mask, with or without comments of readers where that was asked for, and which nodes are
    comments.
    """
    mask = masked.mask
    comments = comment_nodes(masked.nodes, mask.content)
    content = mask.content
    if settings.comments == "keep":
        content = content | comments
    elif settings.comments != "auto":
        content = content & ~comments
    if (content != mask.content).any():
        mask = replace(mask, content=content, labels=None)
    return mask, comments


def _content(masked: MaskedPage, settings: DocumentSettings) -> BoolArray:
    """Which nodes are content; where the filter decides on comments, nobody looks for them."""
    if settings.comments == "auto":
        return masked.mask.content
    return _with_comments_decided(masked, settings)[0].content


def content_text(masked: MaskedPage, settings: DocumentSettings) -> str:
    """The text alone, of a page that needs no details."""
    return masked.nodes.shown_text(_content(masked, settings))


def content_markdown(masked: MaskedPage, settings: DocumentSettings) -> str:
    """The Markdown alone: what else is known of the page is not looked for."""
    from ruiji.chunker.document.metadata import headline_of
    from ruiji.chunker.document.reading import markdown_of

    nodes, content = masked.nodes, _content(masked, settings)
    return markdown_of(nodes, content, masked.page.url, headline_of(nodes), settings.body())


def tei_of(document: Document) -> str:
    """A document as TEI."""
    from ruiji.chunker.document.metadata import Metadata
    from ruiji.chunker.document.model import Body
    from ruiji.chunker.document.writing.tei import tei

    metadata = Metadata(**{item.name: getattr(document, item.name) for item in fields(Metadata)})
    return tei(document.body or Body(()), metadata, document.url)


def document_of(masked: MaskedPage, settings: DocumentSettings | None = None) -> Document:
    """The document of a page with its mask, which was walked in detail."""
    from ruiji.chunker.document.metadata import metadata_of
    from ruiji.chunker.document.reading import body_of
    from ruiji.chunker.document.writing.markdown import markdown

    wanted = settings or DocumentSettings()
    nodes = masked.nodes
    mask, comments = _with_comments_decided(masked, wanted)
    text = nodes.shown_text(mask.content)
    metadata = metadata_of(nodes, text, masked.page.url)
    body = body_of(nodes, mask.content, masked.page.url, metadata.title, wanted.body())
    return Document(
        id=masked.page.id,
        url=masked.page.url,
        **{item.name: getattr(metadata, item.name) for item in fields(metadata)},
        text=text,
        markdown=markdown(body),
        comments=nodes.shown_text(comments) if wanted.comments != "drop" and comments.any() else "",
        encoding=nodes.encoding,
        encoding_evidence=nodes.evidence,
        expected_f1=mask.expected_f1,
        dropped=dict(nodes.dropped),
        body=body,
        nodes=replace(nodes, markup=None),  # which is large, and has served
        mask=mask,
    )


@dataclass(frozen=True, slots=True)
class DocumentsOfPages:
    """The function that is mapped over pages."""

    masks: MaskSettings = field(default_factory=MaskSettings)
    settings: DocumentSettings = field(default_factory=DocumentSettings)

    def __call__(self, pages: Sequence[Page]) -> list[Document]:
        return [
            document_of(result, self.settings)
            if isinstance(result, MaskedPage)
            else self.failed(result.page, result.error)
            for result in masked_pages(pages, self.masks.load(), detailed=True)
        ]

    def failed(self, page: Page, error: str) -> Document:
        """The document of a page that gives no text: why."""
        return Document(page.id, page.url, error=error)
