"""What a person should know before believing a model or a figure; each caution is one sentence.

Nothing is refused here: few pages may be all that there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ruiji.chunker.annotation.examples import Example, page_digest
from ruiji.chunker.crf.languages import language_caution, languages_of
from ruiji.chunker.crf.sampling import FEW_PAGES
from ruiji.chunker.evaluation.crossval import Fold
from ruiji.chunker.evaluation.statistics import FEW_SITES


def training_cautions(examples: Sequence[Example], learned: int) -> list[str]:
    """What is thin about a training set; ``learned`` of its pages are learned from."""
    sites = len({example.site for example in examples})
    cautions = []
    if learned < FEW_PAGES:
        cautions.append(f"only {counted(learned, 'page')} to learn from: a model wants {FEW_PAGES} or more")
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
    if 1 < sites < FEW_SITES:  # of one site there is no interval
        cautions.append(
            f"{counted(sites, 'site')}: intervals drawn from so few are narrower than they should be"
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
            f"{known} of {counted(len(examples), 'page')} were given to the training of the model: its "
            "scores there say nothing of other pages; cross-validate with ruiji crossval"
        )
    asked = languages_of([example.nodes for example in examples if example.nodes is not None])
    if caution := language_caution(card, asked):
        cautions.append(caution)
    return cautions


def counted(size: int, noun: str) -> str:
    """A number of things with their name.

    >>> counted(1, "page"), counted(2, "page")
    ('1 page', '2 pages')
    """
    return f"{size} {noun}{'' if size == 1 else 's'}"
