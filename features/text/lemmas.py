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

from ruiji.features.text.morphology import CACHED_TOKENS, mecab, pieces
from ruiji.features.text.word_lists import stop_words, word_lists

Lemmas = tuple[str, ...]

# MeCab's output formats, of words and of unknown words: part of speech, and dictionary form or the word
# itself.
_LEMMAS = (r"%f[0]\t%f[7]\n", r"%f[0]\t%m\n")

_KANA = re.compile("[ぁ-ゖァ-ヺ]")
_WORD = re.compile(r"[^\W_]+(?:['’][a-z]+)?")

NEGATION = "ない"
_ENDINGS = (("'s", ""), ("’s", ""), ("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))
_SHORTEST_STEM = 3  # letters that must be left
_DOUBLED = re.compile(r"([bdgmnprt])\1$")  # running, stopped


def lemmas(texts: Sequence[str]) -> list[Lemmas]:
    """The content words of each text in dictionary form. Texts are in normal form (NFKC)."""
    return [_japanese(text) if not text.isascii() and _KANA.search(text) else _spaced(text) for text in texts]


def _japanese(text: str) -> Lemmas:
    parse, meaning = _parser(), _lemmas_of_lines()
    return tuple(
        word for piece in pieces(text) for line in parse(piece).split("\n") if (word := meaning[line])
    )


def _spaced(text: str) -> Lemmas:
    left_out = stop_words()
    return tuple(stem(word) for word in _WORD.findall(text.lower()) if word not in left_out)


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


class _Lemmas(dict[str, str]):
    """What each line of MeCab's output says: the dictionary form of a content word, or "" for anything
    else.
    """

    def __init__(self) -> None:
        super().__init__()
        lists = word_lists("lemmas")
        self._content, self._empty, self._negations = (
            frozenset(lists[name].split()) for name in ("content", "empty", "negations")
        )

    def __missing__(self, line: str) -> str:
        if len(self) >= CACHED_TOKENS:
            self.clear()
        speech, _, word = line.partition("\t")
        lemma = word.partition("-")[0] or word  # コンピューター-computer
        if lemma in self._negations and speech in ("助動詞", "形容詞"):
            lemma = NEGATION
        elif speech not in self._content or lemma in self._empty:
            lemma = ""
        self[line] = lemma.lower()
        return self[line]


@cache
def _lemmas_of_lines() -> _Lemmas:
    return _Lemmas()
