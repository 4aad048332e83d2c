"""Feature sets by name: shipped, of one's own modules, of installed packages."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from ruiji.features.nodes import sets
from ruiji.features.nodes.attributes import Attributes, Closed, FeatureSet
from ruiji.features.nodes.forest import Forest, forest
from ruiji.features.nodes.full import FULL
from ruiji.features.nodes.nakamura import NAKAMURA
from ruiji.features.nodes.sets import NoFeatureSet, feature_set, named_set, set_name
from tests.factories import make_nodes

MODULE = """
import numpy as np
from ruiji.features.nodes.attributes import Closed
from ruiji.features.nodes.full import FULL

def question(pages):
    return np.array(["？" in text for text in pages.texts])

MINE = FULL.extended("mine", Closed(question, ("no", "yes")))
NOT_A_SET = 3
"""


def question(pages: Forest) -> npt.NDArray[np.bool_]:
    return np.array(["?" in text for text in pages.texts])


def too_short(pages: Forest) -> npt.NDArray[np.bool_]:
    return np.zeros(len(pages) + 1, dtype=bool)


def too_high(pages: Forest) -> npt.NDArray[np.int64]:
    return np.full(len(pages), 2)


def no_number(pages: Forest) -> npt.NDArray[np.float64]:
    return np.full(len(pages), 0.5)


HERE = FULL.extended("here", Closed(question, ("no", "yes")))


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module of somebody's own, on the path."""
    (tmp_path / "my_features.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "my_features", raising=False)
    return "my_features"


def test_a_set_of_one_s_own_is_taken_as_it_is() -> None:
    assert feature_set(HERE) is not FULL
    assert feature_set(HERE).features[-1].name == "question"
    assert feature_set(HERE, ["question"]).features == FULL.features


def test_a_set_is_found_by_module_and_name(module: str) -> None:
    mine = named_set(f"{module}:MINE")
    assert mine.name == "mine"
    assert mine.features[:-1] == FULL.features
    assert feature_set(f"{module}:MINE") == mine


def test_a_set_is_found_by_the_entry_point_of_a_package(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    offered = [EntryPoint("theirs", f"{module}:MINE", sets.ENTRY_POINTS)]
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: offered if group == sets.ENTRY_POINTS else []
    )
    assert named_set("theirs").name == "mine"
    with pytest.raises(NoFeatureSet, match="there are full, nakamura, stacked, theirs"):
        named_set("other")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("no_such_module:MINE", "there is no module no_such_module; put its folder on PYTHONPATH"),
        ("my_features:OTHER", "my_features has nothing of that name"),
        ("my_features:NOT_A_SET", "my_features has int there, not a FeatureSet"),
        ("my_features.py:MINE", "there is no module my_features.py"),
        ("/tmp/my_features:MINE", "write MODULE:NAME"),
        ("my_features:", "write MODULE:NAME"),
        ("mine", "no feature set 'mine'; there are full, nakamura, stacked"),
    ],
)
def test_a_set_that_is_missing_is_refused_in_one_sentence(module: str, name: str, sentence: str) -> None:
    with pytest.raises(NoFeatureSet) as raised:
        feature_set(name)
    assert sentence in str(raised.value)
    assert "\n" not in str(raised.value)


def test_what_is_missing_inside_of_a_module_is_not_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_features.py").write_text("import no_such_library\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_library"):
        named_set("broken_features:MINE")


def test_a_set_knows_where_it_comes_from(module: str) -> None:
    assert set_name("nakamura") == "nakamura"
    assert set_name(FULL) == "full"
    assert set_name(HERE) == f"{__name__}:HERE"
    assert set_name(named_set(f"{module}:MINE")) == f"{module}:MINE"
    assert set_name(NAKAMURA.extended("nowhere", Closed(question, ("no", "yes")))) == "(nowhere)"


def test_two_features_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two features are called question; rename"):
        HERE.extended("twice", Closed(question, ("no", "yes")))


def test_something_else_is_no_feature_set() -> None:
    with pytest.raises(NoFeatureSet, match="a FeatureSet or the name of one, not list"):
        feature_set(["link"])  # type: ignore[arg-type]


@pytest.mark.parametrize("function", [too_short, too_high, no_number])
def test_what_a_function_from_outside_gives_is_checked(function: object) -> None:
    pages = forest([make_nodes("<p>one?</p><p>two</p>")])
    wrong = FeatureSet("wrong", (Closed(function, ("no", "yes")),))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must give a whole number from 0 to 1 for each of the 2 text nodes"):
        Attributes(wrong, {}).columns(pages)


def test_values_from_outside_become_attributes() -> None:
    pages = forest([make_nodes("<p>one?</p><p>two</p>")])
    mine = Attributes(FeatureSet("mine", (Closed(question, ("no", "yes"), (0, 1)),)), {})
    names = mine.names()
    rows = [[names[number] for number in row] for row in mine.columns(pages).rows()]
    assert rows == [["question=yes", "question[+1]=no"], ["question=no", "question[+1]=outside"]]


def test_features_of_one_set_are_taken_into_another() -> None:
    words = FULL.extended("words", *NAKAMURA.chosen("verb_or_adjective", "keyword"))
    assert [feature.name for feature in words.features[-2:]] == ["keyword", "verb_or_adjective"]
    with pytest.raises(ValueError, match="no feature verb in the set nakamura; it has keyword, text_length"):
        NAKAMURA.chosen("verb")


def test_a_set_of_a_script_that_is_not_running_is_told_as_such() -> None:
    with pytest.raises(NoFeatureSet, match="they stood in the script that trained the model; keep them"):
        named_set("__main__:NO_SUCH_SET")


def test_a_bare_function_is_no_feature() -> None:
    with pytest.raises(TypeError, match=r"is no feature, as Closed\(function, values\)"):
        FULL.extended("bare", question)  # type: ignore[arg-type]
