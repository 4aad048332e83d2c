"""Copies that were changed: every sentence or three of ten, by rules on the text."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable

from benchmarks import edited
from benchmarks.transplant.donors import Block

_PARTS = re.compile(r"(?<=[。！？!?．])|(?<=[.]) (?=[A-Z\"'“])")
_IN_FRONT = {
    "ja": "じつは、 言うまでもなく、 もっとも、 いずれにせよ、 なるほど、 さて、".split(),
    "en": ["Needless to say, ", "To be honest, ", "Admittedly, ", "By the way, ", "Well, ", "Notably, "],
}
_INSIDE = {"ja": "おそらく ともかく なんとなく ほぼ".split(), "en": "really quite perhaps indeed".split()}


def insert_in_front(text: str, luck: random.Random, lang: str) -> str:
    words = _IN_FRONT["ja" if lang == "ja" else "en"]
    lowered = text if lang == "ja" or not text[1:2].islower() else text[:1].lower() + text[1:]
    return luck.choice(words) + lowered


def insert_inside(text: str, luck: random.Random, lang: str) -> str:
    if lang == "ja":
        places = [match.end() for match in re.finditer(r"[はがを](?=[一-鿿ァ-ヺ])|、", text)]
        return _put(text, luck.choice(places), luck.choice(_INSIDE["ja"])) if places else text
    places = [match.end() for match in re.finditer(r"(?<=[a-z]) (?=[a-z])", text)]
    return _put(text, luck.choice(places), luck.choice(_INSIDE["en"]) + " ") if places else text


def _put(text: str, place: int, word: str) -> str:
    return text[:place] + word + text[place:]


def punctuation(text: str, luck: random.Random, lang: str) -> str:
    return edited.punctuation(text, ()) if lang == "ja" else text.replace(", ", " ").replace(".", "!")


EDITS: dict[str, Callable[[str, random.Random, str], str]] = {
    "edit_insert": insert_in_front,
    "edit_inside": insert_inside,
    "edit_punct": punctuation,
    "edit_particle": lambda text, luck, lang: edited.particles(text, ()),
    "edit_polite": lambda text, luck, lang: edited.politeness(text, ()),
    "edit_width": lambda text, luck, lang: edited.width(text, ()),
}
JAPANESE_ONLY = frozenset(("edit_particle", "edit_polite", "edit_width"))


def changed(blocks: Iterable[Block], kind: str, share: float, luck: random.Random, lang: str) -> list[Block]:
    """The blocks with that share of their sentences changed; ``edit_order`` moves blocks."""
    blocks = list(blocks)
    if kind == "edit_order":
        places = [place for place in range(len(blocks)) if luck.random() < share]
        moved = luck.sample(places, len(places))
        order = dict(zip(places, moved, strict=True))
        return [blocks[order.get(place, place)] for place in range(len(blocks))]
    edit = EDITS[kind]
    return [
        Block(block.tag, _joined(block.text, lambda part: edit(part, luck, lang), share, luck, lang))
        if block.tag != "pre"
        else block
        for block in blocks
    ]


def _joined(text: str, edit: Callable[[str], str], share: float, luck: random.Random, lang: str) -> str:
    parts = [part for part in _PARTS.split(text) if part]
    return ("" if lang == "ja" else " ").join(
        edit(part) if len(part) >= 12 and luck.random() < share else part for part in parts
    )
