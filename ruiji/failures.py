"""What went wrong, as one sentence for the person who started a command."""

from __future__ import annotations

import sys

from ruiji.corpora.page import InputError

# Classes of errors of the libraries that hold tables; they are known only where the library is imported.
TABLE_ERRORS = (
    ("duckdb", "Error"),
    ("sqlite3", "Error"),
    ("pyarrow", "ArrowException"),
    ("py4j.protocol", "Py4JError"),
)

LIBRARY_FILE = ".so"  # in what the loader of shared libraries says


def sentence_of(error: Exception) -> str:
    """One sentence that says what went wrong.

    >>> sentence_of(OSError(28, "No space left on device", "out.jsonl"))
    'out.jsonl: No space left on device'
    >>> sentence_of(ImportError("a.so: failed to map segment"))
    'a library cannot be loaded, is the memory enough? a.so: failed to map segment'
    >>> sentence_of(KeyError("url"))
    "a mistake in ruiji (KeyError: 'url'); please report it with what -v shows"
    """
    if isinstance(error, InputError):
        return str(error)
    if isinstance(error, OSError):
        reason = error.strerror or f"cannot be written whole, is the disk full? ({first_line(error)})"
        return f"{error.filename or 'output'}: {reason}"
    if isinstance(error, MemoryError):
        return "the memory of this machine is not enough; give it fewer pages at once, or fewer --jobs"
    if isinstance(error, ImportError) and LIBRARY_FILE in str(error):
        return f"a library cannot be loaded, is the memory enough? {first_line(error)}"
    if isinstance(error, table_errors()):
        return f"tables cannot be written or read, is the disk full? {first_line(error)}"
    return (
        f"a mistake in ruiji ({type(error).__name__}: {first_line(error)}); please report it with what -v "
        "shows"
    )


def table_errors() -> tuple[type[Exception], ...]:
    """The classes of TABLE_ERRORS whose libraries are imported."""
    modules = ((sys.modules.get(name), kind) for name, kind in TABLE_ERRORS)
    return tuple(getattr(module, kind) for module, kind in modules if module is not None)


def first_line(error: Exception) -> str:
    """The first line of an error's message."""
    return next(iter(str(error).strip().splitlines()), "")
