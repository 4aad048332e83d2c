"""The commands and their options. What a command does is in the module of its name."""

from __future__ import annotations

import argparse
import os
from importlib.metadata import version

from chunker import FILTERS
from ruiji.converting import TARGETS
from ruiji.extracting import FORMATS

PAGES_HELP = (
    "HTML files (.html .htm .xhtml, also .gz), folders of them, .jsonl, .jsonl.gz or .parquet with url and html, "
    ".warc or .warc.gz, standard-format .xml, or - for one page on standard input"
)

DESCRIPTION = """\
ruiji (類似) marks the non-content parts of web pages (menus, advertisements, footers)
and finds pages that share content. ウェブページの本文抽出と類似ページ検出。"""

EPILOG = """\
examples:
  ruiji demo                                  see it work on the bundled mini-web
  ruiji extract page.html                     the text of a page
  ruiji extract crawl.warc.gz -o pages.jsonl  a crawl, one JSON object a page
  ruiji convert folder/ --to parquet -o pages.parquet

exit status: 0 fine, 1 some pages failed (each is in the output with its error), 2 nothing could be done"""

EXTRACT_EPILOG = """\
examples:
  ruiji extract page.html                              text on the terminal
  curl -s http://localhost/ | ruiji extract -          a page from a pipe
  ruiji extract site/ --format jsonl --nodes | head -1  every text node with its path
  ruiji extract crawl.warc.gz more.parquet -o out.jsonl
                                                       interrupted? the same command goes on where it stopped

The format follows the name of -o (.jsonl, .html, .txt); on standard output it is text. A record of jsonl has: id url title encoding
encoding_evidence text content_nodes nodes dropped error; dropped counts characters that are in no text node, by reason."""

CONVERT_EPILOG = """\
examples:
  ruiji convert crawl.warc.gz --to parquet -o pages.parquet     raw bytes, HTTP headers kept
  ruiji convert old-site/ --to jsonl -o pages.jsonl.gz          html as text, whatever its encoding was
  ruiji convert pages.jsonl --to standard-format -o xml/        a file a page; -o all.xml for one file"""


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    main = _Parser("ruiji", DESCRIPTION, EPILOG)
    main.add_argument("--version", action="version", version=f"ruiji {version('ruiji')}")
    commands = main.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)

    extract = commands.add_parser("extract", help="content of each page", description="The content of each page.", epilog=EXTRACT_EPILOG)
    extract.add_argument("pages", nargs="+", metavar="PAGES", help=PAGES_HELP)
    extract.add_argument(
        "--filter", choices=sorted(FILTERS), default="none", help="which text counts as content; none: all of it (default: %(default)s)"
    )
    extract.add_argument("--format", choices=FORMATS, help="default: text, or what the name of -o says")
    extract.add_argument("--nodes", action="store_true", help="with jsonl: the text nodes, as labels (text, content, score, path)")
    extract.add_argument("-o", "--output", metavar="FILE", help="default: standard output; with html also a folder")
    _common(extract)

    convert = commands.add_parser(
        "convert", help="pages into another form", description="Pages from any form into another.", epilog=CONVERT_EPILOG
    )
    convert.add_argument("pages", nargs="+", metavar="PAGES", help=PAGES_HELP)
    convert.add_argument("--to", choices=TARGETS, required=True)
    convert.add_argument("-o", "--output", metavar="DEST", required=True)
    _common(convert)

    demo = commands.add_parser(
        "demo",
        help="all of it on the bundled mini-web",
        description="Reads the bundled mini-web (a small fictional corner of the Japanese web) and shows what each stage sees.",
        epilog="example:\n  ruiji demo -o demo-out",
    )
    demo.add_argument("-o", "--output", metavar="OUT", default="demo-out", help="folder for the results (default: %(default)s)")
    _common(demo)
    return main


class _Parser(argparse.ArgumentParser):
    """argparse with examples kept as they are written, and errors of one sentence."""

    def __init__(self, prog: str = "", description: str = "", epilog: str = "", **rest: object) -> None:
        super().__init__(
            prog=prog or None,
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **rest,  # type: ignore[arg-type]
        )

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--jobs", type=_positive, default=os.cpu_count() or 1, metavar="N", help="processes (default: all cores)")
    volume = command.add_mutually_exclusive_group()
    volume.add_argument("-q", "--quiet", dest="verbosity", action="store_const", const=-1, default=0, help="no progress, no messages")
    volume.add_argument("-v", "--verbose", dest="verbosity", action="store_const", const=1, help="name every page that failed")


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return int(text)
