"""What a filter must learn before it sees its first page: ``unique`` reads all pages once before it labels them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from chunker.filters import COLLECTIVE
from chunker.vectors import PageBlocks, page_blocks
from corpora import InputError, map_pages, read_pages
from corpora.page import Page
from features.textnodes import PageFailed, text_nodes_of
from ruiji.progress import Reporter


@dataclass(frozen=True, slots=True)
class Read:
    """The blocks of one page; None where it gives none, of which the second reading will tell."""

    id: str
    blocks: PageBlocks | None


def blocks_of(pages: Sequence[Page]) -> list[Read]:
    """The blocks of each page, for mapping over pages."""
    return [
        Read(page.id, None if isinstance(nodes, PageFailed) else page_blocks(nodes))
        for page, nodes in zip(pages, text_nodes_of(pages), strict=True)
    ]


def failed(page: Page, error: str) -> Read:
    """The row of a page that gives no blocks."""
    return Read(page.id, None)


@contextmanager
def prepared(name: str, model: str, sources: Sequence[str], jobs: int, reporter: Reporter) -> Iterator[str]:
    """The model that a filter is to use: the one given, or for a filter that learns from the very pages, one made of them.

    Raises InputError where the pages cannot be read twice.
    """
    if model or name not in COLLECTIVE:
        yield model
        return
    if "-" in sources:
        raise InputError(f"--filter {name} reads the pages twice: name files, not -, or a saved extractor with --model")
    from chunker.extractor_folder import save_extractor
    from chunker.uniqueness import UniquenessExtractor

    rows = reporter.watch(map_pages(blocks_of, read_pages(list(sources)), failed=failed, jobs=jobs))
    known = [(row.id, row.blocks) for row in rows if row.blocks is not None]
    extractor = UniquenessExtractor().fit_blocks([blocks for _, blocks in known], names=[page_id for page_id, _ in known])
    del known
    alone = int((extractor.site_pages_ == 1).sum())
    if alone:
        reporter.say(f"{alone} {'page is' if alone == 1 else 'pages are'} alone on the site and cannot be compared; there, blocks decides")
    with TemporaryDirectory(prefix="ruiji-") as folder:
        save_extractor(extractor, Path(folder) / name)
        yield str(Path(folder) / name)
