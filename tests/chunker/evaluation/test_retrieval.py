"""Pages looked for by their titles (Nakamura 2007, section 5.2; the example is that of section 1)."""

from __future__ import annotations

import numpy as np
import pytest

from ruiji.chunker.annotation.examples import examples_of
from ruiji.chunker.evaluation.crossval import PageOutcome, outcomes_of
from ruiji.chunker.evaluation.retrieval import ALL_TEXT, FILTERED, TRUE, ahead_in_rank, retrieval
from ruiji.chunker.mask import ContentMask
from ruiji.corpora import Page

MENU = "<!-- (((BEGIN NOT CONTENT --><p>science sports</p><!-- )))END NOT CONTENT -->"
PAGES = {
    "horses": "<title>horses</title>{}<p>horses that lose all races, horses again</p>",
    "science": "<title>science</title>{}<p>new science of the sea</p>",
    "sports": "<title>sports</title>{}<p>all sports of the day</p>",
}


def outcomes(content: bool | None = None) -> list[PageOutcome]:
    """The pages with a mask that says the truth, or the same of every node."""
    examples = examples_of(
        [Page(name, f"http://{name}.example/", html.format(MENU)) for name, html in PAGES.items()]
    )
    masks = []
    for example in examples:
        said = example.labels == 0 if content is None else np.full(len(example.labels), content)
        masks.append(ContentMask(said, said.astype(np.float32), "test"))
    return outcomes_of(examples, masks)


def test_a_page_is_not_found_by_a_word_of_its_menu() -> None:
    found = retrieval(outcomes())
    assert found[ALL_TEXT].as_dict()["words_P"] == pytest.approx(3 / 7)  # science and sports are on each page
    assert found[FILTERED].as_dict() == found[TRUE].as_dict()
    assert found[TRUE].as_dict() == {"MRR": 1.0, "first": 1.0, "words_P": 1.0, "words_R": 1.0}


def test_what_is_left_out_wrongly_is_not_found() -> None:
    found = retrieval(outcomes(content=False))[FILTERED].as_dict()
    assert found == {"MRR": 0.0, "first": 0.0, "words_R": 0.0}


def test_ranks_are_compared_with_an_interval() -> None:
    found = retrieval(outcomes(content=False))
    ahead = ahead_in_rank(found[TRUE], found[FILTERED])
    assert (ahead.value, ahead.low, ahead.high, ahead.sites) == (1.0, 1.0, 1.0, 3)


def test_titles_that_several_pages_have_are_no_queries() -> None:
    examples = examples_of(
        [Page(str(number), f"http://a.example/{number}", "<title>home</title><p>text") for number in range(2)]
    )
    masks = [ContentMask(np.ones(1, dtype=bool), np.ones(1, dtype=np.float32), "test")] * 2
    assert len(retrieval(outcomes_of(examples, masks))[TRUE].site) == 0
