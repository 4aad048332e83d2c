"""Files that are cut off, damaged or of another kind than their name says cost their pages, never the run."""

from __future__ import annotations

import gzip
import os
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ruiji.__main__ import main
from ruiji.corpora.miniweb import MINIWEB

ROUNDS = int(os.environ.get("RUIJI_FAULT_ROUNDS", "6"))  # of each kind
SEED = int(os.environ.get("RUIJI_FAULT_SEED", "1"))
SITE = str(MINIWEB / "fjordnotes.org")
KINDS = ("jsonl", "jsonl.gz", "parquet", "xml", "xml.gz", "html", "html.gz", "warc", "warc.gz", "txt")
WARC = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: %d\r\n\r\n%s"
    b"\r\n\r\n"
)


def whole_files(folder: Path) -> dict[str, bytes]:
    """A file of each kind, as it should be."""
    for name, form in (("a.jsonl", "jsonl"), ("a.parquet", "parquet"), ("a.xml", "standard-format")):
        assert main(["convert", SITE, "--to", form, "-o", str(folder / name), "--jobs", "1", "-q"]) == 0
    html = b"<title>t</title><p>It rained all day, and nobody went to the harbour.</p>" * 20
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html
    plain = {form: (folder / f"a.{form}").read_bytes() for form in ("jsonl", "parquet", "xml")}
    plain |= {"html": html, "txt": b"It rained.", "warc": WARC % (len(answer), answer) * 5}
    packed = {f"{form}.gz": gzip.compress(plain[form]) for form in ("jsonl", "xml", "html", "warc")}
    return plain | packed


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return whole_files(tmp_path_factory.mktemp("files"))


def damaged(body: bytes, other: bytes, random_: random.Random, number: int) -> bytes:
    """The bytes cut, flipped or spliced; those of another kind."""
    at = random_.randrange(max(1, len(body)))
    match number % 4:
        case 0:
            return body[:at]
        case 1:
            return other
        case 2:
            return body[:at] + bytes(random_.randbytes(50)) + body[at + 50 :]
    return body[:at] + other[:200] + body[at:]


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_cost_their_pages(
    tmp_path: Path, files: dict[str, bytes], kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    random_ = random.Random(f"{SEED} {kind}")
    for number in range(ROUNDS):
        path = tmp_path / f"{number}.{kind}"
        path.write_bytes(damaged(files[kind], files[random_.choice(KINDS)], random_, number))
        out = tmp_path / f"{number}.out.jsonl"
        status = main(["convert", str(path), "--to", "jsonl", "-o", str(out), "--jobs", "1"])
        said = capsys.readouterr().err
        assert status in (0, 1, 2)
        assert "a mistake in ruiji" not in said, said
        assert out.is_file() == (status != 2)


def test_a_column_that_is_no_text_costs_its_rows(tmp_path: Path) -> None:
    buffers = [None, pa.array([0, 2, 9], pa.int32()).buffers()[1], pa.py_buffer(b"\xff\xfe<p>text")]
    wrong = pa.Array.from_buffers(pa.string(), 2, buffers)
    table = pa.table({"url": ["http://a.example/1", "http://a.example/2"], "html": wrong})
    pq.write_table(table, tmp_path / "a.parquet")
    out = tmp_path / "out.jsonl"
    assert main(["convert", str(tmp_path / "a.parquet"), "--to", "jsonl", "-o", str(out), "-q"]) == 1
    assert "is not UTF-8" in out.read_text()
    assert "<p>text" in out.read_text()
