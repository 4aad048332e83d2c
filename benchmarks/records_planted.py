"""How many mistakes that are planted in copies of real pages ``records`` tells: a copy under another host, in
which some fields of people say something else.

python -m benchmarks.records_planted $DATA/records-real --seed 2      people and fields as truth has them
python -m benchmarks.records_planted PAGES.jsonl.gz --seed 2          as found on the pages themselves
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.records import folded_name, found_pages, page_found, tsv_rows
from ruiji.chunker import load_filter
from ruiji.corpora import Page, read_pages
from ruiji.detector.records.comparison import compare_pages
from ruiji.detector.records.fields.concepts import built_in
from ruiji.detector.records.folder import RecordsFolder
from ruiji.detector.records.model import OWN, PERSON, PageRecords

EDITS = 4  # a page at most
FEWEST = 3  # people with fields on a page that is copied
MOST_PAGES = 12  # of a site
REACH = 1500  # characters of markup from a name to its field, as the truth was checked
BY_DIGITS = ("phone", "ext", "mobile", "fax", "room", "place")
BY_LETTERS = ("mail", "twitter", "facebook", "github")
IN_WORDS = ("post", "affiliation")

Fields = Mapping[str, Mapping[str, str]]  # of a page: name → concept → value as written


@dataclass(frozen=True, slots=True)
class Planted:
    """A mistake: on which page and in which copy, how it was made, what stood there and what stands there."""

    url: str
    copy: str
    name: str
    field: str
    how: str
    old: str
    new: str


def true_fields(folder: Path) -> dict[str, Fields]:
    """For each page the people of truth with their fields."""
    found: dict[str, dict[str, Mapping[str, str]]] = defaultdict(dict)
    for row in tsv_rows(folder / "records.tsv"):
        if row["planted"] == "0" and row["kind"] == "person":
            found[row["url"]][row["name"]] = json.loads(row["fields"])
    return dict(found)


def seen_fields(pages: Iterable[PageRecords]) -> dict[str, Fields]:
    """For each page the people that are found on it with their fields."""
    return {
        page.url: {
            record.title: {field.concept: field.value for field in record.fields if field.origin == OWN}
            for record in page.records
            if record.kind == PERSON
        }
        for page in pages
    }


def edits_of(fields: Fields, random_: random.Random) -> Iterator[tuple[str, str, str, str, str]]:
    """Mistakes that a page could have, in random order: name, field, how, what stands there, what then."""
    values: dict[str, list[str]] = defaultdict(list)
    for own in fields.values():
        for concept, value in own.items():
            values[concept].append(value)
    possible = []
    for name, own in fields.items():
        for concept, value in own.items():
            possible += [(name, concept, how, value) for how in _ways(concept)]
        possible.append((name, "name", "letter", name))
    random_.shuffle(possible)
    for name, concept, how, value in possible:
        new = _edited(value, how, values[concept], random_)
        if new and new != value:
            yield name, concept, how, value, new


def _ways(concept: str) -> tuple[str, ...]:
    if concept in BY_DIGITS:
        return "digit", "swap"
    if concept in BY_LETTERS:
        return "letter", "added"
    return ("other", "letter") if concept in IN_WORDS else ()


def _edited(value: str, how: str, others: Sequence[str], random_: random.Random) -> str:
    """The value with a mistake in it; "" where it cannot have that one."""
    if how == "other":
        return random_.choice(sorted({other for other in others if other != value} or {""}))
    if how == "added":
        return value + "2" if "@" not in value[1:] else ""
    if how == "swap":
        places = [at for at in range(len(value) - 1) if _digits(value[at : at + 2])]
        at = random_.choice(places) if places else -1
        return value[:at] + value[at + 1] + value[at] + value[at + 2 :] if places else ""
    pattern = r"\d" if how == "digit" else r"[㐀-鿿]|[a-z](?=[a-z])"
    places = [match.start() for match in re.finditer(pattern, value.partition("@")[0] or value)]
    if not places or len(value) < 3:
        return ""
    at = random_.choice(places)
    signs = "0123456789" if how == "digit" else ("東中小山川田本木大" if value[at] > "z" else "aeinorst")
    return value[:at] + random_.choice([sign for sign in signs if sign != value[at]]) + value[at + 1 :]


def _digits(text: str) -> bool:
    return text.isdigit() and text[0] != text[1]


def with_mistakes(
    page: Page, fields: Fields, copy: str, random_: random.Random
) -> tuple[Page, list[Planted]]:
    """A copy of a page under another address with up to four mistakes, each of another person."""
    html = page.html if isinstance(page.html, str) else page.html.decode("utf-8", "replace")
    planted: list[Planted] = []
    for name, field, how, old, new in edits_of(fields, random_):
        if len(planted) == EDITS or html.count(name) != 1 or any(name == one.name for one in planted):
            continue
        start, stop = _around(html, name, fields)
        part = html[start:stop]
        if part.count(old) == 1:
            html = html[:start] + part.replace(old, new) + html[stop:]
            planted.append(Planted(page.url, copy, name, field, how, old, new))
    return replace(page, id=copy, url=copy, html=html.encode("utf-8")), planted


def _around(html: str, name: str, fields: Fields) -> tuple[int, int]:
    """The part of the markup that is about one person: from the name before to the name after."""
    at = html.index(name)
    others = [other for other in fields if other != name and other not in name]
    before = [found + len(other) for other in others if (found := html.rfind(other, 0, at)) >= 0]
    after = [found for other in others if (found := html.find(other, at + len(name))) >= 0]
    return max([at - REACH, 0, *before]), min([at + REACH, *after])


def planted_copies(
    pages: Iterable[Page], fields: Mapping[str, Fields], seed: int
) -> Iterator[tuple[Page, list[Planted]]]:
    """Copies with mistakes of pages that name at least three people with fields, so many of a site."""
    sites: Counter[str] = Counter()
    for number, page in enumerate(pages):
        known = fields.get(page.url, {})
        site = str(page.extra.get("site") or page.url.partition("://")[2].partition("/")[0])
        if sum(bool(set(own) & {*BY_DIGITS, *BY_LETTERS, *IN_WORDS}) for own in known.values()) < FEWEST:
            continue
        if page.extra.get("planted") or sites[site] == MOST_PAGES:
            continue
        copy, planted = with_mistakes(
            page, known, f"http://copy{number}.example/page.html", random.Random(f"{seed} {page.url}")
        )
        if planted:
            sites[site] += 1
            yield copy, planted


def _says(told: str, planted: str) -> bool:
    one, other = folded_name(told), folded_name(planted)
    return bool(one and other) and (one in other or other in one)


def is_told(mistake: Planted, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a contradiction between page and copy has both values."""
    for row in rows:
        sides = {row["url_a"]: row["value_a"], row["url_b"]: row["value_b"]}
        if set(sides) == {mistake.url, mistake.copy} and all(
            _says(sides[url], said) for url, said in ((mistake.url, mistake.old), (mistake.copy, mistake.new))
        ):
            return True
    return False


def measure(data: Path, seed: int, show: int) -> None:
    """Prints how many of the planted mistakes are told, by field and how they were made."""
    truth = data.is_dir()
    path = data / "pages.jsonl.gz" if truth else data
    edited = {page.url for page in read_pages([str(path)]) if page.extra.get("planted")}
    found = [page for page in found_pages(path) if page.url not in edited]
    fields = true_fields(data) if truth else seen_fields(found)
    filter_, schema = load_filter("crf"), built_in()
    mistakes: list[Planted] = []
    for copy, planted in planted_copies(read_pages([str(path)]), fields, seed):
        if (records := page_found(copy, filter_)) is not None:
            found.append(records)
            mistakes += planted
    with tempfile.TemporaryDirectory() as folder:
        compare_pages(iter(found), Path(folder), schema)
        rows = list(RecordsFolder(Path(folder)).conflicts())
    kinds: dict[str, list[bool]] = defaultdict(list)
    lost = []
    for mistake in mistakes:
        told = is_told(mistake, rows)
        kinds[f"{mistake.field}, {mistake.how}"].append(told)
        kinds["together without names"] += [told] if mistake.field != "name" else []
        if not told:
            lost.append(mistake)
    for kind, told_of in sorted(kinds.items()):
        print(f"{kind:24} {sum(told_of):4} / {len(told_of):4}  {sum(told_of) / len(told_of):.3f}")
    for mistake in lost[:show]:
        print(
            "  not told:",
            mistake.name,
            mistake.field,
            mistake.how,
            f"{mistake.old} → {mistake.new}",
            mistake.url,
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N that are not told")
    options = parser.parse_args()
    measure(options.data, options.seed, options.show)


if __name__ == "__main__":
    main()
