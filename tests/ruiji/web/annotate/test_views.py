"""``ruiji annotate`` in a real browser: what a person does there, what is then in the files, and what hostile
pages cannot do.
"""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from ruiji.__main__ import main
from ruiji.chunker.annotation.examples import examples_of
from ruiji.chunker.annotation.reading import read_annotation
from ruiji.corpora import MINIWEB, InputError
from ruiji.corpora.reading import read_folder
from ruiji.features import text_nodes
from ruiji.web.annotate.notes import NOTES
from ruiji.web.annotate.views import annotating_application
from ruiji.web.annotate.workbook import Workbook
from tests.browser import needs_chromium, served
from tests.ruiji.web.conftest import Watched
from tests.ruiji.web.payloads import FILE_NAME, PAYLOADS, payload_page
from tests.ruiji.web.workbooks import make_workbook, texts_of

PAGE = """<!DOCTYPE html><html><head><title>港の朝</title></head><body>
<div id="nav"><ul><li><a href="/">ホーム</a></li><li><a href="/b">記事</a></li></ul></div>
<div
id="main"><h1>港の朝</h1><p>港町の朝は早い。まだ暗いうちから漁師たちが船を出し、市場には魚を運ぶ人の声がひびいている。</p>
<p>わたしたちは<b>駅前</b>のパン屋でコーヒーを買い、海岸までゆっくりと歩いていった。</p></div>
<div id="foot"><p>Copyright 2024 港新聞</p></div></body></html>
"""
BEGIN, END = "<!-- (((BEGIN NOT CONTENT -->", "<!-- )))END NOT CONTENT -->"


def folder_of(tmp_path: Path, pages: dict[str, str]) -> Path:
    folder = tmp_path / "pages"
    for name, html in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(html, encoding="utf-8")
    return folder


@contextmanager
def annotating(
    folder: Path, annotator: str = "hanako", filter_name: str = "none"
) -> Iterator[tuple[str, Workbook]]:
    workbook = make_workbook(folder, folder.with_name(folder.name + "-annotated") / annotator, filter_name)
    workbook.prepare()
    with served(lambda port: annotating_application(workbook, port)) as url:
        yield url, workbook


def open_page(tab: Watched, url: str, number: int = 0) -> None:
    tab.page.goto(f"{url}/page/{number}")
    tab.page.wait_for_selector("html[data-ready]")


def wait_saved(tab: Watched) -> None:
    tab.page.wait_for_selector("#status[data-state=saved]")


@needs_chromium
def test_a_block_is_marked_by_keyboard_and_the_comments_are_in_the_saved_file(
    tmp_path: Path, watched: Callable[..., Watched]
) -> None:
    folder = folder_of(tmp_path, {"host.example/a.html": PAGE})
    tab = watched()
    with annotating(folder) as (url, workbook):
        open_page(tab, url)
        tab.page.keyboard.press("ArrowDown")
        assert tab.page.inner_text("#excerpt").endswith("ホーム 記事")
        tab.page.keyboard.press("Space")
        wait_saved(tab)
        saved = (workbook.out / "host.example/a.html").read_text(encoding="utf-8")
        assert saved == PAGE.replace('<div id="nav">', BEGIN + '<div id="nav">').replace(
            "</ul></div>", "</ul></div>" + END
        )
        tab.page.keyboard.press("ArrowRight")
        tab.page.keyboard.press("ArrowRight")
        tab.page.keyboard.press("Space")
        wait_saved(tab)
        tab.page.keyboard.press("u")
        tab.page.wait_for_timeout(50)
        wait_saved(tab)
        assert (workbook.out / "host.example/a.html").read_text(encoding="utf-8") == saved  # undone
        tab.page.keyboard.press("r")
        tab.page.wait_for_timeout(50)
        wait_saved(tab)
        assert (workbook.out / "host.example/a.html").read_text(encoding="utf-8").count(
            BEGIN
        ) == 2  # and done again
        tab.page.keyboard.press("Enter")
        tab.page.wait_for_selector("#list .state.done")
        assert json.loads((workbook.out / NOTES).read_text(encoding="utf-8"))["done"] == [
            "host.example/a.html"
        ]
    assert (folder / "host.example/a.html").read_text(encoding="utf-8") == PAGE
    assert tab.foreign(url) == []
    assert tab.troubles == []


@needs_chromium
def test_a_block_is_marked_by_mouse(tmp_path: Path, watched: Callable[..., Watched]) -> None:
    folder = folder_of(tmp_path, {"a.html": PAGE})
    tab = watched()
    with annotating(folder) as (url, workbook):
        open_page(tab, url)
        box = tab.page.frame_locator("#frame").get_by_text("Copyright 2024").bounding_box()
        assert box is not None
        tab.page.mouse.click(box["x"] + 5, box["y"] + 5)
        assert tab.page.inner_text("#excerpt") == "content Copyright 2024 港新聞"
        tab.page.click("#toggle")
        wait_saved(tab)
        saved = (workbook.out / "a.html").read_text(encoding="utf-8")
        assert saved == PAGE.replace('<div id="foot">', BEGIN + '<div id="foot">').replace(
            "新聞</p></div>", "新聞</p></div>" + END
        )
        tinted = (
            tab.page.frame_locator("#frame")
            .locator("ruiji-t[off], [data-ruiji-off] ruiji-t")
            .all_inner_texts()
        )
        assert tinted == ["Copyright 2024 港新聞"]
        # A link of the page leads nowhere, whatever is clicked.
        link = tab.page.frame_locator("#frame").get_by_text("記事").bounding_box()
        assert link is not None
        tab.page.mouse.click(link["x"] + 5, link["y"] + 5)
        assert tab.page.url == f"{url}/page/0"
        assert tab.page.frames[1].url == f"{url}/frame/0"
    assert tab.troubles == []


@needs_chromium
def test_arrow_keys_go_through_the_tree_without_dead_ends(
    tmp_path: Path, watched: Callable[..., Watched]
) -> None:
    tab = watched()
    with annotating(folder_of(tmp_path, {"a.html": PAGE})) as (url, _):
        open_page(tab, url)

        def after(*keys: str) -> str:
            for key in keys:
                tab.page.keyboard.press(key)
            return tab.page.inner_text("#excerpt").removeprefix("content ")

        assert after("ArrowDown") == "ホーム 記事"
        assert after("ArrowDown") == "ホーム"
        assert after("ArrowRight") == "記事"
        assert after("ArrowRight").startswith("港の朝 港町")  # the sibling of the block around it
        assert after("ArrowDown") == "港の朝"
        assert after("ArrowRight", "ArrowRight", "ArrowDown", "ArrowRight") == "駅前"
        assert after("ArrowUp").startswith("わたしたちは 駅前 のパン屋")
        assert after("ArrowUp", "ArrowUp").startswith("ホーム 記事 港の朝")


@needs_chromium
def test_one_decision_for_the_whole_site_and_its_undo(
    tmp_path: Path, watched: Callable[..., Watched]
) -> None:
    other = PAGE.replace("港の朝", "浜の夜").replace("港町の朝は早い。", "")
    folder = folder_of(
        tmp_path, {"h.example/a.html": PAGE, "h.example/b.html": other, "i.example/c.html": PAGE}
    )
    tab = watched()
    with annotating(folder) as (url, workbook):
        open_page(tab, url, 1)
        tab.page.keyboard.press("Space")
        tab.page.wait_for_selector("#notice")  # nothing is selected yet
        open_page(tab, url, 1)
        tab.page.keyboard.press("ArrowDown")
        tab.page.keyboard.press("Space")
        wait_saved(tab)
        before = [sheet.labels.tolist() for sheet in workbook.sheets]
        tab.page.keyboard.press("a")
        tab.page.get_by_text("changed on 1 pages of this site").wait_for()
        assert workbook.sheets[0].labels.tolist() == [1, 2] + [0] * (len(before[0]) - 2)
        assert workbook.sheets[2].labels.tolist() == before[2]  # another site
        assert not (workbook.out / "h.example/a.html").exists()  # nobody has looked at it yet
        tab.page.keyboard.press("u")
        tab.page.wait_for_selector("#redo:not([disabled])")
        wait_saved(tab)
        assert [sheet.labels.tolist() for sheet in workbook.sheets] == before


def test_a_rule_reaches_saved_pages_and_pages_of_a_later_session(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {"h.example/a.html": PAGE, "h.example/b.html": PAGE})
    out = tmp_path / "out" / "hanako"
    workbook = make_workbook(folder, out)
    workbook.prepare()
    nodes = text_nodes(workbook.sheets[0].file.read())
    workbook.put(1, workbook.sheets[1].labels)
    footer = next(element for element, name in nodes.names or () if name == "foot")
    assert workbook.apply(0, footer, content=False)["pages"] == 2
    marked = [example.labels.tolist() for example in examples_of(list(read_folder(out)))]
    assert [labels[-1] for labels in marked] == [1, 1]
    (out / "h.example/a.html").unlink()
    again = make_workbook(folder, out)
    again.prepare()
    assert [sheet.labels[-1] for sheet in again.sheets] == [1, 1]
    assert [sheet.origin for sheet in again.sheets] == ["model", "saved"]


def test_pages_are_sorted_by_uncertainty_and_annotated_pages_keep_their_regions(tmp_path: Path) -> None:
    shutil.copytree(MINIWEB / "tabi-no-kakera.com", tmp_path / "pages" / "tabi-no-kakera.com")
    workbook = make_workbook(tmp_path / "pages", tmp_path / "out" / "a", "blocks")
    workbook.prepare()
    uncertain = [workbook.sheets[number].uncertainty for number in workbook.by_uncertainty()]
    assert uncertain == sorted(uncertain, reverse=True)
    assert uncertain[0] > uncertain[-1]
    for page, sheet in zip(read_folder(tmp_path / "pages"), workbook.sheets, strict=True):
        (example,) = examples_of([page])
        assert sheet.labels.tolist() == example.labels.tolist()
        assert sheet.origin == "page"


def test_saving_a_page_of_any_encoding_changes_nothing_but_comments(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    shutil.copytree(MINIWEB / "www2.nagisanet.ne.jp", folder / "www2.nagisanet.ne.jp")
    workbook = make_workbook(folder, tmp_path / "out" / "a", "blocks")
    for number, sheet in enumerate(workbook.sheets):
        workbook.opened(number)
        workbook.put(number, sheet.labels)
        comments = re.compile(rb"<!-- (?:\(\(\(BEGIN|\)\)\)END) NOT CONTENT -->")
        assert comments.sub(b"", (workbook.out / sheet.name).read_bytes()) == comments.sub(
            b"", sheet.file.path.read_bytes()
        )


def test_two_annotators_have_their_own_folders_and_their_agreement(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {"h.example/a.html": PAGE, "h.example/b.html": PAGE})
    size = len(text_nodes(next(read_folder(folder))))
    books = [make_workbook(folder, tmp_path / "out" / name) for name in ("hanako", "taro")]
    for book, off in zip(books, (2, 4), strict=True):
        labels = book.opened(0).labels.copy()
        labels[:off] = [1] + [2] * (off - 1)
        book.put(0, labels)
    found = books[0].agreements()["taro"]
    assert size > 4
    assert found.total.node_agreement == pytest.approx(2 * 2 / (2 + 4))
    assert list(found.by_page) == ["h.example/a.html"]
    with served(lambda port: annotating_application(books[0], port)) as url:
        (row,) = httpx.get(f"{url}/api/agreement").json()["rows"]
    assert (row["annotator"], row["pages"], row["by_region"]) == ("taro", 1, 0.0)


def test_what_was_annotated_can_be_learned_from(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {f"{host}.example/{name}.html": PAGE for host in "hi" for name in "ab"})
    workbook = make_workbook(folder, tmp_path / "out" / "hanako")
    for number in range(3):
        labels = workbook.opened(number).labels.copy()
        labels[:2] = [1, 2]
        workbook.put(number, labels, done=True)
    assert workbook.progress() == {"pages": 4, "ready": 3, "saved": 3, "done": 3}
    assert main(["train", str(workbook.out), "-o", str(tmp_path / "model"), "-q"]) == 0
    assert (tmp_path / "model" / "card.json").is_file()


def test_urls_are_kept_for_training(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {"a.html": PAGE, "h.example/b.html": PAGE})
    listed = "a.html\thttp://h.example/x\t2024-01-01\nh.example/b.html\thttp://h.example/b.html\t2024-02-02\n"
    (folder / "urls.tsv").write_text(listed, encoding="utf-8")
    workbook = make_workbook(folder, tmp_path / "out" / "hanako")
    for number in range(2):
        workbook.put(number, workbook.opened(number).labels)
    kept = [(page.url, page.last_modified) for page in read_folder(workbook.out)]
    assert kept == [("http://h.example/x", "2024-01-01"), ("http://h.example/b.html", "2024-02-02")]


@needs_chromium
def test_no_payload_runs_and_no_request_leaves(tmp_path: Path, watched: Callable[..., Watched]) -> None:
    pages = {f"{name}-{FILE_NAME}": payload_page(payload) for name, payload in PAYLOADS.items()}
    folder = folder_of(tmp_path, pages | {"style.css": "p{background:url(http://evil.example/x.png)}"})
    tab = watched()
    with annotating(folder, filter_name="blocks") as (url, workbook):
        tab.page.goto(f"{url}/")
        tab.page.wait_for_selector("#list tbody tr")
        assert tab.page.evaluate("window.__ruined") is None
        for number, sheet in enumerate(workbook.sheets):
            open_page(tab, url, number)
            frame = tab.page.frames[1]
            shown = frame.locator("ruiji-t, tspan[data-n]").evaluate_all(
                "texts => texts.map(text => [text.dataset.n, text.textContent])"
            )
            assert shown == [[str(place), text] for place, text in enumerate(texts_of(workbook, number))], (
                sheet.name
            )
            for place in ((40, 120), (200, 200), (100, 300)):
                tab.page.mouse.dblclick(*place)
            assert tab.page.evaluate("window.__ruined") is None, sheet.name
            assert tab.troubles == [], sheet.name
            tab.page.goto(f"{url}/frame/{number}")  # also where it is opened by itself
            assert tab.foreign(url) == [], sheet.name


@needs_chromium
def test_a_browser_finds_every_text_node_of_the_mini_web_under_its_number(
    watched: Callable[..., Watched], tmp_path: Path
) -> None:
    tab = watched()
    workbook = make_workbook(MINIWEB, tmp_path / "hanako")
    with served(lambda port: annotating_application(workbook, port)) as url:
        tab.page.goto(f"{url}/")
        numbers = list(range(0, len(workbook.sheets), 4))
        read = """async numbers => {
          const frame = document.createElement('iframe'), found = [];
          frame.sandbox = 'allow-same-origin';
          document.body.append(frame);
          for (const number of numbers) {
            await new Promise(done => { frame.onload = done; frame.src = '/frame/' + number; });
            const texts = frame.contentDocument.querySelectorAll('ruiji-t, tspan[data-n]');
            found.push([...texts].map(text => text.textContent));
          }
          return found;
        }"""
        found = tab.page.evaluate(read, numbers)
        for number, texts in zip(numbers, found, strict=True):
            assert texts == list(texts_of(workbook, number)), workbook.sheets[number].name
    assert tab.foreign(url) == []


@needs_chromium
def test_a_copy_that_the_browser_rearranged_is_asked_for_under_neutral_names(
    tmp_path: Path, watched: Callable[..., Watched]
) -> None:
    tab = watched()
    with annotating(folder_of(tmp_path, {"a.html": PAGE}), filter_name="blocks") as (url, workbook):
        broken = httpx.get(f"{url}/frame/0").text.replace('data-n="1"', 'data-n="0"', 1)
        tab.page.route(
            re.compile(r"/frame/0$"),
            lambda route: route.fulfill(body=broken, content_type="text/html; charset=utf-8"),
        )
        open_page(tab, url)
        assert tab.page.frames[1].url.endswith("?neutral=1")
        frame = tab.page.frame_locator("#frame")
        assert frame.locator("ruiji-t").all_text_contents() == list(texts_of(workbook, 0))
        assert frame.locator("ruiji-h1").count() == 1
        uncertain = [
            int(number)
            for number in frame.locator("ruiji-t[uncertain]").evaluate_all(
                "texts => texts.map(text => text.dataset.n)"
            )
        ]
        assert uncertain == workbook.sheets[0].uncertain  # outlined
        assert uncertain
        tab.page.keyboard.press("Tab")
        assert tab.page.inner_text("#excerpt").endswith(texts_of(workbook, 0)[uncertain[0]])


@needs_chromium
def test_help_language_and_theme(tmp_path: Path, watched: Callable[..., Watched]) -> None:
    tab = watched(locale="ja-JP")
    with annotating(folder_of(tmp_path, {"a.html": PAGE})) as (url, _):
        tab.page.goto(f"{url}/")
        tab.page.wait_for_selector("#list .state.new")
        assert tab.page.inner_text("#list .state.new") == "未着手"
        tab.page.keyboard.press("?")
        assert tab.page.get_by_role("dialog").is_visible()
        tab.page.keyboard.press("Escape")
        tab.page.click("#language")
        tab.page.get_by_text("0 of 1 pages done").wait_for()
        tab.page.reload()
        tab.page.get_by_text("0 of 1 pages done").wait_for()  # the choice is kept
        tab.page.click("#theme")
        assert "force-dark" in (tab.page.get_attribute("html", "class") or "")
        tab.page.goto(f"{url}/page/7")
        assert "there is no such page" in tab.page.inner_text("main")
        tab.page.get_by_text("To the start").click()
        tab.page.wait_for_selector("#list tbody tr")


def test_the_command_prints_its_address_and_ends_well_when_interrupted(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {"a.html": PAGE})
    command = [
        sys.executable,
        "-m",
        "ruiji",
        "annotate",
        str(folder),
        "--port",
        "0",
        "--annotator",
        "taro",
        "-q",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", url)
        assert httpx.get(url, timeout=60).status_code == 200
        assert str(tmp_path / "pages-annotated" / "taro") in httpx.get(url).text
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_a_folder_that_cannot_be_annotated_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["annotate", str(tmp_path / "nowhere")]) == 2
    assert "there is no such folder" in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    assert main(["annotate", str(tmp_path / "empty")]) == 2
    assert "holds no" in capsys.readouterr().err
    folder = folder_of(tmp_path, {"a.html": PAGE})
    assert main(["annotate", str(folder), "--annotator", "../x"]) == 2
    assert "name of a folder" in capsys.readouterr().err
    with pytest.raises(InputError, match="must not be written over"):
        make_workbook(folder, folder)


def test_a_bad_page_is_listed_with_its_reason_and_the_rest_works(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {"a.html": PAGE, "b.html": "", "c.html": "%PDF-1.4 not a page"})
    with annotating(folder) as (url, _):
        rows = {row["name"]: row for row in httpx.get(f"{url}/api/pages").json()["rows"]}
        assert rows["a.html"]["state"] == "new"
        assert rows["b.html"]["error"] == "the page is empty (0 bytes)"
        assert rows["c.html"]["state"] == "error"
        assert httpx.get(f"{url}/frame/1").status_code == 404
    page = next(read_folder(folder))
    assert read_annotation(page, text_nodes(page)) == []


@needs_chromium
def test_a_click_beside_the_text_selects_the_block_around_it(
    tmp_path: Path, watched: Callable[..., Watched]
) -> None:
    inner = "<div style='padding:60px;width:400px'><p style='margin:0'>a</p><p>b</p></div>"
    page = f"<body style='margin:0'><div style='padding:60px'>{inner}</div><p>c"
    tab = watched()
    with annotating(folder_of(tmp_path, {"a.html": page})) as (url, _):
        open_page(tab, url)
        frame = tab.page.locator("#frame").bounding_box()
        assert frame is not None
        for place, excerpt in (
            ((20, 20), "content a b"),
            ((100, 100), "content a b"),
            ((130, 122), "content a"),
        ):
            tab.page.mouse.click(frame["x"] + place[0], frame["y"] + place[1])
            assert tab.page.inner_text("#excerpt") == excerpt, place
    assert tab.troubles == []


@needs_chromium
def test_a_text_of_a_large_page_that_the_browser_moved_is_noticed_when_it_is_used(
    tmp_path: Path, watched: Callable[..., Watched]
) -> None:
    page = "<title>large</title>" + "".join(f"<p>paragraph {number}</p>" for number in range(10_100))
    tab = watched()
    with annotating(folder_of(tmp_path, {"a.html": page})) as (url, _):
        broken = httpx.get(f"{url}/frame/0").text.replace('data-n="1"', 'data-n="x"', 1)
        broken = broken.replace('data-n="2"', 'data-n="1"', 1).replace('data-n="x"', 'data-n="2"', 1)
        tab.page.route(
            re.compile(r"/frame/0$"),
            lambda route: route.fulfill(body=broken, content_type="text/html; charset=utf-8"),
        )
        open_page(tab, url)
        assert tab.page.frames[1].url.endswith("/frame/0")
        tab.page.keyboard.press("ArrowRight")
        tab.page.keyboard.press("ArrowRight")
        tab.page.wait_for_selector("#frame[src$='?neutral=1']")
        tab.page.keyboard.press("ArrowRight")
        assert tab.page.inner_text("#excerpt") == "content paragraph 2"
