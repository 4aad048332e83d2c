"""Pages of kinds that no annotated set has enough of: threads of forums, shops and lists, each planted where
an annotated article stood on a real page.

Posts below an article are no content, posts that are what a page is for are, and common software gives both
the same names. ``after_article`` shows the former; here the same markup is the content: the article is taken
out of its page, and what forum and shop software would show takes its place (``template_zoo.toml``), so that
what is around stays that of real pages. What is content is known to the node; what some annotators take in
and others leave out (who wrote, and when) is not learned from. Whether it helps is measured on real pages
only (docs/decisions/0137-a-zoo-of-templates.md).
"""

from __future__ import annotations

import html
import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from benchmarks.aged import aged
from ruiji.chunker.annotation.examples import Example, examples_of
from ruiji.chunker.annotation.markers import BEGIN, END
from ruiji.chunker.labels import UNSURE
from ruiji.corpora import Page
from scripts import after_article
from scripts.after_article import container_of, language_of, source_of
from scripts.filler import DEFAULT_LANGUAGE, Sentences, templates, writer_of

FILE = Path(__file__).with_suffix(".toml")
SEED = 3
FORUM, LIST = "forum", "collection"
# Of each kind the share of the articles that are made one, and what such a page counts for (our measurement,
# docs/decisions).
ZOO = {FORUM: (0.35, 0.08), LIST: (0.2, 0.12)}
POST_COUNTS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20)
ENTRY_COUNTS = (6, 9, 12, 16, 20, 24, 36)
POST_SENTENCES = (1, 1, 2, 2, 3, 4, 6, 8, 12)
AS_COMMENTS = 0.4  # share of the threads in the markup of comments (after_article.toml)
AGED = 0.25  # share of the pages that say as little of themselves as pages of 2007 do
WHOLE = 0.95  # of the main text that what is taken out must hold
COMMENTS = '[id*="omment"], [class*="omment"], [id*="disqus"], [id*="respond"], [id*="reply"]'
PLACE = "zoo-place-holder"

_BODY = re.compile(r"<body\b[^>]*>", re.IGNORECASE)
_TOLD = 'meta[property^="og:type"], meta[property^="article:"], script[type="application/ld+json"]'


@dataclass(frozen=True, slots=True)
class Planted:
    """What takes the place of an article: its markup with ⟦content⟧ and ‹what nobody knows›."""

    markup: str
    unsure: frozenset[str]


@lru_cache(maxsize=1)
def _templates() -> Mapping[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def zoo(
    known: Sequence[tuple[Page, Example]], sentences: Sentences, kind: str, share: float
) -> list[Example]:
    """Pages of a kind, made of a share of the articles among these pages; always the same."""
    examples = []
    for page, _ in known:
        dice = random.Random(f"{SEED} {kind} {page.id}")
        if page.extra.get("page_type") not in (None, after_article.ARTICLE) or dice.random() >= share:
            continue
        made = planted(page, sentences, kind, dice)
        if made is not None:
            examples.append(made)
    return examples


def planted(page: Page, sentences: Sentences, kind: str, dice: random.Random) -> Example | None:
    """A page with a thread or a list where its article stood; None where it has no place for one."""
    main_content = str(page.extra.get("main_content") or "")
    source = source_of(page)
    language = language_of(page, source)
    if len(sentences.of_language.get(language, ())) < after_article.LEAST_SENTENCES or not main_content:
        return None
    tree = LexborHTMLParser(source)
    container = container_of(tree, main_content, WHOLE)
    if container is None or container.tag in ("body", "html", "table", "tbody", "tr"):
        return None
    for element in tree.css(f"{COMMENTS}, {_TOLD}"):
        if element.tag not in ("body", "html") and not _holds(element, container):
            element.decompose()
    writer = writer_of(dice, language, sentences)
    words = _templates()["words"].get(language) or _templates()["words"][DEFAULT_LANGUAGE]
    own = thread(writer, words, dice) if kind == FORUM else catalogue(writer, words, dice)
    holder = LexborHTMLParser(f"<div>{PLACE}</div>").css_first("div")
    if holder is None:
        return None
    container.replace_with(holder)
    whole = tree.html or ""
    if dice.random() < 0.5:
        whole = whole.replace("<article", "<div").replace("</article", "</div")
    body = _BODY.search(whole)
    if body is None or whole.count(PLACE) != 1:
        return None
    markup = own.markup
    if dice.random() < AGED:
        whole = str(aged(replace(page, html=whole)).html)
        markup = str(aged(replace(page, html=markup)).html)
        body = _BODY.search(whole)
        if body is None or whole.count(PLACE) != 1:
            return None
    begin, end = f"<!-- {BEGIN} -->", f"<!-- {END} -->"
    marked = markup.replace("‹", "").replace("›", "").replace("⟦", end).replace("⟧", begin)
    whole = whole[: body.end()] + begin + whole[body.end() :].replace(PLACE, marked) + end
    extra = {name: value for name, value in page.extra.items() if name != "main_content"}
    made = replace(page, id=f"{page.id}+{kind}", html=whole, extra=extra | {"page_type": kind})
    (example,) = examples_of([made])
    if example.nodes is None or not example.marked:
        return None
    labels = example.labels.copy()
    labels[[text.strip() in own.unsure for text in example.nodes.texts]] = UNSURE
    return replace(example, nodes=replace(example.nodes, marks=()), labels=labels)


def _holds(element: Any, inner: Any) -> bool:
    above = inner
    while above is not None:
        if above.mem_id == element.mem_id:
            return True
        above = above.parent
    return False


def thread(writer: Any, words: Mapping[str, Sequence[str]], dice: random.Random) -> Planted:
    """The posts of a thread, by forum software or in the markup of comments."""
    if dice.random() < AS_COMMENTS:
        items = templates()["comments"]
        item = dice.choice(items["items"])
        frame = writer.frame_for(items["frames"], item)
    else:
        frame, item = dice.choice(_templates()["forums"]["pairs"])
    first, title = dice.randrange(1, 9000), writer.title()
    joined, posts, reply = (dice.choice(words[name]) for name in ("joined", "posts", "reply"))
    says = dice.choice(writer.words["says"])
    people = [dice.choice(writer.people) for _ in range(dice.choice((2, 3, 5, 9)))]
    unsure: set[str] = set()
    made = []
    for number in range(dice.choice(POST_COUNTS)):
        name, date = dice.choice(people), writer.date()
        parts = writer.paragraphs(POST_SENTENCES)
        who = dice.choice(writer.words["posted"]).format(name=name, date=date, n=number + 1)
        unsure |= {name, date, who, f"{name} » {date}"}
        made.append(
            item.format(
                id=first + number,
                n=number + 1,
                n2=dice.randrange(3000),
                name=name,
                who=who,
                date=date,
                date2=writer.date(),
                says=says,
                title=title,
                rank=dice.choice(words["ranks"]),
                joined=joined,
                posts=posts,
                reply=reply,
                text="⟦" + "".join(f"<p>{part}</p>" for part in parts) + "⟧",
                plain="⟦" + "<br>".join(parts) + "⟧",
            )
            .replace("⟦⟦", "⟦")
            .replace("⟧⟧", "⟧")
        )
    tool = " ".join(dice.sample(words["tools"], dice.choice((1, 1, 2, 3))))
    markup = frame.format(items="".join(made), tool=tool, leave=tool, heading=tool, title=title)
    return Planted(markup, frozenset(html.unescape(text) for text in unsure))


def catalogue(writer: Any, words: Mapping[str, Sequence[str]], dice: random.Random) -> Planted:
    """A title, perhaps a description, and what is sold or listed below it."""
    frame, item = dice.choice(_templates()["lists"]["pairs"])
    cart, more, sort = (dice.choice(words[name]) for name in ("cart", "more", "sort"))
    currency = dice.choice(("${:.2f}", "€{:.2f}", "£{:.2f}", "¥{:,.0f}", "{:.0f} kr"))
    unsure: set[str] = set()
    made = []
    for _ in range(dice.choice(ENTRY_COUNTS)):
        date = writer.date()
        unsure.add(date)
        short = dice.random() < 0.6
        title = " ".join(writer.title().split()[: dice.randrange(3, 9)]) if short else writer.title()
        made.append(
            item.format(
                id=dice.randrange(10**5),
                title=title,
                summary=" ".join(writer.paragraphs((1, 1, 2))),
                price=currency.format(dice.lognormvariate(3.5, 1.0)),
                date=date,
                cart=cart,
                more=more,
            )
        )
    sorts = " ".join(f"<span>{own}</span>" for own in dice.sample(words["sort"], 3)) if sort else ""
    markup = frame.format(items="".join(made), sort=sorts)
    if dice.random() < 0.5:
        about = "".join(f"<p>{part}</p>" for part in writer.paragraphs((1, 2, 4)))
        markup = dice.choice(("<div>⟦{0}⟧</div>{1}", "{1}<div class='description'>⟦{0}⟧</div>")).format(
            about, markup
        )
    return Planted(markup, frozenset(html.unescape(text) for text in unsure))
