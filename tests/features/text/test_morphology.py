"""Verbs, adjectives and nouns of texts (Nakamura 2007, section 3.3)."""

from __future__ import annotations

import multiprocessing
import sys
import unicodedata
from itertools import islice

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ruiji.corpora import read_pages
from ruiji.features import text_nodes
from ruiji.features.text import morphology
from ruiji.features.text.morphology import analyse, has_predicate, is_japanese, nouns
from tests.paths import DATA

PREDICATES = ("動詞", "形容詞")
HIRAGANA = {chr(code) for code in range(ord("ぁ"), ord("ゖ") + 1)}

# Letters that make words by chance, and pieces of words that do so often.
japanese_texts = st.lists(
    st.one_of(
        st.sampled_from("。、！？・ー「」 \n\t　ａＬ①㈱々aZ7,.'のがをにはでとしたいるなっん"),
        st.sampled_from("日本語一二大見行有無来美者中国化含アイ"),
        st.sampled_from(
            ["怠った", "住まい", "美しい", "検索", "著作権", "について", "しました", "Copyright", "リンク集"]
        ),
        st.characters(min_codepoint=0x3041, max_codepoint=0x30FF),
        st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF),
    ),
    max_size=40,
).map("".join)
any_texts = st.text(
    st.one_of(st.characters(), st.characters(categories=["Cs"]), st.sampled_from("\0\n あのｱﾞ。漢字をする")),
    max_size=60,
)


def predicate(text: str, japanese: bool | None = True, tail: int | None = None) -> bool:
    return bool(has_predicate([text], japanese, tail)[0])


def nouns_of(text: str, japanese: bool | None = True) -> tuple[str, ...]:
    return nouns([text], japanese)[0]


@pytest.mark.parametrize(
    "text",
    [
        "ホーム",
        "住まい",
        "目次",
        "検索",
        "広告",
        "株式会社",
        "お問い合わせ",
        "2006年6月9日",
        "日本語",
        "リンク集",
    ],
)
def test_menus_have_no_verb(text: str) -> None:
    assert not predicate(text)


@pytest.mark.parametrize(
    "text",
    [
        "3人が死亡、5人が負傷した",
        "怠った",
        "業務上過失致死傷容疑で逮捕した。",
        "美しい国",
        "ｽｷｰに行く",
        "権利ヲ有ス",
        "これは\n長い\n文です",
    ],
)
def test_sentences_have_a_verb_or_an_adjective(text: str) -> None:
    assert predicate(text)
    assert predicate(f"まず、目次。{text}")
    assert predicate(f"{text}。以上、目次。検索。リンク集。お問い合わせ。")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("The cat is here.", True), ("About us", False), ("Terms of use", False), ("it", False),
        ("EN / IS", False),
        ("IF IT RAINS", True), ("Das geht nicht so", True), ("Über uns", False), ("Elle est partie", True),
        ("Mentions légales", False),
        ("El libro que leo", True), ("Aviso legal", False), ("Questo libro è bello", True),
        ("O livro não está aqui", True),
        ("Het boek is niet hier", True), ("To nie jest prawda", True), ("Boken är inte här", True),
        ("Bogen er ikke her", True),
        ("Bu kitap çok güzel", True), ("Buku ini tidak mahal", True), ("Это не так просто", True),
        ("О компании", False),
        ("Це не так просто", True), ("Αυτό δεν είναι καλό", True), ("Đây là một cuốn sách", True),
        ("هذا كتاب لم أقرأه", True),
        ("זה לא ספר טוב", True), ("यह एक किताब है।", True), ("हमारे बारे में", False),
        ("นี่เป็นหนังสือ", True),
        ("오늘은 날씨가 좋습니다.", True), ("회사소개", False), ("고객센터", False),
        ("这是一个很好的例子。", True), ("他已經走了", True), ("关于我们", False), ("了解更多", False),
        ("我的帐户", False), ("在线客服", False),
    ],
)  # fmt: skip
def test_function_words_stand_for_the_verb_in_other_languages(text: str, sentence: bool) -> None:
    assert predicate(text, japanese=None) == sentence
    assert analyse([text]).predicate.tolist() == [sentence]


def test_decomposed_letters_are_the_same_words() -> None:
    assert nouns_of("Cafe\u0301 Ａ１ café 12") == ("café", "a1", "café")
    assert nouns_of("か\u3099っこう") == nouns_of("がっこう")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Link", ("link",)), ("ＬＩＮＫ", ("link",)), ("link集", ("link",)), ("ＬＩＮＫ集", ("link",)),
        ("Copyright © 2007 株式会社", ("copyright", "株式", "会社")), ("著作権", ("著作",)),
        ("ﾎｰﾑﾍﾟｰｼﾞ", ("ホーム", "ページ")), ("ホームページ", ("ホーム", "ページ")),
        ("目次と検索と目次", ("目次", "検索", "目次")),
        ("十二 １２ 12 ①、・※", ()), ("怠った", ()), ("Site map, 2nd", ("site", "map", "2nd")),
        ("a" * 33, ()), ("किताब है", ("किताब", "है")),
    ],
)  # fmt: skip
def test_nouns_are_normalised(text: str, expected: tuple[str, ...]) -> None:
    assert nouns_of(text) == expected


def test_kanji_are_japanese_in_a_page_with_kana() -> None:
    assert is_japanese(["目次", "これは日本語"])
    assert is_japanese(["ﾒﾆｭｰ"])
    assert not is_japanese(["目录", "这是中文・中文ー", "English", ""])
    assert not is_japanese(["关于我们" * 20, "鮮の味"])
    assert not is_japanese([])
    assert nouns(["著作権", "これは"])[0] == ("著作",)
    assert nouns(["著作権", "中文"])[0] == ("著作権",)
    assert predicate("日本語で読む", japanese=False)  # kana are Japanese wherever they stand


@pytest.mark.parametrize(
    "text", ["長い文を書いたが、その終わりは名詞", "Ruby を使う RubyKaigi 2010 Team of the Year"]
)
def test_the_tail_sees_only_the_end_of_a_japanese_text(text: str) -> None:
    assert predicate(text)
    assert not predicate(text, tail=4)
    assert predicate(text, tail=len(text))


def test_the_tail_is_of_japanese_texts_only() -> None:
    assert predicate("That is the question, dear Horatio", tail=4)
    with pytest.raises(ValueError, match="tail"):
        predicate("文", tail=0)


@pytest.fixture(scope="module")
def tagger():  # type: ignore[no-untyped-def]
    import fugashi

    return fugashi.Tagger()


@given(text=japanese_texts)
@example(text="化")
@example(text="スキーに行く")
def test_the_same_as_the_ordinary_tagger(tagger, text: str) -> None:  # type: ignore[no-untyped-def]
    if not morphology._to_be_analysed(text, True) or morphology._UNUSUAL.search(text):
        return
    expected, found = False, []
    for piece in morphology.pieces(text):
        words = [(word.surface, word.feature) for word in tagger(piece)]
        inflected = not HIRAGANA.isdisjoint(piece) or "ヲ" in piece
        expected |= inflected and any(feature.pos1 in PREDICATES for _, feature in words)
        found += [surface for surface, feature in words if feature.pos1 == "名詞" and feature.pos2 != "数詞"]
    both = analyse([text], True)
    assert both.predicate.tolist() == has_predicate([text], True).tolist() == [expected]
    normalised = [unicodedata.normalize("NFKC", surface).lower() for surface in found]
    assert list(both.nouns[0]) == [word for word in normalised if morphology._is_keyword(word)]


@given(
    texts=st.lists(st.one_of(any_texts, japanese_texts), max_size=8),
    japanese=st.sampled_from([None, True, False]),
)
def test_any_text_has_an_answer_that_no_cache_changes(texts: list[str], japanese: bool | None) -> None:
    again = analyse([*texts, *texts], japanese)
    assert len(again.nouns) == len(again.predicate) == 2 * len(texts)
    assert again.predicate.dtype == np.bool_
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(morphology, "LONGEST_CACHED", -1)
        patch.setattr(morphology, "CACHED_TOKENS", 2)
        uncached = analyse(texts, japanese)
        alone = has_predicate(texts, japanese)
    assert uncached.nouns * 2 == again.nouns
    assert uncached.predicate.tolist() * 2 == again.predicate.tolist()
    assert alone.tolist() == uncached.predicate.tolist() == has_predicate(texts, japanese).tolist()


@given(text=any_texts)
def test_pieces_lose_nothing(text: str) -> None:
    if not morphology._UNUSUAL.search(text):
        assert "".join(morphology.pieces(text)) == text


@pytest.mark.parametrize("run", ["a", "あ", "漢", "ア", "。", " ", "ｱ", "\0", "これは文です。", "\ud800"])
def test_a_megabyte_in_one_text(run: str) -> None:
    text = run * (1_000_000 // len(run)) + "を見る"
    assert all(len(piece) <= 504 for piece in morphology.pieces(text))
    assert predicate(text)


def test_empty_and_broken_texts() -> None:
    assert has_predicate([]).shape == (0,)
    assert analyse([]).nouns == []
    assert analyse(["", " ", "　", "\n"], True).predicate.tolist() == [False] * 4
    assert predicate("前\0行く\0")
    assert predicate("\ud800行く\udc00")


def test_a_spawned_process_gives_the_same_answers() -> None:
    texts = ["怠った", "ホーム", "The cat is here."]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(nouns, (texts,)) == nouns(texts)


def test_without_the_analyser_only_japanese_texts_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fugashi", None)
    morphology._dictionary.cache_clear()
    try:
        assert predicate("This is English.")
        with pytest.raises(morphology.MorphologyMissing, match="pip install"):
            predicate("まだ誰も見たことのない文")
    finally:
        morphology._dictionary.cache_clear()


@pytest.mark.data
@pytest.mark.skipif(
    not DATA.is_dir(), reason="the annotated pages are not here; RUIJI_DATA names their folder"
)
def test_pieces_and_tails_agree_with_the_analysis_of_whole_texts(tagger) -> None:  # type: ignore[no-untyped-def]
    pages = [
        page for path in sorted(DATA.glob("ja-sites/*.jsonl.gz")) for page in islice(read_pages([path]), 3)
    ]
    texts = {
        text for page in pages for text in text_nodes(page).texts if morphology._to_be_analysed(text, True)
    }
    listed = sorted(texts)
    whole = np.array([any(word.feature.pos1 in PREDICATES for word in tagger(text)) for text in listed])
    assert (has_predicate(listed, True) == whole).mean() > 0.999
    assert (has_predicate(listed, True, tail=40) == whole).mean() > 0.98
