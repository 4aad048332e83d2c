"""What a person should know before believing a model or a figure; each caution is one sentence.

Nothing is refused here: few pages may be all that there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ruiji.chunker.annotation.examples import Example, page_digest
from ruiji.chunker.crf.folder import japanese_pages
from ruiji.chunker.crf.languages import language_caution
from ruiji.chunker.evaluation.crossval import Fold
from ruiji.chunker.evaluation.statistics import FEW_SITES

FEW_PAGES = 20  # below which a CRF of this size learns pages by heart (our learning curves, docs/evaluation)


def training_cautions(examples: Sequence[Example], learned: int) -> list[str]:
    """What is thin about a training set; ``learned`` of its pages are learned from."""
    sites = len({example.site for example in examples})
    cautions = []
    if learned < FEW_PAGES:
        cautions.append(f"only {_count(learned, 'page')} to learn from: a model wants {FEW_PAGES} or more")
    if sites == 1:
        cautions.append(
            "all pages are of one site: the model will know that site's template, and little else"
        )
    return cautions


def fold_cautions(examples: Sequence[Example], folds: Sequence[Fold]) -> list[str]:
    """What is thin about folds."""
    sites = len({example.site for example in examples})
    trained, tested = (
        [len({examples[number].site for number in side}) for side in sides]
        for sides in ([fold.train for fold in folds], [fold.test for fold in folds])
    )
    cautions = []
    if min(trained) == 1:
        cautions.append("some folds learn from one site only: give pages of more sites")
    elif min(tested) == 1:
        alone = sum(size == 1 for size in tested)
        cautions.append(
            f"{alone} of {len(folds)} folds are judged by one site each: their scores are those of one "
            "template"
        )
    if sites < FEW_SITES:
        cautions.append(
            f"{_count(sites, 'site')}: intervals drawn from so few are narrower than they should be"
        )
    return cautions


def model_cautions(card: Mapping[str, Any], examples: Sequence[Example]) -> list[str]:
    """What is wrong with judging a model, by its card, on these pages."""
    data = card.get("data", {})
    learned = frozenset(str(data.get("page_digests", "")).split())
    known = sum(page_digest(example) in learned for example in examples)
    cautions = []
    if known:
        cautions.append(
            f"{known} of {_count(len(examples), 'page')} are among those that the model was trained on: its "
            "scores there say nothing of other pages; cross-validate with ruiji crossval"
        )
    if caution := language_caution(card, japanese_share(examples)):
        cautions.append(caution)
    return cautions


def japanese_share(examples: Sequence[Example]) -> float:
    """The share of pages that are written in Japanese."""
    return japanese_pages(examples) / len(examples) if examples else 0.0


def _count(size: int, noun: str) -> str:
    return f"{size} {noun}{'' if size == 1 else 's'}"
