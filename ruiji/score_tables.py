"""Scores as people read them: Markdown tables on the terminal, and JSON in a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ruiji.chunker.annotation.examples import Example, digest
from ruiji.chunker.evaluation.keywords import Keyword
from ruiji.chunker.evaluation.nakamura_2007 import TABLE_4_7
from ruiji.corpora.files import final_path, refuse_inputs, replacing
from ruiji.corpora.reading import source_files


def score_table(rows: Mapping[str, Mapping[str, float]], columns: Sequence[str]) -> str:
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


def text_table(rows: Mapping[str, Sequence[str]], columns: Sequence[str]) -> str:
    """Rows of texts as a Markdown table that also reads well on a terminal."""
    width = max(len(name) for name in rows)
    cells = [
        max(len(column), *(len(row[place]) for row in rows.values())) for place, column in enumerate(columns)
    ]
    lines = [("", columns), *rows.items()]
    drawn = [
        f"| {name:{width}} | "
        + " | ".join(f"{text:{cell}}" for text, cell in zip(row, cells, strict=True))
        + " |"
        for name, row in lines
    ]
    drawn.insert(1, f"| {'-' * width} | " + " | ".join("-" * cell for cell in cells) + " |")
    return "\n".join(drawn)


def keyword_table(keywords: Sequence[Keyword]) -> str:
    """Table 4.7: the keywords that these pages give, and which of them the paper's pages gave."""
    rows = {
        keyword.word: (
            str(keyword.occurrences),
            str(keyword.domains),
            f"{keyword.non_content:.2f}",
            "yes" if keyword.published else "",
        )
        for keyword in keywords
    }
    both = sum(keyword.published for keyword in keywords)
    head = (
        f"Table 4.7: keywords selected from all pages: {len(keywords)}, {both} of them among the "
        f"{len(TABLE_4_7)} of the paper"
    )
    return (
        f"{head}\n\n{text_table(rows, ('occurrences', 'domains', 'P_nc', 'in the paper'))}" if rows else head
    )


def size_of(examples: Sequence[Example]) -> str:
    """How many pages, sites and text nodes the examples are."""
    nodes = sum(len(example.labels) for example in examples)
    return f"{len(examples)} pages of {len({example.site for example in examples})} sites, {nodes} text nodes"


def described_settings(
    sources: Sequence[str], examples: Sequence[Example], parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """What results say of how they came to be."""
    return {"sources": list(sources), "pages": len(examples), "data_sha256": digest(examples), **parameters}


def check_destination(output: str | None, inputs: Sequence[str] = ()) -> None:
    """Raises OSError where results could not be written, InputError where they would replace one of the
    inputs; better said before the work than after it.
    """
    if output:
        refuse_inputs(Path(output), (path for name in inputs for path in source_files(name)))
        final_path(Path(output)).parent.mkdir(parents=True, exist_ok=True)


def write_results(result: Mapping[str, Any], output: str | None) -> None:
    """Writes results as JSON, where a file is named for them."""
    if output:
        with replacing(Path(output)) as stream:
            stream.write(json.dumps(result, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n")
