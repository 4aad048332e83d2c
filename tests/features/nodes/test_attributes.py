"""Features as numbered attributes: sums of weights, neighbours at the borders of pages, the choice of
values.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.corpora import MINIWEB, read_pages
from ruiji.features.nodes.attributes import (
    OUTSIDE,
    Attributes,
    Closed,
    Columns,
    FeatureSet,
    Finds,
    Open,
    Rule,
    choose,
)
from ruiji.features.nodes.forest import Forest, forest
from ruiji.features.nodes.full import FULL
from ruiji.features.nodes.nakamura import FIXED_KEYWORDS, KEYWORD_RULE, NAKAMURA, keyword
from ruiji.features.nodes.sets import ALONE, FEATURE_SETS, feature_set
from ruiji.features.page.parsing import text_nodes_of
from ruiji.features.page.textnodes import TextNodes
from ruiji.features.text.characters import word_key
from ruiji.features.text.morphology import nouns
from tests.factories import make_nodes
from tests.strategies import html_pages

EVERYTHING = Rule()
EMPTY = "<p> </p>"

batches = st.lists(st.one_of(html_pages, st.just(EMPTY)), min_size=1, max_size=4)


def parity(pages: Forest) -> np.ndarray[Any, Any]:
    """The number of the node in its page, odd or even."""
    return (np.arange(len(pages)) - pages.page_start[:-1][pages.page]) % 2


def letter(pages: Forest) -> Finds:
    """The first letter of each text, from there to the end of the page."""
    found = [text[:1] for text in pages.stripped]
    at = np.arange(len(pages), dtype=np.int32)
    return Finds(
        at,
        pages.page_start[1:][pages.page],
        np.array([ord(one) for one in found], dtype=np.uint64),
        lambda some: [found[i] for i in some],
    )


def grown(pages: Sequence[str]) -> Forest:
    return forest([make_nodes(page) for page in pages])


def loose(features: FeatureSet) -> FeatureSet:
    """The set with every value of its open features."""
    return FeatureSet(
        features.name,
        tuple(replace(one, rule=EVERYTHING) if isinstance(one, Open) else one for one in features.features),
    )


def learned(features: FeatureSet, pages: Forest) -> Attributes:
    return choose(features, pages, np.ones(len(pages), dtype=bool), pages.page)


def random_columns(rng: np.random.Generator, size: int, finds: int) -> Columns:
    start = rng.integers(0, size, finds).astype(np.int32) if size else np.zeros(0, dtype=np.int32)
    end = np.minimum(start + rng.integers(0, 5, len(start)), size).astype(np.int32)
    return Columns(
        rng.integers(0, 9, (3, size)).astype(np.int32),
        start,
        end,
        rng.integers(9, 20, len(start)).astype(np.int32),
    )


@given(seed=st.integers(0, 10**6), size=st.integers(0, 12), finds=st.integers(0, 20))
def test_scores_are_sums_over_the_attributes_of_each_node(seed: int, size: int, finds: int) -> None:
    rng = np.random.default_rng(seed)
    columns, weights = random_columns(rng, size, finds), rng.normal(size=(20, 3))
    rows = columns.rows()
    assert len(rows) == size
    scores = columns.scores(weights)
    assert scores.shape == (size, 3)
    np.testing.assert_allclose(
        scores, [weights[row].sum(axis=0) for row in rows] if size else np.zeros((0, 3)), atol=1e-9
    )


@given(seed=st.integers(0, 10**6), size=st.integers(1, 12), finds=st.integers(0, 20))
def test_rows_and_single_nodes_agree(seed: int, size: int, finds: int) -> None:
    columns = random_columns(np.random.default_rng(seed), size, finds)
    expected: list[Counter[int]] = [Counter(columns.closed[:, node].tolist()) for node in range(size)]
    for start, end, number in zip(
        columns.start.tolist(), columns.end.tolist(), columns.number.tolist(), strict=True
    ):
        for node in range(start, end):
            expected[node][number] += 1
    assert [Counter(row) for row in columns.rows()] == expected
    assert [columns.at(node) for node in range(size)] == expected


@pytest.mark.parametrize("features", [NAKAMURA, FULL], ids=lambda features: features.name)
@given(pages=batches, seed=st.integers(0, 99))
def test_scores_of_pages_are_sums_over_their_attributes(
    features: FeatureSet, pages: list[str], seed: int
) -> None:
    trees = grown(pages)
    attributes = learned(loose(features), trees)
    columns = attributes.columns(trees)
    weights = np.random.default_rng(seed).normal(size=(len(attributes.names()), 2))
    rows = columns.rows()
    assert [dict(Counter(row)) for row in rows] == [columns.at(node) for node in range(len(trees))]
    np.testing.assert_allclose(
        columns.scores(weights),
        [weights[row].sum(axis=0) for row in rows] if rows else np.zeros((0, 2)),
        atol=1e-9,
    )


@pytest.mark.parametrize("features", [NAKAMURA, FULL], ids=lambda features: features.name)
@given(pages=batches)
def test_names_are_unique_and_in_line_with_the_columns(features: FeatureSet, pages: list[str]) -> None:
    trees = grown(pages)
    attributes = learned(loose(features), trees)
    names = attributes.names()
    assert len(names) == len(set(names))
    found = [Counter(names[number] for number in row) for row in attributes.columns(trees).rows()]
    expected: list[Counter[str]] = [Counter() for _ in range(len(trees))]
    for feature in features.features:
        if isinstance(feature, Closed):
            codes = feature.function(trees).tolist()
            for node, page in enumerate(trees.page.tolist()):
                for offset in feature.offsets:
                    near = node + offset
                    same = 0 <= near < len(trees) and trees.page[near] == page
                    where = f"[{offset:+d}]" if offset else ""
                    expected[node][
                        f"{feature.name}{where}={feature.values[codes[near]] if same else OUTSIDE}"
                    ] += 1
        else:
            finds = feature.function(trees)
            for find, value in enumerate(finds.spell(range(len(finds.key)))):
                for node in range(int(finds.start[find]), int(finds.end[find])):
                    name = f"{feature.name}={value}"
                    expected[node][name] = 1 if feature.once else expected[node][name] + 1
    assert found == expected


def test_neighbours_beyond_the_borders_of_a_page_are_outside() -> None:
    features = FeatureSet("toy", (Closed(parity, ("even", "odd"), (-2, -1, 0, 1, 2)),))
    trees = grown(["<p>a", EMPTY, "<p>b<p>c<p>d", "<p>e<p>f"])
    attributes = Attributes(features, {})
    names = attributes.names()
    assert names[:6] == [
        "parity[-2]=even",
        "parity[-2]=odd",
        "parity[-2]=outside",
        "parity[-1]=even",
        "parity[-1]=odd",
        "parity[-1]=outside",
    ]
    assert names[6:9] == ["parity=even", "parity=odd", "parity=outside"]
    shown = [
        "".join({"even": "e", "odd": "o", "outside": "-"}[names[at].split("=")[1]] for at in row)
        for row in attributes.columns(trees).rows()
    ]
    assert shown == ["--e--", "--eoe", "-eoe-", "eoe--", "--eo-", "-eo--"]


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_pages_smaller_than_an_offset(size: int) -> None:
    features = FeatureSet("toy", (Closed(parity, ("even", "odd"), (-3, 3)),))
    rows = Attributes(features, {}).columns(grown(["".join("<p>a" for _ in range(size)) or EMPTY])).rows()
    assert rows == [[2, 5]] * size


def test_a_set_of_open_features_only_has_columns_too() -> None:
    features = FeatureSet("toy", (Open(letter, ord),))
    trees = grown(["<p>a<p>b<p>a", "<p>b"])
    attributes = learned(features, trees)
    assert attributes.names() == ["letter=a", "letter=b"]
    columns = attributes.columns(trees)
    assert [sorted(row) for row in columns.rows()] == [[0], [0, 1], [0, 0, 1], [1]]
    assert columns.at(2) == {0: 2, 1: 1}
    assert columns.scores(np.array([[1.0], [10.0]])).tolist() == [[1.0], [11.0], [12.0], [10.0]]


def test_values_that_training_did_not_choose_are_ignored() -> None:
    features = FeatureSet("toy", (Open(letter, ord), Closed(parity, ("even", "odd"))))
    trees = grown(["<p>a<p>z<p>c"])
    assert Attributes(features, {"letter": ["y", "c", "!"]}).columns(trees).rows() == [[3], [4], [3, 1]]
    assert Attributes(features, {"letter": []}).columns(trees).rows() == [[0], [1], [0]]


def test_values_need_not_be_in_the_order_of_their_keys() -> None:
    features = FeatureSet("toy", (Open(letter, ord),))
    trees = grown(["<p>b", "<p>a", "<p>c", "<p>d"])
    for values in (["c", "a", "b"], ["b", "c", "a"], ["a", "b", "c"]):
        assert Attributes(features, {"letter": values}).columns(trees).rows() == [
            [values.index("b")],
            [values.index("a")],
            [values.index("c")],
            [],
        ]


def nested(rng: np.random.Generator, first: int, end: int) -> list[tuple[int, int]]:
    """Stretches that are apart or hold one another, as those of elements are."""
    found = [(first, end)] if rng.random() < 0.7 else []
    if end - first > 1:
        middle = int(rng.integers(first, end + 1))
        found += nested(rng, first, middle) + nested(rng, middle, end)
    return found + found[: int(rng.integers(0, 2))]


@given(seed=st.integers(0, 10**6), values=st.integers(1, 3))
def test_finds_once_have_every_value_at_its_nodes_once(seed: int, values: int) -> None:
    rng = np.random.default_rng(seed)
    stretches = nested(rng, 0, int(rng.integers(0, 9)))
    rng.shuffle(stretches)
    start, end = (np.array([one[side] for one in stretches], dtype=np.int32) for side in (0, 1))
    key = rng.integers(0, values, len(stretches)).astype(np.uint64)
    once = Finds(start, end, key, lambda which: [f"value {key[find]}" for find in which]).once()
    at = [
        (node, int(value))
        for first, last, value in zip(start, end, key, strict=True)
        for node in range(first, last)
    ]
    found = [
        (node, int(value))
        for first, last, value in zip(once.start, once.end, once.key, strict=True)
        for node in range(first, last)
    ]
    assert sorted(found) == sorted(set(at))
    assert once.spell(range(len(once.key))) == [f"value {value}" for value in once.key]


def test_a_value_of_few_domains_is_kept_where_the_pages_have_no_more() -> None:
    one, two = (
        Rule(domains=2).keeps(np.array([5]), np.array([1]), np.array([0.0]), domains).tolist()
        for domains in (1, 2)
    )
    assert (one, two) == ([True], [False])
    rule = Rule(domain_share=0.25)
    assert rule.keeps(np.array([5, 5]), np.array([2, 3]), np.zeros(2), 9).tolist() == [False, True]
    assert rule.keeps(np.array([5, 5]), np.array([2, 3]), np.zeros(2), 8).tolist() == [True, True]


@pytest.mark.parametrize(
    ("occurrences", "domains", "non_content", "kept"),
    [
        (20, 2, 20, True),
        (19, 2, 19, False),  # fewer than 20
        (20, 3, 14, True),  # P_nc is 0.7
        (20, 3, 13, False),
        (30, 3, 21, True),
        (1000, 3, 700, True),
        (1000, 3, 699, False),
        (20, 2, 19, False),  # P_nc D_w is 1.9
        (1000, 2, 999, False),
        (1000, 2, 1000, True),  # is 2
        (1000, 1, 1000, False),  # one domain is never enough
        (20, 50, 13, False),  # many domains do not make up for P_nc
        (0, 0, 0, False),
    ],
)
def test_keywords_are_kept_by_the_three_conditions_of_the_paper(
    occurrences: int, domains: int, non_content: int, kept: bool
) -> None:
    """Nakamura 2007, section 3.3: 20 occurrences or more, P_nc(w) of 0.7 or more, P_nc(w) times D_w of 2 or
    more.
    """
    assert (
        KEYWORD_RULE.occurrences,
        KEYWORD_RULE.non_content,
        KEYWORD_RULE.weight,
        KEYWORD_RULE.domains,
    ) == (20, 0.7, 2.0, 1)
    counts = (
        np.array([occurrences], dtype=np.int32),
        np.array([domains], dtype=np.int32),
        np.array([float(non_content)]),
    )
    assert KEYWORD_RULE.domain_share == 0
    for all_domains in (max(domains, 1), 1000):
        assert KEYWORD_RULE.keeps(*counts, all_domains).tolist() == [kept]


@given(
    rule=st.builds(
        Rule,
        occurrences=st.integers(1, 4),
        domains=st.integers(1, 3),
        domain_share=st.sampled_from([0.0, 0.5, 0.7, 1.0]),
        non_content=st.sampled_from([0.0, 0.25, 0.5, 0.7]),
        weight=st.sampled_from([0.0, 1.0, 1.5, 2.0]),
    ),
    seed=st.integers(0, 10**6),
)
def test_the_chosen_values_are_those_that_a_count_by_hand_keeps(rule: Rule, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pages = [
        "".join(f"<p>{one}" for one in rng.choice(list("abcd"), rng.integers(0, 6))) or EMPTY
        for _ in range(4)
    ]
    trees = grown(pages)
    non_content = rng.random(len(trees)) < 0.6
    domain_of_page = rng.integers(0, 3, len(pages)).astype(np.int32)
    domains = domain_of_page[trees.page]
    nodes = [
        (one, node)
        for first, one in enumerate(trees.stripped)
        for node in range(first, int(trees.page_start[trees.page[first] + 1]))
    ]
    kept = []
    for value in "abcd":
        at = [node for one, node in nodes if one == value]
        share = sum(bool(non_content[node]) for node in at) / len(at) if at else 0.0
        different = len({int(domains[node]) for node in at})
        all_domains = len({int(domain) for domain in domains})
        widespread = (
            different >= min(rule.domains, all_domains) and different >= rule.domain_share * all_domains
        )
        enough = 0 < len(at) >= rule.occurrences and widespread
        if enough and share >= rule.non_content and share * different >= rule.weight:
            kept.append(value)
    assert choose(FeatureSet("toy", (Open(letter, ord, rule),)), trees, non_content, domains).values == {
        "letter": kept
    }


@given(pages=batches, others=batches)
def test_keywords_come_from_the_training_pages_only(pages: list[str], others: list[str]) -> None:
    """A value that only the test pages have never becomes an attribute, and what test pages say changes no
    choice.
    """
    trees = grown(pages)
    attributes = learned(loose(NAKAMURA), trees)
    grown(others).morphology  # noqa: B018 (analysed, and so in every cache)
    known = {noun for nodes in trees.pages for found in nouns(nodes.texts) for noun in found}
    assert set(attributes.values["keyword"]) == known
    names = attributes.names()
    for row in attributes.columns(grown(others)).rows():
        assert {
            names[number].removeprefix("keyword=") for number in row if names[number].startswith("keyword=")
        } <= known
    assert learned(loose(NAKAMURA), trees).values == attributes.values


def test_a_keyword_is_chosen_by_pages_domains_and_labels() -> None:
    """ホーム stands in the menus of two domains; 会社 in those of one; 港町 in content."""
    page = "".join("<li>ホーム" for _ in range(10)) + "".join("<p>港町" for _ in range(20)) + "<li>会社" * 20
    other = "".join("<li>ホーム" for _ in range(10)) + "<p>港町" * 20
    trees = grown([page, other])
    menu = np.array([text != "港町" for text in trees.stripped])
    assert choose(NAKAMURA, trees, menu, trees.page).values["keyword"] == ["ホーム"]
    assert choose(NAKAMURA, trees, menu, np.zeros_like(trees.page)).values["keyword"] == []  # one domain
    assert choose(NAKAMURA, trees, ~menu, trees.page).values["keyword"] == ["港町"]
    menu[0] = False
    assert choose(NAKAMURA, trees, menu, trees.page).values["keyword"] == []  # 19 of 20 in two domains: 1.9


def test_every_occurrence_of_a_noun_counts_for_the_rule_and_a_text_has_a_keyword_once() -> None:
    """Nakamura 2007, section 3.3: the rule asks for the number of occurrences, the feature whether there is
    one.
    """
    trees = grown(["<p>ホーム、ホーム、ホーム", "<p>ホーム"])
    finds = keyword(trees)
    assert finds.start.tolist() == [0, 0, 0, 1]
    assert finds.spell(range(4)) == ["ホーム"] * 4
    assert finds.key.tolist() == [word_key("ホーム")] * 4
    columns = Attributes(
        FeatureSet("toy", (Open(keyword, word_key, once=True),)), {"keyword": ["ホーム"]}
    ).columns(trees)
    assert columns.rows() == [[0], [0]]


def test_fixed_keywords_take_the_place_of_the_rule() -> None:
    """Nakamura 2007, table 4.5."""
    trees = grown(["<p>Copyright 検索<p>LINK<p>港町"])
    attributes = learned(feature_set("nakamura", keywords="fixed"), trees)
    assert attributes.values == {"keyword": list(FIXED_KEYWORDS)}
    names = attributes.names()
    found = [
        {names[number] for number in row if names[number].startswith("keyword=")}
        for row in attributes.columns(trees).rows()
    ]
    assert found == [{"keyword=copyright", "keyword=検索"}, {"keyword=link"}, set()]


def test_training_pages_without_nodes_give_no_values() -> None:
    trees = grown([EMPTY])
    for name in ALONE:
        attributes = learned(FEATURE_SETS[name], trees)
        assert all(values == [] for values in attributes.values.values())
        assert attributes.columns(trees).rows() == []


def test_a_set_without_some_features() -> None:
    left = NAKAMURA.without(["keyword", "link"])
    assert [feature.name for feature in left.features] == [
        one.name for one in NAKAMURA.features if one.name not in ("keyword", "link")
    ]
    assert left.name == "nakamura"
    assert NAKAMURA.without([]).features == NAKAMURA.features
    assert len(NAKAMURA.features) == 10  # the set itself is as it was


@pytest.mark.parametrize("names", [["lenght"], ["link", "lenght"], [""], ["keyword=link"], ["Link"]])
def test_a_set_cannot_be_without_what_it_has_not(names: list[str]) -> None:
    unknown = next(name for name in names if name != "link")
    with pytest.raises(
        ValueError, match=f"no feature {unknown} in the set nakamura; it has keyword, text_length"
    ):
        NAKAMURA.without(names)


def test_feature_sets_by_name() -> None:
    assert feature_set("full") == FULL
    assert feature_set("nakamura", ["link"]) == NAKAMURA.without(["link"])
    with pytest.raises(ValueError, match=r"no feature set 'ful'; there are full, nakamura"):
        feature_set("ful")
    with pytest.raises(ValueError, match="keywords are selected or fixed, not 'both'"):
        feature_set("nakamura", keywords="both")
    with pytest.raises(ValueError, match="no feature keyword in the set full"):
        feature_set("full", ["keyword"])


def test_the_schema_tells_sets_apart() -> None:
    schema = NAKAMURA.schema()
    assert schema[:2] == ["version 1", "keyword open"]
    assert schema[2] == "text_length (0,) 1 2 3-5 6-8 9-15 16+"
    assert len({tuple(features.schema()) for features in (NAKAMURA, FULL, NAKAMURA.without(["link"]))}) == 3
    longer = replace(NAKAMURA.features[1], offsets=(0, 1))
    assert FeatureSet("nakamura", (NAKAMURA.features[0], longer, *NAKAMURA.features[2:])).schema() != schema


@pytest.mark.parametrize(
    ("features", "version", "digest"), [(NAKAMURA, 1, "739c217d1229777f"), (FULL, 1, "628e1f294cb4656e")]
)
def test_a_feature_that_comes_to_mean_something_else_raises_the_version(
    features: FeatureSet, version: int, digest: str
) -> None:
    """Old models must not be used with other features: raise the version of the set, then put the new digest
    here.
    """
    pages = [page for number, page in enumerate(read_pages([MINIWEB])) if number % 20 == 0]
    trees = forest([nodes for nodes in text_nodes_of(pages) if isinstance(nodes, TextNodes)])
    columns = Attributes(
        features,
        {feature.name: seen(feature, trees) for feature in features.features if isinstance(feature, Open)},
    ).columns(trees)
    parts = (columns.closed, columns.start, columns.end, columns.number)
    assert features.version == version
    assert hashlib.sha256(b"".join(part.astype("<i4").tobytes() for part in parts)).hexdigest()[:16] == digest


def seen(feature: Open, trees: Forest) -> list[str]:
    finds = feature.function(trees)
    return sorted(set(finds.spell(range(len(finds.key)))))
