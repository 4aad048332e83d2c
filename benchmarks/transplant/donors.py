"""Real annotated pages, taken apart: their content by blocks, and the page without it, as a frame that takes
other content.
"""

from __future__ import annotations

import html as markup
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import lxml.html
from lxml import etree

from ruiji.chunker.annotation.examples import examples_of
from ruiji.chunker.annotation.markers import BEGIN, END
from ruiji.chunker.annotation.reading import AnnotationError
from ruiji.chunker.annotation.writing import annotate
from ruiji.chunker.labels import regions_of
from ruiji.corpora import Page, read_pages
from ruiji.detector.sites import site_of
from ruiji.features.text.dates import dates_in

BLOCKS = frozenset(
    """address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead
    tr ul""".split()
)
UNSEEN = frozenset("head script style noscript template textarea select svg iframe".split())
IN_PLACE = 0.85  # of the content that an element holds for the search of its place to go down into it
CITED = 24  # characters of a sentence that is cited; of an alphabet twice as many
HEAVY = 600  # characters of prose in a frame from which on it is heavy
LONG = 20  # characters of a sentence that counts, as the detector has it
SENTENCES = (6, 150)  # long ones in a page that gives content
LARGEST = 400_000  # characters of a page's source
_SENTENCE_END = re.compile(r"\n|(?<=[。！？!?．])|(?<=[.]) (?=[A-Z\"'“])")
_WIDE = re.compile("[ぁ-ゖァ-ヺ一-鿿]")
_SPACES = re.compile(r"\s+")
_BREAK = "\n"  # in a text: the element br
_AROUND_BREAK = re.compile(f" *{_BREAK} *")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, item or heading: the element it is written as, and its text."""

    tag: str
    text: str


@dataclass(frozen=True, slots=True)
class Donor:
    """A page that was taken apart; ``frame`` is its source with one comment in the place of its content."""

    id: str
    url: str
    lang: str
    blocks: tuple[Block, ...]
    frame: str
    days: tuple[str, ...]  # that its source states, in order
    source: str  # as it is, without the comments of the annotation
    asides: tuple[Block, ...]  # what is no content

    @property
    def site(self) -> str:
        return site_of(self.url)

    @property
    def is_heavy(self) -> bool:
        """Whether much prose stands beside the content: tickers, teasers, notices."""
        return sum(map(len, prose(self.asides))) > HEAVY

    def with_content(self, blocks: Iterable[Block], extra: str = "") -> str:
        """The source of the page with other content."""
        return self.frame.replace(_PLACE, written(blocks) + extra, 1)


_MARK = "ruiji-content-place"
_PLACE = f"<!--{_MARK}-->"


def written(blocks: Iterable[Block]) -> str:
    """Their source; where a line was broken it is broken again."""
    return "\n".join(
        f"<{block.tag}>{text if block.tag == 'pre' else text.replace(_BREAK, '<br>')}</{block.tag}>"
        for block, text in ((block, markup.escape(block.text)) for block in blocks)
    )


def sentences(blocks: Iterable[Block]) -> list[str]:
    """The long sentences of blocks, in order; parted by a rule of this set's own."""
    return [
        sentence.strip()
        for block in blocks
        for sentence in _SENTENCE_END.split(block.text)
        if len(sentence.strip()) >= LONG
    ]


def prose(blocks: Iterable[Block]) -> list[str]:
    """The sentences that somebody would cite: long in any alphabet, with an end, of paragraphs."""
    paragraphs = [block for block in blocks if block.tag == "p"]
    return [
        sentence
        for sentence in sentences(paragraphs)
        if sentence[-1] in "。．.!?！？" and len(sentence) * (1 if _WIDE.search(sentence) else 0.5) >= CITED
    ]


def donors(sources: Sequence[str], lang: str, without: frozenset[str]) -> Iterator[Donor]:
    """The pages of annotated sets that can be taken apart, but for those that ``without`` names."""
    for page in read_pages(sources):
        if page.id in without or len(page.html) > LARGEST or "://" not in page.url:
            continue
        example = examples_of([page])[0]
        if example.nodes is None or example.error:
            continue
        try:
            source = annotate(page, regions_of(example.labels))
        except AnnotationError:
            continue
        text = source if isinstance(source, str) else source.decode("utf-8", "replace")
        donor = _taken_apart(replace(page, html=text), text, str(page.extra.get("lang") or lang))
        if donor and SENTENCES[0] <= len(sentences(donor.blocks)) <= SENTENCES[1]:
            yield donor


@dataclass(slots=True)
class _Slot:
    """A run of text of the tree: the text of an element, or what follows it."""

    element: etree._Element
    follows: bool
    content: bool

    @property
    def holder(self) -> etree._Element | None:
        return self.element.getparent() if self.follows else self.element

    @property
    def text(self) -> str:
        return (self.element.tail if self.follows else self.element.text) or ""

    def clear(self) -> None:
        if self.follows:
            self.element.tail = ""
        else:
            self.element.text = ""


def _taken_apart(page: Page, source: str, lang: str) -> Donor | None:
    try:
        root = lxml.html.document_fromstring(_without_declaration(source))
    except (etree.ParserError, ValueError):
        return None
    body = root.find("body")
    slots = _slots(root)
    blocks = tuple(_blocks([slot for slot in slots if slot.content]))
    if body is None or not blocks:
        return None
    asides = tuple(_blocks([slot for slot in slots if not slot.content and _is_seen(slot.element)]))
    for comment in list(root.iter(etree.Comment)):
        comment.text = "" if (comment.text or "").strip() in (BEGIN, END) else comment.text
    whole = lxml.html.tostring(root, encoding="unicode")
    _empty(body, slots)
    frame, whole = (
        f"<!DOCTYPE html>\n{text}" for text in (lxml.html.tostring(root, encoding="unicode"), whole)
    )
    days = sorted({f"{day.year}-{day.month:02}-{day.day:02}" for _, _, day in dates_in(whole) if day.day})
    return Donor(page.id, _home(page.url), lang, blocks, frame, tuple(days), whole, asides)


def _is_seen(element: etree._Element) -> bool:
    return not any(above.tag in UNSEEN for above in (element, *element.iterancestors()))


def _without_declaration(source: str) -> str:
    return re.sub(r"^\s*<\?xml[^>]*\?>", "", source)


def _home(url: str) -> str:
    """The address; of sites with made-up hosts, one that looks as if somebody had registered it."""
    host = urlsplit(url).hostname or ""
    if not host.endswith(".example"):
        return url
    return url.replace(host, f"www.{host.removesuffix('.example').replace('-ja', '')}.jp", 1)


def _slots(root: etree._Element) -> list[_Slot]:
    slots: list[_Slot] = []
    inside = unseen = 0
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event in ("comment", "pi"):
            mark = (element.text or "").strip()
            inside += (mark == BEGIN) - (mark == END)
            slots.append(_Slot(element, True, not inside and not unseen))
        elif event == "start":
            unseen += element.tag in UNSEEN
            slots.append(_Slot(element, False, not inside and not unseen))
        else:
            unseen -= element.tag in UNSEEN
            slots.append(_Slot(element, True, not inside and not unseen))
    return [slot for slot in slots if slot.text or (slot.follows and slot.element.tag == "br")]


def _block_of(slot: _Slot) -> etree._Element | None:
    element = slot.holder
    while element is not None and element.tag not in BLOCKS:
        element = element.getparent()
    return element


def _blocks(slots: Iterable[_Slot]) -> Iterator[Block]:
    last: etree._Element | None = None
    text = ""
    for slot in slots:
        element = _block_of(slot)
        if last is not None and element is not last:
            yield from _block(last, text)
            text = ""
        own = slot.text if element is None or element.tag == "pre" else _SPACES.sub(" ", slot.text)
        text += _BREAK + own if slot.follows and slot.element.tag == "br" else own
        last = element
    if last is not None:
        yield from _block(last, text)


def _block(element: etree._Element, text: str) -> Iterator[Block]:
    tag = str(element.tag)
    if tag == "pre":
        if plain := text.strip("\n"):
            yield Block("pre", plain)
    elif plain := _AROUND_BREAK.sub(_BREAK, re.sub(" +", " ", text)).strip():
        yield Block(
            "h2" if re.fullmatch("h[1-6]", tag) else "li" if tag in ("li", "dt", "dd") else "p", plain
        )


def _empty(body: etree._Element, slots: Sequence[_Slot]) -> None:
    """Takes the content out of the tree, and puts the mark into its place."""
    content: dict[etree._Element, int] = {}
    other: dict[etree._Element, int] = {}
    for slot in slots:
        weights = content if slot.content else other
        element = slot.holder
        while element is not None:
            weights[element] = weights.get(element, 0) + len(slot.text.strip())
            element = element.getparent()
    place, whole = body, content.get(body, 0)
    while True:
        child = next((inner for inner in place if content.get(inner, 0) >= IN_PLACE * whole), None)
        if (
            child is None
            or child.tag in ("p", "span", "a", "pre", "ul", "ol", "table", "dl")
            or not len(child)
        ):
            break
        place = child
    for slot in slots:
        if slot.content:
            slot.clear()
    index = next((number for number, child in enumerate(place) if content.get(child, 0)), len(place))
    mark = etree.Comment(_MARK)
    place.insert(index, mark)
    for child in list(place):
        if child is not mark and content.get(child, 0) and not other.get(child, 0):
            _remove(child)


def _remove(element: etree._Element) -> None:
    parent, before, tail = element.getparent(), element.getprevious(), element.tail or ""
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    parent.remove(element)
