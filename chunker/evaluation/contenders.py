"""Who takes part in a cross-validation: the chunker itself, what it is compared with, and what is left of it
without a feature.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.svm import AllContent, SvmChunker
from ruiji.chunker.evaluation.crossval import Chunker
from ruiji.chunker.self_taught import SelfTaughtChunker
from ruiji.corpora.errors import SettingError
from ruiji.features.nodes.full import FAMILIES
from ruiji.features.nodes.nakamura import ABLATION
from ruiji.features.nodes.sets import ALONE

COMPARISONS = ("svm", "baseline", "self")
WITHOUT = "without "  # begins the name of a chunker that lacks a feature
FIXED_KEYWORDS = "fixed keywords"


def name_of(chunker: CrfChunker) -> str:
    """The name of the chunker that a cross-validation is about."""
    return f"crf {chunker.features}"


def contenders(
    chunker: CrfChunker, ablate: bool = False, compare: Sequence[str] = ()
) -> Iterator[tuple[str, Chunker]]:
    """Everything that is to be cross-validated, by name; the chunker itself comes first. Raises SettingError."""
    settings = chunker.get_params()
    if ablate and chunker.features not in ALONE:
        raise SettingError(
            f"‹ablate› goes with ‹features={' or '.join(ALONE)}›: what the judges below {chunker.features} "
            "see are numbers"
        )
    yield name_of(chunker), chunker
    if ablate:
        for other in ALONE:
            if other != chunker.features:
                changed = {"features": other, "without": (), "keywords": "selected"}
                yield f"crf {other}", CrfChunker(**settings | changed)
    for name in compare:
        if name == "svm":
            plain = chunker.features if chunker.features in ALONE else "full"  # an SVM has no judges below
            without = chunker.without if plain == chunker.features else ()
            yield f"svm {plain}", SvmChunker(plain, without, chunker.keywords)
        elif name == "self":
            yield f"self-taught {chunker.features}", SelfTaughtChunker(**settings)
        else:
            yield "all content", AllContent()
    if not ablate:
        return
    cases = ABLATION if chunker.features == "nakamura" else FAMILIES
    for case, names in cases.items():
        yield f"{WITHOUT}{case}", CrfChunker(**settings | {"without": (*chunker.without, *names)})
    if chunker.features == "nakamura":
        yield FIXED_KEYWORDS, CrfChunker(**settings | {"keywords": "fixed"})
