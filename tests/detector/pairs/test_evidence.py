"""The offsets of evidence.parquet point at what the pages of a pair share, in their extracted texts."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ruiji.chunker.masking import MaskedPage, MaskSettings, masked_pages
from ruiji.corpora import MINIWEB, Page, read_pages
from ruiji.corpora.sources import GivenPages
from ruiji.detector.detection import DetectSettings, detect_pairs
from ruiji.detector.gather.occurrences import Usable
from ruiji.detector.sentences.table import split_texts
from tests.paths import DATA

REAL = DATA / "pairs-web/pages.jsonl.gz"


def shared_texts(pages: Iterable[Page], folder: Path) -> list[tuple[str, str]]:
    """What evidence says that two pages share, as it stands in the one and in the other."""
    pages, masks = list(pages), MaskSettings("blocks")
    chosen = DetectSettings(masks, Usable(match="exact"), jobs=0)
    run = detect_pairs(GivenPages(pages), folder / "run", chosen)
    texts = {
        found.page.url: found.text
        for found in masked_pages(pages, masks.load(), named=True)
        if isinstance(found, MaskedPage)
    }
    return [
        (
            texts[row["url_a"]][row["start_a"] : row["end_a"]],
            texts[row["url_b"]][row["start_b"] : row["end_b"]],
        )
        for row in pq.read_table(run.file("evidence")).to_pylist()
        if None not in row.values()  # of a sentence that a text does not have
    ]


def sentences(text: str) -> list[str]:
    return split_texts([text], lines=False).texts


@pytest.mark.parametrize("path", [Path(MINIWEB), REAL], ids=["miniweb", "transplanted"])
def test_both_offsets_point_at_the_same_sentences(path: Path, tmp_path: Path) -> None:
    if not path.exists():
        pytest.skip("the transplanted pages are not here; RUIJI_DATA names their folder")
    found = shared_texts(islice(read_pages([path]), 160), tmp_path)
    assert len(found) > 40
    for one, other in found:
        assert "".join(sentences(one)) == "".join(sentences(other)) != ""
