"""Pages as the web was in 2007: without names of elements, without the elements of HTML 5, without scripts
and descriptions in the head.

No annotated pages of that time are at hand. These have today's text and today's truth, and say no more about
themselves than old pages do.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ruiji.corpora import Page, decode

_SCRIPT = re.compile(r"<script\b.*?</script>", re.IGNORECASE | re.DOTALL)
_DESCRIPTION = re.compile(r"<meta\b[^>]*(?:og:|twitter:|article:|description)[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"""<(/?)([a-zA-Z][^\s/>]*)((?:[^"'>]|"[^"]*"|'[^']*')*)>""")
_ATTRIBUTE = re.compile(r"""\s*([^\s"'>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?|\s*/""")
_NAME = re.compile(r"class|id|role|item[a-z]+|(?:aria|data)-.*", re.IGNORECASE)
NEW_ELEMENTS = {  # of HTML 5, and what stood in their place
    **dict.fromkeys(
        "main article section nav header footer aside figure figcaption details summary hgroup".split(), "div"
    ),
    **dict.fromkeys(("time", "picture", "mark"), "span"),
}


def _old_tag(tag: re.Match[str]) -> str:
    """The tag as one of 2007 that names nothing."""
    slash, name, rest = tag.groups()
    kept = (
        own.group()
        for own in _ATTRIBUTE.finditer(rest)
        if not (own.group(1) and _NAME.fullmatch(own.group(1)))
    )
    return f"<{slash}{NEW_ELEMENTS.get(name.lower(), name)}{''.join(kept)}>"


def aged(page: Page) -> Page:
    """The same page, with nothing in its source that came after 2007 or that names a part of it."""
    html = page.html if isinstance(page.html, str) else decode(page).text
    html = _DESCRIPTION.sub("", _SCRIPT.sub("", html))
    return replace(page, html=_TAG.sub(_old_tag, html))
