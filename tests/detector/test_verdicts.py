"""Verdicts: the last one counts, a broken file is named, and the shares are what they are."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import InputError
from detector.verdicts import KINDS, NONE, OTHER, RIGHT, VERDICTS, WRONG, Tally, Verdict, read_verdicts, tallied, write_verdict

some_verdicts = st.lists(
    st.builds(
        lambda kind, key, said, verdict: Verdict(kind, tuple(key), said, verdict, "archive" if verdict == OTHER else ""),
        st.sampled_from(KINDS),
        st.lists(st.text(alphabet="ab\n\"'港", max_size=3), min_size=1, max_size=2),
        st.sampled_from(["mirror", "citation"]),
        st.sampled_from(VERDICTS),
    ),
    max_size=12,
)


@given(some_verdicts)
def test_what_was_written_last_is_read(tmp_path_factory: pytest.TempPathFactory, verdicts: list[Verdict]) -> None:
    path = tmp_path_factory.mktemp("v") / "verdicts.jsonl"
    for verdict in verdicts:
        write_verdict(path, verdict)
    last = {(verdict.kind, verdict.key): verdict for verdict in verdicts}
    assert read_verdicts(path) == {key: verdict for key, verdict in last.items() if verdict.verdict != NONE}


def test_a_line_that_was_cut_off_at_the_end_is_left_out_and_any_other_is_named(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    write_verdict(path, Verdict("pair", ("a", "b"), "mirror", RIGHT))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:20])
    assert len(read_verdicts(path)) == 1
    path.write_bytes(whole[:20] + b"\n" + whole)
    with pytest.raises(InputError, match="line 1 is no verdict"):
        read_verdicts(path)
    assert read_verdicts(tmp_path / "nowhere") == {}


def test_the_share_of_right_ones() -> None:
    said = [RIGHT] * 8 + [WRONG]
    verdicts = [Verdict("pair", (str(place),), "mirror", verdict) for place, verdict in enumerate(said)]
    verdicts.append(Verdict("pair", ("x",), "mirror", OTHER, "archive"))
    (tally,) = tallied(verdicts).values()
    assert (tally.right, tally.wrong, tally.others["archive"], tally.share_right) == (8, 1, 1, 0.8)
    low, high = tally.interval()  # Wilson's interval of 8 in 10, as tables have it
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert math.isnan(Tally().share_right)
    assert Tally().interval() == (0.0, 1.0)


def test_what_is_no_verdict() -> None:
    for fields in (("pair", ("a",), "mirror", "maybe"), ("pair", ("a",), "mirror", OTHER), ("thing", ("a",), "mirror", RIGHT)):
        with pytest.raises(ValueError, match="no verdict"):
            Verdict(*fields)
