"""What a group of rows of Parquet unpacks to, by the headers of its pages: the figures at the end of the file
may say anything, and the reader makes room by those of the pages. Imports nothing of the project.

A page header is a structure of Thrift's compact protocol (parquet-format, README and parquet.thrift).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

MAGIC_BYTES = 4  # "PAR1" at the beginning; no column starts before its end
HEADER_BYTES = 16 << 20  # the largest page header that Arrow reads
FIRST_READ = 1 << 10  # of a page header; most have less than fifty bytes
BYTES_A_VALUE = 8  # of a value that is read; what repeats is packed to almost nothing
VALUE_BYTES = 32  # of a value in a list as an object of Python: two million are as much as a line of JSON
# How often each value of a dictionary stands in its column in the mean where it is kept: pages of
# $DATA/web/wcxb-dev.jsonl.gz, each another one, take 2.2 GB with their dictionary and 1.1 without.
REPEATED = 2
DEEPEST = 16  # structures in structures; a page header has three

# Kinds of values of the compact protocol.
_STOP, _TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(13)
_INTEGERS = (_I16, _I32, _I64)
# Fields of a page header, and of the three headers in it that say how many values the page has.
_UNPACKED, _PACKED, _DATA, _DICTIONARY, _DATA_2, _VALUES = 2, 3, 5, 7, 8, 1
# How its values are written, in a data page of version 1 and 2, and the codes of what uses a dictionary.
_CODING, _CODING_2, _CODED = 2, 4, (2, 8)


class DamagedHeader(OSError):
    """A page header that is none."""


@dataclass(frozen=True, slots=True)
class PageSize:
    """What the header of a page says: bytes in the file and unpacked, and how many values it has."""

    packed: int
    unpacked: int
    values: int
    is_dictionary: bool
    is_coded: bool  # its values are places in the dictionary

    @property
    def memory(self) -> int:
        """Bytes that reading it takes."""
        return max(self.unpacked, BYTES_A_VALUE * self.values)


@dataclass(frozen=True, slots=True)
class ColumnSize:
    """Bytes that reading a column of a group takes in all, for its largest page, and for a value at most: of
    the page whose values are largest in the mean, or where they stand in a dictionary, all of that. Whether
    its values repeat, so that keeping the dictionary takes less than it costs.
    """

    memory: int
    largest_page: int
    largest_value: float
    repeats: bool


def size_of_column(stream: IO[bytes], column: Any) -> ColumnSize:
    """What the pages of a column say, or what the end of the file says of it where that is more. Raises
    OSError where a header is damaged.
    """
    memory = largest_page = different = coded = 0
    largest_value = column.total_uncompressed_size / max(1, column.num_values)
    for page in _pages(stream, column):
        memory += page.memory
        largest_page = max(largest_page, page.memory)
        if page.is_dictionary:
            different, largest_value = page.values, max(largest_value, page.unpacked)
        else:
            coded += page.values if page.is_coded else 0
            largest_value = max(largest_value, page.unpacked / max(1, page.values))
    said = max(column.total_uncompressed_size, BYTES_A_VALUE * column.num_values)
    least = 0 if "." in column.path_in_schema else REPEATED * different  # in a list a row has many values
    return ColumnSize(max(said, memory), largest_page, largest_value, different > 0 and coded >= least)


def size_of_cells(array: Any) -> int:
    """Bytes of the values of an array, with those that each takes as an object of Python."""
    from pyarrow import types

    kind, size = array.type, VALUE_BYTES * len(array)
    if types.is_struct(kind):
        return size + sum(map(size_of_cells, array.flatten()))
    if types.is_map(kind):
        start, end = (array.offsets[place].as_py() for place in (0, len(array)))
        return size + sum(size_of_cells(part.slice(start, end - start)) for part in (array.keys, array.items))
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return size + size_of_cells(array.flatten())
    return size + (_size_of_repeated(array) if types.is_dictionary(kind) else int(array.nbytes))


def _size_of_repeated(array: Any) -> int:
    """Bytes of the values of a dictionary array, of which many may be the same."""
    if len(array) <= 1:
        return int(array.dictionary.take(array.indices).nbytes)
    from pyarrow import compute  # takes a while, and few files have lists of texts

    return int(compute.sum(compute.binary_length(array.dictionary).take(array.indices)).as_py() or 0)


def _pages(stream: IO[bytes], column: Any) -> Iterator[PageSize]:
    """The pages of a column, as far as the reader reads: to the end of its bytes."""
    first = column.data_page_offset
    if column.has_dictionary_page and MAGIC_BYTES <= column.dictionary_page_offset < first:
        first = column.dictionary_page_offset
    place, end = first, first + column.total_compressed_size
    while place < end:
        page, header = _page_at(stream, place, end)
        yield page
        place += header + page.packed


def _page_at(stream: IO[bytes], place: int, end: int) -> tuple[PageSize, int]:
    """The page whose header stands there, and how long that is."""
    wanted = min(FIRST_READ, end - place)
    while True:
        stream.seek(place)
        data = stream.read(wanted)
        reader = _Compact(data)
        try:
            return _page_of(reader.structure()), reader.place
        except IndexError as error:
            if len(data) < wanted or wanted >= min(HEADER_BYTES, end - place):
                raise DamagedHeader("the header of a page breaks off") from error
        wanted = min(16 * wanted, HEADER_BYTES, end - place)


def _page_of(fields: Mapping[int, Any]) -> PageSize:
    kinds = (_DATA, _DICTIONARY, _DATA_2)
    inner: Mapping[int, Any] = next(
        (fields[kind] for kind in kinds if isinstance(fields.get(kind), dict)), {}
    )
    packed, unpacked, values = (fields.get(_PACKED), fields.get(_UNPACKED), inner.get(_VALUES, 0))
    if not all(isinstance(size, int) and size >= 0 for size in (packed, unpacked, values)):
        raise DamagedHeader("the header of a page has no sizes")
    coding = inner.get(_CODING_2 if _DATA_2 in fields else _CODING)
    return PageSize(int(packed or 0), int(unpacked or 0), values, _DICTIONARY in fields, coding in _CODED)


class _Compact:
    """Reads structures of the compact protocol: fields that are numbers or structures, the rest is passed
    over. Raises IndexError where the bytes end, DamagedHeader where they are none.
    """

    def __init__(self, data: bytes) -> None:
        self._data, self.place = data, 0

    def structure(self, depth: int = 0) -> dict[int, Any]:
        """The fields of a structure by their numbers."""
        if depth > DEEPEST:
            raise DamagedHeader("the header of a page has structures in structures without end")
        fields: dict[int, Any] = {}
        number = 0
        while kind_and_step := self._byte():
            step = kind_and_step >> 4
            number = number + step if step else self._zigzag()
            fields[number] = self._value(kind_and_step & 15, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (_TRUE, _FALSE):
            return None
        if kind == _BYTE:
            return self._byte()
        if kind in _INTEGERS:
            return self._zigzag()
        if kind == _DOUBLE:
            return self._skip(8)
        if kind == _BINARY:
            return self._skip(self._varint())
        if kind == _STRUCT:
            return self.structure(depth + 1)
        if kind in (_LIST, _SET):
            return self._skip_list(depth)
        raise DamagedHeader("the header of a page has a value of no known kind")

    def _skip_list(self, depth: int) -> None:
        """Passes over a list or set; one of a byte an element at least is no longer than what there is."""
        head = self._byte()
        count = head >> 4 if head >> 4 < 15 else self._varint()
        if count > len(self._data) - self.place:
            raise IndexError
        for _ in range(count):
            self._byte() if head & 15 in (_TRUE, _FALSE) else self._value(head & 15, depth + 1)

    def _byte(self) -> int:
        self.place += 1
        return self._data[self.place - 1]

    def _skip(self, count: int) -> None:
        self.place += count
        if self.place > len(self._data):
            raise IndexError

    def _varint(self) -> int:
        value = 0
        for shift in range(0, 64, 7):
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise DamagedHeader("the header of a page has a number without end")

    def _zigzag(self) -> int:
        value = self._varint()
        return value >> 1 ^ -(value & 1)
