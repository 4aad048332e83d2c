"""What is done with a foreign page: parsed, labelled, copied, written with its comments.

All of it is done here, in a process of its own (``worker``): a page that hangs or kills its parser costs
that page and not the server.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from ruiji.chunker.annotation.annotators import Agreement, agreement
from ruiji.chunker.annotation.examples import Example, examples_of
from ruiji.chunker.annotation.reading import AnnotationError, annotated_regions, read_annotation
from ruiji.chunker.annotation.site_rules import SiteRule, ruled
from ruiji.chunker.annotation.writing import annotate
from ruiji.chunker.filters import load_filter
from ruiji.chunker.labels import LabelArray, labels_of, labels_of_mask, regions_of, repaired
from ruiji.chunker.mask import UNCERTAIN, node_uncertainty, page_uncertainty
from ruiji.corpora.page import Page
from ruiji.corpora.reading import read_folder
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_and_markup
from ruiji.features.page.template_paths import template_paths
from ruiji.features.page.textnodes import TextNodes
from ruiji.web.annotate.blocks import blocks_of
from ruiji.web.annotate.page_files import PageFile
from ruiji.web.annotate.stylesheets import saved_stylesheets
from ruiji.web.foreign.copy import cleaned_copy
from ruiji.web.safety import OutsideFolder, confined

KEPT = 4  # pages whose text nodes stay in memory
_START = np.zeros(1, dtype=np.int32)  # where the only page of an array of labels starts


@dataclass(frozen=True, slots=True)
class DeskSettings:
    """Where annotated pages are saved, and which filter labels pages first."""

    out: Path
    filter_name: str
    model: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PageReading:
    """What is known of a page that was read: its labels, who said them (``model``, ``page`` for comments in
    it, or ``saved``), the nodes of which the model is uncertain, and how uncertain it is of the whole.
    """

    site: str
    title: str
    labels: LabelArray
    origin: str
    uncertain: Sequence[int]
    uncertainty: float


class PageDesk:
    """Works on pages, one at a time; the last few stay parsed. Its methods raise PageFailed for a page that
    cannot be read.
    """

    def __init__(self, settings: DeskSettings) -> None:
        self.out = settings.out
        self._filter = load_filter(settings.filter_name, settings.model)
        self._parsed = lru_cache(maxsize=KEPT)(_parsed)

    def read(self, file: PageFile, rules: Sequence[SiteRule]) -> PageReading:
        """The page with its labels: those that were saved, else those that its comments say, else the
        model's; those that were not saved follow the rules for its site.
        """
        page, nodes, _ = self._parsed(file)
        (mask,) = self._filter.masks([nodes])
        labels = labels_of_mask(mask.content) if mask.labels is None else mask.labels.astype(np.int8)
        origin = "model"
        if (saved := self._saved_labels(file, nodes)) is not None:
            labels, origin = saved, "saved"
        elif nodes.marks and (regions := _regions_in(page, nodes)) is not None:
            labels, origin = labels_of(regions, len(nodes)), "page"
        if origin != "saved":
            labels = ruled(labels, nodes, [rule for rule in rules if rule.site == nodes.host])
        uncertain = np.flatnonzero(node_uncertainty(mask) >= UNCERTAIN).tolist()
        uncertainty = page_uncertainty(nodes, mask)
        return PageReading(nodes.host, nodes.title, labels, origin, uncertain, uncertainty)

    def copy(self, file: PageFile, own_style: str, plain: bool = False, neutral: bool = False) -> bytes:
        """The harmless copy of a page."""
        markup = self._parsed(file)[2]
        stylesheets = saved_stylesheets(file.folder, file.path)
        copy = cleaned_copy(markup, stylesheets, own_style, plain=plain, neutral=neutral)
        return copy.encode("utf-8", "replace")

    def blocks(self, file: PageFile, size: int) -> bytes:
        """The blocks of a page of so many nodes, as JSON."""
        blocks = blocks_of(self._unchanged(file, size))
        return json.dumps(blocks, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")

    def annotated(self, file: PageFile, labels: LabelArray) -> bytes:
        """The file with the labels as comments. Raises AnnotationError where they cannot be written."""
        self._unchanged(file, len(labels))
        written = annotate(self._parsed(file)[0], regions_of(labels))
        return written if isinstance(written, bytes) else written.encode("utf-8")

    def rule_at(self, file: PageFile, element: int, content: bool) -> SiteRule:
        """The rule that decides all blocks of the site that stand where this element does. Raises
        ValueError.
        """
        nodes = self._parsed(file)[1]
        if not 0 <= element < len(nodes.tag):
            raise ValueError("there is no such block")
        return SiteRule(nodes.host, template_paths(nodes)[element], content)

    def ruled(self, file: PageFile, labels: LabelArray, rule: SiteRule) -> LabelArray:
        """The labels as the rule changes them."""
        return ruled(labels, self._unchanged(file, len(labels)), [rule])

    def agreement_with(self, folder: Path) -> Agreement:
        """The agreement of our saved pages with those of another annotator."""
        return agreement(_examples(self.out), _examples(folder))

    def _unchanged(self, file: PageFile, size: int) -> TextNodes:
        """The text nodes of a page that had so many when it was read. Raises PageFailed where it has others
        now.
        """
        nodes = self._parsed(file)[1]
        if len(nodes) != size:
            raise PageFailed("the file has changed since it was read; start ruiji annotate again")
        return nodes

    def _saved_labels(self, file: PageFile, nodes: TextNodes) -> LabelArray | None:
        """The labels of the saved copy on the nodes of the page; None where there is none, or it is of
        another text.
        """
        path = self.out / file.saved_name
        try:
            if not confined(self.out, path).is_file():
                return None
            page = Page(file.name, file.url, path.read_bytes(), last_modified=file.last_modified)
            (example,) = examples_of([page])
        except (OSError, OutsideFolder):
            return None
        if example.nodes is None or "".join(example.nodes.texts) != "".join(nodes.texts):
            return None
        ends = np.cumsum([len(text) for text in example.nodes.texts])
        starts = np.cumsum([0, *(len(text) for text in nodes.texts)])[:-1]
        return repaired(example.labels[ends.searchsorted(starts, side="right")], _START)


def _parsed(file: PageFile) -> tuple[Page, TextNodes, bytes]:
    page = file.read()
    return page, *text_nodes_and_markup(page)


def _regions_in(page: Page, nodes: TextNodes) -> list[tuple[int, int]] | None:
    """The regions that comments in the page say; None where they are faulty."""
    try:
        return read_annotation(page, nodes)
    except AnnotationError:
        try:
            return annotated_regions(nodes)
        except AnnotationError:
            return None


def _examples(folder: Path) -> dict[str, Example]:
    """The annotated pages of a folder, by name."""
    if not folder.is_dir():
        return {}
    return {example.id: example for example in examples_of(list(read_folder(folder))) if not example.error}
