"""The standard format of Kang 2009: written, read, and the example of figure 8."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from ruiji.corpora.page import Page
from ruiji.corpora.reading import read_pages
from ruiji.corpora.standard_format import (
    LinkEntry,
    Sentence,
    StandardDocument,
    given_links,
    given_sentences,
    given_title_place,
    page_of_document,
    write_standard_format,
)
from ruiji.features.page.parsing import text_nodes
from tests.corpora.documents import read_documents

# Kang 2009, figure 8, with the end tag of InLink that the figure lacks.
FIGURE_8 = """<?xml version="1.0" encoding="utf-8" ?>
<StandardFormat Url="http://tabitano.main.jp/7kiyomizu.html" OriginalEncoding="shiftjis">
<Header>
<Title Offset="512" Length="39">
  <RawString>清水寺【京都旅楽トラベル】</RawString>
</Title>
<OutLinks>
  <OutLink>
    <RawString>錦天満宮</RawString>
    <DocIDs>
      <DocID Url="tabitano.main.jp/7nisikitenjin.html">0006141064</DocID>
    </DocIDs>
  </OutLink>
</OutLinks>
<InLinks>
<InLink>
  <RawString>清水寺</RawString>
  <DocIDs>
    <DocID Url="http://tabitano.main.jp/7hanatoro2.html">043533898</DocID>
    <DocID Url="http://tabitano.main.jp/7nisikitenjin.html">006141064</DocID>
  </DocIDs>
</InLink>
</InLinks>
</Header>
<Text Type="default">
  <S Offset="1271" Length="30" is_Japanese_Sentence="1" Id="1">
    <RawString>京都旅楽【たびたの】</RawString>
    <Annotation Scheme="SynGraph">
      <![CDATA[
* 2A <BGH:楽/がく|楽だ/らくだ><文頭><サ変><体言><係:同格連体>...
京都 きょうと 京都 名詞 6 地名 4 * 0 * 0 "疑似代表表記 代表表記:京都/きょうと" <疑似代表表記>...
]]>
    </Annotation>
  </S>
  <S Offset="1342" Length="80" is_Japanese_Sentence="1" Id="2">
    <RawString>京都観光，修学旅行，世界遺産清水寺はいつも参拝者で賑わっている。
  </RawString>
  </S>
</Text>
</StandardFormat>
"""

any_string = st.text(max_size=30)
urls = st.text(alphabet="abc/:?&=あ<>\"'", min_size=1, max_size=15)
places = st.integers(0, 10**6)


@st.composite
def documents(
    draw: st.DrawFn, strings: st.SearchStrategy[str] = any_string, names: st.SearchStrategy[str] = any_string
) -> StandardDocument:
    texts = draw(st.lists(strings, max_size=4))
    sentences = [
        Sentence(draw(places), text, draw(places), draw(places), draw(st.booleans())) for text in texts
    ]
    links = st.lists(
        st.builds(LinkEntry, names, urls, st.sampled_from(["", "0006141064", "a/b.html"])), max_size=3
    )
    return StandardDocument(
        draw(urls), "Shift_JIS", draw(strings), sentences, draw(links), draw(links),
        id=draw(st.sampled_from(["", "dir/a.html"])), title_place=draw(st.none() | st.tuples(places, places)),
    )  # fmt: skip


def read(path: Path, body: str | bytes) -> list[Page]:
    path.write_bytes(body.encode() if isinstance(body, str) else body)
    return list(read_pages([path]))


def test_figure_8_of_the_paper_is_read(tmp_path: Path) -> None:
    (page,) = read(tmp_path / "a.xml", FIGURE_8)
    assert page.error == ""
    assert (page.id, page.url) == ("http://tabitano.main.jp/7kiyomizu.html",) * 2
    assert page.extra["out_links"] == [
        {"text": "錦天満宮", "url": "tabitano.main.jp/7nisikitenjin.html", "id": "0006141064"}
    ]
    nodes = text_nodes(page)
    assert nodes.title == "清水寺【京都旅楽トラベル】"
    assert list(nodes.texts) == [
        "京都旅楽【たびたの】",
        "京都観光，修学旅行，世界遺産清水寺はいつも参拝者で賑わっている。",
    ]


def test_the_papers_own_name_of_an_encoding_is_understood(tmp_path: Path) -> None:
    (page,) = read(tmp_path / "a.xml", FIGURE_8)
    assert text_nodes(page).encoding == "Shift_JIS"


def test_a_page_of_figure_8_written_again_says_the_same(tmp_path: Path) -> None:
    (page,) = read(tmp_path / "a.xml", FIGURE_8)
    texts = text_nodes(page).texts
    document = StandardDocument(
        page.url,
        "shiftjis",
        text_nodes(page).title,
        [Sentence(n, t, 0, len(t), True) for n, t in enumerate(texts, 1)],
    )
    write_standard_format([document], tmp_path / "b.xml")
    (again,) = read_pages([tmp_path / "b.xml"])
    assert again.html == page.html


plain = (
    st.text(alphabet="abあ漢 <>&\"'。\u3000", max_size=20)
    .map(lambda text: " ".join(text.split()))
    .filter(bool)
)


@given(given_documents=st.lists(documents(plain), min_size=1, max_size=3))
def test_documents_come_back_as_pages(given_documents: list[StandardDocument]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.xml"
        assert write_standard_format(given_documents, path) == len(given_documents)
        found = list(read_pages([path]))
    assert [page.error for page in found] == [""] * len(given_documents)
    for document, page in zip(given_documents, found, strict=True):
        nodes = text_nodes(page)
        assert (page.url, nodes.encoding) == (document.url, document.encoding)
        assert nodes.title == document.title
        assert list(nodes.texts) == [sentence.text for sentence in document.sentences]


@given(given_documents=st.lists(documents(plain, plain), min_size=1, max_size=3))
def test_documents_come_back_as_they_were(given_documents: list[StandardDocument]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.xml"
        write_standard_format(given_documents, path)
        found = list(read_documents(path))
        write_standard_format(found, Path(folder) / "b.xml")
        assert path.read_bytes() == (Path(folder) / "b.xml").read_bytes()
    assert [replace(document, title_place=None) for document in found] == [
        replace(document, title_place=None) for document in given_documents
    ]
    for document, given_document in zip(found, given_documents, strict=True):
        assert document.title_place == (given_document.title_place or (0, len(given_document.title)))


@given(document=documents(plain, plain))
def test_a_page_brings_along_what_the_document_said(document: StandardDocument) -> None:
    page = page_of_document(document)
    assert page.id == (document.id or document.url)
    assert given_sentences(page, text_nodes(page).texts) == document.sentences
    assert [link.text for link in given_links(page, "in_links")] == [link.text for link in document.in_links]
    assert given_title_place(page) == document.title_place


def test_links_of_other_pages_are_not_taken_for_given_ones() -> None:
    page = Page(
        "p",
        "http://x.example/",
        "<p>a",
        extra={"out_links": [{"url": "http://y.example/"}], "standard_format": 3, "in_links": [1, {}]},
    )
    assert given_links(page, "in_links") == []
    assert given_sentences(page, ["a"]) is None
    assert given_title_place(page) is None
    assert given_links(Page("p", "u", extra={"out_links": [{"url": "http://y.example/"}]}), "out_links") == []


def test_an_address_of_figure_8_is_made_whole(tmp_path: Path) -> None:
    (page,) = read(tmp_path / "a.xml", FIGURE_8)
    assert given_links(page, "out_links") == [
        LinkEntry("錦天満宮", "http://tabitano.main.jp/7nisikitenjin.html", "0006141064")
    ]
    assert [link.id for link in given_links(page, "in_links")] == ["043533898", "006141064"]
    sentences = given_sentences(page, text_nodes(page).texts)
    assert sentences is not None
    assert [(s.number, s.offset, s.length, s.japanese) for s in sentences] == [
        (1, 1271, 30, True),
        (2, 1342, 80, True),
    ]
    assert given_title_place(page) == (512, 39)


def test_figure_8_comes_back_whole(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(FIGURE_8, encoding="utf-8")
    (document,) = read_documents(tmp_path / "a.xml")
    write_standard_format([document], tmp_path / "b.xml")
    assert list(read_documents(tmp_path / "b.xml")) == [document]


@given(document=documents())
def test_any_text_gives_valid_xml(document: StandardDocument) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for destination in (Path(folder) / "a.xml", Path(folder) / "folder"):
            write_standard_format([document], destination)
        for path in (Path(folder) / "a.xml", Path(folder) / "folder/00000001.xml"):
            root = etree.parse(path).getroot()
            root = root if root.tag == "StandardFormat" else root[0]
            assert [element.tag for element in root] == ["Header", "Text"]
            assert len(root.findall("Text/S/RawString")) == len(document.sentences)
            (page,) = read_pages([path])
            assert page.error == ""


def test_what_xml_cannot_carry_is_shown_as_replacement(tmp_path: Path) -> None:
    write_standard_format(
        [
            StandardDocument(
                "http://x.example/\x00", "utf-8", "a\x01b\ud800\ufffe", [Sentence(1, "\x0bc", 0, 2, False)]
            )
        ],
        tmp_path / "a.xml",
    )
    (page,) = read_pages([tmp_path / "a.xml"])
    nodes = text_nodes(page)
    assert page.url == "http://x.example/\ufffd"
    assert nodes.title == "a\ufffdb\ufffd\ufffd"
    assert list(nodes.texts) == ["\ufffdc"]


def test_the_attributes_are_those_of_the_paper(tmp_path: Path) -> None:
    sentence = Sentence(3, "朝は早い。", 1271, 30, True)
    write_standard_format(
        [
            StandardDocument(
                "http://x.example/", "EUC-JP", "港", [sentence], [LinkEntry("次", "http://y.example/", "42")]
            )
        ],
        tmp_path / "out",
    )
    root = etree.parse(tmp_path / "out/00000001.xml").getroot()
    assert dict(root.attrib) == {"Url": "http://x.example/", "OriginalEncoding": "EUC-JP"}
    assert dict(root.find("Text/S").attrib) == {
        "Offset": "1271",
        "Length": "30",
        "is_Japanese_Sentence": "1",
        "Id": "3",
    }
    assert root.findtext("Header/Title/RawString") == "港"
    assert root.find("Header/OutLinks/OutLink/DocIDs/DocID").get("Url") == "http://y.example/"
    assert root.findtext("Header/OutLinks/OutLink/DocIDs/DocID") == "42"
    assert len(root.find("Header/InLinks")) == 0


@pytest.mark.parametrize("name", ["a.xml", "a.xml.gz", "A.XML.GZ"])
def test_packed_files_are_read(tmp_path: Path, name: str) -> None:
    body = FIGURE_8.encode()
    (page,) = read(tmp_path / name, gzip.compress(body) if name.lower().endswith(".gz") else body)
    assert page.error == ""
    assert page.url.endswith("kiyomizu.html")


def test_external_entities_are_not_resolved(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("geheim", encoding="utf-8")
    body = (
        f'<!DOCTYPE StandardFormat [<!ENTITY x SYSTEM "{secret.as_uri()}"><!ENTITY y "{"z" * 100}">]>'
        '<StandardFormat Url="http://x.example/"><Text><S><RawString>before &x; '
        "after</RawString></S></Text></StandardFormat>"
    )
    (page,) = read(tmp_path / "a.xml", body)
    assert "geheim" not in str(page.html)
    assert "geheim" not in page.error


def test_entities_that_explode_do_not(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    body = (
        f'<!DOCTYPE StandardFormat [<!ENTITY e0 "boom">{entities}]>'
        '<StandardFormat Url="http://x.example/"><Text><S><RawString>&e11;</RawString></S></Text></'
        "StandardFormat>"
    )
    (page,) = read(tmp_path / "a.xml", body)
    assert len(page.html) < 1000


def test_a_sentence_stays_one_whatever_stands_in_it(tmp_path: Path) -> None:
    body = (
        "<StandardFormat Url='u'><Text><S><RawString>朝は<!-- c "
        "-->早<![CDATA[い<b>]]>。</RawString></S></Text></StandardFormat>"
    )
    (page,) = read(tmp_path / "a.xml", body)
    assert list(text_nodes(page).texts) == ["朝は早い<b>。"]


@pytest.mark.parametrize(
    "body", ["", "no xml", "<html><p>a</p></html>", "<StandardFormat Url='u'><Text>", "\x00\x01"]
)
def test_what_is_no_standard_format_is_one_error_row(tmp_path: Path, body: str) -> None:
    (page,) = read(tmp_path / "a.xml", body)
    assert page.error
    assert page.html == b""


def test_pages_before_the_damage_are_read(tmp_path: Path) -> None:
    first = "<StandardFormat Url='u'><Text/></StandardFormat>"
    pages = read(tmp_path / "a.xml", f"<StandardFormats>{first}{first}<StandardFormat Url='broken")
    assert [bool(page.error) for page in pages] == [False, False, True]


def test_an_interrupted_writer_leaves_nothing(tmp_path: Path) -> None:
    def failing() -> Iterator[StandardDocument]:
        yield StandardDocument("u", "utf-8", "t", [])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_standard_format(failing(), tmp_path / "a.xml")
    assert list(tmp_path.iterdir()) == []
