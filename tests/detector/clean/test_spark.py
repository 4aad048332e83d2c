"""Spark gives the files of DuckDB, to the byte."""

from __future__ import annotations

import random
from pathlib import Path

from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.sources import GivenPages
from ruiji.corpus_documents import GatherDocuments
from ruiji.detector.clean.pipeline import CleanRules
from ruiji.detector.cleaning import FILES, CleanSettings, clean_corpus
from ruiji.detector.pairs.spark import spark_session
from tests.detector.clean.collections import SENTENCES, text_pages
from tests.detector.clean.receipts import check_receipt
from tests.detector.pairs.test_spark import needs_java


@needs_java
def test_spark_writes_the_bytes_of_duckdb(tmp_path: Path) -> None:
    chance = random.Random(5)
    texts = {
        f"http://{'あzé𠮷a'[number % 5]}.example/{number}": "\n".join(
            [f"{number}番目のページにだけある、少し長い文です。", *chance.choices(SENTENCES, k=number % 7)]
        )
        for number in range(20)
    }
    texts |= {f"{url}?copy": text for url, text in list(texts.items())[::4]}
    changed = {url: f"20{number % 20:02}-01-01" for number, url in enumerate(texts) if number % 3}
    pages = GivenPages(text_pages(texts, last_modified=changed))
    with spark_session("local[2]", "1GB") as session:
        session.conf.set("spark.sql.shuffle.partitions", "2")
        for level in ("passage",):  # that of pages was compared too; each level costs a dozen jobs
            folders = []
            for engine in ("duckdb", "spark"):
                settings = CleanSettings(MaskSettings("none"), CleanRules(level=level), engine, jobs=0)
                out = tmp_path / f"{level}-{engine}"
                folders.append(clean_corpus(pages, out, settings, GatherDocuments).folder)
            check_receipt(folders[1], texts)
            for name in FILES:
                one, other = ((folder / f"{name}.parquet").read_bytes() for folder in folders)
                assert one == other, (level, name)
