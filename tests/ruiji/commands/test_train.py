"""``ruiji train``: models that can be used, the same bytes twice, pages that cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruiji.__main__ import main
from ruiji.chunker.annotation.examples import digest, examples_of, page_digest
from ruiji.chunker.crf.folder import load_model
from ruiji.corpora import read_pages
from tests.ruiji.commands.annotated import BEGIN, QUICK, read, write

pytestmark = pytest.mark.usefixtures("in_this_process")


def test_train_writes_a_model_that_can_be_used(model: Path, pages: Path) -> None:
    assert sorted(path.name for path in model.iterdir()) == ["card.json", "model.crfsuite"]
    card = read(model / "card.json")
    examples = [example for page in read_pages([pages]) for example in examples_of([page])]
    assert card["data"] == {
        "pages": 10, "sites": 3, "text_nodes": sum(len(example.labels) for example in examples),
        "sha256": digest(examples),
        "labelled_by": "annotations", "languages": {"ja": 10},
        "page_digests": " ".join(sorted(page_digest(example) for example in examples)),
    }  # fmt: skip
    assert card["settings"]["features"] == "full"
    assert card["settings"]["max_iterations"] == 8
    assert (
        load_model(str(model)).score(
            [one.nodes for one in examples if one.nodes], [one.labels for one in examples]
        )
        > 0.9
    )


def test_training_twice_gives_the_same_bytes(model: Path, pages: Path, tmp_path: Path) -> None:
    assert main(["train", str(pages), "-o", str(tmp_path / "m"), "-q", *QUICK]) == 0
    for name in ("card.json", "model.crfsuite"):
        assert (tmp_path / "m" / name).read_bytes() == (model / name).read_bytes()


def test_options_of_learning_reach_the_model(pages: Path, tmp_path: Path) -> None:
    options = [
        "--features",
        "nakamura",
        "--keywords",
        "fixed",
        "--decoding",
        "viterbi",
        "--beta",
        "2",
        "--c1",
        "0",
        "--c2",
        "0.75",
    ]
    assert main(["train", str(pages), "-o", str(tmp_path / "m"), "-q", *QUICK, *options]) == 0
    assert read(tmp_path / "m" / "card.json")["settings"] == {
        "features": "nakamura", "without": [], "keywords": "fixed", "c1": 0.0, "c2": 0.75,
        "max_iterations": 8,
        "per_site": 15, "max_pages": 800,
        "decoding": "viterbi", "beta": 2.0, "sharpness": 0.35, "tree_rounds": 100, "epochs": 10,
        "convention": "auto",
    }  # fmt: skip


def test_a_page_that_cannot_be_used_is_named_and_the_rest_is_learned(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = write(tmp_path / "bad", unbalanced=f"<p>a</p>{BEGIN}<p>b</p>", empty="")
    assert main(["train", str(pages), str(bad), "-o", str(tmp_path / "m"), *QUICK]) == 1
    err = capsys.readouterr().err
    assert "unbalanced.html: " in err
    assert "empty.html: the page is empty" in err
    assert "learning from 10 pages of 3 sites" in err
    assert read(tmp_path / "m" / "card.json")["data"]["pages"] == 10


def test_pages_without_annotation_are_counted_aloud(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = write(tmp_path / "plain", a="<p>a</p>")
    assert main(["train", str(pages), str(plain), "-o", str(tmp_path / "m"), *QUICK]) == 0
    assert "1 of 11 pages have no annotation and count as content throughout" in capsys.readouterr().err


def test_main_content_in_jsonl_is_annotation_too(tmp_path: Path) -> None:
    source = tmp_path / "pages.jsonl"
    html = (
        "<ul><li><a href=/>Home</a><li><a href=/a>About us</a></ul><p>This is a long sentence that "
        "people read.</p><p>Imprint</p>"
    )
    rows = [
        {
            "url": f"http://{site}.example/",
            "html": html,
            "main_content": "This is a long sentence that people read.",
        }
        for site in "abc"
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    results = tmp_path / "r.json"
    learning = ["--features", "nakamura", "--c1", "0", "--c2", "0.01", "--iterations", "40", "--jobs", "1"]
    assert main(["crossval", str(source), "-q", "-o", str(results), *learning]) == 0
    assert read(results)["metrics"]["word_F1"] == 1.0
    source.write_text(
        json.dumps(rows[0] | {"main_content": None})
        + "\n"
        + "".join(json.dumps(row) + "\n" for row in rows[1:])
    )
    assert main(["evaluate", str(source), "-q", "-o", str(results), "--jobs", "1"]) == 1
    assert read(results)["settings"]["pages"] == 2
