"""Runs of prose: which stands where, how large it is beside the others, and that pages do not meet."""

from __future__ import annotations

import numpy as np
import pytest

from ruiji.features.blocks.runs import GAP, runs
from ruiji.features.blocks.table import FAR, Blocks
from ruiji.features.nodes.forest import forest
from tests.factories import make_nodes

PROSE = "The boats leave early, before the sun is up, and nobody in the town hears them go out to sea. "
SHORT = "<div>Anna</div>"
ARTICLE = "<h1>Boats</h1>" + f"<p>{PROSE}</p>" * 3
COMMENT = SHORT * GAP + f"<p>{PROSE}</p>"


def numbers(*pages: str) -> dict[str, list[float]]:
    blocks = Blocks(forest([make_nodes(html) for html in pages]))
    return {name: np.asarray(column, dtype=float).tolist() for name, column in runs(blocks).items()}


def test_an_article_is_one_run_and_comments_are_others() -> None:
    columns = numbers(ARTICLE + COMMENT * 2)
    assert columns["run_share"][:5] == pytest.approx([0, 0.6, 0.6, 0.6, 0])
    assert [columns[name][7] for name in ("run_share", "largest_run_before", "run_beside_before")] == (
        pytest.approx([0.2, 0.6, 0.25])
    )
    assert columns["runs_before"][0::4] == [0, 1, 2]
    assert columns["runs_after"][0] == 3
    assert columns["largest_run_after"][:2] == pytest.approx([0.6, 0.2])
    assert columns["run_gap"][7] == GAP + 1


def test_a_heading_between_paragraphs_parts_no_run() -> None:
    columns = numbers(f"<p>{PROSE}</p><h2>Later</h2><p>{PROSE}</p>")
    assert columns["run_share"] == [1, 1, 1]
    assert set(columns["runs_before"]) == {0}
    assert set(columns["run_gap"]) == {FAR}


def test_a_page_without_prose_has_no_runs() -> None:
    columns = numbers(SHORT * 3)
    assert set(columns["run_share"]) == set(columns["runs_after"]) == {0}
    assert set(columns["run_beside_before"]) == {-1}


def test_pages_do_not_meet() -> None:
    pages = (SHORT * 2 + ARTICLE + COMMENT, SHORT, f"<p>{PROSE * 9}</p>", COMMENT * 3)
    together = numbers(*pages)
    for name, column in together.items():
        assert column == [value for page in pages for value in numbers(page)[name]]
