"""Change notices as somebody gets them: text by site, an Atom feed (RFC 4287), a mail body for each owner of
pages.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from xml.etree import ElementTree

from ruiji.detector.records.changes import ADDED, REMOVED, REWRITTEN, Notice
from ruiji.detector.records.owners import PageOwners, shown_site

ATOM = "http://www.w3.org/2005/Atom"
YEAR_DIGITS = 4
UNKNOWN_TIME = "1970-01-01T00:00:00+00:00"  # Atom asks for a time where nobody knows one


def notice_text(notice: Notice) -> str:
    """A notice as a person reads it, with the pages that still say the old."""
    text = f"{notice.url}\n  {summary(notice)}\n"
    for page in notice.outdated:
        text += f"    still {page.value}: {page.url}" + (f" ({page.time[:10]})\n" if page.time else "\n")
    return text


def summary(notice: Notice) -> str:
    """What changed, in one line."""
    subject = notice.label or notice.path
    if notice.kind in (ADDED, REMOVED):
        fields = notice.new or notice.old
        return f"{subject}: {notice.kind}" + (f" ({fields})" if fields else "")
    other = " (another notation)" if notice.kind == REWRITTEN else ""
    return f"{subject}  {notice.field}: {notice.old or '–'} → {notice.new or '–'}{other}"


def text_by_site(notices: Sequence[Notice]) -> str:
    """All notices under the sites of their pages."""
    sites: dict[str, list[Notice]] = defaultdict(list)
    for notice in notices:
        sites[shown_site(notice.url)].append(notice)
    return "\n".join(
        f"{site}\n{'=' * len(site)}\n" + _under_their_pages(own) for site, own in sorted(sites.items())
    )


def _under_their_pages(notices: Sequence[Notice]) -> str:
    """The text of notices, each page named once."""
    texts: dict[str, str] = {}
    for notice in notices:
        page, change = notice_text(notice).split("\n", 1)
        texts[page] = texts.get(page, "") + change
    return "".join(f"{page}\n{changes}" for page, changes in texts.items())


def by_owner(notices: Iterable[Notice], owners: PageOwners) -> dict[str, tuple[list[Notice], list[Notice]]]:
    """For each owner the changes that left pages of theirs behind, and the changes on their own pages."""
    behind: dict[str, list[Notice]] = defaultdict(list)
    own: dict[str, list[Notice]] = defaultdict(list)
    for notice in notices:
        own[owners.owner_of(notice.url)].append(notice)
        for owner in sorted({owners.owner_of(page.url) for page in notice.outdated}):
            behind[owner].append(notice)
    return {owner: (behind.get(owner, []), own.get(owner, [])) for owner in sorted({*behind, *own})}


def mail_bodies(notices: Sequence[Notice], owners: PageOwners) -> Mapping[str, str]:
    """The body of a mail for each owner: what to mend first, then what changed on their own pages."""
    bodies = {}
    for owner, (behind, own) in by_owner(notices, owners).items():
        parts = [f"To: {owner}\n"]
        if behind:
            parts.append("These pages of yours still say what has changed elsewhere:\n")
            for notice in behind:
                pages = [page for page in notice.outdated if owners.owner_of(page.url) == owner]
                parts += [f"  {page.url}\n    says: {page.value}" for page in pages]
                parts.append(f"    but {notice.url} now says: {summary(notice)}\n")
        if own:
            parts.append("Changed on your pages:\n")
            parts += [f"  {line}" for line in _under_their_pages(own).splitlines()]
        bodies[owner] = "\n".join(parts) + "\n"
    return bodies


def file_name(owner: str) -> str:
    """A file name for an owner; owners that differ have different ones."""
    plain = re.sub(r"[^\w.@-]+", "_", owner).strip("._")[:60]
    digest = "" if plain == owner else "-" + hashlib.sha256(owner.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{plain or 'owner'}{digest}.txt"


def atom_feed(notices: Sequence[Notice], owners: PageOwners) -> bytes:
    """The notices as an Atom feed, one entry a notice, the owners as categories."""
    ElementTree.register_namespace("", ATOM)
    feed = ElementTree.Element(f"{{{ATOM}}}feed")
    _add(feed, "title", "ruiji records: changes")
    digest = hashlib.sha256("".join(map(_entry_id, notices)).encode()).hexdigest()[:32]
    _add(feed, "id", f"urn:ruiji:changes:{digest}")
    _add(feed, "updated", max((_time(notice) for notice in notices), default=UNKNOWN_TIME))
    author = ElementTree.SubElement(feed, f"{{{ATOM}}}author")
    _add(author, "name", "ruiji")
    for notice in notices:
        entry = ElementTree.SubElement(feed, f"{{{ATOM}}}entry")
        _add(entry, "title", summary(notice))
        _add(entry, "id", _entry_id(notice))
        _add(entry, "updated", _time(notice))
        ElementTree.SubElement(entry, f"{{{ATOM}}}link", href=_legal(notice.url))
        concerned = {owners.owner_of(url) for url in (notice.url, *(page.url for page in notice.outdated))}
        for owner in sorted(concerned):
            ElementTree.SubElement(entry, f"{{{ATOM}}}category", term=_legal(owner))
        _add(entry, "content", notice_text(notice)).set("type", "text")
    document: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _add(parent: ElementTree.Element, name: str, text: str) -> ElementTree.Element:
    element = ElementTree.SubElement(parent, f"{{{ATOM}}}{name}")
    element.text = _legal(text)
    return element


def _legal(text: str) -> str:
    """The text without characters that XML 1.0 forbids."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)


def _time(notice: Notice) -> str:
    """The time of a change as Atom wants one: a year that only an address names is none."""
    times = (notice.time_new, notice.time_old)
    return next((time for time in times if len(time) > YEAR_DIGITS), UNKNOWN_TIME)


def _entry_id(notice: Notice) -> str:
    facts = "\x1f".join((notice.kind, notice.url, notice.label, notice.field, notice.old, notice.new))
    return f"urn:ruiji:change:{hashlib.sha256(facts.encode('utf-8', 'replace')).hexdigest()[:32]}"
