"""Pages as the web was in 2007: without names of elements, without the elements of HTML 5, without scripts
and descriptions in the head.

No annotated pages of that time are at hand. These have today's text and today's truth, and say no more about
themselves than old pages do. Pages as they were some years later name their parts by class and id, and by
nothing else.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from ruiji.corpora import Page, decode

_SCRIPT = re.compile(r"<script\b.*?</script>", re.IGNORECASE | re.DOTALL)
_DESCRIPTION = re.compile(r"<meta\b[^>]*(?:og:|twitter:|article:|description)[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"""<(/?)([a-zA-Z][^\s/>]*)((?:[^"'>]|"[^"]*"|'[^']*')*)>""")
_ATTRIBUTE = re.compile(r"""\s*([^\s"'>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?|\s*/""")
_NEW_NAME = re.compile(r"role|item[a-z]+|(?:aria|data)-.*", re.IGNORECASE)
_NAME = re.compile(rf"class|id|{_NEW_NAME.pattern}", re.IGNORECASE)
NEW_ELEMENTS = {  # of HTML 5, and what stood in their place
    **dict.fromkeys(
        "main article section nav header footer aside figure figcaption details summary hgroup".split(), "div"
    ),
    **dict.fromkeys(("time", "picture", "mark"), "span"),
}


def _old_tag(name_of_part: re.Pattern[str], tag: re.Match[str]) -> str:
    """The tag as an old one, without such names."""
    slash, name, rest = tag.groups()
    kept = (
        own.group()
        for own in _ATTRIBUTE.finditer(rest)
        if not (own.group(1) and name_of_part.fullmatch(own.group(1)))
    )
    return f"<{slash}{NEW_ELEMENTS.get(name.lower(), name)}{''.join(kept)}>"


def aged(page: Page, named: bool = False) -> Page:
    """The same page, with nothing in its source that came after 2007 or that names a part of it; ``named``
    with the names that it has by class and id.
    """
    html = page.html if isinstance(page.html, str) else decode(page).text
    html = _DESCRIPTION.sub("", _SCRIPT.sub("", html))
    return replace(page, html=_TAG.sub(partial(_old_tag, _NEW_NAME if named else _NAME), html))
