"""``ruiji train``, ``crossval``, ``evaluate`` and ``agree``: learning from annotated pages, and how well it
went.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ruiji.chunker.annotation.annotators import agreement
from ruiji.chunker.annotation.examples import Example, digest, examples_of, failed
from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.folder import save_model
from ruiji.chunker.crf.svm import AllContent, SvmChunker
from ruiji.chunker.evaluation import nakamura_2007 as published
from ruiji.chunker.evaluation.crossval import (
    Chunker,
    Scores,
    collected,
    cross_validated,
    grouped_folds,
    score_example,
)
from ruiji.chunker.filters import COLLECTIVE, load_filter
from ruiji.chunker.labels import labels_of_mask
from ruiji.chunker.metrics import NAMES, Counts
from ruiji.chunker.self_taught import SelfTaughtChunker
from ruiji.corpora import InputError, map_pages, read_pages
from ruiji.corpora.files import replacing
from ruiji.features.nodes.full import FAMILIES
from ruiji.features.nodes.nakamura import ABLATION
from ruiji.features.nodes.sets import ALONE
from ruiji.fitted_filter import prepared
from ruiji.progress import Reporter

SHOWN = ("L_bl", "L_nc", "R_r", "R_p", "R_F", "B_r", "B_p", "B_F", "FP_c", "word_F1")


def load_examples(sources: Sequence[str], jobs: int, reporter: Reporter) -> list[Example]:
    """The annotated pages among the sources; pages that cannot be used are reported. Raises InputError where
    none is annotated.
    """
    found = []
    for example in reporter.watch(
        map_pages(examples_of, read_pages(list(sources)), failed=failed, jobs=jobs)
    ):
        if example.error:
            reporter.page_failed(example.id, example.error)
        else:
            found.append(example)
    unmarked = sum(not example.marked for example in found)
    if unmarked == len(found):
        raise InputError(
            f"{', '.join(sources)}: no annotated page; put <!-- (((BEGIN NOT CONTENT --> and <!-- )))END NOT CONTENT --> around what is "
            "not content, or give main_content in JSONL"
        )
    if unmarked:
        reporter.say(f"{unmarked} of {len(found)} pages have no annotation and count as content throughout")
    return found


def train(
    sources: Sequence[str], destination: Path, chunker: CrfChunker, jobs: int, reporter: Reporter
) -> None:
    """Learns from all annotated pages and writes the model."""
    write_model(lambda: load_examples(sources, jobs, reporter), destination, chunker, reporter)


def write_model(
    load: Callable[[], list[Example]],
    destination: Path,
    chunker: CrfChunker,
    reporter: Reporter,
    teacher: str = "annotations",
) -> None:
    """Learns from the examples and writes the model; ``load`` gets them once it is clear that it can be
    written.
    """
    if destination.exists() and not destination.is_dir():
        raise InputError(f"{destination}: there is a file of that name; a model is a folder")
    examples = load()
    try:
        destination.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{destination}: cannot be written: {error.strerror}") from error
    reporter.say(f"learning from {_size(examples)}")
    pages = [example.nodes for example in examples if example.nodes is not None]
    with reporter.steps(chunker.max_iterations, "rounds") as done:
        chunker.fit(pages, [example.labels for example in examples], done)
    save_model(chunker, destination, examples, teacher=teacher)
    reporter.summary(
        f"{destination}: {len(chunker.attributes_.names())} attributes, {len(chunker.model_) / 1e6:.1f} MB"
    )


def crossval(
    sources: Sequence[str],
    chunker: CrfChunker,
    *,
    folds: int,
    together: Sequence[str],
    ablate: bool,
    compare: Sequence[str],
    jobs: int,
    reporter: Reporter,
) -> dict[str, Any]:
    """Cross-validates and prints the tables; returns the results as JSON has them."""
    examples = load_examples(sources, jobs, reporter)
    splits = grouped_folds(examples, folds, together)
    contenders = dict(_contenders(chunker, ablate, compare))
    scores: dict[str, Scores] = {}
    with reporter.steps(len(contenders) * len(splits), "folds") as done:
        for name, contender in contenders.items():
            scores[name] = cross_validated(contender, examples, splits, jobs, done)
    main = f"crf {chunker.features}"
    print(f"{_size(examples)}; {len(splits)} folds, no site on both sides; decoding {chunker.decoding}\n")
    print(_tables(scores, main, ablate))
    result = scores[main].as_dict()
    result["compared"] = {
        name: own.total.as_dict()
        for name, own in scores.items()
        if name != main and not name.startswith("without ")
    }
    if ablate:
        result["ablation"] = {
            name.removeprefix("without "): own.total.as_dict()
            for name, own in scores.items()
            if name.startswith("without ")
        }
    result["settings"] = _settings(sources, examples, chunker.get_params()) | {
        "folds": len(splits),
        "together": list(together),
    }
    return result


def evaluate(
    sources: Sequence[str],
    filter_name: str,
    model: str,
    jobs: int,
    reporter: Reporter,
    fallback: str = "",
    groups: str | None = None,
) -> dict[str, Any]:
    """Scores a filter on annotated pages and prints the table; returns the results as JSON has them."""
    if model or filter_name not in COLLECTIVE:
        load_filter(
            filter_name, model, fallback
        )  # a model that cannot be used is said before any page is read
    examples = load_examples(sources, jobs, reporter)
    with prepared(filter_name, model, sources, jobs, reporter, fallback, groups) as learned:
        masks = load_filter(filter_name, learned, fallback).masks(
            [example.nodes for example in examples if example.nodes is not None]
        )
    pages = [
        (
            example.site,
            score_example(example, labels_of_mask(mask.content) if mask.labels is None else mask.labels),
        )
        for example, mask in zip(examples, masks, strict=True)
    ]
    scores = collected(pages, [len(pages)])
    print(f"{_size(examples)}; filter {filter_name}{' with ' + model if model else ''}\n")
    print(
        _table(
            {site: counts.as_dict() for site, counts in scores.by_site.items()}
            | {"all": scores.total.as_dict()},
            NAMES,
        )
    )
    return scores.as_dict() | {
        "settings": _settings(sources, examples, {"filter": filter_name, "model": model})
    }


def agree(first: str, second: str, jobs: int, reporter: Reporter) -> dict[str, Any]:
    """Compares two annotators' versions of the same pages and prints the table of section 4.1.1."""
    ours, theirs = (
        {example.id: example for example in load_examples([source], jobs, reporter)}
        for source in (first, second)
    )
    found = agreement(ours, theirs)
    by_page = found.by_page
    for name in found.different:
        reporter.page_failed(name, "the two versions have different texts: not the same page")
    if not by_page:
        raise InputError(
            f"{first} and {second} have no page in common (the same relative path, or the same id)"
        )
    for name in sorted(ours.keys() ^ theirs.keys()):
        reporter.say(f"{name}: only in {first if name in ours else second}")
    rows = {name: _agreement(counts) for name, counts in by_page.items()} | {"all": _agreement(found.total)}
    rows |= {
        f"(Nakamura 2007, {pair})": {
            "by region": published.TABLE_4_1["region"][place],
            "by text node": published.TABLE_4_1["text node"][place],
        }
        for place, pair in enumerate(("H1-H2", "H3-H4"))
    }
    print(f"{len(by_page)} pages\n\n{_table(rows, ('by region', 'by text node'))}")
    return {"agreement": rows["all"], "pages": len(by_page), "settings": {"first": first, "second": second}}


def _agreement(counts: Counts) -> dict[str, float]:
    """By region and by text node, where there is anything to agree about."""
    found = {"by region": counts.region_agreement, "by text node": counts.node_agreement}
    return {name: value for name, value in found.items() if not math.isnan(value)}


def write_json(result: Mapping[str, Any], destination: Path) -> None:
    """Writes results to a file."""
    with replacing(destination) as stream:
        stream.write(json.dumps(result, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n")


def _contenders(chunker: CrfChunker, ablate: bool, compare: Sequence[str]) -> Iterator[tuple[str, Chunker]]:
    """Everything that is to be cross-validated, by name; the chunker itself comes first."""
    settings = chunker.get_params()
    if ablate and chunker.features not in ALONE:
        raise InputError(
            f"--ablate goes with --features {' or '.join(ALONE)}: what the judges below {chunker.features} see are numbers"
        )
    yield f"crf {chunker.features}", chunker
    if ablate:
        for other in ALONE:
            if other != chunker.features:
                yield (
                    f"crf {other}",
                    CrfChunker(**settings | {"features": other, "without": (), "keywords": "selected"}),
                )
    for name in compare:
        if name == "svm":
            plain = chunker.features if chunker.features in ALONE else "full"  # an SVM has no judges below
            yield (
                f"svm {plain}",
                SvmChunker(plain, chunker.without if plain == chunker.features else (), chunker.keywords),
            )
        elif name == "self":
            yield f"self-taught {chunker.features}", SelfTaughtChunker(**settings)
        else:
            yield "all content", AllContent()
    if not ablate:
        return
    cases = ABLATION if chunker.features == "nakamura" else FAMILIES
    for case, names in cases.items():
        yield f"without {case}", CrfChunker(**settings | {"without": (*chunker.without, *names)})
    if chunker.features == "nakamura":
        yield "fixed keywords", CrfChunker(**settings | {"keywords": "fixed"})


def _tables(scores: Mapping[str, Scores], main: str, ablate: bool) -> str:
    """The tables of the paper with ours beside them."""
    ours = {name: own.total.as_dict() for name, own in scores.items()}
    paper = main == "crf nakamura"
    compared = {name: row for name, row in ours.items() if not name.startswith(("without ", "fixed "))}
    first = (
        {"Nakamura 2007 (SVM, its 781 pages)": {"L_bl": published.L_BL, **published.TABLE_4_2}}
        if paper or ablate
        else {}
    )
    parts = [_table(first | compared, SHOWN)]
    if paper and ablate:
        parts[0] = "Table 4.2: all features\n\n" + parts[0]
        rows: dict[str, Mapping[str, float]] = {}
        for case in ABLATION:
            rows[f"{case}: paper"] = published.TABLE_4_4[case]
            rows[f"{case}: ours"] = ours[f"without {case}"]
        parts.append("Table 4.4: one feature left out\n\n" + _table(rows, SHOWN[1:]))
        fixed = {"paper": published.TABLE_4_6, "ours": ours["fixed keywords"], "ours, selected": ours[main]}
        parts.append("Table 4.6: fixed keywords in place of selected ones\n\n" + _table(fixed, SHOWN[1:]))
    elif ablate:
        left_out = {name: row for name, row in ours.items() if name.startswith("without ")}
        parts.append("One family of features left out\n\n" + _table({main: ours[main]} | left_out, SHOWN[1:]))
    return "\n\n".join(parts)


def _table(rows: Mapping[str, Mapping[str, float]], columns: Sequence[str]) -> str:
    """Rows of figures as a Markdown table that also reads well on a terminal; columns without any figure are
    left out.
    """
    shown = [column for column in columns if any(column in row for row in rows.values())]
    width = max(len(name) for name in rows)
    cells = [max(5, len(column)) for column in shown]
    lines = [
        f"| {'':{width}} | "
        + " | ".join(f"{column:>{cell}}" for column, cell in zip(shown, cells, strict=True))
        + " |",
        f"| {'-' * width} | " + " | ".join("-" * (cell - 1) + ":" for cell in cells) + " |",
    ]
    for name, row in rows.items():
        figures = (f"{row[column]:.3f}" if column in row else "" for column in shown)
        lines.append(
            f"| {name:{width}} | "
            + " | ".join(f"{figure:>{cell}}" for figure, cell in zip(figures, cells, strict=True))
            + " |"
        )
    return "\n".join(lines)


def _size(examples: Sequence[Example]) -> str:
    nodes = sum(len(example.labels) for example in examples)
    return f"{len(examples)} pages of {len({example.site for example in examples})} sites, {nodes} text nodes"


def _settings(
    sources: Sequence[str], examples: Sequence[Example], parameters: Mapping[str, Any]
) -> dict[str, Any]:
    return {"sources": list(sources), "pages": len(examples), "data_sha256": digest(examples), **parameters}
