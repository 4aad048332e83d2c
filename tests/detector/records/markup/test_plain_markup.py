"""Records where the markup says nothing: headings that are blocks, cards without classes, rows as lines."""

from __future__ import annotations

import numpy as np

from benchmarks.rewriting import REWRITINGS, rewritten
from ruiji.detector.records.fields.concepts import built_in
from ruiji.detector.records.fields.names import GOOD, name_strength
from ruiji.detector.records.find import records_of
from ruiji.detector.records.model import ORGANISATION
from ruiji.features.page.spans import cell_spans
from tests.factories import make_nodes, make_page

PEOPLE = ("夏目 漱石", "森 鷗外", "樋口 一葉", "石川 啄木", "与謝野 晶子")
PAGE = (
    "<title>架空研究室</title><h1>架空研究室</h1><h2>メンバー</h2><ul>"
    + "".join(f"<li>{name} (架空大学)</li>" for name in PEOPLE)
    + "</ul><h2>アクセス</h2><p>駅から歩いて五分です。道は分かりやすいと思います。</p>"
)


def titles(html: str, content: bool = True) -> list[str]:
    nodes = make_nodes(html)
    mask = np.full(len(nodes), content)
    return [
        record.title for record in records_of(nodes, mask, built_in(), cell_spans(make_page(html), nodes))
    ]


def test_a_list_of_members_is_found_however_it_is_written() -> None:
    for rewriting in REWRITINGS:
        html = rewritten(PAGE, rewriting, PEOPLE)
        found = [title.replace(" ", "").replace("　", "") for title in titles(html)]
        assert found == [name.replace(" ", "") for name in PEOPLE], rewriting.__name__


def test_a_block_over_the_one_who_speaks_is_a_heading() -> None:
    html = (
        "<div><div>猫の話</div><div>スピーカー</div></div><p>Soseki Kaneda (Cat Club)</p>"
        "<div><div>概要</div></div>"
        "<p>猫について話します。</p>"
    )
    assert titles(html) == ["Soseki Kaneda"]


def test_a_mask_without_content_does_not_hide_a_table_of_people() -> None:
    rows = "".join(f"<tr><td>{name}</td><td>教授</td></tr>" for name in PEOPLE)
    html = f"<table><tr><th>氏名</th><th>職名</th></tr>{rows}</table>"
    assert titles(html, content=False) == list(PEOPLE)


def test_sponsors_stand_in_tables_too() -> None:
    rows = "".join(f"<tr><td>{name}</td></tr>" for name in ("株式会社猫", "有限会社犬", "架空大学"))
    html = f"<h2>協賛</h2><table>{rows}</table>"
    nodes = make_nodes(html)
    records = records_of(nodes, np.ones(len(nodes), dtype=bool), built_in())
    assert {record.kind for record in records} == {ORGANISATION}
    assert len(records) == 3


def test_a_role_and_a_comma_may_stand_before_a_name() -> None:
    html = "<h2>運営</h2><ul>" + "".join(f"<li>座長, {name}, @neko</li>" for name in PEOPLE) + "</ul>"
    assert titles(html) == list(PEOPLE)


def test_a_surname_of_one_letter_is_of_a_reader_who_hides() -> None:
    assert name_strength("Lisa H.") < GOOD <= name_strength("Lisa Hall")


def test_texts_that_only_the_style_sheet_keeps_apart_do_not_run_into_each_other() -> None:
    html = "<h2>Reviews</h2>" + "".join(
        f"<p><b>{name}</b><i>STUDENT</i></p>"
        for name in ("John Smith", "Mary Jones", "Peter Brown", "Anna White")
    )
    assert titles(html) == ["John Smith", "Mary Jones", "Peter Brown", "Anna White"]


def test_a_role_beside_a_name_without_a_space_is_no_part_of_it() -> None:
    html = "<h2>スタッフ</h2>" + "".join(
        f"<p><span>保育士</span><span>{name}</span></p>" for name in PEOPLE[:4]
    )
    assert titles(html) == list(PEOPLE[:4])


def test_a_common_word_in_one_name_of_a_list_does_not_lose_it() -> None:
    names = ("John Smith", "Mary Jones", "Harmony Quellmarsch", "Anna White", "Peter Brown")
    html = "<h2>Staff</h2><ul>" + "".join(f"<li>{name} (Secretary)</li>" for name in names) + "</ul>"
    assert titles(html) == list(names)


def test_who_an_article_is_by_is_named_without_by() -> None:
    html = "<div>By John Smith</div><div>Editor</div><p>Cats sleep all day, and dogs do not.</p>"
    assert titles(html) == ["John Smith"]


def test_who_writes_in_a_forum_gives_no_record() -> None:
    html = "".join(
        f"<div><h4>{name}</h4><dl><dt>Joined</dt><dd>Jun 4, 2024</dd><dt>Messages</dt><dd>28</dd>"
        f"<dt>Code</dt><dd>ab-12</dd></dl><p>Cats sleep all day long, as everybody knows.</p></div>"
        for name in ("John Smith", "catlover7", "Mary Jones", "HMHB", "Peter Brown")
    )
    assert titles(html) == []


def test_who_comments_an_answer_gives_no_record() -> None:
    html = "".join(
        f"<div><p>Cats do.</p><div><a href='/u'>{name}</a></div>"
        "<div class='meta'>Commented Mar 31, 2014 at 6:59</div></div>"
        for name in ("John Smith", "Mary Jones", "Peter Brown", "Anna White", "Jane Hall")
    )
    assert titles(html) == []
