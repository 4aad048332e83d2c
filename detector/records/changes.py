"""Change notices (section 5.2 of the paper): which records changed between two runs, and which corresponding
pages still say the old.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ruiji.detector.records.compare.contradictions import shown_field
from ruiji.detector.records.fields.agreement import AGREEING, Match, best_match
from ruiji.detector.records.fields.slips import one_slip_apart
from ruiji.detector.records.fields.values import bare, key_of, year_of
from ruiji.detector.records.folder import RecordsFolder
from ruiji.detector.records.model import ADDRESS

ADDED, REMOVED, CHANGED, REWRITTEN = "added", "removed", "changed", "rewritten"
NOT_FOLLOWED = frozenset(("", "url", "note", "contact", "reading"))

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outdated:
    """A page that corresponds to a changed record and still says what the record said before; ``time`` is a
    year alone where only the address names it.
    """

    url: str
    path: str
    label: str
    value: str
    time: str


@dataclass(frozen=True, slots=True)
class Notice:
    """One change of one record: what kind, where, which field, from what to what, and who still says the old
    thing.

    ``rewritten`` is the same fact in another notation.
    """

    kind: str
    url: str
    path: str
    label: str
    field: str
    old: str
    new: str
    time_old: str
    time_new: str
    outdated: tuple[Outdated, ...] = ()


def changes(old: RecordsFolder, new: RecordsFolder) -> list[Notice]:
    """The notices between two runs, page by page in the order of their addresses."""
    before, after = _by_page(old.records()), _by_page(new.records())
    records = {row["id"]: row for rows in after.values() for row in rows}
    earlier = {row["id"]: row for rows in before.values() for row in rows}
    partners = _partners(old, new, records, earlier)
    found: list[Notice] = []
    for url in sorted(set(before) | set(after)):
        if url not in before or url not in after:
            continue  # a page that one run did not read has not changed
        matched, added, removed = _matched(before[url], after[url])
        for was, now in matched:
            others = sorted({*partners.get(was["id"], ()), *partners.get(now["id"], ())})
            found += _field_changes(was, now, [records[other] for other in others if other in records])
        found += [_whole(ADDED, {}, row, ()) for row in added]
        for row in removed:
            still = [
                records[other]
                for other in partners.get(row["id"], ())
                if other in records
                and records[other]["url"] != url
                and not _is_of_its_year(records[other], row)
            ]
            found.append(
                _whole(REMOVED, row, {}, tuple(_outdated(other, "name", other["label"]) for other in still))
            )
    return found


def _by_page(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row["url"]].append(row)
    return found


def _partners(
    old: RecordsFolder, new: RecordsFolder, records: Mapping[str, Row], earlier: Mapping[str, Row]
) -> dict[str, list[str]]:
    """The corresponding records of each, by both runs: what corresponded before the change still does."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for row in (*new.correspondences(), *old.correspondences()):
        for mine, theirs in ((row["id_a"], row["id_b"]), (row["id_b"], row["id_a"])):
            if theirs in records and (mine in records or mine in earlier):
                found[mine][theirs] = None
    return {record: sorted(others) for record, others in found.items()}


def _matched(
    before: Sequence[Row], after: Sequence[Row]
) -> tuple[list[tuple[Row, Row]], list[Row], list[Row]]:
    """The records of a page before and after, by their id (page and name), then by their place; and those
    without a partner.
    """
    left = {row["id"]: row for row in before}
    pairs, rest = [], []
    for row in after:
        if row["id"] in left:
            pairs.append((left.pop(row["id"]), row))
        else:
            rest.append(row)
    by_path = {row["path"]: row for row in left.values()}
    added = []
    for row in rest:
        was = by_path.get(row["path"])
        if was is not None and was["id"] in left and _shares_a_value(was, row):
            pairs.append((left.pop(was["id"]), row))
        else:
            added.append(row)
    return pairs, added, list(left.values())


def _shares_a_value(one: Row, other: Row) -> bool:
    """Whether two records at one place have anything identifying in common, or names that differ by a slip:
    else another record has taken the place.
    """
    if _names(one) & _names(other) or one_slip_apart(bare(one["label"]), bare(other["label"])):
        return True
    mine, theirs = _values(one), _values(other)
    return any(
        best_match(mine[concept][0], mine[concept][1], theirs[concept][1])[0] in AGREEING
        for concept in ("mail", "phone", "ext", "code")
        if concept in mine and concept in theirs
    )


def _names(row: Row) -> set[str]:
    """The keys of all spellings of a name."""
    named = (field["value"] for field in row["fields"] if field["concept"] in ("name", "reading"))
    return {key for name in named if (key := key_of("name", name))}


def _values(row: Row) -> dict[str, tuple[str, list[str]]]:
    """Kind and values by concept."""
    found: dict[str, tuple[str, list[str]]] = {}
    for field in row["fields"]:
        if field["concept"] not in NOT_FOLLOWED:
            found.setdefault(field["concept"], (field["kind"], []))[1].append(field["value"])
    return found


def _field_changes(was: Row, now: Row, partners: Sequence[Row]) -> list[Notice]:
    before, after = _values(was), _values(now)
    found = []
    for concept in dict.fromkeys((*before, *after)):
        kind, old_values = before.get(concept) or (after[concept][0], [])
        new_values = after.get(concept, (kind, []))[1]
        if old_values == new_values:
            continue
        how = CHANGED
        if old_values and new_values:
            match = best_match(kind, old_values, new_values)[0]
            if match is Match.SAME and sorted(old_values) == sorted(new_values):
                continue
            how = REWRITTEN if match in AGREEING and len(old_values) == len(new_values) else CHANGED
        outdated: tuple[Outdated, ...] = ()
        if how == CHANGED and old_values:
            outdated = tuple(
                _still(partner, concept, kind, old_values, new_values)
                for partner in partners
                if not _is_of_its_year(partner, now)
                and _says_old(partner, concept, kind, old_values, new_values)
            )
        labels = [
            field["label"]
            for row in (now, was)
            for field in row["fields"]
            if field["concept"] == concept and field["label"]
        ]
        found.append(
            Notice(
                how,
                now["url"],
                now["path"],
                now["label"],
                shown_field(concept, labels[:1], [now["label"]]),
                "、".join(old_values),
                "、".join(new_values),
                _told_time(was),
                _told_time(now),
                outdated,
            )
        )
    return found


def _says_old(partner: Row, concept: str, kind: str, old_values: list[str], new_values: list[str]) -> bool:
    said = _values(partner).get(concept)
    if said is None:
        return False
    if new_values and best_match(kind, said[1], new_values)[0] in AGREEING:
        return False
    return best_match(kind, said[1], old_values)[0] in AGREEING


def _still(partner: Row, concept: str, kind: str, old_values: list[str], new_values: list[str]) -> Outdated:
    value = best_match(kind, _values(partner)[concept][1], old_values)[1]
    return _outdated(partner, concept, value)


def _outdated(row: Row, concept: str, value: str) -> Outdated:
    del concept
    return Outdated(row["url"], row["path"], row["label"], value, _told_time(row))


def _told_time(row: Row) -> str:
    """The time of a page; its year alone where only the address names it."""
    time: str = row.get("time", "")
    return time[:4] if row.get("time_source") == ADDRESS else time


def _is_of_its_year(partner: Row, changed: Row) -> bool:
    """Whether the address of a page names another year than that of the page that changed: the list of a year
    need not say what came later.
    """
    of_partner = year_of(partner["url"])
    year = year_of(changed["url"]) or int(changed.get("time", "")[:4] or 0)
    return of_partner is not None and bool(year) and of_partner != year


def _whole(kind: str, was: Row, now: Row, outdated: tuple[Outdated, ...]) -> Notice:
    row = now or was
    summary = " / ".join(field["value"] for field in row["fields"] if field["concept"] not in ("", "name"))
    old, new = (summary, "") if kind == REMOVED else ("", summary)
    return Notice(
        kind,
        row["url"],
        row["path"],
        row["label"],
        "",
        old,
        new,
        _told_time(was),
        _told_time(now),
        outdated,
    )
