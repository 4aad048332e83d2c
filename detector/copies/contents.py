"""The list of an index: which parts it consists of, and how its texts were made; one file, replaced as a
whole.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ruiji.corpora.files import replacing
from ruiji.detector.copies.files import Entry, check_sizes, sync_folder
from ruiji.detector.copies.texts import IndexRefused

LIST, LOCK = "index.json", "lock"
KIND = "ruiji copy index"
_PART, _FILE = re.compile(r"part-\d{6,}"), re.compile(r"[a-z_]+|text-\d+")  # names of folders and files
VERSION = 1  # of the files, and of the digest: texts are digested again when a match is checked


@dataclass(frozen=True, slots=True)
class Contents:
    """What an index consists of: its parts in the order of their documents, and how its texts were made."""

    parts: tuple[Entry, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    parts_made: int = 0
    inputs: Mapping[str, int] = field(default_factory=dict)  # what was put in: its digest → pages that failed

    @property
    def documents(self) -> int:
        return sum(part.documents for part in self.parts)

    @property
    def searched_bytes(self) -> int:
        """The size of all that is searched."""
        return sum(part.searched_bytes() for part in self.parts)


def read_contents(folder: Path) -> Contents:
    """The list of an index. Raises IndexRefused."""
    path = folder / LIST
    if not folder.is_dir():
        raise IndexRefused(f"{folder}: there is no index; build one there first")
    if not path.is_file():
        unfinished = " (a build did not come to its end: run it again)" if (folder / LOCK).exists() else ""
        raise IndexRefused(f"{folder}: the folder holds no index{unfinished}")
    return read_list(path)


def read_list(path: Path) -> Contents:
    try:
        record = json.loads(path.read_bytes())
        kind, version = record.get("kind"), record.get("version")
    except (ValueError, AttributeError, RecursionError) as error:
        raise IndexRefused(f"{path}: not the list of an index, or damaged; build the index again") from error
    if kind != KIND:
        raise IndexRefused(f"{path}: not the list of a copy index")
    if version != VERSION:
        raise IndexRefused(
            f"{path}: the index is of version {version}, and this is version {VERSION}; build the index again"
        )
    if record.pop("checksum", None) != checksum_of(record):
        raise IndexRefused(f"{path}: damaged (its checksum is another); build the index again")
    try:
        parts = tuple(_entry(part) for part in record["parts"])
        inputs = {str(digest): _count(failed) for digest, failed in record.get("inputs", {}).items()}
        return Contents(parts, dict(record["settings"]), _count(record["parts_made"]), inputs)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise IndexRefused(
            f"{path}: not the list of an index ({type(error).__name__}: {error}); build the index again"
        ) from error


def _entry(part: Mapping[str, Any]) -> Entry:
    """A part as a list describes it. Raises ValueError and others where that is no part: a list may be a
    stranger's, and a name in it must not lead out of the folder.
    """
    documents, positions = _count(part["documents"]), _count(part["positions"])
    files = {name: (_count(size), _count(check)) for name, (size, check) in part["files"].items()}
    if not _PART.fullmatch(part["folder"]) or not all(map(_FILE.fullmatch, files)):
        raise ValueError("a part has a name that no part has")
    entry = Entry(part["folder"], documents, positions, files)
    check_sizes(entry)
    return entry


def _count(number: object) -> int:
    if type(number) is not int or number < 0:
        raise ValueError(f"{number!r} is no count")
    return number


def checksum_of(record: Mapping[str, Any]) -> str:
    return hashlib.sha256(
        json.dumps(record, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    ).hexdigest()


def list_record(contents: Contents) -> dict[str, Any]:
    parts = [asdict(part) for part in contents.parts]
    return {
        "kind": KIND,
        "version": VERSION,
        "parts": parts,
        "settings": dict(contents.settings),
        "parts_made": contents.parts_made,
        **({"inputs": dict(contents.inputs)} if contents.inputs else {}),
    }


def write_list(path: Path, contents: Contents) -> None:
    record = json.loads(json.dumps(list_record(contents)))
    with replacing(path) as stream:
        stream.write(
            json.dumps({**record, "checksum": checksum_of(record)}, indent=1, ensure_ascii=False).encode()
            + b"\n"
        )
    sync_folder(path.parent)
