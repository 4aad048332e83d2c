"""Rules for the places of a site's template."""

from __future__ import annotations

import numpy as np
import pytest

from ruiji.chunker.annotation.site_rules import SiteRule, decide, ruled
from ruiji.chunker.labels import regions_of
from tests.factories import make_nodes


@pytest.mark.parametrize(
    ("before", "block", "content", "after"),
    [
        ("00000", (1, 3), False, "01200"),
        ("01220", (1, 3), True, "00010"),  # what is left of the region begins anew
        ("01220", (2, 4), False, "01120"),  # side by side: two regions
        ("12222", (1, 2), True, "10122"),
        ("00000", (2, 2), False, "00000"),
        ("00012", (0, 3), False, "12212"),
    ],
)
def test_a_block_is_content_or_one_region(
    before: str, block: tuple[int, int], content: bool, after: str
) -> None:
    labels = np.array([int(label) for label in before], dtype=np.int8)
    decide(labels, *block, content)
    assert "".join(map(str, labels.tolist())) == after
    assert all(labels[start] == 1 for start, _ in regions_of(labels))


def test_every_block_at_the_place_is_decided_and_later_rules_win() -> None:
    nodes = make_nodes("<body><div class=nav><p>a<p>b</div><div class=main>c</div><div class=nav>d</div>")
    labels = np.zeros(4, dtype=np.int8)
    rules = [SiteRule("h", "/html/body/div.nav", False), SiteRule("h", "/html/body/div.nav/p", True)]
    assert ruled(labels, nodes, rules[:1]).tolist() == [1, 2, 0, 1]
    assert ruled(labels, nodes, rules).tolist() == [0, 0, 0, 1]
    assert labels.tolist() == [0, 0, 0, 0]
