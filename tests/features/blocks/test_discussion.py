"""Numbers about what follows an article: where comments begin, and the rhythm of comments and lists."""

from __future__ import annotations

import pytest

from ruiji.features.blocks.discussion import companions, discussion
from ruiji.features.blocks.table import FAR, Blocks
from ruiji.features.nodes.forest import forest
from tests.factories import make_nodes

PROSE = "The boats leave early, before the sun is up, and nobody in the town hears them go out to sea. "
ARTICLE = "<div><h1>Boats</h1>" + f"<p>{PROSE}</p>" * 3 + "</div>"
COMMENT = f"<li><b>Anna</b><p>{PROSE}</p><div><a href=r>answer</a></div></li>"


def numbers(family: object, html: str) -> dict[str, list[float]]:
    blocks = Blocks(forest([make_nodes(html)]))
    assert callable(family)
    return {name: column.astype(float).tolist() for name, column in family(blocks).items()}


@pytest.mark.parametrize(
    "comments",
    [
        f"<div class=comments><p>So many</p><ol>{COMMENT * 9}</ol></div>",
        f"<p>9 Comments</p><ol>{COMMENT * 9}</ol>",
    ],
)
def test_comments_begin_after_the_article_by_name_or_by_word(comments: str) -> None:
    found = numbers(discussion, ARTICLE + comments)
    assert found["comments_begun"][:6] == [0, 0, 0, 0, 1, 1]
    assert found["comments_back"][3:7] == [-1, 0, 1, 2]
    assert found["prose_before_comments"][0] == pytest.approx(3 / 12)
    assert found["article_main"][:5] == [1, 1, 1, 1, 0]
    assert found["from_article_main"][4:6] == [1, 2]
    assert found["article_before"][4] == 1


def test_nothing_begins_where_no_prose_stands_before() -> None:
    found = numbers(discussion, "<p>3 comments</p>" + ARTICLE)
    assert set(found["comments_begun"]) == set(found["prose_before_comments"]) == {-1}
    assert found["comment_word_back"][:2] == [0, 1]


def test_a_page_without_such_words_has_none() -> None:
    assert set(numbers(discussion, ARTICLE)["comment_word_back"]) == {FAR}


def test_texts_of_comments_and_teasers_have_links_and_dates_beside_them() -> None:
    found = numbers(companions, ARTICLE + f"<ol>{COMMENT * 3}</ol>")
    assert found["link_after_path"][1:4] == [0, 0, 0]  # paragraphs of the article
    assert found["link_after_path"][5] == 1  # the text of a comment
    teasers = "".join(
        f"<div><p>1{day}. 5. 2012</p><h3><a href=x>Title</a></h3><span>{PROSE}</span></div>"
        for day in range(3)
    )
    found = numbers(companions, teasers)
    assert [found[f"{sign}_before_path"][2] for sign in ("link", "date")] == [1, 1]
    assert found["date_after_path"][2] == pytest.approx(2 / 3)  # not after the last
