"""Copied passages: found, checked, prolonged, joined and weighed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.detector.copies.alignment import Stretch, chains
from ruiji.detector.copies.digest import SENTENCE, query_digest, source_digest
from ruiji.detector.copies.fingerprints import HashArray, rabin
from ruiji.detector.copies.hits import FOLLOWED, completed, hits, runs
from ruiji.detector.copies.part import IndexPart, SourceText, part_in_memory
from ruiji.detector.copies.passages import Passage, find_passages
from ruiji.detector.copies.rule import PassageRule
from ruiji.features.arrays import IndexArray

ARTICLE = (
    "立神灯台は澪崎市の立神半島の先端に立つ石造りの灯台である。明治二十三年に英国人技師の設計で建てられた。"
    "塔の高さは二十八メートルで、光は沖合三十五キロメートルまで届くという。昭和の補修で詰められた硬いモルタ"
    "ルが石を傷めている。"
    "現在は毎年五月に一般公開され、らせん階段を上ることができる。"
)
OTHER = (
    "五十集船とは魚や塩干物を運んだ小さな船のことを指している。船頭は荷主を兼ねることが多く、浜から浜へと渡"
    "り歩いた。"
    "鉄道が通じると荷は陸に移り、大正の末には姿を消したとされる。古老の話では最後の一艘が薪になったという。"
)
STOCK = "いつもお世話になっております。お気軽にご連絡ください。よろしくお願いします。"


def part(*texts: str, url: str = "http://source{}.example/") -> IndexPart:
    return part_in_memory([SourceText(url.format(number), text) for number, text in enumerate(texts)])


def found(
    index: IndexPart, text: str, rule: PassageRule | None = None, url: str = "http://page.example/"
) -> list[Passage]:
    (passages,) = find_passages([index], [text], [url], rule)
    return passages


def sentences(text: str) -> list[str]:
    return [f"{sentence}。" for sentence in text.split("。") if sentence]


def test_a_copy_is_found_with_its_place_in_both_texts() -> None:
    copied = "".join(sentences(ARTICLE)[1:4])
    text = f"灯台の話を読んだので書いておく。\n{copied}\nとても面白かったです。"
    (passage,) = found(part(OTHER, ARTICLE), text)
    assert passage.source_url == "http://source1.example/"
    assert passage.text == text[passage.start : passage.end] == copied
    assert ARTICLE[passage.source_start : passage.source_end] == copied
    assert passage.segments == 3


def test_one_long_rare_sentence_is_a_copy_and_three_stock_phrases_are_none() -> None:
    index = part(ARTICLE + STOCK, OTHER)
    single = sentences(ARTICLE)[3]
    assert [passage.text for passage in found(index, f"引用はここから。{single}以上。")] == [single]
    assert found(index, f"別の店の案内です。{STOCK}またどうぞ。") == []
    plain = PassageRule("plain")
    assert found(index, f"引用はここから。{single}以上。", plain) == []
    assert [passage.text for passage in found(index, f"別の店の案内です。{STOCK}またどうぞ。", plain)] == [
        STOCK
    ]


def test_a_sentence_in_common_use_says_little_however_long_it_is() -> None:
    notice = "当サイトに掲載されている文章の無断転載は固くお断りしますのでご了承ください。"
    index = part(*(f"{notice}\n第{number}号の記事の本文はここにあります。" for number in range(40)))
    assert found(index, f"わたしの頁です。{notice}") == []
    assert len(found(part(notice, OTHER), f"わたしの頁です。{notice}")) == 1


def test_furniture_of_a_site_says_nothing_even_elsewhere() -> None:
    headline = "澪崎港西埠頭の再開発が六月に着工へ、冷凍倉庫の跡に市場と広場ができる"
    pages = [
        f"{headline}\n第{number}の記事の本文で、ほかのどこにもない文である"
        f"{'あいうえおかきくけこ'[number] * 3}。"
        for number in range(10)
    ]
    site = part(*pages, url="http://news.example/{}")
    assert found(site, f"転載\n{headline}\n終わり") == []
    others = part(*pages, url="http://news{}.example/")
    assert len(found(others, f"転載\n{headline}\n終わり")) == 10


def test_pages_of_one_site_share_lines_but_only_sentences_count() -> None:
    index = part(
        "ホームページの入口はこちらからどうぞ・サイトマップとお問い合わせの一覧表",
        ARTICLE,
        url="http://same.example/{}",
    )
    line = "ホームページの入口はこちらからどうぞ・サイトマップとお問い合わせの一覧表"
    assert len(found(index, f"前\n{line}\n後", url="http://other.example/")) == 1
    assert found(index, f"前\n{line}\n後", url="http://same.example/page") == []
    assert len(found(index, f"前\n{ARTICLE}\n後", url="http://same.example/page")) == 1
    assert (
        found(index, f"前\n{ARTICLE}\n後", PassageRule(at_home=math.inf), url="http://same.example/page")
        == []
    )


def test_between_pages_of_one_site_sentences_must_be_half_of_a_passage() -> None:
    menu = "\n".join(
        f"{word}についてのお知らせとご案内の一覧" for word in ("会社", "採用", "製品", "店舗", "広報", "地図")
    )
    notice = "このサイトに掲載されている記事や写真の無断転載を固く禁じますのでご了承ください。"
    index = part(f"本文の一。\n{menu}\n{notice}", url="http://same.example/{}")
    assert found(index, f"別の本文。\n{menu}\n{notice}", url="http://same.example/page") == []
    assert len(found(index, f"別の本文。\n{notice}", url="http://same.example/page")) == 1


def test_an_inserted_or_changed_sentence_does_not_break_a_passage() -> None:
    first, second, third, _, fifth = sentences(ARTICLE)
    text = (
        f"書き出し。{first}{second}ここに一文を書き足してみた。{third}モルタルの文は書き換えたので同じで"
        f"はない。{fifth}結び。"
    )
    (passage,) = found(part(ARTICLE), text)
    assert passage.text == text[passage.start : passage.end]
    assert passage.text.startswith(first)
    assert passage.text.endswith(fifth)
    assert ARTICLE[passage.source_start : passage.source_end] == ARTICLE
    assert passage.segments == 4


def test_passages_far_apart_are_two() -> None:
    filler = "".join(
        f"この段落は{number}番めの埋め草であって、どこからも写していない長めの文章である。"
        for number in "一二三四五六七八九"
    )
    first, second = sentences(ARTICLE)[0], sentences(ARTICLE)[3]
    assert [passage.text for passage in found(part(ARTICLE), f"{first}{filler}{second}")] == [first, second]


def test_a_rebroken_list_is_found() -> None:
    source = "手順は次のとおり。\n" + "\n".join(sentences(OTHER)) + "\n以上である。"
    broken = OTHER.replace("。", "、\n・").replace("ことが", "ことが\n").replace("とされ", "と\nされ")
    (passage,) = found(part(ARTICLE, source), f"教わったことを貼る。\n・{broken}\nおわり。")
    assert passage.source_url == "http://source1.example/"
    assert passage.text.startswith("五十集船とは")
    assert passage.text.endswith("薪になったという")


def test_a_list_in_the_source_is_found_in_running_text() -> None:
    items = [
        "五十集船は魚や塩干物を運んだ",
        "北前船は米と昆布と鰊粕を運んだ",
        "樽廻船は酒樽を江戸へ送った",
        "菱垣廻船は木綿や油を積んだ",
    ]
    text = f"船の種類について調べた結果は{'、'.join(items)}、ということである。"
    (passage,) = found(part(ARTICLE, "船の種類\n" + "\n".join(items) + "\nなど"), text)
    assert all(item in passage.text for item in items)


def test_symbols_and_width_do_not_hide_a_copy() -> None:
    text = (
        ARTICLE.replace("、", "，")
        .replace("立神", "『立神』")
        .replace("メートル", "ﾒｰﾄﾙ")
        .replace("である", "で　ある")
    )
    (passage,) = found(part(ARTICLE), text)
    assert (passage.source_start, passage.source_end) == (0, len(ARTICLE))
    assert passage.text == text[passage.start :]


def test_a_page_is_no_copy_of_itself_but_an_older_version_is() -> None:
    index = part(ARTICLE, url="http://page.example/")
    assert found(index, ARTICLE) == []
    assert len(found(index, ARTICLE + "追記しました。")) == 1
    assert len(found(index, ARTICLE, url="http://elsewhere.example/")) == 1


def test_english_sentences_count_about_as_much() -> None:
    text = "The first keeper of the light, Sakae Umetsu, kept a diary of every ship that passed the cape."
    assert len(found(part(text + " He died in 1931."), f"I read this yesterday. {text} Remarkable.")) == 1
    assert found(part("Thank you very much. " + text), "Thank you very much. See you.") == []


def weak(letters: np.ndarray, start: IndexArray, end: IndexArray) -> HashArray:
    """A fingerprint of three bits: nearly everything collides."""
    return rabin(letters, start, end) & np.uint32(0x30000001)


@pytest.mark.parametrize("rule", [PassageRule(), PassageRule("plain")], ids=["weighted", "plain"])
def test_a_collision_is_never_reported(rule: PassageRule) -> None:
    texts = [ARTICLE, OTHER, STOCK]
    index = part_in_memory(
        [SourceText(f"http://source{number}.example/", text) for number, text in enumerate(texts)], weak
    )
    copied = "".join(sentences(OTHER)[:3])
    query = (
        f"{copied}ここからは自分で書いた文章がしばらく続きます。それでも偶然に同じ値になる文があるでしょ"
        "う。三つ並べばなおさらです。"
    )
    (passages,) = find_passages([index], [query], [], rule, weak)
    assert [passage.text for passage in passages] == [copied]
    # and there were collisions to report
    digest = query_digest([query], weak)
    there = {int(value) for value in source_digest(texts, weak).fingerprint}
    assert sum(int(value) in there for value in digest.fingerprint) > 5


LETTERS = "あいうえおかきくけこ"
words = st.lists(
    st.sampled_from([f"{a}{b}{a}{b}{a}{c}" for a in LETTERS[:3] for b in LETTERS[3:6] for c in LETTERS[6:8]]),
    min_size=1,
    max_size=10,
)


def brute_runs(query: str, source: str) -> set[tuple[int, int, int]]:
    """(first segment, first segment of the source, number) of all maximal runs of three and more."""
    ours, theirs = query.split("。")[:-1], source.split("。")[:-1]
    same = {(a, b) for a, one in enumerate(ours) for b, other in enumerate(theirs) if one == other}
    return {
        (a, b, length)
        for a, b in same
        if (a - 1, b - 1) not in same
        for length in [next(n for n in range(1, len(ours) + 2) if (a + n, b + n) not in same)]
        if length >= 3
    }


@settings(max_examples=100)
@given(st.lists(words, min_size=1, max_size=6), words, st.integers(1, 40))
def test_runs_of_segments_equal_brute_force(
    sources: list[list[str]], query: list[str], followed: int
) -> None:
    texts = ["".join(f"{word}。" for word in source) for source in sources]
    text = "".join(f"{word}。" for word in query)
    index = part(*texts)
    digest = query_digest([text])
    every = completed(index, digest, hits(index, digest, followed=10_000))
    limited = completed(index, digest, hits(index, digest, followed=followed))
    expected = {(number, *run) for number, source in enumerate(texts) for run in brute_runs(text, source)}
    for one in (every,) if followed < 20 else (every, limited):
        segment, position, count = runs(digest, one)
        document = index.documents_at(position)
        chosen = (count >= 3) & (digest.kind[segment] == SENTENCE)
        ours = {
            (int(d), int(s), int(p - index.first[d]), int(c))
            for d, s, p, c in zip(
                document[chosen], segment[chosen], position[chosen], count[chosen], strict=True
            )
        }
        assert ours == expected
    passages = find_passages([index], [text], [], PassageRule("plain"))[0]
    assert len(passages) == len({(p.source_url, p.start, p.end, p.source_start) for p in passages})
    by_brute = {
        (f"http://source{n}.example/", 7 * a, 7 * (a + c), 7 * b, 7 * (b + c)) for n, a, b, c in expected
    }
    assert {(p.source_url, p.start, p.end, p.source_start, p.source_end) for p in passages} == by_brute


@settings(max_examples=50)
@given(
    st.lists(
        st.text(alphabet="あいうえおかきくけこさしすせそ。\n、", min_size=20, max_size=120),
        min_size=1,
        max_size=4,
    ),
    st.data(),
)
def test_a_passage_is_the_same_letters_in_both_texts_unless_it_has_gaps(
    texts: list[str], data: st.DataObject
) -> None:
    source = data.draw(st.sampled_from(texts))
    start = data.draw(st.integers(0, len(source) - 1))
    text = (
        data.draw(st.text(alphabet="たちつてと。", max_size=20))
        + source[start:]
        + data.draw(st.text(alphabet="なにぬねの。", max_size=20))
    )
    for passage in found(part(*texts), text, PassageRule(gap=0)):
        original = texts[int(passage.source_url[13:].partition(".")[0])]
        theirs = original[passage.source_start : passage.source_end]
        assert passage.text == text[passage.start : passage.end]
        assert _letters(passage.text) == _letters(theirs)


def _letters(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


def test_texts_of_a_batch_do_not_see_each_other() -> None:
    index = part(ARTICLE, OTHER)
    texts = [OTHER[20:], "", ARTICLE, "短い。", f"{STOCK}{sentences(OTHER)[1]}"]
    together = find_passages([index], texts)
    assert together == [find_passages([index], [text])[0] for text in texts]
    assert [len(one) for one in together] == [1, 0, 1, 0, 1]


def test_parts_answer_together() -> None:
    parts = [part(OTHER), part(ARTICLE, url="http://second{}.example/"), part()]
    (passages,) = find_passages(parts, [sentences(OTHER)[1] + ARTICLE])
    assert [passage.source_url for passage in passages] == [
        "http://source0.example/",
        "http://second0.example/",
    ]
    assert find_passages([], [ARTICLE]) == [[]]


def test_many_copies_in_the_index_are_still_found_by_the_whole() -> None:
    article = ARTICLE + OTHER
    others = (
        f"第{number}号の記事は、ほかのどこにもない{number}という数について書いた文である。"
        for number in range(3000)
    )
    index = part(
        *(f"第{number}版。{article}" for number in range(100)), *others, url="http://mirror{}.example/"
    )
    passages = found(index, f"写し。{article}")
    assert len(passages) >= FOLLOWED
    assert all(passage.text == article for passage in passages)


def test_a_page_of_one_line_a_thousand_times_is_no_trap() -> None:
    line = "同じ行が何度も何度も繰り返されるだけのページです。\n"
    index = part(line * 1000, line * 20 + ARTICLE)
    passages = found(index, f"{line * 1000}{ARTICLE}")
    assert any(ARTICLE in passage.text for passage in passages)


def blocks_of(rows: Sequence[tuple[int, int, int]]) -> list[Stretch]:
    return [Stretch(*row) for row in rows]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([(0, 100, 30), (40, 150, 30)], [2]),  # ten letters inserted, twenty in the source
        ([(0, 100, 30), (100, 200, 20)], [1, 1]),  # a gap longer than what is shared around it
        ([(0, 100, 30), (40, 50, 30)], [1, 1]),  # the other way round in the source
        ([(0, 100, 30), (25, 130, 30)], [2]),  # five letters fit on both sides of an insertion
        ([(0, 100, 300), (301 + 200, 401, 300)], [1, 1]),  # more than the longest gap
        ([(0, 100, 30), (5, 500, 40), (60, 145, 30)], [2, 1]),
    ],
)  # fmt: skip
def test_blocks_are_joined_over_small_gaps(rows: list[tuple[int, int, int]], expected: list[int]) -> None:
    made = chains(blocks_of(rows), gap=200)
    assert [len(chain) for chain in made] == expected
    for chain in made:
        for before, after in pairwise(chain):
            assert before.end <= after.start
            assert before.source_end <= after.source_start


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="there are weighted, plain"):
        PassageRule("heavy")


def test_information_falls_with_frequency_and_grows_with_length() -> None:
    rule = PassageRule()
    weight = np.array([5.0, 12, 19, 40])
    rare = rule.information(weight, np.full(4, 3), 1000)
    assert rare.tolist() == [3.75, 9, 37, 121]
    common = rule.information(weight, np.full(4, 110), 1000)
    assert common.tolist() == pytest.approx([np.log2(10)] * 4)
