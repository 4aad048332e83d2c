"""Pages that are compared with each other: pairs, a corpus without repetitions, records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruiji.chunker.filters import DEFAULT_FILTER
from ruiji.chunker.fitting import check_masks
from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.errors import check_choice
from ruiji.document import least_for
from ruiji.front_door.arguments import folder_for, given, jobs_or_cores, source_for
from ruiji.front_door.checks import checked

if TYPE_CHECKING:  # what only some calls need is imported when they are called
    from ruiji.results import CleanCorpus, Detection, RecordBook


@checked
def detect(
    pages: Any,
    out: str | Path | None = None,
    *,
    filter: str = DEFAULT_FILTER,
    model: str | Path = "",
    alone: bool = False,
    min_length: int | None = None,
    max_pages: int | None = None,
    match: str | None = None,
    keep_templates: bool = False,
    urls: str | None = None,
    min_bits: int | None = None,
    identical: float | None = None,
    contained: float | None = None,
    kept: float | None = None,
    language: str | None = None,
    against: str | Path | Sequence[str | Path] = (),
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
    from ruiji.detector.detection import ENGINES, DetectSettings, detect_pairs
    from ruiji.detector.gather.occurrences import MATCHES, Usable
    from ruiji.detector.pairs.relations import URLS
    from ruiji.detector.pairs.run import FILES
    from ruiji.detector.sentences.language import known_language
    from ruiji.report.pairs import write_report
    from ruiji.results import Detection, read_table

    for name, value, choices in (
        ("match", match, MATCHES),
        ("urls", urls, URLS),
        ("engine", engine, ENGINES),
    ):
        check_choice(name, value, choices)
    settings = DetectSettings(
        masks=MaskSettings(filter, str(model), alone=alone),
        usable=Usable(**given(min_length=min_length, max_pages=max_pages, match=match)),
        keep_templates=keep_templates,
        against=tuple(map(str, [against] if isinstance(against, (str, Path)) else against)),
        engine=engine,
        jobs=jobs_or_cores(jobs),
        **given(
            urls=urls,
            min_bits=min_bits,
            identical_above=identical,
            included_above=contained,
            kept_share=kept,
            language=known_language(language or ""),
            master=master,
            memory=memory,
        ),
    )
    check_masks(settings.masks)
    source = source_for(settings.masks, pages)
    with folder_for(out) as folder:
        finished = detect_pairs(source, folder, settings)
        files = {name: finished.file(name) for name in FILES}
        if out is not None:
            write_report(folder, folder / "report.html")
            return Detection(files, finished.description["counts"], folder)
        tables = {name: read_table(path) for name, path in files.items()}
        return Detection(tables, finished.description["counts"])


@checked
def clean(
    pages: Any,
    out: str | Path | None = None,
    *,
    keep: str | None = None,
    level: str | None = None,
    quotations: str | None = None,
    precision: float | None = None,
    filter: str = DEFAULT_FILTER,
    model: str | Path = "",
    alone: bool = False,
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
    ``datasets.Dataset``. ``alone`` judges each page by itself, whatever other pages there are of its site.

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
        masks=MaskSettings(filter, str(model), alone=alone),
        rules=clean_rules(**given(keep=keep, level=level, quotations=quotations, precision=precision)),
        engine=engine,
        jobs=jobs_or_cores(jobs),
        **given(master=master, memory=memory),
    )
    check_masks(settings.masks)
    least_for(settings.masks, precision)
    source = source_for(settings.masks, pages)
    with folder_for(out) as folder:
        finished = clean_corpus(source, folder, settings, GatherDocuments)
        files = {name: finished.file(name) for name in FILES}
        if out is not None:
            write_clean_report(folder, folder / "report.html")
            return CleanCorpus(files, finished.description["counts"], folder)
        tables = {name: read_table(path) for name, path in files.items()}
        return CleanCorpus(tables, finished.description["counts"])


@checked
def records(
    pages: Any,
    out: str | Path | None = None,
    *,
    filter: str = DEFAULT_FILTER,
    model: str | Path = "",
    alone: bool = False,
    schema: str | Path = "",
    since: str | Path = "",
    method: str = "default",
    min_confidence: float = 0.0,
    crawled: str = "",
    jobs: int | None = None,
) -> RecordBook:
    """The records of the pages (staff, offices, products …), which of them correspond, and what they
    contradict each other in.

    ``alone`` judges each page by itself, whatever other pages there are of its site. ``out`` is a folder for
    the results, with their report, as ``ruiji records`` writes it. ``schema`` is a
    file with further field names. ``since`` is the folder of an earlier run. ``method="paper"`` compares as
    published; contradictions below ``min_confidence`` are left out. ``crawled`` is the day on which pages
    were fetched that do not say it themselves.

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

    masks = MaskSettings(filter, str(model), alone=alone)
    settings = RecordSettings(
        masks, str(schema), str(since), method, min_confidence, jobs=jobs_or_cores(jobs), crawled=crawled
    )
    check_masks(masks)
    source = source_for(masks, pages)
    with folder_for(out) as folder:
        counts = compare_records(source, folder, settings).counts
        names = {"records": RECORDS, "correspondences": CORRESPONDENCES, "conflicts": CONFLICTS}
        files = {name: folder / file for name, file in names.items()}
        if out is not None:
            write_records_report(folder, folder / "report.html")
            return RecordBook(files, counts, folder)
        return RecordBook({name: read_table(path) for name, path in files.items()}, counts)
