"""Pages that a model learns from beside the annotated ones, made of these: copies of articles with what
stands after articles (``after_article``), and, where it is asked for, pages with a thread or a list in place
of their article (``template_zoo``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ruiji.chunker.annotation.examples import Example
from ruiji.corpora import Page
from scripts.after_article import added_copies, collect_sentences
from scripts.template_zoo import zoo


@dataclass(frozen=True, slots=True)
class AddedPages:
    """Copies and planted pages, and what counts each annotated page, then each copy, then each planted
    one.
    """

    copies: Sequence[Example]
    planted: Sequence[Example]
    weights: Sequence[float]


def added_pages(
    known: Sequence[tuple[Page, Example]], kinds: Mapping[str, tuple[float, float]] | None = None
) -> AddedPages:
    """What is made of these pages, always the same; ``kinds`` are those of planted pages, with the share of
    the articles that are made one and what it counts for.
    """
    sentences = collect_sentences([page for page, _ in known])
    copies, weights = added_copies(known, sentences)
    planted: list[Example] = []
    for kind, (share, weight) in (kinds or {}).items():
        own = zoo(known, sentences, kind, share)
        planted += own
        weights = [*weights, *[weight] * len(own)]
    return AddedPages(copies, planted, weights)
