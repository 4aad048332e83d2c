"""Conventions of what counts as content: an input of training, a choice at prediction."""

from __future__ import annotations

import numpy as np
import pytest

import ruiji
from ruiji.chunker.annotation.examples import examples_of
from ruiji.chunker.conventions import CONVENTIONS, check_convention, with_element, with_headline
from ruiji.chunker.fitting import check_masks
from ruiji.chunker.masking import MaskSettings
from ruiji.chunker.stack.ensemble import conventions_of_rows
from ruiji.chunker.stack.trees import table_of
from ruiji.corpora.errors import SettingError
from tests.factories import PROSE, make_nodes, make_page

HEAD = "新しい駅が開業した"
NEWS = (
    f"<title>{HEAD} - みおざき新聞</title><body><ul><li><a href=/>みおざき新聞</a></ul>"
    f"<div><h1>{HEAD}</h1><p>{PROSE}<p>{PROSE[::-1]}<ul><li>関連の催し</ul></div><p>お知らせ"
)


def test_each_convention_says_of_which_pages_it_counts_what() -> None:
    japanese = np.array([True, False] * 4)
    named = [name for name in CONVENTIONS for _ in range(2)]
    assert named[0] == "auto"
    assert with_headline(named, japanese).tolist() == [True, False, False, False, True, True, True, True]
    assert with_element(named, japanese).tolist() == [True, False, False, False, False, False, True, True]
    with pytest.raises(ValueError, match="no convention 'whole'"):
        check_convention("whole")


def test_at_prediction_it_is_a_choice() -> None:
    texts = {name: ruiji.extract(NEWS, convention=name).text for name in CONVENTIONS}
    assert texts["auto"] == texts["element"]
    assert HEAD in texts["headline"]
    assert "関連の催し" in texts["element"]
    assert len(texts["blocks"]) <= len(texts["headline"]) <= len(texts["element"])


def test_in_training_pages_are_seen_by_their_own() -> None:
    X = [make_nodes(NEWS)] * 3  # noqa: N806
    table = table_of(X, [np.zeros(len(page), dtype=np.int8) for page in X])
    said = [np.zeros(len(page)) for page in X]
    blocks, headline, element = conventions_of_rows(said, table, X, ("blocks", "headline", "element"))
    at = list(X[0].texts).index(HEAD)
    assert blocks[at] == 0.0
    assert headline[at] > 0
    assert headline[at + 1] == 0
    assert element[at + 1] > 0


def test_an_annotated_page_names_the_one_of_its_annotators() -> None:
    pages = [
        make_page("<p>港の記事", extra={"main_content": "港の記事", **named})
        for named in ({"convention": "headline"}, {}, {"convention": "all of it"})
    ]
    named, unnamed, wrong = examples_of(pages)
    assert (named.convention, unnamed.convention) == ("headline", "auto")
    assert wrong.error == 'convention is "all of it"; there are auto, blocks, headline, element'


def test_it_goes_with_a_learned_model() -> None:
    with pytest.raises(SettingError, match="convention goes with filter='crf'"):
        check_masks(MaskSettings("none", convention="element"))
    with pytest.raises(SettingError, match="there is no convention 'all'"):
        check_masks(MaskSettings(convention="all"))
    digests = {MaskSettings(convention=name).load().digest for name in CONVENTIONS}
    assert len(digests) == len(CONVENTIONS)
