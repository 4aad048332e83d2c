"""A run that dies while it tidies up leaves nothing that the next one would take for whole."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.miniweb import MINIWEB
from ruiji.corpora.page import InputError
from ruiji.corpora.sources import named_pages
from ruiji.corpus_documents import GatherDocuments
from ruiji.detector.cleaning import CleanSettings, gather_shard, merge_shards
from ruiji.detector.gather.parts import NOTE
from ruiji.detector.records.folder import RecordsFolder
from ruiji.detector.records.pipeline import RecordSettings, compare_records
from ruiji.detector.work_folder import LOCK, PARTS, remove_work

PAGES = named_pages([MINIWEB / "fjordnotes.org"])
MASKS = MaskSettings("none")


class Killed(BaseException):
    """The end of the process, as far as what is on disk goes."""


def die(*_: Any, **__: Any) -> None:
    raise Killed


def test_what_says_that_a_run_can_be_taken_up_goes_first_and_the_lock_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / PARTS).mkdir()
    (tmp_path / PARTS / NOTE).write_text("signature")
    (tmp_path / LOCK).touch()
    monkeypatch.setattr(shutil, "rmtree", die)
    with pytest.raises(Killed):
        remove_work(tmp_path)
    assert not (tmp_path / PARTS / NOTE).exists()
    assert (tmp_path / LOCK).exists()
    monkeypatch.undo()
    remove_work(tmp_path)
    assert not tmp_path.exists()


def test_a_shard_that_is_gathered_anew_is_none_until_it_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = CleanSettings(MASKS, jobs=0, shard=(1, 1))
    gather_shard(PAGES, tmp_path, settings, GatherDocuments)
    monkeypatch.setattr("ruiji.detector.cleaning.map_pages", die)
    with pytest.raises(Killed):
        gather_shard(named_pages([MINIWEB / "tabi-no-kakera.com"]), tmp_path, settings, GatherDocuments)
    with pytest.raises(InputError, match="no shard"):
        merge_shards([tmp_path], tmp_path / "merged", settings)


def test_records_that_are_written_anew_are_none_until_they_are_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = RecordSettings(MASKS, jobs=0)
    compare_records(PAGES, tmp_path, settings)
    monkeypatch.setattr("ruiji.detector.records.folder._pair_batches", die)
    with pytest.raises(Killed):
        compare_records(named_pages([MINIWEB / "tabi-no-kakera.com"]), tmp_path, settings)
    with pytest.raises(InputError, match=r"conflicts.jsonl is missing"):
        RecordsFolder(tmp_path)
