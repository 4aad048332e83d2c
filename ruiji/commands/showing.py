"""What a person sees of a finished run on the terminal: counts by category, the strongest pairs, pages that
failed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from ruiji.detector.pairs.run import Run

STRONGEST = 10
FAILED_SHOWN = 10

MEANING = {
    "mirror": "the same page at similar addresses",
    "boilerplate_or_plagiarism": "the same page at unlike addresses",
    "archive": "a page and one that holds it, at similar addresses",
    "link_collection": "a page and one that holds it, at unlike addresses",
    "same_site": "some sentences, similar addresses",
    "citation": "some sentences, one links to the other",
    "shared_passage": "some sentences, no link",
}


def print_summary(out: Path) -> None:
    """Prints the summary of a run."""
    run = Run(out)
    counts: dict[str, Any] = run.description["counts"]
    earlier = (
        f", compared with each other and with {counts['compared_with']} of earlier runs"
        if counts["compared_with"]
        else ""
    )
    print(f"{counts['pages']} pages{earlier}: {counts['pairs']} pairs that share content")
    for name, meaning in MEANING.items():
        print(f"  {counts['categories'][name]:8}  {name:26} {meaning}")
    print(
        f"{counts['groups']} groups of identical pages ({counts['grouped_pages']} pages), {counts['patchwork_pages']} patchwork pages"
    )
    _print_strongest(run)
    _print_failed(run)
    print(f"\nEverything is in {out}: report.html for reading, pairs.parquet and the others for programs")


def strongest(run: Run, number: int = STRONGEST) -> list[dict[str, Any]]:
    """The pairs with the most shared characters, by address where they have as many."""
    columns = ["url_a", "url_b", "shared_sentences", "shared_chars", "overlap", "containment", "category"]
    pairs = pq.read_table(run.file("pairs"), columns=columns)
    order = pc.select_k_unstable(
        pairs,
        k=min(number, len(pairs)),
        sort_keys=[("shared_chars", "descending"), ("url_a", "ascending"), ("url_b", "ascending")],
    )
    found: list[dict[str, Any]] = pairs.take(order).to_pylist()
    return found


def _print_strongest(run: Run) -> None:
    found = strongest(run)
    if found:
        print("\nstrongest pairs       sentences  characters  overlap  containment")
    for pair in found:
        print(
            f"  {pair['category']:26}{pair['shared_sentences']:4}{pair['shared_chars']:12}{pair['overlap']:9.2f}{pair['containment']:13.2f}"
            f"\n    {pair['url_a']}\n    {pair['url_b']}"
        )


def _print_failed(run: Run) -> None:
    pages = pq.read_table(run.file("pages"), columns=["id", "error"])
    failed = pages.filter(pc.is_valid(pages["error"]))
    if len(failed):
        print(f"\n{len(failed)} pages failed:")
    for page in failed.slice(0, FAILED_SHOWN).to_pylist():
        print(f"  {page['id']}: {page['error']}")
    if len(failed) > FAILED_SHOWN:
        print("  … (all are in pages.parquet)")
