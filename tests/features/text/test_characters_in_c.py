"""The loops in C say of texts what array arithmetic says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ruiji.corpora.c_modules import compiled
from ruiji.corpora.miniweb import MINIWEB
from ruiji.corpora.reading import read_pages
from ruiji.features.page.parsing import text_nodes
from ruiji.features.text.characters import (
    IN_C,
    characters,
    same_texts,
    same_texts_by_dictionary,
    text_keys_by_arrays,
    word_key,
    word_keys,
)

pytestmark = pytest.mark.skipif(compiled(IN_C) is None, reason="the loops in C were not built")

ALPHABET = "aA bBéÉ１Ａあア漢가。.　\u00a0\t\0\x85\u0130\ud800\U00020bb7😀\U0010ffff"
texts_of = st.lists(st.text(alphabet=ALPHABET, max_size=80) | st.text(max_size=8), max_size=8)


def check(texts: list[str], page_start: list[int]) -> None:
    arrays = characters(texts)
    reference = arrays.scan_by_arrays()
    assert arrays.counts.tolist() == reference.counts.tolist()
    assert arrays.lengths.tolist() == reference.lengths.tolist()
    assert [end.tolist() for end in arrays.ends] == [reference.first.tolist(), reference.last.tolist()]
    assert arrays.word_counts.tolist() == reference.word_counts.tolist()
    for split_case, longest in ((False, None), (False, 40), (True, None)):
        words, by_arrays = (find(split_case, longest) for find in (arrays.words, arrays.words_by_arrays))
        for column in ("text", "key", "start", "length"):
            assert getattr(words, column).tolist() == getattr(by_arrays, column).tolist(), column
    assert word_keys(texts).tolist() == [word_key(text) for text in texts]
    starts = np.array(page_start, dtype=np.int32)
    for stripped in (True, False):
        numbers, keys = same_texts(texts, starts, stripped)
        assert numbers.tolist() == same_texts_by_dictionary(texts, starts, stripped).tolist()
        assert keys.tolist() == text_keys_by_arrays(texts, stripped).tolist()


@given(texts_of, st.integers(0, 8))
@example([" a", "a", "a\u3000", "\u3000a\u3000", "", " "], 6)
def test_texts(texts: list[str], border: int) -> None:
    check(texts, [0, min(border, len(texts)), len(texts)])


def test_pages_of_the_mini_web() -> None:
    for page in read_pages(sorted(MINIWEB.rglob("*.html"))):
        texts = [*text_nodes(page).texts]
        check(texts, [0, len(texts)])


def test_what_does_not_fit_is_refused() -> None:
    in_c = compiled(IN_C)
    assert in_c is not None
    one, two, key = np.empty(1, np.int32), np.empty(2, np.int32), np.empty(1, np.uint64)
    starts = np.array([0, 1], np.int32)
    with pytest.raises(TypeError, match="strings"):
        in_c.same_texts([b"a"], starts, True, one, key)
    with pytest.raises(ValueError, match="follow"):
        in_c.same_texts(["a"], np.array([0, 2], np.int32), True, one, key)
    with pytest.raises(ValueError, match="long"):
        in_c.same_texts(["a"], starts, True, two, key)
    with pytest.raises(ValueError, match="long"):
        in_c.same_texts(["a"], starts, True, one, np.empty(2, np.uint64))
