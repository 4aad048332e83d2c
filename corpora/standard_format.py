"""The standard format for web documents (Kang 2009, section 4.1 and figure 8): pages as XML of titles, links and sentences.

A page read from it has its sentences as paragraphs, so that every later stage takes it like any other page.
"""

from __future__ import annotations

import gzip
import html
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from lxml import etree

from corpora.page import Page
from corpora.writing import replacing

ROOT = "StandardFormat"
COLLECTION = "StandardFormats"  # several pages in one file; the original has a file a page

# Names of Shift_JIS that the original's tools use (section 4.1, step 1) and the web does not.
_PERL_NAMES = {"shiftjis": "shift_jis", "shiftjp": "shift_jis", "windows-932": "shift_jis"}

# Characters that XML 1.0 (section 2.2) cannot carry, not even as references.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as the format has it: offset and length in the page's source, running number, raw string."""

    number: int
    text: str
    offset: int
    length: int
    japanese: bool


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page: anchor text, target url, and the target's id where it is in the collection."""

    text: str
    url: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """What the format says of one page."""

    url: str
    encoding: str
    title: str
    sentences: Sequence[Sentence]
    out_links: Sequence[Link] = ()
    in_links: Sequence[Link] = ()


def read_standard_format(path: Path) -> Iterator[Page]:
    """The pages of a standard-format file, one element in memory at a time; entities and networks are not touched."""
    opener = gzip.open if path.name.lower().endswith(".gz") else open
    count = 0
    try:
        with opener(path, "rb") as stream:
            events = etree.iterparse(stream, tag=ROOT, huge_tree=True, resolve_entities=False, no_network=True)
            for _, element in events:
                count += 1
                yield _page_of_element(element, f"{path.name}:{count}")
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
            if not count:
                yield Page(path.name, path.name, error=f"no standard format: the XML has no {ROOT} element")
    except (etree.XMLSyntaxError, OSError, EOFError, zlib.error) as error:
        name = f"{path.name}:{count + 1}"
        yield Page(name, name, error=f"the XML cannot be read beyond page {count}: {error}")


def _page_of_element(element: Any, name: str) -> Page:
    url = element.get("Url") or name
    title = "".join(element.findtext("Header/Title/RawString") or "").strip()
    paragraphs = ["".join(raw.xpath("text()")).strip() for raw in element.xpath("Text//S/RawString")]
    out_links = [
        {"text": (link.findtext("RawString") or "").strip(), "url": target.get("Url") or "", "id": target.text or ""}
        for link in element.iterfind("Header/OutLinks/OutLink")
        for target in link.iterfind("DocIDs/DocID")
    ]
    body = "\n".join(f"<p>{html.escape(text, quote=False)}</p>" for text in paragraphs)
    markup = f"<!DOCTYPE html>\n<title>{html.escape(title, quote=False)}</title>\n{body}\n"
    encoding = element.get("OriginalEncoding") or "utf-8"
    extra = {"encoding": _PERL_NAMES.get(encoding.lower(), encoding), "out_links": out_links}
    return Page(url, url, markup, extra=extra)


def write_standard_format(documents: Iterable[Document], destination: Path) -> int:
    """Writes one file of all documents where the name ends in .xml, else a folder with a file a document; returns how many."""
    count = 0
    if destination.suffix == ".xml":
        with replacing(destination) as stream, etree.xmlfile(stream, encoding="utf-8") as xml:
            xml.write_declaration()
            with xml.element(COLLECTION):
                for document in documents:
                    xml.write(_element(document), pretty_print=True)
                    count += 1
        return count
    for count, document in enumerate(documents, start=1):
        with replacing(destination / f"{count:08d}.xml") as stream:
            _write_one(document, stream)
    for left in destination.glob("[0-9]" * 8 + ".xml"):  # of an earlier, longer run
        if int(left.stem) > count:
            left.unlink()
    return count


def _write_one(document: Document, stream: IO[bytes]) -> None:
    stream.write(etree.tostring(_element(document), xml_declaration=True, encoding="utf-8", pretty_print=True))


def _element(document: Document) -> Any:
    root = etree.Element(ROOT, Url=_xml(document.url), OriginalEncoding=_xml(document.encoding))
    header = etree.SubElement(root, "Header")
    _raw(etree.SubElement(header, "Title", Offset="0", Length=str(len(document.title))), document.title)
    for name, links in (("OutLink", document.out_links), ("InLink", document.in_links)):
        group = etree.SubElement(header, f"{name}s")
        for link in links:
            element = etree.SubElement(group, name)
            _raw(element, link.text)
            target = etree.SubElement(etree.SubElement(element, "DocIDs"), "DocID", Url=_xml(link.url))
            target.text = _xml(link.id)
    text = etree.SubElement(root, "Text", Type="default")
    for sentence in document.sentences:
        element = etree.SubElement(
            text, "S", Offset=str(sentence.offset), Length=str(sentence.length),
            is_Japanese_Sentence=str(int(sentence.japanese)), Id=str(sentence.number),
        )  # fmt: skip
        _raw(element, sentence.text)
    return root


def _raw(parent: Any, text: str) -> None:
    etree.SubElement(parent, "RawString").text = _xml(text)


def _xml(text: str) -> str:
    """The text with what XML cannot carry shown as U+FFFD."""
    return _NOT_XML.sub("\ufffd", text)
