"""What the bytes of a page say about their encoding: whether they fit a label, what they are without it."""

from __future__ import annotations

import re

from ruiji.corpora.encoding import encodings

DETECTION_BYTES = 65536  # enough for a sure answer where they have text; see _sample
# Share of undecodable places among non-ASCII characters up to which a label is believed: a page cut off
# within a character or with one pasted line of another encoding stays below, a wrong label is far above
# (measured: 0.2 and more).
BELIEVABLE_ERRORS = 0.05
# What makes bytes Japanese beyond doubt, against a label that says otherwise: so many kana, of so many kinds,
# and such a share of the non-ASCII characters (prose has 0.4 to 0.7; text in other encodings, read so, has
# few of one kind).
MIN_KANA, MIN_KINDS_OF_KANA, KANA_SHARE = 8, 4, 0.3
# Without a label less will do: a share of kana and common kanji (JIS level 1) that no other text has by
# chance.
COMMON_SHARE = 0.8
# The commonest syllables of Korean: endings and particles, from general knowledge. Nine Korean pages of the
# wide web have shares of 0.14 and more; none of 600 Japanese pages in EUC-JP is taken for Korean.
KOREAN_SYLLABLES = "이다는의에을가고하지한은로를기사도인서"
MIN_SYLLABLES, SYLLABLE_SHARE = 8, 0.1

# A few words of Korean have no common syllable eight times, but nothing but syllables (rows 0xB0 to 0xC8 of
# EUC-KR) in short runs between spaces; Japanese has kana, kanji of later rows, and longer runs. Of lines of
# $DATA with 9 to 40 such characters nine of ten Korean ones are like that, and two in 10,000 Japanese ones.
FEWEST_SYLLABLES, LONGEST_WORDS = 9, 5.0

# What Japanese pages without a label are in, with Python's codecs: exact enough and fast for a guess.
_JAPANESE = {"shift_jis": "cp932", "euc-jp": "euc_jp"}
_THREE_BYTE_UTF8 = re.compile(rb"[\xe0-\xef][\x80-\xbf]{2}|(?:[\xc2-\xdf][\x80-\xbf][^\x80-\xff]*){4}")
_ISO_2022_JP_ESCAPE = re.compile(rb"\x1b(?:\$[@B]|\([JI])")
_EIGHT_BIT = re.compile(rb"[\x80-\xff]")
_KANA = re.compile("[\u3041-\u3093\u30a1-\u30f6]+")
_HALF_WIDTH_KANA = re.compile("[\uff61-\uff9f]+")
_EUC_JP_AS_SHIFT_JIS = re.compile("[\uff64\uff65]")  # the lead bytes of kana in EUC-JP, read as Shift_JIS
_NON_ASCII = re.compile("[^\x00-\x7f]+")
_KOREAN_TEXT = re.compile(rb"(?:[\x00-\x7f]|[\xb0-\xc8][\xa1-\xfe]|\xa1[\xa1-\xfe])*+[\xb0-\xc8]?")
_KOREAN_WORD = re.compile(rb"(?:[\xb0-\xc8][\xa1-\xfe])+")


def misfit(body: bytes, encoding: str) -> str:
    """Why the bytes cannot be what the label says, or "" where they can."""
    if encoding == "replacement":
        return "no browser reads that encoding"
    if encoding.startswith("utf-16"):
        return "" if _is_utf16(body, encoding) else "the bytes are not"
    if encoding == "iso-2022-jp" and not _ISO_2022_JP_ESCAPE.search(body) and not body.isascii():
        return "there are no escape sequences and 8-bit bytes"
    if encoding != "iso-2022-jp" and body.isascii():
        return "the bytes are ISO-2022-JP" if _ISO_2022_JP_ESCAPE.search(body) else ""
    if encoding != "utf-8" and _is_utf8(body):
        return "the bytes are UTF-8"
    if not encodings.is_multibyte(encoding):
        guess = _surely_japanese(body)
        return f"the bytes are {encodings.display_name(guess)}" if guess else ""
    text, errors = encodings.decode(body, encoding)
    if (
        encoding == "shift_jis"
        and _EUC_JP_AS_SHIFT_JIS.search(text)
        and _kana_share(text) < 0
        and _surely_japanese(body) == "euc-jp"
    ):
        return "the bytes are EUC-JP"
    if not errors:
        return ""
    return "" if errors <= BELIEVABLE_ERRORS * _size(_NON_ASCII, text) + 1 else f"{errors} places do not fit"


def encoding_by_bytes(body: bytes, refused: list[str]) -> tuple[str, str]:
    """(encoding, reason) by the bytes alone; a refused label is the last resort."""
    if wide := utf16_without_bom(body[:4096]):
        return wide, "zero bytes of UTF-16"
    if body.isascii():
        return (
            ("iso-2022-jp", "escape sequences")
            if _ISO_2022_JP_ESCAPE.search(body)
            else ("utf-8", "ASCII only")
        )
    if _is_utf8(body) or not encodings.decode(body, "utf-8")[1]:
        return "utf-8", "valid UTF-8"
    from resiliparse.parse.encoding import detect_encoding  # few pages say nothing of their encoding

    detected = encodings.lookup(detect_encoding(_sample(body)) or "")
    if guess := _surely_japanese(body):
        return guess, "Japanese in the bytes"
    if _surely_korean(body) or _has_korean_words(body):
        return "euc-kr", "Korean in the bytes"
    if detected != "euc-kr" and (guess := _probably_japanese(body)):
        return guess, "Japanese in the bytes"
    candidates = [detected, *refused, "utf-8", *_JAPANESE, "windows-1252"]
    return min(
        (
            (encoding, "statistics of the bytes")
            for encoding in candidates
            if encoding and encoding != "replacement"
        ),
        key=lambda choice: 0 if not encodings.is_multibyte(choice[0]) else _error_share(body, choice[0]),
    )


def is_clean_utf8(body: bytes) -> bool:
    """Whether all bytes are UTF-8, with no escape sequences of ISO-2022-JP among pure ASCII."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not (body.isascii() and _ISO_2022_JP_ESCAPE.search(body))


def _is_utf8(body: bytes) -> bool:
    """Whether the bytes are UTF-8 beyond chance: valid throughout, with more than a stray two-byte
    sequence.
    """
    if not _THREE_BYTE_UTF8.search(body):
        return False
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(body) - 3 and error.reason == "unexpected end of data"
    return True


def _surely_japanese(body: bytes) -> str:
    """Shift_JIS or EUC-JP where the bytes, read so, are Japanese prose whatever a label says; else ""."""
    readings = {encoding: _reading(body, codec) for encoding, codec in _JAPANESE.items()}
    best = max(readings, key=lambda encoding: _kana_share(readings[encoding]))
    kana = "".join(_KANA.findall(readings[best]))
    sure = (
        len(kana) >= MIN_KANA
        and len(set(kana)) >= MIN_KINDS_OF_KANA
        and _kana_share(readings[best]) >= KANA_SHARE
    )
    return best if sure else ""


def _probably_japanese(body: bytes) -> str:
    """Shift_JIS or EUC-JP where nearly all characters, read so, are kana or common kanji; else ""."""
    best, best_share = "", COMMON_SHARE
    for encoding, codec in _JAPANESE.items():
        text = _reading(body, codec)
        common = sum(_is_common(char) for char in text if char > "\x7f")
        if text and (share := common / max(1, _size(_NON_ASCII, text))) >= best_share:
            best, best_share = encoding, share
    return best


def _surely_korean(body: bytes) -> bool:
    """Whether the bytes, read as EUC-KR, are Korean prose: in other texts its commonest syllables are rare.

    The syllables of EUC-KR have the codes of common kanji in EUC-JP.
    """
    text = _reading(body, "euc_kr")
    syllables = sum(text.count(syllable) for syllable in KOREAN_SYLLABLES)
    return syllables >= MIN_SYLLABLES and syllables >= SYLLABLE_SHARE * _size(_NON_ASCII, text)


def _has_korean_words(body: bytes) -> bool:
    """Whether what is not ASCII is syllables of EUC-KR alone, with its punctuation, in short words."""
    sample = _sample(body)
    words = _KOREAN_WORD.findall(sample) if _KOREAN_TEXT.fullmatch(sample) else []
    syllables = sum(map(len, words)) // 2
    return len(words) > 1 and FEWEST_SYLLABLES <= syllables <= LONGEST_WORDS * len(words)


def _reading(body: bytes, codec: str) -> str:
    """A sample of the bytes read by Python's codec, "" where they do not fit; the sample's last character may
    be cut.
    """
    sample = _sample(body)
    text = sample.decode(codec, "replace")
    errors = text.count(encodings.REPLACEMENT)
    cut = text.endswith(encodings.REPLACEMENT)
    return text if errors - cut <= BELIEVABLE_ERRORS * _size(_NON_ASCII, text) else ""


def _sample(body: bytes) -> bytes:
    """A stretch from the first byte that is not ASCII on, where the evidence is."""
    first = _EIGHT_BIT.search(body)
    start = first.start() if first else 0
    return body[start : start + DETECTION_BYTES]


def _kana_share(text: str) -> float:
    return (_size(_KANA, text) - _size(_HALF_WIDTH_KANA, text)) / max(1, _size(_NON_ASCII, text))


def _is_common(char: str) -> bool:
    """Whether a character is kana, Japanese punctuation or a kanji of JIS level 1."""
    try:
        code = char.encode("euc_jp")
    except UnicodeEncodeError:
        return False
    return len(code) == 2 and (code[0] in (0xA1, 0xA3, 0xA4, 0xA5) or 0xB0 <= code[0] <= 0xCF)


def _error_share(body: bytes, encoding: str) -> float:
    """Undecodable places per non-ASCII character beyond what is believable in a page of that encoding."""
    text, errors = encodings.decode(body, encoding)
    return max(0.0, errors / max(1, _size(_NON_ASCII, text)) - BELIEVABLE_ERRORS)


def _size(pattern: re.Pattern[str], text: str) -> int:
    """How many characters of the text are in runs of the pattern."""
    return sum(map(len, pattern.findall(text)))


def _is_utf16(body: bytes, encoding: str) -> bool:
    """Whether the bytes can be UTF-16 of that order: nearly no errors, and as many tags as there are bytes
    that look like one.
    """
    text, errors = encodings.decode(body, encoding)
    other_order = utf16_without_bom(body[:4096]) not in (None, encoding)
    return (
        errors <= BELIEVABLE_ERRORS * len(text) + 1
        and text.count("<") >= body.count(b"<") / 2
        and not other_order
    )


def utf16_without_bom(head: bytes) -> str | None:
    """UTF-16 by its zero bytes: nearly every second byte of markup is one."""
    pairs = len(head) // 2
    if pairs < 4:
        return None
    for encoding, zeros in (("utf-16le", head[1::2]), ("utf-16be", head[0::2])):
        others = head[0::2] if encoding == "utf-16le" else head[1::2]
        if zeros.count(0) > 0.4 * pairs and others.count(0) < 0.05 * pairs:
            return encoding
    return None
