"""Which encoding a page is in: the order of evidence, wrong labels, and bytes that are no page."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.corpora.encoding.decoding import FEW_PIECES, PIECE, Decoded, decode
from ruiji.corpora.encoding.sniffing import NotHtml
from ruiji.corpora.page import Page
from tests.factories import PROSE, make_page
from tests.strategies import any_bytes

JAPANESE = {"utf-8": "UTF-8", "cp932": "Shift_JIS", "euc_jp": "EUC-JP", "iso2022_jp": "ISO-2022-JP"}
MARKUP = f"<html><head><title>港</title></head><body><p>{PROSE}</p></body></html>"


def read(html: bytes | str, header: str = "") -> Decoded:
    return decode(make_page(html, content_type=header))


def with_meta(label: str, text: str = MARKUP) -> str:
    return text.replace("<head>", f'<head><meta charset="{label}">')


@pytest.mark.parametrize(("codec", "name"), JAPANESE.items())
def test_prose_without_a_label_is_recognised(codec: str, name: str) -> None:
    found = read(MARKUP.encode(codec))
    assert (found.encoding, found.text, found.undecodable) == (name, MARKUP, 0)


@pytest.mark.parametrize(("codec", "name"), JAPANESE.items())
@pytest.mark.parametrize("size", [40, 120, 20000])
def test_prose_of_any_length_without_a_label_is_recognised(codec: str, name: str, size: int) -> None:
    text = "<p>" + (PROSE * (size // len(PROSE) + 1))[:size]
    assert read(text.encode(codec)).encoding == name


@pytest.mark.parametrize(("codec", "name"), JAPANESE.items())
def test_text_far_behind_ascii_is_recognised(codec: str, name: str) -> None:
    text = "<script>" + "var a = 1;\n" * 20000 + "</script>" + MARKUP
    assert read(text.encode(codec)).text == text
    assert read(text.encode(codec)).encoding == name


@pytest.mark.parametrize(("codec", "name"), JAPANESE.items())
@pytest.mark.parametrize(
    "label",
    ["utf-8", "shift_jis", "euc-jp", "iso-2022-jp", "iso-8859-1", "windows-1252", "us-ascii", "nonsense"],
)
def test_a_wrong_meta_does_not_matter(codec: str, name: str, label: str) -> None:
    text = with_meta(label)
    found = read(text.encode(codec))
    assert (found.encoding, found.text) == (name, text)


@pytest.mark.parametrize(("codec", "name"), JAPANESE.items())
@pytest.mark.parametrize("label", ["utf-8", "shift_jis", "euc-jp", "iso-2022-jp", "iso-8859-1"])
def test_a_wrong_header_does_not_matter(codec: str, name: str, label: str) -> None:
    found = read(MARKUP.encode(codec), f"text/html; charset={label}")
    assert (found.encoding, found.text) == (name, MARKUP)


def test_evidence_names_the_source_and_the_complaint() -> None:
    assert read(with_meta("shift_jis").encode("cp932")).evidence == "meta"
    assert read(MARKUP.encode("euc_jp"), "text/html; charset=EUC-JP").evidence == "HTTP header"
    assert "byte-order mark" in read(b"\xef\xbb\xbf" + MARKUP.encode()).evidence
    wrong = read(with_meta("shift_jis").encode("euc_jp")).evidence
    assert wrong.startswith("meta says Shift_JIS, but ")


def test_a_byte_order_mark_beats_header_and_meta() -> None:
    found = read(b"\xef\xbb\xbf" + with_meta("euc-jp").encode(), "text/html; charset=shift_jis")
    assert (found.encoding, found.text) == ("UTF-8", with_meta("euc-jp"))


def test_a_header_beats_a_meta_where_both_fit() -> None:
    html = b"<meta charset=windows-1251><p>caf\xe9"
    assert read(html, "text/html; charset=iso-8859-1").text.endswith("café")
    assert read(html).text.endswith("cafй")
    assert read(html, 'text/html; charset="windows-1253"').encoding == "windows-1253"


def test_a_meta_counts_where_the_header_does_not_fit() -> None:
    found = read(with_meta("euc-jp").encode("euc_jp"), "text/html; charset=utf-8")
    assert found.encoding == "EUC-JP"
    assert found.evidence.startswith("HTTP header says UTF-8, but ")


@pytest.mark.parametrize(
    "meta",
    [
        "<meta charset=windows-1251>",
        "<META CHARSET='windows-1251'>",
        '<meta charset = "windows-1251" />',
        "<meta/charset=windows-1251>",
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
        "<meta content='text/html;charset=windows-1251' http-equiv=content-type>",
        '<meta name="a>b" charset="windows-1251">',
        '<META HTTP-EQUIV="CONTENT-TYPE" CONTENT="TEXT/HTML; CHARSET=CP1251">',
        '<meta charset="nonsense"><meta charset="windows-1251">',
        '<?xml version="1.0" encoding="windows-1251"?>',
        "<?xml version='1.0' encoding='windows-1251' standalone='yes'?>",
    ],
)
def test_every_form_of_declaration_is_read(meta: str) -> None:
    assert read(meta.encode() + b"<p>caf\xe9").encoding == "windows-1251"


@pytest.mark.parametrize(
    "no_meta",
    [
        "<!-- <meta charset=windows-1251> -->",
        "<!-- <meta charset=windows-1251>",
        '<meta name="description" content="charset=windows-1251">',
        '<meta http-equiv="refresh" content="0; url=?charset=windows-1251">',
        "<metadata charset=windows-1251>",
        "<p>charset=windows-1251</p>",
        "<meta data-charset=windows-1251>",
    ],
)
def test_what_only_looks_like_a_declaration_does_not_count(no_meta: str) -> None:
    assert read(no_meta.encode() + b"<p>caf\xe9").encoding != "windows-1251"


def test_a_meta_in_a_script_or_a_title_does_not_count() -> None:
    for name in ("script", "title"):
        html = (
            f"<{name}>'<meta charset=windows-1251>'</{name}><meta charset=windows-1253><p>caf".encode()
            + b"\xe9"
        )
        assert read(b" " * 2000 + html).encoding == "windows-1253"


def test_a_late_meta_counts() -> None:
    html = b"<!--" + b"x" * 2000 + b"--><meta charset=windows-1251><p>caf\xe9"
    assert (read(html).encoding, read(html).evidence) == ("windows-1251", "late meta")


def test_a_meta_beats_the_xml_declaration() -> None:
    assert (
        read(b'<?xml version="1.0" encoding="windows-1253"?><meta charset=windows-1251><p>caf\xe9').encoding
        == "windows-1251"
    )


@pytest.mark.parametrize("label", ["utf-16", "utf-16be"])
def test_a_meta_that_says_utf_16_means_utf_8(label: str) -> None:
    assert read(with_meta(label).encode()).encoding == "UTF-8"


def test_the_charset_of_a_header_may_be_in_any_dress() -> None:
    for header in (
        "text/html;charset=windows-1251",
        "text/html; Charset='windows-1251'",
        'text/html; a=b; charset="CP1251"; x',
        "charset=cp1251",
    ):
        assert (
            read(b"<p>caf\xe9", header if "/" in header else f"text/html {header}").encoding == "windows-1251"
        )


@pytest.mark.parametrize(
    ("codec", "bom", "name"), [("utf-16-le", b"\xff\xfe", "UTF-16LE"), ("utf-16-be", b"\xfe\xff", "UTF-16BE")]
)
@pytest.mark.parametrize("text", [MARKUP, "<p>hello, world</p>", "<p>ああああああああ"])
def test_utf_16_with_a_byte_order_mark(codec: str, bom: bytes, name: str, text: str) -> None:
    found = read(bom + text.encode(codec), "text/html; charset=utf-8")
    assert (found.encoding, found.text) == (name, text)


@pytest.mark.parametrize(("codec", "name"), [("utf-16-le", "UTF-16LE"), ("utf-16-be", "UTF-16BE")])
@pytest.mark.parametrize(
    "text",
    ["<html><head><title>éa</title></head><body><div class=x><p>港町</p></div>", "<p>hello, world</p>"],
)
def test_utf_16_without_a_byte_order_mark(codec: str, name: str, text: str) -> None:
    found = read(text.encode(codec))
    assert (found.encoding, found.text) == (name, text)


@pytest.mark.parametrize(
    ("codec", "label"), [("utf-16-le", "utf-16"), ("utf-16-le", "utf-16le"), ("utf-16-be", "utf-16be")]
)
def test_utf_16_by_the_header(codec: str, label: str) -> None:
    assert read(MARKUP.encode(codec), f"text/html; charset={label}").text == MARKUP


@pytest.mark.parametrize("codec", JAPANESE)
def test_a_header_that_says_utf_16_of_other_bytes_does_not_count(codec: str) -> None:
    assert read(MARKUP.encode(codec), "text/html; charset=utf-16").text == MARKUP
    assert read(b"<p>hello, world</p>", "text/html; charset=utf-16").text == "<p>hello, world</p>"


@pytest.mark.parametrize(("codec", "name"), JAPANESE.items())
@pytest.mark.parametrize("declared", [True, False])
def test_a_page_cut_within_a_character_loses_only_that(codec: str, name: str, declared: bool) -> None:
    whole = (with_meta(name) if declared else MARKUP).partition("</p>")[0]
    body = whole.encode(codec).removesuffix(b"\x1b(B")
    for cut in range(1, 3 if codec == "utf-8" else 2):
        found = read(body[:-cut])
        assert found.encoding == name
        assert found.text.rstrip("\ufffd") == whole[:-1]
        assert found.undecodable == 1


@pytest.mark.parametrize(
    ("codec", "label", "name"),
    [
        ("iso2022_jp", "utf-8", "ISO-2022-JP"),
        ("utf-8", "shift_jis", "UTF-8"),
        ("utf-8", "iso-8859-1", "UTF-8"),
        ("cp932", "iso-2022-jp", "Shift_JIS"),
    ],
)
@pytest.mark.parametrize("text", ["港町の朝は早い。", "お知らせ", "メニュー"])
def test_a_few_words_are_enough_against_a_wrong_meta(codec: str, label: str, name: str, text: str) -> None:
    html = f"<meta charset={label}><p>{text}</p>"
    assert (read(html.encode(codec)).encoding, read(html.encode(codec)).text) == (name, html)


def test_one_pasted_line_of_another_encoding_does_not_change_the_page() -> None:
    html = with_meta("utf-8").encode() + PROSE.encode() * 3 + "港町".encode("cp932") + PROSE.encode()
    found = read(html)
    assert found.encoding == "UTF-8"
    assert found.undecodable >= 1
    assert found.text.count(PROSE) == 5


def test_western_pages_stay_western() -> None:
    text = "<p>Éric a mangé une crème brûlée à Besançon, où il était né; «l'été» fut très agréable.</p>" * 5
    assert read(text.encode("cp1252")).text == text
    assert read(f"<meta charset=iso-8859-1>{text}".encode("cp1252")).encoding == "windows-1252"
    assert read(text.encode()).encoding == "UTF-8"


def test_half_width_katakana_in_shift_jis_stay() -> None:
    html = with_meta("shift_jis").replace(PROSE, "ﾄｯﾌﾟﾍﾟｰｼﾞﾆﾓﾄﾞﾙ ｱｸｾｽﾏｯﾌﾟ")
    assert (read(html.encode("cp932")).encoding, read(html.encode("cp932")).text) == ("Shift_JIS", html)


def test_null_bytes_do_not_disturb() -> None:
    html = with_meta("shift_jis").encode("cp932").replace(b"<p>", b"<p>\x00\x00\x00")
    assert read(html).encoding == "Shift_JIS"
    assert read(html).text.replace("\x00", "") == with_meta("shift_jis")


def test_ascii_alone_is_utf_8() -> None:
    assert read(b"<p>hello").encoding == "UTF-8"
    assert read(b"<p>hello") == Decoded(b"<p>hello", "UTF-8", "ASCII only")


def test_given_text_stays_as_it_is() -> None:
    assert read(with_meta("shift_jis")).text == with_meta("shift_jis")
    assert read("<p>a").evidence == "given as text"
    assert decode(make_page("<p>a", extra={"encoding": "x-sjis"})).encoding == "Shift_JIS"


@pytest.mark.parametrize(
    ("given_text", "text", "lost"),
    [("a\ud800b", "a\ufffdb", 1), ("\ud83d\ude00", "😀", 0), ("\ufffd\udc00", "\ufffd\ufffd", 1)],
)
def test_lone_surrogates_in_given_text_are_counted(given_text: str, text: str, lost: int) -> None:
    found = read(given_text)
    assert (found.text, found.undecodable) == (text, lost)


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (b"%PDF-1.4\n%abc", "PDF"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "PNG"),
        (b"{\\rtf1\\ansi text}", "rich-text"),
        (b"RIFF\x10\x00\x00\x00WEBPVP8 ", "RIFF"),
        (b"BM\x36\x00\x00\x00\x00\x00\x00\x00", "BMP"),
        (b"\x00\x00\x00\x20ftypavif", "AVIF"),
        (b"\xff\xd8\xff\xe0", "JPEG"),
        (b"GIF89a", "GIF"),
        (b"PK\x03\x04rest", "ZIP"),
        (b"\x1f\x8b\x08rest", "gzip"),
        (random.Random(1).randbytes(4000), "binary"),
    ],
)
def test_other_formats_are_refused_by_name(body: bytes, what: str) -> None:
    with pytest.raises(NotHtml, match=what):
        read(body)


@pytest.mark.parametrize(
    "mime", ["image/png", "application/pdf", "application/json", "text/css; charset=utf-8", "video/mp4"]
)
def test_what_the_server_calls_otherwise_is_refused(mime: str) -> None:
    with pytest.raises(NotHtml, match=mime.partition(";")[0]):
        read(b"<p>hello", mime)


@pytest.mark.parametrize(
    "mime", ["", "text/html", "application/xhtml+xml", "TEXT/HTML; charset=utf-8", "text/plain", ";"]
)
def test_types_of_html_are_read(mime: str) -> None:
    assert read(b"<p>hello", mime).text == "<p>hello"


@given(
    body=any_bytes,
    header=st.sampled_from(
        [
            "",
            "text/html; charset=shift_jis",
            "text/html; charset=utf-16be",
            "text/html; charset=x",
            "image/png",
        ]
    ),
)
def test_nothing_but_not_html_is_raised_and_the_result_is_utf_8(body: bytes, header: str) -> None:
    try:
        found = read(body, header)
    except NotHtml:
        return
    found.utf8.decode("utf-8")
    assert found.undecodable <= found.text.count("\ufffd")


@given(text=st.text(max_size=60), encoding=st.text(max_size=8))
def test_any_given_text_becomes_utf_8(text: str, encoding: str) -> None:
    assert decode(Page("id", "url", text, extra={"encoding": encoding})).utf8.decode("utf-8") == text


@pytest.mark.parametrize(
    "html",
    [
        b"charset" + b"<meta " * 5000,
        b"<meta charset " + b"a" * 20000 + b">",
        b"charset" + b"<!--" * 20000,
        b"charset" + b'<meta "' * 5000,
        b"<?xml " + b" " * 100000 + b"\x82",
        b"\xc3\xa9 " * 3 + b"a" * 100000 + b"\xff",
    ],
    ids=[
        "unclosed metas",
        "long attribute",
        "unclosed comments",
        "unclosed quotes",
        "white space",
        "few accents",
    ],
)
def test_time_grows_with_the_size_only(html: bytes) -> None:
    start = time.process_time()
    read(html)
    assert time.process_time() - start < 1


@pytest.mark.parametrize("text", ["東京都千代田区永田町", "東京", "会社案内", "日本"])
@pytest.mark.parametrize(("codec", "name"), [("cp932", "Shift_JIS"), ("euc_jp", "EUC-JP")])
def test_kanji_alone_are_recognised_without_a_label(text: str, codec: str, name: str) -> None:
    found = read(f"<p>{text}</p>".encode(codec))
    assert (found.encoding, found.text) == (name, f"<p>{text}</p>")


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("macintosh", "mac_roman", "École"),
        ("ibm866", "cp866", "ГОСТ"),
        ("x-mac-cyrillic", "mac_cyrillic", "ГОСТ"),
        ("tis-620", "cp874", "ครับ"),
        ("windows-1252", "cp1252", "ƒloor"),
        ("iso-8859-1", "cp1252", "naïve ‚äö‘"),
        ("windows-1252", "cp1252", "¤¤ ¥¥ ¥£"),
        ("windows-1251", "cp1251", "Привет, мир! Это длинная строка текста."),
        ("euc-kr", "cp949", "한국어 텍스트입니다"),
        ("gb2312", "gb18030", "中文网页的内容"),
        ("big5", "big5hkscs", "中文網頁的內容"),
        ("shift_jis", "cp932", "･･･････"),
        ("shift_jis", "cp932", "･ｱｻﾋ ﾃﾞｽ"),
    ],
)
def test_a_right_label_is_believed(label: str, codec: str, text: str) -> None:
    html = f"<meta charset={label}><p>{text}</p>"
    assert read(html.encode(codec)).text == html
    plain = f"<p>{text}</p>"
    assert read(plain.encode(codec), f"text/html; charset={label}").text == plain


def test_a_long_text_of_euc_jp_is_read_though_its_label_says_shift_jis() -> None:
    html = f"<meta charset=shift_jis>{MARKUP}"
    assert read(html.encode("euc_jp")).text == html


@pytest.mark.parametrize(
    "size", [FEW_PIECES * PIECE - 1, FEW_PIECES * PIECE, FEW_PIECES * PIECE + 1, 3 * FEW_PIECES * PIECE]
)
@pytest.mark.parametrize("letters", ["a", "港", "aé", "a港", "\U00020000港a"])
def test_a_long_text_is_the_same_in_pieces(size: int, letters: str) -> None:
    text = (letters * (size // len(letters) + 1))[:size]
    assert decode(make_page(text)).utf8 == text.encode()


def test_surrogates_at_the_border_of_pieces_come_together() -> None:
    text = "a" * (PIECE - 1) + "\ud842\udfb7" + "b" * FEW_PIECES * PIECE + "\ud842"
    decoded = decode(make_page(text))
    assert decoded.text == "a" * (PIECE - 1) + "\U00020bb7" + "b" * FEW_PIECES * PIECE + "\ufffd"
    assert decoded.undecodable == 1


KOREAN = (
    "오늘 아침 항구에서는 새로운 역을 여는 행사가 있었다. 시장은 주민들과 함께 첫 열차를 기다리면서 이 "
    "도시가 다시 살아나기를 바란다고 말했다. 열차는 하루에 열두 번 다니고, 산으로 가는 사람들은 이제 한 "
    "시간을 아낄 수 있다."
)


@pytest.mark.parametrize(
    "text", [KOREAN, KOREAN[:60], "회사 소개 이용 안내 고객 지원 사이트 지도 " * 3 + KOREAN[:40]]
)
def test_korean_without_a_label_is_read_as_korean(text: str) -> None:
    decoded = decode(make_page(f"<p>{text}</p>".encode("euc-kr")))
    assert decoded.encoding == "EUC-KR"
    assert text in decoded.text


@pytest.mark.parametrize(
    "text",
    ["회사 소개 이용 안내문", "오늘 비가 왔다. 아무도 바다에 가지 않았다", "고객 지원 센터 · 공지 사항"],
)
def test_a_few_words_of_korean_are_enough(text: str) -> None:
    body = f"<title>x</title><p>{text}</p>".encode("euc_kr")
    assert decode(make_page(body)).encoding == "EUC-KR"


@pytest.mark.parametrize(
    "text",
    ["会社案内 採用情報 製品一覧 問合先", "港の雨 だれも海へ出なかった", "東京都港区芝公園四丁目二番八号"],
)
def test_a_few_words_of_japanese_are_not_korean(text: str) -> None:
    for encoding in ("euc_jp", "cp932"):
        body = f"<title>x</title><p>{text}</p>".encode(encoding)
        assert decode(make_page(body)).encoding != "EUC-KR"


@pytest.mark.parametrize("encoding", ["euc_jp", "cp932"])
@pytest.mark.parametrize(
    "text",
    ["東京都庁舎展望室案内図 営業時間 入場料金 交通案内 会社概要 採用情報 問合先一覧", "港町の朝は早い。"],
)
def test_japanese_is_not_taken_for_korean(text: str, encoding: str) -> None:
    assert decode(make_page(f"<p>{text}</p>".encode(encoding))).encoding in ("EUC-JP", "Shift_JIS")


@pytest.mark.parametrize("space", ["\xa0", "\x0b", "\u3000"])
def test_a_label_with_other_white_space_is_no_label(space: str) -> None:
    html = "<p>港町の朝は早い。魚が並ぶ。".encode()
    assert decode(make_page(html, content_type=f"text/html; charset={space}shift_jis")).encoding == "UTF-8"
