"""Sites that hold the same pages: what follows from a pair within one of them is not told again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.sources import named_pages
from ruiji.detector.detection import DetectSettings, detect_pairs

FIRST, SECOND = "harbour-book.first.example", "harbour-book.second.example"
REMARK = "潮が引く前に錨を上げておかないと、次の満ち潮まで港の外へ出られなくなるので注意すること。"
CHAPTERS = {
    "ropes": [
        "綱は使う前に真水で洗い、日陰に三日ほど干してから束ねて倉庫の棚に並べておくとよい。",
        "結び目のところから傷みはじめるので、年に一度は端を切って結びなおすことになっている。",
        "古くなった綱は網の縁にまわし、最後は焚きつけとして浜の小屋に積んでおく決まりである。",
    ],
    "tides": [
        "満ち潮のときに入る船は灯台の南を通り、旗が上がるまで岬の手前で待つことになっている。",
        "大潮の晩は見張りを二人に増やし、夜明けまで一時間ごとに水位を板に書きとめておく。",
        "川の水が増えた日には潮の流れが速くなるので、小さな舟は出さないことにしている。",
    ],
    "lights": [
        "灯台の油は秋の彼岸までに運び上げ、樽の数を帳面に書いてから鍵を番人に渡しておく。",
        "霧の深い日には鐘を三つずつ鳴らし、船から返事があるまで番人は持ち場を離れない。",
        "芯を切るのは毎朝の仕事で、切りくずは水を張った桶に入れてから外へ運び出すこと。",
    ],
}


def book(host: str, remark_in: tuple[str, ...] = (), paths: dict[str, str] | None = None) -> dict[str, str]:
    """The pages of a release, in some of which the remark stands, each time in another element."""
    pages = {}
    for place, (name, texts) in enumerate(CHAPTERS.items()):
        remark = f"<div><section>{REMARK}</section></div>" if place else f"<blockquote>{REMARK}</blockquote>"
        said = [f"<p>{text}</p>" for text in texts]
        if name in remark_in:
            said.insert(1 + place, remark)
        pages[f"http://{host}/{(paths or {}).get(name, name)}.html"] = "<html>" + "".join(said)
    return pages


def found(folder: Path, pages: dict[str, str], **settings: Any) -> dict[tuple[str, str], str]:
    """The pairs with their categories; addresses without what is always the same."""
    path = folder / "pages.jsonl"
    rows = [json.dumps({"url": url, "html": html}) + "\n" for url, html in pages.items()]
    path.write_text("".join(rows), encoding="utf-8")
    run = detect_pairs(
        named_pages([str(path)]), folder / "run", DetectSettings(MaskSettings("none"), jobs=0, **settings)
    )
    told = pq.read_table(run.folder / "pairs.parquet").to_pylist()
    return {(_short(row["url_a"]), _short(row["url_b"])): row["category"] for row in told}


def _short(url: str) -> str:
    return url.removeprefix("http://harbour-book.").replace(".example", "").removesuffix(".html")


def test_a_remark_of_two_chapters_is_told_once_in_each_release(tmp_path: Path) -> None:
    pages = book(FIRST, ("ropes", "tides")) | book(SECOND, ("ropes", "tides"))
    pairs = found(tmp_path, pages)
    assert {pair for pair in pairs if pair[0].split("/")[1] != pair[1].split("/")[1]} == {
        ("first/ropes", "first/tides"),
        ("second/ropes", "second/tides"),
    }


def test_min_bits_of_zero_tells_it_across_releases_too(tmp_path: Path) -> None:
    pages = book(FIRST, ("ropes", "tides")) | book(SECOND, ("ropes", "tides"))
    assert ("first/ropes", "second/tides") in found(tmp_path, pages, min_bits=0)


def test_a_remark_that_moved_to_another_chapter_is_told(tmp_path: Path) -> None:
    pages = book(FIRST, ("ropes",)) | book(SECOND, ("tides",))
    assert found(tmp_path, pages)["first/ropes", "second/tides"] == "same_site"


def test_a_page_at_another_path_of_a_release_is_a_mirror(tmp_path: Path) -> None:
    more = {"wells": "<p>井戸の水は朝のうちに汲み、昼からは蓋をして誰も近づけないのが村の決まりだった。</p>"}
    one = {f"http://{FIRST}/{name}.html": html for name, html in more.items()}
    other = {f"http://{SECOND}/appendix-{name}.html": html for name, html in more.items()}
    pairs = found(tmp_path, book(FIRST) | book(SECOND) | one | other)
    assert pairs["first/wells", "second/appendix-wells"] == "mirror"


@pytest.mark.parametrize("host", ["copied-pages.third.example", "www.net-of-news.example"])
def test_hosts_without_a_name_in_common_are_two_sites(tmp_path: Path, host: str) -> None:
    pairs = found(tmp_path, book(FIRST) | book(host, paths={name: f"x/{name}-2" for name in CHAPTERS}))
    assert set(pairs.values()) == {"boilerplate_or_plagiarism"}


def test_a_later_run_tells_what_one_run_tells(tmp_path: Path) -> None:
    first, second = book(FIRST, ("ropes", "tides")), book(SECOND, ("ropes", "tides"))
    for name in ("both", "first", "second"):
        (tmp_path / name).mkdir()
    both = found(tmp_path / "both", first | second)
    earlier = found(tmp_path / "first", first)
    later = found(tmp_path / "second", second, against=(str(tmp_path / "first" / "run"),))
    assert earlier | later == both
