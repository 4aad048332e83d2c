"""The report of ``ruiji evaluate --errors``: the worst pages of a filter, truth and label side by side.

What the page shows is gathered here; ``templates/errors.html`` shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruiji.chunker.crf.explanation import Reason
from ruiji.chunker.evaluation.crossval import PageOutcome, Scores
from ruiji.chunker.evaluation.errors import (
    LOST,
    RIGHT,
    SURPLUS,
    NodeRun,
    runs_of,
    scores_by_kind,
    worst_pages,
)
from ruiji.chunker.metrics import NAMES
from ruiji.features.page.textnodes import TextNodes
from ruiji.report.rendering import write_page
from ruiji.words import BOTH

PAGES_SHOWN = 10
RUNS_SHOWN = 40  # of a page
RUNS_EXPLAINED = 8  # of a page, those with the most characters
REASONS_SHOWN = 5
NODES_OF_A_RIGHT_RUN = 2  # shown at each end of a run that is right; what lies between is counted
LONGEST_TEXT = 400  # characters of a text node
SCORES_SHOWN = ("word_F1", "word_P", "word_R", "B_F", "R_F", "FP_c")

Explain = Callable[[TextNodes, int], Sequence[Reason]]


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run of text nodes as the report shows it; ``left_out`` counts the nodes in the middle of a long
    one.
    """

    outcome: str
    true_content: bool
    said_content: bool
    texts: Sequence[str]
    left_out: int
    score: float
    path: str
    reasons: Sequence[Reason]


def write_errors(
    scores: Scores, destination: Path, about: str, explain: Explain | None = None, language: str = BOTH
) -> None:
    """Writes the report; ``about`` says what was judged, ``explain`` gives the reasons of a node's label."""
    write_page(destination, "errors.html", language, error_fields(scores, about, explain))


def error_fields(scores: Scores, about: str, explain: Explain | None) -> dict[str, Any]:
    """What the template shows of the scores."""
    wrong = worst_pages(scores.pages)
    worst = wrong[:PAGES_SHOWN]
    return {
        "about": about,
        "scores": [(name, value) for name, value in scores.total.as_dict().items() if name in NAMES],
        "counts": [
            ("pages", len(scores.pages)),
            ("nodes", scores.total.nodes),
            ("wrong_nodes", scores.total.nodes - scores.total.same_labels),
        ],
        "kinds": [
            (
                kind,
                own.regions,
                own.same_regions,
                own.nodes,
                own.marked_nodes / own.nodes if own.nodes else None,
                own.wrongly_marked_nodes,
            )
            for kind, own in scores_by_kind(scores.pages).items()
        ],
        "pages": [_page_fields(page, explain) for page in worst],
        "more_pages": len(wrong) - len(worst),
    }


def _page_fields(page: PageOutcome, explain: Explain | None) -> dict[str, Any]:
    nodes = page.example.nodes
    assert nodes is not None
    runs = runs_of(page)
    sizes = {
        run: sum(len(text) for text in nodes.texts[run.start : run.end])
        for run in runs
        if run.outcome != RIGHT
    }
    explained = set(sorted(sizes, key=lambda run: -sizes[run])[:RUNS_EXPLAINED])
    values = page.counts.as_dict()
    return {
        "id": page.example.id,
        "site": page.example.site,
        "title": nodes.title,
        "page_kind": page.example.page_kind,
        "scores": [(name, values[name]) for name in SCORES_SHOWN if name in values],
        "lost_chars": sum(size for run, size in sizes.items() if run.outcome == LOST),
        "surplus_chars": sum(size for run, size in sizes.items() if run.outcome == SURPLUS),
        "runs": [
            _shown(page, nodes, run, explain if run in explained else None) for run in runs[:RUNS_SHOWN]
        ],
        "more_runs": len(runs) - RUNS_SHOWN,
    }


def _shown(page: PageOutcome, nodes: TextNodes, run: NodeRun, explain: Explain | None) -> ShownRun:
    texts = [text.strip()[:LONGEST_TEXT] for text in nodes.texts[run.start : run.end]]
    left_out = max(0, len(texts) - 2 * NODES_OF_A_RIGHT_RUN) if run.outcome == RIGHT else 0
    if left_out:
        texts = [*texts[:NODES_OF_A_RIGHT_RUN], *texts[-NODES_OF_A_RIGHT_RUN:]]
    return ShownRun(
        run.outcome,
        run.true_content,
        run.said_content,
        texts,
        left_out,
        float(page.score[run.start : run.end].mean()),
        nodes.path(run.start),
        explain(nodes, run.start)[:REASONS_SHOWN] if explain else (),
    )
