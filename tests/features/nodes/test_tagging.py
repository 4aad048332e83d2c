"""Taggers of one's own, and what Nakamura 2007 wished for."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.folder import ModelError, load_model, save_model
from ruiji.features.nodes.attributes import Closed
from ruiji.features.nodes.forest import forest
from ruiji.features.nodes.nakamura import NAKAMURA, keyword, verb_or_adjective
from ruiji.features.nodes.outside import WrongValues
from ruiji.features.nodes.sets import NoFeatureSet, named_set, set_name
from ruiji.features.nodes.tagging import tagged
from ruiji.features.nodes.wished import WISHED, list_link_ratio, list_text_length, punctuation
from tests.factories import annotated_examples, labels_in, make_nodes, nodes_of

MODULE = """
def tag(texts):
    return [("geht" in text, [word for word in text.split() if word[0].isupper()]) for text in texts]
"""


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / "german_tagger.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "german_tagger:tag"
    sys.modules.pop("german_tagger", None)


def test_a_set_takes_its_parts_of_speech_from_the_tagger(german: str) -> None:
    features = named_set(f"nakamura@{german}")
    pages = forest([make_nodes("<p>das Haus geht<p>der Garten")])
    by_name = {feature.name: feature for feature in features.features}
    verbs = by_name[verb_or_adjective.__name__]
    assert isinstance(verbs, Closed)
    assert verbs.codes(pages).tolist() == [1, 0]
    nouns = by_name[keyword.__name__].function(pages)
    assert nouns.spell(range(len(nouns.key))) == ["haus", "garten"]  # type: ignore[union-attr]
    assert set_name(features) == f"nakamura@{german}"
    assert len(features.features) == len(NAKAMURA.features)


def test_an_installed_package_offers_a_tagger_under_a_name(
    german: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = [EntryPoint("de", german, "ruiji.taggers")]
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: offered if group == "ruiji.taggers" else []
    )
    assert named_set("nakamura@de").name == "nakamura@de"
    with pytest.raises(NoFeatureSet, match="no tagger 'fr'; installed ones: de; one of your own is"):
        named_set("nakamura@fr")


def test_a_model_with_a_tagger_is_saved_loaded_and_refused_without_it(german: str, tmp_path: Path) -> None:
    examples = annotated_examples()[::8]
    chunker = CrfChunker(f"nakamura@{german}", max_iterations=3)
    chunker.fit(nodes_of(examples), labels_in(examples))
    save_model(chunker, tmp_path / "model", examples)
    page = nodes_of(examples)[0]
    assert load_model(tmp_path / "model").predict([page]) == chunker.predict([page])
    sys.modules.pop("german_tagger")
    (tmp_path / "german_tagger.py").unlink()
    with pytest.raises(ModelError, match="the tagger german_tagger:tag is missing: there is no module"):
        load_model(tmp_path / "model")


def test_a_tagger_that_fails_or_says_too_little_is_named() -> None:
    def failing(texts: Sequence[str]) -> list[tuple[bool, list[str]]]:
        raise KeyError("lemma")

    pages = forest([make_nodes("<p>one<p>two")])
    for tagger, message in (
        (failing, "the tagger x failed: KeyError: 'lemma'"),
        (lambda texts: [], "the tagger x must give one answer for each of the 2 texts of a page; it gave 0"),
    ):
        (feature,) = (
            own for own in tagged(NAKAMURA, tagger, "x").features if own.name == "verb_or_adjective"
        )
        assert isinstance(feature, Closed)
        with pytest.raises(WrongValues, match=message):
            feature.codes(pages)


def test_a_set_without_words_has_no_use_for_a_tagger(german: str) -> None:
    with pytest.raises(NoFeatureSet, match="the set full has neither verb_or_adjective nor keyword"):
        named_set(f"full@{german}")


def test_section_5_2_punctuation_and_averages_of_lists() -> None:
    pages = forest([make_nodes("<p>文です。<p>一、二<p>表題<ul><li><a href=/>長い項目</a><li>短</ul>")])
    assert punctuation(pages).tolist() == [1, 1, 0, 0, 0]
    assert list_text_length(pages).tolist() == [0, 0, 0, 2, 2]  # 2.5 characters: between 1 and 4
    assert list_link_ratio(pages).tolist() == [0, 0, 0, 2, 2]  # one of two: from 0.4 to 0.6


def test_section_4_5_the_text_that_follows_and_the_element_in_common() -> None:
    """Figure 4.7: 「ファッションの…」 stands in another table than the bar before it, four steps up."""
    html = (
        "<table><tr><td><table><tr><td>関連サイト<td>|</table><table><tr><td>ファッションの話</table></table>"
    )
    pages = forest([make_nodes(html)])
    by_name = {feature.name: feature for feature in WISHED.features}
    climb = by_name["climb"]
    assert isinstance(climb, Closed)
    steps = [climb.values[code] for code in climb.codes(pages).tolist()]
    assert int(steps[2].rstrip("+").split("-")[0]) > int(steps[1].rstrip("+").split("-")[0])
    for name in ("text_length", "verb_or_adjective", "link"):
        feature = by_name[name]
        assert isinstance(feature, Closed)
        assert feature.offsets == (0, 1)
