"""Who runs a page, as far as its address says so: the registered domain, or the user of a service.

Kang 2009 compares the parts of two addresses, which makes every two pages of go.jp and every two users of a
blog service alike. Here a site is what somebody registered: the domain under a public suffix, private ones
such as blogspot.com included (the list comes with tldextract; nothing is fetched), or a user of a service
that gives each a label or a folder, or a ``~user``. Labels for devices, languages and www do not matter,
since they stand in front of the registered domain.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from urllib.parse import unquote

import xxhash

from ruiji.detector import public_suffixes
from ruiji.detector.urls import PARTS_KEPT, host_and_path, simpson, url_parts

# Parts of a path that make a variant of a page rather than another page: languages, devices, printing.
_VARIANT = re.compile(
    r"[a-z]{2}(?:[-_][a-z]{2,"
    r"4})?|global|intl?|amp|print(?:able|er)?|mobile|sp|m|s|pc|index\.\w+|default\.\w+",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^([a-z-]+)\d+(?=\.)")  # blog72.fc2.com is blog.fc2.com
_SERVER = re.compile(r"[a-z]{1,2}\d{1,3}")  # user.g1.xrea.com
USER_DEPTH = 2  # parts of a path among which one with a sign in front names a user: /@user/, /tag/@user/
_SESSION = re.compile(r";.*$")
_LABEL_PARTS = re.compile(r"[^.\-_/]+")
# What may stand between two letters of a name, as other white space may: RubyKaigi, Ruby Kaigi, ruby-kaigi.
_SEPARATORS = (" ", "_", "-")
_BETWEEN = "|"  # texts: neither in names nor white space
LONG_PART = 16  # characters of a part of a path that two sites do not have by chance: a slug, an identifier
RARE_LABEL = 4  # characters of a part of a name, at least, for two names that share it to be of one owner
# Parts of names that say nothing about the owner.
_GENERIC = frozenset(
    """blog blogs news media info online site sites page pages home homepage mirror mirrors archive archives
    doc docs
    help support shop store forum forums wiki data global group official portal press mobile image images
    static
    assets files download downloads public html cache proxy test demo beta staging japan world
    company developer developers documentation community manual manuals guide guides learn career careers
    research library academy knowledge campus recruit corporate english japanese business service services
    user users member members content contents event events project projects""".split()
)


@lru_cache(maxsize=PARTS_KEPT)
def site_of(url: str) -> str:
    """The site of an address: registered domain, with the user in front of or behind it; the address itself
    where it has no host.
    """
    host, path = host_and_path(url)
    if not host:
        return url
    domain = registered_domain(host)
    parts = [part for part in path.partition("?")[0].split("/") if part]
    services = _services()
    for place in range(host.count(".") + 1):  # the longest name first
        name = host.split(".", place)[place]
        if (rule := services.get(name) or services.get(_NUMBERED.sub(r"\1", name))) is None:
            continue
        by_label, folders = rule
        if by_label and place and (user := _user_label(host.split(".")[:place])):
            return f"{user}@{name}"
        if not place and parts:
            if parts[0] in folders and len(parts) > 1:
                return f"{parts[1].lower()}@{name}/{parts[0]}"
            if "" in folders and len(parts) > 1:
                return f"{parts[0].lower()}@{name}"
    for part in parts[:USER_DEPTH]:
        if (user := unquote(part))[:1] in ("~", "@") and len(user) > 1:
            return f"{user[1:].lower()}@{host}"
    return domain


def of_one_service(one: str, other: str) -> bool:
    """Whether two addresses are those of users of one service, which has its own menus around all of them."""
    behind = [_NUMBERED.sub(r"\1", site_of(url).rpartition("@")[2]) for url in (one, other)]
    return "@" in site_of(one) and "@" in site_of(other) and behind[0] == behind[1]


def _user_label(labels: Sequence[str]) -> str:
    """The label that names a user among those in front of a service; "" where none does."""
    labels = [label for label in labels if label != "www"]
    named = [label for label in labels if not _SERVER.fullmatch(label)] or labels
    return named[-1] if named else ""


@lru_cache(maxsize=PARTS_KEPT)
def registered_domain(host: str) -> str:
    """The domain under its public suffix; a host that has none, or is one, stands for itself."""
    host = host.strip(".").lower()
    if is_number(host):
        return host
    return public_suffixes.registered_domain(host)


def site_key(url: str) -> int:
    """The 64-bit number of a site."""
    return _number(site_of(url))


def path_key(url: str) -> int:
    """The 64-bit number of a page's path: the same for a page in several releases, languages and mirrors at
    hosts of their own. A page without a path is known by its site.
    """
    path = "/".join(_plain_path(url))
    query = host_and_path(url)[1].partition("?")[2]
    return _number(f"/{path}?{query}" if path else site_of(url))


def _number(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) - (1 << 63)


def site_similarity(one: str, other: str) -> float:
    """How alike two addresses are, by who runs them: from 0.5 to 1 for pages of one site, by their paths; up
    to 0.5 for a page that stands at the same path of a related host (a mirror), 0 for other pages of other
    sites.
    """
    if site_of(one) == site_of(other):
        return (1 + _path_similarity(one, other)) / 2
    return _path_similarity(one, other) / 2 if mirrored(one, other) else 0.0


def mirrored(one: str, other: str) -> bool:
    """Whether the addresses are those of a tree of pages and its mirror: the whole path of the one stands at
    the end of the other's, and a host is a bare number, or the hosts share a rare name, or the path is long.

    Two users of one service are never mirrors of each other: that is how copies look there.
    """
    sites = site_of(one), site_of(other)
    if "@" in sites[0] and "@" in sites[1]:
        return False
    paths = sorted((_plain_path(one), _plain_path(other)), key=len)
    if not paths[0] or paths[1][-len(paths[0]) :] != paths[0]:
        return False
    hosts = host_and_path(one)[0], host_and_path(other)[0]
    if any(is_number(host) for host in hosts):
        return True
    before = "/".join(paths[1][: len(paths[1]) - len(paths[0])])
    names = [_names_of(host) for host in hosts]
    for own, theirs in (names, names[::-1]):
        if own & (theirs | _names_in(before)):
            return True
    return len(paths[0]) > 2 and any(len(part) >= LONG_PART for part in paths[0])


def share_a_name(one: str, other: str) -> bool:
    """Whether two hosts have a rare name in common, of their sites or in front of them."""
    return not _names_of(one).isdisjoint(_names_of(other))


def _names_of(host: str) -> frozenset[str]:
    return site_names(f"//{host}/") | _labels_in_front(host)


def _labels_in_front(host: str) -> frozenset[str]:
    """The rare labels in front of a registered domain, each as a whole: what releases of one manual at hosts
    of their own have in common.
    """
    front = host.removesuffix(registered_domain(host)).lower().strip(".").split(".")
    return frozenset(label for label in front if len(label) >= RARE_LABEL and label not in _GENERIC)


def _path_similarity(one: str, other: str) -> float:
    return simpson(url_parts(one)[1], url_parts(other)[1])


@lru_cache(maxsize=PARTS_KEPT)
def _plain_path(url: str) -> tuple[str, ...]:
    """The parts of a path without those that make variants, its query and its session."""
    path = _SESSION.sub("", host_and_path(url)[1].partition("?")[0])
    return tuple(part for part in path.split("/") if part and not _VARIANT.fullmatch(part))


def site_names(url: str) -> frozenset[str]:
    """The rare parts of a site's name: of the label that was registered, or of the user in front of it."""
    host = host_and_path(url)[0]
    if not host or is_number(host):
        return frozenset()
    site = site_of(url)
    return _names_in(site.partition("@")[0] if "@" in site else site.partition(".")[0])


def naming(url: str, texts: Iterable[str]) -> list[bool]:
    """Which of a page's texts name the site that it stands at."""
    texts = list(texts)
    names = [name for name in site_names(url) if name == _in_one_word(name)]
    whole = _in_one_word(_BETWEEN.join(texts))
    names = [name for name in names if name in whole]  # mostly none
    if not names:
        return [False] * len(texts)
    return [any(name in bare for name in names) for bare in map(_in_one_word, texts)]


def _in_one_word(text: str) -> str:
    """The text in small letters without what may stand between two letters of a name."""
    bare = text.lower()
    for separator in _SEPARATORS:
        bare = bare.replace(separator, "")
    return bare if bare.isprintable() else "".join(bare.split())


def _names_in(text: str) -> frozenset[str]:
    return frozenset(
        part
        for part in _LABEL_PARTS.findall(text.lower())
        if len(part) >= RARE_LABEL and part not in _GENERIC
    )


def is_number(host: str) -> bool:
    """Whether a host is a bare number: nobody registered it, so it mirrors one that somebody did."""
    address = host.strip("[]")
    if ":" not in address and not address[-1:].isdigit():
        return False
    try:
        ipaddress.ip_address(address)
    except ValueError:
        return False
    return True


@cache
def _services() -> Mapping[str, tuple[bool, frozenset[str]]]:
    """By host: whether users are labels in front of it, and the folders under which they are parts of the
    path.
    """
    labels: set[str] = set()
    folders: dict[str, set[str]] = {}
    for line in (files("ruiji.detector") / "data/user_services.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, name = line.split()
            host, _, folder = name.partition("/")
            if kind == "label":
                labels.add(host)
            else:
                folders.setdefault(host, set()).add(folder)
    return {host: (host in labels, frozenset(folders.get(host, ()))) for host in labels | folders.keys()}
