"""A collection that grows: each run compared with the one before gives for its pages what one run over all
pages gives, however the pages are split.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ruiji.chunker.masking import MaskSettings
from ruiji.corpora import MINIWEB, Page, read_pages
from ruiji.corpora.sources import named_pages
from ruiji.detector.detection import DetectSettings, detect_pairs
from ruiji.detector.gather.occurrences import Usable
from tests.paths import DATA

WEEKS = 3
REAL = DATA / "pairs-web/pages.jsonl.gz"
EVERY = 6  # of its pages
SENTENCES = [
    f"{subject}は{place}まで歩いていき、そこで{thing}をいくつか買って帰ってきた。"
    for subject, place, thing in zip(
        ("漁師", "わたしたち", "隣の家の子", "郵便局の人", "町長", "旅の画家", "二人の学生", "灯台守"),
        ("港の市場", "駅前", "川沿いの店", "丘の上", "役場の裏", "隣町", "古い橋のたもと", "岬"),
        ("魚", "温かいパン", "赤い風船", "切手", "古い本", "絵の具", "ノート", "電球"),
        strict=True,
    )
]
SENTENCES += [
    "この品の送料は当社が負担しますので、お客様にはかかりません。",
    "SSLCertFile /etc/ssl/certs/ssl-cert.pem",
]
Rows = list[dict[str, Any]]


def page_row(number: int, sentences: Sequence[int], links: Sequence[int], changed: int) -> dict[str, Any]:
    own = f"{number}番目のページには、ほかのどこにもない長い文が一つ書いてあります。"
    texts = [*(SENTENCES[sentence] for sentence in sentences), *([own] if number % 3 else [])]
    return {
        "url": url(number),
        "html": "".join(f"<p>{text}</p>" for text in texts)
        + "".join(f"<a href='{url(target)}'>リンク</a>" for target in links),
        **({"last_modified": f"2020-01-{changed:02}T00:00:00Z"} if changed else {}),
    }


def url(number: int) -> str:
    return f"http://www.site{number // 2}.com/page{number}.html"


contents = st.tuples(
    st.lists(st.integers(0, len(SENTENCES) - 1), max_size=6, unique=True),
    st.lists(st.integers(0, 11), max_size=2),
    st.integers(0, 3),
)
PAGES = 12


def web(*pages: tuple[Sequence[int], Sequence[int], int]) -> Rows:
    return [page_row(number, *content) for number, content in enumerate(pages)]


webs = st.lists(contents, min_size=4, max_size=PAGES).map(lambda pages: web(*pages))
splits = st.lists(st.integers(0, WEEKS - 1), min_size=PAGES, max_size=PAGES)  # the week of each page

# Two sources give page 3 as much, and which is taken first decides whether it is patchwork.
EQUAL_SOURCES = web(
    ([4, 0, 1, 6], [], 0), ([], [], 0), ([], [], 0), ([6, 4, 0, 1, 3, 7], [], 0), ([], [], 0),
    ([7], [], 0), ([], [], 0), ([], [], 0), ([], [], 0), ([3], [], 0), ([7, 1, 6, 3], [], 0),
)  # fmt: skip


def detected(rows: Rows, out: Path, chosen: DetectSettings) -> Path:
    source = out.with_suffix(".jsonl")
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return detect_pairs(named_pages([str(source)]), out, chosen).folder


def pairs(folder: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Pairs with all that is said of them, patchwork too."""
    return {(row["url_a"], row["url_b"]): row for row in pq.read_table(folder / "pairs.parquet").to_pylist()}


def groups(folder: Path) -> set[frozenset[tuple[str, bool, int]]]:
    members: dict[int, set[tuple[str, bool, int]]] = {}
    for row in pq.read_table(folder / "groups.parquet").to_pylist():
        members.setdefault(row["group"], set()).add((row["url"], row["keep"], row["lost_chars"]))
    return {frozenset(group) for group in members.values()}


def evidence(folder: Path) -> Rows:
    rows: Rows = pq.read_table(folder / "evidence.parquet").to_pylist()
    return rows


def families(folder: Path) -> set[frozenset[tuple[str, str | None, str]]]:
    members: dict[int, set[tuple[str, str | None, str]]] = {}
    for row in pq.read_table(folder / "lineage.parquet").to_pylist():
        members.setdefault(row["group"], set()).add((row["url"], row["from_url"], row["kind"]))
    return {frozenset(family) for family in members.values()}


def assert_grown_is_whole(weeks: Sequence[Rows], folder: Path, match: str, filter_name: str) -> None:
    """Runs each week against the week before only, and all pages at once."""
    masks, usable = MaskSettings(filter_name), Usable(match=match)
    against: tuple[str, ...] = ()
    for number, rows in enumerate(weeks):
        chosen = DetectSettings(masks, usable, against=against, jobs=0)
        grown = detected(rows, folder / f"week{number}", chosen)
        against = (str(grown),)
    every_row = [row for rows in weeks for row in rows]
    whole = detected(every_row, folder / "whole", DetectSettings(masks, usable, jobs=0))
    fresh = {row["url"] for row in weeks[-1]}
    assert pairs(grown) == {pair: row for pair, row in pairs(whole).items() if fresh & set(pair)}
    assert groups(grown) == {group for group in groups(whole) if fresh & {url for url, _, _ in group}}
    assert families(grown) == {tree for tree in families(whole) if fresh & {url for url, _, _ in tree}}
    assert evidence(grown) == [row for row in evidence(whole) if fresh & {row["url_a"], row["url_b"]}]


@settings(max_examples=10, deadline=None)
@given(webs, splits, st.sampled_from(("loose", "exact")))
@example(EQUAL_SOURCES, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0], "loose")
@example(EQUAL_SOURCES, [0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0], "loose")
def test_any_split_gives_what_one_run_gives(rows: Rows, split: Sequence[int], match: str) -> None:
    weeks: list[Rows] = [[] for _ in range(WEEKS)]
    for row, week in zip(rows, split, strict=False):
        weeks[week].append(row)
    with TemporaryDirectory() as folder:
        assert_grown_is_whole(weeks, Path(folder), match, "none")


def in_weeks(pages: Iterable[Page]) -> list[Rows]:
    """The pages, each in a week of three; the same split each time."""
    chance = random.Random(21)
    weeks: list[Rows] = [[] for _ in range(WEEKS)]
    for page in pages:
        html = page.html if isinstance(page.html, str) else page.html.decode("utf-8", "replace")
        weeks[chance.randrange(WEEKS)].append({"url": page.url, "html": html})
    return weeks


def test_the_mini_web_in_three_weeks_is_the_mini_web(tmp_path: Path) -> None:
    assert_grown_is_whole(in_weeks(read_pages([MINIWEB])), tmp_path, "loose", "blocks")


@pytest.mark.data
@pytest.mark.skipif(not REAL.exists(), reason="the pages are not here; RUIJI_DATA names their folder")
def test_real_pages_in_three_weeks_are_those_of_one_run(tmp_path: Path) -> None:
    pages = islice(read_pages([REAL]), 0, None, EVERY)
    assert_grown_is_whole(in_weeks(pages), tmp_path, "loose", "blocks")
