"""The standard format for web documents (Kang 2009, section 4.1 and figure 8): pages as XML of titles, links
and sentences.

A page read from it has its sentences as paragraphs, so that every later stage takes it like any other page;
what else the format says of it is in ``extra``: out_links, in_links, and under "standard_format" the numbers
and places of the sentences.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import IO, Any

from lxml import etree

from ruiji.corpora.files import replacing
from ruiji.corpora.limits import READING_ERRORS, XML_BYTES, PageStream, TooLarge, open_file
from ruiji.corpora.page import STANDARD_FORMAT, Page

ROOT = "StandardFormat"
COLLECTION = "StandardFormats"  # several pages in one file; the original has a file a page

# Names of Shift_JIS that the original's tools use (section 4.1, step 1) and the web does not.
_PERL_NAMES = {"shiftjis": "shift_jis", "shiftjp": "shift_jis", "windows-932": "shift_jis"}

# Characters that XML 1.0 (section 2.2) cannot carry, not even as references.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HOST_FIRST = re.compile(
    r"\A(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?/", re.IGNORECASE
)  # figure 8 has the address of a link without http://


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as the format has it: running number, raw string, offset and length in the page, whether it
    is Japanese.

    What ruiji writes counts offset and length in characters of the page's normalised text; others' figures
    are kept as they are.
    """

    number: int
    text: str
    offset: int
    length: int
    japanese: bool


@dataclass(frozen=True, slots=True)
class LinkEntry:
    """A link of a page: anchor text, the other page's url, and its id where it is in the collection."""

    text: str
    url: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class StandardDocument:
    """What the format says of one page; ``title_place`` is offset and length of the title."""

    url: str
    encoding: str
    title: str
    sentences: Sequence[Sentence]
    out_links: Sequence[LinkEntry] = ()
    in_links: Sequence[LinkEntry] = ()
    id: str = ""
    title_place: tuple[int, int] | None = None


def read_standard_format(path: Path) -> Iterator[Page]:
    """The pages of a standard-format file, one element in memory at a time; entities and networks are not
    touched.
    """
    count = 0
    try:
        for count, element in enumerate(_elements(path), start=1):
            yield page_of_document(_document(element, f"{path.name}:{count}"))
        if not count:
            yield Page(path.name, path.name, error=f"no standard format: the XML has no {ROOT} element")
    except (etree.XMLSyntaxError, *READING_ERRORS, TooLarge) as error:
        name = f"{path.name}:{count + 1}"
        yield Page(name, name, error=f"the XML cannot be read beyond page {count}: {error}")


def _elements(path: Path) -> Iterator[Any]:
    with open_file(path) as file:
        stream = PageStream(file, XML_BYTES)
        for _, element in etree.iterparse(stream, tag=ROOT, resolve_entities=False, no_network=True):
            yield element
            stream.start_page()
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]


def _document(element: Any, name: str) -> StandardDocument:
    url = element.get("Url") or name
    title = element.find("Header/Title")
    encoding = element.get("OriginalEncoding") or "utf-8"
    return StandardDocument(
        url=url,
        encoding=_PERL_NAMES.get(encoding.lower(), encoding),
        title=_string(title),
        sentences=[
            Sentence(
                _number(s.get("Id"), place),
                _string(s),
                _number(s.get("Offset")),
                _number(s.get("Length")),
                _number(s.get("is_Japanese_Sentence")) == 1,
            )
            for place, s in enumerate(element.xpath("Text//S[RawString]"), start=1)
        ],
        out_links=list(_links(element, "OutLink")),
        in_links=list(_links(element, "InLink")),
        id=element.get("Id") or "",
        title_place=None
        if title is None or title.get("Offset") is None
        else (_number(title.get("Offset")), _number(title.get("Length"))),
    )


def _links(element: Any, name: str) -> Iterator[LinkEntry]:
    for link in element.iterfind(f"Header/{name}s/{name}"):
        text = _string(link)
        for target in link.iterfind("DocIDs/DocID"):
            yield LinkEntry(text, target.get("Url") or "", (target.text or "").strip())


def _string(parent: Any) -> str:
    """The raw string of an element, without white space around it."""
    raw = None if parent is None else parent.find("RawString")
    return "" if raw is None else "".join(raw.xpath("text()")).strip()


def _number(value: str | None, otherwise: int = 0) -> int:
    """A number as the file has it; of what is none, another."""
    return int(value) if value is not None and re.fullmatch(r"-?[0-9]{1,18}", value) else otherwise


def page_of_document(document: StandardDocument) -> Page:
    """The page that later stages take: a paragraph a sentence; sentences without text are left out."""
    shown = [sentence for sentence in document.sentences if sentence.text]
    body = "\n".join(f"<p>{html.escape(sentence.text, quote=False)}</p>" for sentence in shown)
    markup = f"<!DOCTYPE html>\n<title>{html.escape(document.title, quote=False)}</title>\n{body}\n"
    extra = {
        "encoding": document.encoding,
        "out_links": [asdict(link) for link in document.out_links],
        "in_links": [asdict(link) for link in document.in_links],
        STANDARD_FORMAT: {
            "title_place": document.title_place,
            "sentences": [
                [sentence.number, sentence.offset, sentence.length, sentence.japanese] for sentence in shown
            ],
        },
    }
    return Page(document.id or document.url, document.url, markup, extra=extra)


def given_links(page: Page, name: str) -> list[LinkEntry]:
    """The out_links or in_links that a page of standard format brings along, with whole addresses; none of
    any other page.
    """
    given = page.extra.get(name)
    if STANDARD_FORMAT not in page.extra or not isinstance(given, list):
        return []
    return [
        LinkEntry(str(link.get("text") or ""), _whole_address(str(link["url"])), str(link.get("id") or ""))
        for link in given
        if isinstance(link, Mapping) and link.get("url")
    ]


def _whole_address(url: str) -> str:
    return f"http://{url}" if _HOST_FIRST.match(url) else url


def given_sentences(page: Page, texts: Sequence[str]) -> list[Sentence] | None:
    """The sentences of a page of standard format, with the texts of its nodes; None of any other page."""
    places = _given(page).get("sentences")
    if not isinstance(places, list) or len(places) != len(texts):
        return None
    try:
        return [
            Sentence(int(number), text, int(offset), int(length), bool(japanese))
            for text, (number, offset, length, japanese) in zip(texts, places, strict=True)
        ]
    except (TypeError, ValueError):  # somebody has changed the table on its way
        return None


def given_title_place(page: Page) -> tuple[int, int] | None:
    """Offset and length of the title of a page of standard format; None where nothing is said."""
    match _given(page).get("title_place"):
        case [int(offset), int(length)]:
            return offset, length
    return None


def _given(page: Page) -> Mapping[str, Any]:
    given = page.extra.get(STANDARD_FORMAT)
    return given if isinstance(given, Mapping) else {}


def write_standard_format(documents: Iterable[StandardDocument], destination: Path) -> int:
    """Writes one file of all documents where the name ends in .xml, else a folder with a file a document;
    returns how many.
    """
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


def _write_one(document: StandardDocument, stream: IO[bytes]) -> None:
    stream.write(
        etree.tostring(_element(document), xml_declaration=True, encoding="utf-8", pretty_print=True)
    )


def _element(document: StandardDocument) -> Any:
    root = etree.Element(ROOT, Url=_xml(document.url), OriginalEncoding=_xml(document.encoding))
    if document.id:
        root.set("Id", _xml(document.id))
    header = etree.SubElement(root, "Header")
    offset, length = document.title_place or (0, len(document.title))
    _raw(etree.SubElement(header, "Title", Offset=str(offset), Length=str(length)), document.title)
    for name, links in (("OutLink", document.out_links), ("InLink", document.in_links)):
        group = etree.SubElement(header, f"{name}s")
        for text, same in groupby(links, key=lambda link: link.text):  # figure 8: one string, several pages
            element = etree.SubElement(group, name)
            _raw(element, text)
            targets = etree.SubElement(element, "DocIDs")
            for link in same:
                etree.SubElement(targets, "DocID", Url=_xml(link.url)).text = _xml(link.id)
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
