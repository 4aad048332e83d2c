"""Differences between chunkers with their intervals, and learning curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruiji.chunker.evaluation.cautions import counted
from ruiji.chunker.evaluation.crossval import Scores
from ruiji.chunker.evaluation.statistics import RESAMPLES, CurvePoint, Interval, difference, interval
from ruiji.tables.scores import text_table

TESTED = ("R_F", "B_F", "word_F1")  # the metrics whose differences have intervals


def differences_from(scores: Mapping[str, Scores], main: str) -> dict[str, dict[str, Interval]]:
    """How far the chunker is ahead of each of the others, by metric."""
    return {
        name: {metric: difference(scores[main], own, metric) for metric in TESTED}
        for name, own in scores.items()
        if name != main
    }


def difference_table(own: Scores, main: str, differences: Mapping[str, Mapping[str, Interval]]) -> str:
    """The chunker's scores with their intervals, and how far it is ahead of the others."""
    sites = len(own.by_site)
    rows = {main: [str(interval(own, metric)) for metric in TESTED]}
    for name, by_metric in differences.items():
        rows[f"ahead of {name}"] = [
            f"{by_metric[metric]}{'' if by_metric[metric].sure or sites < 2 else ' ?'}" for metric in TESTED
        ]
    if sites < 2:
        return f"Without intervals: one site cannot show how others would be\n\n{text_table(rows, TESTED)}"
    note = " (?: 0 lies between)" if differences else ""
    return f"With intervals: 95 % of {RESAMPLES:,} draws of {sites} sites{note}\n\n" + text_table(
        rows, TESTED
    )


def curve_table(curve: Sequence[CurvePoint]) -> str:
    """The points of a learning curve."""
    rows = {
        f"{counted(round(point.pages), 'page')} of {counted(round(point.sites), 'site')}": [
            str(interval(point.scores, metric)) for metric in TESTED
        ]
        for point in curve
    }
    return text_table(rows, TESTED)


def as_dict(own: Interval) -> dict[str, float]:
    """As JSON has it; without limits where there is one site."""
    if own.sites < 2:
        return {"value": own.value}
    return {"value": own.value, "low": own.low, "high": own.high}
