"""``ruiji train --self``: a model from pages that nobody has annotated.

The pages are read twice: once for their blocks, which say what repeats on each site, and once more, only
those that teach, for their text nodes. So a crawl that does not fit into memory can teach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ruiji.chunker.annotation.examples import UNKNOWN_SITE, Example, failed
from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.self_taught import NoLessons, candidates, lesson, teaches
from ruiji.chunker.unique.folder import load_extractor, save_extractor
from ruiji.commands.validating import write_model
from ruiji.corpora import InputError, map_pages, read_pages
from ruiji.corpora.page import Page
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of
from ruiji.fitted_filter import learned
from ruiji.progress import Reporter

UNSURE = "not sure enough to teach"


@dataclass(frozen=True, slots=True)
class Lessons:
    """The function that is mapped over pages: the example that each makes by what a saved extractor says; an
    error where it makes none.
    """

    extractor: str

    def __call__(self, pages: Sequence[Page]) -> list[Example]:
        extractor = load_extractor(self.extractor)
        found = text_nodes_of(pages)
        masks = iter(extractor.predict_masks([nodes for nodes in found if not isinstance(nodes, PageFailed)]))
        rows = []
        for page, nodes in zip(pages, found, strict=True):
            if isinstance(nodes, PageFailed):
                rows.append(failed(page, str(nodes)))
                continue
            mask = next(masks)
            if teaches(nodes, mask):
                text = nodes.shown_text(mask.content)
                rows.append(Example(page.id, nodes.host or UNKNOWN_SITE, nodes, lesson(mask), text, True))
            else:
                rows.append(failed(page, UNSURE))
        return rows


def lessons(sources: Sequence[str], per_site: int | None, jobs: int, reporter: Reporter) -> list[Example]:
    """The pages that teach, with the labels that block uniqueness gives them. Raises InputError where there
    are none.
    """
    extractor, places = learned(sources, jobs, reporter)
    chosen = {places[number] for number in candidates(extractor, per_site)}
    found = []
    with TemporaryDirectory(prefix="ruiji-") as folder:
        save_extractor(extractor, Path(folder))
        del extractor
        pages = (page for place, page in enumerate(read_pages(list(sources))) if place in chosen)
        for example in reporter.watch(map_pages(Lessons(folder), pages, failed=failed, jobs=jobs)):
            if not example.error:
                found.append(example)
            elif example.error != UNSURE:
                reporter.page_failed(example.id, example.error)
    if not found:
        raise InputError(str(NoLessons(len(places))))
    reporter.say(f"{len(found)} of {len(places)} pages teach: what repeats on their sites, and what does not")
    return found


def train(
    sources: Sequence[str], destination: Path, chunker: CrfChunker, jobs: int, reporter: Reporter
) -> None:
    """Learns from pages without annotation and writes the model."""
    write_model(
        lambda: lessons(sources, chunker.per_site, jobs, reporter),
        destination,
        chunker,
        reporter,
        teacher="unique",
    )
