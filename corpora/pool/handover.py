"""Batches handed from one process to another: what is long in them lies in memory that both see.

A page through a pipe is copied five times, in pieces, and both processes wake up for each piece. Here it is
copied into shared memory and read there; only what says where it lies goes through the pipe. Of a batch that
does not fit, the rest goes through the pipe as it is.
"""

from __future__ import annotations

import mmap
import pickle
from collections.abc import Sequence
from typing import Any, NamedTuple

PLACES = 2  # for batches: the one that is worked on, and the next
PLACE_BYTES = 8 << 20  # twice a batch (workers.BATCH_BYTES): most pages that close one fit as well


class Parcel(NamedTuple):
    """What goes through the pipe: pickled values, and where each buffer lies that they leave out."""

    pickled: bytes
    buffers: tuple[tuple[int, int], ...]


class Handover:
    """Shared memory for values on their way to one worker, which is a copy of this process. Of PLACES values
    that are on their way at most, each has a place; so the next is free when the worker has answered.
    """

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, PLACES * PLACE_BYTES)
        self._next = 0

    def put(self, values: Sequence[Any]) -> Parcel:
        """The values, packed; what they show as buffers lies in the next place as far as there is room."""
        start = at = self._next * PLACE_BYTES
        self._next = (self._next + 1) % PLACES
        places: list[tuple[int, int]] = []

        def lay(buffer: pickle.PickleBuffer) -> bool:
            nonlocal at
            with buffer.raw() as data:
                if at + len(data) > start + PLACE_BYTES:
                    return True  # it is pickled with the rest
                self._memory[at : at + len(data)] = data
                places.append((at, at + len(data)))
                at += len(data)
            return False

        pickled = pickle.dumps(values, protocol=5, buffer_callback=lay)
        return Parcel(pickled, tuple(places))

    def take(self, parcel: Parcel) -> Any:
        """What was put, in the worker; its buffers show the shared memory, which stays as it is until the
        worker has answered.
        """
        memory = memoryview(self._memory).toreadonly()
        return pickle.loads(parcel.pickled, buffers=[memory[start:end] for start, end in parcel.buffers])

    def close(self) -> None:
        """Gives the memory back."""
        self._memory.close()
