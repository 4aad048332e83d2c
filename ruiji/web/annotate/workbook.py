"""A folder of pages under annotation by one person: what is known of each page, what is saved where, what
others say.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ruiji.chunker.annotation.annotators import Agreement, agreement
from ruiji.chunker.annotation.examples import Example, examples_of
from ruiji.chunker.annotation.reading import AnnotationError, annotated_regions, read_annotation
from ruiji.chunker.annotation.site_rules import SiteRule, ruled
from ruiji.chunker.annotation.writing import annotate
from ruiji.chunker.filters import Filter
from ruiji.chunker.labels import B, I, LabelArray, O, labels_of, labels_of_mask, regions_of, repaired
from ruiji.chunker.mask import UNCERTAIN, node_uncertainty, page_uncertainty
from ruiji.corpora import InputError
from ruiji.corpora.files import replacing
from ruiji.corpora.page import Page
from ruiji.corpora.reading import URL_LIST, page_from_file, read_folder, source_files, url_list, url_of_path
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_and_markup, text_nodes_of
from ruiji.features.page.template_paths import template_paths
from ruiji.features.page.textnodes import TextNodes
from ruiji.web.safety import OutsideFolder, confined

NOTES = (
    ".ruiji-annotation.json"  # beside the saved pages: which are done, and what was applied to whole sites
)
BATCH = 16  # pages that are read and labelled together in the background
KEPT = 4  # pages whose text nodes stay in memory


@dataclass(slots=True)
class Sheet:
    """A page of the folder: what the list shows of it, and its labels as they are now."""

    name: str
    path: Path
    url: str
    last_modified: str = ""
    site: str = ""
    title: str = ""
    error: str = ""
    doubt: float = 0.0
    ready: bool = False
    saved: bool = False
    done: bool = False
    origin: str = "model"  # who said the first labels: model, page (comments in it), or saved
    labels: LabelArray = field(default_factory=lambda: np.zeros(0, dtype=np.int8))
    doubts: Sequence[int] = ()

    @property
    def saved_name(self) -> str:
        """Where it is saved in the annotator's folder; packed pages are unpacked."""
        return self.name.removesuffix(".gz").removesuffix(".GZ")


@dataclass(frozen=True, slots=True)
class Change:
    """What applying a rule changed, so that it can be taken back: of each page the nodes and the labels they
    had.
    """

    rule: SiteRule
    before: Mapping[int, tuple[Sequence[int], LabelArray]]
    unsaved: frozenset[int]


class Workbook:
    """The pages of a folder, one annotator's labels on them, and the files they are saved in."""

    def __init__(self, folder: Path, out: Path, filter_: Filter) -> None:
        self.folder, self.out, self.filter = folder, out, filter_
        if out.exists() and not out.is_dir():
            raise InputError(f"{out}: there is a file of that name; annotated pages go into a folder")
        if out.resolve() == folder.resolve() or folder.resolve().is_relative_to(out.resolve()):
            raise InputError(
                f"{out}: annotated pages must not be written over {folder}; choose another --output"
            )
        self.lock = threading.RLock()
        self.rules: list[SiteRule] = []
        self.changes: list[Change] = []
        self.sheets = list(_listed(folder, out))
        if not self.sheets:
            raise InputError(f"{folder}: the folder holds no pages")
        done = self._read_notes()
        for sheet in self.sheets:
            sheet.done = sheet.name in done
        self._cached = lru_cache(maxsize=KEPT)(self._page_and_nodes)
        self._opening = threading.Lock()
        self.finished = threading.Event()

    # What is known of the pages

    def prepare(self) -> None:
        """Reads and labels every page, those that were not opened yet; for a thread in the background."""
        for start in range(0, len(self.sheets), BATCH):
            self._label(
                [
                    number
                    for number in range(start, min(start + BATCH, len(self.sheets)))
                    if not self.sheets[number].ready
                ]
            )
        self.finished.set()

    def _label(self, numbers: Sequence[int]) -> None:
        pages = [self._read(self.sheets[number]) for number in numbers]
        for number, page, nodes in zip(numbers, pages, text_nodes_of(pages), strict=True):
            self._label_one(number, page, nodes)

    def _label_one(self, number: int, page: Page, nodes: TextNodes | PageFailed) -> None:
        sheet = self.sheets[number]
        if isinstance(nodes, PageFailed):
            with self.lock:
                sheet.error, sheet.ready = str(nodes), True
            return
        try:
            (mask,) = self.filter.masks([nodes])
        except Exception as error:  # whatever a model does with one page must not stop the others
            with self.lock:
                sheet.error, sheet.ready = f"{type(error).__name__}: {error}", True
            return
        labels = labels_of_mask(mask.content) if mask.labels is None else mask.labels.astype(np.int8)
        origin = "model"
        saved = self._saved_labels(sheet, nodes)
        if saved is not None:
            labels, origin = saved, "saved"
        elif nodes.marks and (regions := _regions_in(page, nodes)) is not None:
            labels, origin = labels_of(regions, len(nodes)), "page"
        with self.lock:
            if sheet.ready:
                return
            site = nodes.host
            if origin != "saved":
                labels = ruled(labels, nodes, [rule for rule in self.rules if rule.site == site])
            doubts = node_uncertainty(mask)
            sheet.site, sheet.title, sheet.labels, sheet.origin = site, nodes.title, labels, origin
            sheet.saved = origin == "saved"
            sheet.doubts = np.flatnonzero(doubts >= UNCERTAIN).tolist()
            sheet.doubt = page_uncertainty(nodes, mask)
            sheet.ready = True

    def _read(self, sheet: Sheet) -> Page:
        """The page as it is in the folder now."""
        if sheet.error:
            return Page(sheet.name, sheet.url, error=sheet.error)
        try:
            confined(self.folder, sheet.path)
        except OutsideFolder as error:
            return Page(sheet.name, sheet.url, error=str(error))
        return page_from_file(sheet.path, sheet.name, sheet.url, sheet.last_modified)

    def _page_and_nodes(self, number: int) -> tuple[Page, TextNodes, bytes]:
        page = self._read(self.sheets[number])
        return page, *text_nodes_and_markup(page)

    def markup(self, number: int) -> bytes:
        """What the parser reads of a page. Raises PageFailed."""
        self.opened(number)
        with self._opening:
            return self._cached(number)[2]

    def opened(self, number: int) -> tuple[Sheet, Page, TextNodes]:
        """A page with its text nodes, labelled. Raises PageFailed."""
        sheet = self.sheets[number]
        if sheet.error:
            raise PageFailed(sheet.error)
        with self._opening:  # what two requests ask for at once is made once
            page, nodes, _ = self._cached(number)
        if not sheet.ready:
            self._label_one(number, page, nodes)
            if sheet.error:
                raise PageFailed(sheet.error)
        if len(sheet.labels) != len(nodes):
            raise PageFailed("the file has changed since it was read; start ruiji annotate again")
        return sheet, page, nodes

    def progress(self) -> dict[str, int]:
        """How many pages there are, are read, are begun and are done."""
        return {
            "pages": len(self.sheets),
            "ready": sum(sheet.ready for sheet in self.sheets),
            "saved": sum(sheet.saved for sheet in self.sheets),
            "done": sum(sheet.done for sheet in self.sheets),
        }

    def by_doubt(self) -> list[int]:
        """The numbers of all pages, the most doubtful first."""
        return sorted(
            range(len(self.sheets)), key=lambda number: (-self.sheets[number].doubt, self.sheets[number].name)
        )

    # Labels and files

    def put(self, number: int, labels: LabelArray, done: bool | None = None) -> None:
        """Takes the labels of a page and saves it. Raises AnnotationError where they cannot be written,
        ValueError for other labels.
        """
        sheet, page, nodes = self.opened(number)
        if len(labels) != len(nodes) or (len(labels) and not np.isin(labels, (O, B, I)).all()):
            raise ValueError(
                f"{sheet.name} has {len(nodes)} text nodes, and so many labels 0, 1 or 2 are wanted"
            )
        labels = repaired(labels, np.zeros(1, dtype=np.int32))
        with self.lock:
            self._save(sheet, page, labels)
            sheet.labels, sheet.saved = labels, True
            if done is not None:
                sheet.done = done
            self._write_notes()

    def _save(self, sheet: Sheet, page: Page, labels: LabelArray) -> None:
        written = annotate(page, regions_of(labels))
        destination = confined(self.out, self.out / sheet.saved_name)
        with replacing(destination) as stream:
            stream.write(written if isinstance(written, bytes) else written.encode("utf-8"))

    def _saved_labels(self, sheet: Sheet, nodes: TextNodes) -> LabelArray | None:
        """The labels of the saved copy on the nodes of the page; None where there is none, or it is of
        another text.
        """
        path = self.out / sheet.saved_name
        try:
            if not confined(self.out, path).is_file():
                return None
            page = Page(sheet.name, sheet.url, path.read_bytes(), last_modified=sheet.last_modified)
            (example,) = examples_of([page])
        except (OSError, OutsideFolder):
            return None
        if example.nodes is None or "".join(example.nodes.texts) != "".join(nodes.texts):
            return None
        ends = np.cumsum([len(text) for text in example.nodes.texts])
        starts = np.cumsum([0, *(len(text) for text in nodes.texts)])[:-1]
        return repaired(example.labels[ends.searchsorted(starts, side="right")], np.zeros(1, dtype=np.int32))

    def apply(self, number: int, element: int, content: bool) -> dict[str, Any]:
        """Decides all blocks of the site that stand where this element does; what was changed can be taken
        back.
        """
        _, _, nodes = self.opened(number)
        if not 0 <= element < len(nodes.tag):
            raise ValueError("there is no such block")
        rule = SiteRule(nodes.host, template_paths(nodes)[element], content)
        before: dict[int, tuple[Sequence[int], LabelArray]] = {}
        unsaved = set()
        failures = []
        for other in self._of_site(rule.site):
            try:
                sheet, page, own = self.opened(other)
            except PageFailed:
                continue
            labels = ruled(sheet.labels, own, [rule])
            changed = np.flatnonzero(labels != sheet.labels)
            if not len(changed):
                continue
            with self.lock:
                if sheet.saved or other == number:
                    try:
                        self._save(sheet, page, labels)
                    except AnnotationError as error:
                        failures.append(str(error))
                        continue
                    if not sheet.saved:
                        unsaved.add(other)
                    sheet.saved = True
                before[other] = (changed.tolist(), sheet.labels[changed])
                sheet.labels = labels
        with self.lock:
            self.rules.append(rule)
            self.changes.append(Change(rule, before, frozenset(unsaved)))
            self._write_notes()
        return {
            "change": len(self.changes) - 1,
            "path": rule.path,
            "pages": len(before),
            "failures": failures,
        }

    def _of_site(self, site: str) -> Iterator[int]:
        """The pages of a site; those not read yet are read now."""
        for number, sheet in enumerate(self.sheets):
            if not sheet.ready:
                try:
                    self.opened(number)
                except PageFailed:
                    continue
            if sheet.site == site and not sheet.error:
                yield number

    def take_back(self, change_number: int) -> None:
        """Undoes what applying a rule changed, where nobody has changed it since."""
        change = self.changes[change_number]
        for number, (places, labels) in change.before.items():
            sheet, page, _ = self.opened(number)
            with self.lock:
                restored = sheet.labels.copy()
                restored[list(places)] = labels
                restored = repaired(restored, np.zeros(1, dtype=np.int32))
                if sheet.saved:
                    self._save(sheet, page, restored)
                sheet.labels = restored
        with self.lock:
            if change.rule in self.rules:
                self.rules.remove(change.rule)
            self._write_notes()

    # Notes and other annotators

    def _read_notes(self) -> frozenset[str]:
        try:
            notes = json.loads((self.out / NOTES).read_text(encoding="utf-8"))
            self.rules = [
                SiteRule(str(rule["site"]), str(rule["path"]), bool(rule["content"]))
                for rule in notes.get("rules", ())
            ]
            return frozenset(map(str, notes.get("done", ())))
        except FileNotFoundError:
            return frozenset()
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{self.out / NOTES}: cannot be read ({error}); mend or remove it") from error

    def _write_notes(self) -> None:
        rules = [{"site": rule.site, "path": rule.path, "content": rule.content} for rule in self.rules]
        notes = {"done": sorted(sheet.name for sheet in self.sheets if sheet.done), "rules": rules}
        with replacing(confined(self.out, self.out / NOTES)) as stream:
            stream.write(
                json.dumps(notes, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass") + b"\n"
            )
        listed = [
            (sheet.saved_name, sheet.url, sheet.last_modified)
            for sheet in self.sheets
            if sheet.last_modified or sheet.url != url_of_path(sheet.saved_name)
        ]
        if listed:
            with replacing(confined(self.out, self.out / URL_LIST)) as stream:
                stream.write(
                    "".join("\t".join(line) + "\n" for line in listed).encode("utf-8", "surrogatepass")
                )

    def others(self) -> dict[str, Agreement]:
        """The agreement with every other annotator whose folder lies beside ours."""
        if not self.out.parent.is_dir():
            return {}
        ours = _examples(self.out)
        return {
            folder.name: agreement(ours, _examples(folder))
            for folder in sorted(self.out.parent.iterdir())
            if folder.is_dir() and folder.resolve() != self.out.resolve() and (folder / NOTES).is_file()
        }


def _listed(folder: Path, out: Path) -> Iterator[Sheet]:
    """The pages of the folder, without those that lie in the annotators' own."""
    known = url_list(folder)
    inside = out.parent.resolve()
    for path in source_files(str(folder)):
        if path == folder / URL_LIST or (
            inside != folder.resolve() and path.resolve().is_relative_to(inside)
        ):
            continue
        name = path.relative_to(folder).as_posix()
        url, last_modified = known.get(name) or (url_of_path(name), "")
        sheet = Sheet(name, path, url, last_modified)
        try:
            confined(folder, path)
        except OutsideFolder:
            sheet.error, sheet.ready = "a link that leads out of the folder; it is not followed", True
        yield sheet


def _regions_in(page: Page, nodes: TextNodes) -> list[tuple[int, int]] | None:
    """The regions that comments in the page say; None where they are faulty."""
    try:
        return read_annotation(page, nodes)
    except AnnotationError:
        try:
            return annotated_regions(nodes)
        except AnnotationError:
            return None


def _examples(folder: Path) -> dict[str, Example]:
    """The annotated pages of a folder, by name."""
    if not folder.is_dir():
        return {}
    return {example.id: example for example in examples_of(list(read_folder(folder))) if not example.error}
