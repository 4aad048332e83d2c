"""``ruiji annotate`` and ``ruiji review`` as the command line calls them."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from pathlib import Path

from ruiji.corpora import InputError, read_pages
from ruiji.fitted_filter import prepared
from ruiji.progress import Reporter


def annotate(options: argparse.Namespace, reporter: Reporter) -> None:
    """Serves the pages of a folder for annotation."""
    try:
        from ruiji.web.annotate.views import annotate_folder
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    folder = Path(options.folder)
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder; annotate takes a folder of HTML files")
    with prepared(options.filter, options.model, [str(folder)], options.jobs, reporter) as model:
        out = Path(options.output) if options.output else None
        annotate_folder(folder, out, options.annotator, options.filter, model, options.port, reporter)


def review(options: argparse.Namespace, reporter: Reporter) -> None:
    """Serves results for review."""
    try:
        from ruiji.web.review.views import review_results
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    if not options.pages:
        review_results(Path(options.out), options.port, reporter)
        return
    with prepared(options.filter, options.model, options.pages, options.jobs, reporter) as model:
        read_pages(options.pages)

        def texts_of(addresses: Collection[str]) -> dict[str, str]:
            from ruiji.commands.index import shown_texts

            pages = [page for page in reporter.watch(read_pages(options.pages)) if page.url in addresses]
            return {
                one.page.url: one.text for one in shown_texts(pages, options.filter, model) if not one.error
            }

        review_results(Path(options.out), options.port, reporter, texts_of)


def _missing(error: ModuleNotFoundError) -> InputError:
    return InputError(f"{error.name} is not installed; the web application needs: pip install 'ruiji[web]'")
