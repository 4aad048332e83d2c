"""A key table finds what a dictionary would."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ruiji.features.text.keytable import key_table

numbers = st.integers(0, (1 << 64) - 1) | st.integers(0, 40)


@given(st.lists(numbers, min_size=1, max_size=60, unique=True), st.lists(numbers, max_size=60), st.data())
def test_the_same_as_a_dictionary(keys: list[int], others: list[int], data: st.DataObject) -> None:
    asked = data.draw(st.permutations([*others, *keys[::2], *keys[:1]]))
    places = {key: place for place, key in enumerate(keys)}
    which, place = key_table(keys).find(np.array(asked, dtype=np.uint64))
    assert list(zip(which.tolist(), place.tolist(), strict=True)) == [
        (at, places[key]) for at, key in enumerate(asked) if key in places
    ]
