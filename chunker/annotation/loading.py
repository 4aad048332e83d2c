"""The annotated pages of a collection, all of them: what train, crossval, evaluate and agree start from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ruiji.chunker.annotation.examples import Example, examples_of, failed
from ruiji.corpora.page import InputError
from ruiji.corpora.pool.workers import map_pages
from ruiji.corpora.progress import SILENT, Progress
from ruiji.corpora.sources import PageSource


@dataclass(frozen=True, slots=True, eq=False)
class LoadedExamples:
    """Examples to learn from or to be scored by, and how many pages could not be used."""

    examples: Sequence[Example]
    failed: int


def load_examples(pages: PageSource, jobs: int = 1, progress: Progress = SILENT) -> LoadedExamples:
    """The examples that the pages make; pages that cannot be used are reported. Raises InputError where none
    is annotated.
    """
    examples = []
    failures = 0
    for example in progress.watch(map_pages(examples_of, pages, failed=failed, jobs=jobs)):
        if example.error:
            failures += 1
            progress.page_failed(example.id, example.error)
        else:
            examples.append(example)
    unmarked = sum(not example.marked for example in examples)
    if unmarked == len(examples):
        raise InputError(
            f"{', '.join(pages.names)}: no annotated page; put <!-- (((BEGIN NOT CONTENT --> and "
            "<!-- )))END NOT CONTENT --> around what is not content, or give main_content in JSONL"
        )
    if unmarked:
        progress.say(
            f"{unmarked} of {len(examples)} pages have no annotation and count as content throughout"
        )
    return LoadedExamples(examples, failures)
