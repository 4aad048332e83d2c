"""Who writes what real sites put around articles: comments, posts, titles and dates in one language, from
sentences of annotated pages and markup of common software (``after_article.toml``).
"""

from __future__ import annotations

import html
import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("after_article.toml")
DEFAULT_LANGUAGE = "en"
COMMENT_COUNTS = (1, 2, 3, 5, 8, 12, 20, 35, 60)  # of a page; most have few, some very many
COMMENT_SENTENCES = (1, 1, 2, 2, 3, 4, 6, 10)
TEASER_COUNTS = (3, 4, 5, 6, 8, 10, 15, 20)

_HOLDER = re.compile("<(?:table|dl|ol|ul)")
_HOLDERS = {"<tr": frozenset({"<table"}), "<dt": frozenset({"<dl"}), "<li": frozenset({"<ol", "<ul"})}


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences of annotated pages by language, and first sentences, which serve as titles; and the markup of
    what real pages have that may stand after an article, by kind and language.
    """

    of_language: Mapping[str, Sequence[str]]
    titles: Mapping[str, Sequence[str]]
    grafts: Mapping[tuple[str, str], Sequence[str]]


@lru_cache(maxsize=1)
def templates() -> Mapping[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def writer_of(dice: random.Random, language: str, sentences: Sentences) -> Writer:
    """Who writes in this language, with the sentences of it."""
    words = templates()["words"].get(language) or templates()["words"][DEFAULT_LANGUAGE]
    return Writer(dice, words, sentences.of_language[language], sentences.titles[language])


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes additions in one language."""

    dice: random.Random
    words: Mapping[str, Sequence[str]]
    sentences: Sequence[str]
    titles: Sequence[str]

    @property
    def people(self) -> Sequence[str]:
        """Names of those who write comments and posts."""
        names: Sequence[str] = templates()["names"]["people"]
        return names

    def comments(self) -> str:
        """A section of comments."""
        count = self.dice.choice(COMMENT_COUNTS)
        kinds = templates()["comments"]
        item = self.dice.choice(kinds["items"])
        says, reply, posted = (self.dice.choice(self.words[name]) for name in ("says", "reply", "posted"))
        first = self.dice.randrange(1, 9000)
        items = []
        for number in range(count):
            name, date = self.dice.choice(self.people), self.date()
            text = self.paragraphs(COMMENT_SENTENCES)
            who = posted.format(name=name, date=date, n=number + 1)
            items.append(
                item.format(
                    id=first + number if first % 2 else number + 1,
                    name=name,
                    date=date,
                    who=who,
                    says=says,
                    reply=reply,
                    text="".join(f"<p>{part}</p>" for part in text),
                    plain="<br>".join(text),
                )
            )
        heading = self.dice.choice(self.words["comments"]).format(n=count, title=self.title())
        leave = self.dice.choice(self.words["leave"])
        return self._framed(kinds["frames"], item, "".join(items), heading, leave)

    def teasers(self) -> str:
        """A list of other articles."""
        kinds = templates()["teasers"]
        item, more = self.dice.choice(kinds["items"]), self.dice.choice(self.words["more"])
        items = [
            item.format(
                id=self.dice.randrange(10**5),
                title=self.title(),
                summary=html.escape(" ".join(self.some(self.dice.choice((1, 1, 2, 3))))),
                date=self.date(),
                more=more,
            )
            for _ in range(self.dice.choice(TEASER_COUNTS))
        ]
        heading = self.dice.choice(self.words["others"])
        return self._framed(kinds["frames"], item, "".join(items), heading, "")

    def _framed(self, frames: Sequence[str], item: str, items: str, heading: str, leave: str) -> str:
        """The items in a frame that may hold them."""
        return self.frame_for(frames, item).format(heading=heading, items=items, leave=leave)

    def frame_for(self, frames: Sequence[str], item: str) -> str:
        """A frame that may hold such items: rows in a table, terms in a list of definitions."""
        wanted = _HOLDERS.get(item[:3], frozenset())
        held = [frozenset(_HOLDER.findall(frame)) for frame in frames]
        able = [frame for frame, own in zip(frames, held, strict=True) if own & wanted or own == wanted]
        return self.dice.choice(able)

    def some(self, count: int) -> list[str]:
        start = self.dice.randrange(max(len(self.sentences) - count, 1))
        return list(self.sentences[start : start + count])

    def paragraphs(self, counts: Sequence[int]) -> list[str]:
        """The paragraphs of a comment or a post of one of so many sentences."""
        if self.dice.random() < 0.15:
            return [html.escape(self.dice.choice(self.words["short"]))]
        some = [html.escape(sentence) for sentence in self.some(self.dice.choice(counts))]
        if self.dice.random() < 0.1:
            some = [sentence.lower() for sentence in some]
        cut = self.dice.randrange(1, len(some) + 1)
        return [" ".join(part) for part in (some[:cut], some[cut:]) if part]

    def title(self) -> str:
        return html.escape(self.dice.choice(self.titles)[:120])

    def date(self) -> str:
        day, month, year = (
            self.dice.randrange(1, 29),
            self.dice.randrange(12),
            self.dice.randrange(2004, 2026),
        )
        time = f"{self.dice.randrange(24)}:{self.dice.randrange(60):02}"
        return self.dice.choice(
            (
                f"{self.words['months'][month]} {day}, {year} {time}",
                f"{day}. {self.words['months'][month]} {year}",
                f"{day:02}.{month + 1:02}.{year}, {time}",
                f"{year}-{month + 1:02}-{day:02} {time}",
                f"{month + 1}/{day}/{year}",
            )
        )
