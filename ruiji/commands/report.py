"""``ruiji report``: a run of ``ruiji detect``, ``clean`` or ``records`` as one HTML file."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from ruiji.corpora.errors import reading_results
from ruiji.corpora.files import FOLDER_MARKS, owned
from ruiji.options import add_volume
from ruiji.outcome import Outcome
from ruiji.progress import Reporter
from ruiji.report.clean import write_clean_report
from ruiji.report.pairs import write_report
from ruiji.report.records import write_records_report
from ruiji.words import BOTH, REPORT_LANGUAGES

DESCRIPTION = "Writes one self-contained HTML file about a run of detect, clean or records: to read, to mail."
EPILOG = """\
examples:
  ruiji report OUT                         OUT/report.html
  ruiji report OUT -o report.html --lang ja"""

WRITERS = {"clean": write_clean_report, "records": write_records_report, "detect": write_report}


@dataclass(frozen=True, slots=True)
class ReportSettings:
    """Which run is reported, where, and in which language."""

    folder: Path
    destination: Path
    language: str


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji report``."""
    parser.add_argument("out", metavar="OUT", help="the folder of ruiji detect, clean or records")
    parser.add_argument("-o", "--output", metavar="FILE.html", help="default: OUT/report.html")
    parser.add_argument(
        "--lang", choices=REPORT_LANGUAGES, default=BOTH, help="language of the labels (default: %(default)s)"
    )
    add_volume(parser)


def settings_from(options: argparse.Namespace) -> ReportSettings:
    """The settings that the options describe."""
    folder = Path(options.out)
    destination = Path(options.output) if options.output else folder / "report.html"
    return ReportSettings(folder, destination, options.lang)


def run(settings: ReportSettings, progress: Reporter) -> Outcome:
    """Writes the report."""
    writer = next(
        (write for command, write in WRITERS.items() if (settings.folder / FOLDER_MARKS[command]).is_file()),
        write_report,  # which says that there is none
    )
    files = settings.folder.iterdir() if settings.folder.is_dir() else ()
    tables = [path for path in files if path.suffix != ".html"]
    with owned(settings.destination, tables), reading_results(settings.folder):
        writer(settings.folder, settings.destination, settings.language)
    progress.say(f"{settings.destination}")
    return Outcome()
