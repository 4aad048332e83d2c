"""Pages in and out.

for page in read_pages(["crawl.warc.gz", "folder/"]):   # streaming, any mix of forms
    markup = decode(page)                                # UTF-8, with the evidence for the encoding
rows = map_pages(function, pages, failed=..., jobs=2)    # in order, a row a page, whatever a page does
write_jsonl(pages, path); write_parquet(pages, path)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ruiji.corpora.encoding.decoding import Decoded, decode
    from ruiji.corpora.encoding.sniffing import NotHtml
    from ruiji.corpora.miniweb import MINIWEB, load_truth
    from ruiji.corpora.page import InputError, Page
    from ruiji.corpora.pool.workers import map_pages
    from ruiji.corpora.reading import read_pages
    from ruiji.corpora.rows import write_jsonl, write_parquet

# What a room offers here is imported at first use: a command starts faster by all that it does not need.
_ROOMS = {
    "encoding.decoding": ("Decoded", "decode"),
    "encoding.sniffing": ("NotHtml",),
    "miniweb": ("MINIWEB", "load_truth"),
    "page": ("InputError", "Page"),
    "pool.workers": ("map_pages",),
    "reading": ("read_pages",),
    "rows": ("write_jsonl", "write_parquet"),
}
_ROOM_OF_NAME = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _ROOM_OF_NAME:
        return getattr(import_module(f"{__name__}.{_ROOM_OF_NAME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "MINIWEB", "Decoded", "InputError", "NotHtml", "Page", "decode", "load_truth", "map_pages", "read_pages",
    "write_jsonl", "write_parquet",
]  # fmt: skip
