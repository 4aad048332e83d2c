"""The partial-copy index, opened: one folder of parts, named by a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ruiji.detector.copies.contents import (
    Contents,
    read_contents,
)
from ruiji.detector.copies.files import (
    open_part,
    verify,
    whole_files,
)
from ruiji.detector.copies.part import IndexPart
from ruiji.detector.copies.passages import Passage, find_passages
from ruiji.detector.copies.rule import PassageRule
from ruiji.detector.copies.texts import IndexRefused

if TYPE_CHECKING:
    import pyarrow as pa

# Bytes to search: an index up to that is read, in some hundredths of a second, and not mapped, since a mapped
# file that somebody else cuts short gives no answer at all.
READ_WHOLE = 64 << 20
_COLUMNS = (
    ("url", "string"), ("source_url", "string"), ("start", "int64"), ("end", "int64"),
    ("source_start", "int64"), ("source_end", "int64"), ("segments", "int64"), ("score", "float64"),
    ("text", "string"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class CopyIndex:
    """An opened index."""

    contents: Contents
    parts: tuple[IndexPart, ...]

    def match(self, text: str, url: str = "", rule: PassageRule | None = None) -> list[Passage]:
        """The passages of a text that stand in the index too, by where they start.

        ``url`` is where the text is from: a source with the same url and the same text is the page itself and
        no copy.

        >>> import ruiji, tempfile
        >>> story = "港のそばに住んでいると、海の様子で季節の移り変わりがわかるようになる。"
        >>> page = {"url": "http://a.example/", "html": f"<p>{story}</p>"}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     index = ruiji.build_index([page], folder + "/idx", jobs=0)
        ...     [(passage.source_url, passage.text) for passage in index.match("引用。" + story)]
        [('http://a.example/', '港のそばに住んでいると、海の様子で季節の移り変わりがわかるようになる。')]
        """
        return self.match_all([text], [url], rule)[0]

    def match_all(
        self, texts: Sequence[str], urls: Sequence[str] = (), rule: PassageRule | None = None
    ) -> list[list[Passage]]:
        """The copied passages of each text; see ``find_passages``. Raises IndexRefused where a number in the
        index leads nowhere: the files may be a stranger's, and are not read as a whole before they are used.
        """
        try:
            with whole_files():
                return find_passages(self.parts, texts, urls, rule)
        except (ArithmeticError, IndexError, MemoryError, UnicodeError, ValueError) as error:
            if isinstance(error, IndexRefused):
                raise
            raise IndexRefused(
                f"the index is damaged ({type(error).__name__}: {error}); build it again"
            ) from error

    def match_table(
        self, texts: Sequence[str], urls: Sequence[str], rule: PassageRule | None = None
    ) -> pa.Table:
        """The copied passages of texts as an Arrow table, a row a passage, as ``ruiji index match`` writes
        them; its ``to_pandas()`` is a data frame.

        >>> import ruiji, tempfile
        >>> story = "港のそばに住んでいると、海の様子で季節の移り変わりがわかるようになる。"
        >>> page = {"url": "http://a.example/", "html": f"<p>{story}</p>"}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     index = ruiji.build_index([page], folder + "/idx", jobs=0)
        ...     table = index.match_table([story, "ほかの話。"], ["http://b.example/", "http://c.example/"])
        >>> table["url"].to_pylist()
        ['http://b.example/']
        """
        import pyarrow as pa

        passages = self.match_all(texts, urls, rule)
        rows = [
            {"url": url, **asdict(passage)}
            for url, own in zip(urls, passages, strict=True)
            for passage in own
        ]
        return pa.Table.from_pylist(rows, pa.schema([(name, getattr(pa, kind)()) for name, kind in _COLUMNS]))


def open_index(folder: Path, check: bool = False) -> CopyIndex:
    """The index in a folder, a large one mapped, which takes the same time whatever its size; ``check`` reads
    all of it and compares checksums.

    Raises IndexRefused, with one sentence, where there is none or it cannot be used.
    """
    contents = read_contents(folder)
    for _ in range(3):  # a writer may remove a part that the list named a moment ago
        try:
            in_memory = contents.searched_bytes <= READ_WHOLE
            parts = tuple(open_part(folder, entry, in_memory) for entry in contents.parts)
            break
        except IndexRefused:
            now = read_contents(folder)
            if now == contents:
                raise
            contents = now
    else:
        raise IndexRefused(f"{folder}: the index is being rewritten; try again")
    if check:
        for entry in contents.parts:
            verify(folder, entry)
    return CopyIndex(contents, parts)
