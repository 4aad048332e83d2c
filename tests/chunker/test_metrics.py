"""Every metric against the definition, written down naively."""

from __future__ import annotations

import itertools
import math
import re
from collections import defaultdict

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.chunker.labels import B, I, O
from ruiji.chunker.metrics import NAMES, Counts, score_blocks, score_labels, score_words, word_scores, words
from tests.factories import PROSE

labels = st.lists(st.sampled_from([O, B, I]), max_size=12)
pairs_of_labels = st.lists(st.tuples(*[st.sampled_from([O, B, I])] * 2), max_size=14)
pages_of_labels = st.lists(pairs_of_labels, max_size=4)
some_text = st.text(alphabet="aB1 _-.\n漢字かなｱ々é", max_size=30)
blocks = st.lists(
    st.tuples(st.booleans(), st.booleans(), st.booleans(), st.sampled_from(["a", " bb ", "c c c", "dddd"])),
    max_size=12,
)


def array(values: list[int]) -> npt.NDArray[np.int8]:
    return np.array(values, dtype=np.int8)


def score(true: str, predicted: str) -> Counts:
    """The counts of labels written as letters."""
    return score_labels(
        array(["OBI".index(letter) for letter in true]), array(["OBI".index(letter) for letter in predicted])
    )


def naive_regions(page: list[int]) -> set[tuple[int, tuple[int, ...]]]:
    """Where each region begins, and its labels."""
    found = []
    for position, label in enumerate(page):
        if label == B or (label == I and (position == 0 or page[position - 1] == O)):
            found.append((position, [label]))
        elif label == I:
            found[-1][1].append(label)
    return {(position, tuple(inside)) for position, inside in found}


def share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def harmonic(one: float, other: float) -> float:
    """F of two ratios; where one of them does not apply nothing was right, where neither does nor does F."""
    if math.isnan(one) and math.isnan(other):
        return math.nan
    if math.isnan(one) or math.isnan(other) or one + other == 0:
        return 0.0
    return 2 * one * other / (one + other)


def naive_metrics(pages: list[list[tuple[int, int]]]) -> dict[str, float]:
    nodes = [(page, place, *pair) for page, one in enumerate(pages) for place, pair in enumerate(one)]
    truly = {(page, place) for page, place, true, _ in nodes if true != O}
    said = {(page, place) for page, place, _, predicted in nodes if predicted != O}
    content = {(page, place) for page, place, true, _ in nodes if true == O}
    true_regions = {
        (page, region)
        for page, one in enumerate(pages)
        for region in naive_regions([true for true, _ in one])
    }
    said_regions = {
        (page, region)
        for page, one in enumerate(pages)
        for region in naive_regions([said for _, said in one])
    }
    recall, precision = (
        share(len(true_regions & said_regions), len(some)) for some in (true_regions, said_regions)
    )
    node_recall, node_precision = (share(len(truly & said), len(some)) for some in (truly, said))
    return {
        "L_bl": share(len(content), len(nodes)),
        "L_nc": share(sum(true == predicted for _, _, true, predicted in nodes), len(nodes)),
        "R_r": recall,
        "R_p": precision,
        "R_F": harmonic(recall, precision),
        "B_r": node_recall,
        "B_p": node_precision,
        "B_F": harmonic(node_recall, node_precision),
        "FP_c": share(len(said & content), len(content)),
    }


@given(pages_of_labels)
def test_metrics_of_labels_are_what_the_definitions_say(pages: list[list[tuple[int, int]]]) -> None:
    total = sum(
        (
            score_labels(array([true for true, _ in page]), array([said for _, said in page]))
            for page in pages
        ),
        Counts(),
    )
    expected = {name: value for name, value in naive_metrics(pages).items() if not math.isnan(value)}
    assert total.as_dict() == pytest.approx(expected)


@given(labels)
def test_labels_agree_with_themselves(page: list[int]) -> None:
    metrics = score_labels(array(page), array(page)).as_dict()
    assert metrics.pop("FP_c", 0) == 0
    assert metrics.pop("L_bl", None) == (page.count(O) / len(page) if page else None)
    assert set(metrics.values()) <= {1.0}


@given(pairs_of_labels)
def test_agreement_of_two_annotators_is_symmetric_and_as_in_formulas_4_1_and_4_2(
    page: list[tuple[int, int]],
) -> None:
    x, y = [one for one, _ in page], [other for _, other in page]
    regions_x, regions_y = naive_regions(x), naive_regions(y)
    nodes_x, nodes_y = ({place for place, label in enumerate(one) if label != O} for one in (x, y))
    for counts in (score_labels(array(x), array(y)), score_labels(array(y), array(x))):
        by_region = share(2 * len(regions_x & regions_y), len(regions_x) + len(regions_y))
        by_node = share(2 * len(nodes_x & nodes_y), len(nodes_x) + len(nodes_y))
        assert counts.region_agreement == pytest.approx(by_region, nan_ok=True)
        assert counts.node_agreement == pytest.approx(by_node, nan_ok=True)


def test_table_4_2_of_the_paper_is_consistent_with_our_f() -> None:
    # R_r 0.135 and R_p 0.296 give R_F 0.185; B_r 0.431 and B_p 0.694 give B_F 0.532: counts with those
    # ratios.
    regions = Counts(true_regions=296_000, predicted_regions=135_000, same_regions=39_960)
    assert (regions.R_r, regions.R_p) == pytest.approx((0.135, 0.296))
    assert round(regions.R_F, 3) == 0.185
    nodes = Counts(true_nodes=694_000, predicted_nodes=431_000, common_nodes=299_114)
    assert (nodes.B_r, nodes.B_p) == pytest.approx((0.431, 0.694))
    assert round(nodes.B_F, 3) == 0.532


def test_a_region_counts_only_with_the_same_extent_and_labels() -> None:
    assert score("OBIIO", "OBIIO").same_regions == 1
    assert score("OBIIO", "OBIOO").same_regions == 0  # shorter
    assert score("OBIIO", "OBBIO").same_regions == 0  # in two parts
    assert score("OBIIO", "OIIIO").same_regions == 0  # the same extent, but it does not begin with B
    assert score("BIBI", "BIBI").same_regions == 2


def test_a_metric_without_cases_does_not_apply() -> None:
    assert Counts().as_dict() == {}
    assert score("", "").as_dict() == {}
    assert score("OO", "OO").as_dict() == {"L_bl": 1.0, "L_nc": 1.0, "FP_c": 0.0}
    nothing_predicted = score("OB", "OO")
    assert math.isnan(nothing_predicted.B_p)
    assert nothing_predicted.as_dict() == {
        "L_bl": 0.5,
        "L_nc": 0.5,
        "R_r": 0.0,
        "R_F": 0.0,
        "B_r": 0.0,
        "B_F": 0.0,
        "FP_c": 0.0,
    }
    assert score("BI", "BI").as_dict().keys() == {"L_bl", "L_nc", "R_r", "R_p", "R_F", "B_r", "B_p", "B_F"}


def test_all_metrics_together_have_the_names_of_the_interface() -> None:
    block = np.array([0, 0], dtype=np.int32)
    mask = np.array([True, False])
    both = score("OB", "OB") + score_blocks(mask, mask, block, ["aa", "b"]) + score_words("a b", "a b")
    assert tuple(both.as_dict()) == NAMES
    assert both.as_dict() == dict.fromkeys(NAMES, 1.0) | {"L_bl": 0.5, "FP_c": 0.0}


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match=r"equally long, but are \[1, 2\]"):
        score_labels(array([O]), array([O, B]))


@given(st.lists(blocks, max_size=3))
def test_metrics_of_blocks_are_what_the_definitions_say(
    pages: list[list[tuple[bool, bool, bool, str]]],
) -> None:
    total, truly, said, wrong = Counts(), set(), set(), set()
    for number, page in enumerate(pages):
        block = list(itertools.accumulate((new for new, *_ in page[1:]), initial=0))[: len(page)]
        truth, guess = (np.array([node[column] for node in page], dtype=np.bool_) for column in (1, 2))
        total += score_blocks(truth, guess, np.array(block, dtype=np.int32), [text for *_, text in page])
        characters: dict[tuple[int, int], list[tuple[bool, bool]]] = defaultdict(list)
        for place, (_, one, other, text) in zip(block, page, strict=True):
            characters[number, place] += [(one, other)] * len(re.sub(r"\s", "", text))
        for place_in, votes in characters.items():
            content = sum(one for one, _ in votes) > len(votes) / 2
            guessed = sum(other for _, other in votes) > len(votes) / 2
            truly |= {place_in} if content else set()
            said |= {place_in} if guessed else set()
            wrong |= {number} if content != guessed else set()
    precision, recall = share(len(truly & said), len(said)), share(len(truly & said), len(truly))
    expected = {
        "block_P": precision,
        "block_R": recall,
        "block_F": harmonic(precision, recall),
        "perfect": share(len(pages) - len(wrong), len(pages)),
    }
    assert total.as_dict() == pytest.approx(
        {name: value for name, value in expected.items() if not math.isnan(value)}
    )


def naive_words(text: str) -> list[str]:
    found: list[str] = []
    for word in re.split(r"\W+", text.lower()):
        for unspaced, group in itertools.groupby(word, key=lambda sign: sign in "漢字かなｱ々"):
            run = "".join(group)
            found += [run[at : at + 2] for at in range(len(run) - 1)] if unspaced and len(run) > 1 else [run]
    return found


@given(some_text, some_text)
def test_word_scores_are_what_the_definition_says(true: str, predicted: str) -> None:
    expected, found = naive_words(true), naive_words(predicted)
    left, common = list(found), 0
    for word in expected:
        if word in left:
            left.remove(word)
            common += 1
    if not expected or not found:
        precision = recall = f1 = float(expected == found)
    else:
        precision, recall = common / len(found), common / len(expected)
        f1 = harmonic(precision, recall)
    assert word_scores(true, predicted) == pytest.approx((precision, recall, f1))


def test_words_are_those_of_the_benchmark_and_pairs_of_characters_in_japanese() -> None:
    assert words("Don't stop_it, Ärger 3.5!") == ["don", "t", "stop_it", "ärger", "3", "5"]
    assert words("東京都のPython3入門。ｶﾅ") == ["東京", "京都", "都の", "python3", "入門", "ｶﾅ"]
    assert words("々 人々 カ・キク") == ["々", "人々", "カ", "キク"]
    assert words("한국어 텍스트") == ["한국어", "텍스트"]  # Korean has spaces


def test_word_scores_of_empty_texts() -> None:
    assert word_scores("", " … ") == (1.0, 1.0, 1.0)
    assert word_scores("a", "") == word_scores("", "a") == word_scores("a", "b") == (0.0, 0.0, 0.0)


def test_word_f1_is_the_mean_over_pages() -> None:
    total = score_words("a b", "a b") + score_words("c", "") + score_words("d e f", "d")
    assert total.word_F1 == pytest.approx((1 + 0 + 0.5) / 3)
    assert (total.word_P, total.word_R) == pytest.approx((2 / 3, (1 + 0 + 1 / 3) / 3))


def test_words_of_a_long_page_take_no_long_time() -> None:
    long = PROSE * 3000  # about 400,000 characters
    assert word_scores(long, long) == (1.0, 1.0, 1.0)
