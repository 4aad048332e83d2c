"""The report of ``ruiji evaluate --errors``: the worst pages with their reasons, and nothing of a page
runs.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser

from ruiji.chunker.annotation.examples import Example, examples_of
from ruiji.chunker.crf.explanation import Reason
from ruiji.chunker.crf.svm import AllContent
from ruiji.chunker.evaluation.crossval import outcomes_of, scores_of
from ruiji.chunker.evaluation.errors import worst_pages
from ruiji.chunker.evaluation.region_kinds import KINDS
from ruiji.chunker.labels import O
from ruiji.chunker.mask import ContentMask
from ruiji.report.errors import PAGES_SHOWN, error_fields, write_errors
from ruiji.words import BOTH, REPORT_LANGUAGES, in_languages
from tests.browser import needs_chromium
from tests.factories import annotated_examples, make_page, nodes_of
from tests.ruiji.report.files import assert_fits_and_asks_for_nothing, assert_harmless
from tests.ruiji.web.payloads import PAYLOADS

EXAMPLES = annotated_examples()
SCORES = scores_of(outcomes_of(EXAMPLES, AllContent().predict_masks(nodes_of(EXAMPLES))))


def labels_mask(example: Example) -> ContentMask:
    """The mask that says what the annotation says."""
    content = example.labels == O
    return ContentMask(content, content.astype(np.float32), "truth", example.labels)


@pytest.mark.parametrize("language", REPORT_LANGUAGES)
def test_the_worst_pages_are_shown_with_what_was_kept_wrongly(tmp_path: Path, language: str) -> None:
    write_errors(SCORES, tmp_path / "errors.html", "165 pages", language=language)
    page = (tmp_path / "errors.html").read_text(encoding="utf-8")
    shown = re.findall(r"<h3>", page)
    assert len(shown) == min(PAGES_SHOWN, len(EXAMPLES))
    assert page.index(worst_pages(SCORES.pages)[0].example.id) < page.index(
        worst_pages(SCORES.pages)[1].example.id
    )
    assert 'class="surplus"' in page
    assert 'class="lost"' not in page  # everything was kept
    assert "165 pages" in page


def test_runs_that_are_wrong_are_explained() -> None:
    asked = []

    def explain(nodes: object, node: int) -> list[Reason]:
        asked.append(node)
        return [Reason("link=internal", 1, -2.0, 1.0, 0.5)] * 9

    fields = error_fields(SCORES, "", explain)
    assert asked
    for page in fields["pages"]:
        for run in page["runs"]:
            assert len(run.reasons) <= 5
            assert not (run.reasons and run.outcome == "right")


def test_long_runs_that_are_right_are_shortened_and_wrong_ones_are_not() -> None:
    page = error_fields(SCORES, "", None)["pages"][0]
    for run in page["runs"]:
        assert len(run.texts) <= 4 or run.outcome != "right"
        assert not (run.left_out and run.outcome != "right")


def test_pages_without_a_wrong_label_are_none_of_the_worst(tmp_path: Path) -> None:
    right = [labels_mask(example) for example in EXAMPLES]
    outcomes = outcomes_of(EXAMPLES, [AllContent().predict_masks(nodes_of(EXAMPLES))[0], *right[1:]])
    fields = error_fields(scores_of(outcomes), "", None)
    assert ([page["id"] for page in fields["pages"]], fields["more_pages"]) == ([EXAMPLES[0].id], 0)
    write_errors(scores_of(outcomes_of(EXAMPLES, right)), tmp_path / "errors.html", "")
    page = (tmp_path / "errors.html").read_text(encoding="utf-8")
    assert "<article" not in page
    assert "Every text node of every page has the right label." in page


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_region_has_a_name_in_both_languages(kind: str) -> None:
    assert len(in_languages(f"region_{kind.replace(' ', '_')}", BOTH, {})) == 2


def test_nothing_of_a_page_runs(tmp_path: Path) -> None:
    """What a page says of tags, and its title and address, is text."""
    said = "".join(f"<p>{escape(payload)}</p>" for payload in PAYLOADS.values())
    title = escape(PAYLOADS["script"])
    page = make_page(f"<title>{title}</title>{said}", id=PAYLOADS["script"], extra={"main_content": "x"})
    (example,) = examples_of([page])
    assert example.nodes is not None
    scores = scores_of(outcomes_of([example], AllContent().predict_masks([example.nodes])))
    write_errors(scores, tmp_path / "errors.html", PAYLOADS["handlers"])
    assert_harmless(tmp_path / "errors.html")


@needs_chromium
def test_it_fits_a_phone_and_a_screen(tmp_path: Path, chromium: Browser) -> None:
    write_errors(SCORES, tmp_path / "errors.html", "all content")
    for page in assert_fits_and_asks_for_nothing(tmp_path / "errors.html", chromium):
        assert page.locator("article.errors").count() == min(PAGES_SHOWN, len(EXAMPLES))
