"""What is put into shared memory comes out of it in the other process, in any order of sizes."""

from __future__ import annotations

import pytest

from ruiji.corpora.page import Page
from ruiji.corpora.pool import handover
from ruiji.corpora.pool.handover import PLACES, Handover
from ruiji.corpora.rows import JsonLine


def test_lines_lie_in_shared_memory_and_pages_in_the_parcel() -> None:
    desk = Handover()
    batch = [JsonLine(b"a" * 5000, "f:1"), Page("p", "p", b"b" * 5000), JsonLine(b"", "f:2")]
    parcel = desk.put(batch)
    assert 5000 < len(parcel.pickled) < 10000
    assert desk.take(parcel) == batch


def test_a_place_is_used_again_only_after_all_others() -> None:
    desk = Handover()
    batches = [[JsonLine(bytes([number]) * 100, str(number))] for number in range(5)]
    waiting = [desk.put(batch) for batch in batches[:PLACES]]
    for number, batch in enumerate(batches):
        assert desk.take(waiting.pop(0)) == batch
        if number + PLACES < len(batches):
            waiting.append(desk.put(batches[number + PLACES]))


def test_what_does_not_fit_is_in_the_parcel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handover, "PLACE_BYTES", 1000)
    desk = Handover()
    batch = [JsonLine(b"a" * size, str(size)) for size in (600, 600, 2000, 400, 1)]
    for _ in range(3):
        parcel = desk.put(batch)
        assert [end - start for start, end in parcel.buffers] == [600, 400]
        assert desk.take(parcel) == batch
    desk.close()
