"""The attributes of a page: the class in C beside its reference."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.corpora.c_modules import compiled
from ruiji.features.page.markup import Attributes

NAMES = ("class", "id", "href")
attributes = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from(NAMES), st.text("ab猫", max_size=3)),
).map(lambda rows: sorted(rows, key=lambda row: row[0]))


def columns_of(rows: list[tuple[int, str, str]]) -> tuple[bytes, bytes, tuple[str, ...]]:
    numbers, values = array("i"), b""
    for event, name, value in rows:
        numbers.extend((event, NAMES.index(name), len(values), len(values) + len(value.encode())))
        values += value.encode()
    return numbers.tobytes(), values, NAMES


@given(attributes)
def test_the_class_in_c_finds_what_its_reference_does(rows: list[tuple[int, str, str]]) -> None:
    in_c = compiled("ruiji.features.page._markup")
    if in_c is None:
        pytest.skip("the class in C was not built")
    found, expected = in_c.Attributes(*columns_of(rows)), Attributes(*columns_of(rows))
    for event in (*range(10), *range(10)):
        assert found.get(event, {}) == expected.get(event)
        assert expected.get(event) == {name: value for own, name, value in rows if own == event}
    for name in ("class", "id", "title"):
        assert found.named(name) == expected.named(name)
        for part in ("a", "ba", "猫"):
            assert found.named(name, part) == expected.named(name, part)
    assert (found.rows, found.values, found.names) == (expected.rows, expected.values, expected.names)
    for part in ("", "a", "猫", "abab", "ab猫ab", "bababab", "猫" * 40):
        assert found.mention(part) or not expected.mention(part)  # it may be wrong the other way
        assert found.mention(part) == expected.mention(part) or len(part.encode()) > 4


def test_a_part_that_no_value_has_the_middle_of_is_not_mentioned() -> None:
    in_c = compiled("ruiji.features.page._markup")
    for made in (Attributes, *(() if in_c is None else (in_c.Attributes,))):
        own = made(*columns_of([(0, "class", "x" * 90 + "mw-editsection")]))
        assert own.mention("editsection")
        assert not own.mention("editlecture")
        assert not made(b"", b"", NAMES).mention("note")


@pytest.mark.parametrize("which", ["C", "Python"])
@pytest.mark.parametrize(
    "row", [(0, 3, 0, 1), (0, -1, 0, 1), (0, 0, 0, 3), (0, 0, 2, 1), (0, 0, -1, 1), (0, 0, 0)]
)
def test_rows_of_attributes_point_at_what_exists(which: str, row: tuple[int, ...]) -> None:
    in_c = compiled("ruiji.features.page._markup")
    if which == "C" and in_c is None:
        pytest.skip("the class in C was not built")
    made = in_c.Attributes if in_c is not None and which == "C" else Attributes
    with pytest.raises(ValueError, match="attribute"):
        made(array("i", row).tobytes(), b"ab", NAMES)
    with pytest.raises(ValueError, match="order"):
        made(array("i", (2, 0, 0, 1, 1, 0, 0, 1)).tobytes(), b"ab", NAMES)


def test_the_class_in_c_takes_nothing_else() -> None:
    in_c = compiled("ruiji.features.page._markup")
    if in_c is None:
        pytest.skip("the class in C was not built")
    for arguments in (("", b"", NAMES), (b"", "", NAMES), (b"", b"", ["class"]), (b"", b"", (b"class",))):
        with pytest.raises(TypeError):
            in_c.Attributes(*arguments)
    empty = in_c.Attributes(b"", b"", NAMES)
    with pytest.raises(TypeError):
        empty.get("event")
    with pytest.raises(TypeError):
        empty.named(b"class")
    with pytest.raises(TypeError):
        empty.mention(b"note")
