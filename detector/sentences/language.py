"""Whether a page is in a language: Japanese by the test of Kang 2009, any other by script and statistics."""

from __future__ import annotations

from ruiji.chunker.document.metadata.language import known_languages, language_of
from ruiji.corpora.errors import SettingError
from ruiji.detector.sentences.table import is_japanese

JAPANESE = "ja"


def known_language(code: str) -> str:
    """A language that pages can be asked for, as ISO 639-1; "" for any. Raises SettingError for another.

    >>> known_language(" JA ")
    'ja'
    """
    known = code.strip().lower()
    if known and known not in (languages := known_languages()):
        raise SettingError(
            f"{code!r} is no language that pages are told by: there are {', '.join(languages)}"
        )
    return known


def in_language(text: str, language: str) -> bool:
    """Whether the text of a page is in a language, given as ISO 639-1.

    >>> in_language("港の朝は早い。", "ja"), in_language("港の朝は早い。", "en")
    (True, False)
    """
    if language == JAPANESE:
        return is_japanese(text)
    return language_of(text, "")[0] == language
