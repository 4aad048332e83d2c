"""The set ``full`` with words of ``nakamura`` beside it, for an ablation: keywords, and parts of speech.

ruiji crossval corpora/miniweb --features benchmarks.words_and_full:WITH_KEYWORDS
ruiji crossval corpora/miniweb --features benchmarks.words_and_full:WITH_PARTS_OF_SPEECH
ruiji crossval corpora/miniweb --features benchmarks.words_and_full:WITH_BOTH
"""

from __future__ import annotations

from ruiji.features.nodes.attributes import FeatureSet
from ruiji.features.nodes.full import FULL
from ruiji.features.nodes.nakamura import NAKAMURA


def _with(name: str, *wanted: str) -> FeatureSet:
    """``full`` with these features of ``nakamura``."""
    words = tuple(feature for feature in NAKAMURA.features if feature.name in wanted)
    return FeatureSet(name, (*FULL.features, *words))


WITH_KEYWORDS = _with("full with keywords", "keyword")
WITH_PARTS_OF_SPEECH = _with("full with parts of speech", "verb_or_adjective")
WITH_BOTH = _with("full with words", "keyword", "verb_or_adjective")
