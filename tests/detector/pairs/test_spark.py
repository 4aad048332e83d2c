"""Spark gives the rows of DuckDB, to the byte. One session for all tests: its start takes longest."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ruiji.__main__ import main
from ruiji.detector.gather.occurrences import Usable
from ruiji.detector.pairs.join import Join
from ruiji.detector.pairs.spark import OLDEST_JAVA, SparkEngine, java_version, spark_session
from tests.detector.pairs.collections import brute_force, collection
from tests.detector.pairs.test_join import duck

needs_java = pytest.mark.skipif(
    java_version() < OLDEST_JAVA, reason=f"there is no Java {OLDEST_JAVA} or newer for Spark"
)


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    with spark_session("local[2]", "1GB") as session:
        session.conf.set("spark.sql.shuffle.partitions", "2")
        yield session


def random_web(pages: int) -> dict[str, list[str]]:
    """Pages that share sentences, some at several addresses, some at many; addresses beyond ASCII."""
    random = np.random.default_rng(3)
    web: dict[str, list[str]] = {}
    for number in range(pages):
        site = "あzé𠮷aZ"[number % 6]
        content = [
            f"文{sentence}" * (sentence % 5 + 1)
            for sentence in random.integers(0, 60, random.integers(0, 9)).tolist()
        ]
        web[f"http://{site}.example/{number}"] = (
            content if number % 4 else [f"同じ文{number % 16}", "もう一つ"]
        )
    return web


@needs_java
def test_the_join_gives_the_same_rows_in_the_same_order(session: Any, tmp_path: Path) -> None:
    web = random_web(120)
    urls = list(web)
    links = sorted({(urls[n * 7 % 120], urls[n * 11 % 120]) for n in range(60)})
    tables = collection(tmp_path, web, links=links, old=20, key=lambda text: len(text) % 3)
    join = Join(Usable(max_pages=6), tables.first_old, star_above=4)
    engines = {"spark": SparkEngine(session, tables.tables, tmp_path / "spark")}
    with duck(tables, tmp_path) as embedded:
        engines["duckdb"] = embedded  # type: ignore[assignment]
        found = {}
        for name, engine in engines.items():
            join.run(engine)
            found[name] = [pa.Table.from_batches(rows(engine)) for rows in (join.pairs, join.collapsed)]
    assert found["spark"][0].to_pylist() == found["duckdb"][0].to_pylist()
    assert found["spark"][1].to_pylist() == found["duckdb"][1].to_pylist()
    shared = {
        (row["url_a"], row["url_b"]): (row["shared_sentences"], row["shared_chars"])
        for row in found["spark"][0].to_pylist()
        if row["fresh"]
    }
    assert shared == brute_force(web, 6, 4, 20)
    assert len(shared) > 100


@needs_java
def test_a_run_on_spark_leaves_the_same_bytes_and_a_row_for_each_broken_page(
    session: Any, tmp_path: Path
) -> None:
    source = tmp_path / "p.jsonl"
    with source.open("w") as stream:
        for number in range(300):
            text = f"{number // 2}番の文はこの二ページにだけあって二十文字より長いのです。"
            html = f"<p>{text}</p><p>{number}</p>" if number % 50 != 7 else None
            stream.write(json.dumps({"url": f"http://h{number}.example/", "html": html}) + "\n")
    outs = {engine: tmp_path / engine for engine in ("duckdb", "spark")}
    for engine, out in outs.items():
        assert (
            main(["detect", str(source), "-o", str(out), "--filter", "blocks", "--engine", engine, "-q"]) == 1
        )
    for name in ("pages", "sentences", "links", "pairs", "groups"):
        assert (outs["spark"] / f"{name}.parquet").read_bytes() == (
            outs["duckdb"] / f"{name}.parquet"
        ).read_bytes(), name
    run = json.loads((outs["spark"] / "run.json").read_text())
    assert run["counts"] == json.loads((outs["duckdb"] / "run.json").read_text())["counts"]
    assert (run["counts"]["pairs"], run["counts"]["failed"]) == (144, 6)


@needs_java
def test_a_run_on_spark_that_was_killed_leaves_nothing_half_written_and_is_taken_up(
    session: Any, tmp_path: Path
) -> None:
    source = tmp_path / "p.jsonl"
    with source.open("w") as stream:
        for number in range(900):
            texts = "".join(
                f"<p>{number // 2}番の組の{line}行目はこの二ページにだけある長い文です。</p>"
                for line in range(20)
            )
            stream.write(
                json.dumps({"url": f"http://h{number}.example/", "html": f"{texts}<p>{number}</p>"}) + "\n"
            )
    whole, out = tmp_path / "duckdb", tmp_path / "spark"
    assert main(["detect", str(source), "-o", str(whole), "--filter", "none", "-q"]) == 0
    arguments = ["detect", str(source), "-o", str(out), "--filter", "none", "--engine", "spark"]
    command = [sys.executable, "-m", "ruiji", *arguments, "--master", "local[1]", "-q"]
    process = subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    parts = out / ".work" / "parts"
    while not list(parts.glob("*.pages.parquet")) and process.poll() is None:
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not (out / "run.json").exists()
    assert not list(out.glob("*.parquet"))
    done = {path: pq.read_table(path).num_rows for path in parts.glob("*.pages.parquet")}  # each can be read
    assert done

    assert main([*arguments, "-q"]) == 0
    for name in ("pages", "sentences", "links", "pairs", "groups"):
        assert (out / f"{name}.parquet").read_bytes() == (whole / f"{name}.parquet").read_bytes(), name
    assert pq.read_metadata(out / "pairs.parquet").num_rows == 450
    assert not (out / ".work").exists()


def test_without_java_a_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "a.html"
    page.write_text("<p>text")
    monkeypatch.setattr("ruiji.detector.pairs.spark.java_version", lambda: 8)
    monkeypatch.setattr("pyspark.sql.SparkSession.getActiveSession", lambda: None)
    assert main(["detect", str(page), "-o", str(tmp_path / "out"), "--engine", "spark"]) == 2
    said = capsys.readouterr().err
    assert "needs Java 17 or newer, and this machine has version 8" in said
    assert "default-jre-headless" in said
