"""Who looks after which pages: a file with an address prefix and an owner a line, parted by a tab."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ruiji.corpora.page import InputError
from ruiji.detector.sites import site_of


@dataclass(frozen=True, slots=True)
class PageOwners:
    """Owners by the prefix of an address; the longest prefix decides, and a page nobody owns is its
    site's.
    """

    by_prefix: tuple[tuple[str, str], ...] = ()  # the longest first

    def owner_of(self, url: str) -> str:
        """The owner of a page."""
        bare = _bare(url)
        known = next((owner for prefix, owner in self.by_prefix if bare.startswith(prefix)), "")
        return known or shown_site(url)


def shown_site(url: str) -> str:
    """The site of a page as notices call it: a user of a service behind it, for user@service reads like an
    address to write to.
    """
    user, at, service = site_of(url).partition("@")
    return f"{service}/{user}" if at else user


def read_owners(path: Path) -> PageOwners:
    """The owners of a file. Raises InputError, which says what a line looks like."""
    pairs = []
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: no file of owners: {error}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        prefix, _, owner = (part.strip() for part in line.partition("\t"))
        if not prefix or not owner:
            raise InputError(
                f"{path}, line {number}: an address prefix, a tab and an owner are expected: {line!r}"
            )
        pairs.append((_bare(prefix), owner))
    return PageOwners(tuple(sorted(pairs, key=lambda pair: (-len(pair[0]), pair))))


def _bare(url: str) -> str:
    """An address without its scheme: http and https are one site."""
    return url.partition("://")[2] or url
