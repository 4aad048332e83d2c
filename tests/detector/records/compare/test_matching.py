"""Which records correspond, in which sets, and what they contradict each other in, from tables on disk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ruiji.detector.records.compare.paper import AND_SEARCH, OR_SEARCH, PaperSettings
from ruiji.detector.records.compare.sets import correspondence_sets
from ruiji.detector.records.comparison import STAGING, CompareSettings, compare_pages
from ruiji.detector.records.fields.concepts import built_in
from ruiji.detector.records.fields.name_keys import READING, name_keys
from ruiji.detector.records.folder import RecordsFolder
from ruiji.detector.records.model import ADDRESS, PERSON, Field, PageRecords, Record


def person(name: str, reading: str = "", empty: tuple[str, ...] = (), **values: str) -> Record:
    fields = [Field("", "name", "name", name)]
    if reading:
        fields.append(Field("", "reading", "name", reading))
    fields += [Field("", concept, built_in().kind_of(concept), value) for concept, value in values.items()]
    return Record(f"/table/tr[{name}]", "row", name, tuple(fields), empty, "/table", PERSON)


def page(url: str, *records: Record, day: str = "", links: tuple[str, ...] = ()) -> PageRecords:
    time = datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None
    return PageRecords(url, url, url.split("/")[2], time, "header", links, records)


def compared(tmp_path: Path, *pages: PageRecords, settings: CompareSettings | None = None) -> RecordsFolder:
    compare_pages(pages, tmp_path, built_in(), settings)
    return RecordsFolder(tmp_path)


def ends(results: RecordsFolder) -> set[tuple[str, str]]:
    return {(row["url_a"], row["url_b"]) for row in results.correspondences()}


HOME, LAB, OTHER = (
    "http://www.x-u.ac.jp/staff",
    "http://lab.x-u.ac.jp/member",
    "http://www.y.example.com/team",
)


def test_a_full_name_is_enough_within_an_organisation_and_never_between_strangers(tmp_path: Path) -> None:
    pages = [page(url, person("夏目 漱石")) for url in (HOME, LAB, OTHER)]
    assert ends(compared(tmp_path, *pages)) == {(LAB, HOME)}


def test_an_address_of_ones_own_joins_records_of_unrelated_sites(tmp_path: Path) -> None:
    pages = [page(url, person("夏目 漱石", mail="soseki@x-u.ac.jp")) for url in (HOME, OTHER)]
    results = compared(tmp_path, *pages)
    (row,) = results.correspondences()
    reasons = {item["reason"]: item["bits"] for item in json.loads(row["reasons"])}
    assert reasons["mail"] > 5
    assert reasons["sites"] < 0
    assert row["score"] > 0.8


def test_names_meet_by_their_reading_and_kanji_never_by_it_alone(tmp_path: Path) -> None:
    results = compared(
        tmp_path,
        page(HOME, person("田中 克己")),
        page(LAB, person("Katsumi Tanaka")),
        page(HOME + "2", person("田中 勝美")),
    )
    assert (LAB, HOME) in ends(results)
    assert (HOME, HOME + "2") not in ends(results)
    assert any(key.how == READING for key in name_keys(["田中 克己"]))


def test_a_surname_is_enough_where_lists_correspond_and_nobody_else_has_it(tmp_path: Path) -> None:
    shared = [("夏目 漱石", "Soseki Natsume"), ("森 健一", "Kenichi Mori"), ("田中 克己", "Katsumi Tanaka"),
              ("佐藤 健太", "Kenta Sato")]  # fmt: skip
    japanese = page(HOME, *(person(name) for name, _ in shared), person("木村 文彦"), person("原田 一"))
    latin = [*(person(name) for _, name in shared), person("Zendo Kimura"), person("Jiro Hirata")]
    names = {(row["label_a"], row["label_b"]) for row in _pairs(tmp_path / "one", japanese, latin)}
    assert names >= {("木村 文彦", "Zendo Kimura")}
    twice = [*latin, person("Mari Kimura")]
    names = {(row["label_a"], row["label_b"]) for row in _pairs(tmp_path / "two", japanese, twice)}
    assert not [pair for pair in names if "木村 文彦" in pair], "two people of one surname"


def _pairs(folder: Path, japanese: PageRecords, latin: list[Record]) -> list[dict[str, str]]:
    results = compared(folder, japanese, page(HOME + "-en", *latin))
    names = {row["path"]: row["label"] for row in results.records()}
    return [
        {"label_a": names[row["path_a"]], "label_b": names[row["path_b"]]}
        for row in results.correspondences()
    ]


def test_lists_that_share_many_records_support_a_weak_pair(tmp_path: Path) -> None:
    names = (
        "夏目 漱石",
        "森 鷗外",
        "樋口 一葉",
        "石川 啄木",
        "島崎 藤村",
        "永井 荷風",
        "志賀 直哉",
        "泉 鏡花",
        "正岡 子規",
    )
    mails = {name: f"{number}@x.example.jp" for number, name in enumerate(names[:-1])}

    def people(post: str) -> list[Record]:
        return [person(name, mail=mails[name]) for name in mails] + [person(names[-1], post=post)]

    results = compared(tmp_path, page(HOME, *people("教授")), page(OTHER, *people("講師")))
    assert len(results.correspondences()) == len(names)
    assert [(row["value_a"], row["value_b"]) for row in results.conflicts()] == [("教授", "講師")]


def test_what_two_pairs_imply_belongs_to_the_set_and_one_page_never_names_two(tmp_path: Path) -> None:
    pairs = [(0, 1, 0.9, False), (1, 2, 0.8, False), (2, 3, 0.7, False)]
    sets = correspondence_sets(pairs, pages=[0, 1, 2, 0], titles=[0, 0, 0, 1], kanji=[0] * 4)
    assert list(sets.implied()) == [(0, 1, 0.8), (0, 2, 0.8), (1, 2, 0.8)]
    assert sets.root(3) == 3


@pytest.mark.parametrize(
    ("days", "kind"), [(("2024-01-01", "2024-02-01"), "conflict"), (("2020-01-01", "2024-02-01"), "age")]
)
def test_age_explains_what_changes_as_a_matter_of_course(
    tmp_path: Path, days: tuple[str, str], kind: str
) -> None:
    results = compared(
        tmp_path,
        page(HOME, person("夏目 漱石", post="准教授"), day=days[0]),
        page(LAB, person("夏目 漱石", post="教授"), day=days[1]),
    )
    assert [row["kind"] for row in results.conflicts()] == [kind]


@pytest.mark.parametrize(
    ("year", "day", "kind"),
    [("2013", "", "age"), ("2013", "2014-03-01", "age"), ("2013", "2013-03-01", "conflict")],
)
def test_the_list_of_a_year_is_not_held_against_that_of_another_or_of_today(
    tmp_path: Path, year: str, day: str, kind: str
) -> None:
    list_of_year = page(f"{LAB}/{year}", person("夏目 漱石", post="講師"), day=f"{year}-07-01")
    results = compared(
        tmp_path,
        page(HOME, person("夏目 漱石", post="教授"), day=day),
        replace(list_of_year, time_source=ADDRESS),
    )
    assert [row["kind"] for row in results.conflicts()] == [kind]


def test_lists_of_two_years_that_changed_within_one_are_of_two_years(tmp_path: Path) -> None:
    results = compared(
        tmp_path,
        page(f"{HOME}/2007", person("夏目 漱石", affiliation="青葉社"), day="2007-07-30"),
        page(f"{HOME}/2008", person("夏目 漱石", affiliation="若葉社"), day="2008-07-22"),
    )
    assert [row["kind"] for row in results.conflicts()] == ["age"]


NAMES = ("夏目 漱石", "森 鷗外", "樋口 一葉", "石川 啄木", "島崎 藤村", "永井 荷風", "志賀 直哉", "泉 鏡花")
COPY = "http://www.copy.example.org/team"


def copied(tmp_path: Path, *edited: Record, **fields: str) -> list[tuple[str, str, str]]:
    """What is told of a list and its copy on an unrelated site, in which these records are others."""
    here = [person(name, **fields) for name in NAMES]
    there = [*edited, *here[len(edited) :]]
    results = compared(tmp_path, page(OTHER, *here), page(COPY, *there))
    return sorted((row["concept"], row["value_b"], row["value_a"]) for row in results.conflicts())


def test_a_copy_of_a_list_is_one_whatever_its_site(tmp_path: Path) -> None:
    """And says something else in whatever letters it does."""
    edited = person(NAMES[0], affiliation="Aoba Lab")
    assert copied(tmp_path, edited, affiliation="青葉社") == [("affiliation", "青葉社", "Aoba Lab")]


def test_a_misspelt_name_is_told_between_the_same_neighbours(tmp_path: Path) -> None:
    assert copied(tmp_path / "kanji", person(NAMES[0]), person("森 鷗内")) == [("name", NAMES[1], "森 鷗内")]
    assert not copied(tmp_path / "other", person(NAMES[0]), person("南方 熊楠")), "somebody else"


def test_texts_without_labels_differ_where_the_others_are_the_same(tmp_path: Path) -> None:
    def unlabelled(name: str, text: str) -> Record:
        named = person(name)
        return replace(named, fields=(*named.fields, Field("", "", "text", text)))

    def told(folder: Path, texts: Sequence[str]) -> list[tuple[str, str]]:
        here = page(HOME, *(unlabelled(name, "猫の係") for name in NAMES))
        there = page(LAB, *(unlabelled(name, text) for name, text in zip(NAMES, texts, strict=True)))
        rows = compared(folder, here, there).conflicts()
        return [(row["field"], row["value_a"]) for row in rows]

    assert told(tmp_path / "one", ["犬の係"] + ["猫の係"] * 7) == [("ラベルなし", "犬の係")]
    assert not told(tmp_path / "all", [f"{number}の係" for number in range(8)]), "not the same kind of text"


def test_a_post_that_the_copy_takes_for_a_text_is_held_against_it(tmp_path: Path) -> None:
    def listed(texts: Sequence[tuple[str, str]]) -> list[Record]:
        return [
            replace(person(name), fields=(*person(name).fields, Field("", concept, "post", text)))
            for name, (concept, text) in zip(NAMES, texts, strict=True)
        ]

    here, there = [("post", "会計"), *[("", "司会")] * 7], [("", "事務"), *[("", "司会")] * 7]
    rows = compared(tmp_path, page(HOME, *listed(here)), page(LAB, *listed(there))).conflicts()
    assert [(row["field"], row["value_a"], row["value_b"]) for row in rows] == [("職名", "事務", "会計")]


def under(*headings: str) -> list[Record]:
    return [replace(person(name), heading=text) for name, text in zip(NAMES, headings, strict=True)]


def test_a_heading_that_a_copy_has_otherwise_is_told_of_those_below_it(tmp_path: Path) -> None:
    """Whatever it says; not where most headings are others, nor of who stands under both."""

    def told(folder: str, here: Sequence[Record], there: Sequence[Record]) -> list[tuple[str, ...]]:
        rows = compared(tmp_path / folder, page(HOME, *here), page(LAB, *there)).conflicts()
        return [(row["label"], row["concept"], row["value_b"], row["value_a"]) for row in rows]

    here = under(*["スポンサー渉外"] * 2, *["司会"] * 3, *["会場"] * 3)
    there = under("スポソサー渉外", "スポンサー渉外", *["司会"] * 3, *["会場"] * 3)
    assert told("one", here, there) == [(NAMES[0], "post", "スポンサー渉外", "スポソサー渉外")]
    assert not told("all", here, under(*["甲"] * 4, *["乙"] * 4))
    twice = replace(here[0], heading="司会", path="/table/tr[9]")
    assert not told("both", [*here, twice], [*here, twice]), "below two headings of both pages"


def test_a_text_in_another_script_on_a_copy_is_no_translation_of_old(tmp_path: Path) -> None:
    here = [person(name, affiliation="青葉社") for name in NAMES]
    there = [person(NAMES[0], affiliation="Wakaba Club"), *here[1:]]
    results = compared(tmp_path, page(f"{HOME}/2009", *here, day="2009-07-01"), page(LAB, *there))
    assert [(row["kind"], row["label"]) for row in results.conflicts()] == [("age", NAMES[0])]


def test_a_line_of_a_career_contradicts_no_affiliation(tmp_path: Path) -> None:
    results = compared(
        tmp_path,
        page(HOME, person("夏目 漱石", affiliation="青葉大学")),
        page(LAB, person("夏目 漱石", affiliation="若葉大学, 2019-2021")),
    )
    assert not list(results.conflicts())


def test_an_empty_field_is_missing_and_spaces_are_not_worth_a_line(tmp_path: Path) -> None:
    results = compared(
        tmp_path, page(HOME, person("夏目 漱石", ext="3412")), page(LAB, person("夏目漱石", empty=("ext",)))
    )
    rows: list[dict[str, Any]] = list(results.conflicts())
    assert [(row["kind"], row["field"]) for row in rows] == [("missing", "内線")]
    assert compared(tmp_path, page(HOME, person("夏目 漱石"))).correspondences() == []


def test_the_order_of_pages_does_not_matter(tmp_path: Path) -> None:
    pages = [
        page(url, person("夏目 漱石", post=post))
        for url, post in ((HOME, "教授"), (LAB, "講師"), (OTHER, "助教"))
    ]
    first, second = tmp_path / "a", tmp_path / "b"
    compare_pages(pages, first, built_in())
    compare_pages(pages[::-1], second, built_in())
    for name in ("records.parquet", "correspondences.parquet", "conflicts.jsonl"):
        assert (first / name).read_bytes() == (second / name).read_bytes()


def test_the_published_method_and_its_baselines_run(tmp_path: Path) -> None:
    pages = [
        page(HOME, person("夏目 漱石", post="教授", place="1号館101")),
        page(
            LAB,
            person("夏目 漱石", post="教授", place="2号館202"),
            person("森 鷗外", post="教授", place="2号館203"),
        ),
    ]

    def pairs(settings: PaperSettings, folder: str) -> int:
        return len(
            compared(tmp_path / folder, *pages, settings=CompareSettings(paper=settings)).correspondences()
        )

    assert pairs(PaperSettings(method=OR_SEARCH), "or") == 2, "any equal leaf"
    assert pairs(PaperSettings(method=AND_SEARCH), "and") == 0, "all leaves equal"
    assert pairs(PaperSettings(), "paper") == 1


def test_tables_of_a_run_that_was_killed_are_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / STAGING).mkdir()
    with duckdb.connect(str(tmp_path / STAGING / "comparison.duckdb")) as connection:
        connection.execute("CREATE TABLE renumbered (n BIGINT)")
    assert compare_pages([], tmp_path, built_in())["records"] == 0
