"""Pages in and out.

for page in read_pages(["crawl.warc.gz", "folder/"]):   # streaming, any mix of forms
    markup = decode(page)                                # UTF-8, with the evidence for the encoding
rows = map_pages(function, pages, failed=..., jobs=2)    # in order, a row a page, whatever a page does
write_jsonl(pages, path); write_parquet(pages, path)
"""

from ruiji.corpora.encoding.decoding import Decoded, decode
from ruiji.corpora.encoding.sniffing import NotHtml
from ruiji.corpora.miniweb import MINIWEB, load_truth
from ruiji.corpora.page import InputError, Page
from ruiji.corpora.reading import read_pages
from ruiji.corpora.rows import write_jsonl, write_parquet
from ruiji.corpora.workers import map_pages

__all__ = [
    "MINIWEB", "Decoded", "InputError", "NotHtml", "Page", "decode", "load_truth", "map_pages", "read_pages",
    "write_jsonl", "write_parquet",
]  # fmt: skip
