"""The partial-copy index on disk: one folder of parts, named by a list that is replaced as a whole.

New documents go into new parts; parts of similar size are merged, as in a log-structured store, so that there
are few and adding never rebuilds everything. Whatever moment a writer is killed at, the list names whole
parts only: those of before or those of after. What an interrupted writer had finished is kept in a note, and
the same writer goes on from there.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruiji.corpora.files import InUse, locked, partial_path
from ruiji.detector.copies.contents import (
    LIST,
    LOCK,
    Contents,
    checksum_of,
    list_record,
    read_contents,
    read_list,
    write_list,
)
from ruiji.detector.copies.files import Entry, PartWriter, merged, open_part, verify
from ruiji.detector.copies.part import IndexPart
from ruiji.detector.copies.passages import Passage, find_passages
from ruiji.detector.copies.rule import PassageRule
from ruiji.detector.copies.suffixes import MAX_POSITIONS
from ruiji.detector.copies.texts import IndexRefused

if TYPE_CHECKING:
    import pyarrow as pa

NOTE = "unfinished.json"
PART_POSITIONS = (
    1 << 24
    # A part is closed at so many positions while documents come in: 640,000 documents of 25 segments, 0.5 GB
    # to sort
)
GROWTH = 4  # a part that is less than so many times as large as what came after it is merged with it


_COLUMNS = (
    ("url", "string"), ("source_url", "string"), ("start", "int64"), ("end", "int64"),
    ("source_start", "int64"), ("source_end", "int64"), ("segments", "int64"), ("score", "float64"),
    ("text", "string"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class CopyIndex:
    """An opened index."""

    contents: Contents
    parts: tuple[IndexPart, ...]

    def match(self, text: str, url: str = "", rule: PassageRule | None = None) -> list[Passage]:
        """The passages of a text that stand in the index too, by where they start.

        ``url`` is where the text is from: a source with the same url and the same text is the page itself and
        no copy.

        >>> import ruiji, tempfile
        >>> story = "港のそばに住んでいると、海の様子で季節の移り変わりがわかるようになる。"
        >>> page = {"url": "http://a.example/", "html": f"<p>{story}</p>"}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     index = ruiji.build_index([page], folder + "/idx", jobs=0)
        ...     [(passage.source_url, passage.text) for passage in index.match("引用。" + story)]
        [('http://a.example/', '港のそばに住んでいると、海の様子で季節の移り変わりがわかるようになる。')]
        """
        return self.match_all([text], [url], rule)[0]

    def match_all(
        self, texts: Sequence[str], urls: Sequence[str] = (), rule: PassageRule | None = None
    ) -> list[list[Passage]]:
        """The copied passages of each text; see ``find_passages``. Raises IndexRefused where a number in the
        index leads nowhere: the files may be a stranger's, and are not read as a whole before they are used.
        """
        try:
            return find_passages(self.parts, texts, urls, rule)
        except (ArithmeticError, IndexError, MemoryError, UnicodeError, ValueError) as error:
            if isinstance(error, IndexRefused):
                raise
            raise IndexRefused(
                f"the index is damaged ({type(error).__name__}: {error}); build it again"
            ) from error

    def match_table(
        self, texts: Sequence[str], urls: Sequence[str], rule: PassageRule | None = None
    ) -> pa.Table:
        """The copied passages of texts as an Arrow table, a row a passage, as ``ruiji index match`` writes
        them; its ``to_pandas()`` is a data frame.

        >>> import ruiji, tempfile
        >>> story = "港のそばに住んでいると、海の様子で季節の移り変わりがわかるようになる。"
        >>> page = {"url": "http://a.example/", "html": f"<p>{story}</p>"}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     index = ruiji.build_index([page], folder + "/idx", jobs=0)
        ...     table = index.match_table([story, "ほかの話。"], ["http://b.example/", "http://c.example/"])
        >>> table["url"].to_pylist()
        ['http://b.example/']
        """
        import pyarrow as pa

        passages = self.match_all(texts, urls, rule)
        rows = [
            {"url": url, **asdict(passage)}
            for url, own in zip(urls, passages, strict=True)
            for passage in own
        ]
        return pa.Table.from_pylist(rows, pa.schema([(name, getattr(pa, kind)()) for name, kind in _COLUMNS]))


def open_index(folder: Path, check: bool = False) -> CopyIndex:
    """The index in a folder, mapped, which takes the same time whatever its size; ``check`` reads all of it
    and compares checksums.

    Raises IndexRefused, with one sentence, where there is none or it cannot be used.
    """
    contents = read_contents(folder)
    for _ in range(3):  # a writer may remove a part that the list named a moment ago
        try:
            parts = tuple(open_part(folder, entry) for entry in contents.parts)
            break
        except IndexRefused:
            now = read_contents(folder)
            if now == contents:
                raise
            contents = now
    else:
        raise IndexRefused(f"{folder}: the index is being rewritten; try again")
    if check:
        for entry in contents.parts:
            verify(folder, entry)
    return CopyIndex(contents, parts)


@contextmanager
def writing(
    folder: Path,
    settings: Mapping[str, Any],
    signature: str,
    anew: bool,
    part_positions: int = PART_POSITIONS,
    inputs: str = "",
) -> Iterator[Writer]:
    """A writer of the index in a folder, which alone may write; when the block ends well, what it was given
    is part of the index.

    ``anew`` replaces what is there. ``signature`` stands for the documents to come: where a writer with the
    same signature was interrupted, this one goes on, and its ``done`` says how many documents are there
    already. ``inputs`` is a digest of what the documents are made from, which the list keeps with the number
    of pages that failed. Raises IndexRefused.
    """
    if anew:
        _check_replaceable(folder)
        folder.mkdir(parents=True, exist_ok=True)
    else:
        read_contents(folder)
    with _alone(folder):
        before = Contents() if anew else read_contents(folder)
        base = replace(
            before, parts=(), parts_made=_parts_made(folder, before), settings=before.settings or settings
        )
        signature = hashlib.sha256(
            f"{signature} {checksum_of(list_record(before))} {part_positions}".encode()
        ).hexdigest()
        writer = Writer(folder, signature, base, part_positions)
        writer.take_up()
        try:
            yield writer
            contents = writer.finish(before.parts)
        finally:
            writer.abandon()
            _remove_traces(folder)
        if inputs:
            contents = replace(contents, inputs={**before.inputs, inputs: writer.failed})
        folder.mkdir(exist_ok=True)
        write_list(folder / LIST, contents)
        (folder / NOTE).unlink(missing_ok=True)
        _remove_others(folder, contents.parts)


def _check_replaceable(folder: Path) -> None:
    """Raises IndexRefused where the folder holds something else."""
    if folder.exists() and not folder.is_dir():
        raise IndexRefused(f"{folder}: a file is there; an index is a folder")
    ours = (LIST, NOTE, LOCK)
    if folder.is_dir() and any(folder.iterdir()) and not any((folder / name).is_file() for name in ours):
        raise IndexRefused(f"{folder}: the folder holds other files; name a new one for the index")


def _parts_made(folder: Path, contents: Contents) -> int:
    """How many parts were ever numbered; a new index in the place of an old one must not reuse the names of
    its parts.
    """
    made = contents.parts_made
    if (folder / LIST).is_file():
        try:
            made = max(made, read_list(folder / LIST).parts_made)
        except IndexRefused:  # it is about to be replaced
            made = max(
                [made, *(int(path.name[5:]) for path in folder.glob("part-*") if path.name[5:].isdecimal())]
            )
    return made


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    try:
        with locked(folder / LOCK):
            yield
    except InUse as error:
        raise IndexRefused(
            f"{folder}: another process is writing this index; wait until it is done"
        ) from error


def _remove_traces(folder: Path) -> None:
    """Removes a folder in which nothing came to be."""
    if not any((folder / name).exists() for name in (LIST, NOTE)) and not any(folder.glob("part-*")):
        (folder / LOCK).unlink(missing_ok=True)
        with suppress(OSError):
            folder.rmdir()


def _remove_others(folder: Path, parts: Sequence[Entry]) -> None:
    """Removes the parts that nobody names."""
    named = {part.folder for part in parts}
    for path in folder.glob("part-*"):
        if path.name not in named:
            shutil.rmtree(path, ignore_errors=True)
    for path in (partial_path(folder / LIST), partial_path(folder / NOTE)):
        path.unlink(missing_ok=True)


class Writer:
    """Takes documents and makes parts of them."""

    def __init__(self, folder: Path, signature: str, base: Contents, part_positions: int) -> None:
        self._folder, self._signature, self._made, self._part_positions = (
            folder,
            signature,
            base,
            part_positions,
        )
        self._open: PartWriter | None = None
        self.done = 0  # documents, failed pages included, of an interrupted writer
        self.failed = 0

    def take_up(self) -> None:
        """Goes on after an interrupted writer of the same documents; removes what any other left behind."""
        kept: tuple[Entry, ...] = ()
        if (self._folder / NOTE).is_file():
            try:
                note = read_list(self._folder / NOTE)
            except IndexRefused:
                note = Contents()
            if note.settings.get("signature") == self._signature:
                kept, self.done, self.failed = note.parts, note.settings["done"], note.settings["failed"]
                self._made = replace(self._made, parts=kept, parts_made=note.parts_made)
            else:
                (self._folder / NOTE).unlink()
        current = read_list(self._folder / LIST).parts if _usable(self._folder / LIST) else ()
        if current or not (self._folder / LIST).exists():
            _remove_others(self._folder, (*current, *kept))

    def add(self, url: str, text: str, digest: bytes, marks: bytes) -> None:
        """Adds a document with what ``digested`` made of it. Raises IndexRefused for one that no part can
        hold.
        """
        if len(marks) > MAX_POSITIONS:
            raise IndexRefused(f"{url}: a document of {len(marks)} segments is too large for an index")
        if self._open is not None and self._open.positions + len(marks) > self._part_positions:
            self._close()
        if self._open is None:
            self._open = PartWriter(self._next_folder())
        self._open.add(url, text, digest, marks)

    def seen(self, pages: int, failed: int) -> None:
        """Notes that so many pages are through, so that an interrupted run can be taken up at the last whole
        part.
        """
        self.done, self.failed = pages, failed

    def _next_folder(self) -> Path:
        self._made = replace(self._made, parts_made=self._made.parts_made + 1)
        return self._folder / f"part-{self._made.parts_made:06}"

    def _close(self) -> None:
        assert self._open is not None
        entry = self._open.close()
        self._open = None
        self._made = replace(self._made, parts=(*self._made.parts, entry))
        progress = {"signature": self._signature, "done": self.done, "failed": self.failed}
        write_list(self._folder / NOTE, replace(self._made, settings=progress))

    def finish(self, before: Sequence[Entry]) -> Contents:
        """All parts, those that were there first, merged where they are of similar size."""
        if self._open is not None:
            self._close()
        entries = (*before, *self._made.parts)
        parts = []
        for group in grouped([entry.positions for entry in entries]):
            members = [entries[number] for number in group]
            parts.append(
                members[0] if len(members) == 1 else merged(self._folder, members, self._next_folder())
            )
        return replace(self._made, parts=tuple(parts))

    def abandon(self) -> None:
        """Lets go of a part that was not finished."""
        if self._open is not None:
            self._open.abandon()
            self._open = None


def grouped(sizes: Sequence[int]) -> list[range]:
    """Which neighbours to merge: from the last on, each that is not much larger than all after it, as far as
    a part can hold them.
    """
    groups: list[range] = []
    end = len(sizes)
    while end:
        start, total = end - 1, sizes[end - 1]
        while start and sizes[start - 1] < GROWTH * total and sizes[start - 1] + total <= MAX_POSITIONS:
            start -= 1
            total += sizes[start]
        groups.append(range(start, end))
        end = start
    return groups[::-1]


def _usable(path: Path) -> bool:
    try:
        read_list(path)
    except (IndexRefused, OSError):
        return False
    return True


__all__ = ["Contents", "CopyIndex", "IndexRefused", "Writer", "open_index", "read_contents", "writing"]
