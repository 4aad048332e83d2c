"""What a page says its encoding is: in the header, in ``meta``, in an XML declaration."""

from __future__ import annotations

import re

from ruiji.corpora.encoding import encodings

PRESCAN_BYTES = 1024  # WHATWG HTML, 13.2.3.2: where a browser looks before it parses

_CHARSET_PARAMETER = re.compile(
    r"""charset[\t\n\f\r ]*+=[\t\n\f\r ]*+["']?+[\t\n\f\r ]*+([^\t\n\f\r "';>]+)""", re.IGNORECASE
)
# Comments and elements whose text is no markup, and meta; each to its end or to the end of the page, so that
# time stays linear.
_META = re.compile(
    rb"""<!--.*?(?:-->|\Z)|<(script|style|title|textarea|xmp)[\s/>].*?(?:</\1(?=[\s/>])|\Z)"""
    rb"""|<meta[\s/](?:[^>"']|"[^"]*(?:"|\Z)|'[^']*(?:'|\Z))*+(?:>|\Z)""",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = re.compile(rb"""(?<![^\s"'>/=])([^\s"'>/=]++)\s*+=\s*("[^"]*"|'[^']*'|[^\s>]*)""")
_XML_DECLARATION = re.compile(rb"""\A\s*+<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)["']""")


def declared_encodings(body: bytes, content_type: str) -> list[tuple[str, str]]:
    """(encoding, who says so) of each label that the standard knows, most authoritative first."""
    labels: list[tuple[str, str]] = []
    if parameter := _CHARSET_PARAMETER.search(content_type):
        labels.append((parameter.group(1), "HTTP header"))
    label, late = _meta_label(body)
    if label:
        labels.append((label, "late meta" if late else "meta"))
    elif xml := _XML_DECLARATION.match(body[:PRESCAN_BYTES]):
        labels.append((xml.group(1).decode("latin-1"), "XML declaration"))
    declared = []
    for text, source in labels:
        encoding = encodings.lookup(text)
        if (
            source != "HTTP header"
        ):  # WHATWG HTML, 13.2.3.2: a page that can be read as ASCII is not what these say
            encoding = {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "windows-1252"}.get(
                encoding or "", encoding
            )
        if encoding is not None:
            declared.append((encoding, source))
    return declared


def _meta_label(body: bytes) -> tuple[str, bool]:
    """The label of the first ``meta`` that names one, and whether it stands beyond the browser's prescan.

    A browser that meets a meta later starts over with it, so the whole page is searched. Comments do not
    count.
    """
    lowered = body if b"charset" in body else body.lower()
    if b"charset" not in lowered:
        return "", False
    for match in _META.finditer(body):
        tag = match.group()
        if tag[:5].lower() != b"<meta":
            continue
        attributes = {
            name.lower(): value.strip(b"\"'").decode("latin-1")
            for name, value in reversed(_ATTRIBUTE.findall(tag[5:]))
        }
        label = attributes.get(b"charset", "")
        if not label and attributes.get(b"http-equiv", "").strip().lower() == "content-type":
            parameter = _CHARSET_PARAMETER.search(attributes.get(b"content", ""))
            label = parameter.group(1) if parameter else ""
        if label and encodings.lookup(label) is not None:
            return label, match.start() >= PRESCAN_BYTES
    return "", False
