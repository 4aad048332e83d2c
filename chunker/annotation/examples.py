"""Annotated pages as examples: what to learn from and to be judged by.

A page is annotated by comments in its source, or by its main text in a field ``main_content``, which is
aligned to the text nodes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

from ruiji.chunker.annotation.alignment import aligned_mask
from ruiji.chunker.annotation.reading import AnnotationError, read_annotation
from ruiji.chunker.conventions import AUTO, CONVENTION, CONVENTIONS
from ruiji.chunker.labels import LabelArray, O, labels_of, labels_of_mask
from ruiji.corpora.page import Page
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of
from ruiji.features.page.textnodes import TextNodes

COUNTRY = 2  # letters of a country's domain
SECOND_LEVEL = frozenset(
    "ac ad co com ed edu go gov gr lg ne net or org".split()
)  # under which names are registered there
UNKNOWN_SITE = "(no host)"  # all pages of which nobody knows the site: they may be of one
PAGE_DIGEST = 10  # hexadecimal digits: two of 10,000 and 10,000 pages meet by chance once in 10,000 times
PAGE_KIND = "page_type"  # the field of a page that has its kind, as WCXB calls it
MAIN_CONTENT = "main_content"  # the field of a page that has its main text


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A page with the labels of its text nodes; ``text`` is its content as the annotation has it. ``error``
    says why there are none.
    """

    id: str
    site: str
    nodes: TextNodes | None
    labels: LabelArray
    text: str
    marked: bool  # whether the page carries any annotation at all
    error: str = ""
    page_kind: str = ""  # article, forum, product … where the input says so
    convention: str = AUTO  # of its annotators, where the input names it


def examples_of(pages: Sequence[Page]) -> list[Example]:
    """The example of each page, for mapping over pages."""
    return [
        failed(page, str(nodes)) if isinstance(nodes, PageFailed) else _example(page, nodes)
        for page, nodes in zip(pages, text_nodes_of(pages), strict=True)
    ]


def failed(page: Page, error: str) -> Example:
    """The example of a page that gives none, with the reason."""
    return Example(page.id, "", None, np.zeros(0, dtype=np.int8), "", False, error)


def _example(page: Page, nodes: TextNodes) -> Example:
    site = nodes.host or UNKNOWN_SITE
    convention = page.extra.get(CONVENTION, AUTO)
    if convention not in CONVENTIONS:
        told = json.dumps(convention)[:40]
        return failed(page, f"{CONVENTION} is {told}; there are {', '.join(CONVENTIONS)}")
    said = {"page_kind": _page_kind(page), "convention": convention}
    if MAIN_CONTENT in page.extra:
        main_content = page.extra[MAIN_CONTENT]
        if not isinstance(main_content, str):
            return failed(
                page,
                f"{MAIN_CONTENT} is {json.dumps(main_content)[:40]}, not a text: nobody knows its content",
            )
        labels = labels_of_mask(aligned_mask(nodes, main_content).content)
        return Example(page.id, site, nodes, labels, main_content, True, **said)
    try:
        regions = read_annotation(page, nodes)
    except AnnotationError as error:
        return failed(page, str(error))
    labels = labels_of(regions, len(nodes))
    text = nodes.shown_text(labels == O)
    return Example(page.id, site, nodes, labels, text, bool(nodes.marks), **said)


def _page_kind(page: Page) -> str:
    kind = page.extra.get(PAGE_KIND, "")
    return kind if isinstance(kind, str) else ""


def families(sites: Iterable[str], together: Sequence[str]) -> dict[str, str]:
    """The group of each site: the first of the patterns that it matches, or its domain.

    A pattern such as ``debian-*,gnucash-*`` names sites that share a template and must stay on one side of a
    split.
    """
    family_of = {}
    for site in sites:
        matching = (
            family
            for family in together
            if any(fnmatchcase(site, pattern.strip()) for pattern in family.split(","))
        )
        family_of[site] = next(matching, domain_of(site))
    return family_of


def domain_of(host: str) -> str:
    """The part of a host name that one owner registers, by its shape: blog.example.com → example.com,
    www.a.co.jp → a.co.jp.
    """
    labels = host.split(".")
    second = len(labels) > 2 and len(labels[-1]) == COUNTRY and (labels[-2] in SECOND_LEVEL)
    return ".".join(labels[-3 if second else -2 :])


def page_digest(example: Example) -> str:
    """A short number that stands for the text of a page."""
    texts = () if example.nodes is None else example.nodes.texts
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:PAGE_DIGEST]


def digest(examples: Iterable[Example]) -> str:
    """A number that stands for these examples: their texts and labels, in order."""
    sha = hashlib.sha256()
    for example in examples:
        if example.nodes is not None:
            sha.update(example.id.encode("utf-8", "surrogatepass") + b"\0")
            sha.update("\0".join(example.nodes.texts).encode("utf-8", "surrogatepass") + b"\0")
            sha.update(example.labels.tobytes() + b"\0")
    return sha.hexdigest()
