"""Attributes by element and by name: the loop in C beside its reference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.features.page.markup import by_event_and_name, compiled

attributes = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from(("class", "id", "href")), st.text(max_size=3))
)


@given(attributes)
def test_the_loop_in_c_groups_as_its_reference_does(rows: list[tuple[int, str, str]]) -> None:
    in_c = compiled()
    if in_c is None:
        pytest.skip("the loop in C was not built")
    columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], []]
    assert in_c.by_event_and_name(*columns) == by_event_and_name(*columns)
    with pytest.raises(ValueError, match="not as many"):
        in_c.by_event_and_name([1], ["class"], [])
