"""Copies of annotated articles with what real sites put after them: comments of readers, lists of other
articles.

Annotated sets have few pages with long comments, and forums beside them, where posts are the content: so a
model learns that posts are content. The copies teach that posts after an article are not. What is added is
comments that we write (sentences of other annotated pages in the same language, in markup of common blog and
news software, ``after_article.toml``), the posts of a forum or the comments of another article, or the
entries of an overview page: what is content there is none after an article. A part of the copies has only the
beginning of its article. Most are made older than they are: long comments below an article are what blogs and
news before HTML 5 have, and annotated pages are of today. The truth of a copy is that of its page. Whether
they help is measured on real pages only (docs/decisions, 50 and 136).
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from benchmarks.aged import aged
from ruiji.chunker.annotation.examples import Example, examples_of
from ruiji.chunker.labels import O
from ruiji.chunker.stack.augmentation import beginning, with_nodes
from ruiji.corpora import Page, decode
from scripts.filler import DEFAULT_LANGUAGE, Sentences, writer_of

ARTICLE = "article"  # the ``page_type`` of pages that are copied; sets of news name none
POSTS, TEASERS = ("forum",), ("listing", "collection")  # of pages whose content may stand after an article
COPIES = 2  # of each article
COPY_SHARE = 0.2  # what a copy counts for; its page counts for the rest (our measurement, docs/decisions)
WITH_TEASERS = 0.15  # share of the copies that get a list of other articles beside the comments
# What is added: comments that we write, posts of a real page, a list of articles of a real page (out of ten)
KINDS = ("written", "posts", "teasers")
KIND_WEIGHTS = (4, 3, 3)
OLD = 0.75  # share of the copies that have nothing of what came with HTML 5
UNNAMED = 0.35  # share of these that do not name their parts either, as pages of 2007
SHORTENED = 0.5  # share of the copies that have only the beginning of their article
SHORT_WORDS = (40.0, 400.0)  # from and to
LONGEST_GRAFT = 150_000  # characters of markup
LEAST_GRAFT = 300  # characters of text
NAMELESS = 0.25  # share of the copies whose additions have no names, as on old pages
PLACES = (
    "inside",
    "after",
    "body",
)  # at the end of the article's container, after it, at the end of the page
PLACE_WEIGHTS = (4, 4, 2)
CONTAINER_SHARE = 0.7  # of the page's main text that the container of the article holds
LONGEST_SENTENCE = 400  # characters
LEAST_TEXT = 200  # characters of main text: shorter pages are no articles
LEAST_SENTENCES = 50  # of a language

_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")
_LANGUAGE = re.compile(r"<html\b[^>]*?\slang\s*=\s*[\"']?([a-zA-Z]{2})", re.IGNORECASE)
_NAMES = re.compile(r'\s(?:class|id|itemprop|itemtype)="[^"]*"|\sitemscope')


def added_copies(
    known: Sequence[tuple[Page, Example]], sentences: Sentences
) -> tuple[list[Example], list[float]]:
    """Copies of the articles among these pages, and what each page and then each copy counts for."""
    weights = [1.0] * len(known)
    examples = []
    for number in range(1, COPIES + 1):
        for place, (page, _) in enumerate(known):
            if page.extra.get("page_type") in (None, ARTICLE) and (
                copy := with_additions(page, sentences, number)
            ):
                (example,) = examples_of([copy])
                if example.nodes is not None:
                    weights[place] -= COPY_SHARE
                    examples.append(_shortened(example, number))
    return examples, weights + [COPY_SHARE] * len(examples)


def _shortened(example: Example, number: int) -> Example:
    """The example, or its beginning with all that is no content. Always the same."""
    dice = random.Random(f"{number} short {example.id}")
    if example.nodes is None or dice.random() >= SHORTENED:
        return example
    kept = beginning(example.nodes, example.labels, dice.uniform(*SHORT_WORDS))
    if kept is None:
        return example
    nodes, labels = with_nodes(example.nodes, kept), example.labels[kept]
    return replace(example, nodes=nodes, labels=labels, text=nodes.shown_text(labels == O))


def language_of(page: Page, source: str) -> str:
    """The language that a page names: its field ``lang``, or that of its ``html`` element."""
    named = str(page.extra.get("lang") or "")[:2].lower()
    match = _LANGUAGE.search(source[:5000])
    return named or (match.group(1).lower() if match else DEFAULT_LANGUAGE)


def collect_sentences(pages: Sequence[Page]) -> Sentences:
    """The sentences of the main texts of these pages."""
    of_language: dict[str, list[str]] = {}
    titles: dict[str, list[str]] = {}
    for page in pages:
        language = language_of(page, source_of(page))
        sentences = [
            part.strip()
            for part in _SENTENCE.split(str(page.extra.get("main_content") or ""))
            if 8 <= len(part.strip()) <= LONGEST_SENTENCE
        ]
        if sentences:
            of_language.setdefault(language, []).extend(sentences)
            titles.setdefault(language, []).append(sentences[0])
    return Sentences(of_language, titles, collect_grafts(pages))


def collect_grafts(pages: Sequence[Page]) -> dict[tuple[str, str], list[str]]:
    """The markup of posts and of lists of articles on these pages, by kind and language: the content of
    forums and overview pages, and what articles call comments.
    """
    grafts: dict[tuple[str, str], list[str]] = {}
    for page in pages:
        page_type = page.extra.get("page_type")
        main_content = str(page.extra.get("main_content") or "")
        if not main_content or page_type not in (None, ARTICLE, *POSTS, *TEASERS):
            continue
        source = source_of(page)
        tree = LexborHTMLParser(source)
        if page_type in (None, ARTICLE):
            kind, elements = "posts", _comment_sections(tree, main_content)
        else:
            container = container_of(tree, main_content)
            kind = "posts" if page_type in POSTS else "teasers"
            elements = [] if container is None or container.tag == "body" else [container]
        markup = [element.html or "" for element in elements]
        grafts.setdefault((kind, language_of(page, source)), []).extend(
            own for own in markup if own and len(own) <= LONGEST_GRAFT
        )
    return grafts


def _comment_sections(tree: LexborHTMLParser, main_content: str) -> list[LexborNode]:
    """The outermost elements that are called comments and hold some text, none of it of the article."""
    sections: list[LexborNode] = []
    start = " ".join(main_content.split())[:60]
    for element in tree.css('[id*="omment"], [class*="omment"], [id*="disqus"]'):
        text = " ".join((element.text(separator=" ") or "").split())
        if element.tag in ("body", "html") or len(text) < LEAST_GRAFT or (start and start in text):
            continue
        above = element.parent
        inside = False
        while above is not None and not inside:
            inside = any(above.mem_id == own.mem_id for own in sections)
            above = above.parent
        if not inside:
            sections.append(element)
    return sections


def with_additions(page: Page, sentences: Sentences, number: int = 1) -> Page | None:
    """The first, second … copy of an article with comments or other articles after it; None where it is no
    article or has no place for them. Always the same.
    """
    main_content = str(page.extra.get("main_content") or "")
    source = source_of(page)
    language = language_of(page, source)
    known = sentences.of_language.get(language, ())
    if len(main_content) < LEAST_TEXT or len(known) < LEAST_SENTENCES:
        return None
    dice = random.Random(f"{number} {page.id}")
    tree = LexborHTMLParser(source)
    container = container_of(tree, main_content)
    if container is None:
        return None
    writer = writer_of(dice, language, sentences)
    kind = dice.choices(KINDS, KIND_WEIGHTS)[0]
    grafts = sentences.grafts.get((kind, language), ())
    parts = [dice.choice(grafts) if grafts else writer.comments()]
    if dice.random() < WITH_TEASERS:
        parts.append(writer.teasers())
    dice.shuffle(parts)
    addition = "".join(parts)
    if dice.random() < NAMELESS:
        addition = _NAMES.sub("", addition)
    place = dice.choices(PLACES, PLACE_WEIGHTS)[0]
    body = tree.body
    new = LexborHTMLParser(f"<div>{addition}</div>").css_first("div")
    if body is None or new is None:
        return None
    if place == "body" or (place == "after" and container.tag in ("body", "html")):
        body.insert_child(new)
    elif place == "inside":
        container.insert_child(new)
    else:
        container.insert_after(new)
    copy = replace(page, id=f"{page.id}+{kind}+{place}", html=tree.html or source)
    if dice.random() >= OLD:
        return copy
    return aged(copy, named=random.Random(f"which {copy.id}").random() >= UNNAMED)


def source_of(page: Page) -> str:
    return page.html if isinstance(page.html, str) else decode(page).text


def container_of(
    tree: LexborHTMLParser, main_content: str, share: float = CONTAINER_SHARE
) -> LexborNode | None:
    """The smallest element that holds most of the lines of the main text."""
    lines = {" ".join(line.split()) for line in main_content.split("\n")}
    wanted = {line for line in lines if len(line) >= 40}
    found: list[tuple[LexborNode, int]] = []
    for node in tree.css("p, div, td, li, span, section, article"):
        own = " ".join((node.text(deep=False) or "").split())
        whole = " ".join((node.text() or "").split()) if node.tag == "p" else own
        if (own in wanted) or (whole in wanted):
            found.append((node, len(whole)))
    total = sum(size for _, size in found)
    if not total:
        return None
    held: dict[int, tuple[LexborNode, int, int]] = {}
    for node, size in found:
        above, depth = node.parent, 0
        path = []
        while above is not None and above.tag not in ("html", "-undef", "_document"):
            path.append(above)
            above = above.parent
        for depth, element in enumerate(reversed(path)):
            key = element.mem_id
            before = held.get(key, (element, 0, depth))
            held[key] = (element, before[1] + size, depth)
    enough = [own for own in held.values() if own[1] >= share * total]
    return max(enough, key=lambda own: own[2])[0] if enough else None
