"""The corpus and its receipt: on random collections, on the mini-web, and case by case."""

from __future__ import annotations

import json
import random
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.chunker.masking import MaskSettings
from ruiji.corpora import MINIWEB
from ruiji.corpora.sources import GivenPages, named_pages
from ruiji.corpus_documents import GatherDocuments
from ruiji.detector.clean.order import KEEP
from ruiji.detector.clean.pipeline import CleanRules
from ruiji.detector.cleaning import FILES, CleanSettings, clean_corpus, gather_shard, merge_shards
from ruiji.document import DocumentsOfPages
from tests.detector.clean.collections import OWN, STORY, clean, text_pages, webs
from tests.detector.clean.receipts import check_receipt, rows
from tests.paths import DATA

A, B, C, D = (f"http://{name}.example/page" for name in "abcd")


def texts_in(folder: Path) -> dict[str, str]:
    return {row["url"]: row["text"] for row in rows(folder, "corpus")}


@given(
    web=webs, keep=st.sampled_from(KEEP), level=st.sampled_from(["page", "passage"]), one_site=st.booleans()
)
@settings(max_examples=20, deadline=None)
def test_the_receipt_restores_every_text(web: list[str], keep: str, level: str, one_site: bool) -> None:
    host = "http://a.example/" if one_site else "http://{}.example/"
    texts = {f"{host.format(number)}{number}": text for number, text in enumerate(web)}
    with TemporaryDirectory() as folder:
        for quotations in ("keep", "drop"):
            out = clean(Path(folder), text_pages(texts), keep=keep, level=level, quotations=quotations)
            check_receipt(out, texts)


@given(web=webs, seed=st.integers(0, 100))
@settings(max_examples=8, deadline=None)
def test_any_order_of_the_input_gives_the_same_bytes(web: list[str], seed: int) -> None:
    texts = {f"http://{number}.example/": text for number, text in enumerate(web)}
    pages = text_pages(texts)
    mixed = random.Random(seed).sample(pages, len(pages))
    with TemporaryDirectory() as folder:
        one, other = (clean(Path(folder) / name, own) for name, own in (("one", pages), ("other", mixed)))
        for name in FILES:
            assert (one / f"{name}.parquet").read_bytes() == (other / f"{name}.parquet").read_bytes()


def test_a_shared_passage_is_kept_once_by_the_older_page(tmp_path: Path) -> None:
    texts = {A: "\n".join([OWN[0], *STORY]), B: "\n".join([OWN[1], *STORY, OWN[2]])}
    pages = text_pages(texts, last_modified={A: "2020-05-01", B: "2010-05-01"})
    out = clean(tmp_path, pages, keep="oldest")
    assert texts_in(out) == {A: OWN[0], B: texts[B]}
    (row,) = rows(out, "removed")
    assert (row["url"], row["kept_url"], row["reason"]) == (A, B, "passage")
    assert texts[B][row["kept_start"] : row["kept_end"]] == "\n".join(STORY)


def test_paragraphs_do_not_run_together_where_a_passage_went(tmp_path: Path) -> None:
    shared = "".join(STORY)
    texts = {A: shared, B: f"{OWN[0]}{shared}\n{OWN[1]}", C: f"Mr. Own. {shared} {OWN[2]}"}
    out = clean(tmp_path, text_pages(texts, last_modified={A: "2001-01-01"}), keep="oldest")
    assert texts_in(out)[B] == f"{OWN[0]}\n{OWN[1]}"
    assert texts_in(out)[C] == f"Mr. Own. {OWN[2]}"


def test_stock_phrases_and_single_quotations_stay(tmp_path: Path) -> None:
    texts = {A: "\n".join(["はい。", *STORY]), B: "\n".join([OWN[0], STORY[1], OWN[1], "はい。", OWN[2]])}
    assert texts_in(clean(tmp_path / "keep", text_pages(texts))) == texts
    dropped = clean(tmp_path / "drop", text_pages(texts), quotations="drop", keep="longest")
    assert [row["reason"] for row in rows(dropped, "removed")] == ["quotation"]
    assert texts_in(dropped)[B] == "\n".join([OWN[0], OWN[1], "はい。", OWN[2]])


def test_short_lines_between_removed_ones_go_with_them(tmp_path: Path) -> None:
    passage = "\n".join([STORY[0], "参照", STORY[1]])
    texts = {A: passage, B: f"{OWN[0]}\n{passage}\n{OWN[1]}", C: f"{OWN[2]}\n参照"}
    out = clean(tmp_path, text_pages(texts), keep="first")
    assert texts_in(out) == {A: passage, B: f"{OWN[0]}\n{OWN[1]}", C: texts[C]}


def test_boilerplate_at_the_edge_of_a_page_goes_however_short(tmp_path: Path) -> None:
    texts = {f"http://a.example/{number}": f"Tweet\n{own}" for number, own in enumerate([*OWN, *STORY])}
    texts |= {B: f"Tweet\n{OWN[0][::-1]}"}
    out = clean(tmp_path, text_pages(texts))
    assert sum("Tweet" in text for text in texts_in(out).values()) == 2  # once on the site, and elsewhere
    assert {row["reason"] for row in rows(out, "removed")} == {"boilerplate"}


def test_a_short_heading_that_a_site_repeats_stays_with_its_text(tmp_path: Path) -> None:
    pairs = zip([*OWN, *STORY], [line[::-1] for line in [*OWN, *STORY]], strict=True)
    texts = {
        f"http://a.example/{number}": f"{before}\n概要\n{after}"
        for number, (before, after) in enumerate(pairs)
    }
    out = clean(tmp_path, text_pages(texts))
    assert texts_in(out) == texts


def test_a_notice_that_a_site_repeats_goes_from_the_midst_of_its_pages(tmp_path: Path) -> None:
    notice = "この新聞を応援するには三つの方法があります\n知り合いにこの新聞をおすすめする"
    pairs = zip([*OWN, *STORY], [line[::-1] for line in [*OWN, *STORY]], strict=True)
    texts = {
        f"http://a.example/{number}": f"{before}\n{notice}\n{after}"
        for number, (before, after) in enumerate(pairs)
    }
    out = clean(tmp_path, text_pages(texts))
    assert sum(notice in text for text in texts_in(out).values()) == 1
    assert {row["reason"] for row in rows(out, "removed")} == {"boilerplate"}
    check_receipt(out, texts)


def test_of_a_passage_on_very_many_pages_one_is_kept(tmp_path: Path) -> None:
    texts = {f"http://{number}.example/": f"{number} {'番' * 30}{number}。\n" + "\n".join(STORY)
             for number in range(40)}  # fmt: skip
    out = clean(tmp_path, text_pages(texts))
    assert sum(STORY[0] in text for text in texts_in(out).values()) == 1
    assert {row["duplicates"] for row in rows(out, "corpus")} == {40}
    check_receipt(out, texts)


def test_at_page_level_only_whole_pages_go(tmp_path: Path) -> None:
    own = "魚の名前をここで一つだけ、ほかとは違う形で書いておきます。"
    story = "\n".join(STORY)
    texts = {A: story, B: story, C: "\n".join([*OWN, *STORY]), D: f"{OWN[0]}\n{STORY[0]}"}
    texts["http://e.example/"] = f"{story}\n{own}"
    out = clean(tmp_path, text_pages(texts), level="page")
    assert texts_in(out) == {C: texts[C], "http://e.example/": texts["http://e.example/"]}
    reasons = {row["url"]: (row["reason"], row["kept_url"]) for row in rows(out, "left_out")}
    assert reasons == dict.fromkeys((A, B, D), ("contained", C))
    check_receipt(out, texts)


def test_marking_removes_nothing(tmp_path: Path) -> None:
    texts = {A: "\n".join(STORY), B: "\n".join([OWN[0], *STORY]), C: "\n".join(OWN)}
    out = clean(tmp_path, text_pages(texts), level="mark", keep="first")
    assert texts_in(out) == texts
    marked = {row["url"]: (row["cluster"], row["duplicates"], row["removed_chars"] > 0)
              for row in rows(out, "corpus")}  # fmt: skip
    assert marked == {A: (A, 2, False), B: (A, 2, True), C: (C, 1, False)}


@pytest.mark.parametrize(("keep", "kept"), [("first", C), ("longest", A), ("oldest", B)])
def test_who_keeps_what_several_have(tmp_path: Path, keep: str, kept: str) -> None:
    shared = "\n".join(STORY)
    texts = {C: f"{shared}\n短い。", A: f"{shared}\n{OWN[0]}", B: f"{shared}\n別。"}
    pages = text_pages(texts, last_modified={C: "2015-01-01", A: "2014-01-01", B: "2013-01-01"})
    out = clean(tmp_path, pages, keep=keep)
    assert {row["kept_url"] for row in rows(out, "removed")} == {kept}


def test_the_original_is_the_page_that_was_published_first(tmp_path: Path) -> None:
    shared = "\n".join(STORY)
    texts = {A: f"{shared}\n{OWN[0]}", B: f"{OWN[1]}\n{shared}"}
    pages = text_pages(
        texts, published={A: "2020-02-03", B: "2011-02-03"}, last_modified={A: "2009-01-01", B: "2021-01-01"}
    )
    out = clean(tmp_path, pages)
    assert {row["kept_url"] for row in rows(out, "removed")} == {B}


def test_pages_of_one_id_fail_but_one_and_empty_pages_stay(tmp_path: Path) -> None:
    pages = [*text_pages({A: STORY[0], B: ""}), *text_pages({A: STORY[1]})]
    out = clean(tmp_path, pages)
    assert texts_in(out)[B] == ""
    assert [(row["url"], row["reason"]) for row in rows(out, "left_out")] == [(A, "error")]


def test_shards_give_the_bytes_of_one_run(tmp_path: Path) -> None:
    texts = {f"http://{n}.example/": "\n".join([f"{n}" * 30, *STORY[n % 3 :]]) for n in range(11)}
    pages = named_pages([_jsonl(tmp_path / "pages.jsonl", texts)])
    settings = CleanSettings(MaskSettings("none"), jobs=0)
    one = clean_corpus(pages, tmp_path / "one", settings, GatherDocuments).folder
    for number in (1, 2, 3):
        own = CleanSettings(MaskSettings("none"), jobs=0, shard=(number, 3))
        gather_shard(pages, tmp_path / "shards", own, GatherDocuments)
    merged = merge_shards([tmp_path / "shards"], tmp_path / "merged", settings).folder
    for name in FILES:
        assert (one / f"{name}.parquet").read_bytes() == (merged / f"{name}.parquet").read_bytes()


def _jsonl(path: Path, texts: dict[str, str]) -> Path:
    path.write_text("".join(json.dumps({"url": url, "text": text}) + "\n" for url, text in texts.items()))
    return path


def extracted(pages: Any) -> dict[str, str]:
    return {document.id: document.text for document in DocumentsOfPages(MaskSettings("blocks"))(list(pages))}


def test_the_receipt_holds_on_the_mini_web(tmp_path: Path) -> None:
    pages = named_pages([MINIWEB])
    settings = CleanSettings(masks=MaskSettings("blocks"), rules=CleanRules(), jobs=0)
    out = clean_corpus(pages, tmp_path, settings, GatherDocuments).folder
    assert rows(out, "removed")
    check_receipt(out, extracted(pages))


@pytest.mark.skipif(not (DATA / "pairs-web").is_dir(), reason="the transplanted pages are not here")
def test_the_receipt_holds_on_real_pages_for_any_number_of_jobs(tmp_path: Path) -> None:
    pages = GivenPages(list(islice(named_pages([DATA / "pairs-web/pages.jsonl.gz"]), 0, None, 13)))
    folders = []
    for jobs in (0, 2):
        settings = CleanSettings(masks=MaskSettings("blocks"), jobs=jobs)
        folders.append(clean_corpus(pages, tmp_path / str(jobs), settings, GatherDocuments).folder)
    check_receipt(folders[0], extracted(pages))
    for name in FILES:
        one, other = ((folder / f"{name}.parquet").read_bytes() for folder in folders)
        assert one == other
