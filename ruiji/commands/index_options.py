"""The options of ``ruiji index``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

RULES = ("weighted", "plain")

EPILOG = """\
examples:
  ruiji index build encyclopedia.jsonl.gz -o idx     the sources, once
  ruiji index add idx new-articles/                  more of them; nothing is rebuilt
  ruiji index match idx crawl.warc.gz -o found.jsonl what a crawl copied from them

A killed build or add leaves the index as it was; the same command goes on where it stopped."""

BUILD_EPILOG = """\
examples:
  ruiji index build wiki/ news.parquet -o idx
  ruiji index build wiki/ -o idx --filter none       all of the text, menus included

An index that is already there is replaced when the new one is whole."""

ADD_EPILOG = """\
example:
  ruiji index add idx news-of-today.jsonl

Pages are added, not replaced: a page that is added twice is found twice."""

MATCH_EPILOG = """\
examples:
  ruiji index match idx blog/                        one JSON object a copied passage, on the terminal
  ruiji index match idx crawl.warc.gz -o found.jsonl --other-sites
  ruiji index match idx page.html --rule plain       the rule of the paper: three segments in a row

An object has: url source_url start end source_start source_end segments score text. Offsets count the characters of what
ruiji extract shows as text with the same --filter; score is in bits, and a passage is reported from 40 on, which is one rare
sentence of 20 Japanese characters. A page that is in the index itself is not compared with itself."""

Options = Callable[[argparse.ArgumentParser], None]


def add_index(commands: Any, pages_help: str, filter_options: Options, common: Options) -> None:
    """Adds the command with its three actions."""
    index = commands.add_parser(
        "index",
        help="find passages copied from a body of sources",
        description="An index of sources, and the passages that other pages copied from them.",
        epilog=EPILOG,
    )
    actions = index.add_subparsers(
        dest="index_command", metavar="ACTION", required=True, parser_class=type(index)
    )

    build = actions.add_parser(
        "build", help="make an index of pages", description="Makes an index of pages.", epilog=BUILD_EPILOG
    )
    build.add_argument("pages", nargs="+", metavar="PAGES", help=pages_help)
    build.add_argument("-o", "--output", metavar="IDX", required=True, help="the folder of the index")
    filter_options(build)
    common(build)

    add = actions.add_parser(
        "add", help="add pages to an index", description="Adds pages to an index.", epilog=ADD_EPILOG
    )
    add.add_argument("index", metavar="IDX", help="the folder of the index")
    add.add_argument("pages", nargs="+", metavar="PAGES", help=pages_help)
    filter_options(add)
    common(add)

    match = actions.add_parser(
        "match",
        help="find what pages copied",
        description="The passages of pages that stand in the index too, each checked letter by letter.",
        epilog=MATCH_EPILOG,
    )
    match.add_argument("index", metavar="IDX", help="the folder of the index")
    match.add_argument("pages", nargs="+", metavar="PAGES", help=pages_help)
    match.add_argument(
        "--rule",
        choices=RULES,
        default="weighted",
        help="what counts as a copy (default: %(default)s, by rarity)",
    )
    match.add_argument("--other-sites", action="store_true", help="leave out sources of the page's own site")
    match.add_argument(
        "--verify", action="store_true", help="first read the whole index and compare its checksums"
    )
    match.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
    filter_options(match)
    common(match)
