"""``--filter unique``: the pages are read twice, in two passes that agree with the extractor itself."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from ruiji.__main__ import main
from ruiji.chunker.crf.folder import ModelError
from ruiji.chunker.filters import load_filter
from ruiji.chunker.fitting import fit_extractor
from ruiji.chunker.unique.estimator import UniquenessExtractor
from ruiji.chunker.unique.folder import save_extractor
from ruiji.corpora import MINIWEB
from ruiji.corpora.sources import NamedPages
from ruiji.detector.pairs.run import page_groups
from tests.factories import make_nodes

HOST = "news.example"
MENU = "<ul><li><a href=/>ホーム</a><li><a href=/about>会社案内</a></ul>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small site as a mirroring tool saves it, and a page that is alone on another."""
    for number in range(5):
        path = tmp_path / "pages" / HOST / f"{number}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"<meta charset=utf-8><body>{MENU}<p>港の記事の第{number}号は潮の話である。</p></body>",
            encoding="utf-8",
        )
    path = tmp_path / "pages" / "alone.example" / "index.html"
    path.parent.mkdir()
    path.write_text(
        "<meta charset=utf-8><p>この頁のほかには何もない、と書いてあるだけの長い頁である。</p>",
        encoding="utf-8",
    )
    return tmp_path / "pages"


def records(output: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_extract_keeps_what_other_pages_do_not_have(
    folder: Path, tmp_path: Path, jobs: str, capfd: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out.jsonl"
    assert main(["extract", "--filter", "unique", "--jobs", jobs, str(folder), "-o", str(output)]) == 0
    texts = [record["text"] for record in records(output)]
    assert texts[0] == "この頁のほかには何もない、と書いてあるだけの長い頁である。"
    assert texts[1:] == [f"港の記事の第{number}号は潮の話である。" for number in range(5)]
    assert "1 page is alone on the site" in capfd.readouterr().err


def test_groups_of_a_detect_run_are_not_compared(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for number in range(5):  # a short article at two addresses, too short for the extractor itself to tell
        twin = folder / HOST / f"{number}b.html"
        twin.write_text(
            (folder / HOST / f"{number}.html").read_text(encoding="utf-8").replace("潮の話", "潮のお話"),
            encoding="utf-8",
        )
        (folder / HOST / f"{number}.html").write_text(
            twin.read_text(encoding="utf-8").replace("</body>", "<p>二つめ</p></body>")
        )
    table: dict[str, list[object]] = {"group": [], "url": [], "keep": []}
    for number in range(5):
        for name in (f"{number}.html", f"{number}b.html"):
            table["group"].append(number)
            table["url"].append(f"http://{HOST}/{name}")
            table["keep"].append(name.endswith("b.html"))
    (tmp_path / "out").mkdir()
    parquet.write_table(pa.table(table), tmp_path / "out" / "groups.parquet")
    assert (
        main(
            [
                "extract",
                "--filter",
                "unique",
                "--groups",
                str(tmp_path / "out"),
                str(folder),
                "-o",
                str(tmp_path / "a.jsonl"),
            ]
        )
        == 0
    )
    assert "第0号" in str(records(tmp_path / "a.jsonl")[1]["text"])
    groups = page_groups(tmp_path / "out")
    extractor = fit_extractor(NamedPages((str(folder),)), groups=groups).extractor
    of = {name: number for number, name in enumerate(extractor.names_)}
    assert extractor.twins_.of(of[f"{HOST}/0.html"]).tolist() == [of[f"{HOST}/0b.html"]]
    assert main(["extract", "--filter", "unique", "--groups", str(folder), str(folder)]) == 2
    assert "not the output of ruiji detect" in capfd.readouterr().err
    assert main(["extract", "--filter", "blocks", "--groups", str(tmp_path / "out"), str(folder)]) == 2
    assert "--groups goes with --filter unique" in capfd.readouterr().err


def test_extract_takes_a_saved_extractor(folder: Path, tmp_path: Path) -> None:
    pages = [
        make_nodes((folder / HOST / f"{number}.html").read_bytes(), url=f"http://{HOST}/{number}.html")
        for number in range(4)
    ]
    save_extractor(UniquenessExtractor().fit(pages), tmp_path / "saved")
    output = tmp_path / "out.jsonl"
    assert (
        main(
            [
                "extract",
                "--filter",
                "unique",
                "--model",
                str(tmp_path / "saved"),
                str(folder / HOST),
                "-o",
                str(output),
            ]
        )
        == 0
    )
    assert len(records(output)) == 5


def test_a_page_on_standard_input_cannot_be_read_twice(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", "--filter", "unique", "-"]) == 2
    assert "reads the pages twice" in capfd.readouterr().err


def test_a_folder_that_is_no_extractor_is_named(
    tmp_path: Path, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["extract", "--filter", "unique", "--model", str(folder), str(folder)]) == 2
    assert "card.json" in capfd.readouterr().err
    with pytest.raises(ModelError, match="learns from a collection"):
        load_filter("unique")


def test_evaluate_scores_the_filter(tmp_path: Path) -> None:
    output = tmp_path / "scores.json"
    assert (
        main(["evaluate", "--filter", "unique", "-q", str(MINIWEB / "fjordnotes.org"), "-o", str(output)])
        == 0
    )
    result = json.loads(output.read_text())
    assert result["metrics"]["word_F1"] > 0.9
    assert result["settings"]["filter"] == "unique"
    assert result["settings"]["model"] == ""


def test_the_mini_web_stays_above_its_floor(tmp_path: Path) -> None:
    """Without annotation; the rules were chosen with these pages in view, so this says that nothing broke and
    no more.
    """
    assert (
        main(["evaluate", str(MINIWEB), "--filter", "unique", "-o", str(tmp_path / "found.json"), "-q"]) == 0
    )
    metrics = json.loads((tmp_path / "found.json").read_text())["metrics"]
    assert metrics["block_F"] >= 0.95
    assert metrics["word_F1"] >= 0.97
