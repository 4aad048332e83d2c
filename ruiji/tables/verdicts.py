"""What people judged in ``ruiji review``, by category."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ruiji.detector.verdicts import Tally


def as_dict(tally: Tally) -> dict[str, Any]:
    """As JSON has it."""
    low, high = tally.interval()
    return {
        "judged": tally.judged,
        "right": tally.right,
        "wrong": tally.wrong,
        "other": dict(sorted(tally.others.items())),
        "precision": round(tally.share_right, 4),
        "interval": [round(low, 4), round(high, 4)],
    }


def verdict_table(tallies: Mapping[str, Tally]) -> str:
    """Verdicts by category as a Markdown table."""
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
            f"| {name:{width}} | {tally.judged:6} | {tally.right:5} | {tally.wrong:5} | "
            f"{tally.others.total():5} | {share:18} |"
        )
        if instead:
            lines[-1] += f" instead: {instead}"
    return "\n".join(lines)
