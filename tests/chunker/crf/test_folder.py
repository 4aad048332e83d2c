"""Models on disk: the same model comes back, the same data gives the same bytes, and what does not fit is
refused in one sentence.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ruiji.chunker.annotation.examples import digest, page_digest
from ruiji.chunker.crf import folder as models
from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.folder import (
    CALIBRATED,
    CARD_FILE,
    MODEL_FILE,
    ModelError,
    load_labeller,
    load_model,
    model_card,
    model_digest,
    read_calibration,
    save_model,
    schema_digest,
)
from ruiji.chunker.crf.languages import languages_of
from ruiji.chunker.filters import load_filter
from ruiji.chunker.labels import labels_of_mask
from ruiji.chunker.metrics import Counts, score_labels
from ruiji.features.nodes.sets import feature_set
from tests.factories import annotated_examples, labels_in, nodes_of

EXAMPLES = annotated_examples("tabi-no-kakera.com", "www.cs.miozaki-u.ac.jp", "fjordnotes.org")
X, Y = nodes_of(EXAMPLES), labels_in(EXAMPLES)


@pytest.fixture(scope="module")
def chunker() -> CrfChunker:
    return CrfChunker(c1=0.5, c2=0.25, max_iterations=10, beta=1.5).fit(X, Y)


@pytest.fixture
def folder(chunker: CrfChunker, tmp_path: Path) -> Path:
    save_model(chunker, tmp_path / "model", EXAMPLES)
    return tmp_path / "model"


def card_of(folder: Path) -> dict[str, Any]:
    card: dict[str, Any] = json.loads((folder / CARD_FILE).read_text(encoding="utf-8"))
    return card


def refusal(name: Path | str) -> str:
    """The one sentence with which a model is refused."""
    with pytest.raises(ModelError) as caught:
        load_model(str(name))
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert not message.endswith(".")
    return message


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"features": "nakamura", "keywords": "fixed"},
        {"features": "nakamura", "without": ("link", "text_length")},
        {"decoding": "viterbi", "beta": 0.5, "without": ["word"]},
    ],
    ids=str,
)
def test_a_loaded_model_says_what_the_trained_one_said(settings: dict[str, Any], tmp_path: Path) -> None:
    trained = CrfChunker(**settings, c1=0.5, c2=0.5, max_iterations=8).fit(X, Y)
    save_model(trained, tmp_path / "a" / "b")
    loaded = load_model(str(tmp_path / "a" / "b"))
    assert loaded.predict(X) == trained.predict(X)
    assert all(
        (one == other).all()
        for one, other in zip(loaded.predict_marginals(X), trained.predict_marginals(X), strict=True)
    )
    expected = trained.get_params() | {"without": tuple(trained.without)}
    assert loaded.get_params() == expected
    assert loaded.model_ == trained.model_
    assert loaded.attributes_.names() == trained.attributes_.names()


def test_a_loaded_model_is_saved_as_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    save_model(load_model(str(folder)), tmp_path / "again", EXAMPLES)
    for name in (MODEL_FILE, CARD_FILE):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()


def test_training_and_saving_twice_gives_the_same_bytes(
    chunker: CrfChunker, folder: Path, tmp_path: Path
) -> None:
    save_model(CrfChunker(**chunker.get_params()).fit(X, Y), tmp_path / "again", EXAMPLES)
    assert sorted(path.name for path in folder.iterdir()) == sorted([CARD_FILE, MODEL_FILE])
    for name in (MODEL_FILE, CARD_FILE):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()


def test_the_card_says_what_the_model_is_and_what_it_was_made_from(chunker: CrfChunker, folder: Path) -> None:
    card = card_of(folder)
    assert card["format"] == 1
    assert card["kind"] == "crf"
    assert card["schema"] == schema_digest(chunker.feature_set())
    assert card["settings"] == chunker.get_params() | {"without": []}
    assert card["labels"] == ["O", "B", "I"]
    assert card["attributes"] == {name: len(values) for name, values in chunker.attributes_.values.items()}
    made_from = {
        "pages": len(EXAMPLES), "sites": 3, "text_nodes": sum(map(len, X)), "sha256": digest(EXAMPLES),
        "labelled_by": "annotations", "languages": languages_of(X),
        "page_digests": " ".join(sorted({page_digest(example) for example in EXAMPLES})),
    }  # fmt: skip
    assert made_from.items() <= card["data"].items()
    assert {"ruiji", "python-crfsuite", "unidic-lite"} <= set(card["versions"])
    assert card["scores"] == {}
    assert model_card(chunker, EXAMPLES, {"B_F": 0.5})["scores"] == {"B_F": 0.5}


def test_the_card_has_no_time_and_no_place(folder: Path, tmp_path: Path) -> None:
    text = (folder / CARD_FILE).read_text(encoding="utf-8")
    assert not re.search(r"\b20\d\d-\d\d|\d\d:\d\d|date|time\b", text)
    assert str(tmp_path) not in text
    assert text.endswith("}\n")


def test_the_card_of_nakamura_lists_its_keywords() -> None:
    trained = CrfChunker(features="nakamura", keywords="fixed", c1=0, max_iterations=3).fit(X, Y)
    card = model_card(trained)
    assert card["keywords"] == sorted(trained.attributes_.values["keyword"])
    assert card["data"]["pages"] == 0


def test_the_data_s_number_follows_texts_labels_ids_and_order() -> None:
    first = EXAMPLES[0]
    assert first.nodes is not None
    flipped = first.labels.copy()
    flipped[0] = (flipped[0] + 1) % 3
    other_text = replace(first.nodes, texts=["x", *list(first.nodes.texts)[1:]])
    variants = [
        EXAMPLES, EXAMPLES[::-1], EXAMPLES[1:], (replace(first, labels=flipped), *EXAMPLES[1:]),
        (replace(first, id="other"), *EXAMPLES[1:]), (replace(first, nodes=other_text), *EXAMPLES[1:]),
    ]  # fmt: skip
    assert len({digest(variant) for variant in variants}) == len(variants)
    assert digest(EXAMPLES) == digest(list(EXAMPLES))


def test_the_schema_follows_features_values_and_what_is_left_out() -> None:
    full, nakamura = feature_set("full"), feature_set("nakamura")
    numbers = {schema_digest(full), schema_digest(nakamura), schema_digest(nakamura.without(["link"]))}
    fewer = replace(
        nakamura, features=(*nakamura.features[:-1], replace(nakamura.features[-1], values=("0", "1")))
    )  # type: ignore[arg-type]
    container_shift = replace(
        nakamura, features=(*nakamura.features[:-1], replace(nakamura.features[-1], offsets=(0, 1)))
    )  # type: ignore[arg-type]
    assert len(numbers | {schema_digest(fewer), schema_digest(container_shift)}) == 5
    assert schema_digest(feature_set("full")) == schema_digest(full)


# Calibration


def test_the_shipped_model_has_a_calibration_of_shares() -> None:
    columns = read_calibration("default")
    assert set(columns) == set(CALIBRATED)
    assert {len(column) for column in columns.values()} == {len(columns["F1"])}
    assert all(0 <= value <= 1 for column in columns.values() for value in column)


def test_a_model_without_a_calibration_says_so(folder: Path) -> None:
    with pytest.raises(ModelError, match="on pages that it has not seen is not known"):
        read_calibration(folder)
    columns = {"group": ["a"], **{name: [0.5] for name in CALIBRATED}}
    save_model(load_model(folder), folder, calibration=columns)
    assert read_calibration(folder) == {name: [0.5] for name in CALIBRATED}


# Refusals


def test_a_model_of_other_features_is_refused(folder: Path) -> None:
    change(folder, schema="0" * 16)
    assert "its features are not those of this version (set full); train it anew" in refusal(folder)


def test_a_model_of_a_newer_format_is_refused_whatever_else_its_card_has(folder: Path) -> None:
    (folder / CARD_FILE).write_text('{"format": 2}')
    assert "a model of format 2, this version reads format 1; train it anew" in refusal(folder)


def test_a_model_that_is_not_there_is_refused_with_what_to_do(tmp_path: Path) -> None:
    for name in ("nonsense", str(tmp_path / "nowhere"), "../pretrained", "a/b"):
        assert refusal(name).startswith(f"no model {name!r}; ")


def test_shipped_models_are_named_and_found(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "SHIPPED", tmp_path / "none")
    assert "none is shipped yet; train one" in refusal("default")
    monkeypatch.setattr(models, "SHIPPED", tmp_path)
    monkeypatch.chdir("/")
    assert refusal("other") == "no model 'other'; shipped models: model"
    assert load_model("model").predict(X[:1]) == load_model(str(folder)).predict(X[:1])
    assert model_digest("model") == model_digest(str(folder))


@pytest.mark.parametrize("name", [CARD_FILE, MODEL_FILE])
def test_a_folder_that_misses_a_file_is_refused_by_its_name(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert refusal(folder) == f"{folder}: not a model folder, it has no {name}"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: data[:500] + b"?" + data[501:],
    ],
    ids=["shorter", "half", "empty", "changed"],
)
def test_a_damaged_model_file_is_refused(folder: Path, spoil: Callable[[bytes], bytes]) -> None:
    (folder / MODEL_FILE).write_bytes(spoil((folder / MODEL_FILE).read_bytes()))
    assert f"{MODEL_FILE} is not the file that the card describes" in refusal(folder)


def test_a_model_file_of_another_model_is_refused(folder: Path, tmp_path: Path) -> None:
    save_model(CrfChunker(c1=0.5, c2=0.5, max_iterations=3).fit(X[:2], Y[:2]), tmp_path / "other")
    shutil.copy(tmp_path / "other" / MODEL_FILE, folder / MODEL_FILE)
    assert "is not the file that the card describes" in refusal(folder)


def test_bytes_that_are_no_model_are_refused_even_when_the_card_agrees(folder: Path) -> None:
    import hashlib

    (folder / MODEL_FILE).write_bytes(b"nonsense")
    change(folder, sha256=hashlib.sha256(b"nonsense").hexdigest())
    assert "CRFsuite model" in refusal(folder)


def change(folder: Path, **fields: Any) -> None:
    """Writes other values into a card."""
    (folder / CARD_FILE).write_text(json.dumps(card_of(folder) | fields), encoding="utf-8")


@pytest.mark.parametrize(
    "card",
    [
        "",
        "{",
        "[]",
        "null",
        "3",
        '"card"',
        "{}",
        '{"format": 1}',
        "[" * 100_000,
        "\ufeff{}",
        '{"format": 1, "settings": 5}',
    ],
    ids=repr,
)
def test_what_is_no_card_is_refused(folder: Path, card: str) -> None:
    (folder / CARD_FILE).write_text(card, encoding="utf-8")
    assert str(folder) in refusal(folder)


def test_a_card_in_another_encoding_is_refused(folder: Path) -> None:
    (folder / CARD_FILE).write_bytes('{"format": "日本"}'.encode("cp932"))
    assert "the card cannot be read" in refusal(folder)


@pytest.mark.parametrize("missing", ["format", "schema", "settings", "sha256"])
def test_a_card_without_what_is_needed_is_refused(folder: Path, missing: str) -> None:
    card = card_of(folder)
    del card[missing]
    (folder / CARD_FILE).write_text(json.dumps(card))
    assert missing in refusal(folder)


@pytest.mark.parametrize(
    "settings",
    [
        None, [], "full", {}, {"without": None}, {"features": ["full"]}, {"features": "most"},
        {"features": None}, {"without": ["nothing"]},
        {"decoding": "x"}, {"beta": "1"}, {"beta": None}, {"beta": 0}, {"keywords": []}, {"colour": 1},
        {"c1": "a"}, {"max_iterations": {}},
    ],
    ids=str,
)  # fmt: skip
def test_settings_of_a_wrong_kind_are_refused(folder: Path, settings: Any) -> None:
    change(
        folder,
        settings=card_of(folder)["settings"] | settings
        if isinstance(settings, dict) and settings
        else settings,
    )
    assert str(folder) in refusal(folder)


def test_a_folder_in_place_of_a_file_is_refused(folder: Path) -> None:
    (folder / CARD_FILE).unlink()
    (folder / CARD_FILE).mkdir()
    assert "cannot be read" in refusal(folder)


# As a filter


def test_a_model_is_a_filter(folder: Path, chunker: CrfChunker) -> None:
    chosen = load_filter("crf", str(folder))
    assert chosen.named
    for mask, expected in zip(chosen.masks(X), chunker.predict_masks(X), strict=True):
        assert (mask.content == expected.content).all()
        assert np.array_equal(mask.score, expected.score)
    assert load_filter("crf", str(folder)) is chosen


def test_a_model_trained_anew_in_the_same_place_is_another_filter(folder: Path) -> None:
    before = load_filter("crf", str(folder))
    save_model(CrfChunker(c1=0.5, c2=2.0, max_iterations=3).fit(X, Y), folder, EXAMPLES)
    after = load_filter("crf", str(folder))
    assert before.digest != after.digest
    assert any(
        (one.score != other.score).any() for one, other in zip(before.masks(X), after.masks(X), strict=True)
    )


def test_the_filter_crf_takes_the_shipped_model_unless_told() -> None:
    assert load_filter("crf").digest == load_filter("crf", "default").digest == model_digest("default")
    with pytest.raises(ModelError, match="no model 'nonsense'"):
        load_filter("crf", "nonsense")


def test_saving_over_a_model_leaves_no_other_files(chunker: CrfChunker, folder: Path) -> None:
    save_model(chunker, folder)
    assert sorted(path.name for path in folder.iterdir()) == sorted([CARD_FILE, MODEL_FILE])
    assert card_of(folder)["data"]["pages"] == 0


@pytest.mark.parametrize(("name", "licence"), [("default", "CC BY 4.0"), ("nakamura", "MIT, as ruiji")])
def test_shipped_models_are_small_and_tell_what_they_are_made_of(name: str, licence: str) -> None:
    folder = models.SHIPPED / name
    assert sum(path.stat().st_size for path in folder.iterdir()) < 5_000_000
    card = card_of(folder)
    assert card["name"] == name
    assert card["limits"]
    assert licence in {own["licence"] for own in card["data_sets"]}
    assert sum(own["pages"] for own in card["data_sets"]) == card["data"]["pages"]
    masks = load_filter("crf", name).masks(X)
    kept = np.concatenate([mask.content for mask in masks])
    assert 0 < kept.sum() < len(kept)


def test_the_default_model_knows_pages_of_every_kind_on_the_mini_web() -> None:
    """The mini-web is among what it learned from: this is a check that nothing is broken, not a measure."""
    masks = load_filter("crf").masks(X)
    total = sum(
        (score_labels(labels, labels_of_mask(mask.content)) for labels, mask in zip(Y, masks, strict=True)),
        Counts(),
    )
    assert total.B_F > 0.85


def test_without_regions_the_content_is_the_same() -> None:
    labeller = load_labeller("default")
    pages = X[:6]
    for whole, content in zip(labeller.masks(pages), labeller.masks(pages, regions=False), strict=True):
        assert content.labels is None
        assert whole.labels is not None
        assert (whole.content == content.content).all()
        assert (whole.score == content.score).all()
        assert whole.expected_f1 == content.expected_f1
