"""The index on disk: whole at any moment, refused where it is not, the same answers as in memory."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.detector.copies.contents import LIST, read_contents
from ruiji.detector.copies.index import CopyIndex, open_index
from ruiji.detector.copies.part import SourceText, digested, part_in_memory
from ruiji.detector.copies.passages import find_passages
from ruiji.detector.copies.rule import PassageRule
from ruiji.detector.copies.suffixes import MAX_POSITIONS
from ruiji.detector.copies.texts import IndexRefused
from ruiji.detector.copies.writing import NOTE, grouped, remove_documents, writing
from tests.detector.copies.test_passages import ARTICLE, OTHER, sentences

SOURCES = [
    SourceText(f"http://source{number}.example/{number}", text)
    for number, text in enumerate([ARTICLE, OTHER, "", ARTICLE + OTHER])
]


def write(
    folder: Path,
    sources: Sequence[SourceText],
    anew: bool = True,
    part_positions: int = 1 << 24,
    signature: str = "test",
) -> int:
    """Writes sources; returns how many were there already."""
    with writing(folder, {"filter": "none"}, signature, anew, part_positions) as writer:
        done = writer.done
        for number, source in enumerate(sources[done:], done + 1):
            writer.add(source.url, source.text, *digested([source.text])[0])
            writer.seen(number, 0)
    return done


def texts_in(index: CopyIndex) -> list[SourceText]:
    return [part.sources[number] for part in index.parts for number in range(len(part.sources))]


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_an_index_on_disk_answers_as_one_in_memory(tmp_path: Path) -> None:
    folder = tmp_path / "idx"
    write(folder, SOURCES)
    index = open_index(folder, check=True)
    queries = [sentences(ARTICLE)[2] + "と書いてあった。", OTHER, ARTICLE[30:], "何もない。"]
    assert index.match_all(queries) == find_passages([part_in_memory(SOURCES)], queries)
    assert any(index.match_all(queries))
    assert texts_in(index) == SOURCES
    assert index.contents.documents == 4
    assert index.contents.settings == {"filter": "none"}


def test_the_same_documents_give_the_same_bytes(tmp_path: Path) -> None:
    write(tmp_path / "a", SOURCES)
    write(tmp_path / "b", SOURCES)
    assert files_in(tmp_path / "a") == files_in(tmp_path / "b")


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.lists(st.text(alphabet="あいうえおかき。\n", max_size=60), max_size=5), min_size=1, max_size=5
    )
)
def test_documents_added_bit_by_bit_are_found_like_those_built_at_once(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("index") / "idx"
    sources: list[SourceText] = []
    for number, batch in enumerate(texts):
        more = [SourceText(f"http://h{len(sources) + at}.example/", text) for at, text in enumerate(batch)]
        write(folder, more, anew=not number, part_positions=64)
        sources += more
    index = open_index(folder, check=True)
    assert texts_in(index) == sources
    queries = [source.text + "末尾。" for source in sources]
    assert index.match_all(queries) == find_passages([part_in_memory(sources)], queries)


def test_a_document_of_a_known_address_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    folder = tmp_path / "idx"
    write(folder, SOURCES)
    changed = SourceText(
        SOURCES[1].url, OTHER + "その後のことは誰も知らないと、古い帳面の終わりに書いてある。"
    )
    write(folder, [changed], anew=False)
    index = open_index(folder, check=True)
    assert texts_in(index) == [SOURCES[0], *SOURCES[2:], changed]
    queries = [ARTICLE, changed.text + "末尾。"]
    held = [SOURCES[0], *SOURCES[2:], changed]
    assert index.match_all(queries) == find_passages([part_in_memory(held)], queries)


@settings(max_examples=15, deadline=None)
@given(st.sets(st.integers(0, 11)), st.integers(64, 4096))
def test_an_index_without_some_documents_is_one_of_the_others(
    tmp_path_factory: pytest.TempPathFactory, gone: set[int], part_positions: int
) -> None:
    folder = tmp_path_factory.mktemp("index") / "idx"
    numbered = [SourceText(f"http://h{n % 3}.example/{n}", SOURCES[n % 4].text) for n in range(12)]
    write(folder, numbered, part_positions=part_positions)
    urls = {numbered[number].url for number in gone}
    assert remove_documents(folder, urls | {"http://h1.example/unknown"}) == urls
    index = open_index(folder, check=True)
    held = [source for source in numbered if source.url not in urls]
    assert texts_in(index) == held
    assert index.contents.documents == len(held)
    assert index.match_all([ARTICLE]) == find_passages([part_in_memory(held)] if held else [], [ARTICLE])
    assert {path.name for path in folder.glob("part-*")} == {part.folder for part in index.contents.parts}


def test_parts_of_similar_size_are_merged(tmp_path: Path) -> None:
    folder = tmp_path / "idx"
    write(folder, SOURCES * 10)
    more = [SourceText(f"http://more.example/{number}", SOURCES[0].text) for number in range(12)]
    for source in more:
        write(folder, [source], anew=False)
        assert len(open_index(folder).parts) <= 3
    assert texts_in(open_index(folder, check=True)) == SOURCES * 10 + more
    named = {part.folder for part in read_contents(folder).parts}
    assert {path.name for path in folder.glob("part-*")} == named


@pytest.mark.parametrize(
    ("sizes", "groups"),
    [
        ([], []),
        ([5], [[0]]),
        ([100, 20, 4, 1], [[0], [1], [2], [3]]),
        ([200, 30, 4, 1, 1], [[0], [1], [2, 3, 4]]),
        ([100, 20, 4, 1, 1], [[0, 1, 2, 3, 4]]),  # each is small beside the sum of those after it
        ([16, 16, 16], [[0, 1, 2]]),
        ([MAX_POSITIONS // 2, MAX_POSITIONS // 2, MAX_POSITIONS // 2], [[0], [1, 2]]),
        ([MAX_POSITIONS, MAX_POSITIONS], [[0], [1]]),
    ],
)
def test_neighbours_are_merged_unless_they_are_much_larger_or_too_large(
    sizes: list[int], groups: list[list[int]]
) -> None:
    assert [list(group) for group in grouped(sizes)] == groups


@given(st.lists(st.integers(1, 1000), max_size=30))
def test_groups_cover_all_parts_in_order(sizes: list[int]) -> None:
    assert [number for group in grouped(sizes) for number in group] == list(range(len(sizes)))


def damage(path: Path, at: int = 0) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 0xFF
    path.write_bytes(bytes(content))


def test_a_damaged_list_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "idx"
    write(folder, SOURCES)
    record = json.loads((folder / LIST).read_text())
    record["parts"][0]["documents"] = 5
    (folder / LIST).write_text(json.dumps(record))
    with pytest.raises(IndexRefused, match=r"damaged.*build the index again"):
        open_index(folder)
    (folder / LIST).write_bytes(b"\x00 no json")
    with pytest.raises(IndexRefused, match="not the list of an index"):
        open_index(folder)


def test_another_version_or_kind_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "idx"
    write(folder, SOURCES)
    record = json.loads((folder / LIST).read_text())
    (folder / LIST).write_text(json.dumps({**record, "version": 99}))
    with pytest.raises(IndexRefused, match="version 99"):
        open_index(folder)
    (folder / LIST).write_text('{"name": "somebody else"}')
    with pytest.raises(IndexRefused, match="not the list of a copy index"):
        open_index(folder)


@pytest.mark.parametrize("name", ["digest", "order", "table", "text-0", "blocks"])
def test_a_file_that_is_cut_off_or_missing_is_refused_at_once(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "idx"
    write(folder, SOURCES)
    path = next(folder.glob(f"part-*/{name}"))
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(IndexRefused, match=f"{name}: damaged"):
        open_index(folder)
    path.unlink()
    with pytest.raises(IndexRefused, match=f"{name}: missing"):
        open_index(folder)


@pytest.mark.parametrize(
    "name", ["digest", "order", "table", "first", "host", "text-0", "blocks", "block_first"]
)
def test_checking_finds_a_changed_byte_in_any_file(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "idx"
    write(folder, SOURCES)
    damage(next(folder.glob(f"part-*/{name}")), at=1)
    with pytest.raises(IndexRefused, match=f"{name}: damaged"):
        open_index(folder, check=True)


def test_a_damaged_text_is_noticed_when_it_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "idx"
    write(folder, SOURCES)
    damage(next(folder.glob("part-*/text-0")), at=30)
    with pytest.raises(IndexRefused, match="text-0: damaged"):
        open_index(folder).match(ARTICLE)


@pytest.mark.parametrize("name", ["digest", "order", "table", "first"])
def test_whatever_an_unchecked_array_says_only_true_passages_are_reported(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "idx"
    write(folder, SOURCES)
    path = next(folder.glob(f"part-*/{name}"))
    whole = path.read_bytes()
    chance = random.Random(3)
    for _ in range(20):
        content = bytearray(whole)
        for _ in range(3):
            at = 4 * chance.randrange(len(content) // 4)
            content[at] = (
                content[at] + 1 + chance.randrange(3)
            ) % 256  # a lower byte: still inside the arrays
        path.write_bytes(bytes(content))
        try:
            found = open_index(folder).match(OTHER + ARTICLE)
        except IndexRefused:  # a position outside; the page gets an error row
            continue
        texts = {source.url: source.text for source in SOURCES}
        for passage in found:
            assert texts[passage.source_url][passage.source_start : passage.source_end] in OTHER + ARTICLE


def test_damage_does_not_spread_by_adding(tmp_path: Path) -> None:
    folder = tmp_path / "idx"
    write(folder, SOURCES)
    damage(next(folder.glob("part-*/digest")))
    before = (folder / LIST).read_bytes()
    for sources in (SOURCES[:1], [SourceText("http://more.example/", ARTICLE)]):
        with pytest.raises(IndexRefused, match="digest: damaged"):
            write(folder, sources, anew=False)
    assert (folder / LIST).read_bytes() == before


def test_what_is_no_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IndexRefused, match="there is no index; build one there first"):
        open_index(tmp_path / "nothing")
    with pytest.raises(IndexRefused, match="holds no index"):
        open_index(tmp_path)
    (tmp_path / "holiday.jpg").write_bytes(b"x")
    with pytest.raises(IndexRefused, match="holds other files"):
        write(tmp_path, SOURCES)
    with pytest.raises(IndexRefused, match="an index is a folder"):
        write(tmp_path / "holiday.jpg", SOURCES)
    with pytest.raises(IndexRefused, match="there is no index"):
        write(tmp_path / "nothing", SOURCES, anew=False)
    assert [path.name for path in tmp_path.iterdir()] == ["holiday.jpg"]


def test_two_writers_at_once_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "idx"
    write(folder, SOURCES[:1])
    with (
        writing(folder, {}, "first", anew=False),
        pytest.raises(IndexRefused, match="another process is writing"),
    ):
        write(folder, SOURCES, anew=False)
    write(folder, SOURCES[1:], anew=False)
    assert texts_in(open_index(folder)) == SOURCES


def test_a_writer_that_fails_leaves_the_index_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "idx"
    write(folder, SOURCES)
    before = files_in(folder)

    def failing() -> None:
        with writing(folder, {}, "x", anew=True) as writer:
            writer.add("http://x.example/", OTHER, *digested([OTHER])[0])
            raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError, match="the disk is full"):
        failing()
    assert files_in(folder) == before
    with pytest.raises(RuntimeError), writing(tmp_path / "new", {}, "x", anew=True):
        raise RuntimeError
    assert not (tmp_path / "new").exists()


def test_a_reader_keeps_what_it_opened(tmp_path: Path) -> None:
    folder = tmp_path / "idx"
    write(folder, SOURCES)
    index = open_index(folder)
    write(folder, [SourceText("http://new.example/", "別の索引に置き換えた。")])
    assert texts_in(index) == SOURCES
    assert index.match(OTHER)
    assert open_index(folder).contents.documents == 1


def test_an_interrupted_run_is_taken_up_at_the_last_whole_part(tmp_path: Path) -> None:
    folder, sources = tmp_path / "idx", SOURCES * 5

    def interrupted(signature: str) -> None:
        with writing(folder, {"filter": "none"}, signature, True, 40) as writer:
            for number, source in enumerate(sources[:12], 1):
                writer.add(source.url, source.text, *digested([source.text])[0])
                writer.seen(number, 0)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted("test")
    with pytest.raises(IndexRefused, match="run it again"):
        open_index(folder)
    done = write(folder, sources, part_positions=40)
    assert 0 < done < 12
    assert not (folder / NOTE).exists()
    write(tmp_path / "straight", sources, part_positions=40)
    assert texts_in(open_index(folder)) == sources
    ours, straight = files_in(folder), files_in(tmp_path / "straight")
    assert {name.partition("/")[2]: ours[name] for name in ours if "/" in name} == {
        name.partition("/")[2]: straight[name] for name in straight if "/" in name
    }
    with pytest.raises(KeyboardInterrupt):
        interrupted("test")
    assert write(folder, sources, part_positions=40, signature="other documents") == 0


def _write_forever(folder: str, anew: bool) -> None:
    while True:
        write(Path(folder), SOURCES * 3, anew=anew, part_positions=60, signature=str(time.monotonic()))


@pytest.mark.parametrize("anew", [True, False], ids=["build", "add"])
def test_killing_a_writer_at_any_moment_leaves_a_whole_index(tmp_path: Path, anew: bool) -> None:
    folder = tmp_path / "idx"
    write(folder, SOURCES * 3)
    context = multiprocessing.get_context("fork" if threads() == 1 else "spawn")
    chance = random.Random(7)
    for _ in range(10):
        process = context.Process(target=_write_forever, args=(str(folder), anew))
        process.start()
        deadline = time.monotonic() + 30
        while not any(folder.glob("part-*/*")) and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(chance.random() * 0.06)
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        index = open_index(folder, check=True)
        documents = texts_in(index)
        assert documents == SOURCES * 3 * (len(documents) // len(SOURCES * 3))
        assert documents
        assert index.match(OTHER, rule=PassageRule("plain"))
    write(folder, SOURCES, anew=False)
    assert {path.name for path in folder.iterdir()} == {
        LIST,
        "lock",
        *(part.folder for part in read_contents(folder).parts),
    }


def threads() -> int:
    import threading

    return threading.active_count()
