"""Values are compared as a person would: what is written differently is a variant, what differs in fact is
not.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.detector.records.fields.agreement import AGREEING, Match, best_match, compare
from ruiji.detector.records.fields.concepts import KINDS
from ruiji.detector.records.fields.slips import is_misspelt, is_slip
from ruiji.detector.records.fields.values import key_of, number_in

VARIANTS = [
    ("name", "高橋 美沙", "髙橋 美沙"),
    ("name", "渡邊 誠", "渡辺 誠"),
    ("name", "齋藤 隆", "斉藤 隆"),
    ("name", "山崎 翔", "山﨑 翔"),
    ("name", "黒澤 彩", "黒沢 彩"),
    ("name", "小柳 千尋", "小柳千尋"),
    ("name", "能登谷 光男", "能登谷　光男"),
    ("name", "T. Isobe", "Tsuneo Isobe"),
    ("name", "Yamada Taro", "Taro YAMADA"),
    ("name", "㈱海藤精機", "株式会社 海藤精機"),
    ("name", "(有)北浦家具", "有限会社北浦家具"),
    ("name", "立神朝どれ市場（漁協直売所）", "立神朝どれ市場"),
    ("name", "環境課", "環境課 ごみ減量係"),
    ("name", "海藤 邦彦", "代表取締役社長 海藤 邦彦"),
    ("mail", "a.b@cs.example.jp", "A.B＠cs.example.jp"),
    ("mail", "a.b@cs.example.jp", "a.b [at] cs.example.jp"),
    ("mail", "a.b@cs.example.jp", "a.b at cs dot example dot jp"),
    ("phone", "0768-52-3300", "０７６８－５２－３３００"),
    ("phone", "0769-44-2111", "+81-769-44-2111"),
    ("phone", "4521", "（内）4521"),
    ("phone", "3412", "0769-44-2111（内線3412）"),
    ("date", "2006年4月", "平成18年4月"),
    ("date", "1949年", "昭和24年9月"),
    ("date", "2024-04-01", "April 1, 2024"),
    ("date", "令和元年5月1日", "2019/5/1"),
    ("place", "4号館301", "４号館３０１"),
    ("place", "3号館401", "3号館401号室"),
    ("place", "澪崎市汐路町3-14-8", "澪崎市汐路町3丁目14番8号"),
    ("place", "澪崎市浜41-2", "澪崎市浜41番地2"),
    ("place", "青葉市本町1-2-3", "〒123-4567 青葉市本町1-2-3"),
    ("money", "4,800万円", "48,000,000円"),
    ("money", "¥46,200", "46,200円(税込)"),
    ("number", "1,200名", "1200人"),
    ("number", "1.5kg", "1500g"),
    ("post", "教授", "教授（工学博士）"),
    ("post", "Prof.", "Professor"),
    ("post", "教授", "教授・学科長"),
    ("text", "情報工学科", "工学部 情報工学科"),
    ("text", "音声、画像", "画像・音声"),
    ("text", "サーバー運用", "サーバ運用"),
    ("hours", "8:00〜14:00", "午前8時～午後2時"),
    ("hours", "9:00-17:30", "9時から午後5時半まで"),
    ("url", "http://www.example.jp/index.html", "https://example.jp/"),
    ("code", "KK-B03", "ｋｋ－ｂ０３"),
    ("post", "助教", "特定助教"),
    ("post", "Assistant Professor", "特定助教"),
    ("post", "Staffs", "Staff"),
    ("post", "修士課程2年", "Master Student"),
    ("name", "なつめそうせき", "夏目 漱石"),
    ("name", "Koichi Sato", "Kouichi Satoh"),
    ("text", "筑波大学", "筑波大学情報学類"),
    ("text", "University of Athens, Greece", "National and Kapodistrian University of Athens, Greece"),
    ("text", "MPI, Germany", "Max-Planck-Institut für Informatik"),
    ("text", "(株)青葉通信研究所 フェロー，若葉大学", "青葉通信研究所"),
]

DIFFERENT = [
    ("post", "修士課程1年", "M2"),
    ("post", "Undergraduate Students", "修士課程1年"),
    ("post", "Assistant Professor", "准教授"),
    ("text", "Osaka University, Japan", "Kyoto University, Japan"),
    ("text", "Indiana University", "Indiana State University"),
    ("text", "株式会社青葉", "株式会社若葉"),
    ("name", "山田 太郎", "山田 花子"),
    ("mail", "koyanagi@o.example.jp", "c-koyanagi@o.example.jp"),
    ("phone", "0768-55-2104", "0768-55-2140"),
    ("phone", "3445", "3454"),
    ("date", "2006年4月", "平成19年4月"),
    ("place", "2号館606", "2号館608"),
    ("place", "2号館5", "2号館512"),
    ("money", "4,800万円", "4,900万円"),
    ("number", "98名", "126名(2023年4月現在)"),
    ("post", "教授", "准教授"),
    ("post", "Professor", "Associate Professor"),
    ("text", "月曜日", "月曜日・第3木曜日"),
    ("text", "水質化学", "海洋有機地球化学"),
    ("hours", "10:00〜19:00", "10:00〜18:00"),
    ("code", "A-1", "A-2"),
]


@pytest.mark.parametrize(("kind", "one", "other"), VARIANTS)
def test_one_fact_in_two_notations_is_a_variant(kind: str, one: str, other: str) -> None:
    assert compare(kind, one, other) is Match.VARIANT
    assert compare(kind, other, one) is Match.VARIANT


@pytest.mark.parametrize(("kind", "one", "other"), DIFFERENT)
def test_two_facts_are_different(kind: str, one: str, other: str) -> None:
    assert compare(kind, one, other) is Match.DIFFERENT
    assert compare(kind, other, one) is Match.DIFFERENT


def test_a_post_in_two_languages_says_the_same_and_a_name_cannot_be_compared() -> None:
    assert compare("post", "准教授", "Associate Professor") is Match.SAME_MEANING
    assert compare("post", "准教授", "Professor") is Match.DIFFERENT
    assert compare("name", "磯部 恒夫", "Tsuneo Isobe") is Match.INCOMPARABLE
    assert compare("mail", "a@b.example.jp", "a@b.example.jp") is Match.SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Second-year Master’s Students", "修士課程2年"),
        ("M2", "Master Student 2nd grade"),
        ("座長", "Chairperson"),
    ],
)
def test_the_year_of_a_student_and_a_chair_are_read_in_both_languages(one: str, other: str) -> None:
    assert compare("post", one, other) in AGREEING


def test_a_part_in_an_event_and_a_story_of_ones_life_contradict_no_post() -> None:
    assert compare("post", "スピーカー", "会計") is Match.INCOMPARABLE
    assert compare("post", "副座長", "若葉社に所属。本を二冊書いた。") is Match.INCOMPARABLE
    assert compare("post", "会計", "広報") is Match.DIFFERENT


def test_numbers_with_man_and_oku() -> None:
    assert [number_in(text) for text in ("1億2,000万円", "４，８００万円", "3千人", "なし")] == [
        120_000_000,
        48_000_000,
        3_000,
        None,
    ]


def test_a_swap_of_neighbours_is_a_slip_and_another_number_is_not() -> None:
    assert is_slip("0768-55-2104", "0768-55-2140")
    assert not is_slip("3445", "9121")
    assert not is_slip("4521", "4521")


def test_of_several_values_the_pair_that_agrees_most_counts() -> None:
    assert best_match("mail", ["x@a.jp", "y@a.jp"], ["y@a.jp"]) == (Match.SAME, "y@a.jp", "y@a.jp")


texts = st.text(st.sampled_from("山田太郎髙邊AaBb09０９ 　-－@＠（）().,、・年月日時円万"), max_size=12)


@given(st.sampled_from(KINDS), texts, texts)
@settings(max_examples=300, deadline=None)
def test_comparing_never_fails_and_is_symmetric(kind: str, one: str, other: str) -> None:
    assert compare(kind, one, one) is Match.SAME
    assert compare(kind, one, other) is compare(kind, other, one)
    if one != other and key_of(kind, one) == key_of(kind, other):
        assert compare(kind, one, other) in AGREEING


def test_a_nickname_and_a_name_cannot_be_compared() -> None:
    assert compare("name", "Mary Shelley", "zorbq") is Match.INCOMPARABLE
    assert compare("name", "Mary Shelley", "Shelley") is Match.DIFFERENT
    assert compare("name", "Mary Shelley", "Jane Austen") is Match.DIFFERENT


@pytest.mark.parametrize(("one", "other"), [
    ("National University", "Example National University"),
    ("Example University", "Example University of the Arts"),
    ("State University", "Example State University"),
])  # fmt: skip
def test_words_that_many_organisations_share_make_no_variant(one: str, other: str) -> None:
    assert compare("text", one, other) is Match.DIFFERENT


def test_what_tells_the_organisation_makes_a_variant() -> None:
    assert compare("text", "University of Nowhere", "Royal University of Nowhere") is Match.VARIANT
    assert compare("text", "Example University", "Example University, Faculty of Cats") is Match.VARIANT


def test_a_post_without_what_it_is_for_is_a_variant_and_another_rank_is_not() -> None:
    assert compare("post", "Co-Chairs", "Doctoral Symposium Co-Chairs") is Match.VARIANT
    assert compare("post", "Cat Keeper", "Assistant Cat Keeper") is Match.DIFFERENT


@pytest.mark.parametrize(("one", "other"), [
    ("Associate Professor", "Assosiate Professor"), ("Example University", "Example Universtiy"),
    ("Research Fellow", "Reserch Fellow"),
])  # fmt: skip
def test_one_letter_of_a_long_word_is_a_slip(one: str, other: str) -> None:
    assert is_misspelt(one, other)
    assert is_misspelt(other, one)


@pytest.mark.parametrize(("one", "other"), [
    ("Master Student 1st grade", "Master Student 2nd grade"), ("Manager", "Managers"), ("Cat A", "Cat B"),
    ("教授", "准教授"), ("Osaka University", "Kyoto University"), ("Same Text", "same text"),
])  # fmt: skip
def test_other_years_plurals_and_other_words_are_no_slips(one: str, other: str) -> None:
    assert not is_misspelt(one, other)


@given(one=st.text("abcdefgh ", max_size=30), other=st.text("abcdefgh ", max_size=30))
def test_a_slip_is_symmetric_and_never_of_the_same(one: str, other: str) -> None:
    assert is_misspelt(one, other) == is_misspelt(other, one)
    assert not is_misspelt(one, one)
