"""CRFsuite model files: read as python-crfsuite reads them, refused with a named error when damaged."""

from __future__ import annotations

import struct
from pathlib import Path
from random import Random

import numpy as np
import pycrfsuite
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.chunker.crf.model_file import CrfModel, NotAModel, read_model

ATTRIBUTES = [
    "size=1",
    "size=2",
    "link[+1]=none",
    "word=日本語",
    "word==",
    "word=a:b",
    "word=é",
    "always",
    "tail ",
    "word=😀",
]
PRECISION = 5e-7  # info() prints six decimals


def trained(path: Path, labels: str, algorithm: str = "lbfgs", seed: int = 1) -> bytes:
    """A model of random sequences in which attributes have something to say."""
    random = Random(seed)
    trainer = pycrfsuite.Trainer(algorithm=algorithm, verbose=False)
    for _ in range(12):
        sequence = random.choices(labels, k=9)
        items = [[ATTRIBUTES[labels.index(label)], *random.choices(ATTRIBUTES, k=3)] for label in sequence]
        trainer.append(items, sequence)
    trainer.set_params(
        {"max_iterations": 20} | ({"feature.possible_transitions": True} if algorithm == "lbfgs" else {})
    )
    trainer.train(str(path))
    return path.read_bytes()


@pytest.fixture(scope="module")
def model_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "m"
    trained(path, "OBI")
    return path


@pytest.fixture(scope="module")
def data(model_path: Path) -> bytes:
    return model_path.read_bytes()


@pytest.mark.parametrize(
    ("labels", "algorithm"),
    [("OBI", "lbfgs"), ("IBO", "lbfgs"), ("OB", "lbfgs"), ("O", "lbfgs"), ("OBI", "ap"), ("BOI", "l2sgd")],
)
def test_it_holds_what_the_library_says_it_holds(labels: str, algorithm: str, tmp_path: Path) -> None:
    model = read_model(trained(tmp_path / "m", labels, algorithm))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "m"))
    info = tagger.info()
    assert sorted(model.labels) == sorted(tagger.labels()) == sorted(set(labels))
    assert {name: str(number) for number, name in enumerate(model.labels)} == info.labels
    assert {name: str(number) for number, name in enumerate(model.attributes)} == info.attributes
    assert set(model.attributes) <= set(ATTRIBUTES)
    expected = np.zeros_like(model.state)
    for (attribute, label), weight in info.state_features.items():
        expected[model.attributes.index(attribute), model.labels.index(label)] = weight
    assert (np.abs(model.state - expected) <= PRECISION).all()
    expected = np.zeros_like(model.transition)
    for (source, destination), weight in info.transitions.items():
        expected[model.labels.index(source), model.labels.index(destination)] = weight
    assert (np.abs(model.transition - expected) <= PRECISION).all()
    assert labels == "O" or (model.state.any() and model.transition.any())


def test_weights_are_the_doubles_of_the_file_not_their_print(data: bytes) -> None:
    weights = read_model(data).state
    assert (np.abs(weights - weights.round(6)) > 1e-9).any()


def test_every_shorter_file_is_refused(data: bytes) -> None:
    for size in range(len(data)):
        with pytest.raises(NotAModel):
            read_model(data[:size])


def test_bytes_behind_the_end_do_no_harm(data: bytes) -> None:
    assert (read_model(data + b"more").state == read_model(data).state).all()


def value_or_refusal(data: bytes) -> CrfModel | None:
    """The model, which must then be one that can be used."""
    try:
        model = read_model(data)
    except NotAModel:
        return None
    assert model.state.shape == (len(model.attributes), len(model.labels))
    assert model.transition.shape == (len(model.labels), len(model.labels))
    assert np.isfinite(model.state).all()
    assert np.isfinite(model.transition).all()
    return model


def test_a_changed_byte_anywhere_gives_a_model_or_the_named_error(data: bytes) -> None:
    random = Random(0)
    outcomes = []
    for place in range(len(data)):
        for changed in {0, 255, random.randrange(256), data[place] ^ 1 << random.randrange(8)} - {
            data[place]
        }:
            outcomes.append(value_or_refusal(data[:place] + bytes([changed]) + data[place + 1 :]) is None)
    assert any(outcomes)
    assert not all(outcomes)


@given(
    changes=st.lists(
        st.tuples(st.integers(0, 1 << 16), st.binary(min_size=1, max_size=8)), min_size=2, max_size=12
    )
)
def test_several_changes_give_a_model_or_the_named_error(
    data: bytes, changes: list[tuple[int, bytes]]
) -> None:
    damaged = bytearray(data)
    for at, new in changes:
        place = at % len(damaged)
        damaged[place : place + len(new)] = new
    value_or_refusal(bytes(damaged))


@given(changes=st.dictionaries(st.integers(0, 11), st.integers(0, 0xFFFFFFFF), max_size=6))
def test_a_header_of_nonsense_gives_a_model_or_the_named_error(data: bytes, changes: dict[int, int]) -> None:
    damaged = bytearray(data)
    for word, value in changes.items():
        struct.pack_into("<I", damaged, 4 * word, value)
    value_or_refusal(bytes(damaged))


@pytest.mark.parametrize(
    "foreign",
    [b"", b"lCRF", b"\x80\x04\x95pickle", b"PK\x03\x04" + bytes(100), b"{}", bytes(5000), b"\xff" * 5000],
)
def test_foreign_bytes_are_refused(foreign: bytes) -> None:
    with pytest.raises(NotAModel):
        read_model(foreign)


@given(st.binary(max_size=200))
def test_any_bytes_behind_the_right_magic_are_refused(rest: bytes) -> None:
    with pytest.raises(NotAModel):
        read_model(b"lCRF" + rest)


def test_a_weight_that_is_no_number_is_refused(data: bytes) -> None:
    (features_at,) = struct.unpack_from("<I", data, 28)
    assert data[features_at : features_at + 4] == b"FEAT"
    for weight in (float("nan"), float("inf")):
        damaged = bytearray(data)
        struct.pack_into("<d", damaged, features_at + 12 + 12, weight)
        with pytest.raises(NotAModel):
            read_model(bytes(damaged))
