"""The shared-sentence join: one definition in plain SQL, run unchanged by every engine.

A page is a number, and fresh pages have the numbers below those of earlier runs. An occurrence is a long
content sentence of a page: (page, key, length, bits, text), each different text once a page. Keys bring
sentences together; whether they are the same the text decides, so a collision of keys never makes a pair.
Pages of earlier runs take part in everything, as if all had been read in one run; only that both pages of a
pair are old is noted, so that such pairs can be left out of what is reported.

Statements use only what DuckDB and Spark SQL understand alike. Sums are cast, since engines widen them
differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from ruiji.detector.gather.occurrences import Usable
from ruiji.detector.pairs import common_use, near

TEMPLATE_PAGES = (
    3  # pages of a site with a sentence at the same place: two may be a quotation, three are a habit
)
# Percent of a page that is the same on many pages, for it to count as the same page: a line of its own may
# differ
NEARLY = 90
STAR_ABOVE = 10  # pages with the same content: above this, pairs go from the kept page to each member only

# Pages with the same digest, and the one that stands for them: the oldest, then that of the shortest address.
TWINS = """
SELECT page, kept FROM (
  SELECT page,
         first_value(page) OVER (
           PARTITION BY digest ORDER BY changed, url_length, url
         ) AS kept,
         count(*) OVER (PARTITION BY digest) AS members
  FROM pages WHERE long_sentences > 0
) AS alike WHERE members > 1"""

TWIN_SENTENCES = """
SELECT o.page, o.key, o.bits, o.text FROM occurrences o JOIN twins t ON t.page = o.page"""

# Twins whose sentences are indeed those of the kept page, text by text; from here on the kept page stands for
# them.
COLLAPSED = """
SELECT t.page, t.kept, CAST(sum(m.bits) AS BIGINT) AS bits
FROM twins t
JOIN pages p ON p.page = t.page
JOIN pages q ON q.page = t.kept AND q.long_sentences = p.long_sentences
JOIN twin_sentences m ON m.page = t.page
JOIN twin_sentences k ON k.page = t.kept AND k.key = m.key AND k.text = m.text
WHERE t.page <> t.kept
GROUP BY t.page, t.kept, p.long_sentences
HAVING count(*) = p.long_sentences"""

SIZES = """
SELECT kept, count(*) + 1 AS members, max(bits) AS bits FROM collapsed GROUP BY kept"""

ABSENT = """
SELECT page FROM left_out UNION SELECT page FROM collapsed"""

# Keys of two pages or more.
CANDIDATES = """
SELECT o.key FROM occurrences o LEFT JOIN absent x ON x.page = o.page
WHERE x.page IS NULL
GROUP BY o.key HAVING count(*) > 1"""

MET = """
SELECT o.page, o.key, o.length, o.bits, o.fit, o.names, o.place, o.paragraph_key, o.text
FROM occurrences o JOIN candidates c ON c.key = o.key LEFT JOIN absent x ON x.page = o.page
WHERE x.page IS NULL"""

# Sentences of too many pages. Pages that consist of the same ones nearly throughout stand at many addresses
# with a line of their own each.
COMMON = """
SELECT m.page, m.key, m.length, m.bits, m.text
FROM met m JOIN (
  SELECT key, text FROM met GROUP BY key, text HAVING count(*) > {max_pages}
) AS many ON many.key = m.key AND many.text = m.text"""

STOCK = """
SELECT c.page, c.profile, c.sentences, c.chars FROM (
  SELECT page, bit_xor(key) AS profile, count(*) AS sentences, CAST(sum(length) AS BIGINT) AS chars FROM
  common GROUP BY page
) AS c JOIN pages p ON p.page = c.page
WHERE 100 * c.chars >= {nearly} * p.long_chars"""

# Such pages, and the one that stands for them, in the order of groups. Verified text by text.
FOLLOWERS = """
SELECT f.page, f.kept, f.sentences, f.chars, CAST(sum(m.bits) AS BIGINT) AS bits
FROM (
  SELECT s.page, s.sentences, s.chars,
         first_value(s.page) OVER (
           PARTITION BY s.profile, s.sentences, s.chars
           ORDER BY p.long_chars DESC, p.changed, p.url_length, p.url
         ) AS kept
  FROM stock s JOIN pages p ON p.page = s.page
) AS f
JOIN common m ON m.page = f.page
JOIN common k ON k.page = f.kept AND k.key = m.key AND k.text = m.text
WHERE f.page <> f.kept
GROUP BY f.page, f.kept, f.sentences, f.chars
HAVING count(*) = f.sentences"""

# The occurrences that are counted: without what followers have in common with the page that stands for them.
COUNTED = """
SELECT m.page, m.key, m.length, m.bits, m.fit, m.names, m.place, m.paragraph_key, m.text
FROM met m
LEFT JOIN (
  SELECT c.page, c.key, c.text FROM common c JOIN followers f ON f.page = c.page
) AS stood ON stood.page = m.page AND stood.key = m.key AND stood.text = m.text
WHERE stood.page IS NULL"""

# Pairs of kept pages; of sentences with the same skeleton the shorter length counts. What more pages of a
# host have than list an article is its refrain: the more have it, the less it says of two of them. Template:
# what stands at the same place of the site in both pages, in the same paragraph (their frame) or on several
# pages.
SHARING = (
    """
SELECT a.page AS page_a, b.page AS page_b,
       count(*) AS shared_sentences,
       CAST(sum(least(a.length, b.length)) AS BIGINT) AS shared_chars,
       CAST(sum({bits}) AS BIGINT) AS bits,
       CAST(sum(a.fit * least(a.length, b.length)) AS BIGINT) AS fit_a,
       CAST(sum(b.fit * least(a.length, b.length)) AS BIGINT) AS fit_b,
       CAST(sum(a.names) AS BIGINT) AS named_a, CAST(sum(b.names) AS BIGINT) AS named_b,
       CAST(sum(CASE WHEN {template} THEN 1 ELSE 0 END) AS BIGINT) AS template_sentences,
       CAST(sum(CASE WHEN {template} THEN least(a.length, b.length) ELSE 0 END) AS BIGINT) AS template_chars,
       CAST(sum(CASE WHEN {template} THEN {bits} ELSE 0 END) AS BIGINT) AS template_bits,
       CAST(sum(CASE WHEN {frame} THEN {bits} ELSE 0 END) AS BIGINT) AS frame_bits
FROM rare a JOIN rare b ON a.key = b.key AND a.text = b.text AND a.page < b.page
GROUP BY a.page, b.page""".replace(
        "{template}",
        f"(({{frame}}) OR (a.place <> 0 AND a.place = b.place AND a.in_place >= {TEMPLATE_PAGES}))",
    )
    .replace(
        "{frame}",
        "a.place <> 0 AND a.place = b.place AND a.paragraph_key <> 0 AND a.paragraph_key = b.paragraph_key",
    )
    .replace(
        "{bits}",
        "CASE WHEN a.site = b.site THEN "
        f"CAST(floor(least(a.bits, b.bits) / (a.at_home - {common_use.LISTED_PAGES - 1})) AS BIGINT) "
        "ELSE least(a.bits, b.bits) END",
    )
)

# With near sentences, and with the pairs of followers and the page that stands for them; such a pair may also
# share a rare sentence.
MEETING = """
SELECT page_a, page_b, CAST(sum(shared_sentences) AS BIGINT) AS shared_sentences,
       CAST(sum(shared_chars) AS BIGINT) AS shared_chars, CAST(sum(bits) AS BIGINT) AS bits,
       CAST(sum(fit_a) AS BIGINT) AS fit_a, CAST(sum(fit_b) AS BIGINT) AS fit_b,
       CAST(sum(named_a) AS BIGINT) AS named_a, CAST(sum(named_b) AS BIGINT) AS named_b,
       CAST(sum(template_sentences) AS BIGINT) AS template_sentences,
       CAST(sum(template_chars) AS BIGINT) AS template_chars, CAST(sum(template_bits) AS BIGINT) AS
       template_bits, CAST(sum(frame_bits) AS BIGINT) AS frame_bits
FROM (
  SELECT page_a, page_b, shared_sentences, shared_chars, bits, fit_a, fit_b, named_a, named_b,
         template_sentences, template_chars, template_bits, frame_bits
  FROM sharing
  UNION ALL
  SELECT page_a, page_b, shared_sentences, shared_chars, bits, fit_a, fit_b, 0, 0, 0, 0, 0, 0 FROM near_pairs
  UNION ALL
  SELECT least(f.page, f.kept), greatest(f.page, f.kept), f.sentences, f.chars, f.bits, 0, 0,
         CASE WHEN f.page < f.kept THEN p.named ELSE q.named END,
         CASE WHEN f.page < f.kept THEN q.named ELSE p.named END, 0, 0, 0, 0
  FROM followers f JOIN pages p ON p.page = f.page JOIN pages q ON q.page = f.kept
) AS met_twice
GROUP BY page_a, page_b"""

# The pages of groups that are small enough to be shown pair by pair, with the page that stood for them.
SMALL = """
SELECT s.kept, c.page, s.bits FROM sizes s JOIN collapsed c ON c.kept = s.kept WHERE s.members <= {star_above}
UNION ALL SELECT kept, kept AS page, bits FROM sizes WHERE members <= {star_above}"""

ALL_PAIRS = """
SELECT coalesce(a.page, s.page_a) AS page_a, coalesce(b.page, s.page_b) AS page_b, s.shared_sentences,
       s.shared_chars, s.bits, s.fit_a, s.fit_b, coalesce(p.named, s.named_a) AS named_a,
       coalesce(q.named, s.named_b) AS named_b, s.template_sentences, s.template_chars, s.template_bits,
       s.frame_bits
FROM meeting s
LEFT JOIN small a ON a.kept = s.page_a LEFT JOIN pages p ON p.page = a.page AND a.page <> a.kept
LEFT JOIN small b ON b.kept = s.page_b LEFT JOIN pages q ON q.page = b.page AND b.page <> b.kept
UNION ALL
SELECT a.page, b.page, p.long_sentences, p.long_chars, a.bits, 0, 0, p.named, q.named, 0, 0, 0, 0
FROM small a JOIN small b ON b.kept = a.kept AND a.page < b.page
JOIN pages p ON p.page = a.page JOIN pages q ON q.page = b.page
UNION ALL
SELECT c.kept, c.page, p.long_sentences, p.long_chars, c.bits, 0, 0, q.named, p.named, 0, 0, 0, 0
FROM sizes s JOIN collapsed c ON c.kept = s.kept JOIN pages p ON p.page = c.page
JOIN pages q ON q.page = c.kept
WHERE s.members > {star_above}"""

# By address.
ORDERED = """
SELECT CASE WHEN p.url < q.url THEN p.page ELSE q.page END AS page_a,
       CASE WHEN p.url < q.url THEN q.page ELSE p.page END AS page_b,
       s.shared_sentences, s.shared_chars, s.bits,
       CASE WHEN p.url < q.url THEN s.fit_a ELSE s.fit_b END AS fit_a,
       CASE WHEN p.url < q.url THEN s.fit_b ELSE s.fit_a END AS fit_b,
       CASE WHEN p.url < q.url THEN s.named_a ELSE s.named_b END AS named_a,
       CASE WHEN p.url < q.url THEN s.named_b ELSE s.named_a END AS named_b,
       CASE WHEN p.site = q.site THEN s.template_sentences ELSE 0 END AS template_sentences,
       CASE WHEN p.site = q.site THEN s.template_chars ELSE 0 END AS template_chars,
       CASE WHEN p.site = q.site THEN s.template_bits ELSE 0 END AS template_bits,
       CASE WHEN p.site = q.site THEN s.frame_bits ELSE 0 END AS frame_bits
FROM all_pairs s JOIN pages p ON p.page = s.page_a JOIN pages q ON q.page = s.page_b"""

PAIRS = """
SELECT a.page AS page_a, b.page AS page_b, a.url AS url_a, b.url AS url_b, a.site AS site_a, b.site AS site_b,
       a.changed AS changed_a, b.changed AS changed_b, a.published AS published_a, b.published AS published_b,
       a.long_chars AS long_chars_a, b.long_chars AS long_chars_b,
       a.frame_fit AS frame_fit_a, b.frame_fit AS frame_fit_b, o.named_a, o.named_b,
       o.shared_sentences, o.shared_chars, o.bits, o.fit_a, o.fit_b, o.template_sentences, o.template_chars,
       o.template_bits, o.frame_bits,
       a.page < {first_old} OR b.page < {first_old} AS fresh,
       t.page IS NOT NULL AS a_to_b, u.page IS NOT NULL AS b_to_a
FROM ordered o
JOIN pages a ON a.page = o.page_a
JOIN pages b ON b.page = o.page_b
LEFT JOIN targets t ON t.page = a.page AND t.target = b.url_key
LEFT JOIN targets u ON u.page = b.page AND u.target = a.url_key
ORDER BY url_a, url_b"""

GROUPED = """
SELECT c.page, c.kept FROM collapsed c ORDER BY c.kept, c.page"""

# Pages of identical pairs, both ways.
FACING = """
SELECT page_a AS page, page_b AS other FROM identical UNION ALL SELECT page_b, page_a FROM identical"""

# How much of their content the other page does not have.
LOST_TEXT = """
SELECT i.page, i.other, CAST(sum(CASE WHEN y.key IS NULL THEN x.chars ELSE 0 END) AS BIGINT) AS lost,
       CAST(sum(x.chars) AS BIGINT) AS chars
FROM facing i
JOIN contents x ON x.page = i.page
LEFT JOIN contents y ON y.page = i.other AND y.key = x.key
GROUP BY i.page, i.other"""

# What the long sentences of it say that the other page does not have in any wording.
LOST_BITS = """
SELECT i.page, i.other, CAST(sum(x.bits) AS BIGINT) AS bits
FROM facing i
JOIN occurrences x ON x.page = i.page
LEFT JOIN occurrences y ON y.page = i.other AND y.key = x.key AND y.text = x.text
WHERE y.page IS NULL
GROUP BY i.page, i.other"""

# The long sentences outside of their content, and how many of them the other page does not have anywhere.
LOST_ASIDES = """
SELECT i.page, i.other, count(*) AS asides,
       CAST(sum(CASE WHEN y.key IS NULL AND o.key IS NULL THEN 1 ELSE 0 END) AS BIGINT) AS lost_asides
FROM facing i
JOIN asides x ON x.page = i.page
LEFT JOIN asides y ON y.page = i.other AND y.key = x.key
LEFT JOIN (SELECT DISTINCT page, key FROM occurrences) AS o ON o.page = i.other AND o.key = x.key
GROUP BY i.page, i.other"""

LOSSES = """
SELECT t.page, t.other, t.lost, t.chars, coalesce(b.bits, 0) AS bits, p.long_sentences AS sentences,
       coalesce(a.asides, 0) AS asides, coalesce(a.lost_asides, 0) AS lost_asides
FROM lost_text t
JOIN pages p ON p.page = t.page
LEFT JOIN lost_bits b ON b.page = t.page AND b.other = t.other
LEFT JOIN lost_asides a ON a.page = t.page AND a.other = t.other
ORDER BY t.page, t.other"""

# The long sentences that the pages of reported pairs share, in the order of the first page's text; those that
# one of the extracted texts does not have come last.
SHARED = """
SELECT r.url_a, r.url_b, x.text_start AS start_a, x.text_end AS end_a, y.text_start AS start_b,
       y.text_end AS end_b, least(x.bits, y.bits) AS bits, x.text_key <> y.text_key AS edited,
       least(x.length, y.length) AS length, x.key,
       CASE WHEN x.text_start < 0 OR y.text_start < 0 THEN 1 ELSE 0 END AS hidden
FROM reported r
JOIN occurrences x ON x.page = r.page_a
JOIN occurrences y ON y.page = r.page_b AND y.key = x.key AND y.text = x.text
UNION ALL
SELECT r.url_a, r.url_b, x.text_start, x.text_end, y.text_start, y.text_end, least(x.bits, y.bits), TRUE,
       least(x.length, y.length), x.key,
       CASE WHEN x.text_start < 0 OR y.text_start < 0 THEN 1 ELSE 0 END
FROM reported r
JOIN near_both n ON n.page = r.page_a AND n.other = r.page_b
JOIN occurrences x ON x.page = n.page AND x.key = n.own_key
JOIN occurrences y ON y.page = n.other AND y.key = n.other_key
ORDER BY url_a, url_b, hidden, start_a, start_b, key"""

STEPS = {
    "twins": TWINS, "twin_sentences": TWIN_SENTENCES, "collapsed": COLLAPSED, "sizes": SIZES,
    "absent": ABSENT,
    "candidates": CANDIDATES, "met": MET, "common": COMMON, "stock": STOCK, "followers": FOLLOWERS,
    "counted": COUNTED, **common_use.STEPS, **near.STEPS,
    "sharing": SHARING, "meeting": MEETING, "small": SMALL, "near_both": near.NEAR_BOTH,
    "all_pairs": ALL_PAIRS, "ordered": ORDERED,
}  # fmt: skip

LOSS_STEPS = {
    "facing": FACING, "lost_text": LOST_TEXT, "lost_bits": LOST_BITS, "lost_asides": LOST_ASIDES,
}  # fmt: skip

# An engine may leave them unwritten.
READ_ONCE = frozenset(
    {
        "candidates",
        "stock",
        "standing",
        "sourced",
        "related",
        "derived",
        "few_ends",
        "alike",
        "sharing",
        "meeting",
        "all_pairs",
        "ordered",
        *LOSS_STEPS,
    }
)


class Engine(Protocol):
    """What runs the join. The tables pages, occurrences, asides, targets and left_out are there before
    the first step.
    """

    def add(self, name: str, files: Sequence[Path]) -> None:
        """Makes a table of Parquet files."""

    def step(self, name: str, select: str) -> None:
        """Makes a table of what a statement selects."""

    def rows(self, select: str) -> Iterator[pa.RecordBatch]:
        """What a statement selects, batch by batch."""


@dataclass(frozen=True, slots=True)
class Join:
    """The join with its settings; ``first_old`` is the number of the first page that is not fresh."""

    usable: Usable
    first_old: int
    star_above: int = STAR_ABOVE

    def run(self, engine: Engine) -> None:
        """Runs all steps; then ``pairs`` and ``collapsed`` can be read."""
        for name, statement in STEPS.items():
            values = {
                "max_pages": self.usable.max_pages,
                "star_above": self.star_above,
                "nearly": NEARLY,
                "by_form": "TRUE" if self.usable.by_form else "FALSE",
                **common_use.VALUES,
                **near.VALUES,
            }
            engine.step(name, statement.format(**values))

    def pairs(self, engine: Engine) -> Iterator[pa.RecordBatch]:
        """The pairs by their addresses, with what is known of both pages."""
        return engine.rows(PAIRS.format(first_old=self.first_old))

    def losses(self, engine: Engine, identical: Path) -> Iterator[pa.RecordBatch]:
        """How much the pages of identical pairs, given as a file, have that the other has not."""
        engine.add("identical", [identical])
        for name, statement in LOSS_STEPS.items():
            engine.step(name, statement)
        return engine.rows(LOSSES)

    def shared(self, engine: Engine, reported: Path) -> Iterator[pa.RecordBatch]:
        """The sentences that the pages of reported pairs, given as a file, share."""
        engine.add("reported", [reported])
        return engine.rows(SHARED)

    def collapsed(self, engine: Engine) -> Iterator[pa.RecordBatch]:
        """The pages that another stands for, with that one."""
        return engine.rows(GROUPED)
