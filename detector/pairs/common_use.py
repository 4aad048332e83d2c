"""Which sentences are in common use: what several unrelated sites have and nobody quotes. Steps of the join
(``detector.pairs.join``); such sentences say little, whatever their length.
"""

from __future__ import annotations

# What so many unrelated sites have is in common use, unless one of its pages links to another of them: then
# that is its source. Of the transplanted pages' stock texts on four sites (138 pairs) none is linked so, of
# the quoted sentences on as many sites 12 of 15 pairs are.
COMMON_SITES = 4
# That a sentence in common use says at most, so that a listing of six lines is no pair. At 8 such listings of
# transplanted pages were; at 4 nothing else goes, neither there nor of the manuals.
COMMON_BITS = 4
LISTED_PAGES = 3  # of a host that have a sentence because one has it: an article, its category and its month
# Per cent of a host's pages that have a sentence at the same place, for it to be the frame around all of
# them: it says nothing of two of them, nor of one and a page elsewhere. Of pairs-web without a mask 92 pairs
# less are reported by it, none of them designed; 40, 50 and 80 report the same.
FRAME_SHARE = 60
RELATED_BITS = 35  # of other sentences that make two pages related: one sentence of prose

# Sentences of two pages or more, but not too many, and on how many sites they stand, also where they are no
# content there: what one site's mask takes for furniture, another's lets through. A page that stands under
# one path on several is one page in several releases or mirrors.
FEW = """
SELECT key, text, count(*) AS pages FROM counted GROUP BY key, text
HAVING count(*) BETWEEN 2 AND {max_pages}"""

STANDING = """
SELECT f.key, f.text, c.page FROM few f JOIN counted c ON c.key = f.key AND c.text = f.text
UNION ALL
SELECT f.key, f.text, a.page FROM few f JOIN asides a ON a.key = f.key
LEFT JOIN absent x ON x.page = a.page WHERE x.page IS NULL"""

SPREAD = """
SELECT s.key, s.text, least(count(DISTINCT p.site_key), count(DISTINCT p.path_key)) AS sites
FROM standing s JOIN pages p ON p.page = s.page
GROUP BY s.key, s.text"""

WIDESPREAD = """
SELECT c.page, c.key, c.text, p.site_key, p.url_key
FROM counted c JOIN spread s ON s.key = c.key AND s.text = c.text JOIN pages p ON p.page = c.page
WHERE s.sites >= {common_sites}"""

# Widespread sentences with a source: a page of one site that has it links to a page of another that has it.
SOURCED = """
SELECT DISTINCT a.key, a.text
FROM widespread a
JOIN widespread b ON b.key = a.key AND b.text = a.text AND b.site_key <> a.site_key
JOIN targets t ON t.page = a.page AND t.target = b.url_key"""

# Pages with widespread sentences that share others too, and on how many sites a widespread sentence stands by
# such a relation: the copies of one text are not as many unrelated sites.
RELATED = """
SELECT a.page, b.page AS other
FROM counted a
JOIN spread s ON s.key = a.key AND s.text = a.text AND s.sites < {common_sites}
JOIN counted b ON b.key = a.key AND b.text = a.text AND b.page <> a.page
JOIN (SELECT DISTINCT page FROM widespread) AS w ON w.page = a.page
JOIN (SELECT DISTINCT page FROM widespread) AS v ON v.page = b.page
GROUP BY a.page, b.page HAVING sum(least(a.bits, b.bits)) >= {related_bits}"""

DERIVED = """
SELECT b.key, b.text, count(DISTINCT b.site_key) AS sites
FROM widespread a
JOIN widespread b ON b.key = a.key AND b.text = a.text AND b.site_key <> a.site_key AND a.url_key < b.url_key
JOIN related r ON r.page = a.page AND r.other = b.page
GROUP BY b.key, b.text"""

# What more pages of a host have than list an article, and how many pages the host has.
REFRAINS = """
SELECT r.page, r.key, r.text, r.site, r.at_home, h.pages AS host_pages FROM (
  SELECT c.page, c.key, c.text, p.site, count(*) OVER (PARTITION BY c.key, c.text, p.site) AS at_home
  FROM few f JOIN counted c ON c.key = f.key AND c.text = f.text JOIN pages p ON p.page = c.page
  WHERE f.pages > {listed_pages}
) AS r JOIN (
  SELECT p.site, count(*) AS pages FROM pages p LEFT JOIN absent x ON x.page = p.page
  WHERE x.page IS NULL AND p.long_sentences > 0 GROUP BY p.site
) AS h ON h.site = r.site
WHERE r.at_home > {listed_pages}"""

RARE = """
SELECT m.page, m.key, m.length, m.text, m.fit, m.names, m.place, m.paragraph_key, m.in_place,
       h.site, h.at_home,
       CASE WHEN m.place <> 0 AND m.in_place > {listed_pages}
              AND 100 * m.in_place >= {frame_share} * h.host_pages THEN 0
            WHEN s.sites - coalesce(d.sites, 0) >= {common_sites} AND n.key IS NULL
            THEN least(m.bits, {common_bits}) ELSE m.bits END AS bits
FROM (SELECT *, count(*) OVER (PARTITION BY key, text, place) AS in_place FROM counted) AS m
JOIN spread s ON s.key = m.key AND s.text = m.text
LEFT JOIN sourced n ON n.key = m.key AND n.text = m.text
LEFT JOIN derived d ON d.key = m.key AND d.text = m.text
LEFT JOIN refrains h ON h.page = m.page AND h.key = m.key AND h.text = m.text"""

STEPS = {
    "few": FEW, "standing": STANDING, "spread": SPREAD, "widespread": WIDESPREAD, "sourced": SOURCED,
    "related": RELATED, "derived": DERIVED, "refrains": REFRAINS, "rare": RARE,
}  # fmt: skip
VALUES = {
    "common_sites": COMMON_SITES, "common_bits": COMMON_BITS, "related_bits": RELATED_BITS,
    "listed_pages": LISTED_PAGES, "frame_share": FRAME_SHARE,
}  # fmt: skip
