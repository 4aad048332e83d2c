"""The command line: which commands there are, and how what happened becomes an exit status.

A command is the module of its name in ``ruiji.commands``; only the one that was asked for is imported.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any, Protocol

from ruiji.corpora.errors import DamagedResults, SettingError
from ruiji.corpora.page import InputError
from ruiji.failures import sentence_of
from ruiji.interrupts import came
from ruiji.outcome import Outcome
from ruiji.progress import Reporter
from ruiji.terminal import printable, printable_output, printable_text

OK, SOME_FAILED, NOTHING_DONE, INTERRUPTED = 0, 1, 2, 130

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

# Commands in the order in which the help lists them.
COMMANDS = {
    "extract": "content of each page",
    "train": "learn a chunker from annotated pages",
    "crossval": "cross-validate on annotated pages",
    "evaluate": "score a filter on annotated pages",
    "agree": "agreement of two annotators",
    "convert": "pages into another form",
    "detect": "pages that share content, and what they are",
    "clean": "a corpus without its repetitions",
    "annotate": "annotate pages in a browser",
    "records": "records that correspond, and their contradictions",
    "index": "find passages copied from a body of sources",
    "review": "judge results in a browser",
    "report": "a run as one HTML file",
    "demo": "all of it on the bundled mini-web",
}
# An action beside a command that takes pages: argparse cannot tell the two apart, the first words can.
ACTIONS = {("records", "changes"): "records changes", ("clean", "merge"): "clean merge"}


class Parser(argparse.ArgumentParser):
    """argparse with examples kept as they are written, and errors of one sentence."""

    def __init__(self, prog: str = "", description: str = "", epilog: str = "", **rest: Any) -> None:
        super().__init__(
            prog=prog or None,
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **rest,
        )

    def error(self, message: str) -> None:  # type: ignore[override]
        """Ends the program with exit status 2 and one sentence."""
        self.exit(2, f"{self.prog}: {printable_text(message)}; see {self.prog} --help\n")


class Version(argparse.Action):
    """Prints the version and ends; it is looked up only then, which takes a while."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"ruiji {version('ruiji')}")
        parser.exit()


class Command(Protocol):
    """The module of a command."""

    DESCRIPTION: str
    EPILOG: str

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Defines the options of the command."""

    def settings_from(self, options: argparse.Namespace) -> Any:
        """Frozen settings, from parsed options."""

    def run(self, settings: Any, progress: Reporter) -> Outcome:
        """Does the work."""


def main(arguments: list[str]) -> int:
    """Runs a command line; returns its exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that has no kanji shows question marks
    arguments = _with_action_as_one_word(arguments)
    name, verbosity = "", 0
    try:
        options = parser(arguments).parse_args(arguments)
        name, verbosity = options.command, options.verbosity
        command = command_module(name)
        settings = command.settings_from(options)
        if came():  # and a library that was imported made nothing of it
            raise KeyboardInterrupt
        with printable_output():
            outcome = command.run(settings, Reporter(verbosity))
        if sys.stdout is not None:
            sys.stdout.flush()
        return SOME_FAILED if outcome.failed else OK
    except BrokenPipeError:  # a reader that has seen enough, such as head
        _drop_output()
        return OK
    except KeyboardInterrupt:
        _say(name, "interrupted")
        return INTERRUPTED
    except Exception as error:
        if came():
            _drop_output()
            _say(name, "interrupted")
            return INTERRUPTED
        expected = isinstance(error, (InputError, OSError)) and not isinstance(error, DamagedResults)
        if verbosity > 0 and not expected:
            import traceback

            traceback.print_exc()
        _drop_output()
        _say(name, error.worded(option_name) if isinstance(error, SettingError) else sentence_of(error))
        return NOTHING_DONE


def parser(arguments: list[str]) -> argparse.ArgumentParser:
    """The parser of a command line; the commands that it does not ask for have no options there, and where it
    begins with one, the others are not there at all.
    """
    wanted = next((argument for argument in arguments if not argument.startswith("-")), None)
    main_parser = Parser("ruiji", DESCRIPTION, EPILOG)
    main_parser.add_argument("--version", action=Version, nargs=0, help="show the version and exit")
    commands = main_parser.add_subparsers(  # without ``prog`` it would be put together, which takes a while
        prog="ruiji", dest="command", metavar="COMMAND", required=True, parser_class=Parser
    )
    begins = arguments[:1] == [wanted] and wanted in COMMANDS  # so that nobody can ask what others there are
    for name, summary in COMMANDS.items():
        if name == wanted or not begins:
            _add_command(commands, name, wanted, help=summary)
    if wanted is not None and wanted in ACTIONS.values():
        _add_command(commands, wanted, wanted)
    return main_parser


def command_module(name: str) -> Command:
    """The module of a command."""
    module: Any = import_module(f"ruiji.commands.{name.replace(' ', '_')}")
    return module  # type: ignore[no-any-return]


def _add_command(commands: Any, name: str, wanted: str | None, **listed: str) -> None:
    if name != wanted:
        commands.add_parser(name, **listed)
        return
    command = command_module(name)
    command.add_options(
        commands.add_parser(name, description=command.DESCRIPTION, epilog=command.EPILOG, **listed)
    )


def option_name(name: str, value: str | None = None) -> str:
    """A setting as it is written on the command line, with its value: ``filter`` → ``--filter unique``."""
    option = {"out": "-o", "lam": "--lambda"}.get(name, f"--{name.replace('_', '-')}")
    return option if value is None else f"{option} {value}"


def _with_action_as_one_word(arguments: list[str]) -> list[str]:
    """The arguments with a command and its action, such as ``records changes``, as one argument."""
    action = ACTIONS.get(tuple(arguments[:2]))  # type: ignore[arg-type]
    return arguments if action is None else [action, *arguments[2:]]


def _say(command: str, text: str) -> None:
    # In one piece with its end: a second interrupt, which waited for an import, may come between two.
    print(f"{f'ruiji {command}'.strip()}: {printable(text)}\n", end="", file=sys.stderr)


def _drop_output() -> None:
    """What could not be written to standard output is not tried again when the process ends."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
        return
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
