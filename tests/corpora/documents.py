"""The documents of a standard-format file as they are, for comparison with what was written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ruiji.corpora.standard_format import StandardDocument, _document, _elements


def read_documents(path: Path) -> Iterator[StandardDocument]:
    for element in _elements(path):
        yield _document(element, path.name)
