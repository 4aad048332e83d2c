"""Near sentences: those of two sites that begin or end alike and differ in a word. Steps of the join
(``detector.pairs.join``).

Who puts another content word into every sentence of a copy leaves nothing that two pages share. But most
sentences then still have their first or their last letters. One such sentence says nothing, since phrases
recur; several between the same two pages, of prose, each near to one other only, say that one was made from
the other. Within a site that does not hold: pages of a manual are written after one pattern.

Sentences are compared in the form by which they are matched, so ends are letters; a run that matches the
whole text (``--match exact``) has no near sentences.
"""

from __future__ import annotations

# Chosen on 1,300 pages of pairs-web, 1,181 of two transplanted sets and 599 of manuals, by pairs of pages of
# two sites that share no sentence: with these numbers 9 are found, with 12 letters 58, with three tenths 30,
# with two sentences 80. Of 567 pages of twelve sentences, in each of which one content word was changed, 504
# are found with their source (32 share a sentence that had no word to change).
END_LETTERS = 16  # that a sentence has at its beginning or end like another
END_SHARE = 40  # the same in per cent of the longer one
MIN_LETTERS = 22  # of a sentence, so that its ends are not nearly all of it
NEAR_SENTENCES = 3

# Both ends of the sentences of prose: those that say as much as their length allows.
ENDS = """
SELECT o.page, o.key, o.length, o.bits, o.fit, o.text, s.side,
       CASE WHEN s.side = 0 THEN left(o.text, {end_letters}) ELSE right(o.text, {end_letters}) END AS piece
FROM occurrences o
CROSS JOIN (SELECT 0 AS side UNION ALL SELECT 1 AS side) AS s
LEFT JOIN absent x ON x.page = o.page
WHERE x.page IS NULL AND length(o.text) >= {min_letters} AND o.bits >= 4 * o.length - 39 AND {by_form}"""

FEW_ENDS = """
SELECT side, piece FROM ends GROUP BY side, piece HAVING count(*) BETWEEN 2 AND {max_pages}"""

# Sentences of pages of two sites that are near each other; neither stands in the other page as it is.
ALIKE = """
SELECT DISTINCT a.page AS page_a, b.page AS page_b, a.key AS key_a, b.key AS key_b,
       least(a.length, b.length) AS length, least(a.bits, b.bits) AS bits, a.fit AS fit_a, b.fit AS fit_b
FROM ends a
JOIN few_ends f ON f.side = a.side AND f.piece = a.piece
JOIN ends b ON b.side = a.side AND b.piece = a.piece AND b.page > a.page AND b.text <> a.text
JOIN pages p ON p.page = a.page
JOIN pages q ON q.page = b.page AND q.site_key <> p.site_key
WHERE CASE WHEN a.side = 0
      THEN left(a.text, CAST({share} AS INT)) = left(b.text, CAST({share} AS INT))
      ELSE right(a.text, CAST({share} AS INT)) = right(b.text, CAST({share} AS INT)) END""".replace(
    "{share}", "floor({end_share} * greatest(length(a.text), length(b.text)) / 100)"
)

# Each near to one of the other page only.
NEAR = """
SELECT n.page_a, n.page_b, n.key_a, n.key_b, n.length, n.bits, n.fit_a, n.fit_b FROM (
  SELECT *, count(*) OVER (PARTITION BY page_a, page_b, key_a) AS near_a,
         count(*) OVER (PARTITION BY page_a, page_b, key_b) AS near_b
  FROM alike
) AS n
LEFT JOIN occurrences x ON x.page = n.page_b AND x.key = n.key_a
LEFT JOIN occurrences y ON y.page = n.page_a AND y.key = n.key_b
WHERE n.near_a = 1 AND n.near_b = 1 AND x.page IS NULL AND y.page IS NULL"""

NEAR_PAIRS = """
SELECT page_a, page_b, count(*) AS shared_sentences, CAST(sum(length) AS BIGINT) AS shared_chars,
       CAST(sum(bits) AS BIGINT) AS bits, CAST(sum(fit_a * length) AS BIGINT) AS fit_a,
       CAST(sum(fit_b * length) AS BIGINT) AS fit_b
FROM near GROUP BY page_a, page_b HAVING count(*) >= {near_sentences}"""

# The near sentences of pairs that count, in both directions, also of pages that another stands for.
NEAR_BOTH = """
SELECT coalesce(a.page, n.page_a) AS page, coalesce(b.page, n.page_b) AS other, n.key_a AS own_key,
       n.key_b AS other_key
FROM near n
JOIN near_pairs c ON c.page_a = n.page_a AND c.page_b = n.page_b
LEFT JOIN small a ON a.kept = n.page_a
LEFT JOIN small b ON b.kept = n.page_b
UNION ALL
SELECT coalesce(b.page, n.page_b), coalesce(a.page, n.page_a), n.key_b, n.key_a
FROM near n
JOIN near_pairs c ON c.page_a = n.page_a AND c.page_b = n.page_b
LEFT JOIN small a ON a.kept = n.page_a
LEFT JOIN small b ON b.kept = n.page_b"""

STEPS = {"ends": ENDS, "few_ends": FEW_ENDS, "alike": ALIKE, "near": NEAR, "near_pairs": NEAR_PAIRS}
VALUES = {
    "end_letters": END_LETTERS, "end_share": END_SHARE, "min_letters": MIN_LETTERS,
    "near_sentences": NEAR_SENTENCES,
}  # fmt: skip
