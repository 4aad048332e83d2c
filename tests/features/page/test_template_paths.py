"""Paths that are the same on other pages of a template."""

from __future__ import annotations

from ruiji.features.page.template_paths import template_paths
from tests.factories import make_nodes


def test_names_tell_elements_and_positions_only_where_there_are_none() -> None:
    nodes = make_nodes(
        "<body><div id=nav class='menu wide'><ul><li>a<li>b</ul></div><div>c</div><table><tr><td>d<td>"
        "e</table>"
    )
    assert template_paths(nodes)[2:] == [
        "/html/body",
        "/html/body/div.menu.nav.wide",
        "/html/body/div.menu.nav.wide/ul[1]",
        "/html/body/div.menu.nav.wide/ul[1]/li",
        "/html/body/div.menu.nav.wide/ul[1]/li",
        "/html/body/div[2]",
        "/html/body/table[1]",
        "/html/body/table[1]/tbody[1]",
        "/html/body/table[1]/tbody[1]/tr[1]",
        "/html/body/table[1]/tbody[1]/tr[1]/td[1]",
        "/html/body/table[1]/tbody[1]/tr[1]/td[2]",
    ]


def test_numbers_of_single_articles_do_not_part_pages() -> None:
    one, other = (
        make_nodes(f"<body><div class='post-{number}' style='display:none'>a</div>") for number in (12, 7)
    )
    assert template_paths(one) == template_paths(other)
    assert template_paths(one)[-1] == "/html/body/div.post-0"
