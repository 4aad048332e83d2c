"""The method of the paper on corresponding web content as it was published, its baselines, and each of its
parts left out.

A record is a data tree: a root, a node a field, a leaf a value. The search begins at equal leaves and goes up
(section 3.2): records that share a leaf are compared by the edit distance of their trees, where fields that
correspond already are not compared again; a field that only one side has counts where its label usually goes
with the labels of the other (step 3). Formula (4) decides. In a set every pair corresponds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import combinations

import duckdb
import pyarrow as pa

from ruiji.detector.records.compare.relevance import (
    DEFAULT_RULE,
    PaperRule,
    corresponds,
    days_between,
    equivalent_score,
    link_relevance,
)
from ruiji.detector.records.compare.similarity import Tree, tree_similarity
from ruiji.detector.records.model import ADDRESS

PAPER, OR_SEARCH, AND_SEARCH = "paper", "or", "and"
LINKS, TIME, TREES, SIBLINGS = "links", "time", "trees", "siblings"  # the indicators that can be left out
INDICATORS = (LINKS, TIME, TREES, SIBLINGS)
CORRELATED = 0.5  # share of the records with the same labels that must have a label for its absence to count
MOST_SHARING = (
    400  # records with the same leaf that are compared; a leaf of more is no evidence (docs/decisions)
)


@dataclass(frozen=True, slots=True)
class PaperSettings:
    """The parameters of formula (4), the method or baseline, and the indicators that are left out."""

    rule: PaperRule = DEFAULT_RULE
    method: str = PAPER
    without: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class DataTree:
    """A record as a tree: where it is from, and its fields by concept, each a node over its leaves."""

    number: int
    page: int
    site: str
    time: datetime | None
    fields: Mapping[str, Tree]
    leaves: frozenset[tuple[str, str]] = field(default_factory=frozenset)


def match_as_published(connection: duckdb.DuckDBPyConnection, settings: PaperSettings) -> None:
    """Makes the table ``pairs`` of the records that correspond by the paper, or by one of its baselines."""
    trees = _trees(connection)
    links = _links(connection)
    correlation = _Correlation(trees)
    rows: list[tuple[int, int, float]] = []
    for one, other in _candidates(trees):
        score = _score(one, other, links, correlation, settings)
        if score is not None:
            rows.append((one.number, other.number, score))
    kept = rows if settings.method == OR_SEARCH else _consistent(rows)
    columns = list(zip(*kept, strict=True)) if kept else [(), (), ()]
    shape = pa.schema([("x", pa.int64()), ("y", pa.int64()), ("b", pa.float64())])
    connection.register("published", pa.table([list(column) for column in columns], schema=shape))
    connection.execute("""
        CREATE TABLE pairs AS
        SELECT x, y, b AS bits, b AS score, 0 AS how, b AS name_bits, 0.0 AS site_bits, 0.0 AS support_bits,
               CAST(NULL AS STRUCT(field VARCHAR, bits DOUBLE)[]) AS fields FROM published
    """)


def _trees(connection: duckdb.DuckDBPyConnection) -> list[DataTree]:
    leaves: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for number, concept, value in connection.execute(
        "SELECT n, concept, value FROM vals WHERE concept <> '' ORDER BY n, concept, value"
    ).fetchall():
        leaves[number][concept].append(value)
    trees = []
    for number, page, host, time in connection.execute(
        f"SELECT n, page, host, CASE WHEN time_source <> '{ADDRESS}' THEN time END FROM records ORDER BY n"
    ).fetchall():
        own = leaves.get(number, {})
        trees.append(
            DataTree(
                number=number,
                page=page,
                site=host,
                time=datetime.fromisoformat(time) if time else None,
                fields={
                    concept: Tree(concept, tuple(Tree(value) for value in dict.fromkeys(values)))
                    for concept, values in own.items()
                },
                leaves=frozenset((concept, value) for concept, values in own.items() for value in values),
            )
        )
    return trees


def _links(connection: duckdb.DuckDBPyConnection) -> Counter[tuple[str, str]]:
    rows = connection.execute("SELECT host, target, count(*) FROM links GROUP BY ALL").fetchall()
    return Counter({(host, target): number for host, target, number in rows})


def _candidates(trees: Sequence[DataTree]) -> Iterator[tuple[DataTree, DataTree]]:
    """Step 1: records of different pages that have an equal leaf, each pair once."""
    holders: dict[str, list[int]] = defaultdict(list)
    for place, tree in enumerate(trees):
        for value in {value for _, value in tree.leaves}:
            holders[value].append(place)
    seen: set[tuple[int, int]] = set()
    for sharing in holders.values():
        if not 1 < len(sharing) <= MOST_SHARING:
            continue
        for one, other in combinations(sharing, 2):
            if trees[one].page != trees[other].page and (one, other) not in seen:
                seen.add((one, other))
                yield trees[one], trees[other]


class _Correlation:
    """Which labels go together (the node sets of section 3.2): of records with some labels, how many have
    another.
    """

    def __init__(self, trees: Sequence[DataTree]) -> None:
        self._sets = Counter(frozenset(tree.fields) for tree in trees)
        self._known: dict[tuple[frozenset[str], str], bool] = {}

    def holds(self, labels: frozenset[str], label: str) -> bool:
        """Whether records that have these labels usually have that one too."""
        key = (labels, label)
        if key not in self._known:
            having = [(own, number) for own, number in self._sets.items() if labels <= own]
            total = sum(number for _, number in having)
            with_it = sum(number for own, number in having if label in own)
            self._known[key] = total > 2 and with_it >= CORRELATED * total
        return self._known[key]


def _score(
    one: DataTree,
    other: DataTree,
    links: Mapping[tuple[str, str], int],
    correlation: _Correlation,
    settings: PaperSettings,
) -> float | None:
    """EquivalentScore of two records where they correspond; None where they do not."""
    if settings.method == OR_SEARCH:
        return 1.0
    if settings.method == AND_SEARCH:
        return 1.0 if one.leaves == other.leaves else None
    alike = record_similarity(one, other, correlation, settings.without)
    number = links.get((one.site, other.site), 0) + links.get((other.site, one.site), 0)
    relevance = link_relevance(one.site == other.site, number)
    rule = replace(settings.rule, alpha=1.0) if LINKS in settings.without else settings.rule
    days = 0.0 if TIME in settings.without else days_between(one.time, other.time)
    if not corresponds(alike, relevance, days, rule):
        return None
    return round(equivalent_score(alike, relevance, rule), 4)


def record_similarity(
    one: DataTree, other: DataTree, correlation: _Correlation, without: frozenset[str] = frozenset()
) -> float:
    """TreeSimilarity of two records, over the fields that step 3 lets in."""
    if TREES in without:  # leaves alone, as a keyword search sees them
        return len(one.leaves & other.leaves) / max(1, len(one.leaves | other.leaves))
    mine = _compared(one, other, correlation, without)
    theirs = _compared(other, one, correlation, without)
    shared = [
        (one.fields[concept], other.fields[concept])
        for concept in mine
        if concept in theirs and _has_equal_leaf(one.fields[concept], other.fields[concept])
    ]
    return tree_similarity(
        Tree("record", tuple(one.fields[concept] for concept in mine)),
        Tree("record", tuple(other.fields[concept] for concept in theirs)),
        shared,
    )


def _compared(
    one: DataTree, other: DataTree, correlation: _Correlation, without: frozenset[str]
) -> list[str]:
    """Step 3: the fields of a record that are compared with the other: those it has too, and correlated
    ones.
    """
    labels = frozenset(other.fields)
    return [
        concept
        for concept in one.fields
        if SIBLINGS in without or concept in labels or correlation.holds(labels, concept)
    ]


def _has_equal_leaf(one: Tree, other: Tree) -> bool:
    return not {leaf.label for leaf in one.children}.isdisjoint(leaf.label for leaf in other.children)


def _consistent(rows: Sequence[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    """The pairs of sets in which every pair corresponds, grown from the highest scores."""
    known = {(x, y) for x, y, _ in rows}
    members: dict[int, list[int]] = {}
    home: dict[int, int] = {}
    for x, y, _ in sorted(rows, key=lambda row: (-row[2], row[0], row[1])):
        one, other = home.get(x, x), home.get(y, y)
        if one == other:
            continue
        mine, theirs = members.get(one, [one]), members.get(other, [other])
        if all((min(a, b), max(a, b)) in known for a in mine for b in theirs):
            members[one] = [*mine, *theirs]
            members.pop(other, None)
            for record in members[one]:
                home[record] = one
    return [row for row in rows if home.get(row[0], row[0]) == home.get(row[1], row[1])]
