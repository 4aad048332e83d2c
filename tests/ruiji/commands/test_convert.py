"""``ruiji convert`` to the standard format, and what ``ruiji detect`` makes of it."""

from __future__ import annotations

import io
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ruiji.__main__ import main
from ruiji.corpora import MINIWEB
from ruiji.corpora.standard_format import LinkEntry, Sentence, StandardDocument, write_standard_format
from ruiji.detector import normalise
from tests.corpora.documents import read_documents


def test_standard_format_knows_the_links_between_its_pages(tmp_path: Path) -> None:
    pages = tmp_path / "site"
    pages.mkdir()
    (pages / "a.html").write_text(
        "<title>a</title><p>京都市左京区の店。<p>京都市左京区の駅。<p><a href=b.html>京都市</a><a "
        "href=c.html>左京区</a>",
        "utf-8",
    )
    (pages / "b.html").write_text(
        "<title>b</title><p>戻る？はい！戻る。<a href=a.html>前</a> <a href=http://x.example/>外</a>", "utf-8"
    )
    for destination in (tmp_path / "all.xml", tmp_path / "again.xml"):
        source = pages if destination.name == "all.xml" else tmp_path / "all.xml"
        assert main(["convert", str(source), "--to", "standard-format", "-q", "-o", str(destination)]) == 0
    first, second = read_documents(tmp_path / "all.xml")
    assert [sentence.text for sentence in first.sentences] == [
        "京都市左京区の店。",
        "京都市左京区の駅。",
        "京都市左京区",
    ]
    assert [(link.text, link.url, link.id) for link in first.out_links] == [
        ("京都市", "b.html", "b.html"),
        ("左京区", "c.html", ""),
    ]
    assert [(link.text, link.id) for link in first.in_links] == [("前", "b.html")]
    assert [(link.text, link.id) for link in second.in_links] == [("京都市", "a.html")]
    assert (tmp_path / "again.xml").read_bytes() == (tmp_path / "all.xml").read_bytes()


def test_detect_keeps_the_sentences_and_links_of_standard_format(tmp_path: Path) -> None:
    shared = "港町の朝は早い！市場には魚を運ぶ人の声がひびいている。"
    documents = [
        StandardDocument(
            f"http://{host}/{host}.html",
            "utf-8",
            host,
            [
                Sentence(1, shared, 0, 1, True),
                Sentence(2, f"{host}だけの文は長く続いていくのである。" * 2, 9, 9, True),
            ],
            links,
        )
        for host, links in (("alpha.com", [LinkEntry("次", "beta.org/beta.org.html")]), ("beta.org", []))
    ]
    write_standard_format(documents, tmp_path / "a.xml")
    assert (
        main(["detect", str(tmp_path / "a.xml"), "--filter", "none", "-q", "-o", str(tmp_path / "out")]) == 0
    )
    sentences = pq.read_table(tmp_path / "out/sentences.parquet")["text"].to_pylist()
    assert sentences == [
        normalise(sentence.text) for document in documents for sentence in document.sentences
    ]
    (pair,) = pq.read_table(tmp_path / "out/pairs.parquet").to_pylist()
    assert (pair["shared_sentences"], pair["link"], pair["category"]) == (1, "a_to_b", "citation")


def test_pages_of_a_site_make_pairs_in_standard_format_too(tmp_path: Path) -> None:
    shared = Sentence(1, "市場には魚を運ぶ人の声がひびいているのである。", 0, 1, True)
    own = "この文は{}にしかない長い文で、どこにも写しはない。"
    documents = [
        StandardDocument(
            f"http://www.alpha.com/{name}.html",
            "utf-8",
            name,
            [shared, *(Sentence(2, own.format(f"{name}{n}"), 9, 9, True) for n in range(9))],
        )
        for name in ("a", "b", "c")
    ]
    write_standard_format(documents, tmp_path / "a.xml")
    assert (
        main(
            [
                *("detect", str(tmp_path / "a.xml"), "--filter", "none", "--min-bits", "0", "-q"),
                *("-o", str(tmp_path / "out")),
            ]
        )
        == 0
    )
    assert pq.read_table(tmp_path / "out/pairs.parquet")["category"].to_pylist() == ["same_site"] * 3


def test_the_number_of_jobs_does_not_change_a_byte(tmp_path: Path) -> None:
    pages = [str(MINIWEB / site) for site in ("tabi-no-kakera.com", "fjordnotes.org", "wiki.umisachi.org")]
    for jobs in ("1", "2"):
        assert (
            main(
                [
                    "convert",
                    *pages,
                    "--to",
                    "standard-format",
                    "-q",
                    "--jobs",
                    jobs,
                    "-o",
                    str(tmp_path / f"{jobs}.xml"),
                ]
            )
            == 0
        )
    assert (tmp_path / "1.xml").read_bytes() == (tmp_path / "2.xml").read_bytes()
    assert sum(len(document.in_links) for document in read_documents(tmp_path / "1.xml")) > 0


def test_a_page_on_standard_input_is_a_collection_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO("<title>題</title><p>朝は早い。夜は遅い。".encode()))
    )
    assert main(["convert", "-", "--to", "standard-format", "-q", "-o", str(tmp_path / "a.xml")]) == 0
    (document,) = read_documents(tmp_path / "a.xml")
    assert [sentence.text for sentence in document.sentences] == ["朝は早い。", "夜は遅い。"]


def test_a_broken_page_costs_one_message_and_no_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/a.html").write_bytes(b"%PDF-1.7")
    (tmp_path / "pages/b.html").write_text(
        "<title>b</title><p>朝は早い。<a href=b.html>自分</a>", encoding="utf-8"
    )
    assert (
        main(["convert", str(tmp_path / "pages"), "--to", "standard-format", "-o", str(tmp_path / "a.xml")])
        == 1
    )
    assert "a.html" in capsys.readouterr().err
    (document,) = read_documents(tmp_path / "a.xml")
    assert (document.id, document.out_links, document.in_links) == (
        "",
        [LinkEntry("自分", "b.html", "b.html")],
        [],
    )
