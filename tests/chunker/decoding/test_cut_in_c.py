"""The loops in C keep what array arithmetic keeps, and expect the same of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ruiji.chunker.decoding.expected_f import best_kept, best_kept_by_arrays
from ruiji.corpora.c_modules import compiled

IN_C = compiled("ruiji.chunker.decoding._cut")
pytestmark = pytest.mark.skipif(IN_C is None, reason="the loops in C were not built")

# Few different odds and sizes, so that many are equal; texts that recur in rows.
nodes = st.tuples(
    st.integers(-40, 40).map(lambda tenths: tenths / 8),
    st.sampled_from((0.0, 0.25, 1.0, 2.0, 12.5, 30.0, 200.0)),
    st.integers(0, 3),
)
pages_of = st.lists(st.lists(nodes, max_size=12), min_size=1, max_size=4)


@given(pages_of, st.sampled_from((0.5, 1.0, 2.0)))
@example([[]], 1.0)
@example([[(3.0, 30.0, 0), (3.0, 30.0, 1), (2.5, 30.0, 0), (2.0, 1.0, 2)]], 1.0)
@example([[(0.0, 0.0, 0), (0.0, 0.0, 0), (0.0, 0.0, 0), (-0.25, 0.25, 0), (-0.25, 0.0, 0)]], 1.0)
def test_pages(pages: list[list[tuple[float, float, int]]], beta: float) -> None:
    rows = [node for page in pages for node in page]
    starts = np.cumsum([0, *map(len, pages[:-1])], dtype=np.int32)
    text = np.zeros(len(rows), dtype=np.int32)
    for start, page in zip(starts.tolist(), pages, strict=True):
        last = {node[2]: start + at for at, node in enumerate(page)}
        text[start : start + len(page)] = [last[node[2]] for node in page]
    odds = np.array([row[0] for row in rows], dtype=np.float64)
    weight = np.array([row[1] for row in rows], dtype=np.float64)
    keep, expected = best_kept(starts, odds, weight, beta, text)
    wanted, promised = best_kept_by_arrays(starts, odds, weight, beta, text)
    assert keep.tolist() == wanted.tolist()
    assert expected == pytest.approx(promised, abs=1e-12)


def test_what_does_not_fit_is_refused() -> None:
    assert IN_C is not None
    with pytest.raises(KeyError):
        IN_C.cut({}, np.zeros(1, np.int32), np.zeros(0, bool), np.zeros(0))
    one = np.ones(1)
    columns = dict.fromkeys(
        "odds weight spread factor chances precision certain nothing few_words "
        "repeated_words phrase_words".split(),
        one,
    ) | {"text": np.array([1], dtype=np.int32)}
    columns |= dict.fromkeys(
        "spread precision certain nothing few_words repeated_words phrase_words".split(), 1.0
    )
    with pytest.raises(ValueError, match="fit each other"):
        IN_C.cut(columns, np.array([0, 1], np.int32), np.zeros(1, bool), np.zeros(1))
    columns["text"] = np.array([0], dtype=np.int32)
    with pytest.raises(ValueError, match="follow each other"):
        IN_C.cut(columns, np.array([0, 2], np.int32), np.zeros(1, bool), np.zeros(1))
