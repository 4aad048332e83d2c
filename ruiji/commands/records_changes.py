"""``ruiji records changes``: what changed between two runs of ``ruiji records``."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from ruiji.corpora.files import replacing
from ruiji.detector.records.changes import Notice, changes
from ruiji.detector.records.folder import RecordsFolder
from ruiji.options import add_volume
from ruiji.outcome import Outcome
from ruiji.progress import Reporter

DESCRIPTION = (
    "What changed on which page between two runs of ruiji records, and which pages still say the old thing."
)
EPILOG = """\
examples:
  ruiji records changes out out2
  ruiji records changes out out2 -o changes.jsonl"""


@dataclass(frozen=True, slots=True)
class ChangesSettings:
    """The folders of the two runs, and where the notices go; None for standard output, as text."""

    old: Path
    new: Path
    output: Path | None


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji records changes``."""
    parser.add_argument("old", metavar="OLD", help="the folder of the earlier run of ruiji records")
    parser.add_argument("new", metavar="NEW", help="the folder of the later run")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the notices as JSON lines (default: as text on standard output)",
    )
    add_volume(parser)


def settings_from(options: argparse.Namespace) -> ChangesSettings:
    """The settings that the options describe."""
    output = Path(options.output) if options.output else None
    return ChangesSettings(Path(options.old), Path(options.new), output)


def run(settings: ChangesSettings, progress: Reporter) -> Outcome:
    """Prints the notices, or writes them as JSON lines."""
    notices = changes(RecordsFolder(settings.old), RecordsFolder(settings.new))
    if settings.output is None:
        sys.stdout.write("".join(map(notice_text, notices)) or "nothing changed\n")
        return Outcome()
    with replacing(settings.output) as stream:
        for notice in notices:
            line = json.dumps(asdict(notice), ensure_ascii=False)
            stream.write(line.encode("utf-8", "replace") + b"\n")
    return Outcome()


def notice_text(notice: Notice) -> str:
    """A notice as a person reads it."""
    subject = notice.label or notice.path
    if notice.kind in ("added", "removed"):
        text = f"{notice.url}\n  {subject}: {notice.kind} ({notice.new or notice.old})\n"
    else:
        text = f"{notice.url}\n  {subject}  {notice.field}: {notice.old or '–'} → {notice.new or '–'}" + (
            " (another notation)\n" if notice.kind == "rewritten" else "\n"
        )
    for page in notice.outdated:
        text += f"    still {page.value}: {page.url}" + (f" ({page.time[:10]})\n" if page.time else "\n")
    return text
