"""Names taken out of lines, with what stands around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.detector.records.markup.mentions import mentions


def test_a_note_in_brackets_and_a_tail_are_taken_off() -> None:
    (mention,) = mentions("夏目漱石((株)木曜会, 猫の会) - 会計")
    assert (mention.name, mention.notes, mention.tail) == ("夏目漱石", ("(株)木曜会, 猫の会",), "会計")


def test_a_name_in_two_scripts_is_one_name() -> None:
    for line in ("夏目 漱石 Soseki Natsume", "夏目 漱石 / Soseki Natsume", "夏目 漱石（Soseki Natsume）"):
        (mention,) = mentions(line)
        assert (mention.name, mention.others) == ("夏目 漱石", ("Soseki Natsume",)), line


def test_a_list_of_names_is_several() -> None:
    assert [mention.name for mention in mentions("夏目 漱石、森 鷗外、樋口 一葉")] == [
        "夏目 漱石",
        "森 鷗外",
        "樋口 一葉",
    ]
    assert [mention.name for mention in mentions("John Smith, Mary Jones and David Brown")] == [
        "John Smith", "Mary Jones", "David Brown",
    ]  # fmt: skip


def test_a_name_with_its_affiliation_after_a_comma_is_one() -> None:
    (mention,) = mentions("John Smith, Example University, USA")
    assert (mention.name, mention.tail) == ("John Smith", "Example University, USA")


def test_post_title_label_and_degree_are_no_part_of_a_name() -> None:
    assert [(m.name, m.post) for m in mentions("教授 夏目 漱石")] == [("夏目 漱石", "教授")]
    assert [(m.name, m.post) for m in mentions("夏目 漱石 教授")] == [("夏目 漱石", "教授")]
    assert [(m.name, m.post) for m in mentions("夏目 漱石教授")] == [("夏目 漱石", "教授")]
    assert [(m.name, m.label) for m in mentions("講師：夏目 漱石")] == [("夏目 漱石", "講師")]
    assert [m.name for m in mentions("Dr. John Smith, Ph.D.")] == ["John Smith"]


def test_titles_of_many_countries_are_no_part_of_a_name_and_speak_for_it() -> None:
    for line in ("Dr.Emre Tavsan", "Assoc. Prof. Emre Tavsan", "Mr. Emre Tavsan", "Prof. Dr. Emre Tavsan"):
        (mention,) = mentions(line)
        assert (mention.name, mention.strength >= 0.6) == ("Emre Tavsan", True), line


def test_a_full_stop_after_a_name_is_no_part_of_it() -> None:
    assert [m.name for m in mentions("John Smithson., M.Sc.")] == ["John Smithson"]


@pytest.mark.parametrize(
    "line",
    [
        "夏目漱石：「吾輩は猫である」，ホトトギス，Vol.8，pp.1-12（1905）",
        "Smith, J., Jones, M. A study of cats. Journal of Cats, 2001.",
    ],
)
def test_a_line_of_a_bibliography_names_nobody(line: str) -> None:
    assert mentions(line) == ()


@given(st.text(max_size=80))
def test_no_line_is_too_odd(line: str) -> None:
    for mention in mentions(line):
        assert mention.name
        assert 0.0 <= mention.strength <= 1.0


@pytest.mark.parametrize(
    ("text", "name", "notes"),
    [
        ("2018年3月修了 夏目 漱石（株式会社猫）", "夏目 漱石", ("株式会社猫",)),
        ("10:00-10:30 「草枕を読む」 夏目 漱石（木曜会）", "夏目 漱石", ("木曜会",)),
        ("架空大学　夏目漱石", "夏目漱石", ("架空大学",)),
        ("教　授　夏 目　漱 石", "夏 目　漱 石", ()),
        ("セッション1（座長：夏目 漱石）", "夏目 漱石", ()),
        ("Reading Aloud in Public by Mary Shelley", "Mary Shelley", ()),
    ],
)
def test_something_may_stand_before_a_name(text: str, name: str, notes: tuple[str, ...]) -> None:
    (mention,) = mentions(text)
    assert (mention.name, mention.notes) == (name, notes)


def test_a_name_behind_a_title_is_left_to_its_list() -> None:
    (mention,) = mentions("Reading Aloud in Public - Mary Shelley")
    assert mention.strength <= 0.5


def test_the_form_of_a_company_is_no_affiliation() -> None:
    assert not any(mention.name == "中隆" for mention in mentions("株式会社　中隆"))
