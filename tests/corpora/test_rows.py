"""Pages written as JSONL and Parquet come back as they were; a destination appears whole or not at all."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.corpora import rows as tables
from ruiji.corpora.encoding.decoding import decode
from ruiji.corpora.files import replacing
from ruiji.corpora.page import Page
from ruiji.corpora.reading import read_pages
from ruiji.corpora.rows import write_jsonl, write_parquet
from ruiji.features.page.parsing import text_nodes
from tests.factories import PROSE, make_page
from tests.strategies import html_soup

Writer = Callable[[Iterable[Page], Path], list[str]]
WRITERS: list[tuple[Writer, str]] = [
    (write_jsonl, "out.jsonl"),
    (write_jsonl, "out.jsonl.gz"),
    (write_parquet, "out.parquet"),
]
every_form = pytest.mark.parametrize(("writer", "name"), WRITERS, ids=[name for _, name in WRITERS])

short_text = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), short_text),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
extra_fields = st.dictionaries(
    st.sampled_from(["topic", "status", "main_content", "港", "crawled"]), values, max_size=3
)
texts = html_soup.map(lambda html: f"<p>{PROSE}{html}")
bodies = st.tuples(texts, st.sampled_from(["utf-8", "cp932", "euc_jp", "iso2022_jp"])).map(
    lambda pair: pair[0].encode(pair[1], "ignore")
)
pages = st.builds(
    Page,
    id=short_text.filter(bool), url=short_text.filter(bool), html=st.one_of(texts, bodies),
    content_type=st.sampled_from(["", "text/html", "text/html; charset=shift_jis"]),
    last_modified=st.sampled_from(["", "2009-01-02"]),
    extra=extra_fields,
)  # fmt: skip


def round_trip(writer: Writer, name: str, given_pages: Iterable[Page]) -> list[Page]:
    with tempfile.TemporaryDirectory() as folder:
        assert writer(given_pages, Path(folder) / name) == []
        return list(read_pages([Path(folder) / name]))


def without_encoding(page: Page) -> dict[str, object]:
    """The extra fields but for the encoding, which writers add."""
    return {key: value for key, value in page.extra.items() if key != "encoding"}


@every_form
@given(given_pages=st.lists(pages, max_size=4))
def test_pages_come_back(writer: Writer, name: str, given_pages: list[Page]) -> None:
    found = round_trip(writer, name, given_pages)
    assert [(page.id, page.url, page.last_modified) for page in found] == [
        (page.id, page.url, page.last_modified) for page in given_pages
    ]
    assert [decode(page).text for page in found] == [decode(page).text for page in given_pages]
    assert [decode(page).encoding for page in found if isinstance(page.html, str)] == [
        decode(page).encoding
        for page, after in zip(given_pages, found, strict=True)
        if isinstance(after.html, str)
    ]


@every_form
@given(page=pages)
def test_unknown_fields_come_back(writer: Writer, name: str, page: Page) -> None:
    (found,) = round_trip(writer, name, [page])
    assert without_encoding(found) == without_encoding(page)


@every_form
@given(page=pages)
def test_conversion_does_not_alter_text_nodes(writer: Writer, name: str, page: Page) -> None:
    (found,) = round_trip(writer, name, [page])
    before, after = text_nodes(page), text_nodes(found)
    assert list(after.texts) == list(before.texts)
    assert after.element_paths() == before.element_paths()
    assert after.line.tolist() == before.line.tolist()


@given(page=pages)
def test_parquet_keeps_the_bytes_as_they_came(page: Page) -> None:
    (found,) = round_trip(write_parquet, "out.parquet", [page])
    expected = page.html.encode() if isinstance(page.html, str) else page.html
    assert found.html == expected
    if isinstance(page.html, bytes):
        assert found.content_type == page.content_type


@every_form
def test_writing_twice_gives_the_same_bytes(tmp_path: Path, writer: Writer, name: str) -> None:
    bodies_written = []
    for folder in ("a", "b"):
        writer(
            [make_page(PROSE.encode("cp932")), make_page("<p>x", extra={"k": 1})], tmp_path / folder / name
        )
        bodies_written.append((tmp_path / folder / name).read_bytes())
    assert bodies_written[0] == bodies_written[1]


@every_form
def test_more_pages_than_a_row_group_come_back_in_order(
    monkeypatch: pytest.MonkeyPatch, writer: Writer, name: str
) -> None:
    monkeypatch.setattr(tables, "ROWS_PER_GROUP", 3)
    given_pages = [make_page(f"<p>{number}", id=str(number)) for number in range(10)]
    assert [page.id for page in round_trip(writer, name, given_pages)] == [page.id for page in given_pages]


@every_form
def test_no_pages_make_a_readable_file(writer: Writer, name: str) -> None:
    assert round_trip(writer, name, []) == []


@every_form
def test_an_error_row_is_reported_and_comes_back_with_its_error(
    tmp_path: Path, writer: Writer, name: str
) -> None:
    problems = writer([make_page(b"", error="broken line"), make_page(b"<p>x")], tmp_path / name)
    assert problems == ["page: broken line"]
    first, second = read_pages([tmp_path / name])
    assert first.error == "broken line"
    assert second.error == ""


def test_jsonl_reports_what_is_lost_in_decoding(tmp_path: Path) -> None:
    html = PROSE.encode() + b"\xff" + PROSE.encode()
    problems = write_jsonl(
        [make_page(html), make_page(b"%PDF-1.4", id="pdf"), make_page(b"<p>ok", id="ok")],
        tmp_path / "out.jsonl",
    )
    assert [problem.split(":")[0] for problem in problems] == ["page", "pdf"]
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert rows[1]["html"] is None
    assert "PDF" in rows[1]["error"]
    assert [row["url"] for row in rows] == ["http://host.example/dir/page.html"] * 3


@every_form
def test_lone_surrogates_do_not_stop_the_writer(tmp_path: Path, writer: Writer, name: str) -> None:
    """JSON can carry them, so a JSONL that was read can hold them in any field."""
    page = Page(
        "\ud800",
        "http://x.example/\udc00",
        "<p>a\ud800b",
        last_modified="\ud800",
        extra={"topic": "\ud800", "\udc00": 1},
    )
    writer([page, make_page("<p>x")], tmp_path / name)
    found = list(read_pages([tmp_path / name]))
    assert decode(found[0]).text == "<p>a\ufffdb"
    assert found[1].url == "http://host.example/dir/page.html"


@pytest.mark.parametrize(
    "field", ["id", "url", "content_type", "last_modified", "encoding", "title", "error", "metadata"]
)
@every_form
def test_a_lone_surrogate_in_a_line_of_json_stops_no_run(
    tmp_path: Path, writer: Writer, name: str, field: str
) -> None:
    """The name of an encoding with one ended the conversion of all pages."""
    source = tmp_path / "in.jsonl"
    lines = [{"url": f"http://a.example/{number}", "html": "<p>It rained."} for number in range(3)]
    source.write_text("".join(json.dumps({**line, field: "\ud800"}) + "\n" for line in lines))
    assert writer(read_pages([source]), tmp_path / name) == []
    assert len(list(read_pages([tmp_path / name]))) == len(lines)


def test_parquet_has_one_schema_for_all_pages(tmp_path: Path) -> None:
    write_parquet([make_page(b"<p>"), make_page("<p>", extra={"k": [1]})], tmp_path / "out.parquet")
    schema = pyarrow.parquet.read_schema(tmp_path / "out.parquet")
    assert schema.names == ["id", "url", "html", "content_type", "last_modified", "extra", "error"]


def failing(number: int) -> Iterator[Page]:
    for count in range(number):
        yield make_page("<p>x" * 1000, id=str(count))
    raise KeyboardInterrupt


@every_form
@pytest.mark.parametrize("number", [0, 3, 600])
def test_an_interrupted_writer_leaves_nothing(tmp_path: Path, writer: Writer, name: str, number: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        writer(failing(number), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@every_form
def test_an_interrupted_writer_leaves_the_old_file(tmp_path: Path, writer: Writer, name: str) -> None:
    writer([make_page("<p>old")], tmp_path / name)
    before = (tmp_path / name).read_bytes()
    with pytest.raises(KeyboardInterrupt):
        writer(failing(3), tmp_path / name)
    assert (tmp_path / name).read_bytes() == before
    assert list(tmp_path.iterdir()) == [tmp_path / name]


@every_form
def test_the_destination_is_not_there_before_the_end(tmp_path: Path, writer: Writer, name: str) -> None:
    def watched() -> Iterator[Page]:
        for number in range(300):
            assert not (tmp_path / name).exists()
            yield make_page("<p>x", id=str(number))

    writer(watched(), tmp_path / name)
    assert list(tmp_path.iterdir()) == [tmp_path / name]


def test_replacing_makes_missing_folders(tmp_path: Path) -> None:
    with replacing(tmp_path / "a/b/c.txt") as stream:
        stream.write(b"x")
    assert (tmp_path / "a/b/c.txt").read_bytes() == b"x"


@every_form
def test_a_file_may_be_converted_onto_itself(tmp_path: Path, writer: Writer, name: str) -> None:
    writer([make_page("<p>x", id=str(number)) for number in range(5)], tmp_path / name)
    writer((replace(page, last_modified="2010") for page in read_pages([tmp_path / name])), tmp_path / name)
    assert [(page.id, page.last_modified) for page in read_pages([tmp_path / name])] == [
        (str(number), "2010") for number in range(5)
    ]


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (b"12345678901234567890123", "12345678901234567890123"),  # more than 64 bits
        (b"18446744073709551616", "18446744073709551616"),
        (b"-7", "-7"),
        (b'"\\ud800"', "\\ud800"),  # a lone surrogate, which no table carries
        (b"[[123456789012345678901234567890]]", "[[123456789012345678901234567890]]"),
        (b"NaN", "nan"),
    ],
)
def test_values_are_those_of_pythons_own_reader(tmp_path: Path, value: bytes, read: str) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(b'{"id": ' + value + b', "html": "<p>text"}\n')
    assert [page.id for page in read_pages([path])] == [read]


@pytest.mark.parametrize("damage", [slice(0, -20), slice(0, 200)])
def test_a_packed_file_that_breaks_off_says_so(tmp_path: Path, damage: slice) -> None:
    path = tmp_path / "pages.jsonl.gz"
    lines = b"".join(b'{"url": "u%d", "html": "<p>%d"}\n' % (n, n * n) for n in range(2000))
    path.write_bytes(gzip.compress(lines)[damage])
    *_, last = read_pages([path])
    assert "cannot be read beyond line" in last.error
