"""A line of a page as pieces: labels with their values, and values by their looks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.detector.records.fields.concepts import Concept, built_in, schema
from ruiji.detector.records.fields.posts import is_post, post_key
from ruiji.detector.records.markup.pieces import Run, is_name, pieces_of


def read(*texts: str) -> list[tuple[str, str]]:
    return [
        (piece.concept or piece.label, piece.value)
        for piece in pieces_of(
            [Run(text, number, "", len(texts) > 1) for number, text in enumerate(texts)], built_in()
        )
    ]


@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        (("居室：", "2号館512"), [("place", "2号館512")]),
        (("内線：3412　mail: nagai@cs.example.jp",), [("ext", "3412"), ("mail", "nagai@cs.example.jp")]),
        (
            ("長井 修一", "（ながい しゅういち）", "教授"),
            [("name", "長井 修一"), ("reading", "ながい しゅういち"), ("post", "教授")],
        ),
        (("ext. 4521 / isobe@ocean.example.jp",), [("ext", "4521"), ("mail", "isobe@ocean.example.jp")]),
        (("メール nagai@cs.example.jp",), [("mail", "nagai@cs.example.jp")]),
        (("教授　山田太郎",), [("post", "教授"), ("name", "山田太郎")]),
        (("山田 太郎（教授）",), [("name", "山田 太郎"), ("post", "教授")]),
        (("部長：山田 太郎",), [("post", "部長"), ("name", "山田 太郎")]),
        (("【所属】", "情報工学科"), [("affiliation", "情報工学科")]),
        (("TEL 0768-57-2018 FAX 0768-57-2019",), [("phone", "0768-57-2018"), ("fax", "0768-57-2019")]),
        (("電話：0769-44-2111（内線3412）",), [("phone", "0769-44-2111"), ("ext", "3412")]),
        (("【電話（内線）】", "（内）4521"), [("ext", "（内）4521")]),
        (
            ("Office: Bldg. 4, Room 203 | Phone: +81-769-44-2111",),
            [("place", "Bldg. 4, Room 203"), ("phone", "+81-769-44-2111")],
        ),
        (
            ("2年　周防 りえ　「聞き手の相づち」",),
            [("post", "2年"), ("name", "周防 りえ"), ("", "聞き手の相づち")],
        ),
        (("職員：11名",), [("職員", "11名")]),
        (("おはなしの部屋：毎週土曜日の午前10時30分から、3歳以上のお子さんが対象です。",), []),
        (("最終更新：2024/04/05",), []),
    ],
)
def test_a_line_is_read(line: tuple[str, ...], pieces: list[tuple[str, str]]) -> None:
    assert read(*line) == pieces


def test_an_english_heading_with_a_degree_and_a_post() -> None:
    assert ("name", "Taro Yamada") in read("Taro Yamada, Ph.D. — Associate Professor")
    assert ("post", "Associate Professor") in read("Taro Yamada, Ph.D. — Associate Professor")


def test_names_and_what_only_looks_like_one() -> None:
    assert all(
        map(
            is_name,
            (
                "磯部 恒夫",
                "有馬 さとみ",
                "グエン・ミン・アイン",
                "情報工学科事務室",
                "Nancy Holloway",
                "企画政策課 統計係",
            ),
        )
    )
    assert not any(
        map(
            is_name,
            ("教員一覧", "2号館512", "履修の相談は", "About Us", "Contact Information", "月曜日", "お知らせ"),
        )
    )


def test_posts_in_two_languages() -> None:
    assert all(
        map(
            is_post,
            (
                "教授",
                "特任助教",
                "教授（工学博士）",
                "博士前期課程1年",
                "営業部長",
                "Associate Professor",
                "Senior Engineer",
            ),
        )
    )
    assert not any(map(is_post, ("教授会", "Professor of Physics", "課長会議")))
    assert post_key("Assoc. Prof.") == post_key("准教授")


def test_a_users_labels_come_first() -> None:
    own = schema((Concept("seat", "code", ("座席", "居室")),))
    assert own.concept_of("居室") == "seat"
    assert own.concept_of("部屋") == "place"


@given(
    st.lists(
        st.text(st.sampled_from("氏名：:職教授山田 　（）()/|、0123-@.aA教員年「」【】"), max_size=20),
        min_size=1,
        max_size=4,
    )
)
@settings(max_examples=300, deadline=None)
def test_any_line_gives_pieces_of_what_it_says(texts: list[str]) -> None:
    line = "".join(texts)
    for piece in pieces_of([Run(text, number) for number, text in enumerate(texts)], built_in()):
        assert 0 <= piece.node < len(texts)
        assert all(char in line or char.isascii() for char in piece.value)
