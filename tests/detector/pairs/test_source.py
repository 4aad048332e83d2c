"""Which page of a pair is the source, from pages to pairs.parquet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.sources import named_pages
from ruiji.detector.detection import DetectSettings, detect_pairs

TEXT = [
    "漁師は港の市場まで歩いていき、そこで魚をいくつか買って帰ってきた。",
    "町長は役場の裏まで歩いていき、そこで古い本をいくつか買って帰ってきた。",
    "旅の画家は隣町まで歩いていき、そこで絵の具をいくつか買って帰ってきた。",
]
ORIGINAL, COPY = "http://www.shiosai.jp/1.html", "http://www.tsubame.net/7.html"


def sources(folder: Path, pages: dict[str, Sequence[str]], against: tuple[str, ...] = ()) -> list[str]:
    """The source of each pair of pages, which are given by their sentences."""
    rows = [{"url": url, "html": "".join(f"<p>{text}</p>" for text in texts)} for url, texts in pages.items()]
    path = folder.with_suffix(".jsonl")
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run = detect_pairs(
        named_pages([str(path)]), folder, DetectSettings(MaskSettings("none"), against=against, jobs=0)
    )
    found: list[str] = pq.read_table(run.folder / "pairs.parquet")["source"].to_pylist()
    return found


NAMED = "Shiosaiの読者だけが、この話のつづきをどこよりも早く読むことができます。"
OWN = "Tsubameの編集部からのお知らせは、毎週金曜日の朝にここへ載せられます。"


def test_a_shared_sentence_speaks_for_the_site_that_it_names(tmp_path: Path) -> None:
    assert sources(tmp_path / "run", {ORIGINAL: [*TEXT, NAMED], COPY: [*TEXT, NAMED, OWN]}) == ["a"]


def test_a_line_of_its_own_does_not_speak_for_a_page(tmp_path: Path) -> None:
    assert sources(tmp_path / "run", {ORIGINAL: TEXT, COPY: [*TEXT, OWN]}) == ["undecided"]


def test_pages_with_the_same_text_are_told_apart_by_their_names(tmp_path: Path) -> None:
    assert sources(tmp_path / "run", {ORIGINAL: [*TEXT, NAMED], COPY: [*TEXT, NAMED]}) == ["a"]


def test_pages_of_an_earlier_run_name_their_site_too(tmp_path: Path) -> None:
    sources(tmp_path / "old", {ORIGINAL: [*TEXT, NAMED]})
    assert sources(tmp_path / "new", {COPY: [*TEXT, NAMED, OWN]}, (str(tmp_path / "old"),)) == ["a"]


# Menus with the words of the text stand around one of the pages.
MENU = ["漁師", "市場", "町長", "役場", "画家", "絵の具"] * 3


@pytest.mark.parametrize(
    ("hosts", "source"),
    [
        (("http://www.shiosai.jp/1", "http://www.tsubame.net/7"), "a"),
        (("http://shiosai.livejournal.com/1", "http://tsubame.livejournal.com/7"), "undecided"),
    ],
)
def test_the_words_around_a_text_say_nothing_of_two_users_of_a_service(
    tmp_path: Path, hosts: tuple[str, str], source: str
) -> None:
    body = "".join(f"<p>{text}</p>" for text in TEXT)
    menu = "".join(f"<li><a href='/{number}'>{word}</a></li>" for number, word in enumerate(MENU))
    rows = [
        {"url": hosts[0], "html": f"<ul>{menu}</ul><article>{body}</article>"},
        {"url": hosts[1], "html": f"<ul><li><a href='/'>天気</a></li></ul><article>{body}</article>"},
    ]
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run = detect_pairs(
        named_pages([str(path)]), tmp_path / "run", DetectSettings(MaskSettings("blocks"), jobs=0)
    )
    assert pq.read_table(run.folder / "pairs.parquet")["source"].to_pylist() == [source]
