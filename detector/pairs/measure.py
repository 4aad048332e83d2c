"""From what the join found to what is told of it: each pair with its measures, relation and category, which
pages are patchwork, which page is likely the original, and the groups of identical pages.

The pairs are read twice: patchwork and groups need all pairs of a page before the first can be told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ruiji.detector.gather import schemas
from ruiji.detector.pairs.groups import Loss, Preference, groups_of, preference
from ruiji.detector.pairs.origin import UNKNOWN, OriginSigns, origin
from ruiji.detector.pairs.passages import Differences
from ruiji.detector.pairs.patchwork import PAIR, Partners
from ruiji.detector.pairs.relations import (
    CATEGORIES,
    IDENTICAL,
    LINKS,
    PARTIAL,
    RELATIONS,
    Thresholds,
    categories,
    containment,
    overlap,
    relations,
)
from ruiji.detector.pairs.releases import Releases, at_one_site
from ruiji.detector.sentences.table import keys
from ruiji.detector.sites import is_number, of_one_service, site_of, site_similarity
from ruiji.detector.urls import host_and_path, url_similarity

OWN_TEXT = 0.1  # share of a page's characters: less are a date or a counter in copies of a page
AT_HOME = 2  # as in the partial-copy index: pages of one site share lines of every kind


def measured(batch: pa.RecordBatch, thresholds: Thresholds) -> pa.RecordBatch:
    """The pairs of the join with overlap, containment, url_similarity, link, and the numbers of relation and
    category.

    In pages that are neither identical nor one in the other, what stands at the same place of both is their
    site's template: it does not count, and where nothing else is shared there is no pair (``sharing``).
    """
    if not thresholds.keep_templates:
        batch = _without_templates(batch, thresholds)
    shared, one, other = (batch[name].to_numpy() for name in ("shared_chars", "long_chars_a", "long_chars_b"))
    a_to_b, b_to_a = (batch[name].to_numpy(zero_copy_only=False) for name in ("a_to_b", "b_to_a"))
    compare = site_similarity if thresholds.urls == "site" else url_similarity
    similarity = np.fromiter(
        map(compare, batch["url_a"].to_pylist(), batch["url_b"].to_pylist()), np.float64, len(batch)
    )
    overlaps, containments = overlap(shared, one, other), containment(shared, one, other)
    relation = relations(overlaps, containments, thresholds)
    new = {
        "overlap": overlaps,
        "containment": containments,
        "url_similarity": similarity,
        "link": a_to_b + 2 * b_to_a.astype(np.int8),
        "relation": relation,
        "category": categories(relation, similarity, a_to_b | b_to_a, thresholds),
    }
    for name, values in new.items():
        batch = batch.append_column(name, pa.array(values))
    return batch


def weighed(batch: pa.RecordBatch, releases: Releases, thresholds: Thresholds) -> pa.RecordBatch:
    """The measured pairs with whether each says enough to be reported, and the categories of sites that are
    one in several places.
    """
    own = pc.equal(batch["site_a"], batch["site_b"]).to_numpy(zero_copy_only=False)
    if thresholds.urls == "site" and releases.there_are:
        one_site = releases.of_one_site(batch)
        category = at_one_site(batch["category"].to_numpy(), one_site)
        place = batch.schema.get_field_index("category")
        batch = batch.set_column(place, "category", pa.array(category))
        enough = _says_enough(batch, own | one_site, thresholds)
        if thresholds.min_bits:
            enough &= ~releases.told_at_home(batch)
    else:
        enough = _says_enough(batch, own, thresholds)
    return batch.append_column("reported", pa.array(enough))


def sharing(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The measured pairs that share more than a template."""
    return batch.filter(pc.greater(batch["shared_sentences"], 0))


def _says_enough(
    batch: pa.RecordBatch, own: npt.NDArray[np.bool_], thresholds: Thresholds
) -> npt.NDArray[np.bool_]:
    """Which measured pairs say enough to be reported: identical pages, pages of two sites that link, and
    those whose sentences have the bits for it; between pages of one host that do not link it takes AT_HOME
    times as many. Of pages of a host that have text of their own around what they share, neither identical
    ones that share only its frame, nor such that one holds little of the other beside it.
    """
    linked = batch["link"].to_numpy() > 0
    relation, bits = batch["relation"].to_numpy(), batch["bits"].to_numpy()
    framed = own & (relation != PARTIAL) & (batch["containment"].to_numpy() <= 1 - OWN_TEXT)
    if not thresholds.keep_templates:
        bits = bits - np.where(framed, batch["frame_bits"].to_numpy(), 0)
    enough = bits >= thresholds.min_bits * np.where(own & ~linked, AT_HOME, 1)
    same = (relation == IDENTICAL) & ~(framed & (bits <= 0))
    return np.asarray((same | (linked & ~own) | enough) & (batch["shared_sentences"].to_numpy() > 0))


def _without_templates(batch: pa.RecordBatch, thresholds: Thresholds) -> pa.RecordBatch:
    """The pairs with what they share beside a template, which may be nothing."""
    shared, one, other = (batch[name].to_numpy() for name in ("shared_chars", "long_chars_a", "long_chars_b"))
    partial = relations(overlap(shared, one, other), containment(shared, one, other), thresholds) == PARTIAL
    for name in ("shared_sentences", "shared_chars", "bits"):
        template = name.replace("shared", "template") if name != "bits" else "template_bits"
        left = batch[name].to_numpy() - np.where(partial, batch[template].to_numpy(), 0)
        batch = batch.set_column(batch.schema.get_field_index(name), name, pa.array(left))
    return batch


@dataclass(slots=True)
class Overview:
    """What must be known of all pairs before one can be told: who shares with whom, and who is identical with
    whom.
    """

    partners: Partners = field(default_factory=Partners)
    identical: list[tuple[int, int]] = field(default_factory=list)
    preferences: dict[int, Preference] = field(default_factory=dict)

    def add(self, batch: pa.RecordBatch) -> None:
        """Takes in measured pairs."""
        orders = {f"order_{side}": keys(batch[f"url_{side}"].to_pylist()) for side in "ab"}
        columns = {name: batch[name].to_pylist() for name in PAIR.names or () if name not in orders}
        self.partners.add(columns | orders)
        for row in _rows(batch.filter(pc.equal(batch["relation"], IDENTICAL))):
            pages = (row["page_a"], row["page_b"])
            self.identical.append(pages)
            for page, side in zip(pages, "ab", strict=True):
                if page not in self.preferences:
                    self.preferences[page] = preference(
                        row[f"url_{side}"], row[f"long_chars_{side}"], row[f"changed_{side}"]
                    )

    def groups(
        self,
        losses: Iterable[pa.RecordBatch],
        collapsed: Iterable[pa.RecordBatch],
        first_old: int,
        kept_share: float,
    ) -> pa.Table:
        """The table of groups with a fresh page; ``collapsed`` are the pages that another stands for."""
        names = ("bits", "sentences", "asides", "lost_asides")
        lost = {
            (row["page"], row["other"]): Loss(
                row["lost"], row["chars"], **{name: row[name] for name in names}
            )
            for batch in losses
            for row in _rows(batch)
        }
        kept = {
            page: kept
            for batch in collapsed
            for page, kept in zip(batch["page"].to_pylist(), batch["kept"].to_pylist(), strict=True)
            if page in self.preferences and kept in self.preferences
        }
        groups = [
            group
            for group in groups_of(lost, kept, self.preferences, kept_share)
            if any(page < first_old for page, _ in group)
        ]
        rows = [
            (number, self.preferences[page].url, place == 0, chars)
            for number, group in enumerate(groups)
            for place, (page, chars) in enumerate(group)
        ]
        return pa.table([[row[place] for row in rows] for place in range(4)], schemas.GROUPS)

    def identical_pairs(self) -> pa.Table:
        """The pairs of identical pages, as the join reads them."""
        pages = [[pair[side] for pair in self.identical] for side in (0, 1)]
        urls = [[self.preferences[page].url for page in column] for column in pages]
        return pa.table([*pages, *urls], schema=schemas.PAGE_PAIRS)


def told(batch: pa.RecordBatch, patchwork: set[int], differences: Differences) -> pa.Table:
    """Measured pairs as pairs.parquet has them."""
    found = [_verdict(row, patchwork) for row in _rows(batch)]
    columns: dict[str, Any] = {
        name: batch[name] for name in schemas.PAIRS.names if name in batch.schema.names
    }
    for name, names in (("link", LINKS), ("relation", RELATIONS), ("category", CATEGORIES)):
        columns[name] = pa.array([names[number] for number in batch[name].to_pylist()], pa.string())
    for place, name in enumerate(("patchwork", "source", "source_reason")):
        columns[name] = pa.array([verdict[place] for verdict in found], pa.string())
    urls = batch["url_a"].to_pylist(), batch["url_b"].to_pylist()
    columns["edited_sentences"] = pa.array(map(differences.edited, *urls), pa.int64())
    columns["moved_passages"] = pa.array(map(differences.moved, *urls), pa.int64())
    return pa.table({name: columns[name] for name in schemas.PAIRS.names}, schemas.PAIRS)


def reported(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The measured pairs that are reported: not those that say too little, nor those of which both pages are
    of earlier runs.
    """
    return batch.filter(pc.and_(batch["fresh"], batch["reported"]))


def fresh_pages(batch: pa.RecordBatch, first_old: int) -> set[str]:
    """The addresses of the pages of measured pairs that are not of an earlier run."""
    return {
        url
        for side in "ab"
        for url in batch[f"url_{side}"].filter(pc.less(batch[f"page_{side}"], first_old)).to_pylist()
    }


_PATCHWORK = {(False, False): "none", (True, False): "a", (False, True): "b", (True, True): "both"}


def _verdict(row: dict[str, Any], patchwork: set[int]) -> tuple[str, str, str]:
    """(patchwork, source, reason) of a pair."""
    sides = (row["page_a"] in patchwork, row["page_b"] in patchwork)
    evidence = OriginSigns(
        sides,
        (row["a_to_b"], row["b_to_a"]),
        (row["changed_a"], row["changed_b"]),
        (row["published_a"], row["published_b"]),
        (row["long_chars_a"], row["long_chars_b"]),
        (row["named_a"], row["named_b"]),
        (UNKNOWN, UNKNOWN)  # what stands around the texts is the service's
        if of_one_service(row["url_a"], row["url_b"])
        else (row["frame_fit_a"], row["frame_fit_b"]),
        (row["fit_a"] / row["shared_chars"], row["fit_b"] / row["shared_chars"]),
        row["relation"],
        site_of(row["url_a"]) == site_of(row["url_b"]),
        (is_number(host_and_path(row["url_a"])[0]), is_number(host_and_path(row["url_b"])[0])),
    )
    return (_PATCHWORK[sides], *origin(evidence))


def _rows(batch: pa.RecordBatch) -> Iterator[dict[str, Any]]:
    columns = {name: batch[name].to_pylist() for name in batch.schema.names}
    for values in zip(*columns.values(), strict=True):
        yield dict(zip(columns, values, strict=True))
