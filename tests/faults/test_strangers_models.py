"""A model of a stranger is used or refused with a sentence, whatever bytes it is made of, and takes no memory
by numbers that it only claims.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import random
import shutil
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ruiji.chunker.crf.folder import (
    CALIBRATED,
    CALIBRATION_FILE,
    CARD_FILE,
    MODEL_FILE,
    NETWORK_FILE,
    SHIPPED,
    TREES_FILE,
    ModelError,
    load_labeller,
    read_calibration,
)
from ruiji.chunker.crf.model_file import NotAModel, read_model
from ruiji.chunker.stack.array_file import NotArrays, read_arrays
from tests.factories import make_nodes

DEFAULT = SHIPPED / "default"
ROUNDS = int(os.environ.get("RUIJI_FAULT_ROUNDS", "24"))  # of each file; a longer run sets more
SEED = int(os.environ.get("RUIJI_FAULT_SEED", "1"))
NODES = make_nodes("<ul><li><a href=/>Home</a></ul><h1>Diary</h1><p>It rained all day, and nobody came.</p>")


def mutations(data: bytes, rounds: int, seed: int) -> list[bytes]:
    """The bytes with some flipped, cut, doubled, or a length made huge; half of them near the beginning,
    where heads are.
    """
    random_ = random.Random(seed)
    made = []
    for number in range(rounds):
        body = bytearray(data)
        reach = len(body) if number % 2 else min(len(body), 2000)
        at = random_.randrange(reach)
        match number % 4:
            case 0:
                for _ in range(random_.randint(1, 8)):
                    body[random_.randrange(reach)] ^= 1 << random_.randrange(8)
            case 1:
                del body[at:]
            case 2:
                body[at : at + 4] = struct.pack("<I", random_.choice((0, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 24)))
            case _:
                body[at:at] = body[at : at + random_.randint(1, 400)]
        made.append(bytes(body))
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DEFAULT, tmp_path / "model"))


def put(folder: Path, name: str, data: bytes) -> None:
    """Replaces a file of a model, and what the card says of it: a stranger can do that too."""
    (folder / name).write_bytes(data)
    card = json.loads((DEFAULT / CARD_FILE).read_text())
    if name == MODEL_FILE:
        card["sha256"] = hashlib.sha256(data).hexdigest()
    else:
        card["below"][name] = hashlib.sha256(data).hexdigest()
    (folder / CARD_FILE).write_text(json.dumps(card))


def used_or_refused(folder: Path) -> str:
    """What became of a model: "" where it labels a page, else the sentence."""
    try:
        (mask,) = load_labeller(folder).masks([NODES])
    except ModelError as error:
        return str(error)
    assert len(mask.content) == len(NODES.texts)
    return ""


@pytest.mark.parametrize("name", [MODEL_FILE, TREES_FILE, NETWORK_FILE])
def test_changed_files_are_used_or_refused(folder: Path, name: str) -> None:
    refused = 0
    for data in mutations((DEFAULT / name).read_bytes(), ROUNDS, SEED):
        put(folder, name, data)
        refused += bool(used_or_refused(folder))
    assert refused > ROUNDS // 4


def test_changed_cards_are_used_or_refused(folder: Path) -> None:
    for data in mutations((DEFAULT / CARD_FILE).read_bytes(), ROUNDS, SEED):
        (folder / CARD_FILE).write_bytes(data)
        used_or_refused(folder)
    card = json.loads((DEFAULT / CARD_FILE).read_text())
    for key in ("settings", "below", "sha256", "schema", "format"):
        for other in (None, [], {}, "x", 7, -1.5, [[]] * 3):
            (folder / CARD_FILE).write_text(json.dumps({**card, key: other}))
            assert used_or_refused(folder), (key, other)
    (folder / CARD_FILE).write_text("[" * 200_000)
    assert used_or_refused(folder)


def test_numbers_of_the_calibration_are_shares(folder: Path) -> None:
    path = folder / CALIBRATION_FILE
    good = {column: [0.5] * 3 for column in CALIBRATED}
    for other in ([0.5], [0.5, 0.5, float("nan")], [0.5, 2.0, 0.5], ["x"] * 3, 5, [1e400] * 3):
        path.write_text(json.dumps({**good, CALIBRATED[1]: other}))
        with pytest.raises(ModelError):
            read_calibration(folder)
    path.write_text("[" * 200_000)
    with pytest.raises(ModelError):
        read_calibration(folder)


def archive(head: bytes, body: bytes, method: int = zipfile.ZIP_STORED, copies: int = 1) -> bytes:
    """A file of one array with a head of our own."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as file:
        for _ in range(copies):
            file.writestr("mean.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + body)
    return stream.getvalue()


def lying_heads() -> list[bytes]:
    described = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n"
    heads = [
        ("<f8", "(1000000000000,)"), ("<f8", "(-1,)"), ("<f8", "(2,)"), ("|O", "(1,)"),
        ("<U99999999", "(1,)"), ("<f8", "(1, 1)"), ("|V8", "(1,)"), ("<f8", "(1,)  + 'x'"),
        ("<f8", "(" * 2000), ("<M8[s]", "(1,)"),
    ]  # fmt: skip
    return [(described % head).encode() for head in heads]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_heads_that_lie_take_no_memory() -> None:
    bomb = archive(lying_heads()[0], bytes(600 << 20), zipfile.ZIP_DEFLATED)
    files = [archive(head, bytes(8)) for head in lying_heads()]
    files += [bomb, archive(b"{}", b""), archive(b"", b""), archive(lying_heads()[2], bytes(16), copies=2)]
    tracemalloc.start()
    for data in files:
        with pytest.raises(NotArrays):
            read_arrays(data, {"mean": "f1"})
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64 << 20


def names_over_each_other(model: bytearray, attributes_at: int) -> None:
    """Makes every attribute's name the longest that there is room for."""
    *_, count, offsets_at = struct.unpack_from("<4sIIIII", model, attributes_at)
    first = struct.unpack_from("<I", model, attributes_at + offsets_at)[0]
    for number in range(count):
        struct.pack_into("<I", model, attributes_at + offsets_at + 4 * number, first)
    struct.pack_into("<I", model, attributes_at + first + 4, len(model) - attributes_at - first - 8)


def many_labels(model: bytearray, _: int) -> None:
    struct.pack_into("<I", model, 20, 300)


@pytest.mark.parametrize("change", [names_over_each_other, many_labels])
def test_counts_of_a_crf_file_take_no_memory(change: Callable[[bytearray, int], Any]) -> None:
    model = bytearray((DEFAULT / MODEL_FILE).read_bytes())
    change(model, struct.unpack_from("<I", model, 36)[0])
    with pytest.raises(NotAModel):
        read_model(bytes(model))


def test_rows_below_zero_are_refused(folder: Path) -> None:
    with np.load(DEFAULT / NETWORK_FILE) as file:
        arrays = dict(file)
    for name, other in (("kind_rows", -1), ("deviation", 0), ("mean", np.inf)):
        stream = io.BytesIO()
        np.savez(stream, **{**arrays, name: np.full_like(arrays[name], other)})
        put(folder, NETWORK_FILE, stream.getvalue())
        assert NETWORK_FILE in used_or_refused(folder), name
