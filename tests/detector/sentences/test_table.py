"""Sentences of a page (Kang 2009, section 4.1)."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from xxhash import xxh3_64_intdigest

from ruiji.chunker.mask import ContentMask
from ruiji.detector.sentences.normalise import normalise
from ruiji.detector.sentences.table import (
    content_shares,
    is_japanese,
    keys,
    placed_sentences,
    sentence_table,
    split,
    split_texts,
)
from tests.detector.pairs.oracle import split_slowly
from tests.factories import PROSE, make_nodes
from tests.strategies import html_soup, html_trees

paragraphs = st.text(
    alphabet="あと漢っですカがだな。．.！？!?」「』『…、,ーａA1 \u3000\n)（e.gDr'\"é的/=ز؟", max_size=40
)


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
        # Section 4.2
        "むしろ「開始直後というのは、夜間開催で生じる影響、異様さを住民が実感するチャンス」と見る向きもある。",
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
        ("すごい！とても早い。", ["すごい!", "とても早い。"]),
        (
            "彼は「朝だ。起きよう。」と言った。",
            ["彼は「朝だ。", "起きよう。」と言った。"],
        ),  # 」 and と: section 4.1, step 3
        ("結果を述べる（図1）．次に考察する．", ["結果を述べる(図1).", "次に考察する."]),
        ("本当？Yes！そうだ", ["本当?", "Yes!", "そうだ"]),
        ("設定.txtを見る。http://x.example/?a=bへ。", ["設定.txtを見る。", "http://x.example/?a=bへ。"]),
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
        ("Yahoo! is big. Is it? Yes.", ["Yahoo! is big.", "Is it?", "Yes."]),
        ("It left the port.It came back.A day on.", ["It left the port.", "It came back.", "A day on."]),
        ("See java.util.List, or e.g.This or that.", ["See java.util.List, or e.g.This or that."]),
        ("1. Open it. 2. Close it.", ["1. Open it.", "2. Close it."]),
        ("It begins on Jan. 1. In May it ends.", ["It begins on Jan. 1.", "In May it ends."]),
        ("Hands, feet etc. A fine book.", ["Hands, feet etc.", "A fine book."]),
        ("The U.S. Army came in 1990. It left.", ["The U.S. Army came in 1990.", "It left."]),
        ("¿Qué? ¡Sí! Él vino. ¿Por qué?", ["¿Qué?", "¡Sí!", "Él vino.", "¿Por qué?"]),
        ("안녕하세요. 반갑습니다.", ["안녕하세요.", "반갑습니다."]),
        ("네. 그래요.", ["네.", "그래요."]),
        ("А. С. Пушкин писал. Мы читаем.", ["А. С. Пушкин писал.", "Мы читаем."]),
        ("यह है। वह है।", ["यह है।", "वह है।"]),
    ],
)
def test_other_scripts_are_split_at_their_sentence_ends(text: str, expected: list[str]) -> None:
    assert split(text) == expected


def test_decimals_in_japanese_do_not_end_a_sentence() -> None:
    assert split("円周率は３．１４である。値は1.5倍だ。") == ["円周率は3.14である。", "値は1.5倍だ。"]


@given(text=st.one_of(paragraphs, st.text(max_size=40)))
def test_sentences_hold_every_character_in_order(text: str) -> None:
    assert squeezed("".join(split(text))) == squeezed(normalise(text))
    assert all(sentence == sentence.strip() and sentence for sentence in split(text))


@given(text=paragraphs)
def test_the_fast_splitter_follows_the_slow_one(text: str) -> None:
    assert split(text) == split_slowly(text)


@given(text=paragraphs)
def test_a_sentence_is_not_split_again(text: str) -> None:
    for sentence in split(text)[:-1]:
        assert len(split(sentence)) == 1


@given(html=st.one_of(html_soup, html_trees).filter(bool))
def test_sentences_of_a_page_hold_every_character_in_order(html: str) -> None:
    nodes = make_nodes(html)
    assert squeezed("".join(sentence.text for sentence in placed_sentences(nodes))) == squeezed(
        normalise(" ".join(nodes.texts))
    )


@given(html=st.one_of(html_soup, html_trees).filter(bool))
def test_sentences_come_from_the_nodes_they_name(html: str) -> None:
    nodes = make_nodes(html)
    found = placed_sentences(nodes)
    for sentence in found:
        assert 0 <= sentence.first_node <= sentence.last_node < len(nodes)
        source = squeezed(normalise(" ".join(nodes.texts[sentence.first_node : sentence.last_node + 1])))
        assert squeezed(sentence.text) in source
        first, last = (
            squeezed(normalise(nodes.texts[node])) for node in (sentence.first_node, sentence.last_node)
        )
        assert squeezed(sentence.text)[0] in first
        assert squeezed(sentence.text)[-1] in last
    places = [(sentence.first_node, sentence.last_node) for sentence in found]
    assert places == sorted(places)


@given(html=st.one_of(html_soup, html_trees).filter(bool))
def test_offsets_are_places_in_the_normalised_text(html: str) -> None:
    table = sentence_table([make_nodes("<p>before</p>"), make_nodes(html)])
    mine = np.flatnonzero(table.page == 1).tolist()
    end, paragraph = -1, -1
    for row in mine:
        new = int(table.paragraph[row]) != paragraph
        assert table.paragraph[row] == paragraph + new
        assert table.offset[row] - end in ((1,) if new else (0, 1))
        end, paragraph = int(table.offset[row]) + len(table.texts[row]), int(table.paragraph[row])


@given(
    html=st.one_of(html_soup, html_trees).filter(bool), kept=st.lists(st.booleans(), min_size=60, max_size=60)
)
def test_the_share_of_content_counts_characters(html: str, kept: list[bool]) -> None:
    pages = [make_nodes("<p>あ。<b>い</b>う</p>"), make_nodes(html)]
    masks = []
    for nodes in pages:
        content = np.resize(np.array(kept), len(nodes))
        masks.append(ContentMask(content, content.astype(np.float32), "test"))
    table = sentence_table(pages)
    shares = content_shares(table, masks)
    rows = zip(
        table.texts,
        table.page.tolist(),
        table.first_node.tolist(),
        table.last_node.tolist(),
        shares.tolist(),
        strict=True,
    )
    for text, page, first, last, share in rows:
        content = masks[page].content[first : last + 1]
        assert 0 <= share <= 1
        assert (share == 1) == content.all()
        assert (share == 0) == (not content.any())
        assert table.pieces.sum() == sum(map(len, table.texts))
        if first == last:
            assert share == content[0], text


def test_the_share_of_content_by_hand() -> None:
    nodes = make_nodes("<p>港町の<b>朝</b>は<a href=x>早い。夜</a>は遅い")
    mask = ContentMask(np.array([True, False, True, False, True]), np.ones(5, dtype=np.float32), "test")
    assert content_shares(sentence_table([nodes]), [mask]).tolist() == pytest.approx([4 / 8, 3 / 4])
    assert len(content_shares(sentence_table([]), [])) == 0


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("港町の朝は早い。", 8),
        ("Windows 95の朝。", 13),
        ("It rains in May.", 8),
        ("It rains in Mai.!", 9),
        ("안녕하세요 여러분.", 10),
        ("12:30", 3),
    ],
)
def test_letters_of_alphabets_count_half(text: str, length: int) -> None:
    assert split_texts([text]).length.tolist() == [length]


def test_inline_markup_does_not_split_and_line_breaks_do() -> None:
    found = placed_sentences(make_nodes("<p>港町の<b>朝</b>は<a href=x>早い。夜</a>は遅い<br>終わり<p>次"))
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
    assert [
        (sentence.text, sentence.first_node, sentence.last_node)
        for sentence in placed_sentences(make_nodes(html))
    ] == [
        ("朝だ。", 0, 0),
        ("夜だ", 1, 1),
    ]


def test_words_of_different_nodes_keep_their_distance() -> None:
    assert [s.text for s in placed_sentences(make_nodes("<p><b>one</b> <i>two</i> three<b> four</b>"))] == [
        "one two three four"
    ]
    assert [s.text for s in placed_sentences(make_nodes("<p><b>東</b> <i>京</i> 都"))] == ["東京都"]


def test_lines_of_preformatted_text_are_paragraphs() -> None:
    found = placed_sentences(make_nodes("<pre>first line\nsecond <b>line</b>\n<i>third</i></pre>"))
    assert [(sentence.text, sentence.first_node, sentence.last_node) for sentence in found] == [
        ("first line", 0, 0),
        ("second line", 0, 1),
        ("third", 2, 2),
    ]


def test_lines_between_elements_of_preformatted_text_are_paragraphs() -> None:
    assert [
        sentence.text for sentence in placed_sentences(make_nodes("<pre><b>one</b>\n<b>two</b></pre>"))
    ] == [
        "one",
        "two",
    ]


def test_the_share_of_particles_makes_a_text_japanese() -> None:
    assert is_japanese(PROSE)
    assert is_japanese("の" + "x" * 199)  # 0.5 %
    assert not is_japanese("の" + "x" * 200)
    assert not is_japanese("We stay.")
    assert not is_japanese("")


@pytest.mark.parametrize(
    "text",
    [
        "A. " * 5000,
        "x" + "." * 15000,
        "a.m. B " * 5000,
        "「" * 20000,
        "!」" * 20000,
        ". " * 20000,
        " " * 100_000 + "x",
        "と!" * 20000,
    ],
    ids=["initials", "dots", "abbreviations", "brackets", "marks", "full stops", "spaces", "continued"],
)
def test_time_grows_with_the_size_only(text: str) -> None:
    start = time.process_time()
    split(text)
    assert time.process_time() - start < 1


def test_a_line_of_very_many_nodes_takes_little_time() -> None:
    nodes = make_nodes("<p>" + "<b>朝は</b>" * 40000)
    start = time.process_time()
    assert len(placed_sentences(nodes)) == 1
    assert time.process_time() - start < 2


@given(pages=st.lists(st.one_of(html_soup, html_trees).filter(bool), max_size=4))
def test_a_batch_has_the_sentences_of_its_pages(pages: list[str]) -> None:
    nodes = [make_nodes(html) for html in pages]
    table = sentence_table(nodes)
    assert (table.page.tolist(), table.texts) == (
        [number for number, page in enumerate(nodes) for _ in placed_sentences(page)],
        [sentence.text for page in nodes for sentence in placed_sentences(page)],
    )
    for column in ("offset", "first_node", "last_node"):
        assert getattr(table, column).tolist() == [
            getattr(sentence, column) for page in nodes for sentence in placed_sentences(page)
        ]
    assert table.key.tolist() == [xxh3_64_intdigest(text.encode()) for text in table.texts]


@example(text="?¯", lines=False)
@given(text=st.one_of(paragraphs, st.text(max_size=60)), lines=st.booleans())
def test_plain_texts_are_split_with_their_places(text: str, lines: bool) -> None:
    texts = [text, "", text[::-1], " x"]
    found = split_texts(texts, lines)
    for sentence, number, start, end in zip(
        found.texts, found.text.tolist(), found.start.tolist(), found.end.tolist(), strict=True
    ):
        given_text = texts[number][start:end]
        parted = any(
            " " in normalise(character) and not character.isspace() for character in given_text
        )  # ¯ is a space and a mark
        assert sentence in normalise(given_text) if parted else sentence == normalise(given_text).strip()
    for number, one in enumerate(texts):
        mine = "".join(
            sentence
            for sentence, owner in zip(found.texts, found.text.tolist(), strict=True)
            if owner == number
        )
        assert squeezed(mine) == squeezed(normalise(one))


FIGURE_7 = """<p>しかしさすがに電池の持ちが悪くなってきたのと、<br>
たまたまキャンペーンをやっていて無料で機種変できるみたいだったから<br>

愛着のわいた携帯を手放すことにした。</p>

<p>で、折角変えるならまた長く使えるのがいいじゃない？<br>
すごいデザインのがあって(しかもロゴがsoftbank!!)<br>
これに決めた！！</p>

<p>と思ったら...</p>"""


def test_line_breaks_for_layout_do_not_end_a_sentence_in_figure_7() -> None:
    table = sentence_table([make_nodes(FIGURE_7)])
    assert table.texts == [
        "しかしさすがに電池の持ちが悪くなってきたのと、たまたまキャンペーンをやっていて無料で機種変できるみたいだったから愛着のわいた携帯を手放すことにした。",
        "で、折角変えるならまた長く使えるのがいいじゃない?",
        "すごいデザインのがあって(しかもロゴがsoftbank!!)",
        "これに決めた!!",
        "と思ったら...",
    ]
    assert table.paragraph.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "html",
    [
        "<p>りんご<br>みかん",
        "<p>住所は<br>東京",
        "<p>朝は早い。<br>夜は遅い",
        "<li>港の市場で買う魚を<li>運ぶ人",
        "<p>we come from a<br>town",
    ],
)
def test_other_line_breaks_end_a_paragraph(html: str) -> None:
    assert len(sentence_table([make_nodes(html)])) == 2


def test_keys_are_of_the_utf8_text_even_of_half_a_pair() -> None:
    texts = ["港", "\ud800", ""]
    assert keys(texts).tolist() == [
        xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) for text in texts
    ]
