"""The self-taught chunker: which pages teach, that no label is looked at, and that what it learned works on a
page of another site.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.labels import UNSURE, B, I, O
from ruiji.chunker.mask import ContentMask
from ruiji.chunker.metrics import Counts, score_labels
from ruiji.chunker.self_taught import (
    LEAST_COMPARED,
    NoLessons,
    SelfTaughtChunker,
    candidates,
    lesson,
    teaches,
)
from ruiji.chunker.unique.estimator import DECIDED_BY, UniquenessExtractor
from tests.chunker.unique.test_estimator import article, make_site
from tests.factories import annotated_examples, make_nodes, nodes_of

KNOWN = (
    "tabi-no-kakera.com",
    "www.cs.miozaki-u.ac.jp",
    "www.kaido-seiki.co.jp",
    "jinji.miozaki-u.ac.jp",
    "www.miozaki-u.ac.jp",
)
UNSEEN = ("fjordnotes.org", "www.city.miozaki.lg.jp")


def mask_of(*score: float, decided_by: str = DECIDED_BY) -> ContentMask:
    scores = np.array(score, dtype=np.float32)
    return ContentMask(scores > 0.5, scores, decided_by)


def test_pages_of_small_sites_and_second_editions_do_not_teach() -> None:
    pages = [
        *make_site([article(number) for number in range(LEAST_COMPARED)], "small.example"),
        *make_site(
            [article(20), article(20) + "<p>別の版です</p>", *(article(number) for number in range(21, 26))],
            "large.example",
        ),
    ]
    assert candidates(UniquenessExtractor().fit(pages), None) == [3, 5, 6, 7, 8, 9]


def test_of_a_large_site_an_even_choice_teaches() -> None:
    pages = make_site([article(number) for number in range(40)])
    assert candidates(UniquenessExtractor().fit(pages), 5) == list(range(0, 40, 4))


def test_a_page_teaches_when_most_of_it_is_sure_and_it_has_both_kinds() -> None:
    page = make_nodes("<p>menu</p><p>a long text that is the article</p><p>?</p>")
    assert teaches(page, mask_of(0.0, 1.0, 0.6))
    assert lesson(mask_of(0.0, 0.1, 1.0, 0.4, 0.6, 0.0)).tolist() == [B, I, O, UNSURE, UNSURE, B]
    assert not teaches(page, mask_of(0.0, 0.6, 1.0))
    assert not teaches(page, mask_of(0.4, 1.0, 1.0))
    assert not teaches(page, mask_of(1.0, 1.0, 1.0))
    assert not teaches(page, mask_of(0.0, 0.0, 0.0))
    assert not teaches(page, mask_of(0.0, 1.0, 1.0, decided_by=f"{DECIDED_BY}: alone, blocks"))


def test_it_marks_pages_of_sites_it_has_not_seen_and_looks_at_no_label() -> None:
    known = nodes_of(annotated_examples(*KNOWN))
    chunker = clone(SelfTaughtChunker(max_iterations=30)).fit(known, [["B"] * len(page) for page in known])
    same = SelfTaughtChunker(max_iterations=30).fit(known)
    assert chunker.model_ == same.model_
    unseen = annotated_examples(*UNSEEN)
    found = chunker.predict_labels(nodes_of(unseen))
    counts = sum(
        (score_labels(example.labels, labels) for example, labels in zip(unseen, found, strict=True)),
        Counts(),
    )
    nothing = sum(
        (score_labels(example.labels, np.full(len(example.labels), O, dtype=np.int8)) for example in unseen),
        Counts(),
    )
    assert counts.L_nc > nothing.L_nc + 0.1
    assert counts.B_F > 0.7


def test_what_nobody_is_sure_of_is_not_learned() -> None:
    page = make_nodes("<ul><li><a href=/>menu</a></ul><p>a long text</p><p>odd</p>")
    right, wrong = (
        CrfChunker(features="nakamura").fit([page] * 4, [[B, O, last]] * 4) for last in (UNSURE, B)
    )
    assert right.predict([page])[0][2] == "O"
    assert wrong.predict([page])[0][2] == "B"
    with pytest.raises(ValueError, match="no text node to learn from"):
        CrfChunker().fit([page], [[UNSURE] * 3])


def test_without_pages_to_compare_it_says_what_is_needed() -> None:
    with pytest.raises(NoLessons, match="none of 2 pages could be compared with 3 or more"):
        SelfTaughtChunker().fit(make_site([article(0), article(1)]))
