"""Addresses of pages: how alike two are (Kang 2009, section 6.1.2), and when a link means a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import urlsplit

import numpy as np
import xxhash

from ruiji.corpora.c_modules import compiled
from ruiji.features.arrays import LongArray

# No name of a host is longer than 253 characters (RFC 1035, section 3.1); what is, is none.
_HOST_AND_REST = re.compile(
    r"(?:[a-z][a-z0-9+.-]*:)?//(?:[^/?#@]*@)?([^/?#:]{0,253}+)(?![^/?#:])(?::\d*)?/?(.*)",
    re.IGNORECASE | re.DOTALL,
)
_LEADING_LABELS = re.compile(r"^(?:[^.]*www[^.]*\.)?(?:jp\.)?")
_TRAILING_LABELS = re.compile(r"\.(?:net|com|biz|org|co\.jp|ac\.jp|ne\.jp|or\.jp)$")
_HOME = re.compile(r"^(?:~|%7e)", re.IGNORECASE)
_PLAIN = re.compile(
    r"https?://([A-Za-z0-9.-]+)(/[\w/.,~%+=-]*)?(\?[\w/.,~%+=&-]+)?(?:#.*)?", re.ASCII
)  # most need not be taken apart
_DEFAULT_PORTS = {"http": 80, "https": 443}
_INDEX_NAMES = ("index.", "default.")
_INDEX = re.compile(r"(?<=/)(?:index|default)\.(?:html?|php|xhtml|aspx?|jsp|cgi)$", re.IGNORECASE)
PARTS_KEPT = (
    1 << 16
)  # addresses whose parts are remembered: rows of pairs come sorted, so the same address comes again soon


def url_similarity(one: str, other: str) -> float:
    """The mean of the Simpson coefficients of host parts and path parts, 0 to 1.

    The third row of the paper's table 2 says 0.38; its text gives 0.50, and the text is followed.
    """
    (host, path), (other_host, other_path) = url_parts(one), url_parts(other)
    return (simpson(host, other_host) + simpson(path, other_path)) / 2


def host_and_path(url: str) -> tuple[str, str]:
    """The host in lower case, and what follows its slash; a page that is known by its file name only has no
    host.
    """
    match = _HOST_AND_REST.match(url)
    return (match.group(1).lower(), match.group(2)) if match else ("", url)


@lru_cache(maxsize=PARTS_KEPT)
def url_parts(url: str) -> tuple[frozenset[str], frozenset[str]]:
    """The parts of the host and of the path that are compared; a page that is known by its file name only has
    no host.
    """
    host, path = host_and_path(url)
    host = _TRAILING_LABELS.sub("", _LEADING_LABELS.sub("", host))
    parts = [part for part in _HOME.sub("", path).split("/") if part]
    if parts and parts[-1].endswith("html"):
        parts[-1] = parts[-1][:-1]
    if parts and "index" in parts[-1]:
        parts.pop()
    return frozenset(part for part in re.split("[.-]", host) if part), frozenset(parts)


def simpson(one: frozenset[str], other: frozenset[str]) -> float:
    """Simpson's coefficient: the common parts by those of the smaller set; 0 where one is empty."""
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0


def canonical_url(url: str) -> str:
    """The address without what does not tell pages apart: scheme, default port, fragment, index.html, case of
    the host.

    A link to http://a.example/index.html means the page that was fetched as https://A.example/.
    """
    if match := _PLAIN.fullmatch(url):
        host, path, query = match.groups("")
        named = path[path.rfind("/") + 1 :].lower().startswith(_INDEX_NAMES)
        return f"//{host.lower()}{_INDEX.sub('', path) if named else path or '/'}{query}"
    url = url.strip()
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return url
    if not parts.netloc:
        return url.partition("#")[0]
    host = (parts.hostname or "").lower()
    if port is not None and port != _DEFAULT_PORTS.get(parts.scheme):
        host += f":{port}"
    query = f"?{parts.query}" if parts.query else ""
    return f"//{host}{_INDEX.sub('', parts.path or '/')}{query}"


def url_key(url: str) -> int:
    """The 64-bit number of a canonical address, as links are looked up."""
    return xxhash.xxh3_64_intdigest(canonical_url(url).encode("utf-8", "replace")) - (1 << 63)


def url_keys(urls: Sequence[str]) -> LongArray:
    """The number of each address; most need not be taken apart, which a loop in C sees where there is one."""
    in_c = compiled("ruiji.detector._urls")
    if in_c is None:
        return np.fromiter(map(url_key, urls), np.int64, len(urls))
    digest = xxhash.xxh3_64_intdigest
    numbers = (
        url_key(url) if form is None else digest(form) - (1 << 63)
        for url, form in zip(urls, in_c.plain(list(urls)), strict=True)
    )
    return np.fromiter(numbers, np.int64, len(urls))
