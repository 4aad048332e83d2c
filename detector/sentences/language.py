"""Whether a page is in a language: Japanese by the test of Kang 2009, any other by script and statistics."""

from __future__ import annotations

from ruiji.chunker.document.metadata.language import language_of
from ruiji.detector.sentences.table import is_japanese

JAPANESE = "ja"


def in_language(text: str, language: str) -> bool:
    """Whether the text of a page is in a language, given as ISO 639-1.

    >>> in_language("港の朝は早い。", "ja"), in_language("港の朝は早い。", "en")
    (True, False)
    """
    if language == JAPANESE:
        return is_japanese(text)
    return language_of(text, "")[0] == language
