"""ruiji (類似): marks the non-content parts of web pages and finds the pages that share content.

    import ruiji

    document = ruiji.extract(html, url="https://…")   # HTML as text or bytes, or a path
    for document in ruiji.extract_many(pages): ...     # paths, dicts, Pages, a DataFrame, an Arrow table
    run = ruiji.detect(pages)                          # run.pairs, run.groups, run.pages: Arrow tables
    result = ruiji.clean(pages)                        # result.corpus, result.removed
    index = ruiji.build_index(pages, "idx")            # index.match("some text")
    book = ruiji.records(pages)                        # book.records, book.correspondences, book.conflicts

The houses behind it are ``ruiji.corpora``, ``ruiji.features``, ``ruiji.chunker`` and ``ruiji.detector``.
Nothing is imported before it is used.
"""

TYPE_CHECKING = False  # as that of typing, whose import takes longer than all of this

if TYPE_CHECKING:
    from typing import Any

    from ruiji.chunker.crf.folder import ModelError
    from ruiji.corpora.page import InputError, Page
    from ruiji.document import Document
    from ruiji.features.page.parser_input import PageFailed
    from ruiji.front_door.archive import build_index, open_index
    from ruiji.front_door.collections import clean, detect, records
    from ruiji.front_door.documents import extract, extract_many, load_model, read_pages

    __version__: str

_MODULE_OF = {
    "Document": "ruiji.document",
    "InputError": "ruiji.corpora.page",
    "ModelError": "ruiji.chunker.crf.folder",
    "Page": "ruiji.corpora.page",
    "PageFailed": "ruiji.features.page.parser_input",
    "build_index": "ruiji.front_door.archive",
    "clean": "ruiji.front_door.collections",
    "detect": "ruiji.front_door.collections",
    "extract": "ruiji.front_door.documents",
    "extract_many": "ruiji.front_door.documents",
    "load_model": "ruiji.front_door.documents",
    "open_index": "ruiji.front_door.archive",
    "read_pages": "ruiji.front_door.documents",
    "records": "ruiji.front_door.collections",
}
_HOUSES = frozenset({"chunker", "corpora", "detector", "features"})


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name in _MODULE_OF:
        return getattr(import_module(_MODULE_OF[name]), name)
    if name in _HOUSES:
        return import_module(f"ruiji.{name}")
    if name == "__version__":
        from importlib.metadata import version

        return version("ruiji")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_HOUSES})


__all__ = [
    "Document",
    "InputError",
    "ModelError",
    "Page",
    "PageFailed",
    "__version__",
    "build_index",
    "clean",
    "detect",
    "extract",
    "extract_many",
    "load_model",
    "open_index",
    "read_pages",
    "records",
]
