"""A precision that is promised holds on pages that the threshold was not chosen by."""

from __future__ import annotations

import numpy as np
import pytest

from ruiji.chunker.crf.folder import read_calibration
from ruiji.chunker.crf.promise import SURE_SHARE, least_expected_f1, threshold
from ruiji.corpora.errors import SettingError


@pytest.mark.parametrize("precision", [0.8, 0.9, 0.95])
def test_the_promise_holds_on_the_other_half_of_the_judged_pages(precision: float) -> None:
    columns = {name: np.array(column) for name, column in read_calibration("default").items()}
    shares, sizes = [], []
    for seed in range(20):  # one half alone has a little more or less by chance
        half = np.random.default_rng(seed).random(len(columns["precision"])) < 0.5
        least = threshold({name: column[half].tolist() for name, column in columns.items()}, precision)
        kept = ~half & (columns["expected_f1"] >= (np.inf if least is None else least))
        if kept.any():  # half of the pages may be too few to promise anything
            sizes.append(kept.mean())
            shares.append((columns["precision"][kept] >= precision).mean())
    assert len(shares) > 15
    assert np.mean(sizes) > 0.1
    assert np.mean(shares) >= SURE_SHARE - 0.005
    assert min(shares) >= SURE_SHARE - 0.06


def test_more_precision_keeps_fewer_pages() -> None:
    assert least_expected_f1(0.95) > least_expected_f1(0.8)


def test_what_cannot_be_promised_is_refused() -> None:
    with pytest.raises(SettingError, match="cannot be promised"):
        least_expected_f1(1.0)


def test_few_pages_promise_nothing() -> None:
    assert threshold({"expected_f1": [1.0] * 50, "precision": [1.0] * 50}, 0.5) is None
