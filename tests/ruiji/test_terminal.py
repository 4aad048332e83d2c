"""Nothing of a page reaches a terminal as a command to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.__main__ import main
from ruiji.progress import Reporter
from ruiji.terminal import printable, printable_text

SEQUENCES = {
    "colour": "\x1b[31mred\x1b[0m",
    "title of the window": "\x1b]0;owned\x07",
    "clipboard": "\x1b]52;c;bXk=\x1b\\",
    "eight-bit control sequence": "\x9b2J",
    "back over what was written": "safe\rEVIL",
    "rubbed out": "safe\b\b\b\bevil",
    "right to left": "http://safe.example/\u202egpj.exe",
    "a line of its own": "title\nruiji: all is well",
}


@pytest.mark.parametrize("sequence", SEQUENCES.values(), ids=SEQUENCES)
def test_a_sequence_is_shown_and_not_obeyed(sequence: str) -> None:
    shown = printable(sequence)
    assert shown != sequence
    assert shown.isprintable()


@given(st.text())
def test_any_text_is_printable_and_plain_text_stays_as_it_is(text: str) -> None:
    obeyed = {"Cc", "Zl", "Zp"}
    assert not [character for character in printable(text) if unicodedata.category(character) in obeyed]
    assert set(printable_text(text)) & {"\n", "\t"} == set(text) & {"\n", "\t"}
    assert printable(printable(text)) == printable(text)
    if text.isprintable():
        assert printable(text) == text


def test_japanese_text_and_its_lines_stay() -> None:
    text = "港町の朝は早い。\n\t船が出る。"
    assert printable_text(text) == text
    assert printable(text) == "港町の朝は早い。\\n\\t船が出る。"


EVIL = "\x1b]0;owned\x07\x9b2J\x1b[31m"
TEXT = "港町の朝は早い。まだ暗いうちから漁師たちが船を出し、市場には魚を運ぶ人の声がひびいている。"


def write_pages(path: Path) -> None:
    pages = [
        {
            "url": f"http://{host}.example/{EVIL}",
            "html": f"<title>{EVIL}</title><p>{TEXT}{EVIL}</p><p>{TEXT[::-1]}</p>",
        }
        for host in "ab"
    ]
    failing = {"url": f"http://c.example/{EVIL}", "html": ""}
    lines = [json.dumps(page) + "\n" for page in (*pages, failing)]
    path.write_text("".join(lines), encoding="utf-8")


def assert_shown(text: str) -> None:
    assert "owned" in text
    assert not [
        character for character in text if unicodedata.category(character) == "Cc" and character != "\n"
    ]


def test_what_detect_prints_is_harmless_also_in_a_pipe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_pages(tmp_path / "pages.jsonl")
    command = ["detect", str(tmp_path / "pages.jsonl"), "-o", str(tmp_path / "out"), "--filter", "none"]
    assert main([*command, "--jobs", "1"]) == 1
    captured = capsys.readouterr()
    assert_shown(captured.out)
    assert_shown(captured.err)
    assert f"http://a.example/{printable(EVIL)}" in captured.out
    assert main(["detect", f"{tmp_path}/{EVIL}", "-o", str(tmp_path / "other")]) == 2
    assert_shown(capsys.readouterr().err)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal of Unix")
@pytest.mark.parametrize("format_name", ["text", "jsonl", "html"])
def test_results_are_data_in_a_pipe_and_harmless_on_a_terminal(tmp_path: Path, format_name: str) -> None:
    write_pages(tmp_path / "pages.jsonl")
    command = [sys.executable, "-m", "ruiji", "extract", str(tmp_path / "pages.jsonl"), "--filter", "none"]
    command += ["--format", format_name, "--jobs", "1", "-q"]
    piped = subprocess.run(command, capture_output=True, check=False)
    assert piped.returncode == 1
    assert "\x9b2J" in piped.stdout.decode()
    ours, theirs = os.openpty()
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL) as process:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # how the end of a terminal looks on Linux
            while piece := os.read(ours, 65536):
                shown += piece
        assert process.wait(60) == 1
    os.close(ours)
    assert_shown(shown.decode().replace("\r\n", "\n"))


def test_messages_about_pages_are_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    reporter = Reporter(0)
    reporter.page_failed("http://a.example/\x1b]0;owned\x07", "no\r\x1b[2Jtext")
    reporter.say("read \x9b2J")
    shown = capsys.readouterr().err
    assert shown == "http://a.example/\\x1b]0;owned\\x07: no\\r\\x1b[2Jtext\nread \\x9b2J\n"


def test_options_that_are_unknown_are_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["extract", "page.html", "--\x1b[2J"])
    assert "\\x1b[2J" in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["undefined", "idna"])
def test_messages_reach_who_has_an_encoding_that_takes_none(encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ruiji", "extract", "nowhere"],
        capture_output=True, env={**os.environ, "PYTHONIOENCODING": encoding}, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert b"there is no such file or folder" in done.stderr


def test_a_name_with_a_line_break_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", str(tmp_path / "a\nb.html")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "a\\nb.html" in said
