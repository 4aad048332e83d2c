"""The commands and their options. What a command does is in the module of its name."""

from __future__ import annotations

import argparse
import math
import os
import re
from importlib.metadata import version
from typing import Any

from ruiji.chunker.decoding.expected_f import DECODINGS
from ruiji.chunker.filters import FILTERS
from ruiji.commands.convert import TARGETS
from ruiji.commands.extract import FORMATS
from ruiji.commands.index_options import add_index
from ruiji.commands.records_options import add_records
from ruiji.commands.web_options import add_annotate, add_report, add_review
from ruiji.features.nodes.sets import FEATURE_SETS, KEYWORDS

COMPARISONS = ("svm", "baseline", "self")
MATCHES = ("exact", "skeleton")
ENGINES = ("duckdb", "spark")

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
  ruiji extract page.html                     the content of a page
  ruiji extract crawl.warc.gz -o pages.jsonl  a crawl, one JSON object a page
  ruiji convert folder/ --to parquet -o pages.parquet

exit status: 0 fine, 1 some pages failed (each is in the output with its error), 2 nothing could be done"""

EXTRACT_EPILOG = """\
examples:
  ruiji extract page.html                              the content on the terminal
  ruiji extract page.html --filter none                the whole text
  curl -s http://localhost/ | ruiji extract -          a page from a pipe
  ruiji extract site/ --format jsonl --nodes | head -1  every text node with its path
  ruiji extract crawl.warc.gz more.parquet -o out.jsonl
                                                       interrupted? the same command goes on where it stopped

The format follows the name of -o (.jsonl, .html, .txt); on standard output it is text. A record of jsonl has: id url title encoding
encoding_evidence text content_nodes nodes expected_f1 dropped error; expected_f1 is how good a learned model expects its own text to be
(sort by it to see the doubtful pages first); dropped counts characters that are in no text node, by reason."""

ANNOTATED_HELP = (
    "annotated pages, in any of the forms that extract reads: with the comments <!-- (((BEGIN NOT CONTENT --> and "
    "<!-- )))END NOT CONTENT --> around what is not content, or JSONL with main_content"
)

TRAIN_EPILOG = """\
examples:
  ruiji train annotated/ -o model              then: ruiji extract page.html --filter crf --model model
  ruiji train a.jsonl.gz b.jsonl.gz -o model --features nakamura
  ruiji train annotated/ -o model --beta 2     a model that would rather keep too much
  ruiji train --self crawl.warc.gz -o model    no annotation: taught by what repeats on each site"""

CROSSVAL_EPILOG = """\
examples:
  ruiji crossval annotated/                    metrics of the feature set full
  ruiji crossval annotated/ --ablate           tables 4.2, 4.4 and 4.6 of Nakamura 2007 with ours beside them
  ruiji crossval annotated/ --features full --ablate      what each family of features brings
  ruiji crossval annotated/ --compare svm,baseline -o results.json
  ruiji crossval annotated/ --compare self     how near a model comes that is taught by train --self

L_nc label accuracy (L_bl of calling all content) · R_ regions · B_ text nodes: recall, precision, F of non-content · FP_c content called
non-content · block_ and perfect: blocks of content · word_ words of the extracted text (character pairs in Japanese), mean over pages"""

EVALUATE_EPILOG = """\
examples:
  ruiji evaluate annotated/ --filter crf --model model
  ruiji evaluate annotated/ --filter blocks -o blocks.json
  ruiji evaluate site/ --filter unique --fallback none"""

DETECT_EPILOG = """\
examples:
  ruiji detect crawl.warc.gz -o out                    then read out/report.html
  ruiji detect site/ more.parquet -o out --filter crf --model model
  ruiji detect new.warc.gz -o week2 --against week1    new pages with each other and with those of an earlier run
  ruiji detect pages.parquet -o out --engine spark --master spark://host:7077
                                                       the same rows; OUT must lie where all workers see it
  interrupted? the same command goes on where it stopped

OUT gets pages, sentences, links, pairs and groups as .parquet, run.json and report.html. Pages with the same content count as one when
the pages that have a sentence are counted."""

CONVERT_EPILOG = """\
examples:
  ruiji convert crawl.warc.gz --to parquet -o pages.parquet     raw bytes, HTTP headers kept
  ruiji convert old-site/ --to jsonl -o pages.jsonl.gz          html as text, whatever its encoding was
  ruiji convert pages.jsonl --to standard-format -o xml/        a file a page; -o all.xml for one file

For the standard format the pages are read twice: it names the links to each page, and joins anchors whose compound is frequent."""


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    main = _Parser("ruiji", DESCRIPTION, EPILOG)
    main.add_argument("--version", action="version", version=f"ruiji {version('ruiji')}")
    commands = main.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)

    extract = commands.add_parser(
        "extract", help="content of each page", description="The content of each page.", epilog=EXTRACT_EPILOG
    )
    extract.add_argument("pages", nargs="+", metavar="PAGES", help=PAGES_HELP)
    _filter(extract)
    _comparing(extract)
    extract.add_argument("--format", choices=FORMATS, help="default: text, or what the name of -o says")
    extract.add_argument(
        "--nodes",
        action="store_true",
        help="with jsonl: the text nodes, as labels (text, content, score, path)",
    )
    extract.add_argument(
        "-o", "--output", metavar="FILE", help="default: standard output; with html also a folder"
    )
    _common(extract)

    train = commands.add_parser(
        "train",
        help="learn a chunker from annotated pages",
        description="Learns a chunker from annotated pages.",
        epilog=TRAIN_EPILOG,
    )
    train.add_argument("pages", nargs="+", metavar="PAGES", help=ANNOTATED_HELP)
    train.add_argument(
        "--self",
        dest="without_annotation",
        action="store_true",
        help="pages without annotation, several of each site: what repeats there and what does not is the lesson",
    )
    train.add_argument(
        "-o", "--output", metavar="MODEL", required=True, help="a folder: CRFsuite file and card.json"
    )
    _learning(train)
    _common(train)

    crossval = commands.add_parser(
        "crossval",
        help="cross-validate on annotated pages",
        description="Cross-validates a chunker; pages of one site are never on both sides of a split.",
        epilog=CROSSVAL_EPILOG,
    )
    crossval.add_argument("pages", nargs="+", metavar="PAGES", help=ANNOTATED_HELP)
    crossval.add_argument(
        "--folds",
        type=_two_or_more,
        default=5,
        metavar="N",
        help="default: %(default)s, or as many as there are sites",
    )
    crossval.add_argument(
        "--ablate",
        action="store_true",
        help="also leave out one feature at a time: the paper's tables, ours beside them",
    )
    crossval.add_argument(
        "--compare",
        type=_comparisons,
        default=(),
        metavar="LIST",
        help="also these, by commas: svm, baseline, self",
    )
    crossval.add_argument(
        "--together",
        action="append",
        default=[],
        metavar="PATTERNS",
        help="sites that share a template and must stay on one side, as patterns by commas: debian-*,gnucash-*; may be given again",
    )
    crossval.add_argument("-o", "--output", metavar="FILE", help="the results as JSON")
    _learning(crossval)
    _common(crossval)

    evaluate = commands.add_parser(
        "evaluate",
        help="score a filter on annotated pages",
        description="Scores one filter on annotated pages, by site and in all.",
        epilog=EVALUATE_EPILOG,
    )
    evaluate.add_argument("pages", nargs="+", metavar="PAGES", help=ANNOTATED_HELP)
    _filter(evaluate)
    _comparing(evaluate)
    evaluate.add_argument("-o", "--output", metavar="FILE", help="the results as JSON")
    _common(evaluate)

    agree = commands.add_parser(
        "agree",
        help="agreement of two annotators",
        description="How far two annotators of the same pages agree, by region and by text node.",
        epilog="example:\n  ruiji agree annotated/hanako annotated/taro",
    )
    agree.add_argument("first", metavar="DIR_A", help="pages as one annotator left them")
    agree.add_argument("second", metavar="DIR_B", help="the same pages, under the same names, by the other")
    agree.add_argument("-o", "--output", metavar="FILE", help="the results as JSON")
    _common(agree)

    convert = commands.add_parser(
        "convert",
        help="pages into another form",
        description="Pages from any form into another.",
        epilog=CONVERT_EPILOG,
    )
    convert.add_argument("pages", nargs="+", metavar="PAGES", help=PAGES_HELP)
    convert.add_argument("--to", choices=TARGETS, required=True)
    convert.add_argument("-o", "--output", metavar="DEST", required=True)
    _common(convert)

    _detect(commands)
    add_annotate(commands, _filter, _common)
    add_records(commands, PAGES_HELP, _filter, _common)
    add_index(commands, PAGES_HELP, _filter, _common)
    add_review(commands, _filter, _common)
    add_report(commands, _volume)

    demo = commands.add_parser(
        "demo",
        help="all of it on the bundled mini-web",
        description="Reads the bundled mini-web (a small fictional corner of the Japanese web) and shows what each stage sees.",
        epilog="example:\n  ruiji demo -o demo-out",
    )
    demo.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        default="demo-out",
        help="folder for the results (default: %(default)s)",
    )
    _common(demo)
    return main


def _detect(commands: Any) -> None:
    detect = commands.add_parser(
        "detect",
        help="pages that share content, and what they are",
        description="Finds every pair of pages that share long, rare content sentences, and says what kind of pair it is.",
        epilog=DETECT_EPILOG,
    )
    detect.add_argument("pages", nargs="+", metavar="PAGES", help=PAGES_HELP)
    detect.add_argument("-o", "--output", metavar="OUT", required=True, help="folder for the results")
    _filter(detect)
    detect.add_argument(
        "--min-length",
        type=_positive,
        default=20,
        metavar="N",
        help="shortest sentence that counts (default: %(default)s)",
    )
    detect.add_argument(
        "--max-pages",
        type=_two_or_more,
        default=10,
        metavar="N",
        help="a sentence in more pages does not count (default: %(default)s)",
    )
    detect.add_argument(
        "--match",
        choices=MATCHES,
        default="exact",
        help="skeleton: sentences also match with other particles, inflections or widths",
    )
    detect.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="OLD_OUT",
        help="also compare with an earlier run; may be given again",
    )
    detect.add_argument(
        "--keep-templates",
        action="store_true",
        help="also pairs of one site that share nothing but paragraphs at the same place, which are left out as leftovers of its template",
    )
    detect.add_argument(
        "--engine", choices=ENGINES, default="duckdb", help="default: %(default)s, in this process"
    )
    detect.add_argument(
        "--master", default="local[*]", metavar="URL", help="with spark: its master (default: %(default)s)"
    )
    detect.add_argument(
        "--memory",
        type=_size,
        default="2GB",
        metavar="SIZE",
        help="of the engine, such as 500MB; more goes to disk (default: %(default)s)",
    )
    _common(detect)


def _filter(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--filter",
        choices=sorted(FILTERS),
        help="which text counts as content: blocks, by rules (few links, long sentences); crf, by a learned model; none, all of it; "
        "unique, what other pages of the same site do not have (default: crf)",
    )
    command.add_argument(
        "--model",
        default="",
        metavar="NAME|PATH",
        help="with crf: a shipped model (default, nakamura) or the folder that ruiji train wrote; with unique: a saved extractor, else the "
        "pages are read twice",
    )


def _comparing(command: argparse.ArgumentParser) -> None:
    """What goes with the filter that compares pages."""
    command.add_argument(
        "--fallback",
        default="",
        metavar="NAME[:MODEL]",
        help="with unique: what decides on a page that is alone on its site: blocks (default), none, crf:MODEL",
    )
    command.add_argument(
        "--groups",
        metavar="OUT",
        help="with unique: the folder of a ruiji detect run; pages that it put into one group are not compared with each other",
    )


def _learning(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--features",
        choices=FEATURE_SETS,
        help="feature set: nakamura, as published in 2007; full (default); stacked, with judges below",
    )
    command.add_argument(
        "--keywords",
        choices=KEYWORDS,
        default="selected",
        help="keywords of nakamura: chosen from the training pages or fixed",
    )
    command.add_argument(
        "--decoding",
        choices=DECODINGS,
        default="f1",
        help="f1: the content with the best expected F of each page; viterbi: the likeliest labels (default: %(default)s)",
    )
    command.add_argument(
        "--beta",
        type=_above_zero,
        default=1.0,
        help="dial: above 1 keeps more content, below 1 keeps it cleaner (default: %(default)s)",
    )
    command.add_argument(
        "--c1", type=_zero_or_more, default=None, help="weight of the L1 penalty for a thousand sites"
    )
    command.add_argument(
        "--c2", type=_zero_or_more, default=None, help="weight of the L2 penalty for a thousand sites"
    )
    command.add_argument(
        "--iterations", type=_positive, default=None, metavar="N", help="at most so many rounds of training"
    )


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
    command.add_argument(
        "--jobs",
        type=_positive,
        default=os.cpu_count() or 1,
        metavar="N",
        help="processes (default: all cores)",
    )
    _volume(command)


def _volume(command: argparse.ArgumentParser) -> None:
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


def _above_zero(text: str) -> float:
    number = _number(text)
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError("must be a number above 0")
    return number


def _zero_or_more(text: str) -> float:
    number = _number(text)
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError("must be a number, 0 or more")
    return number


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _comparisons(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if unknown := [name for name in names if name not in COMPARISONS]:
        raise argparse.ArgumentTypeError(f"no {', '.join(unknown)}; there are {', '.join(COMPARISONS)}")
    return names


def _size(text: str) -> str:
    if not re.fullmatch(r"[1-9]\d*(?:MB|GB|TB)", text.upper()):
        raise argparse.ArgumentTypeError("must be a size such as 500MB or 2GB")
    return text.upper()


def _two_or_more(text: str) -> int:
    if not text.isdecimal() or int(text) < 2:
        raise argparse.ArgumentTypeError("must be 2 or more")
    return int(text)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return int(text)
