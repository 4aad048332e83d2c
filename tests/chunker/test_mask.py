"""Uncertainty of a mask, and agreement of annotators."""

from __future__ import annotations

import numpy as np
import pytest

from ruiji.chunker.annotation.annotators import agreement
from ruiji.chunker.annotation.examples import examples_of
from ruiji.chunker.mask import ContentMask, node_uncertainty, page_uncertainty
from tests.factories import make_nodes, make_page


def test_the_uncertainty_of_a_page_is_that_of_its_mean_character() -> None:
    nodes = make_nodes("<p>aaaa<p>bb")
    mask = ContentMask(np.array([True, False]), np.array([0.5, 0.0], dtype=np.float32), "test")
    assert node_uncertainty(mask).tolist() == [1.0, 0.0]
    assert page_uncertainty(nodes, mask) == pytest.approx(4 / 6)
    nothing = ContentMask(np.zeros(0, dtype=bool), np.zeros(0, dtype=np.float32), "test")
    assert page_uncertainty(make_nodes("<p>"), nothing) == 0


def test_agreement_is_about_pages_with_the_same_text() -> None:
    begin, end = "<!-- (((BEGIN NOT CONTENT -->", "<!-- )))END NOT CONTENT -->"
    ours = {
        e.id: e
        for e in examples_of(
            [
                make_page(f"{begin}<p>a{end}<p>b<p>c", id="1"),
                make_page("<p>x", id="2"),
                make_page("<p>o", id="3"),
            ]
        )
    }
    theirs = {
        e.id: e
        for e in examples_of([make_page(f"{begin}<p>a<p>b{end}<p>c", id="1"), make_page("<p>y", id="2")])
    }
    found = agreement(ours, theirs)
    assert list(found.by_page) == ["1"]
    assert found.different == ("2",)
    assert found.total.node_agreement == pytest.approx(2 / 3)
    assert found.total.region_agreement == 0
