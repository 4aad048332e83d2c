"""The content words of a text, each by its dictionary form, in order: what is left of a sentence when its
grammar is taken away.

Japanese is analysed by MeCab; particles, auxiliaries, polite forms and the emptiest words go, negation stays.
Elsewhere words are cut at everything that is no letter, and stop words and the commonest endings of English
go.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from ruiji.features.text.morphology import CACHED_TOKENS, FUNCTION_WORDS, mecab, pieces

Lemmas = tuple[str, ...]

# MeCab's output formats, of words and of unknown words: part of speech, and dictionary form or the word
# itself.
_LEMMAS = (r"%f[0]\t%f[7]\n", r"%f[0]\t%m\n")

_KANA = re.compile("[ぁ-ゖァ-ヺ]")
_WORD = re.compile(r"[^\W_]+(?:['’][a-z]+)?")

# Names of UniDic. Left out are particles, auxiliaries, conjunctions, interjections, adnominals (この),
# symbols.
_CONTENT = frozenset("名詞 代名詞 動詞 形容詞 形状詞 副詞 接頭辞 接尾辞".split())
NEGATION = "ない"
_NEGATIONS = frozenset("ない 無い ず まい".split())  # dictionary forms, as auxiliary or adjective
# Dictionary forms that carry grammar or politeness: する いる ある なる できる, いただく くださる いたす …;
# こと もの …; お ご, さん 様 …
_EMPTY = frozenset(
    """為る 居る 有る 成る 出来る 頂く 下さる 致す 為さる 御座る 貰う 呉れる 仕舞う 置く 参る 申す 就く 付く 事 物 為 訳 筈 所 様
    御 さん 氏 君 ちゃん 殿 達""".split()
)

# Of our own choice: prepositions, conjunctions and possessives beside the function words that go with verbs.
STOP_WORDS = (
    FUNCTION_WORDS
    | frozenset(
        """of to in on at by for with from into about over under after before between through during and nor my your his her our this am
        being having doing may shall no yes just very too only own same such up down out off again further once all any both each few more
        most other some i'm it's""".split()
    )
) - {"not"}
_ENDINGS = (("'s", ""), ("’s", ""), ("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))
_SHORTEST_STEM = 3  # letters that must be left
_DOUBLED = re.compile(r"([bdgmnprt])\1$")  # running, stopped


def lemmas(texts: Sequence[str]) -> list[Lemmas]:
    """The content words of each text in dictionary form. Texts are in normal form (NFKC)."""
    return [_japanese(text) if not text.isascii() and _KANA.search(text) else _spaced(text) for text in texts]


def _japanese(text: str) -> Lemmas:
    parse, meaning = _parser(), _meanings()
    return tuple(
        word for piece in pieces(text) for line in parse(piece).split("\n") if (word := meaning[line])
    )


def _spaced(text: str) -> Lemmas:
    words = _WORD.findall(text.lower())
    return tuple(stem(word) for word in words if word not in STOP_WORDS)


def stem(word: str) -> str:
    """A word in lower case without the commonest endings of English ('s, ing, ed, es, s) and a final e, where
    three letters are left.
    """
    if not word.isascii():
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _SHORTEST_STEM:
            word = _DOUBLED.sub(r"\1", word[: -len(ending)]) + instead
            break
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST_STEM else word


@cache
def _parser() -> Callable[[str], str]:
    _, parse = mecab(*_LEMMAS)
    return parse


class _Meanings(dict[str, str]):
    """What each line of MeCab's output says: the dictionary form of a content word, or "" for anything
    else.
    """

    def __missing__(self, line: str) -> str:
        if len(self) >= CACHED_TOKENS:
            self.clear()
        speech, _, word = line.partition("\t")
        lemma = word.partition("-")[0] or word  # コンピューター-computer
        if lemma in _NEGATIONS and speech in ("助動詞", "形容詞"):
            lemma = NEGATION
        elif speech not in _CONTENT or lemma in _EMPTY:
            lemma = ""
        self[line] = lemma.lower()
        return self[line]


@cache
def _meanings() -> _Meanings:
    return _Meanings()
