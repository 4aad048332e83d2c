"""How many pages are labelled at once, and that it changes nothing."""

from __future__ import annotations

import numpy as np
import pytest

from ruiji.chunker.crf import labeller
from ruiji.chunker.crf.folder import SHIPPED, load_labeller
from ruiji.features.nodes.forest import forest
from tests.factories import make_nodes

PAGES = [make_nodes(f"<p>Text {number} of a page." * (1 + 40 * (number % 3))) for number in range(12)]


def test_pages_of_many_texts_are_not_labelled_together(monkeypatch: pytest.MonkeyPatch) -> None:
    most: list[int] = []

    def counted(pages: object) -> object:
        made = forest(pages)  # type: ignore[arg-type]
        most.append(len(made))
        return made

    monkeypatch.setattr(labeller, "forest", counted)
    monkeypatch.setattr(labeller, "BATCH_TEXTS", 100)
    load_labeller(str(SHIPPED / "default")).masks(PAGES, regions=False)
    assert max(most) <= 100
    assert sum(most) == sum(map(len, PAGES))


@pytest.mark.parametrize("regions", [True, False])
def test_masks_do_not_depend_on_what_is_labelled_together(
    monkeypatch: pytest.MonkeyPatch, regions: bool
) -> None:
    model = load_labeller(str(SHIPPED / "default"))
    together = model.masks(PAGES, regions)
    monkeypatch.setattr(labeller, "BATCH_TEXTS", 1)
    for one, other in zip(together, model.masks(PAGES, regions), strict=True):
        assert np.array_equal(one.content, other.content)
        assert np.array_equal(one.score, other.score)
