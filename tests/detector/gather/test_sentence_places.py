"""What two pages of a site have at the same place is their template; what one took from the other is
found.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.chunker.mask import everything
from ruiji.chunker.masking import MaskedPage
from ruiji.corpora.c_modules import compiled
from ruiji.corpora.page import Page
from ruiji.detector.gather.occurrences import Usable, page_sentences
from ruiji.detector.gather.page import gathered
from ruiji.detector.gather.parts import Parts
from ruiji.detector.gather.sentence_places import _called, called_in_python, sentence_places
from ruiji.detector.pairs.collection import join_input
from ruiji.detector.pairs.pipeline import Rules, find_pairs
from ruiji.detector.pairs.relations import Thresholds
from ruiji.detector.sentences.table import sentence_table
from ruiji.features.page.parsing import text_nodes
from tests.detector.pairs.test_join import duck
from tests.factories import make_nodes

NOTICE = "当店のお届けは十日以内で、返品は承っておりません。"
QUOTE = "港の朝は早く、まだ暗いうちから漁師たちが船を出す。"


def own(number: int) -> str:
    """A text that no other page has, long enough that a sentence more is little of it."""
    return "".join(
        f"<p>これは{number}番目の記事だけにある{line}行目の長い文章です。</p>" for line in "一二三四五六"
    )


def pairs(folder: Path, pages: dict[str, str], **thresholds: bool) -> dict[tuple[str, str], int]:
    parts = Parts(folder / "parts", with_skeletons=False)
    parts.take_up("")
    for url, html in pages.items():
        page = Page(url, url, html)
        nodes = text_nodes(page)
        mask = everything(nodes)
        parts.add(gathered(MaskedPage(page, nodes, mask), page_sentences([nodes], [mask], Usable())[0]))
    parts.finish()
    tables = join_input(parts, [], folder / "tables", 20)
    with duck(tables, folder) as engine:
        find_pairs(tables, engine, Rules(thresholds=Thresholds(min_bits=0, **thresholds)), folder)  # type: ignore[arg-type]
    return {
        (row["url_a"][-1], row["url_b"][-1]): row["shared_sentences"]
        for row in pq.read_table(folder / "pairs.parquet").to_pylist()
    }


def test_a_paragraph_at_the_same_place_of_two_pages_of_a_site_makes_no_pair(tmp_path: Path) -> None:
    pages = {
        f"http://a.com/{n}": f"<div>{own(n)}</div><aside><p class=n{n}>{NOTICE}</p></aside>" for n in range(2)
    }
    assert pairs(tmp_path, pages) == {}
    assert pairs(tmp_path / "kept", pages, keep_templates=True) == {("0", "1"): 1}


def test_it_makes_one_where_it_stands_elsewhere_or_on_another_site(tmp_path: Path) -> None:
    elsewhere = {
        "http://a.com/0": own(0) + f"<p>{NOTICE}</p>",
        "http://a.com/1": own(1) + f"<blockquote>{NOTICE}</blockquote>",
    }
    assert pairs(tmp_path / "elsewhere", elsewhere) == {("0", "1"): 1}
    other_site = {
        "http://a.com/0": own(0) + f"<p>{NOTICE}</p>",
        "http://b.com/1": own(1) + f"<p>{NOTICE}</p>",
    }
    assert pairs(tmp_path / "other", other_site) == {("0", "1"): 1}


def test_a_sentence_that_is_quoted_within_another_paragraph_is_found_unless_several_pages_have_it_there(
    tmp_path: Path,
) -> None:
    pages = {f"http://a.com/{n}": own(n) + f"<div>{n}。{QUOTE}</div>" for n in range(2)}
    assert pairs(tmp_path / "two", pages) == {("0", "1"): 1}
    pages["http://a.com/2"] = own(2) + f"<div>2。{QUOTE}</div>"
    assert pairs(tmp_path / "three", pages) == {}


def test_in_pages_without_any_structure_whole_sentences_count_and_labels_do_not(tmp_path: Path) -> None:
    pages = {f"http://a.com/{n}": own(n) + f"<p>{NOTICE}</p>" for n in range(3)}
    assert pairs(tmp_path / "sentence", pages) == {("0", "1"): 1, ("0", "2"): 1, ("1", "2"): 1}
    label = NOTICE.removesuffix("。")
    assert pairs(tmp_path / "label", {url: html.replace(NOTICE, label) for url, html in pages.items()}) == {}


def thread(number: int, name: str, signature: str) -> str:
    """Posts of a forum: all text stands under the same elements, which have names."""
    posts = (
        own(number)
        .replace("<p>", "<tr><td><div class=body>")
        .replace("</p>", f"</div><div class={name}>{signature}</div></td></tr>")
    )
    return f"<table>{posts}</table>"


def test_a_signature_makes_no_pair_where_names_set_it_apart_from_the_posts(tmp_path: Path) -> None:
    signature = "釣れない日も海を眺めていられればそれで幸せです!"
    signed = {f"http://a.com/{n}": thread(n, "sig", signature) for n in range(2)}
    assert pairs(tmp_path / "signed", signed) == {}
    assert pairs(
        tmp_path / "post", {f"http://a.com/{n}": thread(n, "body", signature) for n in range(2)}
    ) == {("0", "1"): 1}


def test_a_name_that_one_element_has_sets_nothing_apart(tmp_path: Path) -> None:
    pages = {f"http://a.com/{n}": own(n) + f"<p id=quote>{NOTICE}</p>" for n in range(2)}
    assert pairs(tmp_path, pages) == {("0", "1"): 1}


def test_a_deeply_nested_page_has_places() -> None:
    nodes = make_nodes("<div>" * 3000 + f"<p>{NOTICE}</p>" + "</div>" * 3000 + f"<p>{QUOTE}</p>")
    wanted = np.array([True, True])
    place, _ = sentence_places([nodes], sentence_table([nodes]), wanted, wanted)
    assert place[0] != place[1] != 0


def test_a_template_does_not_count_beside_what_was_taken(tmp_path: Path) -> None:
    quoting = f"<blockquote>{QUOTE}</blockquote>"
    notice = f"<div>{NOTICE}</div>"
    pages = {
        "http://a.com/0": f"{own(0)}<p>{QUOTE}</p>{notice}",
        "http://a.com/1": f"{own(1)}{quoting}{notice}",
    }
    assert pairs(tmp_path, pages) == {("0", "1"): 1}


def test_copies_of_a_page_are_found_although_everything_stands_at_the_same_place(tmp_path: Path) -> None:
    pages = {
        f"http://a.com/{n}": own(0) + f"<p>{n}番の版だけにある一つの長い文がここにある。</p>"
        for n in range(4)
    }
    assert set(pairs(tmp_path, pages).values()) == {6}


def test_places_and_paragraphs_by_site_blocks_and_text() -> None:
    html = "<div><p>一つ。<b>二つ。</b></p></div><div><p><a href=x>一つ。</a></p></div><p>一つ。</p>"
    pages = [make_nodes(html), make_nodes(html, url="http://other.example/")]
    table = sentence_table(pages)
    assert table.texts == ["一つ。", "二つ。", "一つ。", "一つ。"] * 2
    wanted = np.array([True] * 7 + [False])
    place, paragraph = sentence_places(pages, table, wanted, wanted)
    assert place[0] == place[1] == place[2] != place[3]
    assert paragraph[0] not in (0, paragraph[2])
    assert paragraph[1] == 0, "prose in the midst of the content"
    assert not set(place[:4].tolist()) & set(place[4:].tolist())
    assert place[7] == paragraph[7] == 0


IN_C: Any = compiled("ruiji.detector.gather._places")
NAMES = st.lists(
    st.sampled_from(["post", "post-12", "post-7", "a", "ａ１", "٣x", "b\u3000c", "é"]), max_size=3
)
ELEMENTS = st.lists(
    st.tuples(st.sampled_from(["div", "p", "span", "table"]), NAMES, st.booleans()), max_size=30
)


@given(ELEMENTS)
def test_the_module_in_c_numbers_what_is_called_alike_as_python_does(
    elements: list[tuple[str, list[str], bool]],
) -> None:
    opened: list[str] = []
    html = "<p>x"
    for tag, called, closes in elements:
        html += f'<{tag} class="{" ".join(called)}">x'
        opened.append(tag)
        if closes:
            html += f"</{opened.pop()}>"
    nodes = make_nodes(html)
    wanted = np.append(nodes.element, np.int32(-1)).astype(np.int32)
    assert np.array_equal(_called(nodes, wanted), called_in_python(nodes, wanted))


@pytest.mark.skipif(IN_C is None, reason="no module in C")
def test_the_module_in_c_refuses_elements_that_are_none() -> None:
    parent, block = np.array([-1, 0], dtype=np.int32), np.ones(2, dtype=np.bool_)
    named, found = np.array([1], dtype=np.int32), np.zeros(1, dtype=np.int32)
    for parents, names, wanted in (
        (np.array([1, -1], dtype=np.int32), named, [1]),
        (parent, np.array([2], dtype=np.int32), [1]),
        (parent, named, [2]),
    ):
        with pytest.raises(ValueError, match="an element that is none"):
            IN_C.called(parents, block, names, ["a"], np.array(wanted, dtype=np.int32), found)
    with pytest.raises(TypeError, match="a list of strings"):
        IN_C.called(parent, block, named, [1], named, found)
    with pytest.raises(ValueError, match="not as long"):
        IN_C.called(parent, block, named, ["a"], named, np.zeros(2, dtype=np.int32))
