"""Pages that are read a second time: their masks are those that the extractor would work out anew."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ruiji.chunker.fitting import fit_extractor, pages_alone
from ruiji.chunker.unique.known_masks import KnownMasks
from ruiji.chunker.unique.page_key import page_key
from ruiji.corpora import read_pages
from ruiji.corpora.sources import NamedPages
from ruiji.features import text_nodes
from tests.paths import ROOT

SITE = str(ROOT / "corpora/miniweb/isobe-lab.ocean.miozaki-u.ac.jp")


def test_known_pages_get_the_masks_that_the_extractor_gives_them(tmp_path: Path) -> None:
    fitted = fit_extractor(NamedPages((SITE,)))
    pages = [text_nodes(page) for page in read_pages([SITE])]
    fitted.known.save(tmp_path)
    known = KnownMasks.load(tmp_path)
    assert len(known.scores) == len({page_key(nodes) for nodes in pages}) > 2
    for mask, expected in zip(
        known.masks(pages, fitted.extractor), fitted.extractor.predict_masks(pages), strict=True
    ):
        assert np.array_equal(mask.content, expected.content)
        assert np.array_equal(mask.score, expected.score)
        assert mask.decided_by == expected.decided_by


def test_a_page_that_is_not_known_is_judged_by_the_extractor(tmp_path: Path) -> None:
    fitted = fit_extractor(NamedPages((SITE,)))
    nodes = text_nodes(next(iter(read_pages([SITE]))))
    changed = replace(nodes, texts=[*nodes.texts[:-1], "その日だけの別の文。"])
    assert page_key(changed) not in fitted.known.scores
    (mask,) = fitted.known.masks([changed], fitted.extractor)
    (expected,) = fitted.extractor.predict_masks([changed])
    assert np.array_equal(mask.score, expected.score)


def test_there_are_no_known_masks_beside_an_extractor_of_other_pages(tmp_path: Path) -> None:
    assert not KnownMasks.load(tmp_path).scores


def test_pages_alone_on_their_sites_are_not_taken_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pages.jsonl"
    texts = {"a.example": "The ferry leaves at seven.", "b.example": "Rain is expected on Monday."}
    rows = [{"url": f"http://{host}/", "html": f"<p>{text}</p>"} for host, text in texts.items()]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    source = NamedPages((str(path),))
    everything = fit_extractor(source)
    pages = [text_nodes(page) for page in read_pages([str(path)])]
    expected = everything.extractor.predict_masks(pages)
    monkeypatch.setattr("ruiji.chunker.unique.page_blocks.page_blocks", None)
    monkeypatch.setattr("ruiji.chunker.unique.uniqueness.page_blocks", None)
    fitted = fit_extractor(source, only_compared=True)
    assert pages_alone(fitted) == pages_alone(everything) == ["http://a.example/", "http://b.example/"]
    for mask, other in zip(fitted.known.masks(pages, fitted.extractor), expected, strict=True):
        assert np.array_equal(mask.content, other.content)
        assert mask.decided_by == other.decided_by == "unique: alone, none"


def test_twins_do_not_depend_on_how_many_pairs_are_looked_at_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = fit_extractor(NamedPages((SITE,))).extractor.twins_
    monkeypatch.setattr("ruiji.chunker.unique.twins.PAIRS_AT_ONCE", 1)
    parts = fit_extractor(NamedPages((SITE,))).extractor.twins_
    assert np.array_equal(whole.pages, parts.pages)
    assert np.array_equal(whole.start, parts.start)
