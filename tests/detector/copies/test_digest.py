"""Digests: segments in order, robust to moved line breaks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.chunker import annotated_mask
from ruiji.corpora import MINIWEB, read_pages
from ruiji.detector.copies.chunks import CHUNK_REACH
from ruiji.detector.copies.digest import (
    CHUNK,
    JOIN,
    MIN_LETTERS,
    SENTENCE,
    Digest,
    query_digest,
    source_digest,
)
from ruiji.detector.copies.fingerprints import BORDER, rabin
from ruiji.detector.sentences.table import split_texts
from ruiji.features import text_nodes
from tests.strategies import any_text

JAPANESE = st.text(alphabet="あいうえお漢字。、！」と\n Ab.1", max_size=80)


def segments(digest: Digest, kind: int = SENTENCE, text: int = 0) -> list[str]:
    chosen = (digest.kind == kind) & (digest.text == text)
    letters = digest.folded.letters
    return [
        "".join(map(chr, letters[a:b].tolist()))
        for a, b in zip(digest.start[chosen], digest.end[chosen], strict=True)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("港町の朝は早い。まだ暗いうちから船を出す！", ["港町の朝は早い", "まだ暗いうちから船を出す"]),
        ("「もう帰りましょう！」と彼女は言った。", ["もう帰りましょうと彼女は言った"]),
        (
            "おはよう。おやすみ。本年もよろしく。",
            ["本年もよろしく"],
        ),  # the paper's section 5.1: おはよう is too short
        ("The cat sat. It ran 3.5 miles. J. Smith saw it", ["thecatsat", "itran35miles", "jsmithsawit"]),
        ("見出しの一行\n本文の最初の文。", ["見出しの一行", "本文の最初の文"]),
        ("行の終わりで、\n続いている文。", ["行の終わりで", "続いている文"]),
        ("wrapped line of\nlower case text.", ["wrappedlineof", "lowercasetext"]),
        ("", []),
    ],
)
def test_segments_are_sentences_without_symbols(text: str, expected: list[str]) -> None:
    assert segments(source_digest([text])) == segments(query_digest([text])) == expected


def test_sentences_are_those_of_the_splitter_in_prose() -> None:
    texts = []
    for page in read_pages([MINIWEB]):
        nodes = text_nodes(page)
        texts.append(nodes.shown_text(annotated_mask(nodes).content))
    digest = source_digest(texts)
    chosen = (digest.kind == SENTENCE) & digest.ended
    ours = {
        (int(t), int(digest.folded.place[e - 1] - digest.folded.text_start[t]))
        for t, e in zip(digest.text[chosen], digest.end[chosen], strict=True)
    }
    theirs = set()
    split = split_texts(texts)
    rank, start = digest.folded.rank, digest.folded.text_start
    for text, end in zip(split.text.tolist(), split.end.tolist(), strict=True):
        letter = int(rank[start[text] + end]) - 1
        theirs.add((text, int(digest.folded.place[letter] - start[text])))
    assert len(ours) > 4000
    assert len(ours & theirs) / len(ours) > 0.97


def test_a_list_is_chunked_alike_wherever_its_lines_break() -> None:
    items = [
        "五十集船は魚や塩干物を運んだ",
        "北前船は米と昆布と鰊粕を運んだ",
        "樽廻船は酒樽を江戸へ送った",
        "菱垣廻船は木綿や油を積んだ",
    ]
    broken = "\n".join(items) + "\nそのほかの船。"
    moved = (
        "・".join(items[:2]) + "\n" + items[2][:5] + "\n" + items[2][5:] + " " + items[3] + "\nそのほかの船。"
    )
    chunks = segments(source_digest([broken]), CHUNK)
    assert "".join(chunks) in "".join(segments(source_digest([broken])))
    assert chunks[1:-1] == segments(source_digest([moved]), CHUNK)[1:-1]
    assert set(chunks[1:-2]) <= set(
        segments(query_digest(["まえの文。" + "、".join(items) + "。うしろの文。"]), CHUNK)
    )


def test_sentences_are_found_in_lines_that_break_elsewhere() -> None:
    query = query_digest(
        [
            "・二艘は沖側で袋網を下ろし、\n左右に分かれて\n浜へ戻る、\n・曳き綱を受け取った\n引き手が綱を引く、袖が近づく"
        ]
    )
    assert {"二艘は沖側で袋網を下ろし左右に分かれて浜へ戻る", "曳き綱を受け取った引き手が綱を引く"} <= set(
        segments(query, JOIN)
    )


def test_a_wrapped_sentence_is_also_indexed_whole() -> None:
    text = "この文は二行にまたがっていて途中で行が変わり\nそして終わる長い文である。"
    assert segments(source_digest([text]), JOIN) == [
        "この文は二行にまたがっていて途中で行が変わりそして終わる長い文である"
    ]
    assert segments(source_digest(["見出し語の行\nそして終わる文である。"]), JOIN) == []
    assert segments(source_digest(["短い行でも、\nそして終わる文である。"]), JOIN) == [
        "短い行でもそして終わる文である"
    ]
    assert segments(source_digest(["wrapped line of\nlower case text."]), JOIN) == [
        "wrappedlineoflowercasetext"
    ]


@given(st.lists(st.one_of(JAPANESE, any_text), max_size=4))
def test_segments_lie_in_their_texts_and_are_long_enough(texts: list[str]) -> None:
    for digest in (source_digest(texts), query_digest(texts)):
        ends = digest.folded.rank[digest.folded.text_start]
        assert (digest.end - digest.start >= MIN_LETTERS).all()
        assert (digest.start >= ends[digest.text]).all()
        assert (digest.end <= ends[digest.text + 1]).all()
        assert (np.diff(digest.text) >= 0).all()
        assert digest.first.tolist() == [int((digest.text < text).sum()) for text in range(len(texts) + 1)]
        sentences = digest.kind == SENTENCE
        same = np.diff(digest.text[sentences]) == 0
        assert (digest.start[sentences][1:][same] >= digest.end[sentences][:-1][same]).all()


@given(st.lists(JAPANESE, min_size=1, max_size=4))
def test_a_batch_gives_what_each_text_gives_alone(texts: list[str]) -> None:
    for digest in (source_digest, query_digest):
        whole = digest(texts)
        for kind in (SENTENCE, JOIN, CHUNK):
            assert [segments(whole, kind, text) for text in range(len(texts))] == [
                segments(digest([text]), kind) for text in texts
            ]


@given(st.lists(JAPANESE, max_size=4))
def test_borders_stand_where_segments_do_not_follow(texts: list[str]) -> None:
    source = source_digest(texts)
    digest, marks, first = source.with_borders()
    assert digest[digest != BORDER].tolist() == source.fingerprint.tolist()
    assert marks[digest != BORDER].tolist() == source.marks().tolist()
    assert not marks[digest == BORDER].any()
    for text in range(len(texts)):
        own = digest[first[text] : first[text + 1]]
        alone, _, _ = source_digest([texts[text]]).with_borders()
        assert own.tolist() == alone.tolist()
        assert len(own) == 0 or own[-1] == BORDER


@given(
    st.text(alphabet="abcdefgh", min_size=60, max_size=200),
    st.text(alphabet="xyz", max_size=30),
    st.text(alphabet="xyz", max_size=30),
)
def test_chunks_depend_on_the_letters_around_only(shared: str, before: str, after: str) -> None:
    alone = set(segments(query_digest([shared]), CHUNK)[1:-1])
    inside = segments(query_digest([before + shared + after]), CHUNK)
    kept = [chunk for chunk in inside if chunk in alone]
    covered = sum(map(len, kept))
    assert (
        covered >= min(sum(map(len, alone)), len(shared) - 8 * (2 * CHUNK_REACH + 3)) or len(set(shared)) < 4
    )


@given(st.text(alphabet="abc", min_size=1, max_size=30), st.integers(0, 20), st.integers(0, 20))
def test_a_fingerprint_depends_on_the_letters_not_on_the_place(stretch: str, before: int, after: int) -> None:
    letters = np.array([ord("z")] * before + [ord(c) for c in stretch] + [ord("y")] * after, dtype=np.uint32)
    alone = np.array([ord(c) for c in stretch], dtype=np.uint32)
    (ours,) = rabin(letters, np.array([before]), np.array([before + len(stretch)]))
    (theirs,) = rabin(alone, np.array([0]), np.array([len(stretch)]))
    assert ours == theirs != BORDER


def test_fingerprints_of_a_million_stretches_collide_as_chance_has_it() -> None:
    random = np.random.default_rng(1)
    letters = random.integers(0x3041, 0x3096, 400_000).astype(np.uint32)
    start = np.arange(0, 399_000)
    values = rabin(letters, start, start + 12)
    collisions = len(values) - len(np.unique(values))
    assert collisions < 50  # 399,000² / 2 / 2³² is 18.5
