"""The feature sets by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from ruiji.features.nodes.attributes import FeatureSet, Open
from ruiji.features.nodes.full import FULL
from ruiji.features.nodes.nakamura import FIXED_KEYWORDS, NAKAMURA
from ruiji.features.nodes.stacked import STACKED

FEATURE_SETS: Mapping[str, FeatureSet] = MappingProxyType(
    {"full": FULL, "nakamura": NAKAMURA, "stacked": STACKED}
)
ALONE = ("full", "nakamura")  # sets that need no classifier below
KEYWORDS = ("selected", "fixed")


def feature_set(name: str, without: Sequence[str] = (), keywords: str = "selected") -> FeatureSet:
    """The named set without some of its features; ``keywords`` "fixed" takes the list by hand in place of the
    rule.
    """
    if name not in FEATURE_SETS:
        raise ValueError(f"no feature set {name!r}; there are {', '.join(sorted(FEATURE_SETS))}")
    if keywords not in KEYWORDS:
        raise ValueError(f"keywords are {' or '.join(KEYWORDS)}, not {keywords!r}")
    chosen = FEATURE_SETS[name].without(without)
    if keywords == "selected":
        return chosen
    if not any(feature.name == "keyword" for feature in chosen.features):
        raise ValueError(f"the feature set {name} has no keywords that could be fixed")
    features = tuple(
        replace(feature, fixed=FIXED_KEYWORDS)
        if isinstance(feature, Open) and feature.name == "keyword"
        else feature
        for feature in chosen.features
    )
    return FeatureSet(chosen.name, features, chosen.version)
