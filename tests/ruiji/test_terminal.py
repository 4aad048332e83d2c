"""Nothing of a page reaches a terminal as a command to it."""

from __future__ import annotations

import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.progress import Reporter
from ruiji.terminal import printable, printable_text, text_for

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


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_pipe_gets_the_data_and_a_terminal_what_can_be_looked_at() -> None:
    assert text_for(io.StringIO(), "a\x1b[2Jb\n") == "a\x1b[2Jb\n"
    assert text_for(_Terminal(), "a\x1b[2Jb\n") == "a\\x1b[2Jb\n"


def test_messages_about_pages_are_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    reporter = Reporter(0)
    reporter.page_failed("http://a.example/\x1b]0;owned\x07", "no\r\x1b[2Jtext")
    reporter.say("read \x9b2J")
    shown = capsys.readouterr().err
    assert shown == "http://a.example/\\x1b]0;owned\\x07: no\\r\\x1b[2Jtext\nread \\x9b2J\n"
