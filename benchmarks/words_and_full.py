"""The set ``full`` with words of ``nakamura`` beside it, for an ablation: keywords, and parts of speech.

ruiji crossval corpora/miniweb --features benchmarks.words_and_full:WITH_KEYWORDS
ruiji crossval corpora/miniweb --features benchmarks.words_and_full:WITH_PARTS_OF_SPEECH
ruiji crossval corpora/miniweb --features benchmarks.words_and_full:WITH_BOTH
"""

from __future__ import annotations

from ruiji.features.nodes.full import FULL
from ruiji.features.nodes.nakamura import NAKAMURA

WITH_KEYWORDS = FULL.extended("full with keywords", *NAKAMURA.chosen("keyword"))
WITH_PARTS_OF_SPEECH = FULL.extended("full with parts of speech", *NAKAMURA.chosen("verb_or_adjective"))
WITH_BOTH = FULL.extended("full with words", *NAKAMURA.chosen("keyword", "verb_or_adjective"))
