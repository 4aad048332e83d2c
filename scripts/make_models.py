"""Trains the shipped models anew: ``python -m scripts.make_models DATA``, where DATA is the folder with the
annotated sets. ``--zoo`` adds planted pages (scripts.template_zoo), which the shipped ones do without.

The same data gives the same bytes on a like processor. The scores on the card are by models of three folds,
which have not seen the sites of the pages. The CRF of a stacked model may have been shown them, but has no
say in what is content.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from sklearn.base import clone

from ruiji.chunker.annotation.examples import Example, digest, examples_of
from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.folder import CALIBRATED, SHIPPED, save_model
from ruiji.chunker.crf.labeller import PageLabels
from ruiji.chunker.crf.sampling import spread_numbers
from ruiji.chunker.evaluation.crossval import grouped_folds, score_example
from ruiji.corpora import Page, read_pages
from ruiji.features.page.textnodes import TextNodes
from scripts.added_pages import added_pages
from scripts.data_sets import COPIES, COPIES_SET, PLANTED_SET, DataSet, data_sets
from scripts.template_zoo import ZOO

BATCH = 32  # pages read together
FOLDS = 3
BETA = 1.2  # of F, by which pages are cut (our measurement, docs/decisions)
DIGITS = 4  # of the figures that are kept


def examples_in(data_set: DataSet) -> list[tuple[Page, Example]]:
    """The annotated pages of a set, each with its example."""
    pages = list(read_pages([str(source) for source in data_set.sources]))
    examples = [
        example
        for start in range(0, len(pages), BATCH)
        for example in examples_of(pages[start : start + BATCH])
    ]
    return [
        (page, replace(example, convention=data_set.convention_name))
        for page, example in zip(pages, examples, strict=True)
        if example.nodes is not None and example.marked
    ]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A shipped model: how it is trained, and what its card tells."""

    name: str
    chunker: CrfChunker
    purpose: str
    limits: Sequence[str]
    sets: Sequence[str] = ()  # short names of the sets that it learns from; all where none is named
    with_added: bool = False  # whether it also learns from pages made of these (scripts.added_pages)
    zoo: bool = False  # whether there are planted ones among them


DEFAULT = Recipe(
    "default",
    CrfChunker(  # the CRF only parts regions: few pages will do
        features="stacked", beta=BETA, max_pages=250, max_iterations=40
    ),
    "The content of any web page, in any language: a CRF over gradient-boosted trees and a small network.",
    (
        "Learned from pages of 2026 and from manuals; forums, shops and overview pages are where it errs "
        "most (see scores).",
        "No Japanese news, shop or company site is among the pages it learned from.",
        "On Japanese pages the headline counts as content, elsewhere mostly not: as the annotated pages of "
        "the two have it.",
        "On Japanese pages all that stands in the element of the content counts as content, but for what "
        "names call furniture.",
        "Truth for WCXB is plain text aligned to text nodes; repeated short texts may be aligned to the "
        "wrong one.",
        "Comments of readers below an article are no content, posts of a forum are; what shows both alike "
        "is a guess.",
        "Comments, headlines and elements are choices at prediction (--comments, --convention); the default, "
        "auto, is convention ‹element› on Japanese pages and ‹blocks› on others.",
    ),
    with_added=True,
)
NAKAMURA = Recipe(
    "nakamura",
    CrfChunker(features="nakamura"),
    "The nine features of Nakamura 2007, for Japanese pages.",
    (
        "For Japanese pages alone: it has seen no others.",
        "Weaker than the default model; see scores.",
    ),
    sets=("Japanese sites", "mini-web"),
)
RECIPES = (DEFAULT, NAKAMURA)


def about(recipe: Recipe, sets: Sequence[tuple[DataSet, Sequence[Example]]]) -> dict[str, Any]:
    """What the card says beyond settings and numbers."""
    return {
        "name": recipe.name,
        "purpose": recipe.purpose,
        "limits": list(recipe.limits),
        "data_sets": [
            {
                "name": own.name,
                "pages": len(examples),
                "licence": own.licence,
                "convention": own.convention,
                "convention_name": own.convention_name,
                "sha256": digest(examples),
            }
            for own, examples in sets
        ],
    }


def held_out(
    chunker: CrfChunker, nodes: Sequence[TextNodes], examples: Sequence[Example]
) -> Mapping[int, PageLabels]:
    """What is found of pages by a model that has not seen their site: of a stacked one by its own folds, of
    another by three of ours.
    """
    if chunker.held_out_:
        return chunker.predict_held_out(nodes)
    pages: dict[int, PageLabels] = {}
    shown = set(spread_numbers(nodes, chunker.per_site, None))
    for fold in grouped_folds(examples, FOLDS):
        own = clone(chunker).fit(
            [nodes[number] for number in fold.train], [examples[number].labels for number in fold.train]
        )
        tested = [number for number in fold.test if number in shown]
        pages.update(zip(tested, own.decoded([nodes[number] for number in tested]), strict=True))
    return pages


def calibration(
    pages: Mapping[int, PageLabels], examples: Sequence[Example], groups: Sequence[str]
) -> dict[str, list[Any]]:
    """Of each held-out page its group, how good the model expected to be, and how good it was, by words."""
    columns: dict[str, list[Any]] = {name: [] for name in ("group", *CALIBRATED)}
    for number, page in sorted(pages.items()):
        counts = score_example(examples[number], page.labels)
        for name, value in zip(
            CALIBRATED,
            (page.expected_f1, counts.word_P, counts.word_R, counts.word_F1),
            strict=True,
        ):
            columns[name].append(round(value, DIGITS))
        columns["group"].append(groups[number])
    return columns


def scores(columns: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Word F1 of the held-out pages by group, and how good the model expected to be."""
    of_group: dict[str, list[int]] = {}
    for row, group in enumerate(columns["group"]):
        of_group.setdefault(group, []).append(row)
    return {
        group: {
            "pages": len(own),
            "word_F1": round(fmean(columns["F1"][row] for row in own), DIGITS),
            "expected_F1": round(fmean(columns["expected_f1"][row] for row in own), DIGITS),
        }
        for group, own in sorted(of_group.items())
    }


def make_model(recipe: Recipe, read: Sequence[tuple[DataSet, Sequence[tuple[Page, Example]]]]) -> None:
    """Trains a model on these sets, writes it, and prints its scores."""
    known = [own for _, pages in read for own in pages]
    examples, weights = [example for _, example in known], None
    groups = [group_of(own, page) for own, pages in read for page, _ in pages]
    copies = 0
    if recipe.with_added:
        added = added_pages(known, ZOO if recipe.zoo else None)
        weights, copies = added.weights, len(added.copies)
        examples += [*added.copies, *added.planted]
        groups += [COPIES] * copies
    nodes = [example.nodes for example in examples if example.nodes is not None]
    recipe.chunker.fit(
        nodes,
        [example.labels for example in examples],
        sample_weight=weights,
        conventions=[example.convention for example in examples],
    )
    judged = {
        number: page
        for number, page in held_out(recipe.chunker, nodes, examples).items()
        if number < len(groups)  # what was planted only teaches
    }
    calibrated = calibration(judged, examples, groups)
    figures_of = scores(calibrated)
    sets = [(own, [example for _, example in pages]) for own, pages in read]
    if recipe.with_added:
        sets.append((COPIES_SET, examples[len(known) : len(known) + copies]))
    if recipe.zoo:
        sets.append((PLANTED_SET, examples[len(known) + copies :]))
    save_model(
        recipe.chunker,
        SHIPPED / recipe.name,
        examples,
        figures_of,
        about=about(recipe, sets),
        calibration=calibrated if recipe is DEFAULT else None,
    )
    size = sum(path.stat().st_size for path in (SHIPPED / recipe.name).iterdir())
    print(f"{recipe.name}: {len(nodes)} pages, {size / 1e6:.1f} MB")
    for group, figures in figures_of.items():
        print(f"  {group}: {figures}")


def group_of(data_set: DataSet, page: Page) -> str:
    """The group of a page on the card: its set, and its kind where the set names one."""
    kind = page.extra.get("page_type")
    return f"{data_set.short}, {kind}" if kind else data_set.short


def main(arguments: Sequence[str]) -> int:
    """Writes the models; returns the exit status."""
    zoo, arguments = "--zoo" in arguments, [own for own in arguments if own != "--zoo"]
    if not arguments or not Path(arguments[0]).is_dir():
        print(
            "usage: python -m scripts.make_models DATA [NAME …] [--zoo], with DATA the folder that holds "
            "web/ and ja-sites/",
            file=sys.stderr,
        )
        return 2
    read = [(own, examples_in(own)) for own in data_sets(Path(arguments[0]))]
    for recipe in RECIPES:
        if not arguments[1:] or recipe.name in arguments[1:]:
            recipe = replace(recipe, zoo=zoo and recipe.with_added)
            make_model(recipe, [own for own in read if not recipe.sets or own[0].short in recipe.sets])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
