"""Sentences of two sites that differ in a word: one says nothing, several say that one page is from the
other.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import ruiji
from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.sources import named_pages
from ruiji.detector.detection import DetectSettings, detect_pairs
from ruiji.detector.gather.occurrences import Usable
from ruiji.detector.pairs.run import Run
from ruiji.detector.run_sentences import RunSentences

SENTENCES = [
    "The lighthouse keeper walked down to the harbour every morning before the fishing boats came in.",
    "He counted the empty barrels beside the old warehouse and wrote the number into a leather book.",
    "When the fog was too thick to see the pier, somebody rang the bell three times from the tower.",
    "In the evening the children of the village carried fresh bread and warm milk up to his cottage.",
]
WORDS = ["fishing", "leather", "pier", "bread"]
OWN = "The museum of the county opens a new room about early railways and their signals in the spring."


def changed(sentences: list[str]) -> list[str]:
    """The sentences with another word in each."""
    return [text.replace(WORDS[SENTENCES.index(text)], "wooden") for text in sentences]


def run(folder: Path, texts: dict[str, list[str]], **settings: Any) -> Path:
    path = folder / "pages.jsonl"
    rows = [
        json.dumps({"url": url, "html": "<html>" + "".join(f"<p>{text}</p>" for text in own)})
        for url, own in texts.items()
    ]
    path.write_text("\n".join(rows), encoding="utf-8")
    made = detect_pairs(
        named_pages([str(path)]), folder / "run", DetectSettings(MaskSettings("none"), jobs=0, **settings)
    )
    return made.folder


def pairs(folder: Path) -> list[dict[str, Any]]:
    return pq.read_table(folder / "pairs.parquet").to_pylist()


A, B = "http://harbour.example/keeper", "http://valley.example/story"


def test_a_copy_with_another_word_in_every_sentence_is_found(tmp_path: Path) -> None:
    folder = run(tmp_path, {A: SENTENCES, B: [OWN, *changed(SENTENCES)]})
    (pair,) = pairs(folder)
    assert (pair["url_a"], pair["url_b"], pair["relation"]) == (A, B, "identical")
    assert (pair["shared_sentences"], pair["edited_sentences"]) == (4, 4)


def test_its_evidence_is_where_the_sentences_stand(tmp_path: Path) -> None:
    folder = run(tmp_path, {A: SENTENCES, B: [OWN, *changed(SENTENCES)]})
    text = {doc.url: doc.text for doc in ruiji.extract_many([folder.parent / "pages.jsonl"], filter="none")}
    said: dict[str, list[str]] = {"a": [], "b": []}
    for passage in pq.read_table(folder / "evidence.parquet").to_pylist():
        for side in "ab":
            part = text[passage[f"url_{side}"]][passage[f"start_{side}"] : passage[f"end_{side}"]]
            said[side] += part.split("\n")
    assert said == {"a": SENTENCES, "b": changed(SENTENCES)}


def test_whoever_shows_the_pair_knows_which_sentence_is_near_to_which(tmp_path: Path) -> None:
    folder = run(tmp_path, {A: SENTENCES, B: [OWN, *changed(SENTENCES)]})
    known = RunSentences(Run(folder))
    sentences = known.sentences_of([A, B])
    text = {row["key"]: row["text"] for rows in sentences.values() for row in rows}
    near = {text[other]: text[own] for other, own in known.near(A, B, sentences).items()}
    assert near == dict(zip(changed(SENTENCES), SENTENCES, strict=True))


@pytest.mark.parametrize(
    ("texts", "settings"),
    [
        ({A: SENTENCES, B: [OWN, *changed(SENTENCES[:2])]}, {}),  # too few
        ({A: SENTENCES, "http://harbour.example/two": [OWN, *changed(SENTENCES)]}, {}),  # one site
        ({A: SENTENCES, B: [OWN, *changed(SENTENCES)]}, {"usable": Usable(match="exact")}),
        (  # after one pattern: each is near to several
            {
                A: [f"The road from the harbour to the village of {name} is closed." for name in "ABCDE"],
                B: [f"The road from the harbour to the village of {name} is closed." for name in "FGHIJ"],
            },
            {},
        ),
    ],
)
def test_other_pages_are_no_pairs(
    tmp_path: Path, texts: dict[str, list[str]], settings: dict[str, Any]
) -> None:
    assert pairs(run(tmp_path, texts, **settings)) == []


def test_near_sentences_count_beside_equal_ones(tmp_path: Path) -> None:
    folder = run(tmp_path, {A: [*SENTENCES, OWN], B: [*changed(SENTENCES), OWN]})
    (pair,) = pairs(folder)
    assert (pair["relation"], pair["shared_sentences"], pair["edited_sentences"]) == ("identical", 5, 4)


def test_a_run_against_an_earlier_one_finds_the_same(tmp_path: Path) -> None:
    for name in ("both", "first", "second"):
        (tmp_path / name).mkdir()
    texts = {A: SENTENCES, B: [OWN, *changed(SENTENCES)]}
    both = pairs(run(tmp_path / "both", texts))
    first = run(tmp_path / "first", {A: texts[A]})
    assert pairs(run(tmp_path / "second", {B: texts[B]}, against=(str(first),))) == both
