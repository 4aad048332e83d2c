"""``ruiji records`` on the command line: what it writes, that it writes the same again, change notices, a
user's schema, faults.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ruiji.__main__ import main

HEAD = "<html><head><meta charset=utf-8><title>スタッフ</title></head><body><h1>スタッフ</h1>"
PROSE = "<p>面会を希望される方は、あらかじめ担当の者までご連絡くださいますようお願いいたします。</p>"


def staff(*rows: tuple[str, str, str]) -> str:
    cells = "".join(f"<tr><td>{name}</td><td>{post}</td><td>{ext}</td></tr>" for name, post, ext in rows)
    return (
        f"{HEAD}{PROSE}<table><tr><th>氏名</th><th>職名</th><th>内線</th></tr>{cells}</table></body></html>"
    )


def cards(*rows: tuple[str, str, str]) -> str:
    parts = "".join(
        f"<div class=card><h3>{name}</h3><p>役職：{post}</p><p>内線番号：{ext}</p></div>"
        for name, post, ext in rows
    )
    return f"{HEAD}{PROSE}{parts}</body></html>"


ONE = (("髙橋 美沙", "教授", "3445"), ("山田 太郎", "准教授", "3446"))
OTHER = (("高橋 美沙", "教授", "3454"), ("山田 太郎", "准教授", "3446"))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for host, html in (("www.x-u.ac.jp", staff(*ONE)), ("cs.x-u.ac.jp", cards(*OTHER))):
        (tmp_path / "site" / host).mkdir(parents=True)
        (tmp_path / "site" / host / "staff.html").write_text(html, encoding="utf-8")
    return tmp_path / "site"


def conflicts(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "conflicts.jsonl").read_text(encoding="utf-8").splitlines()]


def test_it_writes_what_the_interface_promises(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["records", str(site), "-o", str(out), "--jobs", "1", "-q"]) == 0
    pairs = pq.read_table(out / "correspondences.parquet")
    assert pairs.column_names[:5] == ["url_a", "path_a", "url_b", "path_b", "score"]
    assert len(pairs) == 2
    assert pairs["path_a"][0].as_py().startswith("/html/body/div")
    rows = conflicts(out)
    assert list(rows[0])[:10] == [
        "id",
        "kind",
        "field",
        "value_a",
        "value_b",
        "url_a",
        "url_b",
        "time_a",
        "time_b",
        "confidence",
    ]
    assert [(row["kind"], row["field"], row["value_a"], row["value_b"]) for row in rows] == [
        ("conflict", "内線", "3454", "3445"),
        ("variant", "氏名", "高橋 美沙", "髙橋 美沙"),
    ]
    assert rows[0]["quote_a"] == "高橋 美沙 … 内線番号：3454"
    assert rows[0]["slip"]
    records = pq.read_table(out / "records.parquet").to_pylist()
    assert {row["label"] for row in records} == {"髙橋 美沙", "高橋 美沙", "山田 太郎"}
    assert {row["kind"] for row in records} == {"person"}
    assert (
        json.loads((out / "run.json").read_text(encoding="utf-8"))["counts"]["contradictions"]["conflict"]
        == 1
    )
    assert "内線: 3454 | 3445" in capsys.readouterr().out


def test_the_bytes_are_the_same_for_any_number_of_jobs_and_any_order(site: Path, tmp_path: Path) -> None:
    pages = [
        {"url": f"http://{path.parent.name}/staff.html", "html": path.read_text(encoding="utf-8")}
        for path in sorted(site.glob("*/*.html"))
    ]
    for name, ordered in (("forth", pages), ("back", pages[::-1])):
        (tmp_path / f"{name}.jsonl").write_text(
            "".join(json.dumps(page) + "\n" for page in ordered), encoding="utf-8"
        )
    for name, source, jobs in (("a", "forth.jsonl", "1"), ("b", "back.jsonl", "2")):
        assert (
            main(["records", str(tmp_path / source), "-o", str(tmp_path / name), "--jobs", jobs, "-q"]) == 0
        )
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "b").iterdir())
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_a_rerun_tells_what_is_new(site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    assert main(["records", str(site), "-o", str(old), "--jobs", "1", "-q"]) == 0
    (site / "cs.x-u.ac.jp" / "staff.html").write_text(
        cards(OTHER[0], ("山田 太郎", "教授", "3446")), encoding="utf-8"
    )
    assert main(["records", str(site), "-o", str(new), "--jobs", "1", "-q", "--since", str(old)]) == 0
    fresh = [json.loads(line) for line in (new / "new.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(row["kind"], row["field"], row["value_a"]) for row in fresh] == [("conflict", "職名", "教授")]
    assert {row["id"] for row in conflicts(old)} < {row["id"] for row in conflicts(new)}
    assert main(["records", str(site), "-o", str(old), "--since", str(old), "-q", "--jobs", "1"]) == 2
    assert "give -o another one" in capsys.readouterr().err


def test_two_crawls_date_the_pages_by_what_changed(site: Path, tmp_path: Path) -> None:
    """Section 3.1.3: where a page has no other time, it is as old as the first crawl that found it so."""
    old, new = tmp_path / "old", tmp_path / "new"
    common = ["--jobs", "1", "-q"]
    assert main(["records", str(site), "-o", str(old), "--crawled", "2024-01-05", *common]) == 0
    (site / "cs.x-u.ac.jp" / "staff.html").write_text(cards(OTHER[0]), encoding="utf-8")
    again = ["--crawled", "2025-02-06", "--since", str(old)]
    assert main(["records", str(site), "-o", str(new), *again, *common]) == 0
    times = {
        row["url"].split("/")[2]: (row["time"][:10], row["time_source"])
        for row in pq.read_table(new / "pages.parquet").to_pylist()
    }
    assert times == {"cs.x-u.ac.jp": ("2025-02-06", "crawl"), "www.x-u.ac.jp": ("2024-01-05", "crawls")}
    with pytest.raises(SystemExit):
        main(["records", str(site), "-o", str(new), "--crawled", "some day"])


def test_one_mistake_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """However many pages say the other thing: they are listed with it."""
    for number, extension in enumerate(("3454", "3445", "3445", "3445")):
        page = tmp_path / "site" / f"n{number}.x-u.ac.jp" / "staff.html"
        page.parent.mkdir(parents=True)
        page.write_text(staff(("高橋 美沙", f"教授{' ' * number}", extension)), encoding="utf-8")
    out = tmp_path / "out"
    assert main(["records", str(tmp_path / "site"), "-o", str(out), "--jobs", "1", "-q"]) == 0
    assert len({row["set"] for row in conflicts(out)}) == 1
    told = capsys.readouterr().out
    assert told.count("内線: 34") == 1
    assert (out / "report.html").read_text(encoding="utf-8").count('<tr class="conflict">') == 2


def test_section_5_2_a_change_is_noticed_with_the_pages_that_still_say_the_old(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    assert main(["records", str(site), "-o", str(old), "--jobs", "1", "-q"]) == 0
    (site / "www.x-u.ac.jp" / "staff.html").write_text(
        staff(("髙橋　美沙", "教授", "3445"), ("山田 太郎", "教授", "3446"), ("森 彩", "助教", "3450")),
        encoding="utf-8",
    )
    assert main(["records", str(site), "-o", str(new), "--jobs", "1", "-q"]) == 0
    capsys.readouterr()
    assert main(["records", "changes", str(old), str(new)]) == 0
    told = capsys.readouterr().out
    assert "山田 太郎  職名: 准教授 → 教授" in told
    assert "still 准教授: http://cs.x-u.ac.jp/staff.html" in told
    assert "森 彩: added" in told
    assert "髙橋 美沙 → 髙橋　美沙 (another notation)" in told
    assert main(["records", "changes", str(old), str(new), "-o", str(tmp_path / "notices.jsonl")]) == 0
    notices = [
        json.loads(line) for line in (tmp_path / "notices.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert {notice["kind"] for notice in notices} == {"changed", "added", "rewritten"}
    assert main(["records", "changes", str(old), str(old)]) == 0
    assert capsys.readouterr().out == "nothing changed\n"


def test_a_users_schema_comes_before_ours(tmp_path: Path) -> None:
    for host, label, value in (("a", "座席", "A-1"), ("b", "島番号", "A-2")):
        (tmp_path / "site" / host).mkdir(parents=True)
        head = f"<tr><th>氏名</th><th>{label}</th><th>メール</th></tr>"
        row = f"<tr><td>山田 太郎</td><td>{value}</td><td>y@x.example.jp</td></tr>"
        page = f"{HEAD}{PROSE}<table>{head}{row}</table>"
        (tmp_path / "site" / host / "p.html").write_text(page, encoding="utf-8")
    schema = tmp_path / "schema.toml"
    schema.write_text(
        '[[fields]]\nlabel = "席"\nsynonyms = ["座席", "島番号"]\nkind = "code"\n', encoding="utf-8"
    )
    assert (
        main(["records", str(tmp_path / "site"), "-o", str(tmp_path / "without"), "--jobs", "1", "-q"]) == 0
    )
    assert conflicts(tmp_path / "without") == []
    assert (
        main(
            [
                "records",
                str(tmp_path / "site"),
                "-o",
                str(tmp_path / "with"),
                "--jobs",
                "1",
                "-q",
                "--schema",
                str(schema),
            ]
        )
        == 0
    )
    assert [(row["kind"], row["value_a"], row["value_b"]) for row in conflicts(tmp_path / "with")] == [
        ("conflict", "A-1", "A-2")
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not a schema"),
        ("{}", "fields"),
        ('{"fields": [{}]}', "label"),
        ('{"fields": [{"label": "席", "kind": "sofa"}]}', "the kind of 席 is sofa"),
        ('{"fields": [{"label": "席", "colour": 1}]}', "colour"),
    ],
)
def test_a_faulty_schema_is_said_in_one_sentence(
    content: str, said: str, site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "schema.json").write_text(content, encoding="utf-8")
    assert (
        main(
            [
                "records",
                str(site),
                "-o",
                str(tmp_path / "out"),
                "--schema",
                str(tmp_path / "schema.json"),
                "--jobs",
                "1",
            ]
        )
        == 2
    )
    assert said in capsys.readouterr().err


def test_faults_are_told_and_one_bad_page_stops_nothing(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "www.x-u.ac.jp" / "empty.html").write_bytes(b"")
    assert main(["records", str(site), "-o", str(tmp_path / "out"), "--jobs", "1"]) == 1
    assert (
        json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))["failed"][0]["error"]
        == "the page is empty (0 bytes)"
    )
    assert main(["records", str(site), "--jobs", "1"]) == 2
    assert main(["records", "changes", str(tmp_path), str(tmp_path / "out")]) == 2
    with pytest.raises(SystemExit, match="2"):
        main(["records", "changes", str(tmp_path)])
    assert main(["records", "-q", "changes", str(tmp_path), str(tmp_path / "out")]) == 2
    assert "no results of ruiji records there" in capsys.readouterr().err


def test_the_report_marks_what_differs_and_escapes_what_pages_say(site: Path, tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>".replace("<", "&lt;")
    (site / "www.x-u.ac.jp" / "staff.html").write_text(
        staff(("髙橋 美沙", f"教授{evil}", "3445")), encoding="utf-8"
    )
    out = tmp_path / "out"
    assert main(["records", str(site), "-o", str(out), "--jobs", "1", "-q"]) == 0
    report = (out / "report.html").read_text(encoding="utf-8")
    assert "34<mark>54</mark>" in report
    assert "<script>" not in report
    assert "&lt;script" in report


def test_the_report_can_be_written_anew_in_one_language(site: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["records", str(site), "-o", str(out), "--jobs", "1", "-q"]) == 0
    assert main(["report", str(out), "-o", str(tmp_path / "ja.html"), "--lang", "ja", "-q"]) == 0
    text = (tmp_path / "ja.html").read_text(encoding="utf-8")
    assert '<html lang="ja">' in text
    assert "内線" in text
    assert "contradict each other" not in text
