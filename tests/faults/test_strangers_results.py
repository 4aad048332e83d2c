"""Results of a run that somebody has damaged or changed are refused in one sentence by whoever reads them."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ruiji.__main__ import main
from ruiji.corpora.miniweb import MINIWEB

ROUNDS = int(os.environ.get("RUIJI_FAULT_ROUNDS", "8"))  # of each kind
SEED = int(os.environ.get("RUIJI_FAULT_SEED", "1"))
SITES = tuple(str(MINIWEB / site) for site in ("www.miozaki-u.ac.jp", "jinji.miozaki-u.ac.jp"))
QUICK = ("--filter", "none", "--jobs", "1", "-q")
# What reads a folder of results: {in} is the damaged one, {good} the same undamaged, {out} a new name.
READERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "detect": (
        ("report", "{in}", "-o", "{out}.html", "-q"),
        ("convert", "{in}", "--to", "csv", "-o", "{out}.csv", "-q"),
        ("detect", SITES[0], *QUICK, "--against", "{in}", "-o", "{out}"),
        ("extract", SITES[0], "--filter", "unique", "--groups", "{in}", "--jobs", "1", "-o", "{out}.jsonl"),
    ),
    "records": (
        ("report", "{in}", "-o", "{out}.html", "-q"),
        ("records", "changes", "{good}", "{in}"),
        ("records", "changes", "{in}", "{good}", "--format", "atom"),
        ("records", SITES[0], *QUICK, "--since", "{in}", "-o", "{out}"),
    ),
    "clean": (("report", "{in}", "-o", "{out}.html", "-q"),),
    "shard": (("clean", "merge", "{in}", "-o", "{out}", "-q", "--jobs", "1"),),
}
ODD_VALUES: tuple[Any, ...] = (
    None, 0, -1, 1e308, 10**30, "", "\x1b[2J", "\ud800", [], {}, [1], {"a": 1}, True, "9" * 5000, 2**63
)  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    for command in ("detect", "records", "clean"):
        assert main([command, *SITES, *QUICK, "-o", str(folder / command)]) == 0
    assert main(["clean", *SITES, *QUICK, "-o", str(folder / "shard"), "--shard", "1/1"]) == 0
    return folder


def with_odd_value(value: Any, random_: random.Random) -> Any:
    """The value with something else somewhere in it, or without a part."""
    if not value or random_.random() < 0.2 or not isinstance(value, (dict, list)):
        return random_.choice(ODD_VALUES)
    place = random_.choice(list(value)) if isinstance(value, dict) else random_.randrange(len(value))
    changed = value.copy()
    if random_.random() < 0.2:
        del changed[place]
    else:
        changed[place] = with_odd_value(value[place], random_)
    return changed


def change_table(path: Path, random_: random.Random) -> None:
    """Takes a column away, or gives it other values or another type."""
    table = pq.read_table(path)
    name = random_.choice(table.column_names)
    place, kind = table.column_names.index(name), table.schema.field(name).type
    others = [
        pa.nulls(len(table), kind),
        pa.array([2**62] * len(table)),
        pa.array(["<script>\x1b"] * len(table)),
    ]
    number = random_.randrange(len(others) + 1)
    whole = number == len(others)
    pq.write_table(
        table.drop_columns([name]) if whole else table.set_column(place, name, others[number]), path
    )


def damage(folder: Path, random_: random.Random) -> None:
    """Changes one file of a folder: its values, or its bytes."""
    path = random_.choice(sorted(path for path in folder.rglob("*") if path.is_file()))
    body = path.read_bytes()
    if random_.random() < 0.6 and body:
        if path.suffix == ".parquet":
            return change_table(path, random_)
        if path.suffix == ".json":
            return _write(path, with_odd_value(json.loads(body), random_))
        if path.suffix == ".jsonl":
            return _write(path, *(with_odd_value(json.loads(line), random_) for line in body.splitlines()))
    at = random_.randrange(len(body) + 1)
    junk = random_.choice([b"", random_.randbytes(40), b"[" * 200_000])
    path.write_bytes(body[:at] + junk + body[at + random_.choice([0, 40, len(body)]) :])
    return None


def _write(path: Path, *values: Any) -> None:
    path.write_text("".join(json.dumps(value) + "\n" for value in values))


@pytest.mark.parametrize("kind", READERS)
def test_damaged_results_are_refused_or_read(
    results: Path, tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    random_ = random.Random(f"{SEED} {kind}")
    for number in range(ROUNDS):
        damaged, out = tmp_path / f"{number}", tmp_path / f"{number}.out"
        shutil.copytree(results / kind, damaged)
        damage(damaged, random_)
        values = {"{in}": str(damaged), "{good}": str(results / kind), "{out}": str(out)}
        arguments = list(random_.choice(READERS[kind]))
        for name, value in values.items():
            arguments = [argument.replace(name, value) for argument in arguments]
        status = main(arguments)
        said = capsys.readouterr().err
        assert status in (0, 1, 2)
        assert "a mistake in ruiji" not in said, (number, arguments, said)


@pytest.mark.parametrize(
    ("kind", "file", "reader"),
    [("detect", "run.json", 0), ("records", "conflicts.jsonl", 0), ("records", "conflicts.jsonl", 3),
     ("clean", "run.json", 0), ("shard", "shard-00001-of-00001/shard.json", 0)],
)  # fmt: skip
def test_what_is_no_json_of_ours_is_named(
    results: Path, tmp_path: Path, kind: str, file: str, reader: int, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [argument.replace("{out}", str(tmp_path / "out")) for argument in READERS[kind][reader]]
    for number, body in enumerate((b"\xff", b"[" * 100_000, b"{}", b"[1]", b"7")):
        damaged = tmp_path / f"{number}"
        shutil.copytree(results / kind, damaged)
        (damaged / file).write_bytes(body)
        assert main([argument.replace("{in}", str(damaged)) for argument in arguments]) == 2
        said = capsys.readouterr().err
        assert str(damaged) in said
        assert "a mistake in ruiji" not in said


def without_values(run: Path, folder: Path, file: str, column: str) -> Path:
    """A copy of the run in which a column of one file is empty."""
    damaged = folder / "damaged"
    shutil.copytree(run, damaged)
    table = pq.read_table(damaged / file)
    empty = pa.nulls(len(table), table.schema.field(column).type)
    pq.write_table(table.set_column(table.column_names.index(column), column, empty), damaged / file)
    return damaged


@pytest.mark.parametrize("column", ["text_end", "key", "content", "text"])
def test_a_sentence_without_a_value_is_no_sentence_of_ours(
    results: Path, tmp_path: Path, column: str, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = without_values(results / "detect", tmp_path, "sentences.parquet", column)
    arguments = ["detect", SITES[0], *QUICK, "--against", str(damaged), "-o", str(tmp_path / "out")]
    assert main(arguments) == 2
    assert f"the column {column}" in capsys.readouterr().err


@pytest.mark.parametrize("column", ["url_a", "url_b", "relation", "category", "overlap"])
def test_a_pair_without_a_value_is_no_pair_of_ours(
    results: Path, tmp_path: Path, column: str, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = without_values(results / "detect", tmp_path, "pairs.parquet", column)
    assert main(["report", str(damaged), "-o", str(tmp_path / "out.html"), "-q"]) in (0, 2)
    assert "a mistake in ruiji" not in capsys.readouterr().err
