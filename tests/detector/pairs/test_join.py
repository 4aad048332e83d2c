"""The join against brute force, on DuckDB; tests/detector/pairs/test_spark.py runs the same on Spark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.detector.gather.occurrences import Usable
from ruiji.detector.pairs.collection import JoinInput
from ruiji.detector.pairs.common_use import COMMON_BITS
from ruiji.detector.pairs.duck import DuckEngine
from ruiji.detector.pairs.join import Join
from tests.detector.pairs.collections import Pair, brute_force, collection


@contextmanager
def duck(tables: JoinInput, folder: Path, memory: str = "200MB") -> Iterator[DuckEngine]:
    engine = DuckEngine(tables.tables, folder / "engine", memory, 1)
    try:
        yield engine
    finally:
        engine.close()


def rows(tables: JoinInput, folder: Path, max_pages: int = 10, **settings: Any) -> list[dict[str, Any]]:
    join = Join(Usable(max_pages=max_pages), tables.first_old, **settings)
    with duck(tables, folder) as engine:
        join.run(engine)
        return [row for batch in join.pairs(engine) for row in batch.to_pylist() if row["fresh"]]


def pairs(
    pages: Mapping[str, Sequence[str]], folder: Path, max_pages: int = 10, **options: Any
) -> dict[Pair, tuple[int, int]]:
    join_options = {name: options.pop(name) for name in ("star_above",) if name in options}
    found = rows(collection(folder, pages, **options), folder, max_pages, **join_options)
    assert len({(row["url_a"], row["url_b"]) for row in found}) == len(found)
    return {(row["url_a"], row["url_b"]): (row["shared_sentences"], row["shared_chars"]) for row in found}


def page(number: int) -> str:
    return f"http://host{number}.example/p{number}"


small_webs = st.lists(
    st.lists(st.sampled_from("あいうえおかきくけこ"), max_size=6), min_size=1, max_size=9
).map(
    lambda contents: {
        page(number): [text * (ord(text) % 7 + 1) for text in content]
        for number, content in enumerate(contents)
    }
)


@settings(max_examples=40)
@given(small_webs, st.integers(2, 4), st.integers(0, 3), st.integers(1, 4), st.booleans())
def test_the_pairs_are_those_of_brute_force(
    pages: dict[str, list[str]], max_pages: int, old: int, star_above: int, weak: bool
) -> None:
    """Also where keys are so weak that half of all sentences have the same; pages of common sentences then
    need not be found alike.
    """
    old = min(old, len(pages))
    max_pages = 100 if weak else max_pages
    functions = {"key": lambda text: len(text) % 2} if weak else {}
    with TemporaryDirectory() as folder:
        found = pairs(pages, Path(folder), max_pages, star_above=star_above, old=old, **functions)
    assert found == brute_force(pages, max_pages, star_above, old)


def test_a_collision_of_keys_never_makes_a_pair(tmp_path: Path) -> None:
    pages = {
        page(0): ["ある晴れた朝のこと。"],
        page(1): ["雨の夜のことだった。"],
        page(2): ["雨の夜のことだった。", "港の話。"],
    }
    assert pairs(pages, tmp_path, key=lambda text: 7) == {(page(1), page(2)): (1, 10)}


def test_a_collision_of_digests_never_makes_a_group(tmp_path: Path) -> None:
    pages = {page(0): ["ある晴れた朝のこと。"], page(1): ["雨の夜のことだった。"]}
    assert pairs(pages, tmp_path, digest=lambda texts: "same") == {}


def test_a_sentence_of_too_many_pages_makes_no_pair(tmp_path: Path) -> None:
    pages = {page(number): ["どのページにもある文。", f"{number}番目の文。"] for number in range(11)}
    assert pairs(pages, tmp_path) == {}
    del pages[page(0)]
    assert len(pairs(pages, tmp_path)) == 45


def test_a_page_at_a_hundred_addresses_is_found_as_a_star(tmp_path: Path) -> None:
    pages = {f"http://copy{number:03}.example/": ["一つ目の文。", "二つ目の文。"] for number in range(100)}
    pages["http://a.example/quoting"] = ["一つ目の文。", "引用した人の文。"]
    found = pairs(pages, tmp_path)
    kept = "http://copy000.example/"
    assert found == {(kept, url): (2, 12) for url in list(pages)[1:100]} | {
        ("http://a.example/quoting", kept): (1, 6)
    }


def test_pages_at_a_hundred_addresses_with_a_line_of_their_own_each_are_found_too(tmp_path: Path) -> None:
    shared = [f"どのページにもある{number}番目のとても長い文がここに書かれている。" for number in range(5)]
    pages = {f"http://copy{number:03}.example/": [*shared, f"{number}番の行"] for number in range(100)}
    pages["http://a.example/quoting"] = [shared[0], "引用した人の文。"]
    pages["http://a.example/other"] = [*shared, "引用ではなく自分で書いた文が半分近くあるページである。" * 3]
    found = pairs(pages, tmp_path)
    kept = "http://copy010.example/"  # of those with the most content the first
    copies = {
        (min(kept, url), max(kept, url)) for url in pages if url.startswith("http://copy") and url != kept
    }
    assert {pair for pair, (count, _) in found.items() if count == 5} == copies | {
        ("http://a.example/other", kept)
    }
    assert set(found) - copies == {
        ("http://a.example/other", kept),
        ("http://a.example/other", "http://a.example/quoting"),
        ("http://a.example/quoting", kept),
    }


def test_a_fresh_page_stands_for_pages_of_the_same_content(tmp_path: Path) -> None:
    """Else what it shares with a page of an earlier run would be a matter between two old pages."""
    pages = {
        "http://new.example/longer": ["同じ文。"],
        "http://a.example/": ["同じ文。"],
        "http://b.example/": ["同じ文。", "別の文。"],
    }
    found = pairs(pages, tmp_path, old=2)
    assert set(found) == {
        ("http://a.example/", "http://new.example/longer"),
        ("http://b.example/", "http://new.example/longer"),
    }


def test_pages_of_a_small_group_are_all_compared(tmp_path: Path) -> None:
    """The mirror of a wiki page is cited too when the wiki page is."""
    pages = {page(0): ["本文の文。"], page(1): ["本文の文。"], page(2): ["本文の文。", "掲示板の文。"]}
    assert set(pairs(pages, tmp_path)) == {(page(0), page(1)), (page(0), page(2)), (page(1), page(2))}


def test_the_oldest_page_of_a_group_is_kept_then_that_of_the_shortest_address(tmp_path: Path) -> None:
    urls = ["http://a.example/1", "http://b.example/22", "http://c.example/333", "http://d.example/4"]
    pages = {key: ["同じ文。"] for key in urls}
    found = pairs(
        pages,
        tmp_path,
        star_above=2,
        changed={urls[2]: "2001-02-03T00:00:00Z", urls[1]: "2001-02-04T00:00:00Z"},
    )
    assert set(found) == {(urls[0], urls[2]), (urls[1], urls[2]), (urls[2], urls[3])}
    assert set(pairs(pages, tmp_path, star_above=2)) == {(urls[0], url) for url in urls[1:]}


@pytest.mark.parametrize("old", [1, 2])
def test_pages_of_an_earlier_run_are_compared_with_new_ones_only(tmp_path: Path, old: int) -> None:
    pages = {page(number): ["みんなの文。", f"{number}番目の文。"] for number in range(3)}
    assert set(pairs(pages, tmp_path, old=old)) == {(page(0), page(1)), (page(0), page(2))} | (
        {(page(1), page(2))} if old == 1 else set()
    )
    assert pairs(pages, tmp_path, max_pages=2, old=old) == {}  # frequency is counted over both


def test_links_are_told_by_direction_whatever_form_the_address_has(tmp_path: Path) -> None:
    pages = {f"http://{name}.example/": ["同じ文。", name] for name in "abc"}
    links = [
        ("http://a.example/", "https://b.example/index.html"),
        ("http://b.example/", "http://a.example"),
        ("http://c.example/", "http://A.example/"),
    ]
    found = {
        (row["url_a"][7], row["url_b"][7]): (row["a_to_b"], row["b_to_a"])
        for row in rows(collection(tmp_path, pages, links=links), tmp_path)
    }
    assert found == {("a", "b"): (True, True), ("a", "c"): (False, True), ("b", "c"): (False, False)}


def test_pairs_come_sorted_with_the_lower_address_first(tmp_path: Path) -> None:
    urls = ["http://z.example/", "http://a.example/", "http://é.example/", "http://m.example/"]
    pages = {url: ["同じ文。", url] for url in urls}
    assert list(pairs(pages, tmp_path)) == sorted(
        (min(a, b), max(a, b)) for n, a in enumerate(urls) for b in urls[n + 1 :]
    )


def test_a_collection_without_any_sentence_has_no_pairs(tmp_path: Path) -> None:
    assert pairs({page(0): [], page(1): []}, tmp_path) == {}


def bits(pages: Mapping[str, Sequence[str]], folder: Path, **options: Any) -> dict[Pair, int]:
    return {
        (row["url_a"], row["url_b"]): row["bits"]
        for row in rows(collection(folder, pages, **options), folder)
    }


def test_a_sentence_of_four_unrelated_sites_says_little(tmp_path: Path) -> None:
    text = "ご利用にあたっては次の点に注意してください。"
    pages = {page(number): [text, f"{number}番目のページだけにある文。"] for number in range(4)}
    assert set(bits(pages, tmp_path / "four").values()) == {COMMON_BITS}
    del pages[page(0)]
    assert set(bits(pages, tmp_path / "three").values()) == {4 * len(text)}
    pages[page(0)] = ["通知の欄がある零番目のページの文。"]
    aside = bits(pages, tmp_path / "aside", asides={page(0): [text]})
    assert set(aside.values()) == {COMMON_BITS}, "one site shows it beside its content"


def test_copies_of_one_text_are_not_as_many_unrelated_sites(tmp_path: Path) -> None:
    quoted = "山の上の古い灯台は今も毎晩ひとりの男が守っている。"
    whole = [
        "港の町には三つの市場があり、朝の市が最もにぎわう。",
        "冬は北の風が強く、船は沖に出られない。",
    ]
    pages = {page(number): [quoted, f"{number}番目のページだけにある文。"] for number in range(4)}
    apart = bits(pages, tmp_path / "apart")
    assert set(apart.values()) == {COMMON_BITS}
    for number in (0, 1):
        pages[page(number)] = [*pages[page(number)], *whole]
    found = bits(pages, tmp_path / "copy")
    assert found[page(2), page(3)] == 4 * len(quoted), "one text, its copy and two quotations are three"


def test_a_page_in_four_releases_at_hosts_of_their_own_is_one_page(tmp_path: Path) -> None:
    text = "この章では導入の手順を順に説明します。"
    pages = {
        f"http://manual.release{number}.example/ch01.html": [text, f"第{number}版だけの文。"]
        for number in range(5)
    }
    assert set(bits(pages, tmp_path).values()) == {4 * len(text)}


def test_four_hosts_of_one_site_are_one_site(tmp_path: Path) -> None:
    pages = {
        f"http://host{number}.one.example/p": ["同じ会社の文。", f"{number}だけの文。"] for number in range(4)
    }
    assert set(bits(pages, tmp_path).values()) == {4 * len("同じ会社の文。")}


def test_a_sentence_that_has_a_source_says_all_it_says(tmp_path: Path) -> None:
    pages = {page(number): ["よく引用される文。", f"{number}だけの文。"] for number in range(5)}
    found = bits(pages, tmp_path, links=[(page(1), page(0))])
    assert set(found.values()) == {4 * len("よく引用される文。")}
