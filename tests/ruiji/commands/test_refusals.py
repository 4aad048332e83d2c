"""What train, crossval, evaluate, agree and extract refuse, in one sentence and with status 2; and their
help.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from ruiji.__main__ import main
from tests.ruiji.commands.annotated import BEGIN, END, SITES, read, write

pytestmark = pytest.mark.usefixtures("in_this_process")


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
        (
            "evaluate pages --table 1 --errors e.html",
            "--table is an experiment with the plain rule: --e",
        ),
        ("evaluate pages --table 1 --tables t", "--tables goes without it"),
        ("evaluate pages --table 1 --filter blocks", "--filter goes without it"),
        (
            "evaluate pages --figure-8 f.svg --model nakamura",
            "--figure-8 is an experiment with the plain rule",
        ),
        ("evaluate pages --figure-8 f.svg --threshold 0.9", "--threshold goes without it"),
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
