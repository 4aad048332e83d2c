"""Sentences of a page, each with the text nodes it came from (Kang 2009, section 4.1).

A paragraph is what stands between block tags or line breaks, across inline markup. It is normalised (width folded, white space inside
Japanese dropped) and split after 。 ？ ！ 」 …; pieces that were split too far are joined again.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from features.textnodes import PREFORMATTED, SPACE_BEFORE, TextNodes

_CJK = "\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
_SPACE = re.compile(r"\s+")
_SPACE_IN_JAPANESE = re.compile(f"(?<=[{_CJK}]) (?=[{_CJK}])")
_PARTICLES = re.compile("[がをにはので]")  # section 4.1, step 1
JAPANESE_PARTICLE_SHARE = 0.005  # section 4.1, step 1

# Where a sentence may end. A full stop ends one after Japanese, or before a space and a capital, digit or quotation mark.
_END = re.compile(
    f"""[。!?]+[」』)】"”’]*|[」』]+|(?<=[{_CJK}])\\.++(?![0-9])|(?<!\\.)\\.++["”’)]*+(?=\\s+["“‘(]?[A-Z0-9\u00c0-\u00de{_CJK}])"""
)
# What follows a sentence end only where it was none: section 4.1, step 3 (と っ です), and marks that cannot begin a sentence.
_CONTINUES = re.compile("[とっ、,。）)・ー!?」』.]|です")
# After a closing bracket also the particles that go on with a quoted word.
_CONTINUES_QUOTATION = re.compile("[をはがにのでもやへ]|だ[。とがっ]|など")
# Abbreviations after which a full stop ends nothing; single capitals are initials.
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|etc|No|Vol|pp|Fig|ca|approx|e\.g|i\.e|a\.m|p\.m|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.$"
)

_LONGEST_ABBREVIATION = 8  # with the character before it


@dataclass(frozen=True, slots=True)
class Sentence:
    """A normalised sentence; ``offset`` is its place in the page's normalised text, its nodes are first_node to last_node."""

    text: str
    offset: int
    first_node: int
    last_node: int


def sentences(nodes: TextNodes) -> list[Sentence]:
    """The sentences of a page in document order."""
    found = []
    offset = 0
    for paragraph, ends, numbers in _paragraphs(nodes):
        for start, end in _spans(paragraph):
            first = numbers[min(bisect_right(ends, start), len(numbers) - 1)]
            last = numbers[min(bisect_right(ends, end - 1), len(numbers) - 1)]
            found.append(Sentence(paragraph[start:end], offset + start, first, last))
        offset += len(paragraph) + 1
    return found


def split(text: str) -> list[str]:
    """The sentences of one paragraph of plain text."""
    paragraph = normalise(text).strip()
    return [paragraph[start:end] for start, end in _spans(paragraph)]


def normalise(text: str) -> str:
    """Text with width folded (NFKC), white space folded, and none left between Japanese characters."""
    return _SPACE_IN_JAPANESE.sub("", _SPACE.sub(" ", unicodedata.normalize("NFKC", text)))


def is_japanese(text: str) -> bool:
    """Whether the particles が を に は の で make up at least 0.5 % of the characters (section 4.1, step 1)."""
    return bool(text) and len(_PARTICLES.findall(text)) >= JAPANESE_PARTICLE_SHARE * len(text)


def _paragraphs(nodes: TextNodes) -> Iterator[tuple[str, list[int], list[int]]]:
    """(text, end of each piece in it, node of each piece) of each paragraph."""
    lines, flags = nodes.line.tolist(), nodes.flags.tolist()
    text = ""
    ends: list[int] = []
    numbers: list[int] = []
    current = -1
    for node, raw in enumerate(nodes.texts):
        pieces = raw.split("\n") if flags[node] & PREFORMATTED else [raw]
        for number, piece in enumerate(pieces):
            if lines[node] != current or number:
                if text.strip():
                    yield text, ends, numbers
                text, ends, numbers, current = "", [], [], lines[node]
            space = " " if flags[node] & SPACE_BEFORE and not number else ""
            piece = normalise(space + piece)
            if not text or text.endswith(" "):
                piece = piece.lstrip(" ")
            if _SPACE_IN_JAPANESE.search(text[-2:] + piece[:2]):  # at the border of two nodes
                if text.endswith(" "):
                    text = text[:-1]
                    ends[-1] -= 1
                else:
                    piece = piece[1:]
            text += piece
            ends.append(len(text))
            numbers.append(node)
    if text.strip():
        yield text, ends, numbers


def _goes_on(end: str, rest: str) -> bool:
    """Whether the rest of a paragraph belongs to the sentence that seemed to end."""
    if end.startswith("。"):
        return False
    return bool(_CONTINUES.match(rest) or (end[-1] in "」』" and _CONTINUES_QUOTATION.match(rest)))


def _spans(paragraph: str) -> list[tuple[int, int]]:
    """(start, end) of each sentence of a normalised paragraph, without white space at its ends."""
    spans = []
    start = 0
    for match in _END.finditer(paragraph):
        end = match.end()
        rest = paragraph[end : end + 16].lstrip()
        if rest and (_goes_on(match.group(), rest) or _ABBREVIATION.search(paragraph, max(start, end - _LONGEST_ABBREVIATION), end)):
            continue
        spans.append((start, end))
        start = end
    spans.append((start, len(paragraph)))
    trimmed = []
    for start, end in spans:
        piece = paragraph[start:end]
        left = len(piece) - len(piece.lstrip())
        if piece.strip():
            trimmed.append((start + left, start + left + len(piece.strip())))
    return trimmed
