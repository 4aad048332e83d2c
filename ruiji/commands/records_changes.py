"""``ruiji records changes``: what changed between two runs of ``ruiji records``, for whoever looks after the
pages.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ruiji.corpora.errors import SettingError, reading_results
from ruiji.corpora.files import owned, refuse_foreign_folder, refuse_inputs, replacing
from ruiji.detector.records.changes import Notice, changes
from ruiji.detector.records.folder import RecordsFolder
from ruiji.detector.records.notices import atom_feed, file_name, mail_bodies, text_by_site
from ruiji.detector.records.owners import PageOwners, read_owners
from ruiji.options import add_volume
from ruiji.outcome import Outcome
from ruiji.progress import Reporter
from ruiji.resume import standard_output

TEXT, JSONL, ATOM, MAIL = "text", "jsonl", "atom", "mail"
FORMATS = (TEXT, JSONL, ATOM, MAIL)
DESCRIPTION = (
    "What changed on which page between two runs of ruiji records, and which pages still say the old thing."
)
EPILOG = """\
examples:
  ruiji records changes out out2                                      by site, on standard output
  ruiji records changes out out2 -o changes.jsonl
  ruiji records changes out out2 --format atom -o feed.xml
  ruiji records changes out out2 --owners owners.tsv --format mail -o mails/    one file an owner; nothing is
      sent

owners.tsv has an address prefix, a tab and an owner a line; the longest prefix counts, other pages are their
site's."""


@dataclass(frozen=True, slots=True)
class ChangesSettings:
    """The folders of the two runs, who owns pages, and where the notices go in which form; None for standard
    output.
    """

    old: Path
    new: Path
    output: Path | None
    form: str = TEXT
    owners: PageOwners = field(default_factory=PageOwners)
    owners_file: Path | None = None

    def inputs(self) -> Iterator[Path]:
        """Every file that is read."""
        for folder in (self.old, self.new):
            yield from folder.iterdir() if folder.is_dir() else ()
        if self.owners_file is not None:
            yield self.owners_file


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji records changes``."""
    parser.add_argument("old", metavar="OLD", help="the folder of the earlier run of ruiji records")
    parser.add_argument("new", metavar="NEW", help="the folder of the later run")
    parser.add_argument("--owners", metavar="FILE", help="address prefix, a tab and owner, a line each")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        help="text by site, JSON lines, an Atom feed, or a mail body an owner in the folder -o "
        "(default: text; jsonl with -o)",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where the notices go; a folder for mail")
    add_volume(parser)


def settings_from(options: argparse.Namespace) -> ChangesSettings:
    """The settings that the options describe."""
    output = Path(options.output) if options.output else None
    form = options.format or (TEXT if output is None else JSONL)
    if form == MAIL and output is None:
        raise SettingError("‹format=mail› writes a file for each owner: ‹output=FOLDER› is needed")
    owners_file = Path(options.owners) if options.owners else None
    owners = read_owners(owners_file) if owners_file else PageOwners()
    return ChangesSettings(Path(options.old), Path(options.new), output, form, owners, owners_file)


def run(settings: ChangesSettings, progress: Reporter) -> Outcome:
    """Prints or writes the notices."""
    with reading_results(settings.new):
        notices = changes(RecordsFolder(settings.old), RecordsFolder(settings.new))
    if settings.form == MAIL and settings.output is not None:
        refuse_foreign_folder(settings.output, "records changes")
        refuse_inputs(settings.output, settings.inputs())
        write_mails(notices, settings.owners, settings.output)
        return Outcome()
    document = rendered(notices, settings)
    if settings.output is None:
        with standard_output() as stream:
            stream.write(document)
    else:
        with owned(settings.output, settings.inputs()), replacing(settings.output) as stream:
            stream.write(document)
    return Outcome()


def rendered(notices: list[Notice], settings: ChangesSettings) -> bytes:
    """The notices in the form that is asked for."""
    if settings.form == ATOM:
        return atom_feed(notices, settings.owners)
    if settings.form == JSONL:
        lines = [
            json.dumps({**asdict(notice), "owner": settings.owners.owner_of(notice.url)}, ensure_ascii=False)
            + "\n"
            for notice in notices
        ]
        return "".join(lines).encode("utf-8", "replace")
    return (text_by_site(notices) or "nothing changed\n").encode("utf-8", "replace")


def write_mails(notices: list[Notice], owners: PageOwners, folder: Path) -> None:
    """A file for each owner."""
    folder.mkdir(parents=True, exist_ok=True)
    for owner, body in mail_bodies(notices, owners).items():
        with replacing(folder / file_name(owner)) as stream:
            stream.write(body.encode("utf-8", "replace"))
