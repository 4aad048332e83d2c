"""What repeats itself without end takes time and memory by its size, not by its square."""

from __future__ import annotations

import time

import numpy as np

from ruiji.chunker.unique.estimator import UniquenessExtractor
from ruiji.detector.copies.digest import query_digest
from ruiji.detector.copies.hits import hits
from ruiji.detector.copies.part import SourceText, part_in_memory
from ruiji.detector.copies.passages import find_passages
from tests.factories import make_nodes

LINE = "港のそばに住んでいると、海の様子で季節の移り変わりがわかるようになる。"
LATIN = "The harbour was closed on the 3rd of May, and 17 boats had to wait outside of it. "


def test_a_line_without_end_has_few_hits_and_all_are_covered() -> None:
    part = part_in_memory([SourceText(f"http://{host}.example/", LINE * 3000) for host in "abcd"])
    found = hits(part, query_digest([LINE * 3000]))
    assert len(np.unique(found.segment)) > 2900  # each line is covered
    assert len(found.segment) < 300_000  # six million, with all members of all matches


def test_scores_do_not_depend_on_the_texts_before() -> None:
    sources = [LATIN * repeat + f"Nobody knew of number {repeat}, or of another. " for repeat in range(1, 8)]
    part = part_in_memory([SourceText(f"http://{place}.example/", own) for place, own in enumerate(sources)])
    texts = [source[number:] for source in sources for number in (0, 3, 7)]
    together = find_passages([part], texts)
    assert any(together)
    assert together == [find_passages([part], [text])[0] for text in texts]


def test_a_thousand_equal_pages_take_seconds() -> None:
    page = "<ul><li><a href=/>Home</a></ul>"
    page += "".join(f"<p>Paragraph {number} says some things.</p>" for number in range(20))
    nodes = make_nodes(page, url="http://a.example/1")
    begin = time.process_time()
    extractor = UniquenessExtractor().fit([nodes] * 1000)
    assert time.process_time() - begin < 20  # 150 before pages of a group were counted at once
    assert extractor.twins_.of(0).tolist() == list(range(1, 1000))
