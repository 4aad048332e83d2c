"""What a page repeats of its site, and what of it goes down."""

from __future__ import annotations

import numpy as np
import pytest

from ruiji.chunker.site.repeated import DOWN, NEARLY_ALL, SHARE, heads, mostly, node_keys, shift_of_repeated
from ruiji.features.nodes.forest import forest
from tests.factories import make_nodes


def keys_of(*pages: str) -> list[list[int]]:
    """The keys of the nodes of each page, read together."""
    whole = forest([make_nodes(page) for page in pages])
    return [keys.tolist() for keys in np.split(node_keys(whole), whole.page_start[1:-1])]


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("<body><div class=x id=y><p> 港の話 </div>", True),  # names and white space say nothing
        ("<body><p>前の段落</p><div><p>港の話</div>", True),  # neither does what stands before
        ("<body><div><p>港の話 2</div>", False),
        ("<body><div><li>港の話</div>", False),
        ("<body><div><div><p>港の話</div></div>", False),
    ],
)
def test_a_text_at_the_same_place_has_the_same_key(other: str, same: bool) -> None:
    (key,), others = keys_of("<body><div><p>港の話</div>", other)
    assert (key in others) == same


def test_keys_do_not_depend_on_what_a_page_was_read_with() -> None:
    pages = ["<body><div><p>港の話</div>", "<body><ul><li>一<li>二</ul><p>三"]
    assert keys_of(*pages) == keys_of(pages[0]) + keys_of(pages[1])


MENU = "<ul><li><a href=/1>市場の案内</a><li><a href=/2>船の時刻</a></ul>"


def shift_of(html: str, repeated: dict[str, float]) -> dict[str, float]:
    """Of each text of a page by how much it goes down, where other pages repeat some so often."""
    nodes = make_nodes(html)
    share = np.array([repeated.get(text.strip(), 0.0) for text in nodes.texts])
    return dict(zip(map(str.strip, nodes.texts), shift_of_repeated(forest([nodes]), share), strict=True))


def test_what_most_pages_repeat_goes_down() -> None:
    page = f"<body>{MENU}<div><p>この頁だけの文章である。</div>"
    shift = shift_of(page, {"市場の案内": 1.0, "船の時刻": SHARE - 0.01})
    assert shift == {"市場の案内": -DOWN, "船の時刻": 0.0, "この頁だけの文章である。": 0.0}


def test_what_stands_among_text_of_the_page_itself_stays_unless_nearly_all_have_it() -> None:
    page = "<body><div><p>この頁だけの文章である。<p>お問い合わせは港まで。<p>ほかにはない文章。</div>"
    assert set(shift_of(page, {"お問い合わせは港まで。": NEARLY_ALL - 0.01}).values()) == {0.0}
    assert shift_of(page, {"お問い合わせは港まで。": NEARLY_ALL})["お問い合わせは港まで。"] == -DOWN


def test_right_below_the_body_there_are_no_surroundings() -> None:
    page = "<body><p>お問い合わせは港まで。</p><p>この頁だけの、とても長い文章がここに続いている。</p>"
    assert shift_of(page, {"お問い合わせは港まで。": 0.8})["お問い合わせは港まで。"] == -DOWN


def test_a_heading_of_content_stays_and_one_of_a_repeated_menu_does_not() -> None:
    page = f"<body><h2>案内</h2>{MENU}<h2>概要</h2><h3>説明</h3><p>この頁だけの文章である。</p>"
    shift = shift_of(page, dict.fromkeys(("案内", "概要", "説明", "市場の案内", "船の時刻"), 1.0))
    assert {text for text, own in shift.items() if own} == {"案内", "市場の案内", "船の時刻"}


def test_a_label_of_content_stays() -> None:
    page = "<body><table><tr><th>注記<td>この頁だけの文章である。<tr><th>連絡先<td>港まで</table>"
    shift = shift_of(page, {"注記": 1.0, "連絡先": 1.0, "港まで": 1.0})
    assert {text for text, own in shift.items() if own} == {"連絡先", "港まで"}


def test_a_block_goes_down_as_a_whole() -> None:
    listing = "<body><pre>print<b>(</b>total<b>)</b></pre><p>閲覧数は<b>31</b>です、ありがとうございます</p>"
    repeated = dict.fromkeys(("(", ")", "閲覧数は", "です、ありがとうございます"), 1.0)
    assert {text for text, own in shift_of(listing, repeated).items() if own} == {
        "閲覧数は",
        "31",
        "です、ありがとうございます",
    }


def test_headings_look_no_farther_than_their_page() -> None:
    pages = forest([make_nodes("<h2>末尾</h2>"), make_nodes("<p>次の頁の文章</p>")])
    assert heads(pages, np.array([False, True])).tolist() == [False, False]
    assert mostly(pages, np.array([True, False])).tolist() == [True, False]
