"""A folder of pages under annotation by one person: what is known of each page, and what is saved where."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ruiji.chunker.annotation.annotators import Agreement
from ruiji.chunker.annotation.reading import AnnotationError
from ruiji.chunker.annotation.site_rules import SiteRule
from ruiji.chunker.labels import B, I, LabelArray, O, repaired
from ruiji.corpora import InputError
from ruiji.corpora.files import replacing
from ruiji.features.page.parser_input import PageFailed
from ruiji.web.annotate.notes import NOTES, Notes, read_notes, write_addresses, write_notes
from ruiji.web.annotate.page_desk import PageDesk, PageReading
from ruiji.web.annotate.page_files import PageFile, page_files
from ruiji.web.annotate.worker import Desk, time_limit
from ruiji.web.safety import confined

AGREEMENT_SECONDS = 120.0  # for all pages that two annotators have
_START = np.zeros(1, dtype=np.int32)  # where the only page of an array of labels starts


@dataclass(slots=True)
class Sheet:
    """A page of the folder: what the list shows of it, and its labels as they are now."""

    file: PageFile
    site: str = ""
    title: str = ""
    error: str = ""
    uncertainty: float = 0.0
    ready: bool = False
    saved: bool = False
    done: bool = False
    origin: str = "model"  # who said the first labels: model, page (comments in it), or saved
    labels: LabelArray = field(default_factory=lambda: np.zeros(0, dtype=np.int8))
    uncertain: Sequence[int] = ()  # nodes

    @property
    def name(self) -> str:
        return self.file.name


@dataclass(frozen=True, slots=True)
class AppliedRule:
    """What applying a rule changed, so that it can be taken back: of each page the nodes and the labels they
    had.
    """

    rule: SiteRule
    before: Mapping[int, tuple[Sequence[int], LabelArray]]


def check_output(folder: Path, out: Path) -> None:
    """Raises InputError where annotated pages of a folder cannot be saved in ``out``."""
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: there is a file of that name; annotated pages go into a folder")
    if out.resolve() == folder.resolve() or folder.resolve().is_relative_to(out.resolve()):
        raise InputError(f"{out}: annotated pages must not be written over {folder}; choose another --output")


class Workbook:
    """The pages of a folder, one annotator's labels on them, and the files they are saved in. Pages are
    worked on at ``desk``; those that are read ahead, at ``background``.
    """

    def __init__(self, folder: Path, out: Path, desk: Desk, background: Desk | None = None) -> None:
        check_output(folder, out)
        self.folder, self.out, self.desk = folder, out, desk
        self.background = background or desk
        self.lock = threading.RLock()
        self.sheets = [_sheet(file) for file in page_files(folder, out)]
        if not self.sheets:
            raise InputError(f"{folder}: the folder holds no pages")
        notes = read_notes(out)
        self.rules: list[SiteRule] = list(notes.rules)
        self.applied: list[AppliedRule] = []
        for sheet in self.sheets:
            sheet.done = sheet.name in notes.done

    # What is known of the pages

    def prepare(self) -> None:
        """Reads and labels every page, those that were not opened yet; for a thread in the background."""
        for number in range(len(self.sheets)):
            self._read(number, self.background)

    def opened(self, number: int) -> Sheet:
        """A page with its labels; it is read now if it was not yet. Raises PageFailed."""
        self._read(number, self.desk)
        sheet = self.sheets[number]
        if sheet.error:
            raise PageFailed(sheet.error)
        return sheet

    def fail(self, number: int, error: PageFailed) -> None:
        """Remembers why a page cannot be shown: it is not tried again."""
        with self.lock:
            self.sheets[number].error, self.sheets[number].ready = str(error), True

    def _read(self, number: int, desk: Desk) -> None:
        sheet = self.sheets[number]
        while not sheet.ready:
            rules = tuple(self.rules)
            try:
                reading = desk.ask(time_limit(sheet.file), PageDesk.read, sheet.file, rules)
            except (AnnotationError, ValueError, OSError) as error:
                self.fail(number, PageFailed(str(error)))
                return
            with self.lock:
                if rules == tuple(self.rules) and not sheet.ready:  # else another rule came in between
                    _take(sheet, reading)

    def progress(self) -> dict[str, int]:
        """How many pages there are, are read, are begun and are done."""
        return {
            "pages": len(self.sheets),
            "ready": sum(sheet.ready for sheet in self.sheets),
            "saved": sum(sheet.saved for sheet in self.sheets),
            "done": sum(sheet.done for sheet in self.sheets),
        }

    def by_uncertainty(self) -> list[int]:
        """The numbers of all pages, the most uncertain first."""
        sheets = self.sheets
        return sorted(range(len(sheets)), key=lambda place: (-sheets[place].uncertainty, sheets[place].name))

    # Labels and files

    def put(self, number: int, labels: LabelArray, done: bool | None = None) -> None:
        """Takes the labels of a page and saves it. Raises AnnotationError where they cannot be written,
        PageFailed, ValueError for what is no labels of this page.
        """
        sheet = self.opened(number)
        if len(labels) != len(sheet.labels) or (len(labels) and not np.isin(labels, (O, B, I)).all()):
            size = len(sheet.labels)
            raise ValueError(f"{sheet.name} has {size} text nodes, and so many labels 0, 1 or 2 are wanted")
        labels = repaired(labels, _START)
        with self.lock:
            self._save(sheet, labels)
            sheet.labels, sheet.saved = labels, True
            if done is not None:
                sheet.done = done
            self._write_notes()

    def _save(self, sheet: Sheet, labels: LabelArray) -> None:
        written = self.desk.ask(time_limit(sheet.file), PageDesk.annotated, sheet.file, labels)
        with replacing(confined(self.out, self.out / sheet.file.saved_name)) as stream:
            stream.write(written)

    def apply(self, number: int, element: int, content: bool) -> dict[str, Any]:
        """Decides all blocks of the site that stand where this element does; what was changed can be taken
        back. Raises PageFailed, ValueError.
        """
        file = self.opened(number).file
        rule = self.desk.ask(time_limit(file), PageDesk.rule_at, file, element, content)
        before: dict[int, tuple[Sequence[int], LabelArray]] = {}
        failures = []
        for other in self._of_site(rule.site):
            sheet = self.sheets[other]
            try:
                labels = self.desk.ask(time_limit(sheet.file), PageDesk.ruled, sheet.file, sheet.labels, rule)
            except PageFailed:
                continue
            changed = np.flatnonzero(labels != sheet.labels)
            if not len(changed):
                continue
            with self.lock:
                if sheet.saved or other == number:
                    try:
                        self._save(sheet, labels)
                    except (AnnotationError, PageFailed) as error:
                        failures.append(str(error))
                        continue
                    sheet.saved = True
                before[other] = (changed.tolist(), sheet.labels[changed])
                sheet.labels = labels
        with self.lock:
            self.rules.append(rule)
            self.applied.append(AppliedRule(rule, before))
            self._write_notes()
        place = len(self.applied) - 1
        return {"change": place, "path": rule.path, "pages": len(before), "failures": failures}

    def _of_site(self, site: str) -> Iterator[int]:
        """The pages of a site; those not read yet are read now."""
        for number, sheet in enumerate(self.sheets):
            self._read(number, self.desk)
            if sheet.site == site and not sheet.error:
                yield number

    def take_back(self, place: int) -> None:
        """Undoes what applying a rule changed, where nobody has changed it since. Raises PageFailed."""
        applied = self.applied[place]
        for number, (nodes, labels) in applied.before.items():
            sheet = self.opened(number)
            with self.lock:
                restored = sheet.labels.copy()
                restored[list(nodes)] = labels
                restored = repaired(restored, _START)
                if sheet.saved:
                    self._save(sheet, restored)
                sheet.labels = restored
        with self.lock:
            if applied.rule in self.rules:
                self.rules.remove(applied.rule)
            self._write_notes()

    def _write_notes(self) -> None:
        done = frozenset(sheet.name for sheet in self.sheets if sheet.done)
        write_notes(self.out, Notes(done, self.rules))
        write_addresses(self.out, [sheet.file for sheet in self.sheets])

    # Other annotators

    def agreements(self) -> dict[str, Agreement]:
        """The agreement with every other annotator whose folder lies beside ours. Raises PageFailed."""
        if not self.out.parent.is_dir():
            return {}
        return {
            folder.name: self.background.ask(AGREEMENT_SECONDS, PageDesk.agreement_with, folder)
            for folder in sorted(self.out.parent.iterdir())
            if folder.is_dir() and folder.resolve() != self.out.resolve() and (folder / NOTES).is_file()
        }


def _sheet(file: PageFile) -> Sheet:
    if file.leads_out():
        return Sheet(file, error="a link that leads out of the folder; it is not followed", ready=True)
    return Sheet(file)


def _take(sheet: Sheet, reading: PageReading) -> None:
    """Puts what was read of a page on its sheet."""
    sheet.site, sheet.title, sheet.labels = reading.site, reading.title, reading.labels
    sheet.origin, sheet.saved = reading.origin, reading.origin == "saved"
    sheet.uncertain, sheet.uncertainty = reading.uncertain, reading.uncertainty
    sheet.ready = True
