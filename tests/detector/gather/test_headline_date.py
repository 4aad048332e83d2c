"""The day beside a headline."""

from __future__ import annotations

import pytest
from hypothesis import given

from ruiji.detector.gather.headline_date import headline_day
from tests.factories import make_nodes
from tests.strategies import any_text


@pytest.mark.parametrize(
    ("html", "day"),
    [
        ("<h1>港の朝市</h1><p>2009年5月12日 山田太郎</p><p>本文です。</p>", "2009-05-12"),
        ("<h1>The market</h1><span>By Ann Lee</span><span>May 12, 2009</span><p>It opens.</p>", "2009-05-12"),
        ("<p>2009/05/12</p><h1>港の<b>朝市</b></h1><p>本文です。</p>", "2009-05-12"),
        ("<h1>The market</h1><p>Posted on May 12, 2009</p><p>Updated June 1, 2010</p>", "2009-05-12"),
        ("<h1>The market</h1><p>Updated June 1, 2010</p>", ""),
        ("<h1>The market</h1><b>Last modified</b> <span>June 1, 2010</span>", ""),
        ("<h1>全国大会</h1><p>開催日 2009年5月12日</p>", ""),
        ("<h1>全国大会</h1><p>2009年5月12日〜14日 市民会館</p>", ""),
        ("<h1>全国大会</h1><p>2009年5月12日に始まった大会は、人が集まるなか昨日の夜に終わりました。</p>", ""),
        ("<h1>一つ</h1><p>2009年5月12日</p><h1>二つ</h1><p>2010年6月1日</p>", ""),
        ("<p>2009年5月12日</p>", ""),
    ],
)  # fmt: skip
def test_a_line_with_one_day_and_little_else(html: str, day: str) -> None:
    assert headline_day(make_nodes(html)) == day


@given(any_text)
def test_any_text_gives_a_day_or_none(text: str) -> None:
    found = headline_day(make_nodes(f"<h1>港の朝市</h1><p>{text}</p>"))
    assert found == "" or len(found) == 10
