"""One way for a page: read, cut into text nodes, masked; or failed, with the reason.

``masked_pages`` is what extract, detect, index, records and training without annotation start from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ruiji.chunker.conventions import AUTO
from ruiji.chunker.filters import DEFAULT_FILTER, Filter, load_filter
from ruiji.chunker.mask import ContentMask, everything
from ruiji.corpora.page import Page, is_plain_text
from ruiji.features.page.kept import text_nodes_again
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of
from ruiji.features.page.textnodes import TextNodes


@dataclass(frozen=True, slots=True)
class MaskSettings:
    """Which filter makes the masks, with which model; ``fallback`` is for pages that the filter cannot judge.

    ``plain`` is block uniqueness as published, in which blocks match above ``threshold`` (None: 0.9).
    ``alone``: a learned model judges each page by itself, whatever else there is of its site. ``sites`` is
    the folder with what is known of the sites, where something is (``fitting.fitted_masks``). ``convention``
    is the one by which a learned model answers (``conventions``).
    """

    filter: str = DEFAULT_FILTER
    model: str = ""
    fallback: str = ""
    plain: bool = False
    threshold: float | None = None
    alone: bool = False
    sites: str = ""
    convention: str = AUTO

    def load(self) -> Filter:
        """The filter. Raises ModelError or SettingError where there is none such."""
        return load_filter(self.filter, self.model, self.fallback, self.alone, self.sites, self.convention)


@dataclass(frozen=True, slots=True, eq=False)
class MaskedPage:
    """A page with its text nodes and which of them are content."""

    page: Page
    nodes: TextNodes
    mask: ContentMask

    @property
    def text(self) -> str:
        """The content as it is shown to people; offsets in results count its characters."""
        return self.nodes.shown_text(self.mask.content)


@dataclass(frozen=True, slots=True, eq=False)
class FailedPage:
    """A page that gave no text nodes, and why."""

    page: Page
    error: str


def masked_pages(
    pages: Sequence[Page],
    filter_: Filter,
    named: bool = False,
    detailed: bool = False,
    regions: bool = False,
) -> list[MaskedPage | FailedPage]:
    """Each page with its mask, or why it has none, in the order given; of a page that came as text, all is
    content.

    ``named`` keeps the names of elements for the caller, also where the filter does not want them;
    ``detailed`` the markup that documents are written from; ``regions`` is for masks with labels that say
    where regions begin.
    """
    wants_names = named or filter_.named
    results = (
        text_nodes_again(pages)
        if wants_names and not detailed
        else text_nodes_of(pages, wants_names or detailed, detailed)
    )
    judged = [
        nodes
        for page, nodes in zip(pages, results, strict=True)
        if not isinstance(nodes, PageFailed) and not is_plain_text(page)
    ]
    masks = iter(filter_.masks_for(judged, regions))
    return [
        FailedPage(page, str(nodes))
        if isinstance(nodes, PageFailed)
        else MaskedPage(page, nodes, everything(nodes) if is_plain_text(page) else next(masks))
        for page, nodes in zip(pages, results, strict=True)
    ]
