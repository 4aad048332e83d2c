"""Which records of different pages are about the same one: weights of evidence, in SQL over the staged
tables.

After Fellegi and Sunter (1969), each agreement and disagreement weighs so many bits; an agreement weighs the
more the rarer the value is (Splink's term frequency). Names bring records together; a name alone is enough
within one organisation, never between unrelated ones. Pages whose lists share many records support each
other's weak pairs, as in section 3.2 of the paper, where the parents of corresponding trees are compared
next.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from ruiji.detector.pairs.duck import quoted
from ruiji.detector.records.compare.lists import similar_names, surname_pairs
from ruiji.detector.records.compare.occasions import without_other_occasions
from ruiji.detector.records.compare.staging import Staged

THRESHOLD = 5.0  # bits from which two records correspond
LINKED, UNRELATED = -3.0, -8.0  # bits of two organisations that link to each other, and that do not
M_NAME = 0.95  # of the records about one person that have the same spelling
# A full name is shared by one in so many organisations by chance; a nickname or a surname by more.
NAME_ODDS = {"written": 1000.0, "sound": 300.0, "reading": 100.0}
WEAK_ODDS = 20.0
MOST_SHARING = 100  # records of one name that are all compared; more only within an organisation
MOST_AT_HOME = 60  # likewise within one organisation; more are compared with the first
SUPPORT_BITS = 8.0  # at most, of other corresponding records between two pages
SURE_BITS = 3.0  # what the threshold lies above even odds: the score of a pair there is 0.89
SUPPORTING = 2  # of them at least
# Of two pages with so many sure pairs, and such a share of the shorter one's records, one is a copy of the
# other, whatever their sites: what its other records say differently is a change, and no other person. So it
# is where the same names, so many of them full ones, are nearly all of both pages, whatever is said of them.
COPY_PAIRS, COPY_SHARE, COPY_BITS = 5, 0.8, 12.0
FULL_NAME_BITS = 6.0
MEMORY = "2GB"

# Bits of a field: at most when it agrees, and when it does not. Set by judgement with all development
# sites in view.
FIELD_BITS = {
    "mail": (10.0, -1.5), "twitter": (9.0, -2.0), "facebook": (9.0, -2.0), "github": (9.0, -2.0),
    "code": (8.0, -6.0),
    "phone": (6.0, -1.0), "mobile": (8.0, -1.0), "ext": (6.0, -1.0), "birth": (6.0, -6.0),
    "affiliation": (5.0, -1.0),
    "place": (4.0, -0.5), "address": (5.0, -1.0), "field": (4.0, -0.5), "post": (2.0, -0.5),
    "zip": (2.0, -0.5),
    "venue": (4.0, -0.5),
    "price": (2.0, -0.5), "established": (5.0, -2.0), "capital": (3.0, -1.0), "representative": (5.0, -0.5),
}  # fmt: skip
OTHER_BITS = (2.0, -0.3)
# A value is shared by one in so many records by chance, beside those that the collection shows: an address
# or an account is somebody's own, a department is not.
OWN_BITS, OWN_ODDS, SHARED_ODDS = 8.0, 1000.0, 20.0


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """How sure a correspondence must be (bits), and what the engine may use."""

    threshold: float = THRESHOLD
    memory: str = MEMORY
    threads: int = 0


def open_staged(staged: Staged, settings: MatchSettings, spill: Path) -> duckdb.DuckDBPyConnection:
    """A connection that sees the staged tables."""
    connection = duckdb.connect(str(spill / "comparison.duckdb"))
    connection.execute(f"SET memory_limit = '{settings.memory}'")
    connection.execute(f"SET temp_directory = {quoted(spill)}")
    connection.execute("SET preserve_insertion_order = false")
    with suppress(duckdb.InvalidInputException):  # in Jupyter without ipywidgets there is none to switch off
        connection.execute("SET enable_progress_bar = false")
    if settings.threads:
        connection.execute(f"SET threads = {settings.threads}")
    _numbered(connection, staged)
    return connection


def _numbered(connection: duckdb.DuckDBPyConnection, staged: Staged) -> None:
    """The staged tables with records and pages numbered by their addresses: the order of the input must not
    matter.
    """
    connection.execute(f"""
        CREATE TABLE renumbered AS
        SELECT n AS staged, row_number() OVER (ORDER BY url, n) - 1 AS n, dense_rank() OVER (ORDER BY url) -
            1 AS page
        FROM read_parquet({quoted(staged.path("records"))})
    """)
    connection.execute(f"""
        CREATE TABLE records AS
        SELECT o.n, o.page, r.* EXCLUDE (n, page) FROM read_parquet({quoted(staged.path("records"))}) r
        JOIN renumbered o ON o.staged = r.n ORDER BY o.n
    """)
    for table in ("names", "surnames", "vals"):
        connection.execute(f"""
            CREATE TABLE {table} AS SELECT o.n, t.* EXCLUDE (n)
            FROM read_parquet({quoted(staged.path(table))}) t JOIN renumbered o ON o.staged = t.n ORDER BY o.n
        """)
    for table in ("links", "pages"):
        file = quoted(staged.path(table))
        connection.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet({file})")


def match(connection: duckdb.DuckDBPyConnection, settings: MatchSettings) -> None:
    """Makes the table ``pairs`` (x y bits and the bits of each kind of evidence) of all that correspond."""
    connection.execute("CREATE TABLE keepers AS SELECT n, page, domain, kind FROM records")
    _without_templates(connection)
    _name_pairs(connection)
    _contact_pairs(connection)
    without_other_occasions(connection)
    _field_bits(connection)
    _first_round(connection)
    _supported(connection, settings)
    surname_pairs(connection, settings.threshold, SURE_BITS)
    similar_names(connection, settings.threshold, SURE_BITS)


TEMPLATE_PAGES = 4  # pages of one site with wholly the same list: a template says it, once


def _without_templates(connection: duckdb.DuckDBPyConnection) -> None:
    """Leaves out lists that a site repeats word for word on page after page; the first stays."""
    connection.execute(f"""
        CREATE TABLE repeated AS
        WITH lists AS (
            SELECT page, list, any_value(domain) AS domain, count(*) AS size,
                   md5(string_agg(title || chr(31) || fields, chr(30) ORDER BY n)) AS content
            FROM records GROUP BY page, list
        ), again AS (
            SELECT domain, list, content, min(page) AS first FROM lists
            GROUP BY domain, list, content HAVING count(*) >= {TEMPLATE_PAGES}
        )
        SELECT lists.page, lists.list FROM lists JOIN again USING (domain, list, content) WHERE lists.page <>
            again.first
    """)
    connection.execute("""
        DELETE FROM keepers WHERE n IN (SELECT n FROM records JOIN repeated USING (page, list))
    """)


def _name_pairs(connection: duckdb.DuckDBPyConnection) -> None:
    """Pairs of records of different pages that share a key of their names, with the bits of it."""
    odds = NAME_ODDS
    connection.execute("""
        CREATE TABLE keyed AS
        SELECT names.n, names.key, names.how, names.whole, keepers.page, keepers.domain, keepers.kind
        FROM names JOIN keepers USING (n)
    """)
    connection.execute("""
        CREATE TABLE shared AS
        SELECT key, count(*) AS sharing, count(DISTINCT domain) AS domains FROM keyed GROUP BY key HAVING
            count(*) > 1
    """)
    connection.execute("""
        CREATE TABLE at_home AS
        SELECT key, domain, count(*) AS sharing, min(n) AS first FROM keyed GROUP BY key, domain HAVING
            count(*) > 1
    """)
    bits = f"""
        log2({M_NAME} * (total.domains + CASE
            WHEN NOT (a.whole AND b.whole) THEN {WEAK_ODDS}
            WHEN a.how = 0 AND b.how = 0 THEN {odds["written"]}
            WHEN a.how = 2 OR b.how = 2 THEN {odds["reading"]}
            ELSE {odds["sound"]} END) / shared.domains)
    """
    rules = "a.n < b.n AND a.page <> b.page AND a.kind = b.kind AND NOT (a.how = 2 AND b.how = 2)"
    connection.execute(f"""
        CREATE TABLE named AS
        WITH total AS (SELECT count(DISTINCT domain) AS domains FROM keepers), met AS (
            SELECT a.n AS x, b.n AS y, {bits} AS bits, a.how + b.how AS how
            FROM keyed a JOIN keyed b ON a.key = b.key AND {rules}
            JOIN shared ON shared.key = a.key AND shared.sharing <= {MOST_SHARING}, total
            UNION ALL
            SELECT a.n, b.n, {bits}, a.how + b.how
            FROM shared JOIN at_home ON shared.key = at_home.key AND shared.sharing > {MOST_SHARING}
            JOIN keyed a ON a.key = at_home.key AND a.domain = at_home.domain
            JOIN keyed b ON b.key = at_home.key AND b.domain = at_home.domain AND {rules}
                AND (at_home.sharing <= {MOST_AT_HOME} OR a.n = at_home.first), total
        )
        SELECT x, y, max(bits) AS name_bits, min(how) AS how FROM met GROUP BY x, y
    """)


def _contact_pairs(connection: duckdb.DuckDBPyConnection) -> None:
    """Adds pairs of one organisation that share an address or account and have similar names."""
    connection.execute(f"""
        INSERT INTO named
        WITH own AS (
            SELECT vals.n, vals.concept, vals.key, keepers.page, keepers.domain, keepers.kind, records.title
            FROM vals JOIN keepers USING (n) JOIN records USING (n)
            WHERE vals.concept IN ('mail', 'twitter', 'mobile', 'facebook', 'github', 'code')
        ), few AS (SELECT concept, key FROM own GROUP BY concept, key HAVING count(*) BETWEEN 2 AND
        {MOST_AT_HOME})
        SELECT DISTINCT a.n, b.n, 3.0, 9
        FROM few JOIN own a USING (concept, key)
        JOIN own b ON a.concept = b.concept AND a.key = b.key AND a.n < b.n AND a.page <> b.page
            AND a.domain = b.domain AND a.kind = b.kind
        WHERE jaro_winkler_similarity(lower(a.title), lower(b.title)) >= 0.85
          AND NOT EXISTS (SELECT 1 FROM named WHERE named.x = a.n AND named.y = b.n)
    """)


def _field_bits(connection: duckdb.DuckDBPyConnection) -> None:
    """The bits that the fields of each pair add: of each field the best agreement, or its disagreement."""
    listed = ", ".join(f"('{concept}', {most}, {least})" for concept, (most, least) in FIELD_BITS.items())
    connection.execute(
        f"CREATE TABLE field_bits AS SELECT * FROM (VALUES {listed}) AS t(concept, most, least)"
    )
    connection.execute(f"""
        CREATE TABLE rarity AS
        WITH counted AS (
            SELECT concept, key, count(DISTINCT lower(title)) AS things FROM vals JOIN records USING (n)
            GROUP BY concept, key
        ), totals AS (SELECT concept, count(DISTINCT n) AS records FROM vals GROUP BY concept)
        SELECT concept, key, log2(greatest(1.0, 0.9 * (records + CASE WHEN most >= {OWN_BITS} THEN {OWN_ODDS}
                                                                      ELSE {SHARED_ODDS} END) / things)) AS
                                                                          bits
        FROM counted JOIN totals USING (concept) LEFT JOIN field_bits USING (concept)
    """)
    connection.execute(f"""
        CREATE TABLE evidence AS
        WITH sides AS (
            SELECT x, y, a.concept, max(CASE WHEN a.key = b.key THEN rarity.bits END) AS agreed
            FROM named JOIN vals a ON a.n = x JOIN vals b ON b.n = y AND a.concept = b.concept AND a.origin =
                b.origin
            LEFT JOIN rarity ON rarity.concept = a.concept AND rarity.key = a.key
            WHERE a.concept NOT IN ('name', '')
            GROUP BY x, y, a.concept
        )
        SELECT x, y, concept,
               CASE WHEN agreed IS NULL THEN coalesce(least, {OTHER_BITS[1]})
                    ELSE least(agreed, coalesce(most, {OTHER_BITS[0]})) END AS bits
        FROM sides LEFT JOIN field_bits USING (concept)
    """)


def _first_round(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(f"""
        CREATE TABLE scored AS
        WITH linked AS (
            SELECT DISTINCT least(host, target) AS one, greatest(host, target) AS other FROM links
        ), told AS (
            SELECT x, y, sum(bits) AS bits,
                   list({{'field': concept, 'bits': round(bits, 1)}} ORDER BY bits DESC, concept) AS fields
            FROM evidence GROUP BY x, y
        )
        SELECT named.x, named.y, name_bits, how, a.page AS page_x, b.page AS page_y,
               CASE WHEN a.domain = b.domain THEN 0.0 WHEN linked.one IS NOT NULL THEN {LINKED} ELSE
               {UNRELATED} END
                   AS site_bits,
               coalesce(told.bits, 0.0) AS field_bits, told.fields
        FROM named JOIN keepers a ON a.n = x JOIN keepers b ON b.n = y
        LEFT JOIN told ON told.x = named.x AND told.y = named.y
        LEFT JOIN linked ON linked.one = least(a.domain, b.domain) AND linked.other = greatest(a.domain,
            b.domain)
    """)


def _supported(connection: duckdb.DuckDBPyConnection, settings: MatchSettings) -> None:
    """The pairs that reach the threshold with the support of other pairs between their pages."""
    connection.execute(f"""
        CREATE TABLE support AS
        WITH sizes AS (SELECT page, count(*) AS size FROM keepers GROUP BY page), sure AS (
            SELECT least(page_x, page_y) AS p, greatest(page_x, page_y) AS q,
                   least(count(DISTINCT x), count(DISTINCT y)) AS pairs
            FROM scored WHERE name_bits + site_bits + field_bits >= {settings.threshold} GROUP BY ALL
        )
        SELECT p, q, pairs, pairs / least(a.size, b.size) AS share
        FROM sure JOIN sizes a ON a.page = p JOIN sizes b ON b.page = q
    """)
    connection.execute(f"""
        CREATE TABLE page_copies AS
        WITH sizes AS (SELECT page, count(*) AS size FROM keepers GROUP BY page), alike AS (
            SELECT least(page_x, page_y) AS p, greatest(page_x, page_y) AS q,
                   least(count(DISTINCT x), count(DISTINCT y)) AS pairs,
                   count(DISTINCT CASE WHEN name_bits >= {FULL_NAME_BITS} THEN x END) AS full_names
            FROM scored WHERE how = 0 GROUP BY ALL
        )
        SELECT p, q FROM alike JOIN sizes a ON a.page = p JOIN sizes b ON b.page = q
        WHERE full_names >= {COPY_PAIRS} AND pairs >= {COPY_SHARE} * greatest(a.size, b.size)
        UNION
        SELECT p, q FROM support WHERE pairs >= {COPY_PAIRS} AND share >= {COPY_SHARE}
    """)
    connection.execute(f"""
        CREATE TABLE pairs AS
        WITH with_support AS (
            SELECT scored.*,
                   CASE WHEN page_copies.p IS NOT NULL THEN {COPY_BITS}
                        WHEN support.pairs - (name_bits + site_bits + field_bits >= {settings.threshold})::INT
                             >= {SUPPORTING}
                        THEN least({SUPPORT_BITS}, 2 * log2(support.pairs)) * least(1.0, support.share)
                        ELSE 0.0 END AS support_bits
            FROM scored
            LEFT JOIN support ON support.p = least(page_x, page_y) AND support.q = greatest(page_x, page_y)
            LEFT JOIN page_copies
              ON page_copies.p = least(page_x, page_y) AND page_copies.q = greatest(page_x, page_y)
        )
        SELECT *, name_bits + site_bits + field_bits + support_bits AS bits,
               round(1 / (1 + pow(2, -(bits - {settings.threshold} + {SURE_BITS}))), 4) AS score
        FROM with_support WHERE name_bits + site_bits + field_bits + support_bits >= {settings.threshold}
    """)
