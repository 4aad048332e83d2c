"""The shapes of values, and ``key_of``, which folds a value by its kind into what is compared and indexed."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from ruiji.detector.records.fields.kanji_forms import todays_forms
from ruiji.detector.records.fields.occasions import occasion_of
from ruiji.detector.records.fields.posts import post_key
from ruiji.features.text.dates import date_in

# Repeats before a sign that may not come are bounded, for a cell may hold 20,000 letters (RFC 5321: 64 before
# the @).
_AT = r"\s?[\[(<{【]\s{0,3}(?:at|@|アット(?:マーク)?)\s{0,3}[\])>}】]\s?"
_DOT = r"\s?[\[(<{【]\s{0,3}(?:dot|\.|ドット)\s{0,3}[\])>}】]\s?"
MAIL = re.compile(
    rf"(?<![A-Za-z0-9])[A-Za-z0-9][A-Za-z0-9._%+-]{{0,63}}+(?:\s?@\s?|{_AT}|\s{{1,3}}at\s{{1,3}}(?=[\w-]{{1,63}}\s{{1,3}}dot\s))"
    rf"[A-Za-z0-9-]{{1,63}}(?:(?:\.|{_DOT}|\s{{1,3}}dot\s{{1,3}})[A-Za-z0-9-]{{1,63}}){{1,8}}",
    re.IGNORECASE,
)
PHONE = re.compile(
    r"(?<![\w.-])(?:\+81[\s-]?(?:\(0\))?\d{1,4}|0\d{1,4}|\(0\d{1,4}\)|\+\d{1,3}[\s-]?\d{1,4})[\s)-]*\d{1,"
    r"4}[\s-]+\d{3,4}(?![\d-])|(?<![\w.-])\(?0\d{9,10}(?!\d)"
)
# American, and the numbers without a town of Australia and Britain.
ENGLISH_PHONE = re.compile(
    r"(?<![\w.-])(?:(?:\+?1[\s.-]?)?\(?\d{3}\)?[\s.-]\s?\d{3}[\s.-]\d{4}|1[38]00\s\d{3}\s\d{3}|0[38]00\s\d{3}\s\d{3,4})(?!\d)"
)
URL = re.compile(r"https?://[^\s<>\"'）)」]+", re.IGNORECASE)
MONEY = re.compile(
    r"(?:[¥￥$€£]\s?[\d,]{1,20}(?:\.\d{1,4})?|[\d,.]{1,20}\s?(?:[兆億万千百]\s?[\d,]{0,12}\s?){0,5}(?:円|ドル|ユーロ"
    r"|JPY|USD|EUR|yen))",
    re.IGNORECASE,
)
ROOM = re.compile(
    r"(?:第?\d{1,4}|[一二三四五六七八九十]{1,4}|[A-Z東西南北本旧新中別]|[^\s、。:：]{1,10})?(?:号館|号棟|校舎|庁舎"
    r"|館|棟|会館|研究棟|ビル|実験所)\s{0,3}"
    r"(?:[A-Z]?-?\d{0,3}\s?(?:階|F))?\s?(?:[A-Z]?-?\d{1,4}[A-Za-z]?\s?(?:号室|室)?)?$"
    r"|(?:号館|庁舎|館|棟|ビル)\s?\d{1,2}\s?(?:階|F)\b|^[A-Z]?-?\d{1,4}[A-Z]?\s?号?室$|^(?:本館|別館|新館"
    r")?\s?\d{1,3}(?:階|F)$"
    r"|(?:Room|Rm\.?|Bldg\.?|Building|Floor|Hall)\b.{0,24}\d",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?<!\d)(?:199\d|20[0-4]\d)(?!\d)")
EXTENSION_DIGITS = 6  # a number with no more is an extension, not a telephone number

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−－ｰ⁃﹣─━"), "-")
_NUMERALS = {char: str(value) for value, char in enumerate("〇一二三四五六七八九")}
_SPACE = re.compile(r"\s+")
_BRACKETED = re.compile(r"[(\[【〔〈<][^()\[\]【】〔〕〈〉<>]*[)\]】〕〉>]")
_NO_SIGN = re.compile(r"[^\w]+|_+")
LIST_SIGNS = re.compile(r"[、,，;；/／・|｜\n]+|および|並びに|\sand\s|\s&\s")
_ABBREVIATIONS = tuple(
    (full, tuple(shorts.split()))
    for full, shorts in (
        ("株式会社", "(株) ㈱ 株式會社"),
        ("有限会社", "(有) ㈲"),
        ("合同会社", "(同)"),
        ("合資会社", "(資) ㈾"),
        ("財団法人", "(財) ㈶"),
        ("社団法人", "(社) ㈳"),
        ("学校法人", "(学) ㈻"),
        ("国立大学法人", "(大)"),
        ("独立行政法人", "(独)"),
    )
)
_LEGAL_FORM = re.compile("|".join(full for full, _ in _ABBREVIATIONS))
JAPANESE = re.compile(r"[ぁ-ゖァ-ヺー㐀-鿿豈-﫿𠀀-𮯠]")


def year_of(url: str) -> int | None:
    """The only year that the host and path of an address name; None where there is none, or several."""
    years = set(YEAR.findall(re.split(r"[?#]", url, maxsplit=1)[0]))
    return int(years.pop()) if len(years) == 1 else None


def shown(text: str) -> str:
    """A value as it stands on the page: white space of HTML folded, everything else kept."""
    return re.sub(r"[ \t\n\r\f]+", " ", text).strip(" \u3000")


@lru_cache(maxsize=1 << 16)
def folded(text: str) -> str:
    """A text without width, case, kinds of dash, old kanji forms; spaces are single ones."""
    plain = unicodedata.normalize("NFKC", text).translate(_DASHES)
    for full, shorts in _ABBREVIATIONS:
        for short in shorts:
            if short in plain:
                plain = plain.replace(short, full)
    return _SPACE.sub(" ", todays_forms(plain).casefold()).strip()


@lru_cache(maxsize=1 << 16)
def bare(text: str) -> str:
    """The folded text without any sign or space, and without long vowels at the end of a katakana word
    (サーバー, サーバ).
    """
    plain = re.sub(r"(?<=[ァ-ヴ])ー(?![ァ-ヴー])", "", folded(text))
    return _NO_SIGN.sub("", plain).replace("ヴァ", "バ").replace("ヶ", "ケ").replace("ヵ", "カ")


def without_brackets(text: str) -> str:
    """The text without what stands in brackets, unless nothing else is left."""
    plain = unicodedata.normalize("NFKC", text)
    return _SPACE.sub(" ", _BRACKETED.sub(" ", plain)).strip() or plain


def without_legal_form(folded_text: str) -> str:
    """A folded name of a company without 株式会社 and its like, and without signs at its ends."""
    plain = _LEGAL_FORM.sub("", folded_text)
    return re.sub(r"^[\W_]+|[\W_]+$", "", plain) or folded_text


@lru_cache(maxsize=1 << 16)
def key_of(kind: str, value: str) -> str:
    """What is compared of a value of that kind; two values with one key state the same fact. "" for a value
    that says nothing.
    """
    if not bare(value):
        return ""
    return _KEYS.get(kind, _text_key)(value)


def _text_key(value: str) -> str:
    items = sorted(filter(None, (bare(item) for item in LIST_SIGNS.split(folded(value)))))
    return "|".join(items)


def _name_key(value: str) -> str:
    plain = folded(without_brackets(value))
    plain = re.sub(r"(?:さん|様|先生|氏)$", "", plain)
    plain = re.sub(
        r"^(?:dr|prof|mr|ms|mrs)\.?\s+|,?\s?(?:ph\.?\s?d\.?|m\.?d\.?|m\.?sc\.?|d\.?eng\.?)$", "", plain
    )
    if JAPANESE.search(plain):
        return bare(plain)
    words = [word for word in re.split(r"[\s,.・]+", plain) if word]
    return " ".join(sorted(words))


def _mail_key(value: str) -> str:
    plain = unicodedata.normalize("NFKC", value)
    match = MAIL.search(plain)
    plain = match.group() if match else plain
    plain = re.sub(rf"{_AT}|\s{{1,3}}at\s{{1,3}}", "@", plain, flags=re.IGNORECASE)
    plain = re.sub(rf"{_DOT}|\s{{1,3}}dot\s{{1,3}}", ".", plain, flags=re.IGNORECASE)
    return _SPACE.sub("", plain).casefold()


def _phone_key(value: str) -> str:
    plain = unicodedata.normalize("NFKC", value).translate(_DASHES)
    plain = re.sub(r"\(0\)", "", plain) if "+" in plain else plain
    match = PHONE.search(plain) or ENGLISH_PHONE.search(plain)
    digits = re.sub(r"\D", "", match.group() if match else plain)
    if "+81" in plain and digits.startswith("81"):
        digits = "0" + digits[2:]
    return digits or bare(value)


def _date_key(value: str) -> str:
    date = date_in(value)
    return f"{date.year:04d}-{date.month:02d}-{date.day:02d}" if date else _text_key(value)


def number_in(value: str) -> float | None:
    """The number that a text states, with 万 and 億: 1億2,000万円 is 120000000."""
    plain = unicodedata.normalize("NFKC", value).replace(",", "")
    match = re.search(r"\d+(?:\.\d+)?(?:\s*[兆億万千百]\s*(?:\d+(?:\.\d+)?)?)*", plain)
    if match is None:
        return None
    total, units = 0.0, {"兆": 1e12, "億": 1e8, "万": 1e4, "千": 1e3, "百": 1e2}
    for amount, unit in re.findall(r"(\d+(?:\.\d+)?)\s*([兆億万千百]?)", match.group()):
        total += float(amount) * units.get(unit, 1.0)
    return total


def _when_key(value: str) -> str:
    occasion = occasion_of(value)
    return f"{occasion.month:02d}-{occasion.day:02d}" if occasion else _text_key(value)


def _number_key(value: str) -> str:
    plain = unicodedata.normalize("NFKC", value)
    number = number_in(plain)
    if number is None:
        return _text_key(value)
    unit = re.search(r"\d\s*(kg|mg|g|km|cm|mm|m|ml|l|トン|キロ|グラム)\b", plain.casefold())
    scale, name = (
        {
            "kg": (1000.0, "g"),
            "キロ": (1000.0, "g"),
            "トン": (1e6, "g"),
            "グラム": (1.0, "g"),
            "mg": (0.001, "g"),
        }.get(unit.group(1), (1.0, unit.group(1)))
        if unit
        else (1.0, "")
    )
    return f"{number * scale:.6g}{name}"


def _money_key(value: str) -> str:
    plain = unicodedata.normalize("NFKC", without_brackets(value))
    number = number_in(plain)
    if number is None:
        return _text_key(value)
    other = re.search(r"[$€£]|ドル|ユーロ|usd|eur", plain.casefold())
    return f"{number:.10g}" + (
        {"$": "usd", "ドル": "usd", "usd": "usd", "€": "eur", "ユーロ": "eur", "eur": "eur", "£": "gbp"}[
            other.group()
        ]
        if other
        else ""
    )


def _url_key(value: str) -> str:
    match = URL.search(value)
    plain = (match.group() if match else value).strip().casefold()
    return re.sub(r"^https?://(?:www\.)?|/?(?:index\.html?)?/?$", "", plain)


def _place_key(value: str) -> str:
    plain = folded(value)
    plain = re.sub(r"〒?\s?\d{3}-\d{4}\s?", "", plain)
    plain = re.sub(r"[一二三四五六七八九〇](?=丁目|番|号|階)", lambda match: _NUMERALS[match.group()], plain)
    plain = re.sub(r"(?<=\d)\s?(?:丁目|番地の|番地|番|号(?!館|棟|室)|の(?=\d))\s?", "-", plain)
    plain = re.sub(r"(?<=\d)\s*(?:号室|室)$", "", plain)
    plain = re.sub(r"(?<=\d)\s*f(?:loor)?\b", "階", plain)
    plain = re.sub(r"\b(?:building|bldg)\b\.?", "bldg", plain)
    plain = re.sub(r"\b(?:room|rm)\b\.?", "room", plain)
    return re.sub(r"[\s,.、。()]+", "", re.sub(r"-+(?=\D|$)", "", plain))


def _post_key(value: str) -> str:
    return post_key(value)


def _hours_key(value: str) -> str:
    plain = _SPACE.sub(" ", unicodedata.normalize("NFKC", value).translate(_DASHES))
    plain = re.sub(
        r"(午前|午後|正午)?\s?(\d{1,2})\s?(?::|時)\s?(\d{1,2}|半)?\s?分?\s?(a\.?m\.?|p\.?m\.?)?",
        _clock,
        plain,
        flags=re.IGNORECASE,
    )
    plain = re.sub(
        r"(?<![\d:])(\d{1,2})\s?(a\.?m\.?|p\.?m\.?)",
        lambda m: _clock_of("", m.group(1), "", m.group(2)),
        plain,
        flags=re.IGNORECASE,
    )
    plain = re.sub(r"正午|noon", "1200", plain, flags=re.IGNORECASE)
    plain = re.sub(r"\s?(?:~|〜|-|から|to|まで)\s?", "-", plain, flags=re.IGNORECASE)
    return re.sub(r"[\s、,]+", "", plain.casefold()).strip("-")


def _clock(match: re.Match[str]) -> str:
    return _clock_of(match.group(1) or "", match.group(2), match.group(3) or "", match.group(4) or "")


def _clock_of(half: str, hour: str, minute: str, english: str) -> str:
    hours = int(hour)
    if (half == "午後" or english.lower().startswith("p")) and hours < 12:
        hours += 12
    return f"{hours:02d}{30 if minute == '半' else int(minute or 0):02d}"


def _code_key(value: str) -> str:
    return re.sub(r"[\s-]+", "", folded(value))


_KEYS = {
    "name": _name_key, "mail": _mail_key, "phone": _phone_key, "date": _date_key, "number": _number_key,
    "money": _money_key,
    "url": _url_key, "place": _place_key, "post": _post_key, "hours": _hours_key, "code": _code_key,
    "when": _when_key,
}  # fmt: skip
