"""Normalised text: one text against many at once, and what both fold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.detector.sentences.normalise import NOTHING, PARAGRAPH, SPACE, normalise, normalised

# Characters that change, grow, vanish or join with their neighbours.
TRICKY = (
    " \n\r\t\u3000\u00a0\u2028かａｶﾞ\u3099\u309bé\u0301e㈱…①\u200b\u00ad\ufeffﷺ\u1112\u1161\u11ab〜～"
    "−あ東京x.😀𝐀\u2f80\U000e0100\ud800"
)
strange = st.one_of(st.text(alphabet=TRICKY, max_size=20), st.text(max_size=20))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ＡＢＣ１２３", "ABC123"),
        ("ｶﾞｷﾞ", "ガギ"),
        ("東 京　都", "東京都"),
        ("東\n京\t都", "東京都"),
        ("東京 Tokyo 都", "東京 Tokyo 都"),
        ("a  b\n c", "a b c"),
        ("㈱①", "(株)1"),
        ("カ ナ か な", "カナかな"),
        ("10～20", "10~20"),  # Microsoft's table
        ("10〜20", "10~20"),  # JIS's
        ("−5―∥", "-5—‖"),
        ("soft\u00adhyphen zero\u200bwidth\ufeff", "softhyphen zerowidth"),
        ("葛\U000e0100城", "葛城"),
    ],
)
def test_width_white_space_and_disputed_signs_are_folded(text: str, expected: str) -> None:
    assert normalise(text) == expected


@given(text=strange)
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(texts=st.lists(strange, max_size=6))
def test_many_texts_at_once_are_the_same_as_one_by_one(texts: list[str]) -> None:
    expected = [normal for text in texts if (normal := normalise(text).strip())]
    assert normalised(texts, PARAGRAPH).text == "\n".join(expected)


@given(
    parts=st.lists(
        st.tuples(
            st.text(alphabet="東京ab \u3000ａ…", max_size=6), st.sampled_from([NOTHING, SPACE, PARAGRAPH])
        ),
        max_size=8,
    )
)
def test_texts_are_joined_with_what_stands_between_them(parts: list[tuple[str, int]]) -> None:
    texts, between = [text for text, _ in parts], [kind for _, kind in parts]
    whole = "".join(("", " ", "\0")[kind] + text for text, kind in parts)
    expected = [normal for paragraph in whole.split("\0") if (normal := normalise(paragraph).strip())]
    assert normalised(texts, between).text == "\n".join(expected)


@given(texts=st.lists(strange, max_size=5))
def test_every_character_knows_where_it_was_given(texts: list[str]) -> None:
    found = normalised(texts, PARAGRAPH)
    position = np.array([place for place, char in enumerate(found.text) if char != "\n"], dtype=np.int32)
    owner = (found.starts[:-1].searchsorted(position, side="right") - 1).astype(np.int32)
    begin, end = found.given(position, owner), found.given(position, owner, ends=True)
    for place, number, first, last in zip(
        position.tolist(), owner.tolist(), begin.tolist(), end.tolist(), strict=True
    ):
        assert 0 <= first < last <= len(texts[number])
        assert found.text[place] in normalise(texts[number][first:last])


@pytest.mark.parametrize("plane", range(3))
def test_every_character_is_folded_alike_in_company(plane: int) -> None:
    texts = [
        f"a{chr(point)}か{chr(point)}\u3099 東 {chr(point)} 京"
        for point in range(plane << 16, (plane + 1) << 16, 7)
    ]
    assert normalised(texts, PARAGRAPH).text.split("\n") == [normalise(text).strip() for text in texts]


@given(
    texts=st.lists(
        st.tuples(strange, st.sampled_from((NOTHING, SPACE, PARAGRAPH)), st.booleans()), max_size=6
    ),
    one=st.sampled_from((NOTHING, SPACE, PARAGRAPH, None)),
)
def test_what_stays_is_the_same_in_c_and_in_python(
    texts: list[tuple[str, int, bool]], one: int | None
) -> None:
    between = [kind for _, kind, _ in texts] if one is None else one
    breaks = np.array([ends for *_, ends in texts], dtype=np.bool_)
    found = normalised([text for text, *_ in texts], between, breaks)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ruiji.detector.sentences.normalise.compiled", lambda name: None)
        expected = normalised([text for text, *_ in texts], between, breaks)
    assert found.text == expected.text
    for column in ("classes", "starts", "_kept"):
        assert getattr(found, column).tolist() == getattr(expected, column).tolist()
