"""Markup and characters that are not seen, or only spell otherwise, never change the sentences: those of
``detect`` and what the index folds text to are the same.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.chunker.mask import everything
from ruiji.corpora import read_pages
from ruiji.detector.copies.folding import fold
from ruiji.detector.gather.occurrences import Usable, page_sentences
from ruiji.detector.sentences.table import placed_sentences, split_texts
from tests.factories import make_nodes
from tests.paths import DATA

SENTENCES = (
    "港町の漁師たちは毎朝早く市場へ新鮮な魚を運んでいる。",
    "駅前のパン屋ではコーヒーとサンドイッチを売っている。",
    "明日は祭りなので、町の人はみな早くから起きて働いた。",
)
Disguise = Callable[[str, int], str]


def between(text: str, place: int, what: str) -> str:
    return text[:place] + what + text[place:]


def with_ruby(text: str, place: int) -> str:
    return f"{text[:place]}<ruby>{text[place]}<rp>(</rp><rt>よみ</rt><rp>)</rp></ruby>{text[place + 1 :]}"


def with_ruby_text_container(text: str, place: int) -> str:
    return f"{text[:place]}<ruby><rb>{text[place]}</rb><rtc><rt>よみ</rt></rtc></ruby>{text[place + 1 :]}"


def with_variation_selector(text: str, place: int) -> str:
    kanji = next(number for number, char in enumerate(text) if char >= "一")
    return between(text, kanji + 1, "\U000e0100" if place % 2 else "\ufe00")


def spaced_for_emphasis(text: str, place: int) -> str:
    return text[:place] + " ".join(text[place : place + 4]) + text[place + 4 :]


def spaced_by_wide_spaces(text: str, place: int) -> str:
    return text[:place] + "\u3000".join(text[place : place + 4]) + text[place + 4 :]


def in_half_width_katakana(text: str, place: int) -> str:
    return "".join(HALF_WIDTH.get(char, char) for char in text)


def _half_width() -> dict[str, str]:
    """Katakana → its half-width form, of one character or two."""
    singles = {unicodedata.normalize("NFKC", chr(point)): chr(point) for point in range(0xFF66, 0xFF9E)}
    marks = {"\u3099": "\uff9e", "\u309a": "\uff9f"}
    forms = dict(singles)
    for point in range(0x30A1, 0x30FB):
        base, *mark = unicodedata.normalize("NFD", chr(point))
        if mark and base in singles:
            forms[chr(point)] = singles[base] + marks[mark[0]]
    return forms


HALF_WIDTH = _half_width()
DISGUISES: dict[str, Disguise] = {
    "ruby": with_ruby,
    "ruby text container": with_ruby_text_container,
    "soft hyphen": lambda text, place: between(text, place, "&shy;"),
    "zero-width space": lambda text, place: between(text, place, "\u200b"),
    "byte order mark": lambda text, place: between(text, place, "\ufeff"),
    "word joiner": lambda text, place: between(text, place, "\u2060"),
    "mark of direction": lambda text, place: between(text, place, "&rlm;"),
    "wbr": lambda text, place: between(text, place, "<wbr>"),
    "variation selector": with_variation_selector,
    "emphasis by spaces": spaced_for_emphasis,
    "emphasis by wide spaces": spaced_by_wide_spaces,
    "half-width katakana": in_half_width_katakana,
}


def counted(html: str) -> tuple[list[str], str]:
    """The sentences of a page that count, and the digest of its content."""
    nodes = make_nodes(html)
    (own,) = page_sentences([nodes], [everything(nodes)], Usable())
    return own.matched, own.digest


@pytest.mark.parametrize("name", DISGUISES)
@given(place=st.integers(1, 18), sentence=st.sampled_from(SENTENCES))
def test_what_is_not_seen_changes_no_sentence(name: str, place: int, sentence: str) -> None:
    disguised = DISGUISES[name](sentence, place)
    rest = "".join(SENTENCES)
    plain, other = f"<p>{sentence}{rest}</p>", f"<p>{disguised}{rest}</p>"
    texts = [[found.text for found in placed_sentences(make_nodes(html))] for html in (plain, other)]
    assert texts[0] == texts[1]
    assert counted(plain) == counted(other)


@pytest.mark.parametrize("name", DISGUISES)
@given(place=st.integers(1, 18), sentence=st.sampled_from(SENTENCES))
def test_the_index_reads_the_same_letters(name: str, place: int, sentence: str) -> None:
    pages = [f"<p>{text}</p>" for text in (sentence, DISGUISES[name](sentence, place))]
    plain, other = ("".join(make_nodes(html).texts) for html in pages)
    assert split_texts([plain]).texts == split_texts([other]).texts
    assert fold([plain]).letters.tolist() == fold([other]).letters.tolist()


RUN = re.compile(r"(?<=>)([^<>&]*?)([\u4e00-\u9fffぁ-ゖァ-ヺ]{8,})([^<>&]*)(?=<)")
UNREAD = re.compile(r"(<(script|style|textarea|pre|noscript|option)\b.*?</\2>|<!--.*?-->)", re.S | re.I)
SITES = ("jser.info", "groonga-ja", "debian-handbook-ja")


def disguised_page(html: str, disguise: Disguise) -> tuple[str, int]:
    """A page with a disguise in every text that has a Japanese run, and in how many."""
    head, body, rest = html.partition("<body")
    chance, count = random.Random(3), 0

    def disguised(match: re.Match[str]) -> str:
        nonlocal count
        before, run, after = match.groups()
        if not any(char >= "一" for char in run):
            return match.group()
        count += 1
        return before + disguise(run, chance.randrange(1, len(run) - 5)) + after

    parts = UNREAD.split(rest)  # what is read, what is not, and the name of its element, in turn
    read = [RUN.sub(disguised, part) for part in parts[::3]]
    unread = [*parts[1::3], ""]
    return head + body + "".join(map("".join, zip(read, unread, strict=True))), count


@pytest.mark.data
@pytest.mark.skipif(not DATA.is_dir(), reason="the pages are not here; RUIJI_DATA names their folder")
@pytest.mark.parametrize("name", DISGUISES)
def test_what_is_not_seen_changes_no_sentence_of_real_pages(name: str) -> None:
    changed = 0
    for site in SITES:
        for page in islice(read_pages([DATA / f"ja-sites/{site}.jsonl.gz"]), 0, 40, 10):
            assert isinstance(page.html, str)
            html, count = disguised_page(page.html, DISGUISES[name])
            changed += count
            texts = [[found.text for found in placed_sentences(make_nodes(one))] for one in (page.html, html)]
            assert texts[0] == texts[1], page.id
    assert changed > 100
