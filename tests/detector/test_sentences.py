"""Sentences of a page (Kang 2009, section 4.1)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xxhash import xxh3_64_intdigest

from detector.normalising import normalise
from detector.sentences import is_japanese, sentence_table, sentences, split, split_texts
from tests.factories import PROSE, make_nodes
from tests.strategies import html_soup, html_trees

paragraphs = st.text(alphabet="あと漢っですカ。．.！？!?」「』『…、,ーａA1 \u3000\n)（e.g", max_size=40)


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize(
    "text",
    [
        "1年ってあっという間!と思う。",  # example (1)
        "1年ってあっという間！と思う．",
        "「今日はいい天気だ」と彼は言った。",
        "「はい」です。",
        "「うそ！」っていう話。",
        "むしろ「開始直後というのは、夜間開催で生じる影響、異様さを住民が実感するチャンス」と見る向きもある。",  # section 4.2
        "京都観光，修学旅行，世界遺産清水寺はいつも参拝者で賑わっている。",  # figure 8
    ],
)
def test_examples_of_the_paper_stay_one_sentence(text: str) -> None:
    assert len(split(text)) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("朝は早い。夜は遅い。", ["朝は早い。", "夜は遅い。"]),
        ("朝は早い．夜は遅い．", ["朝は早い.", "夜は遅い."]),
        ("本当か？本当だ！よし。", ["本当か?", "本当だ!", "よし。"]),
        ("「朝だ。」彼は起きた。", ["「朝だ。」", "彼は起きた。"]),
        ("「朝だ」彼は起きた。", ["「朝だ」", "彼は起きた。"]),
        ("朝だ…夜だ", ["朝だ...", "夜だ"]),
        ("朝だ……夜だ", ["朝だ......", "夜だ"]),
        ("まさか！？本当に", ["まさか!?", "本当に"]),
        ("朝は早い", ["朝は早い"]),
        ("朝は早い。。。夜", ["朝は早い。。。", "夜"]),
        ("（朝だ。）夜だ。", ["(朝だ。)", "夜だ。"]),
        ("朝は早い。とはいえ夜は遅い。", ["朝は早い。", "とはいえ夜は遅い。"]),
        ("", []),
        (" 　\n", []),
    ],
)
def test_paragraphs_are_split_after_the_marks_of_the_paper(text: str, expected: list[str]) -> None:
    assert split(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rains. We stay. Really? Yes!", ["It rains.", "We stay.", "Really?", "Yes!"]),
        ("It costs 3.14 dollars. Version 2.0.1 is out.", ["It costs 3.14 dollars.", "Version 2.0.1 is out."]),
        ("Mr. Smith met Dr. J. Doe. They left.", ["Mr. Smith met Dr. J. Doe.", "They left."]),
        ("Fruits, e.g. Apples, are good. See Fig. 3.", ["Fruits, e.g. Apples, are good.", "See Fig. 3."]),
        ('He said "It rains." Then he left.', ['He said "It rains."', "Then he left."]),
        ("See www.example.com for more.", ["See www.example.com for more."]),
        ("We met at 5 p.m. on Jan. 3.", ["We met at 5 p.m. on Jan. 3."]),
    ],
)
def test_english_is_split_at_its_sentence_ends(text: str, expected: list[str]) -> None:
    assert split(text) == expected


def test_decimals_in_japanese_do_not_end_a_sentence() -> None:
    assert split("円周率は３．１４である。値は1.5倍だ。") == ["円周率は3.14である。", "値は1.5倍だ。"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ＡＢＣ１２３", "ABC123"),
        ("ｶﾞｷﾞ", "ガギ"),
        ("東 京　都", "東京都"),
        ("東\n京\t都", "東京都"),
        ("東京 Tokyo 都", "東京 Tokyo 都"),
        ("a  b\n c", "a b c"),
        ("㈱①", "(株)1"),
        ("カ ナ か な", "カナかな"),
    ],
)
def test_width_and_white_space_are_folded(text: str, expected: str) -> None:
    assert normalise(text) == expected


@given(text=st.text(max_size=40))
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(text=st.one_of(paragraphs, st.text(max_size=40)))
def test_sentences_hold_every_character_in_order(text: str) -> None:
    assert squeezed("".join(split(text))) == squeezed(normalise(text))
    assert all(sentence == sentence.strip() and sentence for sentence in split(text))


@given(text=paragraphs)
def test_a_sentence_is_not_split_again(text: str) -> None:
    for sentence in split(text)[:-1]:
        assert len(split(sentence)) == 1


@given(html=st.one_of(html_soup, html_trees).filter(bool))
def test_sentences_of_a_page_hold_every_character_in_order(html: str) -> None:
    nodes = make_nodes(html)
    assert squeezed("".join(sentence.text for sentence in sentences(nodes))) == squeezed(normalise(" ".join(nodes.texts)))


@given(html=st.one_of(html_soup, html_trees).filter(bool))
def test_sentences_come_from_the_nodes_they_name(html: str) -> None:
    nodes = make_nodes(html)
    found = sentences(nodes)
    for sentence in found:
        assert 0 <= sentence.first_node <= sentence.last_node < len(nodes)
        source = squeezed(normalise(" ".join(nodes.texts[sentence.first_node : sentence.last_node + 1])))
        assert squeezed(sentence.text) in source
        first, last = (squeezed(normalise(nodes.texts[node])) for node in (sentence.first_node, sentence.last_node))
        assert squeezed(sentence.text)[0] in first
        assert squeezed(sentence.text)[-1] in last
    places = [(sentence.first_node, sentence.last_node) for sentence in found]
    assert places == sorted(places)


@given(html=st.one_of(html_soup, html_trees).filter(bool))
def test_offsets_grow_and_do_not_overlap(html: str) -> None:
    end = 0
    for sentence in sentences(make_nodes(html)):
        assert sentence.offset >= end
        end = sentence.offset + len(sentence.text)


def test_inline_markup_does_not_split_and_line_breaks_do() -> None:
    found = sentences(make_nodes("<p>港町の<b>朝</b>は<a href=x>早い。夜</a>は遅い<br>終わり<p>次"))
    assert [(sentence.text, sentence.first_node, sentence.last_node) for sentence in found] == [
        ("港町の朝は早い。", 0, 3), ("夜は遅い", 3, 4), ("終わり", 5, 5), ("次", 6, 6),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "html",
    [
        "<p><b>朝だ。</b><i>夜だ</i>",
        "<p><b>朝だ。 </b><i>夜だ</i>",
        "<p><b>朝だ。</b> <i>夜だ</i>",
        "<p><b>朝だ。</b><i> 夜だ</i>",
        "<p><b>朝だ。\n</b>\n<i>\n夜だ</i>",
    ],
)
def test_white_space_between_nodes_does_not_shift_their_sentences(html: str) -> None:
    assert [(sentence.text, sentence.first_node, sentence.last_node) for sentence in sentences(make_nodes(html))] == [
        ("朝だ。", 0, 0),
        ("夜だ", 1, 1),
    ]


def test_words_of_different_nodes_keep_their_distance() -> None:
    assert [s.text for s in sentences(make_nodes("<p><b>one</b> <i>two</i> three<b> four</b>"))] == ["one two three four"]
    assert [s.text for s in sentences(make_nodes("<p><b>東</b> <i>京</i> 都"))] == ["東京都"]


def test_lines_of_preformatted_text_are_paragraphs() -> None:
    found = sentences(make_nodes("<pre>first line\nsecond <b>line</b>\n<i>third</i></pre>"))
    assert [(sentence.text, sentence.first_node, sentence.last_node) for sentence in found] == [
        ("first line", 0, 0),
        ("second line", 0, 1),
        ("third", 2, 2),
    ]


def test_lines_between_elements_of_preformatted_text_are_paragraphs() -> None:
    assert [sentence.text for sentence in sentences(make_nodes("<pre><b>one</b>\n<b>two</b></pre>"))] == ["one", "two"]


def test_the_share_of_particles_makes_a_text_japanese() -> None:
    assert is_japanese(PROSE)
    assert is_japanese("の" + "x" * 199)  # 0.5 %
    assert not is_japanese("の" + "x" * 200)
    assert not is_japanese("We stay.")
    assert not is_japanese("")


@pytest.mark.parametrize(
    "text",
    ["A. " * 5000, "x" + "." * 15000, "a.m. B " * 5000, "「" * 20000, "!」" * 20000, ". " * 20000, " " * 100_000 + "x", "と!" * 20000],
    ids=["initials", "dots", "abbreviations", "brackets", "marks", "full stops", "spaces", "continued"],
)
def test_time_grows_with_the_size_only(text: str) -> None:
    start = time.process_time()
    split(text)
    assert time.process_time() - start < 1


def test_a_line_of_very_many_nodes_takes_little_time() -> None:
    nodes = make_nodes("<p>" + "<b>朝は</b>" * 40000)
    start = time.process_time()
    assert len(sentences(nodes)) == 1
    assert time.process_time() - start < 2


@given(pages=st.lists(st.one_of(html_soup, html_trees).filter(bool), max_size=4))
def test_a_batch_has_the_sentences_of_its_pages(pages: list[str]) -> None:
    nodes = [make_nodes(html) for html in pages]
    table = sentence_table(nodes)
    assert (table.page.tolist(), table.texts) == (
        [number for number, page in enumerate(nodes) for _ in sentences(page)],
        [sentence.text for page in nodes for sentence in sentences(page)],
    )
    for column in ("offset", "first_node", "last_node"):
        assert getattr(table, column).tolist() == [getattr(sentence, column) for page in nodes for sentence in sentences(page)]
    assert table.key.tolist() == [xxh3_64_intdigest(text.encode()) for text in table.texts]


@given(text=st.one_of(paragraphs, st.text(max_size=60)), lines=st.booleans())
def test_plain_texts_are_split_with_their_places(text: str, lines: bool) -> None:
    texts = [text, "", text[::-1], " x"]
    found = split_texts(texts, lines)
    for sentence, number, start, end in zip(found.texts, found.text.tolist(), found.start.tolist(), found.end.tolist(), strict=True):
        assert normalise(texts[number][start:end]).strip() == sentence  # ¨ is a space and a mark
    for number, one in enumerate(texts):
        mine = "".join(sentence for sentence, owner in zip(found.texts, found.text.tolist(), strict=True) if owner == number)
        assert squeezed(mine) == squeezed(normalise(one))
