"""Events in the markup that pages have them in, and which events are one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ruiji.detector.records.comparison import compare_pages
from ruiji.detector.records.fields.concepts import built_in
from ruiji.detector.records.find import records_of
from ruiji.detector.records.folder import RecordsFolder
from ruiji.detector.records.model import EVENT, PRODUCT, Field, PageRecords, Record
from ruiji.features.page.parsing import text_nodes_of
from ruiji.features.page.spans import cell_spans
from ruiji.features.page.textnodes import TextNodes
from tests.factories import make_page


def found(html: str) -> list[Record]:
    page = make_page(html)
    (nodes,) = text_nodes_of([page], detailed=True)
    assert isinstance(nodes, TextNodes)
    return records_of(nodes, np.ones(len(nodes), dtype=bool), built_in(), cell_spans(page, nodes))


def events(html: str) -> list[tuple[str, dict[str, str]]]:
    return [
        (record.title, {field.concept: field.value for field in record.fields if field.concept})
        for record in found(html)
        if record.kind == EVENT
    ]


def test_rows_under_the_heads_of_a_table_of_events() -> None:
    first, second = events(
        "<table><tr><th>催し</th><th>日時</th><th>会場</th></tr>"
        "<tr><td>古本市</td><td>5月3日 10:00</td><td>中央公民館</td></tr>"
        "<tr><td>星を見る会</td><td>6月7日 19:00</td><td>港の広場</td></tr></table>"
    )
    assert (first[0], first[1]["time"], first[1]["venue"]) == ("古本市", "5月3日 10:00", "中央公民館")
    assert (second[0], second[1]["venue"]) == ("星を見る会", "港の広場")


def test_a_heading_over_a_day_and_a_venue() -> None:
    html = "<h2>港の夏まつり</h2><ul><li>日程: 2009年7月17日(金)</li><li>会場: 港の広場</li></ul>"
    ((title, fields),) = events(html)
    assert (title, fields["time"], fields["venue"]) == ("港の夏まつり", "2009年7月17日(金)", "港の広場")


def test_a_heading_that_says_what_follows_leaves_the_name_to_the_one_over_it() -> None:
    html = (
        "<h1>港の夏まつり</h1><p>今年も開きます。</p><h2>チケット</h2><p>当日券のみです。</p>"
        "<h2>イベント詳細</h2><table><tr><th>日時</th><td>9月14日 19:00</td></tr>"
        "<tr><th>場所</th><td>港の広場</td></tr></table>"
    )
    assert [title for title, _ in events(html)] == ["港の夏まつり"]


def test_date_and_location_count_where_several_names_have_them() -> None:
    def event(name: str, day: str) -> str:
        return f"<h2>{name}</h2><p><b>Date</b>: {day}<br><b>Location</b>: Dublin, Ireland</p>"

    one = event("1. Ferry Days", "March 2-5, 2026")
    assert events(one) == []
    titles = [title for title, _ in events(one + event("2. Lighthouse Summit", "18 June 2026"))]
    assert titles == ["Ferry Days", "Lighthouse Summit"]


@pytest.mark.parametrize(
    "html",
    [
        "<h2>懇親会</h2><ul><li>日程: 未定</li><li>会場: 港の広場</li></ul>",
        "<table><tr><th>時間</th><th>会場</th></tr><tr><td>10:00-11:00</td><td>第1会議室</td></tr>"
        "<tr><td>12:00-13:00</td><td>休憩</td></tr></table>",
        "<h2>Joined</h2><dl><dt>Join Date</dt><dd>Aug 3, 2008</dd><dt>Location</dt><dd>Dublin</dd></dl>",
        "<h2>変更点</h2><ul><li>2009年7月17日: 版を上げた</li><li>場所: src/main.c</li></ul>",
    ],
)
def test_what_names_no_day_or_no_event_is_none(html: str) -> None:
    assert events(html) == []


def ld(data: object, html: str) -> str:
    return f"<script type='application/ld+json'>{json.dumps(data)}</script>{html}"


def test_an_event_that_is_stated_has_its_day_and_venue() -> None:
    data = {
        "@type": "MusicEvent",
        "name": "Harbour Concert",
        "startDate": "2026-05-03T19:00",
        "location": {"@type": "Place", "name": "Pier Hall", "address": "1 Quay Street"},
    }
    ((title, fields),) = events(ld(data, "<p>This week:</p><p><a href='/c'>Harbour Concert</a></p>"))
    assert (title, fields["time"], fields["venue"]) == ("Harbour Concert", "2026-05-03T19:00", "Pier Hall")
    assert events(ld(data, "<p>This week there is nothing.</p>")) == []
    assert events(ld({**data, "@type": "BroadcastEvent"}, "<p>Harbour Concert</p>")) == []


def test_an_event_in_classes_of_microformats() -> None:
    html = (
        "<div class='h-event'><p class='p-name'>Harbour Concert</p><p class='dt-start'>May 3, 2026</p>"
        "<p class='p-location'>Pier Hall</p></div>"
    )
    ((title, fields),) = events(html)
    assert (title, fields["time"], fields["venue"]) == ("Harbour Concert", "May 3, 2026", "Pier Hall")


def test_a_product_that_is_stated_has_its_price_and_code() -> None:
    data = {
        "@type": "Product",
        "name": "Brass lantern",
        "sku": "BL-7",
        "brand": {"@type": "Brand", "name": "Quay"},
        "offers": {"@type": "Offer", "price": "29.50", "priceCurrency": "EUR"},
    }
    (record,) = found(ld(data, "<p>A light for the deck.</p><h1>Brass lantern</h1><p>In the shop.</p>"))
    fields = {field.concept: field.value for field in record.fields}
    assert (record.kind, fields["price"], fields["code"]) == (PRODUCT, "29.50 EUR", "BL-7")
    assert fields["maker"] == "Quay"


def test_a_thing_with_a_price_is_a_product_and_one_with_an_address_is_none() -> None:
    shop = "<h2>Lantern No. 7</h2><p>Price: $30</p><p>SKU: L-7</p>"
    park = "<h2>Heisler Park</h2><p>Address: 375 Cliff Dr</p><p>Phone: 949-497-3311</p><p>Price: $5</p>"
    assert [record.kind for record in found(shop)] == [PRODUCT]
    assert [record.kind for record in found(park)] != [PRODUCT]


def event(title: str, day: str, venue: str) -> Record:
    fields = (
        Field("", "name", "name", title),
        Field("日時", "time", "when", day),
        Field("会場", "venue", "place", venue),
    )
    return Record(f"/ul[{title}]", "list", title, fields, (), "/ul", EVENT)


def conflicts(tmp_path: Path, *pages: tuple[str, Record]) -> list[tuple[str, str, str]]:
    rows = [PageRecords(url, url, url.split("/")[2], None, "header", (), (record,)) for url, record in pages]
    compare_pages(rows, tmp_path, built_in())
    return [
        (row["field"], row["value_a"], row["value_b"])
        for row in RecordsFolder(tmp_path).conflicts()
        if row["kind"] == "conflict"
    ]


ONE, TWO, AWAY = "http://x.example.jp/a", "http://x.example.jp/b", "http://y.example.com/c"


def test_an_event_with_two_days_or_venues_is_a_contradiction(tmp_path: Path) -> None:
    first = event("第3回 港の夏まつり", "2009年7月17日", "港の広場")
    assert conflicts(
        tmp_path, (ONE, first), (TWO, event("第3回 港の夏まつり", "2009年7月18日", "港の広場"))
    ) == [("日時", "2009年7月17日", "2009年7月18日")]
    assert conflicts(
        tmp_path, (ONE, first), (TWO, event("第3回 港の夏まつり", "7/17(金)", "中央公民館"))
    ) == [("会場", "港の広場", "中央公民館")]


@pytest.mark.parametrize(
    ("title", "day", "url"),
    [
        ("港の夏まつり", "2010年7月17日", TWO),  # of another year
        ("港の夏まつり", "2009年7月24日", TWO),  # of the next week
        ("懇親会", "7月17日", AWAY),  # of somebody else
    ],
)
def test_another_event_of_that_name_contradicts_nothing(
    title: str, day: str, url: str, tmp_path: Path
) -> None:
    pages = (ONE, event(title, "2009年7月17日", "港の広場")), (url, event(title, day, "中央公民館"))
    assert conflicts(tmp_path, *pages) == []
