"""Who takes part in a cross-validation: the chunker itself, what it is compared with, and what is left of it
without a feature.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sklearn.base import clone

from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.svm import DECODINGS as SVM_DECODINGS
from ruiji.chunker.crf.svm import AllContent, SvmChunker
from ruiji.chunker.decoding.expected_f import DECODINGS as CRF_DECODINGS
from ruiji.chunker.evaluation.buckets import NUMBERS, BucketChunker
from ruiji.chunker.evaluation.crossval import Chunker
from ruiji.chunker.self_taught import SelfTaughtChunker
from ruiji.corpora.errors import SettingError
from ruiji.features.nodes.full import FAMILIES
from ruiji.features.nodes.nakamura import ABLATION
from ruiji.features.nodes.sets import ALONE, FEATURE_SETS, NoFeatureSet, named_set, set_name
from ruiji.features.nodes.stacked import odds
from ruiji.features.nodes.wished import WISHES

LEARNERS = ("crf", "svm")
BUCKETS = "buckets"  # the same chunker with steps of numbers chosen from the training pages
DECODINGS = {"crf": CRF_DECODINGS, "svm": SVM_DECODINGS}  # of each learner
DECODED = tuple(dict.fromkeys((*CRF_DECODINGS, *SVM_DECODINGS)))  # the same scores, labels found otherwise
COMPARISONS = (*LEARNERS, "baseline", "self", BUCKETS, *DECODED)
WITHOUT = "without "  # begins the name of a chunker that lacks a feature
FIXED_KEYWORDS = "fixed keywords"


def name_of(chunker: CrfChunker | SvmChunker) -> str:
    """The name of the chunker that a cross-validation is about."""
    return f"{learner_of(chunker)} {set_name(chunker.features)}"


def learner_of(chunker: CrfChunker | SvmChunker) -> str:
    """Which learner a chunker is, of LEARNERS."""
    return "svm" if isinstance(chunker, SvmChunker) else "crf"


def check_comparison(name: str) -> None:
    """Raises SettingError where that is neither a learner, a baseline nor a feature set."""
    if name in COMPARISONS:
        return
    try:
        named_set(name)
    except NoFeatureSet as error:
        there = ", ".join((*COMPARISONS, *FEATURE_SETS))
        raise SettingError(
            f"no {name} to compare with; there are {there}, or MODULE:NAME ({error})"
        ) from error


def contenders(
    chunker: CrfChunker | SvmChunker, ablate: bool = False, compare: Sequence[str] = ()
) -> Iterator[tuple[str, Chunker]]:
    """Everything that is to be cross-validated, by name; the chunker itself comes first. Raises
    SettingError.
    """
    own_set = set_name(chunker.features)
    cases = _cases(chunker) if ablate else {}
    yield name_of(chunker), chunker
    if ablate and own_set in ALONE:
        for other in ALONE:
            if other != own_set:
                yield from _with_features(chunker, other)
    for name in compare:
        if name == "self":
            yield f"self-taught {own_set}", SelfTaughtChunker(**_crf(chunker).get_params())
        elif name == BUCKETS:
            yield f"{name_of(chunker)}, steps chosen", BucketChunker(_with_steps(chunker))
        elif name in DECODED:
            yield f"{name_of(chunker)}, {name}", _with_decoding(chunker, name)
        elif name == "baseline":
            yield "all content", AllContent()
        elif name == "svm":
            machine = _svm(chunker)
            yield name_of(machine), machine
        elif name == "crf":
            crf = _crf(chunker)
            yield name_of(crf), crf
        else:
            yield from _with_features(chunker, name)
    settings = chunker.get_params()
    for case, names in cases.items():
        yield f"{WITHOUT}{case}", type(chunker)(**settings | {"without": (*chunker.without, *names)})
    if ablate and own_set == "nakamura":
        yield FIXED_KEYWORDS, type(chunker)(**settings | {"keywords": "fixed"})


def _with_steps(chunker: CrfChunker | SvmChunker) -> CrfChunker | SvmChunker:
    """The chunker. Raises SettingError where its features have no steps to choose."""
    if not {feature.name for feature in chunker.feature_set().features} & NUMBERS.keys():
        raise SettingError(
            f"‹compare={BUCKETS}› goes with ‹features=nakamura› or ‹features=wished›: "
            f"{set_name(chunker.features)} has none of the numbers whose steps are chosen"
        )
    return chunker


def _with_decoding(chunker: CrfChunker | SvmChunker, decoding: str) -> CrfChunker | SvmChunker:
    """The chunker with another way from scores to labels. Raises SettingError where its learner has no such
    way.
    """
    learner = learner_of(chunker)
    if decoding not in DECODINGS[learner]:
        there = " and ".join(DECODINGS[learner])
        raise SettingError(f"‹compare={decoding}›: with ‹learner={learner}› there are {there}")
    other: CrfChunker | SvmChunker = clone(chunker).set_params(decoding=decoding)
    return other


def _cases(chunker: CrfChunker | SvmChunker) -> Mapping[str, Sequence[str]]:
    """What is left out, one case after the other: the paper's, families of ``full``, or each feature that a
    set of one's own has from outside. Raises SettingError.
    """
    own_set = set_name(chunker.features)
    if own_set == "nakamura":
        return ABLATION
    if own_set == "full":
        return FAMILIES
    if own_set == "wished":
        return ABLATION | WISHES
    features = chunker.feature_set().features
    if any(feature.name == odds.__name__ for feature in features):
        raise SettingError(
            f"‹ablate› goes with ‹features={' or '.join(ALONE)}›: what the models below {own_set} see are "
            "numbers"
        )
    return {
        feature.name: (feature.name,)
        for feature in features
        if not feature.function.__module__.startswith("ruiji.")
    }


def _with_features(chunker: CrfChunker | SvmChunker, features: str) -> Iterator[tuple[str, Chunker]]:
    """The same chunker with another set, all of it."""
    changed: dict[str, Any] = {"features": features, "without": (), "keywords": "selected"}
    if isinstance(chunker, SvmChunker):
        changed["kernel"] = "auto"
    other = type(chunker)(**chunker.get_params() | changed)
    yield name_of(other), other


def _svm(chunker: CrfChunker | SvmChunker) -> SvmChunker:
    """An SVM with the features of a chunker; one with models below has none that an SVM could use."""
    if isinstance(chunker, SvmChunker):
        return chunker
    below = any(feature.name == odds.__name__ for feature in chunker.feature_set().features)
    return SvmChunker(
        "full" if below else chunker.features,
        () if below else chunker.without,
        chunker.keywords,
        per_site=chunker.per_site,
        max_pages=chunker.max_pages,
    )


def _crf(chunker: CrfChunker | SvmChunker) -> CrfChunker:
    """A CRF with the features of a chunker."""
    if isinstance(chunker, CrfChunker):
        return chunker
    return CrfChunker(
        chunker.features,
        chunker.without,
        chunker.keywords,
        per_site=chunker.per_site,
        max_pages=chunker.max_pages,
    )
