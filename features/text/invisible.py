"""Characters that are not seen: soft hyphens, zero-width spaces, marks of direction, joiners without anything
to join.

They say where a line may break or how a run of text is turned, never what it says. Pages carry them where a
template, an editor or a word processor put them; the same sentence with and without them is one sentence.
"""

from __future__ import annotations

import re

# Soft hyphen, zero-width space, marks and embeddings of direction, word joiner and invisible operators,
# isolates, byte order mark (Unicode 16, chapter 23.2 to 23.8).
_ALWAYS = "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"

# The two joiners spell words in scripts whose letters join (Arabic to Myanmar, Khmer to Mongolian, and their
# extensions), and pictographs are joined by one; elsewhere they are as invisible as the others.
_JOINING = (
    "\u0600-\u109f\u1780-\u18af\u1900-\u1cff\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff"
)
_PICTOGRAPH = "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
_INVISIBLE = re.compile(f"[{_ALWAYS}]|(?<![{_JOINING}])\u200c|(?<![{_JOINING}{_PICTOGRAPH}])\u200d")


def without_invisible(text: str) -> str:
    """The text without characters that nobody sees."""
    return _INVISIBLE.sub("", text)
