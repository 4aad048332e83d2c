"""datatrove's own removal of repetitions, for ``benchmarks.clean_peers``; it needs datatrove and spaCy alone.

    python benchmarks/datatrove_clean.py minhash|sentences TEXTS.jsonl OUT

TEXTS has ``id`` and ``text`` a line; OUT is a folder, whose ``kept`` holds what is left. The settings are
those that datatrove's own examples use (MinHash: words of five, 14 buckets of 8; sentences: spans of three).
"""

from __future__ import annotations

import sys
from pathlib import Path

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline import dedup
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

LANGUAGE = "ja"


def minhash(texts: Path, out: Path) -> None:
    """Of documents that are alike one is kept."""
    config = dedup.minhash.MinhashConfig()
    signatures, buckets, clusters = (str(out / name) for name in ("signatures", "buckets", "clusters"))
    _run(_read(texts), dedup.MinhashDedupSignature(signatures, config, language=LANGUAGE))
    buckets_step = dedup.MinhashDedupBuckets(signatures, buckets, config=config)
    _run(buckets_step, tasks=config.num_buckets)
    _run(dedup.MinhashDedupCluster(buckets, clusters, config=config))
    _run(_read(texts), dedup.MinhashDedupFilter(clusters), _write(out))


def sentences(texts: Path, out: Path) -> None:
    """Spans of three sentences that stood before are removed; documents that get too short are dropped."""
    config = dedup.sentence_dedup.SentDedupConfig(only_dedup_in_index=False)
    signatures, duplicates = str(out / "signatures"), str(out / "duplicates")
    _run(_read(texts), dedup.SentenceDedupSignature(signatures, config=config, language=LANGUAGE))
    _run(dedup.SentenceFindDedups(signatures, duplicates, config=config))
    _run(_read(texts), dedup.SentenceDedupFilter(duplicates, config=config, language=LANGUAGE), _write(out))


def _read(texts: Path) -> JsonlReader:
    return JsonlReader(str(texts.parent), glob_pattern=texts.name)


def _write(out: Path) -> JsonlWriter:
    return JsonlWriter(str(out / "kept"), "${rank}.jsonl", compression=None)


def _run(*steps: object, tasks: int = 1) -> None:
    LocalPipelineExecutor([*steps], tasks=tasks, workers=1).run()


if __name__ == "__main__":
    {"minhash": minhash, "sentences": sentences}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
