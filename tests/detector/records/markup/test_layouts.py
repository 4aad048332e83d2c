"""Records are found in whatever layout they stand; what is true of the made-up lists is known."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.record_lists import HELD_OUT, TUNED, make_collection
from benchmarks.records import found_in, scored
from ruiji.detector.records.book import compared_pages
from ruiji.detector.records.fields.concepts import built_in
from ruiji.detector.records.markup.find import Record, records_of
from ruiji.features.page.spans import cell_spans
from tests.factories import make_nodes, make_page


@pytest.mark.parametrize("layout", [*TUNED, *HELD_OUT])
def test_every_record_of_a_layout_is_found_under_its_name(layout: str) -> None:
    made = make_collection(
        3,
        {layout: (TUNED | HELD_OUT)[layout]},
        things=6,
        pages_a_group=1,
        groups=("university", "company", "english"),
        planted=0.0,
    )
    for page in found_in(made.pages):
        titles = [record.title for record in page.records]
        assert set(made.shown[page.url]) <= set(titles), page.url
        assert len(titles) <= len(made.shown[page.url]) + 1


def test_lists_in_other_layouts_correspond_with_an_f_of_0_95_or_more() -> None:
    made = make_collection(5, TUNED | HELD_OUT, things=8, pages_a_group=4)
    true, right, wrong = scored(made, compared_pages(found_in(made.pages), built_in()))
    assert 2 * len(right) / (len(true) + len(right) + wrong) >= 0.95


def found(html: str) -> list[Record]:
    page = make_page(html)
    nodes = make_nodes(html)
    return records_of(nodes, np.ones(len(nodes), dtype=bool), built_in(), cell_spans(page, nodes))


def fields(record: Record) -> dict[str, str]:
    return {field.concept: field.value for field in record.fields if field.concept}


def test_cells_that_span_rows_and_columns_count_for_all_of_them() -> None:
    records = found(
        "<table><tr><th>学科</th><th>氏名</th><th colspan=2>連絡先</th></tr>"
        "<tr><td rowspan=2>情報科学科</td><td>山田 太郎</td><td>内線 3412</td><td>yamada@x.example.jp</td></tr>"
        "<tr><td>鈴木 花子</td><td>内線 3413</td><td>suzuki@x.example.jp</td></tr></table>"
    )
    assert [(record.title, fields(record)["affiliation"]) for record in records] == [
        ("山田 太郎", "情報科学科"),
        ("鈴木 花子", "情報科学科"),
    ]
    assert fields(records[1])["ext"] == "3413"
    assert fields(records[1])["mail"] == "suzuki@x.example.jp"


def test_an_empty_cell_is_told_from_a_field_that_is_not_there() -> None:
    first, second = found(
        "<table><tr><th>氏名</th><th>居室</th></tr><tr><td>山田 太郎</td><td>－</td></tr>"
        "<tr><td>鈴木 花子</td><td>2号館101</td></tr></table>"
    )
    assert (first.title, first.empty, second.empty) == ("山田 太郎", ("place",), ())


def test_name_reading_and_post_are_taken_apart() -> None:
    (record,) = found(
        "<ul><li>教授　山田 太郎（やまだ たろう）　居室：3号館401　yamada [at] x.example.jp</li></ul>"
    )
    assert record.title == "山田 太郎"
    assert fields(record)["post"] == "教授"
    assert fields(record)["reading"] == "やまだ たろう"


def test_a_menu_and_a_paragraph_of_prose_are_no_records() -> None:
    assert not found(
        "<nav><ul><li><a href=/>ホーム</a></li><li><a href=/tel>電話</a></li></ul></nav>"
        "<p>見学のお申し込みは、前の週の金曜日までに学年と人数を添えてご連絡ください。おはなしの部屋：毎週土曜日に開いています。</p>"
    )


def test_an_office_named_in_a_sentence_is_one() -> None:
    (record,) = found(
        "<h2>相談</h2><p>相談は<span>情報工学科事務室</span>（<span>2号館2階</span>、電話 <span>0769-44-3401</span>）が受け付けます。</p>"
    )
    assert record.title == "情報工学科事務室"
    assert fields(record)["phone"] == "0769-44-3401"
    assert fields(record)["place"] == "2号館2階"


def test_a_page_without_content_has_no_records() -> None:
    nodes = make_nodes("<p>氏名：山田 太郎</p>")
    assert records_of(nodes, np.zeros(len(nodes), dtype=bool), built_in()) == []
