"""Which units several pages have, and where each is kept: one definition in plain SQL, run unchanged by
DuckDB and Spark, as that of ``detector.pairs.join``.

Of the pages that have a unit, that of the lowest rank keeps it, with all its repetitions there; a match is a
unit of another page, with the place where it is kept. So what keeps a unit never loses it, and the cost is
linear in the units, however many pages share one.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from ruiji.detector.clean.units import MOST_UNITS
from ruiji.detector.pairs.join import TEMPLATE_PAGES, Engine
from ruiji.detector.pairs.relations import MIN_BITS

HABIT_PERCENT = 50  # of a site's pages that have a unit, for it to be boilerplate; as the copy index asks
MOST_HOLDERS = 16  # pages with the rarest unit of a page that are asked whether they hold all of it

# Units of two pages or more, and the first occurrence in the page of the lowest rank.
SHARED_UNITS = """
SELECT u.key_high, u.key_low, min(r.rank * {most_units} + u.position) AS kept
FROM units u JOIN ranks r ON r.page = u.page
GROUP BY u.key_high, u.key_low HAVING min(r.rank) <> max(r.rank)"""

REPEATED = """
SELECT r.rank, r.place, r.site_key, r.site_pages, r.twin, r.different, u.position, u.key_high, u.key_low,
       u.bits, u.length, u.fit, u.unit_start, u.unit_end, u.unit_until, u.unit_left, s.kept
FROM units u
JOIN {shared_units} AS s ON s.key_high = u.key_high AND s.key_low = u.key_low
JOIN ranks r ON r.page = u.page"""

# What a site repeats on many of its pages; pages with the same units count once.
HABITS = """
SELECT site_key, key_high, key_low FROM (
  SELECT DISTINCT site_key, site_pages, key_high, key_low, twin FROM repeated
  WHERE site_pages >= {template_pages}
) AS different_pages
GROUP BY site_key, site_pages, key_high, key_low
HAVING count(*) >= {template_pages} AND 100 * count(*) >= {habit_percent} * site_pages"""

KEPT_UNITS = """
SELECT kept, rank, place, site_key, position, unit_start, unit_end, fit FROM repeated
WHERE rank * {most_units} + position = kept"""

MATCH_COLUMNS = """
a.place, a.position, a.kept AS unit, a.bits, a.unit_start, a.unit_end, a.unit_until, a.unit_left,
k.place AS kept, k.position AS kept_position, k.unit_start AS kept_start, k.unit_end AS kept_end"""

MATCHES = """
SELECT {match_columns}, CASE WHEN h.key_high IS NULL THEN 0 ELSE 1 END AS habit,
       CASE WHEN a.site_key = k.site_key THEN 1 ELSE 0 END AS at_home
FROM repeated a
JOIN {kept_units} AS k ON k.kept = a.kept
LEFT JOIN {habits} AS h ON h.site_key = a.site_key AND h.key_high = a.key_high AND h.key_low = a.key_low
WHERE k.rank <> a.rank
ORDER BY place, position"""

# Units that go, kept beside what stands beside them where the same unit stands there and stays: two
# places, behind the sentence before them and before the sentence behind them, are looked at.
SIDE_BY_SIDE = """
SELECT g.place, g.position, g.unit_start, g.unit_end, g.unit_until, g.unit_left, g.reason,
       coalesce(f.place, b.place, g.kept) AS kept,
       coalesce(f.position, b.position, g.kept_position) AS kept_position,
       coalesce(f.unit_start, b.unit_start, g.kept_start) AS kept_start,
       coalesce(f.unit_end, b.unit_end, g.kept_end) AS kept_end
FROM going g
LEFT JOIN staying f ON f.place = g.page_before AND f.position = g.position_before AND f.kept = g.unit
LEFT JOIN staying b ON b.place = g.page_behind AND b.position = g.position_behind AND b.kept = g.unit
ORDER BY place, position"""

STAYING = """
SELECT r.place, r.position, r.kept, r.unit_start, r.unit_end
FROM repeated r LEFT JOIN going g ON g.place = r.place AND g.position = r.position
WHERE g.place IS NULL"""

# Pages, and those that keep units of theirs: what both say of where the text comes from.
SHARING_PAGES = """
SELECT a.place, k.place AS kept, CAST(sum(a.length) AS BIGINT) AS shared,
       CAST(sum(a.length * a.fit) AS BIGINT) AS fit, CAST(sum(a.length * k.fit) AS BIGINT) AS kept_fit
FROM repeated a JOIN {kept_units} AS k ON k.kept = a.kept
WHERE k.rank <> a.rank AND a.bits >= {min_bits}
GROUP BY a.place, k.place"""

LINKED_PAGES = """
SELECT s.place, s.kept, s.shared, s.fit, s.kept_fit,
       CASE WHEN t.page IS NULL THEN 0 ELSE 1 END AS links_to_kept,
       CASE WHEN v.page IS NULL THEN 0 ELSE 1 END AS linked_by_kept
FROM {sharing_pages} AS s
JOIN ranks a ON a.place = s.place
JOIN ranks b ON b.place = s.kept
LEFT JOIN targets t ON t.page = a.page AND t.target = b.url_key
LEFT JOIN targets v ON v.page = b.page AND v.target = a.url_key
ORDER BY place, kept"""

# Pages all of whose units stand in one other page that has more of them, or as many and a lower rank. Looked
# for among the pages with the unit that fewest pages have.
PAGE_UNITS = """
SELECT DISTINCT rank, place, different, key_high, key_low FROM repeated"""

UNIT_PAGES = """
SELECT key_high, key_low, count(*) AS pages FROM page_units GROUP BY key_high, key_low"""

SHARED_WHOLLY = """
SELECT rank FROM page_units GROUP BY rank, different HAVING count(*) = different"""

RAREST = """
SELECT rank, different, key_high, key_low FROM (
  SELECT p.rank, p.different, p.key_high, p.key_low,
         row_number() OVER (PARTITION BY p.rank ORDER BY n.pages, p.key_high, p.key_low) AS number
  FROM page_units p
  JOIN {shared_wholly} AS w ON w.rank = p.rank
  JOIN {unit_pages} AS n ON n.key_high = p.key_high AND n.key_low = p.key_low
) AS numbered WHERE number = 1"""

LARGEST = """
SELECT key_high, key_low, rank, different FROM (
  SELECT p.key_high, p.key_low, p.rank, p.different,
         row_number() OVER (PARTITION BY p.key_high, p.key_low ORDER BY p.different DESC, p.rank) AS number
  FROM page_units p
  JOIN (SELECT DISTINCT key_high, key_low FROM rarest) AS asked
    ON asked.key_high = p.key_high AND asked.key_low = p.key_low
) AS numbered WHERE number <= {most_holders}"""

HELD = """
SELECT r.rank, l.rank AS holder, l.different
FROM rarest r
JOIN {largest} AS l ON l.key_high = r.key_high AND l.key_low = r.key_low
JOIN page_units p ON p.rank = r.rank
JOIN page_units q ON q.rank = l.rank AND q.key_high = p.key_high AND q.key_low = p.key_low
WHERE l.different > r.different OR (l.different = r.different AND l.rank < r.rank)
GROUP BY r.rank, r.different, l.rank, l.different
HAVING count(*) = r.different"""

# The largest that holds a page; nothing among the pages that were asked holds that one in turn.
HOLDERS = """
SELECT rank, holder FROM (
  SELECT rank, holder, row_number() OVER (PARTITION BY rank ORDER BY different DESC, holder) AS number
  FROM {held} AS held
) AS numbered WHERE number = 1"""

PAGE_MATCHES = """
SELECT {match_columns}, CASE WHEN a.twin = k.twin THEN 1 ELSE 0 END AS identical
FROM repeated a
JOIN roots o ON o.rank = a.rank
JOIN (
  SELECT rank, key_high, key_low, min(position) AS position FROM repeated GROUP BY rank, key_high, key_low
) AS first_places
  ON first_places.rank = o.holder AND first_places.key_high = a.key_high AND first_places.key_low = a.key_low
JOIN repeated k ON k.rank = o.holder AND k.position = first_places.position
ORDER BY place, position"""

HELD_BY = """
SELECT rank, holder FROM {holders} AS holders ORDER BY rank"""

DOCUMENTS = """
SELECT r.place, d.text, d.record FROM documents d JOIN ranks r ON r.page = d.page ORDER BY place"""

UNSURE = """
SELECT u.place, d.text FROM documents d JOIN unsure u ON u.page = d.page ORDER BY place"""

# Tables that several statements read; what one alone reads stands in it, since every table costs a pass.
UNIT_STEPS = {"repeated": REPEATED}
SIDE_STEPS = {"staying": STAYING}
PAGE_STEPS = {"page_units": PAGE_UNITS, "rarest": RAREST}
_PARTS = {
    "shared_units": SHARED_UNITS, "habits": HABITS, "kept_units": KEPT_UNITS, "sharing_pages": SHARING_PAGES,
    "unit_pages": UNIT_PAGES, "shared_wholly": SHARED_WHOLLY, "largest": LARGEST, "held": HELD,
    "holders": HOLDERS,
}  # fmt: skip

_VALUES = {
    "most_units": MOST_UNITS, "template_pages": TEMPLATE_PAGES, "habit_percent": HABIT_PERCENT,
    "min_bits": MIN_BITS, "most_holders": MOST_HOLDERS, "match_columns": MATCH_COLUMNS,
}  # fmt: skip


def run_steps(engine: Engine, steps: dict[str, str]) -> None:
    """Makes the tables of the statements, one after another."""
    for name, select in steps.items():
        engine.step(name, statement(select))


def rows(engine: Engine, select: str) -> Iterator[pa.RecordBatch]:
    """What a statement selects."""
    return engine.rows(statement(select))


def statement(select: str) -> str:
    """A statement with its values, and with the parts that it alone reads, in brackets."""
    parts = {name: f"({statement(part)})" for name, part in _PARTS.items() if f"{{{name}}}" in select}
    return select.format(**_VALUES, **parts)
