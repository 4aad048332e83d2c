"""The skeleton of a sentence: its content words in dictionary form, in order. Copies whose grammar was
changed share it.

Kang 2009 (chapter 4) matches sentences by their text, so that one changed particle hides a copy. A skeleton
stays the same when particles, inflections, polite forms, widths, spellings that the dictionary knows
(コンピュータ, 取扱い) or punctuation change; it changes when a content word, a number or a negation does, or
the order of words.
"""

from __future__ import annotations

from collections.abc import Sequence

from ruiji.features.text.lemmas import lemmas

# A skeleton of few words is no evidence: 「これについて説明します。」 leaves これ and 説明. Of the mini-web's
# sentences of 20 to 25 characters half have 7 content words or more, and 3 % fewer than MIN_WORDS.
MIN_WORDS = 4
MIN_DIFFERENT = 3


def skeletons(texts: Sequence[str]) -> list[str]:
    """The skeleton of each normalised sentence, words with a space between; "" where there is too little
    content to go by.

    A sentence without a skeleton is to be matched by its text.
    """
    return [
        " ".join(words) if len(words) >= MIN_WORDS and len(set(words)) >= MIN_DIFFERENT else ""
        for words in lemmas(texts)
    ]
