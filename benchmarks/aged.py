"""Pages as the web was in 2007: without names of elements, without the elements of HTML 5, without scripts and descriptions in the head.

No annotated pages of that time are at hand. These have today's text and today's truth, and say no more about themselves than old pages do.
"""

from __future__ import annotations

import re
from dataclasses import replace

from corpora import Page, decode

_SCRIPT = re.compile(r"<script\b.*?</script>", re.IGNORECASE | re.DOTALL)
_DESCRIPTION = re.compile(r"<meta\b[^>]*(?:og:|twitter:|article:|description)[^>]*>", re.IGNORECASE)
_NEW_ELEMENT = re.compile(
    r"<(/?)(?:main|article|section|nav|header|footer|aside|figure|figcaption|details|summary|hgroup|picture|time)\b", re.IGNORECASE
)
_TAG = re.compile(r"<[a-zA-Z][^>]*>")
_NAME = re.compile(r"""\s(?:class|id|role|item[a-z]+|aria-[a-z]+|data-[\w-]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?""", re.IGNORECASE)


def aged(page: Page) -> Page:
    """The same page, with nothing in its source that came after 2007 or that names a part of it."""
    html = page.html if isinstance(page.html, str) else decode(page).text
    html = _DESCRIPTION.sub("", _SCRIPT.sub("", html))
    return replace(page, html=_TAG.sub(lambda tag: _NAME.sub("", tag.group()), _NEW_ELEMENT.sub(r"<\1div", html)))
