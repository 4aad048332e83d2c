"""``ruiji annotate``: pages of a folder are annotated in a browser."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from ruiji.chunker.fitting import check_masks, fitted_masks
from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.page import InputError
from ruiji.corpora.sources import named_pages
from ruiji.options import add_common, add_filter, add_port, mask_settings
from ruiji.outcome import Outcome
from ruiji.progress import Reporter

DESCRIPTION = (
    "Shows the pages of a folder in a browser; click or type what is not content, and copies with the "
    "comments "
    "are saved."
)
EPILOG = """\
examples:
  ruiji annotate pages/                        then open the address that it prints
  ruiji annotate pages/ --annotator hanako     saved in pages-annotated/hanako/, a folder of her own
  ruiji annotate pages/ --model model          pre-annotated by a model that was trained on the first pages
  ruiji train pages-annotated/hanako -o model  learn from what was annotated

Pages are shown from cleaned copies: nothing in them runs, nothing is fetched. The server listens on this
machine only."""


@dataclass(frozen=True, slots=True)
class AnnotateSettings:
    """Whose annotation of which folder it is, where it is saved, and by which filter pages are
    pre-annotated.
    """

    folder: Path
    output: Path | None
    annotator: str
    masks: MaskSettings
    port: int | None
    jobs: int


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji annotate``."""
    parser.add_argument("folder", metavar="FOLDER", help="a folder of HTML files; it is never written to")
    parser.add_argument(
        "--annotator", default="", metavar="NAME", help="whose annotation it is (default: your user name)"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        help="where annotators have their folders (default: FOLDER-annotated)",
    )
    add_port(parser)
    add_filter(parser)
    add_common(parser)


def settings_from(options: argparse.Namespace) -> AnnotateSettings:
    """The settings that the options describe."""
    return AnnotateSettings(
        Path(options.folder),
        Path(options.output) if options.output else None,
        options.annotator,
        mask_settings(options),
        options.port,
        options.jobs,
    )


def run(settings: AnnotateSettings, progress: Reporter) -> Outcome:
    """Serves the pages of a folder for annotation until it is interrupted."""
    try:
        from ruiji.web.annotate.views import annotate_folder
    except ModuleNotFoundError as error:
        raise missing_library(error) from error
    folder, masks = settings.folder, settings.masks
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder; annotate takes a folder of HTML files")
    check_masks(masks)
    with fitted_masks(masks, named_pages([folder]), settings.jobs, progress) as fitted:
        annotate_folder(
            folder, settings.output, settings.annotator, masks.filter, fitted.model, settings.port, progress
        )
    return Outcome()


def missing_library(error: ModuleNotFoundError) -> InputError:
    """What to install for the web application."""
    return InputError(f"{error.name} is not installed; the web application needs: pip install 'ruiji[web]'")
