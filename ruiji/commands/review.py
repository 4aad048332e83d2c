"""``ruiji review``: results are judged in a browser."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from ruiji.chunker.fitting import check_masks, fitted_masks
from ruiji.chunker.masking import MaskSettings
from ruiji.commands.annotate import missing_library
from ruiji.corpora.sources import named_pages
from ruiji.detector.copies.pages import content_texts
from ruiji.options import add_common, add_filter, add_port, mask_settings
from ruiji.outcome import Outcome
from ruiji.progress import Reporter

DESCRIPTION = "Shows what was found side by side in a browser and keeps your verdicts."
EPILOG = """\
examples:
  ruiji review OUT                  the pairs that ruiji detect found, side by side
  ruiji review found.jsonl          the copied passages that ruiji index match found
  ruiji review found.jsonl --pages wiki/ blog/
                                    with both pages around them (the same --filter as for the index)
  ruiji review records-out          the contradictions that ruiji records found
  ruiji evaluate OUT                the share of right ones, by category, as you judged them

Verdicts are kept in OUT/verdicts.jsonl (of a file: beside it, NAME.verdicts.jsonl)."""


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """Which results are judged; ``pages`` are those of copied passages, to show them in full."""

    results: Path
    pages: tuple[str, ...]
    masks: MaskSettings
    port: int | None
    jobs: int


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji review``."""
    parser.add_argument(
        "out",
        metavar="OUT",
        help="the folder of ruiji detect or ruiji records, or the file of ruiji index match",
    )
    parser.add_argument(
        "--pages",
        nargs="+",
        default=(),
        metavar="PAGES",
        help="of copied passages: the pages themselves, to see both sides in full",
    )
    add_port(parser)
    add_filter(parser)
    add_common(parser)


def settings_from(options: argparse.Namespace) -> ReviewSettings:
    """The settings that the options describe."""
    return ReviewSettings(
        Path(options.out), tuple(options.pages), mask_settings(options), options.port, options.jobs
    )


def run(settings: ReviewSettings, progress: Reporter) -> Outcome:
    """Serves results for review until it is interrupted."""
    try:
        from ruiji.web.review.views import review_results
    except ModuleNotFoundError as error:
        raise missing_library(error) from error
    if not settings.pages:
        review_results(settings.results, settings.port, progress)
        return Outcome()
    check_masks(settings.masks)
    pages = named_pages(settings.pages)
    with fitted_masks(settings.masks, pages, settings.jobs, progress) as masks:

        def texts_of(urls: Collection[str]) -> dict[str, str]:
            wanted = [page for page in progress.watch(pages) if page.url in urls]
            contents = content_texts(wanted, masks)
            return {content.url: content.text for content in contents if not content.error}

        review_results(settings.results, settings.port, progress, texts_of)
    return Outcome()
