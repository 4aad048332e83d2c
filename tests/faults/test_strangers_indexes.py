"""An index of a stranger is asked or refused with a sentence; what was added once stays added once."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

from ruiji.__main__ import main
from ruiji.corpora.c_modules import compiled
from ruiji.detector.copies import writing as writing_module
from ruiji.detector.copies.contents import LIST, checksum_of, read_contents
from ruiji.detector.copies.index import open_index
from ruiji.detector.copies.texts import IndexRefused

ROUNDS = int(os.environ.get("RUIJI_FAULT_ROUNDS", "120"))
SEED = int(os.environ.get("RUIJI_FAULT_SEED", "1"))
TEXTS = [
    f"港の{number}番の岸壁では、毎朝とれたばかりの魚が売られている。船は{number}隻あり、漁師は夜明け前に沖へ出る。"
    for number in range(40)
]


def written_texts(path: Path, texts: list[str]) -> Path:
    rows = (
        {"url": f"http://{number}.example/{path.stem}", "text": text} for number, text in enumerate(texts)
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("index")
    pages = written_texts(folder / "pages.jsonl", TEXTS)
    assert main(["index", "build", str(pages), "-o", str(folder / "idx"), "--jobs", "1", "-q"]) == 0
    return folder / "idx"


def put_list(index: Path, change: dict[str, Any], part: dict[str, Any]) -> None:
    """Changes the list, with a right checksum: a stranger can do that too."""
    record = json.loads((index / LIST).read_text())
    del record["checksum"]
    record["parts"][0] |= part
    record |= change
    (index / LIST).write_text(json.dumps({**record, "checksum": checksum_of(record)}))


def asked_or_refused(folder: Path) -> bool:
    try:
        open_index(folder).match_all(TEXTS[:8], ["http://other.example/"] * 8)
    except IndexRefused:
        return False
    return True


def test_parts_with_other_bytes_are_asked_or_refused(index: Path, tmp_path: Path) -> None:
    random_ = random.Random(SEED)
    names = sorted(path.name for path in (index / "part-000001").iterdir() if path.stat().st_size)
    for number in range(ROUNDS):
        folder = Path(shutil.copytree(index, tmp_path / str(number)))
        path = folder / "part-000001" / names[number % len(names)]
        body = bytearray(path.read_bytes())
        for _ in range(random_.randint(1, 6)):
            at = random_.randrange(max(1, len(body) - 4))
            word = random_.choice((0, 1, 0x7FFFFFFF, 0xFFFFFFFF, random_.getrandbits(32)))
            body[at : at + 4] = struct.pack("<I", word)[: len(body) - at]
        path.write_bytes(body)
        record = json.loads((folder / LIST).read_text())
        files = record["parts"][0]["files"]
        files[path.name] = [len(body), zlib.crc32(bytes(body))]
        put_list(folder, {}, {"files": files})
        asked_or_refused(folder)
        shutil.rmtree(folder)


@pytest.mark.parametrize(
    "change",
    [
        {"folder": "../../etc"}, {"folder": 5}, {"documents": -1}, {"documents": 10**12}, {"positions": "x"},
        {"positions": 1.5}, {"files": {}}, {"files": []}, {"files": {"digest": 4}},
        {"files": {"../x": [1, 1]}},
    ],
    ids=str,
)  # fmt: skip
def test_parts_that_are_none_are_refused(index: Path, tmp_path: Path, change: dict[str, Any]) -> None:
    folder = Path(shutil.copytree(index, tmp_path / "idx"))
    put_list(folder, {}, change)
    with pytest.raises(IndexRefused):
        open_index(folder)


@pytest.mark.parametrize(
    "change", [{"parts": 3}, {"parts": [3]}, {"settings": 3}, {"inputs": []}, {"parts_made": "x"}], ids=str
)
def test_lists_that_are_none_are_refused(index: Path, tmp_path: Path, change: dict[str, Any]) -> None:
    folder = Path(shutil.copytree(index, tmp_path / "idx"))
    put_list(folder, change, {})
    with pytest.raises(IndexRefused):
        open_index(folder)


def test_a_writer_that_ends_right_after_its_list_has_added_once(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(index, tmp_path / "idx"))
    more = written_texts(tmp_path / "more.jsonl", TEXTS[:5])
    command = ["index", "add", str(folder), str(more), "--jobs", "1"]

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        write_list = writing_module.write_list

        def write_and_die(path: Path, contents: Any) -> None:
            write_list(path, contents)
            if path.name == LIST:
                killed()

        patch.setattr(writing_module, "write_list", write_and_die)
        assert main(command) == 130
    assert read_contents(folder).documents == 45
    assert main(command) == 0
    assert "in the index already" in capsys.readouterr().err
    assert read_contents(folder).documents == 45
    written_texts(more, TEXTS[:6])
    assert main(command) == 0
    assert read_contents(folder).documents == 46  # one more; known addresses are replaced


def test_an_index_that_is_cut_short_while_it_is_open_is_asked_or_refused(index: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(index, tmp_path / "idx"))
    opened = open_index(folder)
    for path in (folder / "part-000001").iterdir():
        os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(IndexRefused, match="damaged"):
        opened.match_all(TEXTS[:8], ["http://other.example/"] * 8)


CUT = """
import os, sys
from pathlib import Path
from ruiji.detector.copies import index, writing
from ruiji.detector.copies.texts import IndexRefused
index.READ_WHOLE = 0
folder, name = Path(sys.argv[1]), sys.argv[2]
opened = index.open_index(folder)
text = opened.parts[0].sources[3].text
before = opened.match(text)
assert before
os.truncate(folder / "part-000001" / name, 0)
try:
    print("as before" if opened.match(text) == before else "another answer")
except IndexRefused as error:
    print(error)
del opened
try:
    index.open_index(folder)
except IndexRefused:
    print("refused when opened")
"""


@pytest.mark.skipif(
    os.name == "nt" or compiled("ruiji.detector.copies._mapped") is None, reason="needs the guard in C"
)
@pytest.mark.parametrize("name", ["digest", "order", "table", "first", "host", "blocks", "block_first"])
def test_a_mapped_file_that_is_cut_short_is_refused_and_ends_no_process(
    index: Path, tmp_path: Path, name: str
) -> None:
    folder = Path(shutil.copytree(index, tmp_path / "idx"))
    command = [sys.executable, "-c", CUT, str(folder), name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert "cut short" in first or "damaged" in first or (name == "blocks" and first == "as before"), first
    assert second == "refused when opened"


OTHER = """
import mmap, os, sys
from ruiji.detector.copies import files
import numpy as np
path = files.Path(sys.argv[1])
ours = files.mapped_array(path, np.dtype("u1"))
with path.open("rb") as stream:
    theirs = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
os.truncate(path, 0)
assert ours[5] == 0
print("ours", flush=True)
theirs[5]
"""


@pytest.mark.skipif(
    os.name == "nt" or compiled("ruiji.detector.copies._mapped") is None, reason="needs the guard in C"
)
def test_the_signal_of_another_mapping_is_left_to_others(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"a" * 9000)
    command = [sys.executable, "-c", OTHER, str(tmp_path / "file")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("ours\n", -signal.SIGBUS)
