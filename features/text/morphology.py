"""Parts of speech in texts: has a text a verb or an adjective, and which nouns (Nakamura 2007, section 3.3).

Japanese texts are analysed by MeCab (fugashi, unidic-lite). A text with kana is Japanese wherever it stands;
a text of kanji alone is Japanese in a Japanese page and Chinese elsewhere. In all other languages function
words that go with finite verbs stand for the verb, and every word is a candidate for a keyword.

MeCab is asked for numbers instead of features: its left context number of a token says the part of speech
(left-id.def), and picking that out of the feature would take a quarter longer. Texts are analysed in pieces
that end at punctuation. The last piece comes first where only the predicate is asked for: there a Japanese
sentence has it.
"""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import BoolArray
from ruiji.features.text.word_lists import function_words

Nouns = tuple[str, ...]

# Of kana and kanji; 372 pages of 19 Japanese sites have 0.40 or more; leaves room for a stray の in Chinese
JAPANESE_KANA_SHARE = 0.05
SHORTEST_SENTENCE = (
    3  # words, where words are spaced: EN | DE is a choice of languages, "is" and "it" in it are no verbs
)
LONGEST_WORD = 32  # characters of a keyword; longer ones are addresses, hashes, or whole clauses of Chinese
CACHED_TEXTS = 1 << 15  # of each answer: two batches of 32 pages
LONGEST_CACHED = 200  # characters: longer texts hardly come again, and the cache stays under 50 MB
CACHED_TOKENS = 1 << 17

# From 16 characters on a piece ends at the next punctuation (shorter ones cost more calls than they save), or
# after 480 characters: in a run of one kind of letter MeCab takes quadratic time (100,000 take 7 seconds),
# and a million of them crash it.
_PIECE = re.compile("(?s:.{16})[^。、，．！？]{0,480}[。、，．！？]{0,8}|(?s:.+)")
_INFLECTED = re.compile(
    "[ぁ-ゖヲ]"
)  # no hiragana, no ending; ヲ is for katakana sentences. MeCab sees a verb in 4 of 3,926 others: 化, 含
_KANA = re.compile("[ぁ-ゖァ-ヺｦ-ﾝ]")  # not ・ and ー, which other languages borrow
_KANA_OR_KANJI = re.compile("[ぁ-ゖァ-ヺｦ-ﾝ々㐀-鿿豈-龎\U00020000-\U0003ffff]")
_UNUSUAL = re.compile(
    "[\0\ud800-\udfff｡-ﾟ\u3099\u309a]"
)  # not for MeCab: ends of C strings, no UTF-8, kana it does not know
_UNENCODABLE = re.compile("[\0\ud800-\udfff]")
_WORD = re.compile(
    r"[\w\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e]+"
)  # \w leaves out vowel signs
_PREDICATE = "\t"  # among the nouns of a piece: a verb or an adjective stands here

# MeCab's output formats, of words and of unknown words: %m is the token, %phl its left context number, %F-
# fields of its feature. Unknown symbols have the context number of nouns, so there the feature has to say it.
_TAGS = (r"%phl\n", r"%F-[0,1]\n")
_TOKENS = (r"%m\t%phl\n", r"%m\t%F-[0,1]\n")

# Marks of sentences where words are not spaced, or end in the grammar: Chinese without 了解 (learn more),
# 在线 (online), 目的, 我的; the endings of Korean sentences and clauses; Thai.
SENTENCE_MARKS = re.compile(
    "[是这這那也很吗嗎呢吧把被没沒]|了(?!解)|在(?![线線])|(?<![目我您])的"
    r"|(?:니다|[해어아여네지]요|세요|[다까](?=[.!?])"
    r"|[한된했됐였었았있없이]다|하는|되는|하고|에서는|[을를은는])(?![가-힣])"
    "|เป็น|ไม่|ได้|ที่|และ|จะ|ว่า|ให้"
)


class MorphologyMissing(ImportError):
    """The analyser of Japanese cannot be used; the message says what to install."""


@dataclass(frozen=True, slots=True, eq=False)
class Morphology:
    """Of each text whether it has a verb or an adjective, and its nouns: in their order, repeated where they
    are, normalised.
    """

    predicate: BoolArray
    nouns: list[Nouns]


def analyse(texts: Sequence[str], japanese: bool | None = None) -> Morphology:
    """Both answers about each text of a page, from one analysis; is_japanese decides about the page unless
    the caller knows.
    """
    page = is_japanese(texts) if japanese is None else japanese
    both = [(_cached_morphemes if len(text) <= LONGEST_CACHED else _morphemes)(text, page) for text in texts]
    return Morphology(
        np.array([predicate for predicate, _ in both], dtype=np.bool_), [words for _, words in both]
    )


def has_predicate(texts: Sequence[str], japanese: bool | None = None, tail: int | None = None) -> BoolArray:
    """Whether each text of a page has a verb or an adjective, twice as fast as analyse; with tail, in its
    last so many characters.

    The tail is of Japanese texts only; elsewhere the verb is not at the end, and looking is cheap. Of 37,339
    Japanese nodes of our sites 97.0 % have the same answer with a tail of 20 characters (1.5 times as fast),
    99.5 % with 40 (hardly faster).
    """
    if tail is not None and tail < 1:
        raise ValueError(f"tail is a number of characters, 1 or more; it is {tail}")
    page = is_japanese(texts) if japanese is None else japanese
    predicates = (
        (_cached_predicate if len(text) <= LONGEST_CACHED else _predicate)(text, page, tail) for text in texts
    )
    return np.fromiter(predicates, dtype=np.bool_, count=len(texts))


def nouns(texts: Sequence[str], japanese: bool | None = None) -> list[Nouns]:
    """The nouns of each text of a page, or its words where it is not Japanese; NFKC, lower case, without
    numbers.
    """
    return analyse(texts, japanese).nouns


def is_japanese(texts: Sequence[str]) -> bool:
    """Whether the kana in the texts of a page say that its kanji are Japanese."""
    written = "".join(text for text in texts if not text.isascii()).encode("utf-32-le", "surrogatepass")
    characters = np.frombuffer(written, dtype="<u4")
    kana = _count(characters, "ぁ", "ゖ") + _count(characters, "ァ", "ヺ") + _count(characters, "ｦ", "ﾝ")
    kanji = _count(characters, "㐀", "鿿")
    return kana > 0 and kana >= JAPANESE_KANA_SHARE * (kana + kanji)


def _count(characters: npt.NDArray[np.uint32], first: str, last: str) -> int:
    return int(np.count_nonzero((characters >= ord(first)) & (characters <= ord(last))))


def _morphemes(text: str, page: bool) -> tuple[bool, Nouns]:
    """Whether a text has a predicate, and its nouns."""
    if not _to_be_analysed(text, page):
        words = _words(text)
        return _is_sentence(text, words), tuple(word for word in words if _is_keyword(word))
    dictionary, meaning = _dictionary(), _meanings()
    predicate, noun_list = False, []
    for piece in pieces(text):
        meanings = [word for token in dictionary.tokens(piece).split("\n") if (word := meaning[token])]
        if _PREDICATE in meanings:
            predicate = predicate or _INFLECTED.search(piece) is not None
            meanings = [word for word in meanings if word != _PREDICATE]
        noun_list += meanings
    return predicate, tuple(noun_list)


def _predicate(text: str, page: bool, tail: int | None) -> bool:
    """Whether a text has a predicate; the same as in _morphemes where there is no tail."""
    if not _to_be_analysed(text, page):
        return _is_sentence(text, _words(text))
    dictionary = _dictionary()
    for piece in reversed(pieces(text if tail is None else text[-tail:])):
        if _INFLECTED.search(piece) and not dictionary.predicates.isdisjoint(
            dictionary.tags(piece).split("\n")
        ):
            return True
    return False


# The answers hang on nothing but the arguments, so what is remembered never shows in a result.
_cached_morphemes = lru_cache(CACHED_TEXTS)(_morphemes)
_cached_predicate = lru_cache(CACHED_TEXTS)(_predicate)


def _to_be_analysed(text: str, page: bool) -> bool:
    """Whether a text is Japanese; page says whether the page is."""
    return not text.isascii() and (_KANA_OR_KANJI if page else _KANA).search(text) is not None


def _words(text: str) -> list[str]:
    """The words of a text that is not Japanese, normalised."""
    normal = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _WORD.findall(normal.lower())


def _is_sentence(text: str, words: Sequence[str]) -> bool:
    """Whether words of a text that is not Japanese go with a finite verb, by function words or the marks of
    unspaced languages.
    """
    if len(words) >= SHORTEST_SENTENCE and not function_words().isdisjoint(words):
        return True
    return not text.isascii() and SENTENCE_MARKS.search(text) is not None


def _is_keyword(word: str) -> bool:
    """Whether a normalised word may be a keyword: it has letters, and is neither a single hiragana nor
    overlong.
    """
    if len(word) == 1:
        return word.isalpha() and not "ぁ" <= word <= "ゖ"
    return len(word) <= LONGEST_WORD and (word.isalpha() or any(map(str.isalpha, word)))


def pieces(text: str) -> list[str]:
    """A text in pieces that MeCab can take, each up to some punctuation; half-width katakana made
    full-width.
    """
    if _UNUSUAL.search(text):
        text = _UNENCODABLE.sub(" ", unicodedata.normalize("NFKC", text))
    return _PIECE.findall(text)


@dataclass(frozen=True, slots=True, eq=False)
class _Dictionary:
    """MeCab with unidic-lite: the tags of verbs and adjectives and of nouns, and two ways to analyse a piece.

    A tag is a left context number, or two levels of the part of speech where the word is unknown:
    名詞-普通名詞.
    """

    predicates: frozenset[str]
    nouns: frozenset[str]
    tags: Callable[[str], str]  # lines of a tag each
    tokens: Callable[[str], str]  # lines of token, tab, tag


@cache
def _dictionary() -> _Dictionary:
    """The dictionary of this process, opened (2 ms, memory-mapped) when a Japanese text first asks for it."""
    folder, tags = mecab(*_TAGS)
    _, tokens = mecab(*_TOKENS)
    speech = _parts_of_speech(folder / "left-id.def")
    return _Dictionary(
        predicates=frozenset(tag for tag, (first, _) in speech.items() if first in ("動詞", "形容詞")),
        nouns=frozenset(
            tag for tag, (first, second) in speech.items() if first == "名詞" and second != "数詞"
        ),
        tags=tags,
        tokens=tokens,
    )


def mecab(known: str, unknown: str) -> tuple[Path, Callable[[str], str]]:
    """The folder of the dictionary, and MeCab writing words and unknown words in these formats. A text must
    come in pieces.
    """
    folder, tagger = mecab_tagger(known, unknown)
    return folder, tagger.parse


def mecab_tagger(known: str, unknown: str, end: str = "") -> tuple[Path, Any]:
    """The folder of the dictionary, and a tagger that writes words, unknown words and ends like this."""
    try:
        import fugashi
        import unidic_lite
    except ImportError as error:
        raise MorphologyMissing(
            "Japanese texts need fugashi and unidic-lite: pip install fugashi unidic-lite"
        ) from error
    folder = Path(unidic_lite.DICDIR)
    # The empty -O overrules the format that the dictionary's dicrc sets, which would overrule -F and -U.
    options = [
        "-r",
        str(folder / "mecabrc"),
        "-d",
        str(folder),
        "-O",
        "",
        "-F",
        known,
        "-U",
        unknown,
        "-E",
        end,
    ]
    return folder, fugashi.GenericTagger(shlex.join(options))


def _parts_of_speech(definitions: Path) -> dict[str, tuple[str, str]]:
    """The first two levels of the part of speech that each tag stands for."""
    speech = {}
    for line in definitions.read_text("utf-8").splitlines():
        number, features = line.split(" ", 1)
        first, second, _ = features.split(",", 2)
        speech[number] = speech[f"{first}-{second}"] = (first, second)
    return speech


class _Meanings(dict[str, str]):
    """What each line of MeCab's output says: a normalised noun, _PREDICATE, or "" for anything else."""

    def __init__(self, dictionary: _Dictionary) -> None:
        super().__init__()
        self._dictionary = dictionary

    def __missing__(self, line: str) -> str:
        if len(self) >= CACHED_TOKENS:
            self.clear()
        token, _, tag = line.rpartition("\t")
        meaning = ""
        if tag in self._dictionary.predicates:
            meaning = _PREDICATE
        elif tag in self._dictionary.nouns:
            word = unicodedata.normalize("NFKC", token).lower()
            meaning = word if _is_keyword(word) else ""
        self[line] = meaning
        return meaning


@cache
def _meanings() -> _Meanings:
    return _Meanings(_dictionary())
