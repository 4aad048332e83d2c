"""``ruiji agree``: two annotators of the same pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruiji.__main__ import main
from tests.ruiji.commands.annotated import BEGIN, END, read, write

pytestmark = pytest.mark.usefixtures("in_this_process")


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
