"""Authors: names from what pages call one, without what stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ruiji.chunker.document.metadata.sources import MetadataSources, is_of_author
from ruiji.chunker.document.metadata.titles import SPACE, is_site

_METAS = (
    "author", "article:author", "dc.creator", "dcterms.creator", "dc.contributor", "parsely-author",
    "sailthru.author", "byl",
    "citation_author", "og:article:author", "article:author_name", "authors", "creator", "cxenseparse:author",
    "twitter:data1",
)  # fmt: skip
_BEFORE = re.compile(
    r"^(?:(?:written|posted|published|reported|words|story|text|reviewed)\s+by|by|author|authors|von|vom|par|por|di|door|av|af|od|autor|"
    r"文|執筆者?|著者|筆者|記者|投稿者|作者)\s*[:：／/]?\s+|^(?:text|texte|texto|foto|文|執筆者?|著者|筆者|投稿者|作者"
    r")\s*[:：／/＝=]\s*",
    re.IGNORECASE,
)
_MOST_AUTHORS = 8  # with more of them a page has posts of many, the first of which it is about
_LONGEST = 80  # characters of a name
# With what is kept before it: a name that is cut later is too long, whatever stands behind it.
_BEHIND = re.compile(rf"^(.{{0,{2 * _LONGEST}}}?) ?(?:[|｜•·,]\s.*|\s[-–—]\s.*|\(.*\)|（.*）|\bon \w+ \d.*)$")
_POINTS = re.compile(
    r"\s\d[\d.,]{0,12}k?(?:\s\d{1,9}){0,3} (?:gold|silver|bronze|points|posts|reputation)\b.*"
)
_DAY_BEHIND = re.compile(r"^(\S+(?: \S+)+) (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day$")
_NO_NAME = re.compile(
    r"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d|"
    r"https?:|www\.|@|^\d|\d{4}|facebook|twitter|^(?:admin|administrator|editor|staff|guest|user|unknown|undefined|null|none|name|author|by|"
    r"share|follow|advertisement|more|view all|read more|about the author|comments?|"
    r"(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]{0,6}day)?|(?:written|posted|published) by)$|"
    r"^(?:view|read|see) \w|\bago$|^[a-z_]+(?:\.[a-z_]+){2,}$",  # page.author.name: no template filled it in
    re.IGNORECASE,
)
_CLASSES = re.compile(
    r"(?:^|[\s_-])(?:by-?line|author-?name|author|post-author|entry-author|article-author|writer|contributor|p-author|fn)(?:$|[\s_-])",
    re.IGNORECASE,
)
_AROUND = re.compile(
    r"avatar|image|photo|bio|box|social|description|info|link-list|more|related|comment", re.IGNORECASE
)
_BY = frozenset(("by", "von", "par", "文", "著者", "執筆", "written by"))
_NAME = r"[^\W\d_a-z][\w.'’-]*(?: [^\W\d_][\w.'’-]*){1,3}"
_WEAK = frozenset(("by-line", "link to author"))  # sources that name others than people, too
_BYLINE = re.compile(
    rf"(?:By|Von|Par|Por|Written by) ({_NAME})|(?:文|著者|執筆者?|筆者)\s*[:：＝=／/]\s*(\S{{2,12}})"
)
_AND = re.compile(rf"{SPACE}(?:and|und|et|y|e|og|och|i|en|&)\s+|(?:{SPACE})?;\s*", re.IGNORECASE)
_JOINS = re.compile(rf"(?:{SPACE})?(?:;|,| and | und | et | y | & |、|／|・(?=\S{{4}}))\s*")


def authors_of(sources: MetadataSources, site: str, host: str) -> tuple[str, str]:
    """The authors, parted by commas, and where they are named: people before the site that publishes them."""
    publisher = ("", "")
    for names, source in _candidates(sources):
        parts = [part for name in names for part in _people(name)]
        clean = list(dict.fromkeys(name for name in map(clean_name, parts) if name))
        people = [name for name in clean if not is_site(name, site, host)]
        if people and not (publisher[0] and source in _WEAK and not all(map(_is_full_name, people))):
            return ", ".join(people), source
        if clean and not publisher[0]:
            publisher = ", ".join(clean), source
    return publisher


def _is_full_name(name: str) -> bool:
    """Whether a name has the form of a person's: what a site calls its own by-line need not be one."""
    return re.fullmatch(_NAME, name) is not None


def _people(text: str) -> list[str]:
    """The names in a text: parted where a word of some language joins two full names."""
    parts = _AND.split(text)
    return parts if all(" " in part.strip() for part in parts) else [text]


def _candidates(sources: MetadataSources) -> Iterator[tuple[list[str], str]]:
    for work in sources.works:
        if names := list(_names(work.get("author"), sources)):
            yield names, "json-ld author"
    for work in sources.works:
        if names := list(_names(work.get("creator"), sources)):
            yield names, "json-ld creator"
    for name in _METAS:
        contents = [content for _, content in sources.meta(name)]
        if (
            name == "twitter:data1"
            and "written by" not in " ".join(sources.metas.get("twitter:label1", ())).lower()
        ):
            continue
        if contents:
            yield contents, f"meta {name}"
    own = [element.text for element in sources.named if _is_author(element.attributes.get("itemprop", ""))]
    yield own if len(own) <= _MOST_AUTHORS else own[:1], "itemprop author"
    yield (
        [
            element.text
            for element in sources.named
            if "author" in element.attributes.get("rel", "").lower().split()
        ][:3],
        "rel author",
    )
    for element in sources.named:
        if element.tag == "a" and is_of_author(element.attributes.get("href", "")) and " " in element.text:
            yield [element.text], "link to author"
    for element in sources.named:
        called = element.attributes.get("class", "") + " " + element.attributes.get("id", "")
        if _CLASSES.search(called) and not _AROUND.search(called) and 0 < len(element.text) <= _LONGEST:
            yield (
                _JOINS.split(_BEFORE.sub("", element.text))
                if _BEFORE.match(element.text)
                else [element.text],
                "by-line",
            )
    for name in _text_bylines(sources.texts):
        if re.fullmatch(_NAME, name) or not name.isascii():
            yield [name], "by-line"


def _text_bylines(texts: Sequence[str]) -> Iterator[str]:
    """Names that follow "by" in a text of their own, or stand behind it in one."""
    for place, text in enumerate(texts):
        line = " ".join(text.split())
        if line.lower().rstrip(":") in _BY and place + 1 < len(texts):
            yield " ".join(texts[place + 1].split())
        elif match := _BYLINE.fullmatch(line):
            yield match.group(1) or match.group(2)


def _is_author(itemprop: str) -> bool:
    return bool({"author", "creator"} & set(itemprop.lower().split()))


def _names(value: Any, sources: MetadataSources, depth: int = 0) -> Iterable[str]:
    """The names in a value of JSON-LD: a text, an item, a list of these, or a reference to an item."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for inner in value:
            yield from _names(inner, sources, depth + 1)
    elif isinstance(value, dict) and depth < 4:
        item = value if "name" in value else sources.items.get(str(value.get("@id", "")), value)
        name = item.get("name")
        if isinstance(name, str | list):
            yield from _names(name, sources, depth + 1)
        elif isinstance(item.get("givenName"), str) and isinstance(item.get("familyName"), str):
            yield f"{item['givenName']} {item['familyName']}"


def clean_name(text: str) -> str:
    """A name without "by" before it and what stands behind it; empty where it is none."""
    if re.search(r"\bupdated\b", text, re.IGNORECASE):
        return ""
    name = _BEFORE.sub("", " ".join(text.split()))
    name = _POINTS.sub("", name)
    name = _DAY_BEHIND.sub(r"\1", _BEHIND.sub(r"\1", name).strip(" .,:;|/-–—"))
    return "" if not name or len(name) > _LONGEST or _NO_NAME.search(name) else name
