"""Markdown: parsing what was written gives the same blocks, whatever the texts look like."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.chunker.document.model import (
    Block,
    Body,
    Callout,
    Cell,
    CodeBlock,
    Definitions,
    DisplayFormula,
    Formula,
    Heading,
    Image,
    Inline,
    InlineCode,
    LineBreak,
    Link,
    ListBlock,
    Note,
    NoteReference,
    Paragraph,
    Quote,
    Styled,
    Table,
    Text,
    ThematicBreak,
)
from ruiji.chunker.document.tidying import tidy
from ruiji.chunker.document.writing.markdown import markdown
from tests.chunker.document.parsed_markdown import body_from

# Pieces that a parser could take for markup, between words of several scripts.
MARKUP = (
    "*", "**", "_", "__", "`", "``", "[", "]", "(", ")", "[a](b)", "![a](b)", "<b>", "</div>", "<!--",
    "&amp;", "&lt", "#", "# ", "##",
    ">", "> ", "-", "- ", "+ ", "1. ", "2) ", "---", "===", "***", "~~~", "~~", "```", "|", "| a |", "\\",
    "!", "$", "$x$", "$$",
    "[^1]", "[^1]:",
    "[x]: y", "http://a.example/_b_", ":", "=", "    ", "<a@b.example>", "5*3*2", "snake_case_name", "a * b",
    "2 < 3 > 1", "@", "%", "^",
)  # fmt: skip
WORDS = ("word", "類似", "かな。", "「強調」", "Maß", "12", "x", " ", " ", "…", "—", ".", ",")
texts = st.lists(st.sampled_from((*MARKUP, *WORDS)), min_size=1, max_size=6).map("".join)
addresses = st.sampled_from(
    (
        "https://a.example/",
        "https://a.example/x_(y)?a=1&b=2",
        "https://a.example/a*b_c_",
        "#place",
        "https://a.example/a%20b",
    )
)
code = st.lists(
    st.sampled_from(("a", "`", "``", " b", "*", "\\", "<", "|", "類")), min_size=1, max_size=4
).map("".join)
formulas = st.sampled_from((r"x^{2}", r"\frac{a}{b}", r"a_{i} < b", r"E=mc^2"))
leaves: st.SearchStrategy[Inline] = st.one_of(
    texts.map(Text),
    texts.map(Text),
    code.map(lambda text: InlineCode(" ".join(text.split()) or "a")),
    st.builds(
        Image, addresses, texts.map(lambda text: " ".join(text.split())), st.sampled_from(("", 'a "title"'))
    ),
    st.just(LineBreak()),
)


def groups(inner: st.SearchStrategy[Inline]) -> st.SearchStrategy[Inline]:
    pieces = st.lists(inner, min_size=1, max_size=3).map(tuple)
    return st.builds(Styled, st.sampled_from(("strong", "emphasis", "strike", "superscript")), pieces)  # type: ignore[arg-type]


inner_pieces = st.recursive(leaves, groups, max_leaves=4)
links: st.SearchStrategy[Inline] = st.builds(
    Link, addresses, st.lists(inner_pieces, min_size=1, max_size=3).map(tuple), st.sampled_from(("", "t"))
)
# A formula never comes first: the plugin of the oracle looks at the last character of the paragraph for the
# one before it (mdit-py-plugins 0.7, dollarmath: src[pos - 1] with pos 0).
lines = (
    st.lists(st.one_of(inner_pieces, links, formulas.map(Formula)), min_size=1, max_size=5)
    .map(tidy)
    .filter(lambda line: not line or not isinstance(line[0], Formula))
    .filter(lambda line: not any(a == b == LineBreak() for a, b in pairwise(line)))
    .filter(
        lambda line: (
            bool(line) and any(isinstance(piece, Text | InlineCode | Link | Styled) for piece in line)
        )
    )
)


def without_breaks(line: tuple[Inline, ...]) -> tuple[Inline, ...]:
    """A line without line breaks at any depth, as headings have it."""
    pieces = []
    for piece in line:
        if isinstance(piece, Styled):
            piece = Styled(piece.style, without_breaks(piece.inlines))
        elif isinstance(piece, Link):
            piece = Link(piece.target, without_breaks(piece.inlines), piece.title)
        pieces.append(Text(" ") if isinstance(piece, LineBreak) else piece)
    return tidy(pieces)


paragraphs: st.SearchStrategy[Block] = lines.map(Paragraph)
headings: st.SearchStrategy[Block] = st.builds(
    Heading, st.integers(2, 6), lines.map(without_breaks).filter(bool)
)
listings: st.SearchStrategy[Block] = st.builds(
    CodeBlock,
    st.sampled_from(("a", "  a\n\n    b", "```\nx\n```", "<p>", "- a\n\t\\")),
    st.sampled_from(("", "python")),
)
cells = st.one_of(st.just(()), lines).map(Cell)
tables: st.SearchStrategy[Block] = st.integers(2, 3).flatmap(
    lambda width: st.lists(
        st.lists(cells, min_size=width, max_size=width).map(tuple), min_size=1, max_size=3
    ).map(lambda rows: Table(tuple(rows), 1))
)
simple = st.one_of(
    paragraphs, paragraphs, headings, listings, tables, st.just(ThematicBreak()), formulas.map(DisplayFormula)
)


def nested(inner: st.SearchStrategy[Block]) -> st.SearchStrategy[Block]:
    blocks = st.lists(inner, min_size=1, max_size=3).map(tuple)
    items = st.lists(blocks, min_size=1, max_size=3).map(tuple)
    return st.one_of(st.builds(ListBlock, items, st.sampled_from((None, None, 1, 7))), blocks.map(Quote))


bodies = st.lists(st.recursive(simple, nested, max_leaves=6), min_size=1, max_size=4).map(
    lambda blocks: Body(tuple(blocks))
)


@settings(max_examples=400, deadline=None)
@given(lines)
def test_a_line_is_read_as_it_was_written(line: tuple[Inline, ...]) -> None:
    body = Body((Paragraph(line),))
    assert body_from(markdown(body)) == body, markdown(body)


@settings(max_examples=400, deadline=None)
@given(bodies)
def test_blocks_are_read_as_they_were_written(body: Body) -> None:
    assert body_from(markdown(body)) == body, markdown(body)


@given(lines, lines)
def test_a_footnote_is_read_as_it_was_written(line: tuple[Inline, ...], note: tuple[Inline, ...]) -> None:
    body = Body(
        (Paragraph((*line, NoteReference("1"))),), (Note("1", (Paragraph(note), Quote((Paragraph(note),)))),)
    )
    assert body_from(markdown(body)) == body, markdown(body)


@pytest.mark.parametrize(
    ("block", "written"),
    [
        (Paragraph((Text("1. not a list"),)), "1\\. not a list"),
        (Paragraph((Text("snake_case and 2 < 3 stay"),)), "snake_case and 2 < 3 stay"),
        (Paragraph((Styled("strong", (Text("「強調」"),)), Text("です"))), "<strong>「強調」</strong>です"),
        (Callout("info", "Note", (Paragraph((Text("a"),)),)), "> [!info] Note\n> a"),
        (
            ListBlock(((Paragraph((Text("a"),)), ListBlock(((Paragraph((Text("b"),)),),), 1)),
                (Paragraph((Text("c"),)),))),
            "- a\n  1. b\n- c",
        ),
        (Definitions((((InlineCode("f()"),), (Paragraph((Text("what f does"),)),)),)),
        "`f()`\n\nwhat f does"),
        (
            Table(((Cell((Text("a|b"),), columns=2),), (Cell((Text("c"),)), Cell((Text("d"),)))), 1),
            "| a\\|b |  |\n| --- | --- |\n| c | d |",
        ),
    ],
)  # fmt: skip
def test_markdown_is_what_people_would_write(block: Block, written: str) -> None:
    assert markdown(Body((block,))) == written


def test_entities_in_titles_and_spaces_at_the_ends_of_lines_are_read_as_they_were_written() -> None:
    link = Link("https://a.example/", (Text("a"),), "npm&#x27;s")
    body = Body((Paragraph(tidy((Text("\u3000b "), link, Text(".\u00a0")))),))
    assert body_from(markdown(body)) == body


def test_a_list_that_starts_at_seven_does_not_go_on_with_the_line_before_it() -> None:
    inner = ListBlock(((Paragraph((Text("b"),)),),), 7)
    assert markdown(Body((ListBlock(((Paragraph((Text("a"),)), inner),)),))) == "- a\n\n  7. b"
