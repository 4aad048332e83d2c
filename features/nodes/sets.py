"""The feature sets by name: the shipped ones, those of other packages, and those of one's own modules.

A set of one's own is a FeatureSet, made of functions anywhere: it is passed as it is, named as
``MODULE:NAME`` (what ``import MODULE`` gives under that name), or offered by an installed package as an entry
point of the group ``ruiji.feature_sets``.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from types import MappingProxyType
from typing import Any

from ruiji.features.nodes.attributes import FeatureSet, Open
from ruiji.features.nodes.full import FULL
from ruiji.features.nodes.nakamura import FIXED_KEYWORDS, NAKAMURA
from ruiji.features.nodes.stacked import STACKED
from ruiji.features.nodes.tagging import ENTRY_POINTS as TAGGERS
from ruiji.features.nodes.tagging import MARK, Tagger, tagged
from ruiji.features.nodes.wished import WISHED

FEATURE_SETS: Mapping[str, FeatureSet] = MappingProxyType(
    {"full": FULL, "nakamura": NAKAMURA, "stacked": STACKED, "wished": WISHED}
)
ALONE = ("full", "nakamura")  # sets that need no classifier below
KEYWORDS = ("selected", "fixed")
ENTRY_POINTS = "ruiji.feature_sets"  # the group under which other packages offer sets


class NoFeatureSet(ValueError):
    """A feature set that is not there; the message is one sentence that says what to do."""


def feature_set(
    features: str | FeatureSet, without: Sequence[str] = (), keywords: str = "selected"
) -> FeatureSet:
    """The set, given itself or by name, without some of its features; ``keywords`` "fixed" takes the list by
    hand in place of the rule. Raises ValueError.
    """
    if keywords not in KEYWORDS:
        raise ValueError(f"keywords are {' or '.join(KEYWORDS)}, not {keywords!r}")
    whole = named_set(features) if isinstance(features, str) else features
    if not isinstance(whole, FeatureSet):
        raise NoFeatureSet(
            f"features are a FeatureSet or the name of one, not {type(whole).__name__}; "
            f"shipped sets: {', '.join(sorted(FEATURE_SETS))}"
        )
    chosen = whole.without(without)
    if keywords == "selected":
        return chosen
    if not any(feature.name == "keyword" for feature in chosen.features):
        raise ValueError(f"the feature set {chosen.name} has no keywords that could be fixed")
    fixed = tuple(
        replace(feature, fixed=FIXED_KEYWORDS)
        if isinstance(feature, Open) and feature.name == "keyword"
        else feature
        for feature in chosen.features
    )
    return FeatureSet(chosen.name, fixed, chosen.version)


def named_set(name: str) -> FeatureSet:
    """The shipped set of that name, the one that an installed package offers under it, or what
    ``MODULE:NAME`` names; ``SET@TAGGER`` is a set with the parts of speech of a tagger. Raises NoFeatureSet.
    """
    if MARK in name and not name.startswith("("):
        base, _, tagger = name.partition(MARK)
        try:
            return tagged(named_set(base), named_tagger(tagger), tagger)
        except NoFeatureSet:
            raise
        except ValueError as error:
            raise NoFeatureSet(str(error)) from error
    if name in FEATURE_SETS:
        return FEATURE_SETS[name]
    if name.startswith("("):
        raise NoFeatureSet(f"no module holds the feature set {name}: keep it in a variable of a module")
    if ":" in name:
        return _set_at(name)
    offered = _offered(ENTRY_POINTS)
    if name in offered:
        return _set_at(offered[name])
    raise NoFeatureSet(
        f"no feature set {name!r}; there are {', '.join(sorted({*FEATURE_SETS, *offered}))}; "
        "one of your own is MODULE:NAME"
    )


def set_name(features: str | FeatureSet) -> str:
    """The name by which a set can be found again: its own where it has one, else ``MODULE:NAME`` of the
    variable that holds it; of a set that no module holds its name in brackets.
    """
    if isinstance(features, str):
        return features
    for name, shipped in FEATURE_SETS.items():
        if shipped == features:
            return name
    if MARK in features.name:
        return features.name
    modules = dict.fromkeys(feature.function.__module__ for feature in reversed(features.features))
    for module in (*modules, "__main__"):
        for variable, value in vars(sys.modules.get(module, object)).items():
            if value is features or (isinstance(value, FeatureSet) and value == features):
                return f"{module}:{variable}"
    return f"({features.name})"


def named_tagger(name: str) -> Tagger:
    """The tagger that an installed package offers under that name, or what ``MODULE:NAME`` names. Raises
    NoFeatureSet.
    """
    offered = _offered(TAGGERS)
    if ":" not in name and name not in offered:
        there = f"installed ones: {', '.join(sorted(offered))}" if offered else "none is installed"
        raise NoFeatureSet(f"no tagger {name!r}; {there}; one of your own is MODULE:NAME")
    tagger: Tagger = _imported(offered.get(name, name), "tagger")
    if not callable(tagger):
        raise NoFeatureSet(f"the tagger {name} is missing: it is no function but {type(tagger).__name__}")
    return tagger


def _offered(group: str) -> dict[str, str]:
    """What installed packages offer, as ``MODULE:NAME`` by name."""
    from importlib.metadata import entry_points  # which takes a while

    return {entry.name: entry.value for entry in entry_points(group=group)}


def _set_at(path: str) -> FeatureSet:
    """The set that ``MODULE:NAME`` names. Raises NoFeatureSet."""
    held = _imported(path, "features")
    if isinstance(held, FeatureSet):
        return held
    module = path.partition(":")[0]
    if held is None and module == "__main__":
        raise NoFeatureSet(
            f"the features {path} are missing: they stood in the script that trained the model; "
            "keep them in a module of their own and train again"
        )
    what = "nothing of that name" if held is None else f"{type(held).__name__} there, not a FeatureSet"
    raise NoFeatureSet(f"the features {path} are missing: {module} has {what}")


def _imported(path: str, what: str) -> Any:
    """What ``MODULE:NAME`` names; None where the module has nothing of that name. Raises NoFeatureSet."""
    module_name, _, variable = path.partition(":")
    if not all(part.isidentifier() for part in (*module_name.split("."), variable)):
        example = "my_features:MINE" if what == "features" else "my_tagger:tag"
        kind = "feature set" if what == "features" else what
        raise NoFeatureSet(f"{path!r} is no {kind}: write MODULE:NAME, as in {example}")
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as error:
        if not error.name or not f"{module_name}.".startswith(f"{error.name}."):
            raise  # the module is there, what it imports is not
        verb = "are" if what == "features" else "is"
        raise NoFeatureSet(
            f"the {what} {path} {verb} missing: there is no module {module_name}; "
            "put its folder on PYTHONPATH (PYTHONPATH=. for this one), or install the package that has it"
        ) from error
    return getattr(module, variable, None)
