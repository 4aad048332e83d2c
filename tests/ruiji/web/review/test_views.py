"""``ruiji review`` in a real browser: both sides, what they share, verdicts in the file; and a large run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from ruiji.__main__ import main
from ruiji.corpora import InputError
from ruiji.detector.pairs.relations import CATEGORIES
from ruiji.web.review.pairs import PairResults
from ruiji.web.review.results import Query, open_results
from ruiji.web.review.views import reviewing_application
from tests.browser import needs_chromium, served
from tests.ruiji.web.conftest import Watched
from tests.ruiji.web.payloads import OUT, PAYLOADS, RUIN
from tests.ruiji.web.runs import write_large_run, write_run

A, B, C = "http://a.example/1", "http://b.example/2", "http://c.example/3"
SHARED, COMMON = "港町の朝は早い。", "まだ暗いうちから船を出す。"
PAGES = {
    A: [("ホーム", False), ("はじめの文。", True), (SHARED, True), ("終わりの文です。", True)]
    + [(f"{n}番目の長い文です。", True) for n in range(60)],
    B: [(f"前置きの文 {n} です。", True) for n in range(60)]
    + [(SHARED, True), ("海の文です。", True), ("ホーム", False)],
    C: [("海の文です。", True), ("山の文です。", True)],
}
PAIRS = [
    {
        "url_a": A,
        "url_b": B,
        "category": "citation",
        "shared_chars": 100,
        "overlap": 0.9,
        "patchwork": "b",
        "source": "a",
    },
    {
        "url_a": B,
        "url_b": C,
        "category": "shared_passage",
        "shared_chars": 50,
        "overlap": 0.2,
        "patchwork": "a",
    },
    {
        "url_a": A,
        "url_b": C,
        "category": "mirror",
        "relation": "identical",
        "shared_chars": 20,
        "overlap": 0.4,
    },
]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return write_run(tmp_path / "out", PAGES, PAIRS)


def verdicts(out: Path) -> list[tuple[str, str, str | None]]:
    lines = [json.loads(line) for line in (out / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()]
    return [(line["key"][0][7] + line["key"][1][7], line["verdict"], line["other"]) for line in lines]


@needs_chromium
def test_a_pair_is_shown_side_by_side_and_judged_by_key(out: Path, watched: Callable[..., Watched]) -> None:
    tab = watched()
    with served(lambda port: reviewing_application(open_results(out), port, "out")) as url:
        tab.page.goto(f"{url}/")
        tab.page.wait_for_selector("#list tbody tr")
        assert tab.page.locator("#list tbody tr").count() == 3
        tab.page.keyboard.press("g")
        tab.page.wait_for_selector("html[data-ready]")
        assert tab.page.locator("#side-a mark").all_inner_texts() == [SHARED]
        assert tab.page.locator("#side-b mark").all_inner_texts() == [SHARED]
        assert tab.page.locator("#side-a .dim").all_inner_texts() == ["ホーム"]
        # Click one, the other scrolls there.
        tab.page.locator("#side-b").evaluate("side => side.scrollTo(0, 0)")
        tab.page.locator("#side-a").evaluate("side => side.scrollTo(0, 0)")
        tab.page.wait_for_timeout(50)
        tab.page.click("#side-a mark")
        assert tab.page.locator("#side-b").evaluate("side => side.scrollTop") > 200
        assert tab.page.locator("mark.now").count() == 2
        # The page on the right is patchwork: a colour for each source.
        assert tab.page.locator("#side-b .sources a").all_inner_texts() == [
            f"Title of {A} (1)",
            f"Title of {C} (1)",
        ]
        assert tab.page.locator("#side-b .source.c1:not(a)").all_inner_texts() == ["海の文です。"]
        tab.page.keyboard.press("r")
        tab.page.wait_for_url("**/item/1?*")
        tab.page.wait_for_selector("html[data-ready]")
        tab.page.keyboard.press("3")
        tab.page.wait_for_url("**/item/2?*")
        tab.page.wait_for_selector("html[data-ready]")
        tab.page.keyboard.press("w")
        tab.page.wait_for_selector("#list tbody tr")  # after the last one, the list
        assert verdicts(out) == [("ab", "right", None), ("bc", "other", "archive"), ("ac", "wrong", None)]
        assert tab.page.inner_text("#progress-text") == "3 of 3 judged"
    assert tab.foreign(url) == []
    assert tab.troubles == []


def test_the_last_verdict_counts_and_is_there_in_the_next_session(out: Path) -> None:
    results = open_results(out)
    results.judge(0, "wrong")
    results.judge(0, "other", "mirror")
    results.judge(1, "right")
    results.judge(1, "none")
    again = open_results(out)
    rows = again.rows(Query())["rows"]
    assert [(row["verdict"], row["other"]) for row in rows] == [
        ("other", "mirror"),
        ("none", ""),
        ("none", ""),
    ]
    assert again.counts()["judged"] == 1
    assert again.rows(Query(verdict="unjudged"))["total"] == 2


def test_evaluate_gives_the_share_of_right_ones_by_category(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", str(out)]) == 2
    assert "nobody has judged it yet" in capsys.readouterr().err
    results = open_results(out)
    results.judge(0, "right")
    results.judge(1, "other", "archive")
    assert main(["evaluate", str(out), "-o", str(out / "scores.json"), "-q"]) == 0
    shown = capsys.readouterr().out
    assert "| citation       |      1 |     1 |     0 |     0 | 1.000 (0.21–1.00)  |" in shown
    assert "instead: archive 1" in shown
    scores = json.loads((out / "scores.json").read_text(encoding="utf-8"))
    assert scores["verdicts"]["shared_passage"]["precision"] == 0
    assert scores["all"]["judged"] == 2
    assert main(["evaluate", str(out / "verdicts.jsonl"), "-q"]) == 0


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (Query(), [0, 1, 2]),
        (Query(category="mirror"), [2]),
        (Query(relation="identical"), [2]),
        (Query(site="c.example"), [1, 2]),
        (Query(least=0.4), [0, 2]),
        (Query(patchwork=True), [0, 1]),
        (Query(text="TITLE OF http://A"), [0, 2]),
        (Query(text="海の文"), [1]),  # both have it
        (Query(text="山の文"), []),  # only one has it
        (Query(text="'; DROP TABLE items; --"), []),
        (Query(sort="overlap"), [0, 2, 1]),
        (Query(sort="id"), [0, 2, 1]),
        (Query(sort="number; DROP TABLE items"), [0, 1, 2]),
        (Query(offset=1, limit=1), [1]),
    ],
)
def test_filters_orders_and_pages_of_the_list(out: Path, query: Query, found: list[int]) -> None:
    results = PairResults(out)
    assert [row["number"] for row in results.rows(query)["rows"]] == found
    assert results.rows(Query())["total"] == 3


def test_a_sentence_that_too_many_pages_have_does_not_make_a_pair(tmp_path: Path) -> None:
    pages = {f"http://h{n}.example/": [(COMMON, True), (f"{n}番だけの文です。", True)] for n in range(4)}
    pairs = [{"url_a": "http://h0.example/", "url_b": "http://h1.example/"}]
    results = PairResults(write_run(tmp_path / "out", pages, pairs, max_pages=3))
    found = results.detail(0)
    assert found is not None
    assert [(one["shared"], one["common"]) for one in found["sides"]["a"]["sentences"]] == [
        (None, True),
        (None, False),
    ]


def test_the_mini_web_as_detect_leaves_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from ruiji.corpora import MINIWEB

    sites = [str(MINIWEB / name) for name in ("wiki.umisachi.org", "mirror.kaisou-archive.net")]
    assert main(["detect", *sites, "-o", str(tmp_path / "out"), "--jobs", "1", "-q"]) == 0
    results = PairResults(tmp_path / "out")
    assert results.counts()["categories"].keys() <= set(CATEGORIES)
    row = results.rows(Query(limit=1))["rows"][0]
    found = results.detail(row["number"])
    assert found is not None
    shared = {one["shared"] for one in found["sides"]["a"]["sentences"] if one["shared"] is not None}
    assert shared == {one["shared"] for one in found["sides"]["b"]["sentences"] if one["shared"] is not None}
    assert len(shared) == row["shared_sentences"]


@needs_chromium
def test_three_hundred_thousand_pairs_stay_usable(tmp_path: Path, watched: Callable[..., Watched]) -> None:
    results = open_results(write_large_run(tmp_path / "out", 300_000))
    tab = watched()
    with served(lambda port: reviewing_application(results, port, "out")) as url:
        tab.page.goto(f"{url}/")
        tab.page.wait_for_selector("#list tbody tr")
        assert tab.page.locator("#list tbody tr").count() == 50
        assert tab.page.inner_text("#shown") == "1–50 / 300,000"
        tab.page.get_by_role("button", name="mirror").click()
        expect(tab.page.locator("#shown")).to_have_text(re.compile(r"/ [56]\d,\d{3}$"))
        tab.page.select_option("[name=site]", "site7.example")
        expect(tab.page.locator("#shown")).to_have_text(re.compile(r"/ \d{1,3}$"))
        tab.page.fill("[name=text]", "page/307.html")
        expect(tab.page.locator("#list tbody tr").filter(has_not_text="page/307.html")).to_have_count(0)
        tab.page.locator("#list tbody tr a").first.click()
        tab.page.wait_for_selector("html[data-ready]")
        assert tab.page.locator("#side-a p").count() >= 1
        query = "category=archive&least=0.5&sort=overlap&text=港の文%2019"
        assert httpx.get(f"{url}/api/items?{query}").status_code == 200
        assert httpx.get(f"{url}/api/items?offset=299990&limit=9999").json()["rows"][-1]["number"] == 299_999
    assert tab.troubles == []


@needs_chromium
@pytest.mark.parametrize("kind", ["pair", "passage", "conflict"])
def test_no_payload_runs_in_the_review(tmp_path: Path, watched: Callable[..., Watched], kind: str) -> None:
    texts = [*PAYLOADS.values(), f"</script><script>{RUIN}</script>", "]]>--><img src=x onerror=alert(1)>"]
    evil = f"javascript:{RUIN}//<img src=x onerror='{RUIN}'>"
    if kind == "pair":
        urls = (
            f"http://{OUT[7:]}/<script>{RUIN}</script>",
            f"http://{OUT[7:]}/\"'><img src=x onerror={RUIN}>",
        )
        path = write_run(tmp_path / texts[-1].replace("/", ""),
            {url: [(text, True) for text in texts] for url in urls},
                         [{"url_a": urls[0], "url_b": urls[1], "link": evil, "relation": evil,
                             "patchwork": "both"}])  # fmt: skip
    elif kind == "passage":
        path = tmp_path / "p.jsonl"
        path.write_text(
            json.dumps({"url": evil, "source_url": evil, "text": " ".join(texts), "score": 1.0}) + "\n",
            encoding="utf-8",
        )
    else:
        path = tmp_path / "conflicts.jsonl"
        record = {
            "id": evil,
            "kind": evil,
            "field": evil,
            "value_a": texts[0],
            "value_b": " ".join(texts),
            "url_a": evil,
            "url_b": evil,
            "x_a": evil,
        }
        path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    tab = watched()
    with served(lambda port: reviewing_application(open_results(path), port, evil)) as url:
        for address in (
            "/",
            "/item/0",
            f"/?text={RUIN}&site=<script>{RUIN}</script>&category='%22><img src=x onerror={RUIN}>",
        ):
            tab.page.goto(url + address)
            tab.page.wait_for_selector("html[data-ready], #list tbody tr, #empty:not([hidden])")
            for mark in tab.page.locator("mark").all()[:3]:
                mark.dispatch_event("click")
            assert tab.page.evaluate("window.__ruined") is None
    assert tab.foreign(url) == []
    assert tab.troubles == []


def test_passages_and_contradictions_are_reviewed_in_the_same_way(tmp_path: Path) -> None:
    path = tmp_path / "passages.jsonl"
    record = {
        "url": "u",
        "source_url": "s",
        "start": 3,
        "end": 9,
        "source_start": 0,
        "source_end": 6,
        "segments": 4,
        "score": 0.5,
        "text": "港の朝",
    }
    path.write_text(
        "".join(json.dumps(record | {"start": n, "score": n / 10}) + "\n" for n in range(3)), encoding="utf-8"
    )
    passages = open_results(path)
    assert passages.rows(Query(least=4))["total"] == 0
    assert passages.rows(Query(least=3))["total"] == 3
    passages.judge(2, "right")
    assert passages.verdict_file == tmp_path / "passages.verdicts.jsonl"
    assert main(["evaluate", str(passages.verdict_file), "-q"]) == 0
    assert open_results(path).rows(Query(verdict="right"))["rows"][0]["start"] == 2
    conflicts_path = tmp_path / "rec" / "conflicts.jsonl"
    conflicts_path.parent.mkdir()
    conflict = {
        "id": "1",
        "kind": "difference",
        "field": "tel",
        "value_a": "1",
        "value_b": "2",
        "url_a": "http://a/",
        "url_b": "http://b/",
        "confidence": 0.7,
    }
    conflicts_path.write_text(
        json.dumps(conflict)
        + "\n"
        + json.dumps(conflict | {"id": "2", "kind": "outdated", "value_a": 7})
        + "\n",
        encoding="utf-8",
    )
    conflicts = open_results(tmp_path / "rec")
    assert conflicts.counts()["categories"] == {"difference": 1, "outdated": 1}
    conflicts.judge(1, "wrong")
    assert (tmp_path / "rec" / "verdicts.jsonl").is_file()
    assert conflicts.detail(1)["row"]["value_a"] == "7"  # type: ignore[index]


def test_a_passage_is_shown_in_both_pages_where_they_are_at_hand(tmp_path: Path) -> None:
    copy = "まえがき。\n港町の朝は早い。船が出る。市が立つ。\nあとがき。"
    source = "題名\n港町の朝は早い。船がでる。市が立つ。"
    start, source_start = copy.index("港"), source.index("港")
    record = {
        "url": "u",
        "source_url": "s",
        "start": start,
        "end": copy.index("\nあと"),
        "source_start": source_start,
        "source_end": len(source),
    }
    path = tmp_path / "passages.jsonl"
    path.write_text(
        json.dumps(record | {"text": copy[start : copy.index("\nあと")], "segments": 3, "score": 99.0})
        + "\n",
        encoding="utf-8",
    )
    asked: list[set[str]] = []
    found = open_results(path, lambda urls: asked.append(set(urls)) or {"u": copy, "s": source}).detail(0)  # type: ignore[func-returns-value]
    assert asked == [{"u", "s"}]
    assert found is not None
    told = {
        side: [
            (one["text"], one["content"], one["shared"], one["changed"])
            for one in found["sides"][side]["sentences"]
        ]
        for side in "ab"
    }
    assert told["a"] == [
        ("まえがき。", False, None, False),
        ("港町の朝は早い。", True, 0, False),
        ("船が出る。", True, None, True),
        ("市が立つ。", True, None, False),  # the same, but too short to be linked
        ("あとがき。", False, None, False),
    ]
    assert told["b"][1] == ("港町の朝は早い。", True, 0, False)
    assert told["b"][0][1] is False
    alone = open_results(path).detail(0)
    assert alone is not None
    assert [one["text"] for one in alone["sides"]["a"]["sentences"]] == [
        "港町の朝は早い。",
        "船が出る。",
        "市が立つ。",
    ]
    assert alone["sides"]["b"]["sentences"] == []


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "there is no such file or folder"),
        (lambda path: path.mkdir(), "neither a folder of ruiji detect"),
        (lambda path: path.write_text("{"), "line 1 is not JSON"),
        (
            lambda path: path.write_text('{"url": "x"}\n'),
            "has no source_url; is it a file of ruiji index match",
        ),
    ],
)
def test_what_cannot_be_reviewed_is_named(
    tmp_path: Path, make: Callable[[Path], object], message: str
) -> None:
    make(tmp_path / "x")
    with pytest.raises(InputError, match=message):
        open_results(tmp_path / "x")


def test_a_verdict_that_makes_no_sense_is_refused(out: Path) -> None:
    results = open_results(out)
    with (
        served(lambda port: reviewing_application(results, port, "out")) as url,
        httpx.Client(base_url=url) as client,
    ):
        from tests.ruiji.web.test_safety import headers_of

        headers = headers_of(client)
        for body in (
            {"verdict": "maybe"},
            {"verdict": "other"},
            {"verdict": "other", "other": "nonsense"},
            {"verdict": "right", "other": "mirror"},
            {},
        ):
            assert client.post("/api/items/0", json=body, headers=headers).status_code in (400, 409)
        assert client.post("/api/items/77", json={"verdict": "right"}, headers=headers).status_code == 404
        assert (
            client.post(
                "/api/items/0", json={"verdict": "right"}, headers=headers | {"Origin": "http://evil.example"}
            ).status_code
            == 403
        )
    assert not (out / "verdicts.jsonl").exists()
