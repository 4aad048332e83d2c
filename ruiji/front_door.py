"""What ``import ruiji`` offers: each system as one call on the pages that a program has.

Pages are HTML as text or bytes, paths of whatever ``ruiji extract`` reads, Pages, dicts with ``url`` and
``html``, a pandas DataFrame or an Arrow table with these columns.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ruiji.chunker.filters import DEFAULT_FILTER
from ruiji.chunker.fitting import check_masks, fitted_masks, learns_from_pages
from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.errors import SettingError
from ruiji.corpora.page import Page
from ruiji.corpora.sources import PageSource, page_source, repeatable_source, single_page
from ruiji.corpora.workers import map_pages
from ruiji.document import (
    Document,
    DocumentSettings,
    DocumentsOfPages,
    document_settings,
    is_unsure,
    least_for,
    without_text,
)
from ruiji.features.page.parser_input import PageFailed

if TYPE_CHECKING:  # what only some calls need is imported when they are called
    from ruiji.chunker.crf.estimator import CrfChunker
    from ruiji.detector.copies.index import CopyIndex
    from ruiji.results import CleanCorpus, Detection, RecordBook

JOBS = 2  # worker processes of extract_many


def extract(
    html: Any,
    url: str = "",
    *,
    filter: str = DEFAULT_FILTER,
    model: str = "",
    links: bool = True,
    images: bool = True,
    tables: bool = True,
    ruby: str = "drop",
    comments: str = "keep",
) -> Document:
    """The content of one page: HTML as text or bytes, a path, a dict with ``url`` and ``html``, or a Page.

    ``url`` is where the page is from. ``filter`` says what counts as content: ``crf``, a learned model, which
    ``model`` may name; ``blocks``, rules; ``none``, all of it. ``links``, ``images`` and ``tables`` can be
    left out of the Markdown; ``ruby="keep"`` writes readings there (漢字《かんじ》); ``comments="drop"``
    leaves out comments of readers. Raises PageFailed for what is no HTML page.

    >>> import ruiji
    >>> page = "<ul><li><a href=/>Home</a></ul><p>The ferry to Uzushio leaves at seven every morning.</p>"
    >>> document = ruiji.extract(page, url="http://ferry.example/", filter="blocks")
    >>> document.text
    'The ferry to Uzushio leaves at seven every morning.'
    >>> ruiji.extract(page, filter="none").text.splitlines()[0]
    'Home'
    """
    masks = MaskSettings(filter, model)
    if learns_from_pages(masks):
        raise SettingError(
            "‹filter=unique› compares pages of a site: pass them to extract_many, or name a ‹model›"
        )
    settings = document_settings(links, images, tables, ruby, comments)
    (document,) = DocumentsOfPages(masks, settings)([single_page(html, url)])
    if document.error:
        raise PageFailed(document.error)
    return document


def extract_many(
    pages: Any,
    jobs: int = JOBS,
    *,
    filter: str = DEFAULT_FILTER,
    model: str = "",
    fallback: str = "",
    links: bool = True,
    images: bool = True,
    tables: bool = True,
    ruby: str = "drop",
    comments: str = "keep",
    precision: float | None = None,
) -> Iterator[Document]:
    """The content of each page, in order and as it comes; a page that fails has an ``error`` and no text.

    ``jobs`` is the number of worker processes; 0 works in this one. ``filter="unique"`` keeps what other
    pages of the same site do not have, and reads the pages twice; ``fallback`` decides on pages that are
    alone on their site. ``precision`` leaves documents without text of which it cannot be promised.

    >>> import ruiji
    >>> pages = [{"url": f"http://a.example/{name}", "html": f"<p>{name}</p>"} for name in ("one", "two")]
    >>> [document.text for document in ruiji.extract_many(pages, jobs=0, filter="none")]
    ['one', 'two']
    """
    masks = MaskSettings(filter, model, fallback)
    check_masks(masks)
    source = _source_for(masks, pages)
    settings = document_settings(links, images, tables, ruby, comments)
    return _documents(source, masks, settings, jobs, least_for(masks, precision))


def _documents(
    pages: PageSource, masks: MaskSettings, settings: DocumentSettings, jobs: int, least: float | None
) -> Iterator[Document]:
    with fitted_masks(masks, pages, jobs) as fitted:
        function = DocumentsOfPages(fitted, settings)
        for document in map_pages(function, pages, failed=function.failed, jobs=jobs):
            yield without_text(document) if is_unsure(document.expected_f1, least) else document


def detect(
    pages: Any,
    out: str | Path | None = None,
    *,
    filter: str = DEFAULT_FILTER,
    model: str = "",
    min_length: int | None = None,
    max_pages: int | None = None,
    match: str | None = None,
    keep_templates: bool = False,
    against: Sequence[str | Path] = (),
    engine: str = "duckdb",
    master: str | None = None,
    memory: str | None = None,
    jobs: int | None = None,
) -> Detection:
    """Every pair of pages that share long, rare content sentences, and what kind of pair it is.

    ``out`` is a folder for the run, with its report, as ``ruiji detect`` writes it: it can be reviewed, and
    later pages can be compared with it (``against``). Without it, the tables are held in memory. ``jobs`` is
    the number of processes, all cores by default; 0 works in this one. The other settings are those of
    ``ruiji detect --help``, with its defaults.

    >>> import ruiji
    >>> story = "<p>港のそばに住んでいると、海の様子で季節の移り変わりがわかるようになる。</p>"
    >>> pages = [{"url": f"http://{name}.example/", "html": story} for name in ("a", "b")]
    >>> run = ruiji.detect(pages, filter="none", jobs=0)
    >>> run.pairs.select(["url_a", "url_b", "relation"]).to_pylist()
    [{'url_a': 'http://a.example/', 'url_b': 'http://b.example/', 'relation': 'identical'}]
    """
    from ruiji.detector.detection import DetectSettings, detect_pairs
    from ruiji.detector.gather.occurrences import Usable
    from ruiji.detector.pairs.run import FILES
    from ruiji.report.pairs import write_report
    from ruiji.results import Detection, read_table

    settings = DetectSettings(
        masks=MaskSettings(filter, model),
        usable=Usable(**_given(min_length=min_length, max_pages=max_pages, match=match)),
        keep_templates=keep_templates,
        against=tuple(str(folder) for folder in against),
        engine=engine,
        jobs=_jobs(jobs),
        **_given(master=master, memory=memory),
    )
    check_masks(settings.masks)
    source = _source_for(settings.masks, pages)
    with _folder_for(out) as folder:
        finished = detect_pairs(source, folder, settings)
        files = {name: finished.file(name) for name in FILES}
        if out is not None:
            write_report(folder, folder / "report.html")
            return Detection(files, finished.description["counts"], folder)
        tables = {name: read_table(path) for name, path in files.items()}
        return Detection(tables, finished.description["counts"])


def clean(
    pages: Any,
    out: str | Path | None = None,
    *,
    keep: str | None = None,
    level: str | None = None,
    quotations: str | None = None,
    precision: float | None = None,
    filter: str = DEFAULT_FILTER,
    model: str = "",
    engine: str = "duckdb",
    master: str | None = None,
    memory: str | None = None,
    jobs: int | None = None,
) -> CleanCorpus:
    """A corpus without its repetitions: what several pages have is kept once, at sentence borders.

    ``out`` is a folder for it, with its report, as ``ruiji clean`` writes it; without it, the tables are held
    in memory. ``keep`` says which page keeps what several have: ``original``, ``oldest``, ``longest`` or
    ``first``. ``level`` is ``page``, ``passage`` or ``mark``, which removes nothing. ``precision`` leaves out
    pages of whose extraction it cannot be promised. Pages may also be rows with ``text``, such as those of a
    ``datasets.Dataset``.

    >>> import ruiji
    >>> story = "港のそばに住んでいると、海の様子で季節の移り変わりがわかるようになる。"
    >>> more = "春になると小さな船が増え、朝早くから網を積む音が聞こえてくる。"
    >>> pages = [{"url": f"http://{name}.example/", "text": story + more + name} for name in ("a", "b")]
    >>> result = ruiji.clean(pages, keep="first", jobs=0)
    >>> result.corpus["text"].to_pylist()[1]
    'b'
    >>> result.removed.select(["url", "start", "end", "kept_url"]).to_pylist()
    [{'url': 'http://b.example/', 'start': 0, 'end': 66, 'kept_url': 'http://a.example/'}]
    """
    from ruiji.corpus_documents import GatherDocuments
    from ruiji.detector.clean.pipeline import clean_rules
    from ruiji.detector.cleaning import FILES, CleanSettings, clean_corpus
    from ruiji.report.clean import write_clean_report
    from ruiji.results import CleanCorpus, read_table

    settings = CleanSettings(
        masks=MaskSettings(filter, model),
        rules=clean_rules(**_given(keep=keep, level=level, quotations=quotations, precision=precision)),
        engine=engine,
        jobs=_jobs(jobs),
        **_given(master=master, memory=memory),
    )
    check_masks(settings.masks)
    least_for(settings.masks, precision)
    source = _source_for(settings.masks, pages)
    with _folder_for(out) as folder:
        finished = clean_corpus(source, folder, settings, GatherDocuments)
        files = {name: finished.file(name) for name in FILES}
        if out is not None:
            write_clean_report(folder, folder / "report.html")
            return CleanCorpus(files, finished.description["counts"], folder)
        tables = {name: read_table(path) for name, path in files.items()}
        return CleanCorpus(tables, finished.description["counts"])


def records(
    pages: Any,
    out: str | Path | None = None,
    *,
    filter: str = DEFAULT_FILTER,
    model: str = "",
    schema: str | Path = "",
    since: str | Path = "",
    jobs: int | None = None,
) -> RecordBook:
    """The records of the pages (staff, offices, products …), which of them correspond, and what they
    contradict each other in.

    ``out`` is a folder for the results, with their report, as ``ruiji records`` writes it. ``schema`` is a
    file with further field names. ``since`` is the folder of an earlier run.

    >>> import ruiji
    >>> row = "<table><tr><th>氏名<th>内線<th>メール<tr><td>大庭 律<td>{}<td>oba@a.example</table>"
    >>> pages = [
    ...     {"url": f"http://{name}.a.example/", "html": row.format(number)}
    ...     for name, number in (("cs", 3454), ("www", 3445))
    ... ]
    >>> book = ruiji.records(pages, filter="none", jobs=0)
    >>> book.conflicts.select(["field", "value_a", "value_b"]).to_pylist()
    [{'field': '内線', 'value_a': '3454', 'value_b': '3445'}]
    """
    from ruiji.detector.records.folder import CONFLICTS, CORRESPONDENCES, RECORDS
    from ruiji.detector.records.pipeline import RecordSettings, compare_records
    from ruiji.report.records import write_records_report
    from ruiji.results import RecordBook, read_table

    masks = MaskSettings(filter, model)
    settings = RecordSettings(masks, str(schema), str(since), jobs=_jobs(jobs))
    check_masks(masks)
    source = _source_for(masks, pages)
    with _folder_for(out) as folder:
        counts = compare_records(source, folder, settings).counts
        names = {"records": RECORDS, "correspondences": CORRESPONDENCES, "conflicts": CONFLICTS}
        files = {name: folder / file for name, file in names.items()}
        if out is not None:
            write_records_report(folder, folder / "report.html")
            return RecordBook(files, counts, folder)
        return RecordBook({name: read_table(path) for name, path in files.items()}, counts)


def build_index(
    pages: Any,
    folder: str | Path,
    *,
    filter: str = DEFAULT_FILTER,
    model: str = "",
    jobs: int | None = None,
) -> CopyIndex:
    """An index of the pages in a folder, to find what others copied from them; it replaces one that is there.

    >>> import ruiji, tempfile
    >>> story = "港のそばに住んでいると、海の様子で季節の移り変わりがわかるようになる。"
    >>> page = {"url": "http://a.example/", "html": f"<p>{story}</p>"}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     index = ruiji.build_index([page], folder + "/idx", filter="none", jobs=0)
    ...     index.contents.documents
    1
    """
    from ruiji.detector.copies.pages import write_index

    masks = MaskSettings(filter, model)
    check_masks(masks)
    source = _source_for(masks, pages)
    write_index(source, Path(folder), masks, anew=True, jobs=_jobs(jobs))
    return open_index(folder)


def open_index(folder: str | Path) -> CopyIndex:
    """The index in a folder that ``build_index`` or ``ruiji index build`` made; ``match`` asks it.

    Raises IndexRefused where there is none.

    >>> import ruiji
    >>> ruiji.open_index("nowhere")
    Traceback (most recent call last):
    ...
    ruiji.detector.copies.texts.IndexRefused: nowhere: there is no index; build one there first
    """
    from ruiji.detector.copies.index import open_index as open_folder

    return open_folder(Path(folder))


def read_pages(pages: Any) -> Iterator[Page]:
    """The pages of files, folders and archives, or of what else a program has, one after the other.

    >>> import ruiji
    >>> from ruiji.corpora import MINIWEB
    >>> next(ruiji.read_pages([MINIWEB / "fjordnotes.org"])).id
    'fn-2019/fn-eelgrass-at-the-back-door.html'
    """
    return iter(page_source(pages))


def load_model(name: str | Path = "default") -> CrfChunker:
    """A trained chunker: a shipped model by its name, or the folder that ``ruiji train`` wrote.

    Raises ModelError where there is none.

    >>> import ruiji
    >>> ruiji.load_model("nakamura").features
    'nakamura'
    """
    from ruiji.chunker.crf.folder import load_model as load_folder

    return load_folder(str(name))


def _source_for(masks: MaskSettings, pages: Any) -> PageSource:
    """The pages, so that they can be read twice where the filter wants to."""
    source = page_source(pages)
    return repeatable_source(source) if learns_from_pages(masks) else source


def _given(**settings: Any) -> dict[str, Any]:
    """The settings that the caller has made; the others have the defaults of the command line."""
    return {name: value for name, value in settings.items() if value is not None}


def _jobs(jobs: int | None) -> int:
    return (os.cpu_count() or 1) if jobs is None else jobs


@contextmanager
def _folder_for(out: str | Path | None) -> Iterator[Path]:
    """The folder for results: as asked for, or one that is gone afterwards."""
    if out is not None:
        yield Path(out)
        return
    with TemporaryDirectory(prefix="ruiji-") as folder:
        yield Path(folder)
