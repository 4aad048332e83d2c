"""Where sentences stand in an extracted text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ruiji.detector.gather.text_places import NOWHERE, text_places
from ruiji.detector.sentences.normalise import normalise
from ruiji.detector.sentences.table import split_texts
from tests.factories import PROSE

letters = st.text(alphabet="港町の朝は早い。ｶﾞ ㍻\u3000A.b!\n", min_size=1, max_size=40)


@given(letters)
def test_what_stands_at_its_place_is_the_sentence(text: str) -> None:
    sentences = split_texts([text], lines=False).texts
    for sentence, start, end in zip(sentences, *text_places([text], [sentences])[0], strict=True):
        assert 0 <= start < end <= len(text)
        assert sentence in normalise(text[start:end]), (
            "a character that folds to several belongs to both sides"
        )


def test_a_sentence_that_is_not_there_is_nowhere() -> None:
    ((start, end),) = text_places([PROSE], [["港町の朝は早い。", "ここにはない文。"]])
    assert (start.tolist(), end.tolist()) == ([0, NOWHERE], [8, NOWHERE])


def test_a_sentence_that_stands_twice_is_found_in_order() -> None:
    ((start, _),) = text_places(["同じ文。別の文。同じ文。"], [["同じ文。", "別の文。", "同じ文。"]])
    assert start.tolist() == [0, 4, 8]


@given(st.lists(letters, max_size=4))
def test_several_texts_at_once_give_what_each_gives_alone(texts: list[str]) -> None:
    sentences = [split_texts([text], lines=False).texts for text in texts]
    alone = [text_places([text], [own])[0] for text, own in zip(texts, sentences, strict=True)]
    for one, other in zip(text_places(texts, sentences), alone, strict=True):
        assert [column.tolist() for column in one] == [column.tolist() for column in other]
