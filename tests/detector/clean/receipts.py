"""What must hold of every corpus that ``clean`` writes, whatever went in."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from ruiji.detector.sentences.table import split_texts


def letters(text: str) -> str:
    """The letters and digits of a text, whatever their width and case: the normalisation that is stated."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).lower())


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(folder / f"{name}.parquet").to_pylist()
    return found


def check_receipt(folder: Path, texts: Mapping[str, str]) -> None:
    """Fails unless the receipt of a folder restores the texts, by id, and everything removed is kept."""
    corpus = {row["id"]: row["text"] for row in rows(folder, "corpus")}
    removed = defaultdict(list)
    for row in rows(folder, "removed"):
        removed[row["id"]].append(row)
    for name, text in texts.items():
        own = sorted(removed[name], key=lambda row: row["start"])
        assert restored(corpus.get(name, ""), own) == text, name
        assert name in corpus or own or not text
        borders = _sentence_borders(text)
        for row in own:
            assert row["chars"] == row["end"] - row["start"] > 0
            assert text[row["start"] : row["end"]] == row["text"]
            kept = texts[row["kept_id"]][row["kept_start"] : row["kept_end"]]
            assert letters(kept) == letters(row["text"]), (kept, row["text"])
            assert {row["start"], row["end"]} <= borders, "a sentence is cut"
    _nothing_is_gone_from_all_pages(removed, corpus)


def restored(text: str, own: list[dict[str, Any]]) -> str:
    for row in own:
        text = text[: row["start"]] + row["text"] + text[row["start"] :]
    return text


def _sentence_borders(text: str) -> set[int]:
    """The places that are in no sentence, or at the edge of one."""
    split = split_texts([text])
    inside: set[int] = set()
    for start, end in zip(split.start.tolist(), split.end.tolist(), strict=True):
        inside |= set(range(start + 1, end))
    return set(range(len(text) + 1)) - inside


def _nothing_is_gone_from_all_pages(removed: Mapping[str, Any], corpus: Mapping[str, str]) -> None:
    """Where a stretch is kept, nothing was removed."""
    gone: dict[str, Counter[int]] = defaultdict(Counter)
    for name, own in removed.items():
        for row in own:
            gone[name].update(range(row["start"], row["end"]))
    for own in removed.values():
        for row in own:
            places = range(row["kept_start"], row["kept_end"])
            assert row["kept_id"] in corpus
            assert not any(gone[row["kept_id"]][place] for place in places), "the kept place is gone too"
