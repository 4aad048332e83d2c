"""What stands around most pages of a host says nothing of two of them, nor of one and a page elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq

from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.sources import named_pages
from ruiji.detector.detection import DetectSettings, detect_pairs

FRAME = [
    "この町の図書館は毎週月曜日が休みなので、借りた本は火曜日までに返せばよいことになっている。",
    "駅の北口から歩いて五分ほどの坂の上に古い時計台があり、夕方になると鐘の音が聞こえてくる。",
    "商店街の抽選会に当たった人には、翌月の第一土曜日に公民館で賞品を渡すことになっている。",
]
OWN = [
    "灯台の点検は嵐の来る前の晩に、残らず終わったと聞いている。",
    "渡し船の切符は今年の春から、桟橋の脇の小屋で売られている。",
    "市場の奥にできた新しい氷室には、朝のうちだけ人が集まる。",
    "網の修理を習いたいという若者が、去年より三人も増えたそうだ。",
    "浜の清掃には小学生の子どもたちも、先生と一緒に加わった。",
]
ARTICLE = "浜辺に流れ着いた瓶の中の手紙は、半世紀前に隣の島の灯台守が書いたものだとわかった。"


def found(folder: Path, pages: dict[str, list[str]], min_bits: int = 35) -> list[tuple[str, str]]:
    rows = [
        {"url": url, "html": "<html>" + "".join(f"<p>{text}</p>" for text in texts)}
        for url, texts in pages.items()
    ]
    path = folder / "pages.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    settings = DetectSettings(MaskSettings("none"), min_bits=min_bits, jobs=0)
    run = detect_pairs(named_pages([str(path)]), folder / f"run{min_bits}", settings)
    return [(row["url_a"], row["url_b"]) for row in pq.read_table(run.folder / "pairs.parquet").to_pylist()]


def framed(host: str) -> dict[str, list[str]]:
    """Pages of a host: its frame above, and a paragraph of their own, which is at another place."""
    return {
        f"http://{host}/{number}": [FRAME[0], FRAME[1], f"<div>{text}</div>", FRAME[2]]
        for number, text in enumerate(OWN)
    }


def test_pages_that_share_only_the_frame_around_all_of_them_are_no_pairs(tmp_path: Path) -> None:
    pages = framed("www.port.example")
    assert found(tmp_path, pages) == []
    assert len(found(tmp_path, pages, min_bits=0)) == 10


def test_two_of_them_with_an_article_in_common_are_a_pair(tmp_path: Path) -> None:
    pages = framed("www.port.example")
    for number in (1, 3):
        pages[f"http://www.port.example/{number}"].insert(2, f"<article>{ARTICLE}</article>")
    assert found(tmp_path, pages) == [("http://www.port.example/1", "http://www.port.example/3")]


def test_the_frame_of_one_host_says_nothing_of_a_page_elsewhere(tmp_path: Path) -> None:
    pages = framed("www.port.example")
    pages["http://www.inland.example/"] = [
        "<div>山の分校では冬のあいだ、給食の味噌を先生が交代で仕込んでいる。</div>",
        FRAME[2],
    ]
    assert found(tmp_path, pages) == []


def test_pages_with_little_of_their_own_are_copies_still(tmp_path: Path) -> None:
    pages = {
        f"http://www.port.example/{number}": [*FRAME, f"<div>{ARTICLE}</div>", f"<p>{number}</p>"]
        for number in range(5)
    }
    assert len(found(tmp_path, pages)) == 10


MENU = [
    f"<li>{name}の案内と申し込み、休みの日の問い合わせ先</li>"
    for name in ("図書館", "公民館", "体育館", "資料館")
]
STORY = [f"{name}の人が港で見たという船の話は、翌週の新聞にも写真つきで載っていた。" for name in "東西南北"]


def test_the_frame_of_two_pages_is_no_archive_of_the_shorter_one(tmp_path: Path) -> None:
    frame = ["<ul>", *MENU, "</ul>"]
    pages = {
        "http://www.port.example/long": [*frame, *(f"<div>{text}</div>" for text in STORY)],
        "http://www.port.example/short": [*frame, f"<div>{OWN[0]}</div>"],
    }
    assert found(tmp_path, pages) == []
    assert len(found(tmp_path, pages, min_bits=0)) == 1


def test_an_article_in_the_frame_of_its_host_is_in_the_archive(tmp_path: Path) -> None:
    frame = ["<ul>", *MENU, "</ul>"]
    pages = {
        "http://www.port.example/month": [*frame, *(f"<div>{text}</div>" for text in (*STORY, *OWN))],
        "http://www.port.example/one": [*frame, *(f"<div>{text}</div>" for text in STORY)],
    }
    assert len(found(tmp_path, pages)) == 1
