"""Decoders against a browser's. The digests were made from the results of Chromium's TextDecoder for the same
bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import pytest
import webencodings.labels
from hypothesis import given
from hypothesis import strategies as st

from ruiji.corpora.encoding import encodings, iso_2022_jp
from ruiji.corpora.encoding.encodings import (
    REPLACEMENT,
    _jis_character,
    decode,
    display_name,
    is_multibyte,
    lookup,
)
from tests.strategies import any_bytes

LABELS = sorted(webencodings.labels.LABELS)
ENCODINGS = sorted({str(lookup(label)) for label in LABELS})

# Places where we differ from Chromium, left out of the digests below: EUC-JP A1A1 is an ideographic space by
# the standard (Chromium has an error), JIS X 0212 A2B7 is ～ (Python's table has ~), and ISO-2022-JP's 1C is
# an error of Chromium alone.
KNOWN_DIFFERENCES = {
    ("euc-jp", b"\xa1\xa1"),
    ("euc-jp", b"\x8f\xa2\xb7"),
    ("iso-2022-jp", b"\x1c"),
    ("iso-2022-jp", b"\x1b(I\nA"),
    ("iso-2022-jp", b"\x1b(I\rA"),
}

SINGLE_BYTES = {
    "big5": "9b39b028c45fb26e", "euc-jp": "9b39b028c45fb26e", "euc-kr": "9b39b028c45fb26e",
    "gb18030": "5ed93a7b5058c42c",
    "gbk": "5ed93a7b5058c42c", "ibm866": "3a37bccb44437a1b", "iso-2022-jp": "1d2aa229b0e0c29f",
    "iso-8859-10": "f3fa4cfaab691b0f",
    "iso-8859-13": "2797784af53d0b25", "iso-8859-14": "224f9cdde7e44b80", "iso-8859-15": "a147e02800703a68",
    "iso-8859-16": "cbee217882090038", "iso-8859-2": "53f1da832ec9f5f6", "iso-8859-3": "79686e53eeed85e5",
    "iso-8859-4": "3c46a682d817bb9a", "iso-8859-5": "7d51014473b25daf", "iso-8859-6": "c8897208f337a74f",
    "iso-8859-7": "d37ed319e13cff6e", "iso-8859-8": "f1b67ee1e0dc51df", "iso-8859-8-i": "f1b67ee1e0dc51df",
    "koi8-r": "165988fd106370a3", "koi8-u": "d54d3aa9f45e84cb", "macintosh": "483237530ba51ed6",
    "shift_jis": "d2262fe0885d6f5b",
    "windows-1250": "f1277769b68f3972", "windows-1251": "56b9845b7ecbb0f3",
    "windows-1252": "12240f5a934e345c",
    "windows-1253": "66337a2f0c9e83dd", "windows-1254": "b0e9b047da08deb9",
    "windows-1255": "2816b4c22c9776cd",
    "windows-1256": "f3e81b3bf11b7f28", "windows-1257": "b9471ed6698ef8f8",
    "windows-1258": "ba46cd77ee63c402",
    "windows-874": "53b50da80a5be547", "x-mac-cyrillic": "c5a6caf3dfc59511",
    "x-user-defined": "2e3e0b01c942b5df",
}  # fmt: skip


def digest(encoding: str, sequences: Iterable[bytes]) -> str:
    """A digest of the decodings of all sequences but the known differences."""
    total = hashlib.sha256()
    for body in sequences:
        if (encoding, body) not in KNOWN_DIFFERENCES:
            total.update(decode(body, encoding)[0].encode() + b"\xff")
    return total.hexdigest()[:16]


def test_every_label_of_the_standard_is_known() -> None:
    assert len(LABELS) == 228
    assert len(ENCODINGS) == 40
    assert all(lookup(label) for label in LABELS)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("x-sjis", "Shift_JIS"), ("ms_kanji", "Shift_JIS"), ("windows-31j", "Shift_JIS"),
        ("ms932", "Shift_JIS"),
        ("csshiftjis", "Shift_JIS"), ("Shift-JIS", "Shift_JIS"), ("x-euc-jp", "EUC-JP"),
        ("cseucpkdfmtjapanese", "EUC-JP"),
        ("csiso2022jp", "ISO-2022-JP"),
        ("iso-8859-1", "windows-1252"), ("latin1", "windows-1252"), ("us-ascii", "windows-1252"),
        ("ascii", "windows-1252"),
        ("iso-8859-9", "windows-1254"), ("tis-620", "windows-874"), ("gb2312", "GBK"),
        ("ks_c_5601-1987", "EUC-KR"), ("big5-hkscs", "Big5"),
        ("utf8", "UTF-8"), ("unicode-1-1-utf-8", "UTF-8"), ("utf-16", "UTF-16LE"), ("unicode", "UTF-16LE"),
        ("unicodefffe", "UTF-16BE"),
        ("hz-gb-2312", "replacement"), ("iso-2022-kr", "replacement"), ("logical", "ISO-8859-8-I"),
        ("visual", "ISO-8859-8"),
        ("x-x-big5", "Big5"),
        (" \tUTF-8\n", "UTF-8"),
    ],
)  # fmt: skip
def test_a_label_means_what_a_browser_takes_it_for(label: str, name: str) -> None:
    assert display_name(str(lookup(label))) == name


@pytest.mark.parametrize(
    "label",
    ["", "utf-7", "utf-32", "cp932", "shift_jis_2004", "nonsense", "utf-8\u3042", "ｕｔｆ-8", "\ud800"],
)
def test_what_a_browser_does_not_know_is_none(label: str) -> None:
    assert lookup(label) is None


@pytest.mark.parametrize("encoding", sorted(SINGLE_BYTES))
def test_all_single_bytes_read_as_in_chromium(encoding: str) -> None:
    assert digest(encoding, (bytes((code,)) for code in range(256))) == SINGLE_BYTES[encoding]


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [("shift_jis", "eb2a89dae5d45b51"), ("euc-jp", "437478bd996a05e8"), ("euc-kr", "1acf3a68aa1ef064")],
)
def test_all_double_bytes_read_as_in_chromium(encoding: str, expected: str) -> None:
    assert (
        digest(
            encoding, (bytes((lead, trail)) for lead in range(0x80, 0x100) for trail in range(0x21, 0x100))
        )
        == expected
    )


def test_all_of_jis_x_0212_reads_as_in_chromium() -> None:
    sequences = (bytes((0x8F, row, cell)) for row in range(0xA1, 0x100) for cell in range(0xA1, 0x100))
    assert digest("euc-jp", sequences) == "1c18a01fcff03180"


def test_all_double_bytes_of_iso_2022_jp_read_as_in_chromium() -> None:
    sequences = (b"\x1b$B" + bytes((row, cell)) for row in range(0x21, 0x7F) for cell in range(0x21, 0x7F))
    assert digest("iso-2022-jp", sequences) == "ee19dd5ddd419394"


@pytest.mark.parametrize(
    ("escape", "expected"),
    [(b"B", "5537ae03909b9b42"), (b"J", "c96a306ed0e1e5de"), (b"I", "74b565a7a5001e13")],
)
def test_all_single_bytes_after_an_escape_read_as_in_chromium(escape: bytes, expected: str) -> None:
    assert (
        digest("iso-2022-jp", (b"\x1b(" + escape + bytes((code,)) + b"A" for code in range(256))) == expected
    )


def test_the_known_differences_are_what_they_are_said_to_be() -> None:
    assert decode(b"\xa1\xa1", "euc-jp") == ("\u3000", 0)
    assert decode(b"\x1c", "iso-2022-jp") == ("\x1c", 0)


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (b"\x87\x40\x87\x8a\xfb\xfc", "shift_jis"),
        (
            b"\xad\xa1\xad\xea\xfc\xe2",
            "euc-jp",
        ),  # NEC row 13, and the NEC selection of IBM's characters in row 92
        (b"\x1b$B\x2d\x21\x2d\x6a\x7c\x62\x1b(B", "iso-2022-jp"),
    ],
)
def test_vendor_characters_are_read_in_every_japanese_encoding(body: bytes, encoding: str) -> None:
    assert decode(body, encoding) == ("①㈱髙", 0)


def test_half_width_katakana_are_read_in_iso_2022_jp() -> None:
    assert decode(b"\x1b(I1\x5f\x1b(BA\x1b(J\\~", "iso-2022-jp") == ("ｱﾟA¥‾", 0)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b'\x1b$B$"\n$$\x1b(B', "あ\ufffdい"),
        (b"\x1b(I\nA", "\ufffdﾁ"),
        (b"\x1b$", "\ufffd$"),
        (b"\x1b", "\ufffd"),
        (b"a\x1bb", "a\ufffdb"),
        (b"\x1b(B\x1b(Ba", "\ufffda"),
        (b"\x1b(Ba\x1b(Bb", "ab"),
        (b"\x1b$B$\x1b(Ba", "\ufffda"),
        (b"\x1b$B$", "\ufffd"),
        (b"\x1b(J\\\n~", "¥\n‾"),
        (b"\x1b$B\x80\x24\x22", "\ufffdあ"),
        (b"\x1b$B\x24\x80\x24\x22", "\ufffdあ"),
        (b"\x0e\x0f", "\ufffd\ufffd"),
    ],
)
def test_wrong_sequences_of_iso_2022_jp_are_read_by_the_standard(body: bytes, text: str) -> None:
    """WHATWG Encoding, 12.2.1; Chromium shows the same of all but the escape that breaks off."""
    assert decode(body, "iso-2022-jp") == (text, text.count("\ufffd"))


@given(
    body=st.lists(st.sampled_from([b'\x1b$B$"', b"0!", b"\x1b(Ba", b"b\n", b"\x1b$@!!"]), max_size=8).map(
        b"".join
    )
)
def test_the_short_way_through_iso_2022_jp_gives_the_same(body: bytes) -> None:
    assert decode(body, "iso-2022-jp")[0] == iso_2022_jp.decode_bytes(body, _jis_character)


@pytest.mark.parametrize("label", ["\xa0utf-8", "utf-8\xa0", "\x0butf-8", "utf-8\u3000", "\x1fshift_jis"])
def test_only_ascii_white_space_may_stand_around_a_label(label: str) -> None:
    assert lookup(label) is None
    assert lookup(label.strip()) is not None
    assert lookup(f"\t\n\f\r {label.strip()} ") is not None


@pytest.mark.parametrize("encoding", ["shift_jis", "euc-jp", "euc-kr", "gbk", "big5"])
def test_markup_after_half_a_character_survives(encoding: str) -> None:
    text, errors = decode(b"\x88</p>" if encoding == "shift_jis" else b"\xc8</p>", encoding)
    assert text == REPLACEMENT + "</p>"
    assert errors == 1


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(body=any_bytes)
def test_no_bytes_raise_in_any_encoding(encoding: str, body: bytes) -> None:
    text, errors = decode(body, encoding)
    assert text.count(REPLACEMENT) >= errors >= 0
    text.encode("utf-8")  # no lone surrogates


@pytest.mark.parametrize(
    ("body", "encoding", "text", "errors"),
    [
        (b"a\xffb\xfec", "utf-8", "a\ufffdb\ufffdc", 2),
        (b"\xe3\x81", "utf-8", "\ufffd", 1),
        ("\ufffd a".encode(), "utf-8", "\ufffd a", 0),
        ("\ufffd".encode() + b"\xff", "utf-8", "\ufffd\ufffd", 1),
        (b"\x42\x30\x00\xd8\x44\x30", "utf-16le", "あ\ufffdい", 1),
        (b"\x30\x42\x30", "utf-16be", "あ\ufffd", 1),
        (b"\x82\xa0\x82", "shift_jis", "あ\ufffd", 1),
        (b"\x82\xa0\xfd\xfe\xff", "shift_jis", "あ\ufffd\ufffd\ufffd", 3),
        (b"\xa4\xa2\xa4", "euc-jp", "あ\ufffd", 1),
        (b"\x8f\xa2", "euc-jp", "\ufffd", 1),
        (b'\x1b$B$"$', "iso-2022-jp", "あ\ufffd", 1),
        (b"a\xa4b", "iso-2022-jp", "a\ufffdb", 1),
        (b"anything", "replacement", "\ufffd", 1),
        (b"", "replacement", "", 0),
        (b"\x81\x8d", "windows-1252", "\x81\x8d", 0),
        (b"\x84\x31\xa4\x37", "gb18030", "\ufffd", 0),  # the standard's own code of U+FFFD
    ],
)
def test_errors_are_counted(body: bytes, encoding: str, text: str, errors: int) -> None:
    assert decode(body, encoding) == (text, errors)


def test_eight_bit_bytes_in_a_double_byte_run_are_errors() -> None:
    text, errors = decode(b'\x1b$B\xa4\xa2$"\x1b(B', "iso-2022-jp")
    assert errors >= 1
    assert text.endswith("あ")


@given(text=st.text(alphabet="あいアン漢字、。ー（）ａ09az ~\\", max_size=40))
@pytest.mark.parametrize("encoding", ["shift_jis", "euc-jp", "iso-2022-jp", "utf-8", "utf-16le", "utf-16be"])
def test_common_japanese_comes_back(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding), encoding) == (text, 0)


def test_wrong_bytes_show_in_multi_byte_encodings_only() -> None:
    assert {encoding for encoding in ENCODINGS if is_multibyte(encoding)} == {
        "big5", "euc-jp", "euc-kr", "gb18030", "gbk", "iso-2022-jp", "shift_jis", "utf-16be", "utf-16le",
        "utf-8",
    }  # fmt: skip


def test_decoding_does_not_depend_on_earlier_calls() -> None:
    before = [decode(bytes(range(256)), encoding) for encoding in ENCODINGS]
    after = [decode(bytes(range(256)), encoding) for encoding in reversed(ENCODINGS)]
    assert before == after[::-1]
    assert encodings.REPLACEMENT == "\ufffd"
