"""Spans of cells: the one look back at the parser's tree."""

from __future__ import annotations

from ruiji.features.page.spans import cell_spans
from tests.factories import make_nodes, make_page


def spans(html: str) -> list[tuple[int, int]]:
    nodes = make_nodes(html)
    found = cell_spans(make_page(html), nodes)
    assert all(nodes.tag[element] in ("td", "th") for element in found)
    return [found[element] for element in sorted(found)]


def test_only_cells_that_span_are_told() -> None:
    assert spans(
        "<table><tr><th rowspan=2>a</th><td colspan='3'>b</td><td>c</td></tr><tr><td>d</td></tr></table>"
    ) == [(2, 1), (1, 3)]
    assert spans("<table><tr><td>a</td></tr></table><p>rowspan</p>") == []


def test_nonsense_counts_as_one_and_too_much_as_the_standard_has_it() -> None:
    assert spans("<table><tr><td rowspan=x colspan=0>a</td><td colspan=99999>b</td></tr></table>") == [
        (1, 1000)
    ]


def test_cells_in_what_is_not_shown_do_not_shift_the_others() -> None:
    html = (
        "<template><table><tr><td rowspan=9>x</td></tr></table></template><table><tr><td "
        "colspan=2>a</td></tr></table>"
    )
    assert spans(html) == [(1, 2)]
