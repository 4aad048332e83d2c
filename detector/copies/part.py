"""A part of a copy index: the searchable arrays of some sources, and their texts to check a match on."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ruiji.detector.copies.digest import source_digest
from ruiji.detector.copies.fingerprints import Fingerprint, rabin
from ruiji.detector.copies.suffixes import Suffixes, sort_suffixes
from ruiji.features.page.links import host_of

FURNITURE_PAGES = 3  # what fewer pages of a host share is no furniture


@dataclass(frozen=True, slots=True)
class SourceText:
    """A source document: where it is from, and the text that offsets count in."""

    url: str
    text: str


class PartSources(Protocol):
    """The documents of a part by number."""

    def __getitem__(self, number: int, /) -> SourceText: ...

    def __len__(self) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class IndexPart:
    """Arrays over the digests of some sources; ``first`` has the position where each source's digest begins.

    ``host`` is the number of each source's host, 0 where the url has none. ``hosts`` lists, sorted, those
    with several sources here and ``host_sources`` how many.
    """

    suffixes: Suffixes
    first: npt.NDArray[np.uint32]
    host: npt.NDArray[np.uint32]
    hosts: npt.NDArray[np.uint32]
    host_sources: npt.NDArray[np.uint32]
    sources: PartSources

    def sources_of(self, host: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """How many sources here are of each host; 0 may stand for 1."""
        if not len(self.hosts):
            return np.zeros(len(host), dtype=np.int64)
        at = np.minimum(np.asarray(self.hosts).searchsorted(host.astype(np.uint32)), len(self.hosts) - 1)
        return np.where(self.hosts[at] == host, self.host_sources[at], 0).astype(np.int64)

    def documents_at(self, positions: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """The number of the source at each position."""
        return np.asarray(self.first).searchsorted(positions.astype(np.uint32), side="right") - 1


def digested(texts: Sequence[str]) -> list[tuple[bytes, bytes]]:
    """What a part keeps of each text, as bytes that go from process to process: the fingerprints with
    borders, and the marks.
    """
    digest, marks, first = source_digest(texts).with_borders()
    borders = first.tolist()
    return [(digest[start:end].tobytes(), marks[start:end].tobytes()) for start, end in pairwise(borders)]


def host_number(url: str) -> int:
    """A number that stands for the host of a url: 32 bits of a hash, 0 for none."""
    host = host_of(url)
    return zlib.crc32(host.encode("utf-8", "surrogatepass")) if host else 0


def host_counts(host: npt.NDArray[np.uint32]) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """The hosts with so many sources that some may be furniture, and how many."""
    hosts, count = np.unique(host[host != 0], return_counts=True)
    several = count >= FURNITURE_PAGES
    return hosts[several], count[several].astype(np.uint32)


def part_in_memory(sources: Sequence[SourceText], fingerprint: Fingerprint = rabin) -> IndexPart:
    """A part that is on no disk."""
    digest, marks, first = source_digest([source.text for source in sources], fingerprint).with_borders()
    host = np.array([host_number(source.url) for source in sources], dtype=np.uint32)
    return IndexPart(
        sort_suffixes(digest, marks), first[:-1].astype(np.uint32), host, *host_counts(host), sources
    )
