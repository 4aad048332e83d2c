"""Which records correspond, the sets they form, and what they contradict each other in."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.detector.records.book import PageRecords, compared_pages
from ruiji.detector.records.compare.contradictions import Contradiction, contradictions
from ruiji.detector.records.compare.correspondence import (  # fmt: skip
    Collection,
    Pair,
    Place,
    compared,
    corresponding,
    learned_fields,
    list_pairs,
    organisation_of,
    place_of,
    sets_of,
    without_templates,
)
from ruiji.detector.records.compare.learned_labels import learned_names
from ruiji.detector.records.compare.similarity import Tree, tree_similarity
from ruiji.detector.records.fields.concepts import built_in
from ruiji.detector.records.fields.values import key_of
from ruiji.detector.records.model import Field, Record

SCHEMA = built_in()


def record(title: str, group: str = "/table", empty: tuple[str, ...] = (), **values: str) -> Record:
    fields = [Field("氏名", "name", "name", title)] if title else []
    for concept, value in values.items():
        known = SCHEMA.concept(concept)
        fields.append(Field(known.labels[0] if known else concept, concept, SCHEMA.kind_of(concept), value))
    return Record(f"{group}/tr[{title}]", "row", title, tuple(fields), empty, group)


def places(*rows: tuple[str, str, Record]) -> list[Place]:
    """Places of (url, day, record)."""
    found = []
    for number, (url, day, one) in enumerate(rows):
        time = datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None
        found.append(place_of(number, url, url.split("/")[2], time, one))
    return found


def collection(*rows: tuple[str, str, Record], links: dict[tuple[str, str], int] | None = None) -> Collection:
    return Collection(places(*rows), links or {}, SCHEMA)


A, B, C = "http://a.example.jp/1", "http://b.example.jp/1", "http://c.example.jp/1"


def told(*rows: tuple[str, str, Record]) -> list[Contradiction]:
    whole = collection(*rows)
    return contradictions(whole, corresponding(whole))


def test_a_person_who_moved_still_corresponds_and_two_colleagues_do_not() -> None:
    yamada = record(
        "山田 太郎", post="教授", affiliation="情報科学科", phone="03-1234-5678", place="1号館101"
    )
    moved = record(
        "山田 太郎", post="准教授", affiliation="情報科学科", phone="03-1234-5678", place="2号館202"
    )
    suzuki = record(
        "鈴木 花子", post="教授", affiliation="情報科学科", phone="03-1234-5678", place="1号館101"
    )
    pairs = corresponding(
        collection((A, "2024-01-01", yamada), (B, "2024-01-01", moved), (C, "2024-01-01", suzuki))
    )
    assert [(pair.one, pair.other) for pair in pairs] == [(0, 1)]


def test_two_of_one_name_are_two_people_where_nothing_else_agrees() -> None:
    one = record("佐藤 翔", mail="sato@a.example.jp", place="1号館101", phone="03-1111-1111")
    other = record("佐藤 翔", mail="s.sato@b.example.jp", place="7号館702", phone="06-2222-2222")
    assert corresponding(collection((A, "2024-01-01", one), (B, "2024-01-01", other))) == []


def test_strangers_of_one_name_on_unrelated_sites_are_two_people() -> None:
    one, other = record("佐藤 翔", mail="sato@one.co.jp"), record("佐藤 翔", mail="sato@two.co.jp")
    apart = (("http://www.one.co.jp/", "", one), ("http://www.two.co.jp/", "", other))
    assert corresponding(collection(*apart)) == []
    assert corresponding(collection(*apart, links={("www.one.co.jp", "www.two.co.jp"): 1}))


def test_names_in_two_scripts_need_an_address_that_is_one_persons() -> None:
    japanese, english = (
        record("磯部 恒夫", mail="isobe@o.example.jp", ext="4521"),
        record("Tsuneo Isobe", mail="isobe@o.example.jp", ext="4521"),
    )
    assert len(corresponding(collection((A, "", japanese), (B, "", english)))) == 1
    shared = (
        record("浜口 由紀", phone="03-1111-1111"),
        record("磯部 恒夫", phone="03-1111-1111"),
        record("Tsuneo Isobe", phone="03-1111-1111"),
    )
    assert corresponding(collection((A, "", shared[0]), (B, "", shared[1]), (C, "", shared[2]))) == []


def test_pages_without_a_shared_rare_value_are_never_compared() -> None:
    rows = [
        (f"http://h{number}.example.jp/", "", record(f"氏名{number} 太郎", post="教授"))
        for number in range(50)
    ]
    assert corresponding(collection(*rows)) == []


concepts = st.sampled_from(("post", "place", "mail", "field", "ext"))
values = st.dictionaries(concepts, st.sampled_from(("x1", "y2")), max_size=5)


@given(values, values)
@settings(max_examples=100, deadline=None)
def test_the_similarity_of_two_records_is_that_of_their_trees(
    one: dict[str, str], other: dict[str, str]
) -> None:
    """The sum over fields that agree and those that do not is formula (1) on a root, a node a label, a leaf a
    value.
    """
    whole = collection((A, "", record("山田 太郎", **one)), (B, "", record("山田 太郎", **other)))
    mine, theirs = whole.places
    pair = compared(whole, mine, theirs)
    shared = sorted((set(one) & set(other)) | {"name"})

    def tree(place: Place) -> Tree:
        return Tree(
            "record",
            tuple(
                Tree(concept, (Tree(key_of(SCHEMA.kind_of(concept), place.values[concept][0])),))
                for concept in shared
            ),
        )

    if pair is not None:
        assert pair.similarity == pytest.approx(tree_similarity(tree(mine), tree(theirs)), abs=1e-4)


def test_section_3_2_in_a_set_every_pair_corresponds() -> None:
    pairs = [
        Pair(0, 1, 1.0, 1.0, ()),
        Pair(1, 2, 1.0, 1.0, ()),
        Pair(0, 2, 1.0, 1.0, ()),
        Pair(2, 3, 1.0, 1.0, ()),
    ]
    assert sets_of(pairs, 5) == [0, 0, 0, 3, 4]


def test_section_3_2_lists_grow_from_records_that_correspond() -> None:
    rows = [
        (url, "2024-01-01", record(name, post="教授", mail=f"{mail}@x.example.jp"))
        for url in (A, B)
        for name, mail in (("山田 太郎", "y"), ("鈴木 花子", "s"))
    ]
    whole = collection(*rows)
    (lists,) = list_pairs(whole, corresponding(whole))
    assert (lists.url_a, lists.path_a, lists.url_b, lists.path_b) == (A, "/table", B, "/table")


def test_what_a_template_repeats_is_one_record() -> None:
    rows = [
        (f"http://h.example.jp/{number}", "", record("総務課", phone="03-1111-1111")) for number in range(5)
    ]
    assert len(without_templates(places(*rows))) == 1
    assert len(without_templates(places(*rows[:2]))) == 2


def test_labels_nobody_knows_are_learned_from_values() -> None:
    def page(url: str, last: str, seat: tuple[str, str, str]) -> PageRecords:
        people = (("山田 太郎", "1号館101"), ("鈴木 花子", "1号館102"), ("佐藤 翔", last))
        records = [
            Record(
                f"/tr[{name}]",
                "row",
                name,
                (Field("氏名", "name", "name", name), Field(*seat, room)),
                (),
                "/table",
            )
            for name, room in people
        ]
        return PageRecords(url, url, site=url.split("/")[2], records=tuple(records))

    pages = [
        page(A, "1号館103", ("居室", "place", "place")),
        page(B, "1号館109", ("ねぐら", "ねぐら", "text")),
    ]
    book = compared_pages(pages, SCHEMA)
    assert book.learned == {"ねぐら": "place"}
    assert [(item.kind, item.concept, item.value_a, item.value_b) for item in book.contradictions] == [
        ("conflict", "place", "1号館103", "1号館109")
    ]


def test_learning_touches_no_field_that_is_known() -> None:
    whole = collection((A, "", record("山田 太郎", post="教授")), (B, "", record("山田 太郎", post="教授")))
    names = learned_names(whole, corresponding(whole))
    assert learned_fields(whole.places[0].record, names, SCHEMA, A) == whole.places[0].record


def test_a_conflict_a_variant_and_what_is_missing() -> None:
    rows = [
        (A, "2024-01-01", record("髙橋 美沙", ext="3445", place="1号館101")),
        (A, "2024-01-01", record("山田 太郎", ext="3446", place="1号館102")),
        (A, "2024-01-01", record("鈴木 花子", ext="3447", place="1号館103")),
        (B, "2024-02-01", record("高橋 美沙", ext="3454", empty=("place",))),
    ]
    found = {(item.kind, item.field, item.value_a, item.value_b) for item in told(*rows)}
    assert found == {
        ("conflict", "内線", "3445", "3454"),
        ("variant", "氏名", "髙橋 美沙", "高橋 美沙"),
        ("missing", "居室", "1号館101", ""),
    }


def test_a_field_that_nearly_all_of_a_list_have_is_missing_where_it_is_not() -> None:
    rows = [
        (A, "2024-01-01", record(name, mail=f"{number}@x.example.jp", ext=f"100{number}"))
        for number, name in enumerate(("山田 太郎", "鈴木 花子", "佐藤 翔"))
    ]
    rows += [
        (A, "2024-01-01", record("森 彩", mail="9@x.example.jp")),
        (B, "2024-01-01", record("森 彩", mail="9@x.example.jp", ext="1009", group="/other")),
    ]
    assert [(item.kind, item.field, item.value_b) for item in told(*rows)] == [("missing", "内線", "1009")]


def test_age_explains_what_changes_by_itself_and_not_a_slip_or_opening_hours() -> None:
    old = record(
        "海藤精機株式会社",
        employees="98名",
        phone="0768-55-2104",
        hours="10:00〜19:00",
        address="青葉市本町1-2-3",
    )
    new = record(
        "海藤精機株式会社",
        employees="126名",
        phone="0768-55-2140",
        hours="10:00〜18:00",
        address="青葉市本町1-2-3",
    )
    kinds = {
        item.concept: (item.kind, item.slip) for item in told((A, "2018-03-30", old), (B, "2023-09-12", new))
    }
    assert kinds == {"employees": ("age", False), "phone": ("conflict", True), "hours": ("conflict", False)}


def test_age_does_not_explain_what_a_new_page_still_says() -> None:
    """A page of 2017 and one of this week say 606, another of this week says 608: nobody moved."""
    rows = [
        (url, day, record("桐生 奈緒子", place=place, post="准教授"))
        for url, day, place in (
            (A, "2017-06-20", "2号館606"),
            (B, "2024-04-05", "2号館608"),
            (C, "2024-04-08", "2号館606"),
        )
    ]
    assert [(item.kind, item.one, item.other) for item in told(*rows)] == [
        ("conflict", 0, 1),
        ("conflict", 1, 2),
    ]


def test_fields_of_two_lists_that_never_agree_are_two_fields() -> None:
    people = [(f"山田 太郎{number}", f"{number}@x.example.jp") for number in "一二三四五"]
    rows = [(A, "2024-01-01", record(name, mail=mail, field=f"研究{name}")) for name, mail in people]
    rows += [(B, "2024-01-01", record(name, mail=mail, field=f"好物{mail}")) for name, mail in people]
    assert told(*rows) == []


def test_ids_depend_on_the_facts_alone() -> None:
    rows = [
        (A, "2024-01-01", record("山田 太郎", ext="3445", place="1号館101")),
        (B, "2024-02-01", record("山田 太郎", ext="3454", place="1号館101")),
    ]
    moved = [
        (A, "2025-01-01", record("山田 太郎", group="/div/table", ext="3445", place="1号館101")),
        rows[1],
    ]
    changed = [rows[0], (B, "2024-02-01", record("山田 太郎", ext="3455", place="1号館101"))]
    assert (
        [item.id for item in told(*rows)]
        == [item.id for item in told(*reversed(rows))]
        == [item.id for item in told(*moved)]
    )
    assert {item.id for item in told(*rows)}.isdisjoint({item.id for item in told(*changed)})


def test_the_part_of_a_host_that_an_organisation_has() -> None:
    assert [
        organisation_of(host) for host in ("www.cs.miozaki-u.ac.jp", "shop.example.com", "localhost", "")
    ] == [
        "miozaki-u.ac.jp",
        "example.com",
        "localhost",
        "",
    ]


def test_a_name_with_an_initial_meets_the_name_in_full() -> None:
    rows = [
        (A, "", record("T. Yamada", mail="y@x.example.jp")),
        (B, "", record("Taro Yamada", mail="y@x.example.jp")),
        (C, "", record("Taro Yamada", ext="3412")),
    ]
    assert [(pair.one, pair.other) for pair in corresponding(collection(*rows))] == [(0, 1), (0, 2), (1, 2)]
