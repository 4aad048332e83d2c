"""Arrays in a file (NumPy's npz) that may be a stranger's: every name, type and size is checked before memory
is taken for it.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

AnyArray = npt.NDArray[Any]

SMALL_FILE = 256 << 20  # bytes of all arrays: up to here it does not matter how well they are packed
UNPACKED_SHARE = 30  # times the size of a larger file; sorted numbers pack to a tenth or so
LONGEST_HEAD = 4096  # bytes before the numbers of an array; those that we write have 118
KIND_NAMES = {"U": "text", "b": "truth values", "f": "fractions", "i": "integers", "u": "integers from 0 on"}


class NotArrays(ValueError):
    """Bytes that are no such file; the message says why."""


def read_arrays(data: bytes, wanted: Mapping[str, str]) -> dict[str, AnyArray]:
    """The arrays of a file by name. ``wanted`` has for each the kind of its numbers and its dimensions, as
    in ``f2``. Raises NotArrays where one is missing, or anything else is in the file.

    >>> stream = io.BytesIO()
    >>> np.savez(stream, mean=np.ones(3))
    >>> read_arrays(stream.getvalue(), {"mean": "f1"})["mean"].tolist()
    [1.0, 1.0, 1.0]
    >>> read_arrays(stream.getvalue(), {"mean": "i1"})
    Traceback (most recent call last):
    ...
    ruiji.chunker.stack.array_file.NotArrays: its array mean has other values than integers
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {member.filename.removesuffix(".npy"): member for member in archive.infolist()}
            if sorted(members) != sorted(wanted) or len(archive.infolist()) != len(members):
                raise NotArrays("its arrays are not those that belong here")
            size = sum(member.file_size for member in members.values())
            if size > max(SMALL_FILE, UNPACKED_SHARE * len(data)):
                raise NotArrays(f"its arrays would take {size} bytes, the file has {len(data)}")
            return {name: _array(name, archive.read(members[name]), wanted[name]) for name in wanted}
    except NotArrays:
        raise
    except Exception as error:  # the readers of zip files and of heads raise a dozen kinds
        raise NotArrays(f"not a file of arrays ({type(error).__name__}: {error})") from error


def _array(name: str, data: bytes, wanted: str) -> AnyArray:
    """The array in the bytes of a member. Raises NotArrays and whatever reading a head raises."""
    stream = io.BytesIO(data)
    read_head = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[npy.read_magic(stream)]
    shape, by_column, dtype = read_head(stream, max_header_size=LONGEST_HEAD)
    kind, dimensions = wanted[0], int(wanted[1:])
    if dtype.kind != kind or dtype.fields is not None or dtype.subdtype is not None:
        raise NotArrays(f"its array {name} has other values than {KIND_NAMES[kind]}")
    if len(shape) != dimensions or min(shape, default=0) < 0:
        raise NotArrays(f"its array {name} has the shape {shape}")
    if math.prod(shape) * dtype.itemsize != len(data) - stream.tell():
        raise NotArrays(f"its array {name} has not as many values as it says")
    values = np.frombuffer(data, dtype, offset=stream.tell()) if dtype.itemsize else np.zeros(shape, dtype)
    if kind == "f" and not np.isfinite(values).all():
        raise NotArrays(f"its array {name} has values that are no numbers")
    if kind == "U" and (values.view(np.uint32) > 0x10FFFF).any():
        raise NotArrays(f"its array {name} has what are no characters")
    return values.reshape(shape, order="F" if by_column else "C")
