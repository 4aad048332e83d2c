"""Options that several commands have, and the kinds of numbers that options take."""

from __future__ import annotations

import argparse
import math
import os
import re

from ruiji.chunker.conventions import AUTO, CONVENTIONS
from ruiji.chunker.filters import DEFAULT_FILTER, FILTERS
from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.errors import SettingError

PAGES_HELP = (
    "HTML files (.html .htm .xhtml, also .gz), texts (.txt), folders of either, .jsonl, .jsonl.gz or "
    ".parquet with url and html, .warc or .warc.gz, standard-format .xml, or - for one page on standard input"
)

ANNOTATED_HELP = (
    "annotated pages, in any of the forms that extract reads: with the comments <!-- (((BEGIN NOT CONTENT "
    "--> and "
    "<!-- )))END NOT CONTENT --> around what is not content, or JSONL with main_content"
)


def add_pages(command: argparse.ArgumentParser, help_text: str = PAGES_HELP) -> None:
    """The pages to read."""
    command.add_argument("pages", nargs="+", metavar="PAGES", help=help_text)


def add_filter(command: argparse.ArgumentParser) -> None:
    """Which text counts as content."""
    command.add_argument(
        "--filter",
        choices=sorted(FILTERS),
        default=DEFAULT_FILTER,
        help="which text counts as content: blocks, by rules (few links, long sentences); crf, by a "
        "learned model; "
        "none, all of it; unique, what other pages of the same site do not have (default: %(default)s)",
    )
    command.add_argument(
        "--model",
        default="",
        metavar="NAME|PATH",
        help="with crf: a shipped model (default, nakamura) or the folder that ruiji train wrote; with "
        "unique: a "
        "saved extractor, else the pages are read twice",
    )
    command.add_argument(
        "--alone",
        action="store_true",
        help="with crf: judge each page by itself; else what most sampled pages of its site have at the same "
        "place counts against a text, where a site has four pages or more",
    )
    command.add_argument(
        "--convention",
        choices=CONVENTIONS,
        default=AUTO,
        help="with crf: what counts as content: single blocks, with or without the headline, or the whole "
        "element of the content (auto: element on Japanese pages, blocks on others)",
    )


def add_error_outputs(command: argparse.ArgumentParser) -> None:
    """Where it is said what was wrong, page by page and text node by text node."""
    command.add_argument(
        "--errors",
        metavar="FILE.html",
        help="also a page that shows the worst pages, truth and label side by side",
    )
    command.add_argument(
        "--tables",
        metavar="FOLDER",
        help="also Parquet files for pandas: pages, text nodes (truth, label, score, path, fold, site, kind "
        "of page and of region), folds, kinds of regions, weights",
    )


def add_precision(command: argparse.ArgumentParser) -> None:
    """How sure an extraction must be for its page to stay."""
    command.add_argument(
        "--precision",
        type=share,
        metavar="P",
        help="with crf: only pages whose text can be promised to have this precision by words; of those that "
        "stay, nine of ten have it",
    )


def add_comparing(command: argparse.ArgumentParser) -> None:
    """What goes with the filter that compares pages."""
    command.add_argument(
        "--fallback",
        default="",
        metavar="NAME[:MODEL]",
        help="with unique: what decides on a page that is alone on its site: blocks (default), none, "
        "crf:MODEL",
    )
    command.add_argument(
        "--groups",
        metavar="OUT",
        help="with unique: the folder of a ruiji detect run; pages that it put into one group are not "
        "compared "
        "with each other",
    )
    command.add_argument(
        "--plain",
        action="store_true",
        help="with unique: the rule as published in 2009, a block that no other page has, of whatever site",
    )
    command.add_argument(
        "--threshold",
        type=share,
        default=None,
        metavar="COSINE",
        help="with --plain: blocks match above this (default: 0.9)",
    )


def mask_settings(options: argparse.Namespace) -> MaskSettings:
    """The settings of the filter that the options describe."""
    return MaskSettings(
        options.filter,
        options.model,
        getattr(options, "fallback", ""),
        getattr(options, "plain", False),
        getattr(options, "threshold", None),
        getattr(options, "alone", False),
        convention=getattr(options, "convention", AUTO),
    )


def add_engine(command: argparse.ArgumentParser) -> None:
    """What runs the statements, where, and with how much memory."""
    from ruiji.detector.detection import ENGINES, MASTER, MEMORY  # with the engines, which few commands need

    command.add_argument(
        "--engine", choices=ENGINES, default="duckdb", help="default: %(default)s, in this process"
    )
    command.add_argument(
        "--master", default=MASTER, metavar="URL", help="with spark: its master (default: %(default)s)"
    )
    command.add_argument(
        "--memory",
        type=memory_size,
        default=MEMORY,
        metavar="SIZE",
        help="of the engine, such as 500MB; more goes to disk (default: %(default)s)",
    )


def add_common(command: argparse.ArgumentParser) -> None:
    """Number of processes, and how much is said."""
    command.add_argument(
        "--jobs",
        type=positive_integer,
        default=os.cpu_count() or 1,
        metavar="N",
        help="processes (default: all cores)",
    )
    add_volume(command)


def add_volume(command: argparse.ArgumentParser) -> None:
    """How much is said on standard error."""
    volume = command.add_mutually_exclusive_group()
    volume.add_argument(
        "-q",
        "--quiet",
        dest="verbosity",
        action="store_const",
        const=-1,
        default=0,
        help="no progress, no messages",
    )
    volume.add_argument(
        "-v", "--verbose", dest="verbosity", action="store_const", const=1, help="name every page that failed"
    )


def add_port(command: argparse.ArgumentParser) -> None:
    """Where a server listens."""
    command.add_argument("--port", type=port_number, metavar="N", help="default: 8765, or any that is free")


def add_language(command: argparse.ArgumentParser) -> None:
    """Adds --language."""
    command.add_argument(
        "--language",
        type=language_code,
        default="",
        metavar="LANG",
        help="only pages in it, such as ja (0.5 %% particles, as published) or en (by statistics)",
    )


def language_code(text: str) -> str:
    """A language by ISO 639-1 that pages can be asked for; "" for any."""
    from ruiji.detector.sentences.language import known_language  # here: few commands have the option

    try:
        return known_language(text)
    except SettingError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def positive_number(text: str) -> float:
    """A number above 0."""
    number = _number(text)
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError("must be a number above 0")
    return number


def non_negative_number(text: str) -> float:
    """A number, 0 or more."""
    number = _number(text)
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError("must be a number, 0 or more")
    return number


def share(text: str) -> float:
    """A number between 0 and 1."""
    number = _number(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError("must be between 0 and 1")
    return number


def positive_integer(text: str) -> int:
    """A whole number, 1 or more."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return int(text)


def integer_from_two(text: str) -> int:
    """A whole number, 2 or more."""
    if not text.isdecimal() or int(text) < 2:
        raise argparse.ArgumentTypeError("must be 2 or more")
    return int(text)


def memory_size(text: str) -> str:
    """A size in MB, GB or TB."""
    if not re.fullmatch(r"[1-9]\d*(?:MB|GB|TB)", text.upper()):
        raise argparse.ArgumentTypeError("must be a size such as 500MB or 2GB")
    return text.upper()


def port_number(text: str) -> int:
    """A port number."""
    if not text.isdecimal() or not int(text) < 1 << 16:
        raise argparse.ArgumentTypeError("must be a number from 0 (any free port) to 65535")
    return int(text)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
