"""The attributes of a page: the class in C beside its reference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.corpora.c_modules import compiled
from ruiji.features.page.markup import Attributes

attributes = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from(("class", "id", "href")), st.text("ab", max_size=3)),
).map(lambda rows: sorted(rows, key=lambda row: row[0]))


@given(attributes)
def test_the_class_in_c_finds_what_its_reference_does(rows: list[tuple[int, str, str]]) -> None:
    in_c = compiled("ruiji.features.page._markup")
    if in_c is None:
        pytest.skip("the class in C was not built")
    columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], []]
    found, expected = in_c.Attributes(*columns), Attributes(*columns)
    for event in (*range(10), *range(10)):
        assert found.get(event, {}) == expected.get(event)
    for name in ("class", "id", "title"):
        assert found.named(name) == expected.named(name)
        assert found.named(name, "a") == expected.named(name, "a")


@pytest.mark.parametrize("which", ["C", "Python"])
def test_columns_of_attributes_are_as_long_as_each_other(which: str) -> None:
    in_c = compiled("ruiji.features.page._markup")
    if which == "C" and in_c is None:
        pytest.skip("the class in C was not built")
    made = in_c.Attributes if in_c is not None and which == "C" else Attributes
    with pytest.raises(ValueError, match="not as many"):
        made([1], ["class"], [])


def test_the_class_in_c_takes_nothing_else() -> None:
    in_c = compiled("ruiji.features.page._markup")
    if in_c is None:
        pytest.skip("the class in C was not built")
    for arguments in (
        ([2, 1], ["a", "b"], ["", ""]),
        ([1], [b"a"], [""]),
        (["1"], ["a"], [""]),
        ((), [], []),
    ):
        with pytest.raises((ValueError, TypeError)):
            in_c.Attributes(*arguments)
    empty = in_c.Attributes([], [], [])
    with pytest.raises(TypeError):
        empty.get("event")
    with pytest.raises(TypeError):
        empty.named(b"class")
