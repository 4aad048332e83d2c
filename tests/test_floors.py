"""The shipped model stays above its floors, and floors do not sink unasked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import floors
from benchmarks.floors import FILE, SAMPLES, Floor, failures, read_floors, renewed
from ruiji.chunker.annotation.examples import Example
from tests.factories import annotated_examples
from tests.paths import DATA


@pytest.mark.data
@pytest.mark.skipif(
    not DATA.is_dir(), reason="the annotated pages are not here; RUIJI_DATA names their folder"
)
def test_the_shipped_model_is_above_its_floors() -> None:
    assert failures(DATA, read_floors()) == []


def test_every_sample_has_a_floor_and_says_whether_the_model_has_seen_it() -> None:
    written = json.loads(FILE.read_text(encoding="utf-8"))
    assert {sample.name: sample.seen for sample in SAMPLES} == {
        name: floor["seen"] for name, floor in written.items()
    }
    assert any(not sample.seen for sample in SAMPLES)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of the mini-web in place of the sets."""

    def sampled(data: Path, sample: floors.Sample) -> list[Example]:
        return list(annotated_examples("fjordnotes.org"))

    monkeypatch.setattr(floors, "sampled", sampled)
    monkeypatch.setattr(floors, "reached", lambda examples, model="": 0.9)


@pytest.mark.usefixtures("small")
def test_a_floor_rises_by_itself_and_sinks_only_when_told() -> None:
    first = renewed(Path(), {}, lower=False)
    assert {floor.word_F1 for floor in first.values()} == {0.897}
    high = {name: Floor(floor.sha256, 0.95, floor.seen) for name, floor in first.items()}
    assert renewed(Path(), high, lower=False) == high
    assert renewed(Path(), high, lower=True) == first
    low = {name: Floor(floor.sha256, 0.5, floor.seen) for name, floor in first.items()}
    assert renewed(Path(), low, lower=False) == first


@pytest.mark.usefixtures("small")
def test_a_floor_that_is_not_reached_or_of_other_pages_is_named() -> None:
    first = renewed(Path(), {}, lower=False)
    assert failures(Path(), first) == []
    high = {name: Floor(floor.sha256, 0.95, floor.seen) for name, floor in first.items()}
    assert failures(Path(), high)[0] == "ja-web: word_F1 is 0.9000, below the floor of 0.9500"
    other = {name: Floor("0", floor.word_F1, floor.seen) for name, floor in first.items()}
    assert all("no floor for these pages" in failure for failure in failures(Path(), other))
