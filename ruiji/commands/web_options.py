"""The options of the commands that open in a browser."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

AddOptions = Callable[[argparse.ArgumentParser], None]

ANNOTATE_EPILOG = """\
examples:
  ruiji annotate pages/                        then open the address that it prints
  ruiji annotate pages/ --annotator hanako     saved in pages-annotated/hanako/; everybody has a folder of their own
  ruiji annotate pages/ --model model          pre-annotated by a model that was trained on the first pages
  ruiji train pages-annotated/hanako -o model  learn from what was annotated

Pages are shown from cleaned copies: nothing in them runs, nothing is fetched. The server listens on this machine only."""

REVIEW_EPILOG = """\
examples:
  ruiji review OUT                  the pairs that ruiji detect found, side by side
  ruiji review found.jsonl          the copied passages that ruiji index match found
  ruiji review found.jsonl --pages wiki/ blog/
                                    with both pages around them (the same --filter as for the index)
  ruiji review records-out          the contradictions that ruiji records found
  ruiji evaluate OUT                the share of right ones, by category, as you judged them

Verdicts are kept in OUT/verdicts.jsonl (of a file: beside it, NAME.verdicts.jsonl)."""

REPORT_EPILOG = """\
examples:
  ruiji report OUT                         OUT/report.html
  ruiji report OUT -o report.html --lang ja"""

LANGUAGES = ("both", "en", "ja")


def add_annotate(commands: argparse._SubParsersAction[Any], filter_: AddOptions, common: AddOptions) -> None:
    """``ruiji annotate``."""
    annotate = commands.add_parser(
        "annotate",
        help="annotate pages in a browser",
        description="Shows the pages of a folder in a browser; click or type what is not content, and copies with the comments are saved.",
        epilog=ANNOTATE_EPILOG,
    )
    annotate.add_argument("folder", metavar="FOLDER", help="a folder of HTML files; it is never written to")
    annotate.add_argument(
        "--annotator", default="", metavar="NAME", help="whose annotation it is (default: your user name)"
    )
    annotate.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        help="where annotators have their folders (default: FOLDER-annotated)",
    )
    add_port(annotate)
    filter_(annotate)
    common(annotate)


def add_review(commands: argparse._SubParsersAction[Any], filter_: AddOptions, common: AddOptions) -> None:
    """``ruiji review``."""
    review = commands.add_parser(
        "review",
        help="judge results in a browser",
        description="Shows what was found side by side in a browser and keeps your verdicts.",
        epilog=REVIEW_EPILOG,
    )
    review.add_argument(
        "out",
        metavar="OUT",
        help="the folder of ruiji detect or ruiji records, or the file of ruiji index match",
    )
    review.add_argument(
        "--pages",
        nargs="+",
        default=(),
        metavar="PAGES",
        help="of copied passages: the pages themselves, to see both sides in full",
    )
    add_port(review)
    filter_(review)
    common(review)


def add_report(commands: argparse._SubParsersAction[Any], volume: AddOptions) -> None:
    """``ruiji report``."""
    report = commands.add_parser(
        "report",
        help="a run as one HTML file",
        description="Writes one self-contained HTML file about a run of ruiji detect: to read, to print, to mail.",
        epilog=REPORT_EPILOG,
    )
    report.add_argument("out", metavar="OUT", help="the folder of ruiji detect")
    report.add_argument("-o", "--output", metavar="FILE.html", help="default: OUT/report.html")
    report.add_argument(
        "--lang", choices=LANGUAGES, default="both", help="language of the labels (default: %(default)s)"
    )
    volume(report)


def add_port(command: argparse.ArgumentParser) -> None:
    """Where the server listens."""
    command.add_argument("--port", type=port, metavar="N", help="default: 8765, or any that is free")


def port(text: str) -> int:
    """A port number."""
    if not text.isdecimal() or not int(text) < 1 << 16:
        raise argparse.ArgumentTypeError("must be a number from 0 (any free port) to 65535")
    return int(text)
