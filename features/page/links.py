"""Where a link leads: the target's address, and whether it stays in the page's domain (Nakamura 2007, section
3.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import IntEnum
from urllib.parse import urljoin, urlsplit

from ruiji.corpora.c_modules import compiled

_HOST = re.compile(r"(?:https?:)?//([^/?#]*)", re.IGNORECASE)
_SCHEME = re.compile(r"\A[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_RELATIVE_STARTS = ("/", "#", ".", "?")
_SCHEMES = ("http://", "https://")
# Links that joining leaves as they are but for the part before them, without anything that it would look at
# more closely.
_PLAIN_ADDRESS = re.compile(
    r"https?://[a-z0-9.-]+(?:/[\w/.,~%+=:@!*'()$-]*)?(?:\?[\w/.,~%+=:@!*'()$&-]+)?", re.ASCII
)
_PLAIN_PATH = re.compile(r"/?[\w,~%+=-]+(?:[/.][\w,~%+=-]+)*/?(?:\?[\w/.,~%+=&-]+)?", re.ASCII)
_NO_PAGES = ("javascript:", "mailto:", "tel:")
_PLAIN_BASE = re.compile(
    r"((https?:)//[a-z0-9.-]++)((?:/[\w,~%+=-]+(?:\.[\w,~%+=-]+)*)*/)?[\w.,~%+=-]*(?:\?[^#;]*)?", re.ASCII
)


FOLDERS_ABOVE = 16  # whose names are made at once; a link that climbs higher is resolved by itself


class LinkKind(IntEnum):
    """Whether a text node is a link, and whether that leaves the domain."""

    NONE = 0
    INTERNAL = 1  # relative, or an address of the same domain; also javascript:, mailto: and fragments
    EXTERNAL = 2


def host_of(url: str) -> str:
    """The host of an address in lower case, without a leading www label or port; "" for a relative
    address.
    """
    match = _HOST.match(url)
    return match.group(1).rpartition("@")[2].partition(":")[0].lower().removeprefix("www.") if match else ""


def link_kinds(hrefs: Iterable[str], page_host: str, base_host: str = "") -> list[LinkKind]:
    """The kind of each link as it stands in a page of the host; relative ones follow the base address where
    one is given. By the loop in C where there is one.
    """
    in_c, relative = compiled("ruiji.features.page._links"), link_kind("/", page_host, base_host)
    if in_c is None or not isinstance(hrefs, list):
        return link_kinds_in_python(hrefs, page_host, base_host)
    kinds: list[LinkKind] = in_c.kinds(
        hrefs, _starts_of(page_host), _SCHEMES, LinkKind.INTERNAL, LinkKind.EXTERNAL, relative, page_host,
        lambda href: link_kind(href, page_host, base_host),
    )  # fmt: skip
    return kinds


def link_kinds_in_python(hrefs: Iterable[str], page_host: str, base_host: str = "") -> list[LinkKind]:
    """The reference for the loop in C."""
    by_start: dict[str, LinkKind] = {}  # of relative addresses two characters say all
    by_origin: dict[str, LinkKind] = {}  # scheme and host: a page's links have few different ones
    internal, own = LinkKind.INTERNAL, _starts_of(page_host)
    relative = link_kind("/", page_host, base_host)
    kinds: list[LinkKind] = []
    for href in hrefs:
        kind = by_start.get(href[:2])
        if kind is None and href.startswith(own):
            kind = internal
        elif kind is None:
            origin = href
            if href.startswith(_SCHEMES):
                end = href.find("/", 8)
                origin = href[:end] if end > 0 else href
            elif href.startswith(_RELATIVE_STARTS) and href[1:2] != "/":
                kind = by_start[href[:2]] = internal if href[0] == "#" else relative
            if kind is None:
                kind = by_origin.get(origin)
            if kind is None:
                kind = by_origin[origin] = link_kind(href, page_host, base_host)
        kinds.append(kind)
    return kinds


def _starts_of(host: str) -> tuple[str, ...]:
    """What addresses of a host mostly start with."""
    if not host or host.startswith("www."):
        return ()
    return tuple(f"{scheme}://{label}{host}/" for scheme in ("https", "http") for label in ("", "www."))


def link_kind(href: str, page_host: str, base_host: str = "") -> LinkKind:
    """The kind of one link."""
    address = href.strip()
    if host := host_of(address):
        return LinkKind.INTERNAL if host == page_host else LinkKind.EXTERNAL
    leaves = base_host not in ("", page_host) and not _SCHEME.match(address) and address[:1] not in ("", "#")
    return LinkKind.EXTERNAL if leaves else LinkKind.INTERNAL


def resolve_all(hrefs: Iterable[str], base: str) -> dict[str, str]:
    """The absolute address of each different link, as resolve gives it; most are plain and need not be taken
    apart.
    """
    match = _PLAIN_BASE.fullmatch(base)
    origin, scheme = (match.group(1), match.group(2)) if match else ("", "")
    folders = [origin + folder for folder in _folders(match.group(3) or "/" if match else "/")]
    own = resolve("#", base)
    addresses: dict[str, str] = {}
    for href in dict.fromkeys(hrefs):
        plain = href.partition("#")[0]
        if not plain:
            address = own if href else resolve(href, base)
        elif plain.startswith(_SCHEMES) and _PLAIN_ADDRESS.fullmatch(plain):
            address = plain
        elif plain.startswith(_NO_PAGES):
            address = ""
        elif not match:
            address = resolve(href, base)
        elif plain.startswith("//"):
            address = scheme + plain
            address = address if _PLAIN_ADDRESS.fullmatch(address) else resolve(href, base)
        else:
            address = _plain_address(plain, origin, folders) or resolve(href, base)
        addresses[href] = address
    return addresses


def _plain_address(path: str, origin: str, folders: Sequence[str]) -> str:
    """The address of a path that names folders above by ``../`` at its start only; "" for others."""
    ups = 0
    while path.startswith("../", 3 * ups):
        ups += 1
    start = 3 * ups or (2 if path.startswith("./") else 0)
    if path == "/" or (not start and path[0] == "/" and _PLAIN_PATH.fullmatch(path)):
        return origin + path
    plain = ups < len(folders) and path[start : start + 1] != "/" and _PLAIN_PATH.fullmatch(path, start)
    return folders[ups] + path[start:] if plain else ""


def _folders(path: str) -> list[str]:
    """A folder and the next ones above it, up to the root."""
    names = path.split("/")[:-1]
    highest = max(0, len(names) - FOLDERS_ABOVE)
    return ["/".join(names[:depth]) + "/" for depth in range(len(names), highest, -1)]


def base_address(url: str, base: str) -> str:
    """The address that the links of a page start from, by its own and that of its ``<base>``; "" where they
    are none.

    >>> base_address("http://a.example/b/c", "../d/")
    'http://a.example/d/'
    >>> base_address("http://a.example/b/c", "http://[d/")
    'http://a.example/b/c'
    """
    for given in (base, ""):
        try:
            address = urljoin(url, given)
            urlsplit(address)
        except ValueError:  # brackets that hold no number
            continue
        return address
    return ""


def resolve(href: str, base: str) -> str:
    """The absolute address of a link without its fragment; "" for what is no address (javascript:, broken
    brackets).
    """
    try:
        address = urljoin(base, href.strip())
        if urlsplit(address).scheme not in ("http", "https", "file", ""):
            return ""
    except ValueError:
        return ""
    return address.partition("#")[0]
