"""Features as attributes of text nodes: how a feature is declared, and how its values become numbers that
have weights.

A feature is a pure function over the arrays of a Forest. A closed one gives a number a node, an index into
its named values; an open one gives finds: which stretch of nodes has which word, tag path or class name. An
attribute is a feature with one of its values (and, for a look at neighbours, an offset), and has a name one
can read: ``text_length=6-8``, ``link[+1]=none``, ``keyword=copyright``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import FloatArray, IntArray, KeyArray, ranges
from ruiji.features.nodes.forest import Forest
from ruiji.features.nodes.outside import outside_codes
from ruiji.features.text.keytable import KeyTable, key_table

OUTSIDE = "outside"  # the value of a neighbour before the first and after the last node of a page


@dataclass(frozen=True, slots=True, eq=False)
class Finds:
    """What an open feature finds: the value ``key[i]`` at the nodes from ``start[i]`` to before
    ``end[i]``.
    """

    start: IntArray
    end: IntArray
    key: KeyArray
    spell: Callable[[Sequence[int]], list[str]]  # the values of some finds, as strings

    def once(self) -> Finds:
        """The finds without those that lie inside another of the same value: then a node has a value once or
        not at all.

        Stretches come from elements, so two of them are apart or one holds the other.
        """
        order = np.lexsort((-self.end, self.start, self.key))
        key, start, end = self.key[order], self.start[order], self.end[order].astype(np.int64)
        new = np.ones(len(key), dtype=bool)
        new[1:] = key[1:] != key[:-1]
        group = np.cumsum(new) * (
            int(end.max(initial=0)) + 1
        )  # ends of a later value are beyond those of all before
        reached = np.maximum.accumulate(end + group) - group
        outer = new.copy()
        outer[1:] |= start[1:] >= reached[:-1] - (group[1:] - group[:-1])
        kept = np.sort(order[outer])
        return Finds(
            self.start[kept],
            self.end[kept],
            self.key[kept],
            lambda which: self.spell(kept[list(which)].tolist()),
        )


@dataclass(frozen=True, slots=True)
class Closed:
    """A feature whose values are known beforehand; ``offsets`` are the neighbours that are looked at too."""

    function: Callable[[Forest], npt.NDArray[np.integer]]
    values: tuple[str, ...]
    offsets: tuple[int, ...] = (0,)

    @property
    def name(self) -> str:
        return self.function.__name__

    def codes(self, pages: Forest) -> IntArray:
        """For each node the place of its value. Raises WrongValues where a function from outside gives
        something else.
        """
        if self.function.__module__.startswith("ruiji."):
            return np.asarray(self.function(pages)).astype(np.int32)
        return outside_codes(self.name, self.function, self.values, pages).astype(np.int32)

    def attribute_names(self, offset: int) -> list[str]:
        """The names of its attributes at an offset, in the order of codes; the last is for neighbours outside
        the page.
        """
        where = f"[{offset:+d}]" if offset else ""
        return [f"{self.name}{where}={value}" for value in (*self.values, OUTSIDE)]


@dataclass(frozen=True, slots=True)
class Rule:
    """Which values of an open feature are worth an attribute, counted in the training pages only."""

    occurrences: int = 1
    domains: int = 1
    domain_share: float = 0.0  # of all domains of the training pages
    non_content: float = (
        0.0  # share of the occurrences that must lie in non-content: P_nc of Nakamura 2007, formula 3.1
    )
    weight: float = 0.0  # P_nc times the number of domains: formula 3.2

    def keeps(
        self, occurrences: IntArray, domains: IntArray, non_content: FloatArray, all_domains: int
    ) -> npt.NDArray[np.bool_]:
        """Which values to keep, given for each how often it occurs, in how many of all domains, and how often
        in non-content.
        """
        share = non_content / np.maximum(occurrences, 1)
        least = max(min(self.domains, all_domains), self.domain_share * all_domains)
        kept: npt.NDArray[np.bool_] = (
            (occurrences >= self.occurrences)
            & (domains >= least)
            & (share >= self.non_content)
            & (share * domains >= self.weight)
        )
        return kept


@dataclass(frozen=True, slots=True)
class Open:
    """A feature whose values come from the training pages."""

    function: Callable[[Forest], Finds]
    key_of: Callable[[str], int]  # the key of a value
    rule: Rule = Rule()
    fixed: tuple[str, ...] = ()  # values chosen by hand, in place of the rule
    once: bool = False  # a node has a value or not; else it counts how often

    @property
    def name(self) -> str:
        return self.function.__name__

    def attribute_name(self, value: str) -> str:
        return f"{self.name}={value}"


Feature = Closed | Open


@dataclass(frozen=True, slots=True)
class FeatureSet:
    """A list of features with a name."""

    name: str
    features: tuple[Feature, ...]
    version: int = 1  # raised when a feature comes to mean something else under its name; a test notices

    def extended(self, name: str, *features: Feature) -> FeatureSet:
        """The set with further features, under a name of its own. Raises ValueError where two have one
        name, TypeError where one is no feature.
        """
        together = (*self.features, *features)
        for own in features:
            if not isinstance(own, Closed | Open):
                raise TypeError(f"{own!r} is no feature, as Closed(function, values) or Open(…) are")
        repeated = [name for name, times in Counter(own.name for own in together).items() if times > 1]
        if repeated:
            raise ValueError(f"two features are called {', '.join(repeated)}; rename the function of one")
        return FeatureSet(name, together, self.version)

    def without(self, names: Iterable[str]) -> FeatureSet:
        """The set without some features. Raises ValueError for a name that is not in it."""
        gone = {feature.name for feature in self.chosen(*names)}
        return FeatureSet(
            self.name, tuple(feature for feature in self.features if feature.name not in gone), self.version
        )

    def chosen(self, *names: str) -> tuple[Feature, ...]:
        """The features of these names, for another set. Raises ValueError for a name that is not in it."""
        if unknown := frozenset(names) - {feature.name for feature in self.features}:
            known = ", ".join(dict.fromkeys(feature.name for feature in self.features))
            raise ValueError(
                f"no feature {', '.join(sorted(unknown))} in the set {self.name}; it has {known}"
            )
        return tuple(feature for feature in self.features if feature.name in names)

    def schema(self) -> list[str]:
        """What must be the same for a model to fit: each feature with its values or its kind."""
        listed = [
            f"{feature.name} {feature.offsets} {' '.join(feature.values)}"
            if isinstance(feature, Closed)
            else f"{feature.name} open"
            for feature in self.features
        ]
        return [f"version {self.version}", *listed]


@dataclass(frozen=True, eq=False)
class Attributes:
    """The attributes of a feature set after training: all values of closed features, the chosen ones of open
    features.
    """

    features: FeatureSet
    values: Mapping[str, Sequence[str]]  # of each open feature

    def names(self) -> list[str]:
        """The name of each attribute, by its number."""
        names: list[str] = []
        for feature in self.features.features:
            if isinstance(feature, Closed):
                for offset in feature.offsets:
                    names += feature.attribute_names(offset)
            else:
                names += [feature.attribute_name(value) for value in self.values[feature.name]]
        return names

    @cached_property
    def _keys(self) -> dict[str, KeyTable]:
        """Of each open feature that has values the keys of these."""
        return {
            feature.name: key_table([feature.key_of(value) for value in self.values[feature.name]])
            for feature in self.features.features
            if isinstance(feature, Open) and self.values[feature.name]
        }

    def columns(self, pages: Forest) -> Columns:
        """The attributes of the nodes, as numbers."""
        closed, stretches = [], []
        base = 0
        for feature in self.features.features:
            if isinstance(feature, Closed):
                codes = feature.codes(pages)
                for offset in feature.offsets:
                    closed.append(base + _shifted(codes, offset, pages.page_start, len(feature.values)))
                    base += len(feature.values) + 1
            else:
                if self.values[feature.name]:
                    finds = _known(feature.function(pages), self._keys[feature.name], base)
                    stretches.append(finds.once() if feature.once else finds)
                base += len(self.values[feature.name])
        nothing = np.zeros(0, dtype=np.int32)
        return Columns(
            np.stack(closed) if closed else np.zeros((0, len(pages)), dtype=np.int32),
            np.concatenate([nothing, *(finds.start for finds in stretches)]),
            np.concatenate([nothing, *(finds.end for finds in stretches)]),
            np.concatenate([nothing, *(finds.key.astype(np.int32) for finds in stretches)]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The attributes of nodes: a row of numbers for each closed feature, and stretches of nodes that have
    one.
    """

    closed: IntArray
    start: IntArray
    end: IntArray
    number: IntArray

    def scores(self, weights: FloatArray) -> FloatArray:
        """For each node the sum of its attributes' weights: a row a node, a column a label."""
        size, labels = self.closed.shape[1], weights.shape[1]
        wide = np.zeros(
            (len(weights), -(-labels // 4) * 4)
        )  # numpy gathers rows of four numbers much faster than of three
        wide[:, :labels] = weights
        total, gathered = np.zeros((size, wide.shape[1])), np.empty((size, wide.shape[1]))
        for row in self.closed:
            total += wide.take(row, axis=0, out=gathered, mode="clip")
        total = total[:, :labels].copy()
        if len(self.start):
            at = np.concatenate((self.start, self.end))
            for label in range(labels):
                heavy = weights[:, label].take(self.number)
                total[:, label] += np.bincount(at, np.concatenate((heavy, -heavy)), size + 1).cumsum()[:size]
        return total

    def rows(self) -> list[list[int]]:
        """For each node the numbers of its attributes; one that counts twice stands there twice."""
        width = self.end - self.start
        node = ranges(self.start, width)
        order = node.argsort(kind="stable")
        number = np.repeat(self.number, width)[order].tolist()
        borders = node[order].searchsorted(np.arange(self.closed.shape[1] + 1)).tolist()
        return [row + number[borders[at] : borders[at + 1]] for at, row in enumerate(self.closed.T.tolist())]

    def at(self, node: int) -> dict[int, int]:
        """The attributes of one node, and how often it has each."""
        numbers = [
            *self.closed[:, node].tolist(),
            *self.number[(self.start <= node) & (node < self.end)].tolist(),
        ]
        return dict(Counter(numbers))


def choose(
    features: FeatureSet, pages: Forest, non_content: npt.NDArray[np.bool_], domains: IntArray
) -> Attributes:
    """The attributes that training pages give, by the rules of the set. ``domains`` numbers the domain of
    each node's page.
    """
    values: dict[str, list[str]] = {}
    for feature in features.features:
        if isinstance(feature, Open):
            values[feature.name] = (
                list(feature.fixed) if feature.fixed else _chosen(feature, pages, non_content, domains)
            )
    return Attributes(features, values)


def _chosen(feature: Open, pages: Forest, non_content: npt.NDArray[np.bool_], domains: IntArray) -> list[str]:
    finds = feature.function(pages)
    some = np.flatnonzero(finds.end > finds.start)
    keys, first, inverse = np.unique(finds.key[some], return_index=True, return_inverse=True)
    width = finds.end[some] - finds.start[some]
    total = np.concatenate(([0], np.cumsum(non_content)))
    marked = total[finds.end[some]] - total[finds.start[some]]
    occurrences = np.bincount(inverse, width, len(keys)).astype(np.int32)
    in_non_content = np.bincount(inverse, marked, len(keys)).astype(np.float64)
    pairs = np.unique(
        np.stack((inverse.astype(np.int64), domains[finds.start[some]].astype(np.int64))), axis=1
    )
    per_key = np.bincount(pairs[0], minlength=len(keys)).astype(np.int32)
    kept = np.flatnonzero(feature.rule.keeps(occurrences, per_key, in_non_content, len(np.unique(domains))))
    return sorted(set(finds.spell(some[first[kept]].tolist())))


def _known(finds: Finds, keys: KeyTable, base: int) -> Finds:
    """The finds whose key is among these, with the number of the attribute in place of the key."""
    which, value = keys.find(finds.key)
    some = finds.end[which] > finds.start[which]
    which, value = which[some], value[some]
    return Finds(finds.start[which], finds.end[which], (value + base).astype(np.uint64), finds.spell)


def _shifted(codes: IntArray, offset: int, page_start: IntArray, outside: int) -> IntArray:
    """The code of the neighbour at an offset; ``outside`` beyond the borders of the page."""
    if not offset:
        return codes
    moved = np.full_like(codes, outside)
    if offset > 0:
        moved[:-offset] = codes[offset:]
        for step in range(offset):
            ends = page_start[1:] - 1 - step
            moved[ends[ends >= page_start[:-1]]] = outside
    else:
        moved[-offset:] = codes[:offset]
        for step in range(-offset):
            begins = page_start[:-1] + step
            moved[begins[begins < page_start[1:]]] = outside
    return moved
