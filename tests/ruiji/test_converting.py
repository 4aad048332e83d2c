"""``ruiji convert`` to the standard format, and what ``ruiji detect`` makes of it."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq

from corpora.standard_format import Document, Link, Sentence, read_documents, write_standard_format
from detector import normalise
from ruiji.__main__ import main


def test_standard_format_knows_the_links_between_its_pages(tmp_path: Path) -> None:
    pages = tmp_path / "site"
    pages.mkdir()
    (pages / "a.html").write_text(
        "<title>a</title><p>京都市左京区の店。<p>京都市左京区の駅。<p><a href=b.html>京都市</a><a href=c.html>左京区</a>", "utf-8"
    )
    (pages / "b.html").write_text("<title>b</title><p>戻る？はい！戻る。<a href=a.html>前</a> <a href=http://x.example/>外</a>", "utf-8")
    for destination in (tmp_path / "all.xml", tmp_path / "again.xml"):
        source = pages if destination.name == "all.xml" else tmp_path / "all.xml"
        assert main(["convert", str(source), "--to", "standard-format", "-q", "-o", str(destination)]) == 0
    first, second = read_documents(tmp_path / "all.xml")
    assert [sentence.text for sentence in first.sentences] == ["京都市左京区の店。", "京都市左京区の駅。", "京都市左京区"]
    assert [(link.text, link.url, link.id) for link in first.out_links] == [("京都市", "b.html", "b.html"), ("左京区", "c.html", "")]
    assert [(link.text, link.id) for link in first.in_links] == [("前", "b.html")]
    assert [(link.text, link.id) for link in second.in_links] == [("京都市", "a.html")]
    assert (tmp_path / "again.xml").read_bytes() == (tmp_path / "all.xml").read_bytes()


def test_detect_keeps_the_sentences_and_links_of_standard_format(tmp_path: Path) -> None:
    shared = "港町の朝は早い！市場には魚を運ぶ人の声がひびいている。"
    documents = [
        Document(
            f"http://{host}/{host}.html",
            "utf-8",
            host,
            [Sentence(1, shared, 0, 1, True), Sentence(2, f"{host}だけの文は長く続いていくのである。" * 2, 9, 9, True)],
            links,
        )
        for host, links in (("alpha.com", [Link("次", "beta.org/beta.org.html")]), ("beta.org", []))
    ]
    write_standard_format(documents, tmp_path / "a.xml")
    assert main(["detect", str(tmp_path / "a.xml"), "--filter", "none", "-q", "-o", str(tmp_path / "out")]) == 0
    sentences = pq.read_table(tmp_path / "out/sentences.parquet")["text"].to_pylist()
    assert sentences == [normalise(sentence.text) for document in documents for sentence in document.sentences]
    (pair,) = pq.read_table(tmp_path / "out/pairs.parquet").to_pylist()
    assert (pair["shared_sentences"], pair["link"], pair["category"]) == (1, "a_to_b", "citation")


def test_pages_of_a_site_make_pairs_in_standard_format_too(tmp_path: Path) -> None:
    shared = Sentence(1, "市場には魚を運ぶ人の声がひびいているのである。", 0, 1, True)
    own = "この文は{}にしかない長い文で、どこにも写しはない。"
    documents = [
        Document(
            f"http://www.alpha.com/{name}.html",
            "utf-8",
            name,
            [shared, *(Sentence(2, own.format(f"{name}{n}"), 9, 9, True) for n in range(9))],
        )
        for name in ("a", "b", "c")
    ]
    write_standard_format(documents, tmp_path / "a.xml")
    assert main(["detect", str(tmp_path / "a.xml"), "--filter", "none", "-q", "-o", str(tmp_path / "out")]) == 0
    assert pq.read_table(tmp_path / "out/pairs.parquet")["category"].to_pylist() == ["same_site"] * 3
