"""train, crossval, evaluate, agree and extract --filter crf: from annotated pages to figures and back to
pages.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from ruiji.__main__ import main
from ruiji.chunker.annotation import loading
from ruiji.chunker.annotation.examples import digest, examples_of, page_digest
from ruiji.chunker.annotation.reading import read_annotation
from ruiji.chunker.crf.folder import load_model
from ruiji.chunker.labels import regions_of
from ruiji.chunker.metrics import NAMES
from ruiji.commands import extract
from ruiji.corpora import MINIWEB, read_pages, workers
from ruiji.corpora.files import partial_path
from ruiji.features import text_nodes
from ruiji.features.nodes.nakamura import ABLATION

SITES = ("tabi-no-kakera.com", "otoku-joho-navi777.com", "www.cs.miozaki-u.ac.jp")
LIGHT = ["--c1", "0.5", "--c2", "0.5"]  # for a handful of pages
QUICK = [*LIGHT, "--iterations", "8", "--jobs", "1"]
BEGIN, END = "<!-- (((BEGIN NOT CONTENT -->", "<!-- )))END NOT CONTENT -->"


@pytest.fixture(scope="module", autouse=True)
def _in_this_process() -> Iterator[None]:
    """Workers take seconds to start: one job works here, only several are processes of their own."""
    real = workers.map_pages

    def mapped(*given: Any, jobs: int, **options: Any) -> Iterator[Any]:
        return real(*given, jobs=jobs if jobs > 1 else 0, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extract, "map_pages", mapped)
        patch.setattr(loading, "map_pages", mapped)
        yield


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("annotated")
    for site in SITES:
        shutil.copytree(MINIWEB / site, folder / site)
    return folder


@pytest.fixture(scope="module")
def model(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    destination = tmp_path_factory.mktemp("trained") / "model"
    assert main(["train", str(pages), "-o", str(destination), "-q", *QUICK]) == 0
    return destination


def write(folder: Path, **html: str) -> Path:
    """A folder of pages, by name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in html.items():
        (folder / f"{name}.html").write_text(content, encoding="utf-8")
    return folder


def read(path: Path) -> dict[str, Any]:
    """A JSON file that other programs can read too: NaN is no JSON."""

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)
    return found


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


# train


def test_train_writes_a_model_that_can_be_used(model: Path, pages: Path) -> None:
    assert sorted(path.name for path in model.iterdir()) == ["card.json", "model.crfsuite"]
    card = read(model / "card.json")
    examples = [example for page in read_pages([pages]) for example in examples_of([page])]
    assert card["data"] == {
        "pages": 10, "sites": 3, "text_nodes": sum(len(example.labels) for example in examples), "sha256": digest(examples),
        "labelled_by": "annotations", "japanese_pages": 10,
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
        "features": "nakamura", "without": [], "keywords": "fixed", "c1": 0.0, "c2": 0.75, "max_iterations": 8,
        "per_site": 15, "max_pages": 800,
        "decoding": "viterbi", "beta": 2.0, "sharpness": 0.35, "tree_rounds": 200, "epochs": 10,
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
    html = "<ul><li><a href=/>Home</a><li><a href=/a>About us</a></ul><p>This is a long sentence that people read.</p><p>Imprint</p>"
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


# crossval


@pytest.fixture(scope="module")
def ablation(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    """The results of one large run, and what it printed."""
    destination = tmp_path_factory.mktemp("results") / "new" / "results.json"
    with pytest.MonkeyPatch.context() as patch:
        printed: list[str] = []
        patch.setattr("builtins.print", lambda *values, **_: printed.append(" ".join(map(str, values))))
        arguments = [
            "crossval",
            str(pages),
            "--ablate",
            "--compare",
            "svm,baseline",
            "--folds",
            "2",
            "-o",
            str(destination),
            "-q",
        ]
        assert main([*arguments, *LIGHT, "--iterations", "3", "--jobs", "1"]) == 0
    return read(destination), "\n".join(printed)


def test_crossval_writes_the_keys_that_the_interface_promises(
    ablation: tuple[dict[str, Any], str], pages: Path
) -> None:
    result, _ = ablation
    assert set(result) == {
        "metrics", "folds", "by_site", "pages", "settings", "ablation", "compared", "contenders", "differences",
    }  # fmt: skip
    assert set(result["differences"]) == set(result["contenders"])
    assert len(result["pages"]) == len(result["contenders"]["crf full"]["pages"]) == 10
    assert list(result["metrics"]) == list(NAMES)
    assert len(result["folds"]) == 2
    assert all(set(fold) <= set(NAMES) for fold in result["folds"])
    assert set(result["by_site"]) == {site.removeprefix("www.") for site in SITES}
    assert (
        result["settings"] | {"features": "nakamura", "folds": 2, "pages": 10, "sources": [str(pages)]}
        == result["settings"]
    )
    assert len(result["settings"]["data_sha256"]) == 64
    assert set(result["ablation"]) == set(ABLATION)
    assert all(set(metrics) <= set(NAMES) and "B_F" in metrics for metrics in result["ablation"].values())
    assert set(result["compared"]) == {"crf full", "svm nakamura", "all content", "fixed keywords"}


def test_crossval_prints_the_paper_s_tables_with_ours_beside_them(
    ablation: tuple[dict[str, Any], str],
) -> None:
    result, printed = ablation
    for heading in (
        "Table 4.2",
        "Table 4.4",
        "Table 4.6",
        "10 pages of 3 sites",
        "2 folds, no site on both sides",
    ):
        assert heading in printed
    assert "0.532" in printed  # B_F of table 4.2
    rows = {line.split("|")[1].strip(): line for line in printed.splitlines() if line.startswith("|")}
    assert f"{result['metrics']['B_F']:.3f}" in rows["crf nakamura"]
    for case in ABLATION:
        assert f"{case}: paper" in rows
        assert f"{result['ablation'][case]['B_F']:.3f}" in rows[f"{case}: ours"]


def test_crossval_says_the_same_for_any_number_of_jobs(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = []
    for jobs in ("1", "2"):
        arguments = [
            "crossval",
            str(pages),
            "--features",
            "nakamura",
            *LIGHT,
            "--iterations",
            "5",
            "-o",
            str(tmp_path / f"{jobs}.json"),
        ]
        assert main([*arguments, "--jobs", jobs]) == 0
        printed.append(capsys.readouterr().out)
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "2.json").read_bytes()
    assert printed[0] == printed[1]
    result = read(tmp_path / "1.json")
    assert result["compared"] == result["contenders"] == result["differences"] == {}
    assert len(result["folds"]) == result["settings"]["folds"] == 3  # as many as there are sites


def test_sites_that_belong_together_stay_together(pages: Path, tmp_path: Path) -> None:
    arguments = [
        "crossval",
        str(pages),
        "--together",
        "tabi-*,otoku-*",
        "-q",
        "-o",
        str(tmp_path / "r.json"),
        "--features",
        "nakamura",
    ]
    assert main([*arguments, *QUICK]) == 0
    result = read(tmp_path / "r.json")
    assert len(result["folds"]) == 2
    assert result["settings"]["together"] == ["tabi-*,otoku-*"]
    assert len(result["by_site"]) == 3


# evaluate


def test_evaluate_scores_a_model_by_site_and_in_all(
    model: Path, pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    destination = tmp_path / "r.json"
    assert (
        main(
            [
                "evaluate",
                str(pages),
                "--filter",
                "crf",
                "--model",
                str(model),
                "-o",
                str(destination),
                "--jobs",
                "1",
            ]
        )
        == 0
    )
    result, printed = read(destination), capsys.readouterr().out
    assert set(result) == {"metrics", "folds", "by_site", "pages", "settings"}
    assert list(result["metrics"]) == list(NAMES)
    assert result["metrics"]["B_F"] > 0.9
    assert set(result["by_site"]) == {site.removeprefix("www.") for site in SITES}
    assert result["settings"]["filter"] == "crf"
    assert result["settings"]["model"] == str(model)
    for name in ("all", *result["by_site"]):
        assert re.search(rf"^\| {re.escape(name)} +\|", printed, re.MULTILINE)


def test_evaluate_without_a_filter_is_the_baseline(pages: Path, tmp_path: Path) -> None:
    assert (
        main(
            ["evaluate", str(pages), "--filter", "none", "-q", "-o", str(tmp_path / "r.json"), "--jobs", "1"]
        )
        == 0
    )
    metrics = read(tmp_path / "r.json")["metrics"]
    assert metrics["L_nc"] == metrics["L_bl"]
    assert metrics["B_r"] == 0
    assert "B_p" not in metrics  # nothing was called non-content: it does not apply


# agree


def test_annotators_who_agree_agree_wholly(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["agree", str(pages), str(pages), "-o", str(tmp_path / "r.json"), "--jobs", "1"]) == 0
    result = read(tmp_path / "r.json")
    assert result["agreement"] == {"by region": 1.0, "by text node": 1.0}
    assert result["pages"] == 10
    printed = capsys.readouterr().out
    assert "Nakamura 2007" in printed
    assert "0.581" in printed


def test_agreement_is_that_of_the_pages_in_common(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = f"{BEGIN}<p>a</p><p>b</p>{END}<p>c</p><p>d</p>"
    first = write(tmp_path / "first", page=both, only=both)
    second = write(tmp_path / "second", page=f"{BEGIN}<p>a</p>{END}<p>b</p><p>c</p>{BEGIN}<p>d</p>{END}")
    assert main(["agree", str(first), str(second), "-o", str(tmp_path / "r.json"), "--jobs", "1"]) == 0
    assert read(tmp_path / "r.json")["agreement"] == {"by region": 0.0, "by text node": 0.5}
    assert "only.html: only in" in capsys.readouterr().err


def test_versions_of_different_pages_are_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = f"{BEGIN}<p>a</p>{END}<p>b</p>"
    first = write(tmp_path / "first", same=good, longer=good, other=good)
    second = write(tmp_path / "second", same=good, longer=good + "<p>c", other=good.replace("<p>b", "<p>x"))
    assert main(["agree", str(first), str(second), "-o", str(tmp_path / "r.json"), "--jobs", "1"]) == 1
    err = capsys.readouterr().err
    assert "longer.html: " in err
    assert "other.html: " in err
    assert read(tmp_path / "r.json")["pages"] == 1


def test_agreement_about_nothing_is_no_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    marked = f"{BEGIN}<p>a</p>{END}"
    first, second = (
        write(tmp_path / "first", a="<p>x", b=marked),
        write(tmp_path / "second", a="<p>x", c=marked),
    )
    assert main(["agree", str(first), str(second), "-o", str(tmp_path / "r.json"), "--jobs", "1"]) == 0
    assert read(tmp_path / "r.json")["agreement"] == {}
    assert "nan" not in capsys.readouterr().out


# extract --filter crf


def test_extract_with_a_model_leaves_out_what_it_calls_non_content(
    model: Path, pages: Path, tmp_path: Path
) -> None:
    arguments = ["extract", str(pages), "--filter", "crf", "--model", str(model), "--nodes", "-q"]
    for jobs in ("1", "2"):
        assert main([*arguments, "--jobs", jobs, "-o", str(tmp_path / f"{jobs}.jsonl")]) == 0
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    chunker = load_model(str(model))
    for row, page in zip(records(tmp_path / "1.jsonl"), read_pages([pages]), strict=True):
        nodes = text_nodes(page)
        (mask,) = chunker.predict_masks([nodes])
        assert row["text"] == nodes.shown_text(mask.content)
        assert [label["content"] for label in row["labels"]] == mask.content.tolist()
        assert [label["score"] for label in row["labels"]] == pytest.approx(mask.score.tolist(), abs=1e-4)
        assert 0 < row["content_nodes"] == mask.content.sum() < row["nodes"] == len(nodes)


def test_html_read_back_has_the_regions_that_were_predicted(model: Path, pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert (
        main(
            [
                "extract",
                str(pages),
                "--filter",
                "crf",
                "--model",
                str(model),
                "--format",
                "html",
                "-q",
                "-o",
                f"{out}/",
                "--jobs",
                "1",
            ]
        )
        == 0
    )
    chunker = load_model(str(model))
    found = 0
    for before, after in zip(read_pages([pages]), read_pages([out]), strict=True):
        assert after.id == before.id
        (labels,) = chunker.predict_labels([text_nodes(before)])
        regions = read_annotation(after, text_nodes(after))
        assert regions == regions_of(labels)
        found += len(regions)
        assert list(text_nodes(after).texts) == list(text_nodes(before).texts)
    assert found >= 10
    assert (
        main(
            [
                "evaluate",
                str(out),
                "--filter",
                "crf",
                "--model",
                str(model),
                "-q",
                "-o",
                str(tmp_path / "r.json"),
                "--jobs",
                "1",
            ]
        )
        == 0
    )
    assert read(tmp_path / "r.json")["metrics"]["R_F"] == 1.0


def test_a_page_that_fails_keeps_its_place_among_those_that_do_not(model: Path, tmp_path: Path) -> None:
    folder = write(tmp_path / "pages", a="<p>a", b="", c="<script>x</script>", d="<p>d")
    assert (
        main(
            [
                "extract",
                str(folder),
                "--filter",
                "crf",
                "--model",
                str(model),
                "-q",
                "-o",
                str(tmp_path / "out.jsonl"),
                "--jobs",
                "1",
            ]
        )
        == 1
    )
    rows = records(tmp_path / "out.jsonl")
    assert [row["id"] for row in rows] == ["a.html", "b.html", "c.html", "d.html"]
    assert [row["error"] for row in rows] == [None, "the page is empty (0 bytes)", None, None]
    assert [row["nodes"] for row in rows] == [1, 0, 0, 1]


def interrupted(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a command that is stopped after two pages."""
    real = workers.map_pages

    def stopped(*given: Any, **options: Any) -> Iterator[Any]:
        yield from islice(real(*given, **options), 2)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(extract, "map_pages", stopped)
        assert main(arguments) == 130


def test_an_interrupted_run_is_taken_up_with_the_same_model_only(
    model: Path,
    pages: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    used, destination, whole = tmp_path / "used", tmp_path / "out.jsonl", tmp_path / "whole.jsonl"
    shutil.copytree(model, used)
    arguments = [
        "extract",
        str(pages),
        "--filter",
        "crf",
        "--model",
        str(used),
        "--nodes",
        "--jobs",
        "1",
        "-o",
    ]

    interrupted([*arguments, str(destination)], monkeypatch)
    assert partial_path(destination).read_bytes().count(b"\n") == 2
    capsys.readouterr()
    assert main([*arguments, str(destination)]) == 0
    assert "going on after 2 pages" in capsys.readouterr().err
    assert main([*arguments, str(whole)]) == 0
    assert destination.read_bytes() == whole.read_bytes()

    interrupted([*arguments, str(destination)], monkeypatch)
    assert (
        main(["train", str(pages), "-o", str(used), "-q", *QUICK, "--c2", "3000"]) == 0
    )  # in the same place
    capsys.readouterr()
    assert main([*arguments, str(destination)]) == 0
    assert "going on" not in capsys.readouterr().err
    assert destination.read_bytes() != whole.read_bytes()
    assert main([*arguments, str(whole)]) == 0
    assert destination.read_bytes() == whole.read_bytes()


def test_a_run_with_another_model_or_none_starts_anew(
    model: Path,
    pages: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    destination = tmp_path / "out.jsonl"
    interrupted(
        [
            "extract",
            str(pages),
            "--filter",
            "crf",
            "--model",
            str(model),
            "--jobs",
            "1",
            "-o",
            str(destination),
        ],
        monkeypatch,
    )
    capsys.readouterr()
    assert main(["extract", str(pages), "--filter", "none", "--jobs", "1", "-o", str(destination)]) == 0
    assert "going on" not in capsys.readouterr().err
    assert all(row["content_nodes"] == row["nodes"] for row in records(destination))


# What cannot be done


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("train plain -o m", "plain: no annotated page; put <!-- (((BEGIN NOT CONTENT -->"),
        ("crossval plain", "no annotated page"),
        ("evaluate plain", "no annotated page"),
        ("train broken -o m -q", "no annotated page"),
        ("agree plain pages", "no annotated page"),
        ("agree pages elsewhere", "have no page in common"),
        ("crossval one-site -q", "cross-validation needs pages of two sites or more; these are of 1"),
        ("crossval pages --together * -q", "two sites or more"),
        ("crossval pages --folds 1", "must be 2 or more"),
        ("crossval pages --folds x", "must be 2 or more"),
        ("crossval pages --compare svm,forest", "no forest to compare with; there are crf, svm, baseline"),
        ("crossval pages --features most", "no feature set 'most'"),
        ("crossval pages --beta 0", "must be a number above 0"),
        ("crossval pages --beta nan", "must be a number above 0"),
        ("train pages -o m --beta inf", "must be a number above 0"),
        ("train pages -o m --beta much", "must be a number above 0"),
        ("train pages -o m --beta=-1", "must be a number above 0"),
        ("train pages -o m --c1=-1", "must be a number, 0 or more"),
        ("train pages -o m --c2 nan", "must be a number, 0 or more"),
        ("train pages -o m --iterations 0", "must be 1 or more"),
        ("train pages", "required: -o"),
        ("train nowhere -o m", "there is no such file or folder"),
        ("train pages -o file -q", "file: there is a file of that name; a model is a folder"),
        ("train pages -o file/m -q --iterations 1 --features nakamura", "file"),
        ("crossval pages -o file/x.json", "file"),
        ("crossval pages -o pages", "pages"),
        ("evaluate pages -o file/x.json", "file"),
        ("agree pages pages -o file/x.json", "file"),
        ("evaluate pages --filter crf --model nonsense", "no model 'nonsense'"),
        ("extract pages --filter crf --model nonsense", "no model 'nonsense'"),
        ("extract pages --filter crf --model ./nowhere", "no model './nowhere'"),
        ("extract pages --filter crf --model pages", "pages: not a model folder"),
        ("extract pages --filter crf --model file", "no model 'file'"),
        (
            "extract pages --filter crf --model damaged",
            "damaged: model.crfsuite is not the file that the card describes",
        ),
        ("extract pages --filter crf --model other", "other: its features are not those of this version"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_status_2(
    arguments: str,
    message: str,
    model: Path,
    pages: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(pages, "pages")
    shutil.copytree(pages / SITES[0], f"one-site/{SITES[0]}")
    write(tmp_path / "plain", a="<p>a", b="<p>b")
    write(tmp_path / "broken", a=f"<p>a</p>{BEGIN}<p>b", b="")
    write(tmp_path / "elsewhere", z=f"{BEGIN}<p>z</p>{END}")
    Path("file").write_text("x")
    for name in ("damaged", "other"):
        shutil.copytree(model, name)
    Path("damaged/model.crfsuite").write_bytes(b"x")
    card = read(Path("other/card.json"))
    Path("other/card.json").write_text(json.dumps(card | {"schema": "0"}))
    try:
        status = main([*arguments.split(), "--jobs", "1"])
    except SystemExit as stop:
        status = stop.code  # type: ignore[assignment]
    out, err = capsys.readouterr()
    assert status == 2
    assert out == ""
    assert message in err
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in err
    assert not Path("m").exists()


@pytest.mark.parametrize("command", ["extract", "train", "crossval", "evaluate", "agree"])
def test_help_teaches_by_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert re.search(rf"examples?:\n  ruiji {command} ", capsys.readouterr().out)


def test_help_names_every_option_of_the_interface(capsys: pytest.CaptureFixture[str]) -> None:
    promised = {
        "extract": ["--filter", "--model", "--format", "--nodes", "-o"],
        "train": ["-o", "--features"],
        "crossval": ["--folds", "--features", "--learner", "--split", "--ablate", "--compare", "-o"],
        "evaluate": ["--filter", "--model", "--errors", "-o"],
        "agree": ["DIR_A", "DIR_B"],
    }
    for command, options in promised.items():
        with pytest.raises(SystemExit):
            main([command, "--help"])
        shown = capsys.readouterr().out
        assert not [option for option in [*options, "--jobs", "-q", "-v"] if option not in shown]


def test_a_model_means_the_learned_filter_unless_another_is_named(
    model: Path, pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", str(pages), "--model", str(model), "--jobs", "1", "-q"]) == 0
    assert "filter crf with" in capsys.readouterr().out
    assert main(["evaluate", str(pages), "--filter", "none", "--model", str(model), "--jobs", "1", "-q"]) == 2
    assert "takes no model" in capsys.readouterr().err


def test_fixed_keywords_need_a_set_that_has_keywords(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crossval", str(pages), "--features", "full", "--keywords", "fixed", "-q"]) == 2
    assert "has no keywords" in capsys.readouterr().err
