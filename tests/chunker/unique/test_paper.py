"""Yoshida and Yamamoto 2009, section by section: what the plain rule is to be."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ruiji.__main__ import main
from ruiji.chunker.annotation.examples import Example
from ruiji.chunker.evaluation.plain_rule import as_published, unique_scores
from ruiji.chunker.mask import ContentMask, everything
from ruiji.chunker.metrics import Counts
from ruiji.chunker.unique.estimator import PLAIN, THRESHOLD, UniquenessExtractor
from ruiji.chunker.unique.image_blocks import ImageBlock, image_blocks, unique_images, with_images
from ruiji.chunker.unique.page_blocks import page_blocks
from ruiji.corpora import MINIWEB
from ruiji.features.page.textnodes import TextNodes
from tests.factories import make_nodes

MENU = "<ul><li><a href=/>ホーム</a></li></ul>"


def on_host(host: str, html: str) -> TextNodes:
    return make_nodes(html, url=f"http://{host}/{abs(hash(html))}.html")


def nothing(nodes: TextNodes) -> ContentMask:
    """A fallback that is easy to tell: no content at all."""
    mask = everything(nodes)
    return ContentMask(np.zeros_like(mask.content), mask.score, "nothing")


def test_3_2_1_pages_may_be_of_several_sites() -> None:
    """One page of each site: the plain rule compares them all the same, and asks no fallback."""
    pages = [on_host(f"{name}.example", f"{MENU}<p>{name}だけの文</p>") for name in ("a", "b")]
    extractor = UniquenessExtractor(**PLAIN, fallback=nothing).fit(pages)
    masks = extractor.predict_masks(pages)
    assert [mask.decided_by for mask in masks] == ["unique", "unique"]
    assert [mask.content.tolist() for mask in masks] == [[False, True], [False, True]]


def test_3_2_1_one_page_alone_has_nothing_to_be_compared_with() -> None:
    (mask,) = (
        UniquenessExtractor(**PLAIN, fallback=nothing)
        .fit([on_host("a.example", "<p>a</p>")])
        .predict_masks([on_host("a.example", "<p>a</p>")])
    )
    assert mask.decided_by == "unique: alone, nothing"


def test_our_rule_asks_the_fallback_for_a_page_alone_on_its_site() -> None:
    pages = [on_host(f"{name}.example", f"{MENU}<p>{name}</p>") for name in ("a", "b")]
    masks = UniquenessExtractor(fallback=nothing).fit(pages).predict_masks(pages)
    assert {mask.decided_by for mask in masks} == {"unique: alone, nothing"}


@pytest.mark.parametrize("tag", ["script", "style"])
def test_3_2_2_script_and_style_are_no_part_of_a_block(tag: str) -> None:
    plain, other = (
        page_blocks(make_nodes(f"<p>本文{inside}です</p>"))
        for inside in ("<b></b>", f"<b></b><{tag}>x</{tag}>")
    )
    assert plain.vector.tolist() == other.vector.tolist()


def test_3_2_2_a_rule_is_of_the_block_level_and_parts_blocks() -> None:
    blocks = page_blocks(make_nodes("<div>上の文<hr>下の文</div>"))
    assert len(blocks) == 2
    assert blocks.block.tolist() == [0, 1]
    assert len(page_blocks(make_nodes("<div>上の文<b></b>下の文</div>"))) == 1


def test_3_2_2_a_rule_lets_the_menu_go_and_the_text_stay() -> None:
    pages = [
        on_host("a.example", f"<body>目次 検索 地図<hr>{text}</body>")
        for text in ("一つ目の記事", "二つ目の記事")
    ]
    masks = UniquenessExtractor(**PLAIN).fit(pages).predict_masks(pages)
    assert [mask.content.tolist() for mask in masks] == [[False, True]] * 2


def test_3_2_3_texts_are_split_at_line_breaks_and_lower_cased() -> None:
    first, second = (page_blocks(make_nodes(f"<pre>{text}</pre>")) for text in ("Home\nTop", "TOP\n\nhome"))
    assert first.vector.tolist() == second.vector.tolist()


@pytest.mark.parametrize(
    "element",
    [
        "<abbr title='{}'>略</abbr>",
        "<span title='{}'>略</span>",
        "<a title='{}'>略</a>",
        "<a href=/ title='{}'></a>略",
        "<x-note title='{}'>略</x-note>",
        "<iframe title='{}'></iframe>略",
        "<map><area alt='{}'></map>略",
        "<input alt='{}'>略",
        "<br title='{}'>略",
        "<img title='{}'>略",
    ],
)
def test_3_2_3_titles_and_alternative_texts_of_any_element_count(element: str) -> None:
    first, again, other = (
        page_blocks(make_nodes(f"<p>{element.format(text)}</p>")) for text in ("Sea", " sea ", "港")
    )
    assert first.vector.tolist() == again.vector.tolist() != other.vector.tolist()


def test_3_2_5_the_threshold_is_0_9() -> None:
    assert THRESHOLD == 0.9
    assert UniquenessExtractor().threshold == 0.9


def test_the_plain_rule_and_its_threshold_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = []
    for options in (["--plain"], ["--plain", "--threshold", "0.9"], ["--plain", "--threshold", "0.5"], []):
        destination = tmp_path / "out.txt"
        command = ["extract", str(MINIWEB / "tabi-no-kakera.com"), "--filter", "unique", *options]
        assert main([*command, "--format", "text", "-o", str(destination), "--jobs", "1", "-q"]) == 0
        texts.append(destination.read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    assert len({*texts}) == 3
    assert len(texts[2]) < len(texts[0])  # more blocks match at a lower cosine


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--filter", "unique", "--threshold", "0.9"], "--threshold goes with --plain"),
        (["--filter", "blocks", "--plain"], "--plain goes with --filter unique without --model"),
        (["--filter", "unique", "--plain", "--threshold", "2"], "must be between 0 and 1"),
    ],
)
def test_settings_that_do_not_go_together(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["extract", str(MINIWEB), *options, "--jobs", "1"])
    except SystemExit as stop:
        status = int(stop.code or 0)
    assert status == 2
    assert message in capsys.readouterr().err


def images_in(*markup: str) -> list[list[ImageBlock]]:
    return [image_blocks(make_nodes(html)) for html in markup]


def test_3_2_3_a_block_may_be_an_image_alone_and_its_texts_say_what_it_shows() -> None:
    pages = images_in(
        "<p>文</p><div><img src=1 alt=灯台></div><p>本文<img alt=印></p><p><a href=/><img alt=ロゴ></a></p>",
        "<p>文</p><div><img src=2 alt=港></div><p><a href=/><img alt=ロゴ></a></p>",
    )
    assert [[block.before for block in page] for page in pages] == [[1, 2], [1, 1]]  # 印 stands beside text
    unique = unique_images(pages, THRESHOLD)
    assert [own.tolist() for own in unique] == [[True, False], [True, False]]


def test_3_2_2_a_script_is_no_part_of_a_block_of_an_image() -> None:
    (plain,), (other,) = images_in("<div><img alt=港></div>", "<div><img alt=港><script>x</script></div>")
    assert plain.vector == other.vector


def test_4_1_blocks_are_counted_as_published() -> None:
    """Parted by a rule, an image alone is one: one region, two blocks of content and an image of a menu."""
    page = "<body>メニュー<hr>{0}<hr>{0}の続き<div><img alt={0}></div>{0}の終わり</body>"
    examples = [
        Example(name, "a.example", make_nodes(page.format(name)), np.array([1, 0, 0, 0], np.int8), "", True)
        for name in ("港", "灯台")
    ]
    by_text = unique_scores(examples, **PLAIN)
    assert (by_text.total.true_blocks, by_text.total.block_pages) == (4, 2)
    total = as_published(by_text, THRESHOLD).total
    assert (total.true_blocks, total.predicted_blocks, total.common_blocks, total.perfect) == (8, 8, 8, 1)
    assert total.B_F == by_text.total.B_F


def test_3_2_4_images_are_compared_by_cosine_as_a_plain_loop_compares_them() -> None:
    dice = np.random.default_rng(9)
    pages = [
        [
            ImageBlock(0, tuple((key, int(dice.integers(1, 4))) for key in sorted({*dice.integers(0, 5, 3)})))
            for _ in range(4)
        ]
        for _ in range(12)
    ]
    for threshold in (0.5, 0.9, 1.0):
        plain = [
            [
                not any(
                    _alike(block, other, threshold)
                    for number, others in enumerate(pages)
                    for other in others
                    if number != own
                )
                for block in blocks
            ]
            for own, blocks in enumerate(pages)
        ]
        assert [found.tolist() for found in unique_images(pages, threshold)] == plain


def _alike(first: ImageBlock, second: ImageBlock, threshold: float) -> bool:
    ours, theirs = dict(first.vector), dict(second.vector)
    product = sum(count * theirs.get(key, 0) for key, count in ours.items())
    square, other = (sum(count * count for count in own.values()) for own in (ours, theirs))
    return first.vector == second.vector or product**2 > Fraction(threshold) ** 2 * square * other


def test_3_2_4_a_cosine_of_the_very_threshold_is_no_match_and_equal_blocks_always_are() -> None:
    half = [[ImageBlock(0, ((1, 1),))], [ImageBlock(0, ((1, 1), (2, 1), (3, 1), (4, 1)))]]  # cosine 0.5
    assert [own.tolist() for own in unique_images(half, 0.5)] == [[True], [True]]
    assert [own.tolist() for own in unique_images(half, 0.499)] == [[False], [False]]
    same = [[ImageBlock(0, ((1, 1), (2, 2), (3, 3)))]] * 2
    assert [own.tolist() for own in unique_images(same, 1.0)] == [[False], [False]]


def test_4_1_images_are_counted_where_the_annotation_says_what_they_are() -> None:
    labels = np.array([1, 2, 0, 0], dtype=np.int8)  # a region of two nodes, then two of content
    blocks = [ImageBlock(place, ()) for place in (1, 2, 3)]  # inside, at the border, in content
    counts = Counts(true_blocks=2, predicted_blocks=2, common_blocks=2, block_pages=1, perfect_pages=1)
    right = with_images(counts, labels, blocks, np.array([False, True, True]))
    assert (right.true_blocks, right.predicted_blocks, right.common_blocks) == (3, 3, 3)
    assert right.perfect == 1.0
    wrong = with_images(counts, labels, blocks, np.array([True, True, True]))
    assert (wrong.true_blocks, wrong.predicted_blocks, wrong.common_blocks, wrong.perfect) == (3, 4, 3, 0.0)
