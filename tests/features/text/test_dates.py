"""Dates as people write them, and when a page says it was changed."""

from __future__ import annotations

import pytest

from ruiji.corpora.page import Page
from ruiji.detector.records.fields.values import year_of
from ruiji.detector.records.page_time import page_time, said_time
from ruiji.features.text.dates import Date, date_in, moment_of


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("平成18年4月", Date(2006, 4)),
        ("令和元年5月1日", Date(2019, 5, 1)),
        ("昭和６３年", Date(1988)),
        ("2024年4月8日", Date(2024, 4, 8)),
        ("2024/04/05", Date(2024, 4, 5)),
        ("2024.04.15", Date(2024, 4, 15)),
        ("H18.5.18", Date(2006, 5, 18)),
        ("May 10, 2024", Date(2024, 5, 10)),
        ("10 May 2024", Date(2024, 5, 10)),
        ("2024年13月", None),
        ("内線3412", None),
        ("2024年度", None),
        ("192.168.1.1", None),
    ],
)
def test_a_date_is_read(text: str, date: Date | None) -> None:
    assert date_in(text) == date


@pytest.mark.parametrize(
    "text",
    [
        "更新日：2024年4月8日",
        "2024年度版　最終更新：2024/04/08",
        "Last updated: April 8, 2024",
        "最終更新日 令和6年4月8日",
        "データ更新日：2024/04/08",
        "2024年4月8日更新",
    ],
)
def test_a_page_says_when_it_was_changed(text: str) -> None:
    moment = said_time(["平成元年に開校しました", text, "2031年に閉じます"])
    assert moment is not None
    assert moment.date().isoformat() == "2024-04-08"


@pytest.mark.parametrize(
    ("url", "year"),
    [
        ("http://a.example/2010/staff", 2010),
        ("http://2012.a.example/ja/staff", 2012),
        ("http://a.example/staff2009.html", 2009),
        ("http://a.example/2010/talks-of-2009", None),
        ("http://a.example/item/120101", None),
        ("http://a.example/staff?id=2010", None),
        ("http://a.example/1945/", None),
    ],
)
def test_an_address_may_name_the_year_of_its_page(url: str, year: int | None) -> None:
    assert year_of(url) == year


def test_the_header_comes_before_the_text_and_the_text_before_the_crawl() -> None:
    texts = ["更新日：2020年1月1日"]
    fetched = {"crawled": "2025-01-01T00:00:00Z"}
    header = Page("p", "u", last_modified="Mon, 08 Apr 2024 04:20:00 GMT", extra=fetched)
    assert (page_time(header, texts).shown(), page_time(header, texts).source) == (
        "2024-04-08T04:20:00+00:00",
        "header",
    )
    assert page_time(Page("p", "u", extra=fetched), texts).source == "text"
    assert page_time(Page("p", "u", extra=fetched), []).source == "crawl"
    assert page_time(Page("p", "http://a.example/2010/staff", extra=fetched), texts).source == "text"
    assert page_time(Page("p", "http://a.example/2010/staff", extra=fetched), []).source == "address"
    assert page_time(Page("p", "u"), ["no date"]).shown() == ""
    assert moment_of("not a time") is None
