"""Sentences of one paragraph, character by character: the rules of detector.splitting once more, with nothing
clever in them.
"""

from __future__ import annotations

import re
import unicodedata

from ruiji.detector.sentences.normalise import normalise

JAPANESE = re.compile(
    "[\u3001-\u3029\u3030-\u3098\u309b-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)
WIDE = re.compile("[々〆〇ぁ-\u3098ゝ-ゟァ-ヺー-ヿ㐀-鿿\uf900-\ufaff가-\ud7af\U00020000-\U0003ffff]")
FULL = "。।॥۔։።។။"
MARKS = "!?؟" + FULL
CLOSERS = "」』)】〕》〉]}»\"'”’"
OPENERS = "\"“‘'([{«「『【〔《〈¿¡"
GOES_ON = re.compile(
    "[っ、,。)・ー!?」』.]|と(?!ても|っても|ころ|にかく|りあえず|もかく|はいえ|いうわけ)|です"
)
GOES_ON_AFTER_QUOTATION = re.compile("[をはがにのでもやへ]|だ[。とがっ]|など")
ABBREVIATION = re.compile(
    r"(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Sra|Mme|Mlle|Inc|Co|Corp|Ltd|vs|cf|al|[Nn]o|Nr|[Vv]ol|pp|p|ch|[Ff]ig|Eq|ca|approx|e\.g|i\.e|a\.m|p\.m"
    r"|z\.B|d\.h|u\.a|bzw|usw|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|(?:[^\W\d_]\.)*[A-ZÀ-ÞΑ-ΩА-Я])\."
)


def starts_sentence(char: str) -> bool:
    return unicodedata.category(char) in ("Lu", "Lt", "Nd", "Lo") or JAPANESE.match(char) is not None


def in_address(char: str) -> bool:
    return unicodedata.category(char) in ("Ll", "Lu", "Lt", "Nd") or char in "/=&%#_-+~@:;"


def abbreviates(before: str) -> bool:
    """Whether a text up to a full stop ends in an abbreviation or is the number of an item."""
    *rest, word = re.split("[ \n]", before)
    word = word.lstrip("([\"'“‘")
    if len(re.split("[ \n]", before)[-1]) >= 16:
        return False
    if ABBREVIATION.fullmatch(word):
        return True
    number = re.fullmatch(r"\(?[0-9]{1,3}\.", word) is not None
    before = rest[-1] if rest else ""
    shortened = len(before) < 16 and ABBREVIATION.fullmatch(before.lstrip("([\"'“‘")) is not None
    return number and (not rest or (before[-1:] in tuple(".!?。") and not shortened))


def ends_here(text: str, begin: int, end: int) -> bool:
    """Whether a sentence ends with the run of marks text[begin:end], which is not at the end of its
    paragraph.
    """
    run, before, after = text[begin:end], text[:begin][-1:], text[end]
    rest = text[end:].lstrip(" ")
    japanese = bool(before) and JAPANESE.match(before) is not None
    marked = any(char in MARKS for char in run)
    stop = "." in run
    japanese_stop = (
        stop
        and unicodedata.category(after) not in ("Ll", "Nd")
        and (japanese or WIDE.match(after) is not None)
    )
    in_name = (
        marked
        and not any(char in FULL for char in run)
        and not japanese
        and (in_address(after) or (after == " " and unicodedata.category(rest[0]) == "Ll"))
    )
    if (marked and not in_name) or japanese_stop or run[-1] in "」』":
        if run[-1] not in FULL and (
            GOES_ON.match(rest) or (run[-1] in "」』" and GOES_ON_AFTER_QUOTATION.match(rest))
        ):
            return False
        return not (japanese_stop and not japanese and not marked and abbreviates(text[:end]))
    if stop and after == " ":
        if not (
            starts_sentence(rest[0]) or (rest[0] in OPENERS and len(rest) > 1 and starts_sentence(rest[1]))
        ):
            return False
        return not abbreviates(text[:end])
    return run == "." and glued(text[:end], text[end:])


def glued(before: str, after: str) -> bool:
    """Whether a full stop ends a sentence though the next begins right after it."""
    word = re.split(r"[\s(“\"‘]", before)[-1]
    return (
        re.fullmatch(r"[a-zà-ÿ][a-zà-ÿ’'-]*[a-zà-ÿ]\.", word) is not None
        and re.match(r"[A-ZÀ-Þ][a-zà-ÿ]*[\s,’']", after) is not None
    )


def split_slowly(text: str) -> list[str]:
    """The sentences of a paragraph."""
    paragraph = normalise(text).strip()
    found, start = [], 0
    for match in re.finditer(f"[{re.escape(MARKS + CLOSERS)}.]+", paragraph):
        if match.end() < len(paragraph) and ends_here(paragraph, *match.span()):
            found.append(paragraph[start : match.end()].strip())
            start = match.end()
    return [sentence for sentence in (*found, paragraph[start:].strip()) if sentence]
