"""Table 1 and figure 8 of Yoshida and Yamamoto 2009 with ours beside them."""

from __future__ import annotations

from collections.abc import Mapping

from ruiji.chunker.evaluation import yoshida_2009
from ruiji.chunker.evaluation.plain_rule import SitesAndMixed
from ruiji.chunker.evaluation.statistics import difference, verdict
from ruiji.chunker.metrics import Counts
from ruiji.tables.scores import score_table

SHOWN = ("block_P", "block_R", "block_F", "perfect", "B_F", "word_F1")
# What the figure draws, and in which colour: the paper's F and perfect pages first.
COLOURS = {
    "block_F": "#1b6ca8",
    "perfect": "#3a7d44",
    "block_P": "#7a7a7a",
    "block_R": "#b5651d",
    "word_F1": "#a02c5a",
}
LEFT, TOP, WIDTH, HEIGHT = 50, 20, 480, 300  # of the square in the drawing


def sites_table(scores: SitesAndMixed) -> str:
    """Table 1: sites alone, their micro average, and all sites as one collection; the paper's rows first."""
    rows: dict[str, Mapping[str, float]] = {
        f"{site} (paper)": figures for site, figures in yoshida_2009.TABLE_1.items()
    }
    rows["CNN.com (paper, table 2)"] = yoshida_2009.TABLE_2
    rows |= {site: counts.as_dict() for site, counts in scores.alone.by_site.items()}
    rows |= {
        "micro average (paper)": yoshida_2009.MICRO_AVERAGE,
        "micro average (ours)": scores.alone.total.as_dict(),
        "all sites mixed (paper)": yoshida_2009.MIXED,
        "all sites mixed (ours)": scores.mixed.total.as_dict(),
    }
    table = "Table 1: the plain rule on each site alone and on all sites mixed\n\n" + score_table(rows, SHOWN)
    if len(scores.alone.by_site) < 2:
        return table
    ahead = difference(scores.mixed, scores.alone, "block_F")
    said = verdict("mixed", "alone", "block_F", ahead)
    return f"{table}\n\n{said}, by 95 % of draws of {ahead.sites} sites"


def threshold_table(reached: Mapping[float, Counts]) -> str:
    """Figure 8 in figures; of the paper only what it says in words and at 0.9 is known."""
    rows: dict[str, Mapping[str, float]] = {"0.90 (paper)": yoshida_2009.MIXED}
    rows |= {f"{threshold:.2f}": counts.as_dict() for threshold, counts in reached.items()}
    steady = [counts.block_F for threshold, counts in reached.items() if threshold > yoshida_2009.FLAT_ABOVE]
    said = f"The paper: steady above {yoshida_2009.FLAT_ABOVE}."
    if steady:
        said += f" Here block_F lies between {min(steady):.3f} and {max(steady):.3f} there."
    head = "Figure 8: the plain rule by the cosine above which two blocks match"
    return f"{head}\n\n{score_table(rows, SHOWN)}\n\n{said}"


def threshold_drawing(reached: Mapping[float, Counts]) -> str:
    """Figure 8 as an SVG of its own; the two points that the paper prints are circles."""
    first, last = min(reached), max(reached)

    def place(threshold: float, value: float) -> tuple[float, float]:
        return LEFT + WIDTH * (threshold - first) / ((last - first) or 1), TOP + HEIGHT * (1 - value)

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 370" font-family="sans-serif" '
        'font-size="12">',
        '<rect width="640" height="370" fill="white"/>',
    ]
    for tenth in range(0, 11, 2):
        y = TOP + HEIGHT * (1 - tenth / 10)
        parts.append(
            f'<path d="M{LEFT} {y}h{WIDTH}" stroke="#ddd"/><text x="{LEFT - 8}" y="{y + 4}" '
            f'text-anchor="end">{tenth / 10}</text>'
        )
    for threshold in reached:
        x = place(threshold, 0)[0]
        parts.append(f'<text x="{x:.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{threshold:g}</text>')
    parts.append(
        f'<text x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 40}" text-anchor="middle">cosine above which two '
        "blocks match (circles: the paper at 0.9)</text>"
    )
    for number, (name, colour) in enumerate(COLOURS.items()):
        points = [
            place(threshold, value)
            for threshold, counts in reached.items()
            if (value := counts.as_dict().get(name)) is not None
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(
            f'<text x="{LEFT + WIDTH + 12}" y="{TOP + 20 + 20 * number}" fill="{colour}">{name}</text>'
        )
        if name in yoshida_2009.MIXED:
            x, y = place(0.9, yoshida_2009.MIXED[name])
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="none" stroke="{colour}"/>')
    return "\n".join([*parts, "</svg>", ""])
