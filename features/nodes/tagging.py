"""Parts of speech by a tagger of one's own, for languages that ours reads by function words only.

A tagger is a function that gets the texts of a page and gives for each whether it has a verb or an adjective,
and its nouns: ``[(True, ("house", "garden")), …]``. An installed package offers one as an entry point of the
group ``ruiji.taggers``, a module as ``MODULE:NAME``; the set that uses it is called ``SET@TAGGER``:

    ruiji crossval annotated/ --features nakamura@german_tagger:tag
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ruiji.features.nodes.attributes import Closed, Feature, FeatureSet, Finds, Open
from ruiji.features.nodes.forest import Forest
from ruiji.features.nodes.nakamura import Codes, keyword, noun_finds, verb_or_adjective
from ruiji.features.nodes.outside import WrongValues, answer_of

Tagger = Callable[[Sequence[str]], Iterable[tuple[bool, Iterable[str]]]]
ENTRY_POINTS = "ruiji.taggers"  # the group under which other packages offer taggers
MARK = "@"  # parts the name of a set from that of its tagger


def tagged(features: FeatureSet, tagger: Tagger, name: str) -> FeatureSet:
    """The set with its parts of speech and keywords by a tagger, whose name is part of the set's. Raises
    ValueError where the set has neither.
    """
    if not any(feature.function in (keyword, verb_or_adjective) for feature in features.features):
        raise ValueError(
            f"the set {features.name} has neither verb_or_adjective nor keyword, so it has no use for the "
            f"tagger {name}"
        )
    return FeatureSet(
        f"{features.name}{MARK}{name}",
        tuple(_with_tagger(feature, tagger, name) for feature in features.features),
        features.version,
    )


def _with_tagger(feature: Feature, tagger: Tagger, name: str) -> Feature:
    def tagged_verb_or_adjective(pages: Forest) -> Codes:
        return np.array([predicate for predicate, _ in _answers(pages, tagger, name)], dtype=np.int32)

    def tagged_keyword(pages: Forest) -> Finds:
        return noun_finds([nouns for _, nouns in _answers(pages, tagger, name)])

    tagged_verb_or_adjective.__name__ = verb_or_adjective.__name__
    tagged_keyword.__name__ = keyword.__name__
    if isinstance(feature, Closed) and feature.function is verb_or_adjective:
        return replace(feature, function=tagged_verb_or_adjective)
    if isinstance(feature, Open) and feature.function is keyword:
        return replace(feature, function=tagged_keyword)
    return feature


def _answers(pages: Forest, tagger: Tagger, name: str) -> list[tuple[bool, tuple[str, ...]]]:
    """What the tagger says of each text, asked once a page. Raises WrongValues."""
    known = pages.answers.get((MARK, name))
    if known is not None:
        answers: list[tuple[bool, tuple[str, ...]]] = known
        return answers
    answers = []
    for page in pages.pages:
        texts = list(page.texts)
        own = answer_of(f"the tagger {name}", partial(_asked, tagger, texts))
        if len(own) != len(texts):
            raise WrongValues(
                f"the tagger {name} must give one answer for each of the {len(texts)} texts of a page; it "
                f"gave {len(own)}"
            )
        answers += own
    pages.answers[(MARK, name)] = answers
    return answers


def _asked(tagger: Tagger, texts: Sequence[str]) -> list[tuple[bool, tuple[str, ...]]]:
    return [
        (bool(predicate), tuple(str(noun).lower() for noun in nouns)) for predicate, nouns in tagger(texts)
    ]
