"""The tables of Nakamura 2007 with ours beside them: 4.2, 4.4, 4.6 and 4.7."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ruiji.chunker.annotation.examples import Example
from ruiji.chunker.evaluation import nakamura_2007
from ruiji.chunker.evaluation.buckets import NUMBERS, PUBLISHED, best_borders, information
from ruiji.chunker.evaluation.contenders import FIXED_KEYWORDS, LEARNERS, WITHOUT
from ruiji.chunker.evaluation.crossval import Scores
from ruiji.chunker.evaluation.keywords import Keyword
from ruiji.chunker.labels import O
from ruiji.features.nodes.forest import forest
from ruiji.features.nodes.nakamura import ABLATION
from ruiji.tables.scores import score_table, text_table

SHOWN = ("L_bl", "L_nc", "R_r", "R_p", "R_F", "B_r", "B_p", "B_F", "FP_c", "word_F1")
TABLES = ("4.2", "4.4", "4.6", "4.7")
PAPER = "Nakamura 2007 (SVM, its 781 pages)"

_PAPERS = frozenset(f"{learner} nakamura" for learner in LEARNERS)  # chunkers with the paper's features


def has_paper_features(name: str) -> bool:
    """Whether the chunker of that name has the features of the paper."""
    return name in _PAPERS


def wanted(table: str, name: str) -> bool:
    """Whether a table has the contender of that name, which is not the chunker itself."""
    return (table == "4.4" and name.startswith(WITHOUT)) or (table == "4.6" and name == FIXED_KEYWORDS)


def paper_table(table: str, scores: Mapping[str, Scores], main: str) -> str:
    """Table 4.2, 4.4 or 4.6 with ours beside it; ``main`` names the chunker with all features."""
    ours = {name: own.total.as_dict() for name, own in scores.items()}
    return {"4.2": _all_features, "4.4": _left_out, "4.6": _fixed_keywords}[table](ours, main)


def contender_tables(scores: Mapping[str, Scores], main: str, ablate: bool) -> str:
    """What everybody reached; where features were left out, the tables of the paper or those of a family
    each.
    """
    ours = {name: own.total.as_dict() for name, own in scores.items()}
    if ablate and has_paper_features(main):
        others = {name: row for name, row in ours.items() if not _is_ablation(name)}
        tables = [_all_features(others, main), _left_out(ours, main), _fixed_keywords(ours, main)]
        return "\n\n".join(tables)
    compared = {name: row for name, row in ours.items() if not _is_ablation(name)}
    published = _published() if ablate or has_paper_features(main) else {}
    parts = [score_table(published | compared, SHOWN)]
    if ablate:
        left_out = {name: row for name, row in ours.items() if name.startswith(WITHOUT)}
        rows = {main: ours[main]} | left_out
        parts.append("One family of features left out\n\n" + score_table(rows, SHOWN[1:]))
    return "\n\n".join(parts)


def keyword_table(keywords: Sequence[Keyword]) -> str:
    """Table 4.7: the keywords that these pages give, and which of them the paper's pages gave."""
    rows = {
        keyword.word: (
            str(keyword.occurrences),
            str(keyword.domains),
            f"{keyword.non_content:.2f}",
            "yes" if keyword.published else "",
        )
        for keyword in keywords
    }
    published = list(dict.fromkeys(nakamura_2007.TABLE_4_7))
    ours = {keyword.word.casefold() for keyword in keywords}
    missing = [word for word in published if word.casefold() not in ours]
    both = sum(keyword.published for keyword in keywords)
    parts = [
        f"Table 4.7: keywords selected from all pages: {len(keywords)}, {both} of them among the "
        f"{len(nakamura_2007.TABLE_4_7)} of the paper"
    ]
    if rows:
        parts.append(text_table(rows, ("occurrences", "domains", "P_nc", "in the paper")))
    return "\n\n".join([*parts, f"In the paper, not here: {', '.join(missing)}"])


def bucket_table(examples: Sequence[Example]) -> str:
    """Tables 3.1, 3.4 and 3.5: where steps of numbers begin in the paper, and where they tell most of these
    pages.
    """
    pages = [example.nodes for example in examples if example.nodes is not None]
    labels = [example.labels for example in examples if example.nodes is not None]
    chosen, together = best_borders(pages, labels), forest(pages)
    content = np.concatenate(labels) == O
    rows = {
        f"{name}, {who}": (
            " ".join(_shown(border) for border in borders),
            f"{information(number(together), content, borders):.3f}",
        )
        for name, number in NUMBERS.items()
        for who, borders in (("paper", PUBLISHED[name]), ("chosen", chosen[name]))
    }
    return "Tables 3.1, 3.4, 3.5: steps of numbers, chosen from all pages\n\n" + text_table(
        rows, ("a step begins at", "bits about content")
    )


def _shown(border: float) -> str:
    """Where a step begins; the paper's begin right above 0 and 1."""
    return f">{border:.0f}" if 0 < border - round(border) < 1e-6 else f"{border:.3g}"


def _is_ablation(name: str) -> bool:
    return name.startswith((WITHOUT, FIXED_KEYWORDS))


def _published() -> dict[str, Mapping[str, float]]:
    return {PAPER: {"L_bl": nakamura_2007.L_BL, **nakamura_2007.TABLE_4_2}}


def _all_features(ours: Mapping[str, Mapping[str, float]], main: str) -> str:
    rows = {name: row for name, row in ours.items() if not _is_ablation(name)}
    return "Table 4.2: all features\n\n" + score_table(_published() | rows, SHOWN)


def _left_out(ours: Mapping[str, Mapping[str, float]], main: str) -> str:
    """The paper's row and ours, for each feature that is left out; first with all of them."""
    rows: dict[str, Mapping[str, float]] = {
        "all features: paper": nakamura_2007.TABLE_4_2,
        "all features: ours": ours[main],
    }
    for case in ABLATION:
        rows[f"{case}: paper"] = nakamura_2007.TABLE_4_4[case]
        rows[f"{case}: ours"] = ours[f"{WITHOUT}{case}"]
    return "Table 4.4: one feature left out\n\n" + score_table(rows, SHOWN[1:])


def _fixed_keywords(ours: Mapping[str, Mapping[str, float]], main: str) -> str:
    rows = {
        "paper": nakamura_2007.TABLE_4_6,
        "ours": ours[FIXED_KEYWORDS],
        "paper, selected": nakamura_2007.TABLE_4_2,
        "ours, selected": ours[main],
    }
    return "Table 4.6: fixed keywords in place of selected ones\n\n" + score_table(rows, SHOWN[1:])
