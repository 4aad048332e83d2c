"""Japanese names in Latin letters: what kana, Hepburn, kunrei and hand-made spellings have in common.

Ohba, Ooba and Oba, Syogo and Shogo, Yohji and Yoji are one key each; so are オオバ, ショウゴ and ヨウジ.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_HEPBURN = {
    "ア": "a", "イ": "i", "ウ": "u", "エ": "e", "オ": "o", "カ": "ka", "キ": "ki", "ク": "ku", "ケ": "ke",
    "コ": "ko",
    "サ": "sa", "シ": "shi", "ス": "su", "セ": "se", "ソ": "so", "タ": "ta", "チ": "chi", "ツ": "tsu",
    "テ": "te",
    "ト": "to", "ナ": "na", "ニ": "ni", "ヌ": "nu", "ネ": "ne", "ノ": "no", "ハ": "ha", "ヒ": "hi",
    "フ": "fu",
    "ヘ": "he", "ホ": "ho", "マ": "ma", "ミ": "mi", "ム": "mu", "メ": "me", "モ": "mo", "ヤ": "ya",
    "ユ": "yu",
    "ヨ": "yo", "ラ": "ra", "リ": "ri", "ル": "ru", "レ": "re", "ロ": "ro", "ワ": "wa", "ヲ": "o", "ン": "n",
    "ガ": "ga", "ギ": "gi", "グ": "gu", "ゲ": "ge", "ゴ": "go", "ザ": "za", "ジ": "ji", "ズ": "zu",
    "ゼ": "ze",
    "ゾ": "zo", "ダ": "da", "ヂ": "ji", "ヅ": "zu", "デ": "de", "ド": "do", "バ": "ba", "ビ": "bi",
    "ブ": "bu",
    "ベ": "be", "ボ": "bo", "パ": "pa", "ピ": "pi", "プ": "pu", "ペ": "pe", "ポ": "po", "ヴ": "v", "ー": "",
}  # fmt: skip
_SMALL = {"ャ": "a", "ュ": "u", "ョ": "o", "ァ": "a", "ィ": "i", "ゥ": "u", "ェ": "e", "ォ": "o"}
_SYLLABLES = re.compile(
    r"(?:(?:[kgnhbpmr]y?|s[hy]?|c?ch|t(?:s|y)?|[zd]y?|dz(?=u)|jy?|f(?=[ui])|w(?=[ao])|y(?="
    r"[auo]))?[aeiou]h?|n(?![aeiouy])|m(?=[bpm])|([kstcp])(?=\1)|t(?=ch))+"
)
# Kunrei and hand-made spellings → Hepburn; long vowels → short ones.
_SPELLINGS = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (r"sy(?=[auo])", "sh"), (r"si", "shi"), (r"ty(?=[auo])", "ch"), (r"ti", "chi"), (r"tu", "tsu"),
        (r"(?<![sc])hu", "fu"), (r"[zd]y(?=[auo])|jy(?=[auo])", "j"), (r"zi|di", "ji"), (r"du|dzu", "zu"),
        (r"cch", "tch"),
        (r"m(?=[bpm])", "n"), (r"l", "r"), (r"(?<=o)h(?![aeiouy])|(?<=u)h(?![aeiouy])", ""), (r"o[ou]+", "o"),
        (r"uu+", "u"), (r"aa+", "a"), (r"ii+", "i"), (r"ee+", "e"),
    )
)  # fmt: skip


def is_romaji(word: str) -> bool:
    """Whether a word in lower case can be read as Japanese syllables."""
    return bool(_SYLLABLES.fullmatch(word.replace("'", "").replace("-", "")))


@lru_cache(1 << 15)
def romaji_key(word: str) -> str:
    """What all spellings of a Japanese word in Latin letters have in common."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    plain = re.sub(r"[^a-z]", "", plain)
    for pattern, said in _SPELLINGS:
        plain = pattern.sub(said, plain)
    return plain


@lru_cache(1 << 15)
def kana_key(kana: str) -> str:
    """The key of a word in kana; "" where it holds other letters."""
    text = "".join(
        chr(ord(c) + 0x60) if "ぁ" <= c <= "ゖ" else c for c in unicodedata.normalize("NFKC", kana)
    )
    letters: list[str] = []
    double = False
    for character in text:
        if character == "ッ":
            double = True
            continue
        if character in _SMALL and letters:
            last = letters[-1]
            letters[-1] = (last if last in ("sh", "ch", "j") else last[:-1] or last) + _small(last, character)
            continue
        if character not in _HEPBURN:
            return ""
        syllable = _HEPBURN[character]
        if double and syllable:
            syllable = ("t" if syllable.startswith("ch") else syllable[0]) + syllable
        double = False
        letters.append(syllable)
    return romaji_key("".join(letters))


def _small(before: str, small: str) -> str:
    """What a small kana adds to a syllable without its vowel: キ and ョ are kyo, シ and ョ sho, フ and ァ
    fa.
    """
    vowel = _SMALL[small]
    if small in "ャュョ" and not before.startswith(("sh", "ch", "j", "tsh")):
        return "y" + vowel
    return vowel
