"""What a filter must learn before it sees its first page: ``unique`` reads all pages once before it labels
them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ruiji.chunker.filters import COLLECTIVE, DEFAULT_FALLBACK, fallback_filter, load_filter
from ruiji.chunker.unique.page_blocks import PageBlocks, page_blocks
from ruiji.corpora import InputError, map_pages, read_pages
from ruiji.corpora.page import Page
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of
from ruiji.progress import Reporter

if TYPE_CHECKING:  # scikit-learn takes a second to import
    from ruiji.chunker.unique.estimator import UniquenessExtractor

ALONE_SHOWN = 5  # pages that are named; all with -v


@dataclass(frozen=True, slots=True)
class Read:
    """The blocks of one page; None where it gives none, of which the second reading will tell."""

    id: str
    url: str
    blocks: PageBlocks | None


def blocks_of(pages: Sequence[Page]) -> list[Read]:
    """The blocks of each page, for mapping over pages."""
    return [
        Read(page.id, page.url, None if isinstance(nodes, PageFailed) else page_blocks(nodes))
        for page, nodes in zip(pages, text_nodes_of(pages), strict=True)
    ]


def failed(page: Page, error: str) -> Read:
    """The row of a page that gives no blocks."""
    return Read(page.id, page.url, None)


def check_fallback(name: str, fallback: str) -> None:
    """Raises ModelError where the fallback cannot be used; better said before any page is read."""
    if name in COLLECTIVE:
        fallback_filter(fallback)
    elif fallback:
        load_filter(name, "", fallback)


@contextmanager
def prepared(
    name: str,
    model: str,
    sources: Sequence[str],
    jobs: int,
    reporter: Reporter,
    fallback: str = "",
    groups: str | None = None,
) -> Iterator[str]:
    """The model that a filter is to use: the one given, or for a filter that learns from the very pages, one
    made of them.

    ``groups`` is the folder of a detect run: pages of one of its groups are not compared. Raises InputError
    where the pages cannot be read twice.
    """
    if model or name not in COLLECTIVE:
        if groups is not None:
            raise InputError(
                "--groups goes with --filter unique without --model: a saved extractor has compared its pages already"
            )
        yield model
        return
    group_of = groups_in(groups) if groups is not None else {}
    from ruiji.chunker.unique.folder import save_extractor

    extractor, _ = learned(sources, jobs, reporter, group_of)
    alone = [
        page
        for page, site in zip(extractor.names_, extractor.site_.tolist(), strict=True)
        if extractor.site_pages_[site] == 1
    ]
    if alone:
        shown = alone if reporter.verbosity > 0 else alone[:ALONE_SHOWN]
        more = ", …" if len(alone) > len(shown) else ""
        reporter.say(
            f"{len(alone)} {'page is' if len(alone) == 1 else 'pages are'} alone on the site and cannot be compared; there, "
            f"{fallback or DEFAULT_FALLBACK} decides: {', '.join(shown)}{more}"
        )
    with TemporaryDirectory(prefix="ruiji-") as folder:
        save_extractor(extractor, Path(folder) / name)
        del extractor
        yield str(Path(folder) / name)


def groups_in(folder: str) -> dict[str, str]:
    """The group of each page, by address, that a detect run wrote. Raises InputError."""
    import pyarrow as pa
    from pyarrow import parquet

    path = Path(folder) / "groups.parquet"
    try:
        table = parquet.read_table(path, columns=["group", "url"])
    except (OSError, pa.ArrowException) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(
            f"{folder}: not the output of ruiji detect, its {path.name} cannot be read: {reason}"
        ) from error
    return {
        str(url): str(group)
        for group, url in zip(table["group"].to_pylist(), table["url"].to_pylist(), strict=True)
    }


def learned(
    sources: Sequence[str], jobs: int, reporter: Reporter, group_of: Mapping[str, str] | None = None
) -> tuple[UniquenessExtractor, list[int]]:
    """An extractor fitted to the pages, and the place of each of its pages in the input; ``group_of`` has
    groups by address.

    Raises InputError for standard input.
    """
    from ruiji.chunker.unique.estimator import UniquenessExtractor

    if "-" in sources:
        raise InputError(
            "block uniqueness reads the pages twice: name files, not -; to filter, a saved extractor with --model will do too"
        )
    names, places, blocks = [], [], []
    groups: list[Hashable] = []
    rows = map_pages(blocks_of, read_pages(list(sources)), failed=failed, jobs=jobs)
    for place, row in enumerate(reporter.watch(rows)):
        if row.blocks is not None:
            names.append(row.id)
            places.append(place)
            blocks.append(row.blocks)
            groups.append((group_of or {}).get(row.url, place))  # a page of no group is a group of its own
    return UniquenessExtractor().fit_blocks(blocks, groups, names), places
