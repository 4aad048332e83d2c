"""Scores as people read them: Markdown tables on the terminal, and JSON in a file."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ruiji.chunker.annotation.examples import Example, digest
from ruiji.chunker.evaluation.cautions import counted
from ruiji.corpora.files import final_path, refuse_inputs, replacing
from ruiji.corpora.reading import source_files


def score_table(rows: Mapping[str, Mapping[str, float]], columns: Sequence[str]) -> str:
    """Rows of figures as a Markdown table that also reads well on a terminal; columns without any figure are
    left out.
    """
    shown = [column for column in columns if any(column in row for row in rows.values())]
    cells = {
        name: [f"{row[column]:.3f}" if column in row else "" for column in shown]
        for name, row in rows.items()
    }
    return _table(cells, shown, of_figures=True)


def text_table(rows: Mapping[str, Sequence[str]], columns: Sequence[str]) -> str:
    """Rows of texts as a Markdown table that also reads well on a terminal."""
    return _table(rows, columns, of_figures=False)


def _table(rows: Mapping[str, Sequence[str]], columns: Sequence[str], of_figures: bool) -> str:
    first = max(map(shown_width, rows))
    widths = [
        max(5 if of_figures else 0, *(shown_width(text) for text in column))
        for column in zip(columns, *rows.values(), strict=True)
    ]
    lines = [
        " | ".join(
            [_filled(name, first), *(_filled(*cell, of_figures) for cell in zip(row, widths, strict=True))]
        )
        for name, row in (("", columns), *rows.items())
    ]
    rules = ["-" * (width - 1) + ":" if of_figures else "-" * width for width in widths]
    lines.insert(1, " | ".join(["-" * first, *rules]))
    return "\n".join(f"| {line} |" for line in lines)


def shown_width(text: str) -> int:
    """How many columns of a terminal a text takes: kana and kanji two each."""
    return sum(2 if unicodedata.east_asian_width(letter) in "FW" else 1 for letter in text)


def _filled(text: str, width: int, right: bool = False) -> str:
    blanks = " " * (width - shown_width(text))
    return blanks + text if right else text + blanks


def size_of(examples: Sequence[Example]) -> str:
    """How many pages, sites and text nodes the examples are."""
    nodes = sum(len(example.labels) for example in examples)
    sites = len({example.site for example in examples})
    return f"{counted(len(examples), 'page')} of {counted(sites, 'site')}, {nodes} text nodes"


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


def check_folder(folder: Path | None, inputs: Sequence[str]) -> None:
    """Raises InputError where a folder for results holds one of the inputs."""
    if folder is not None:
        refuse_inputs(folder, (path for name in inputs for path in source_files(name)))


def write_results(result: Mapping[str, Any], output: str | None) -> None:
    """Writes results as JSON, where a file is named for them."""
    if output:
        with replacing(Path(output)) as stream:
            stream.write(json.dumps(result, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n")
