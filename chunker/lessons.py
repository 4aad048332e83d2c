"""Lessons that nobody wrote: the pages of a crawl with the labels that block uniqueness is sure of.

The pages are read twice: once for their blocks, which show what repeats on each site, and once more, only
those that may teach, for their text nodes. So a crawl that does not fit into memory can teach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ruiji.chunker.annotation.examples import UNKNOWN_SITE, Example, failed
from ruiji.chunker.annotation.loading import LoadedExamples
from ruiji.chunker.filters import Filter
from ruiji.chunker.fitting import fit_extractor
from ruiji.chunker.masking import FailedPage, MaskedPage, masked_pages
from ruiji.chunker.self_taught import NoLessons, candidates, lesson, teaches
from ruiji.chunker.unique.folder import load_extractor, save_extractor
from ruiji.corpora.page import InputError, Page
from ruiji.corpora.pool.workers import map_pages
from ruiji.corpora.progress import SILENT, Progress
from ruiji.corpora.sources import PageSource

NOT_SURE = "not sure enough to teach"


@dataclass(frozen=True, slots=True)
class TeachingPages:
    """The function that is mapped over pages: the example that each makes by the labels of a saved
    extractor; an error where it makes none.
    """

    extractor: str

    def __call__(self, pages: Sequence[Page]) -> list[Example]:
        extractor = load_extractor(self.extractor)
        results = masked_pages(pages, Filter(extractor.predict_masks, named=True))
        return [
            failed(result.page, result.error) if isinstance(result, FailedPage) else _example(result)
            for result in results
        ]


def _example(masked: MaskedPage) -> Example:
    page, nodes, mask = masked.page, masked.nodes, masked.mask
    if not teaches(nodes, mask):
        return failed(page, NOT_SURE)
    return Example(page.id, nodes.host or UNKNOWN_SITE, nodes, lesson(mask), masked.text, True)


def find_lessons(
    pages: PageSource, per_site: int | None, jobs: int = 1, progress: Progress = SILENT
) -> LoadedExamples:
    """The pages that teach, with the labels that block uniqueness gives them; about ``per_site`` of a site.

    Raises InputError where no page teaches.
    """
    fitted = fit_extractor(pages, jobs, progress)
    chosen = {fitted.places[number] for number in candidates(fitted.extractor, per_site)}
    examples = []
    failures = 0
    with TemporaryDirectory(prefix="ruiji-") as folder:
        save_extractor(fitted.extractor, Path(folder))
        size = len(fitted.places)
        del fitted
        teaching = (page for place, page in enumerate(pages) if place in chosen)
        for example in progress.watch(map_pages(TeachingPages(folder), teaching, failed=failed, jobs=jobs)):
            if not example.error:
                examples.append(example)
            elif example.error != NOT_SURE:
                failures += 1
                progress.page_failed(example.id, example.error)
    if not examples:
        raise InputError(str(NoLessons(size)))
    progress.say(f"{len(examples)} of {size} pages teach: what repeats on their sites, and what does not")
    return LoadedExamples(examples, failures)
