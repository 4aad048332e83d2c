"""``ruiji evaluate`` of what people said in ``ruiji review``: the share of right ones, by category."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ruiji.corpora import InputError
from ruiji.detector.verdicts import FILE, Tally, read_verdicts, tallied


def verdict_file(sources: Sequence[str]) -> Path | None:
    """The file of verdicts that the sources name, itself or by the folder of a run; None where they are
    pages.
    """
    if len(sources) != 1:
        return None
    path = Path(sources[0])
    if path.is_dir() and any((path / name).is_file() for name in ("pairs.parquet", "conflicts.jsonl")):
        if not (path / FILE).is_file():
            raise InputError(f"{path}: nobody has judged it yet; run ruiji review {path} first")
        return path / FILE
    return path if path.name.endswith(FILE) and path.is_file() else None


def evaluate_verdicts(path: Path) -> dict[str, Any]:
    """Prints the share of right ones by category; returns the same as JSON has it."""
    verdicts = read_verdicts(path)
    if not verdicts:
        raise InputError(f"{path}: holds no verdicts")
    tallies = dict(tallied(verdicts.values()))
    total = Tally()
    for tally in tallies.values():
        total.right += tally.right
        total.wrong += tally.wrong
        total.others += tally.others
    print(f"{len(verdicts)} verdicts\n\n{_table(tallies | {'all': total})}")
    return {
        "verdicts": {name: _as_dict(tally) for name, tally in tallies.items()},
        "all": _as_dict(total),
        "settings": {"file": str(path)},
    }


def _as_dict(tally: Tally) -> dict[str, Any]:
    low, high = tally.interval()
    return {
        "judged": tally.judged,
        "right": tally.right,
        "wrong": tally.wrong,
        "other": dict(sorted(tally.others.items())),
        "precision": round(tally.share_right, 4),
        "interval": [round(low, 4), round(high, 4)],
    }


def _table(tallies: Mapping[str, Tally]) -> str:
    width = max(len(name) for name in tallies)
    lines = [
        f"| {'':{width}} | judged | right | wrong | other | share right (95 %) |",
        f"| {'-' * width} | -----: | ----: | ----: | ----: | :----------------- |",
    ]
    for name, tally in tallies.items():
        low, high = tally.interval()
        share = f"{tally.share_right:.3f} ({low:.2f}–{high:.2f})"
        instead = ", ".join(f"{other} {count}" for other, count in tally.others.most_common())
        lines.append(
            f"| {name:{width}} | {tally.judged:6} | {tally.right:5} | {tally.wrong:5} | {tally.others.total():5} | {share:18} |"
        )
        if instead:
            lines[-1] += f" instead: {instead}"
    return "\n".join(lines)
