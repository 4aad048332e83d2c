"""Values compared as a person would: what two pages write differently of the same fact is a variant, what
differs in fact is not.

``key_of`` folds a value by its kind into what is compared and indexed; ``compare`` says how two values stand
to each other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache

from ruiji.detector.records.fields.kanji_forms import todays_forms
from ruiji.detector.records.fields.posts import post_key
from ruiji.features.text.dates import Date, date_in

MAIL = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._%+-]*(?:\s?@\s?|\s?[\[(<{【]\s*(?:at|@|アット(?:マーク)?)\s*[\])>}】"
    r"]\s?|\s+at\s+(?=[\w-]+\s+dot\s))"
    r"[A-Za-z0-9-]+(?:(?:\.|\s?[\[(<{【]\s*(?:dot|\.|ドット)\s*[\])>}】]\s?|\s+dot\s+)[A-Za-z0-9-]+)+",
    re.IGNORECASE,
)
PHONE = re.compile(
    r"(?<![\w.-])(?:\+81[\s-]?(?:\(0\))?\d{1,4}|0\d{1,4}|\(0\d{1,4}\)|\+\d{1,3}[\s-]?\d{1,4})[\s)-]*\d{1,"
    r"4}[\s-]+\d{3,4}(?![\d-])|(?<![\w.-])\(?0\d{9,10}(?!\d)"
)
ENGLISH_PHONE = re.compile(r"(?<![\w.-])(?:\+?1[\s.-]?)?\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}(?!\d)")
URL = re.compile(r"https?://[^\s<>\"'）)」]+", re.IGNORECASE)
MONEY = re.compile(
    r"(?:[¥￥$€£]\s*[\d,]+(?:\.\d+)?|[\d,.]+\s*(?:[兆億万千百]\s*[\d,]*\s*)*(?:円|ドル|ユーロ"
    r"|JPY|USD|EUR|yen))",
    re.IGNORECASE,
)
ROOM = re.compile(
    r"(?:第?\d+|[一二三四五六七八九十]+|[A-Z東西南北本旧新中別]|[^\s、。:：]{1,10})?(?:号館|号棟|校舎|庁舎"
    r"|館|棟|会館|研究棟|ビル|実験所)\s*"
    r"(?:[A-Z]?-?\d*\s*(?:階|F))?\s*(?:[A-Z]?-?\d{1,4}[A-Za-z]?\s*(?:号室|室)?)?$"
    r"|(?:号館|庁舎|館|棟|ビル)\s*\d{1,2}\s*(?:階|F)\b|^[A-Z]?-?\d{1,4}[A-Z]?\s*号?室$|^(?:本館|別館|新館"
    r")?\s*\d+(?:階|F)$"
    r"|(?:Room|Rm\.?|Bldg\.?|Building|Floor|Hall)\b.*\d",
    re.IGNORECASE,
)
LONG_ITEM = (
    4  # letters of the items of a list that another may leave out and mean the same; a weekday has fewer
)
EXTENSION_DIGITS = 6  # a number with no more is an extension, not a telephone number

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−－ｰ⁃﹣─━"), "-")
_NUMERALS = {char: str(value) for value, char in enumerate("〇一二三四五六七八九")}
_SPACE = re.compile(r"\s+")
_BRACKETED = re.compile(r"\s*[(\[【〔〈<][^()\[\]【】〔〕〈〉<>]*[)\]】〕〉>]\s*")
_NO_SIGN = re.compile(r"[^\w]+|_+")
_LIST_SIGNS = re.compile(r"[、,，;；/／・|｜\n]+|\s+および\s*|および|並びに|\sand\s|\s&\s")
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
_JAPANESE = re.compile(r"[ぁ-ゖァ-ヺー㐀-鿿豈-﫿𠀀-𮯠]")
_LATIN = re.compile(r"[A-Za-z]")


class Match(Enum):
    """How two values stand to each other."""

    SAME = "same"
    VARIANT = "variant"  # one fact, written differently
    SAME_MEANING = "same meaning"  # one fact in two languages: nothing to report
    DIFFERENT = "different"
    INCOMPARABLE = "incomparable"  # two scripts, and nobody can tell without a dictionary


AGREEING = frozenset({Match.SAME, Match.VARIANT, Match.SAME_MEANING})


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
    return _BRACKETED.sub(" ", plain).strip() or plain


@lru_cache(maxsize=1 << 16)
def key_of(kind: str, value: str) -> str:
    """What is compared of a value of that kind; two values with one key state the same fact. "" for a value
    that says nothing.
    """
    if not bare(value):
        return ""
    return _KEYS.get(kind, _text_key)(value)


def _text_key(value: str) -> str:
    items = sorted(filter(None, (bare(item) for item in _LIST_SIGNS.split(folded(value)))))
    return "|".join(items)


def _name_key(value: str) -> str:
    plain = folded(without_brackets(value))
    plain = re.sub(r"(?:さん|様|先生|氏)$", "", plain)
    plain = re.sub(
        r"^(?:dr|prof|mr|ms|mrs)\.?\s+|,?\s*(?:ph\.?\s?d\.?|m\.?d\.?|m\.?sc\.?|d\.?eng\.?)$", "", plain
    )
    if _JAPANESE.search(plain):
        return bare(plain)
    words = [word for word in re.split(r"[\s,.・]+", plain) if word]
    return " ".join(sorted(words))


def _mail_key(value: str) -> str:
    plain = unicodedata.normalize("NFKC", value)
    match = MAIL.search(plain)
    plain = match.group() if match else plain
    plain = re.sub(
        r"\s*[\[(<{【]\s*(?:at|@|アット(?:マーク)?)\s*[\])>}】]\s*|\s+at\s+", "@", plain, flags=re.IGNORECASE
    )
    plain = re.sub(
        r"\s*[\[(<{【]\s*(?:dot|\.|ドット)\s*[\])>}】]\s*|\s+dot\s+", ".", plain, flags=re.IGNORECASE
    )
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
    plain = re.sub(r"〒?\s*\d{3}-\d{4}\s*", "", plain)
    plain = re.sub(r"[一二三四五六七八九〇](?=丁目|番|号|階)", lambda match: _NUMERALS[match.group()], plain)
    plain = re.sub(r"(?<=\d)\s*(?:丁目|番地の|番地|番|号(?!館|棟|室)|の(?=\d))\s*", "-", plain)
    plain = re.sub(r"(?<=\d)\s*(?:号室|室)$", "", plain)
    plain = re.sub(r"(?<=\d)\s*f(?:loor)?\b", "階", plain)
    plain = re.sub(r"\b(?:building|bldg)\b\.?", "bldg", plain)
    plain = re.sub(r"\b(?:room|rm)\b\.?", "room", plain)
    return re.sub(r"[\s,.、。()]+", "", re.sub(r"-+(?=\D|$)", "", plain))


def _post_key(value: str) -> str:
    return post_key(value)


def _hours_key(value: str) -> str:
    plain = unicodedata.normalize("NFKC", value).translate(_DASHES)
    plain = re.sub(
        r"(午前|午後|正午)?\s*(\d{1,2})\s*(?::|時)\s*(\d{1,2}|半)?\s*(?:分)?\s*(a\.?m\.?|p\.?m\.?)?",
        _clock,
        plain,
        flags=re.IGNORECASE,
    )
    plain = re.sub(
        r"(?<![\d:])(\d{1,2})\s*(a\.?m\.?|p\.?m\.?)",
        lambda m: _clock_of("", m.group(1), "", m.group(2)),
        plain,
        flags=re.IGNORECASE,
    )
    plain = re.sub(r"正午|noon", "1200", plain, flags=re.IGNORECASE)
    plain = re.sub(r"\s*(?:~|〜|-|から|to|まで)\s*", "-", plain, flags=re.IGNORECASE)
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
}  # fmt: skip


def scripts_apart(one: str, other: str) -> bool:
    """Whether one value is in Japanese letters and the other in Latin ones, so that only a translator could
    compare them.
    """
    japanese = bool(_JAPANESE.search(one)), bool(_JAPANESE.search(other))
    if japanese[0] == japanese[1]:
        return False
    return bool(_LATIN.search(other if japanese[0] else one))


@lru_cache(maxsize=1 << 16)
def compare(kind: str, one: str, other: str) -> Match:
    """How two values of that kind stand to each other. Symmetric."""
    if one == other:
        return Match.SAME
    first, second = key_of(kind, one), key_of(kind, other)
    apart = kind not in ("mail", "phone", "url", "date", "code", "money", "number") and scripts_apart(
        one, other
    )
    if first == second:
        return Match.SAME_MEANING if apart else Match.VARIANT
    if apart and kind != "post":
        return Match.INCOMPARABLE
    if apart:
        return Match.DIFFERENT if _known_post(first) and _known_post(second) else Match.INCOMPARABLE
    if bare(one) == bare(other) or _loosely(kind, one, other) or _loosely(kind, other, one):
        return Match.VARIANT
    return Match.DIFFERENT


def _known_post(key: str) -> bool:
    return bool(_JAPANESE.search(key))


def _loosely(kind: str, shorter: str, longer: str) -> bool:
    """Whether the longer value says the same fact with more: a title, a remark in brackets, a sub-office, a
    day beside the month.
    """
    if key_of(kind, without_brackets(shorter)) == key_of(kind, without_brackets(longer)):
        return kind not in ("number", "money", "phone") or key_of(kind, shorter) == key_of(kind, longer)
    if kind == "date":
        dates = date_in(shorter), date_in(longer)
        return isinstance(dates[0], Date) and isinstance(dates[1], Date) and dates[0].agrees(dates[1])
    if kind == "phone":
        return _extension_of(shorter, longer)
    if kind == "name":
        return _name_within(shorter, longer)
    if kind == "place":
        first, second = _place_key(without_brackets(shorter)), _place_key(without_brackets(longer))
        return len(first) >= 4 and (
            second.endswith(first) or (second.startswith(first) and not second[len(first)].isdigit())
        )
    if kind == "post":  # 教授 and 教授・学科長, but not Professor and Associate Professor
        parts = re.split(r"\s*[・/,、(&]\s*|\s+and\s+", folded(longer))
        return len(parts) > 1 and len(bare(shorter)) > 1 and post_key(shorter) in map(post_key, parts)
    if kind == "text":
        return _within_text(shorter, longer)
    return False


def _extension_of(shorter: str, longer: str) -> bool:
    """Whether one is the extension that the other gives beside the number: 3412 and
    0769-44-2111（内線3412）.
    """
    digits = _phone_key(shorter)
    if not digits.isdigit() or len(digits) > EXTENSION_DIGITS:
        return False
    plain = unicodedata.normalize("NFKC", longer)
    return bool(re.search(rf"(?:内線?|ext(?:ension)?\.?|#)\s*[:：)]?\s*{digits}(?!\d)", plain, re.IGNORECASE))


def _name_within(shorter: str, longer: str) -> bool:
    """Whether a name is the other with a title, initials, a middle name or a sub-office."""
    short, full = folded(without_brackets(shorter)), folded(without_brackets(longer))
    if _JAPANESE.search(short):
        parts = full.split(" ")
        return (
            bare(short)
            in (
                {bare("".join(parts[start:])) for start in range(1, len(parts))}
                | {bare("".join(parts[:end])) for end in range(1, len(parts))}
            )
            and len(bare(short)) >= 3
        )
    mine, theirs = [re.split(r"[\s.,-]+", text.strip(" .,")) for text in (short, full)]
    mine, theirs = [word for word in mine if word], [word for word in theirs if word]
    if not mine or len(mine) > len(theirs) or len(theirs) < 2:
        return False
    rest = list(theirs)
    whole = 0
    for word in sorted(mine, key=len, reverse=True):
        fitting = (
            word
            if word in rest
            else next((full for full in rest if len(word) == 1 and full.startswith(word)), "")
        )
        if not fitting:
            return False
        whole += len(word) > 1
        rest.remove(fitting)
    return whole >= 1 and len(mine) >= 2


def _within_text(shorter: str, longer: str) -> bool:
    """Whether a text without a list in it ends or begins the other at a border of words: 情報工学科 in 工学部
    情報工学科.
    """
    short, full = folded(shorter), folded(longer)
    items, others = (set(filter(None, map(bare, _LIST_SIGNS.split(text)))) for text in (short, full))
    if items and items < others and min(map(len, items)) >= LONG_ITEM:
        return True  # Ruby札幌, and Ruby札幌, 株式会社えにしテック
    if len(bare(short)) < 3 or _LIST_SIGNS.search(full):
        return False
    return bool(re.search(rf"(?:^|[\s(]){re.escape(short)}$|^{re.escape(short)}(?:[\s(]|$)", full)) or (
        full.endswith(short) and bool(re.search(r"(?:部|院|科|学|局|課|社|校|所)$", full[: -len(short)]))
    )


def is_slip(one: str, other: str) -> bool:
    """Whether two numbers or addresses differ as a slip of the hand makes them differ: two neighbours
    swapped, or one sign.
    """
    first, second = re.sub(r"[\s()-]+", "", folded(one)), re.sub(r"[\s()-]+", "", folded(other))
    if len(first) != len(second) or len(first) < 4:
        return False
    apart = [place for place, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
    if len(apart) == 2 and apart[1] == apart[0] + 1:
        return first[apart[0]] == second[apart[1]] and first[apart[1]] == second[apart[0]]
    return False


def best_match(kind: str, ones: Sequence[str], others: Sequence[str]) -> tuple[Match, str, str]:
    """How two fields with perhaps several values stand, by the pair of values that agrees most."""
    order = (Match.SAME, Match.SAME_MEANING, Match.VARIANT, Match.INCOMPARABLE, Match.DIFFERENT)
    found = [
        (order.index(compare(kind, *sorted((one, other)))), one, other) for one in ones for other in others
    ]
    rank, one, other = min(found, key=lambda item: item[0])
    return order[rank], one, other
