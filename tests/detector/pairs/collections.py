"""Small collections for the join: pages made of sentences, as the parts of a run have them, and the join by
brute force.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pyarrow as pa

from ruiji.detector.gather import schemas
from ruiji.detector.gather.occurrences import content_digest
from ruiji.detector.pairs.collection import JoinInput
from ruiji.detector.pairs.join import NEARLY, STAR_ABOVE
from ruiji.detector.parquet import write_rows
from ruiji.detector.sentences.table import keys
from ruiji.detector.sites import path_key, site_key
from ruiji.detector.urls import url_key
from ruiji.features.text.dates import UNDATED

Key = Callable[[str], int]
Digest = Callable[[Sequence[str]], str]
Pair = tuple[str, str]


def text_key(text: str) -> int:
    """The key of a sentence as the tables have it."""
    return int(keys([text]).view(np.int64)[0])


def collection(
    folder: Path,
    pages: Mapping[str, Sequence[str]],
    *,
    links: Sequence[Pair] = (),
    changed: Mapping[str, str] | None = None,
    old: int = 0,
    places: Mapping[str, int] | None = None,
    asides: Mapping[str, Sequence[str]] | None = None,
    key: Key = text_key,
    digest: Digest = content_digest,
) -> JoinInput:
    """The tables of pages, url → its long content sentences; the last ``old`` of them are of an earlier
    run. ``asides`` are long sentences of pages that are no content.
    """
    numbers = {url: number for number, url in enumerate(pages)}
    where = {url: (number, number) for url, number in numbers.items()} | {
        url: (place, place) for url, place in (places or {}).items()
    }
    unique = {url: list(dict.fromkeys(sentences)) for url, sentences in pages.items()}
    rows: dict[str, tuple[pa.Schema, list[tuple[object, ...]]]] = {
        "pages": (
            schemas.JOIN_PAGES,
            [
                (
                    number, url, url_key(url), len(url), url.split("/")[2] if "//" in url else "",
                    site_key(url), path_key(url),
                    (changed or {}).get(url, UNDATED), "", len(unique[url]), sum(map(len, unique[url])), 0, 0,
                    digest(unique[url]),
                )
                for url, number in numbers.items()
            ],
        ),
        "occurrences": (
            schemas.OCCURRENCES,
            [
                (
                    numbers[url], key(text), key(text), len(text), 4 * len(text), 50, 0, 0, len(text),
                    *where[url], text,
                )
                for url in pages for text in unique[url]
            ],
        ),
        "asides": (schemas.ASIDES,
            [(numbers[url], key(text)) for url, texts in (asides or {}).items() for text in texts]),
        "contents": (schemas.CONTENTS,
            [(numbers[url], key(text), len(text)) for url in pages for text in unique[url]]),
        "targets": (schemas.TARGETS, [(numbers[source], url_key(target)) for source, target in links]),
        "left_out": (schemas.LEFT_OUT, []),
    }  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    for name, (schema, tuples) in rows.items():
        columns = [[row[place] for row in tuples] for place in range(len(schema))]
        write_rows([pa.table(columns, schema=schema)], schema, folder / f"{name}.parquet")
    return JoinInput({name: [folder / f"{name}.parquet"] for name in rows}, len(pages) - old, frozenset())


def brute_force(
    pages: Mapping[str, Sequence[str]], max_pages: int, star_above: int = STAR_ABOVE, old: int = 0
) -> dict[Pair, tuple[int, int]]:
    """(url_a, url_b) → (shared sentences, shared characters), by comparing everything with everything."""
    earlier = set(list(pages)[len(pages) - old :]) if old else set()
    alike: dict[frozenset[str], list[str]] = defaultdict(list)
    for url in sorted(pages, key=lambda url: (len(url), url)):
        alike[frozenset(pages[url])].append(url)
    alike.pop(frozenset(), None)
    frequency = Counter(text for texts in alike for text in texts)
    common = {text for text, pages in frequency.items() if pages > max_pages}
    leaders = _leaders(alike, common)
    counted = {texts: texts - common if texts in leaders else texts for texts in alike}
    frequency = Counter(text for texts in counted.values() for text in texts)
    shown = {texts: urls if len(urls) <= star_above else urls[:1] for texts, urls in alike.items()}
    found: dict[Pair, tuple[int, int]] = {}
    for one, other in combinations(alike, 2):
        shared = {text for text in counted[one] & counted[other] if frequency[text] <= max_pages}
        if leaders.get(one) == other or leaders.get(other) == one:
            shared |= one & other & common
        if shared:
            for a, b in product(shown[one], shown[other]):
                found[min(a, b), max(a, b)] = (len(shared), sum(map(len, shared)))
    for texts, urls in alike.items():
        within = combinations(urls, 2) if len(urls) <= star_above else ((urls[0], url) for url in urls[1:])
        found |= {(min(pair), max(pair)): (len(texts), sum(map(len, texts))) for pair in within}
    return {pair: what for pair, what in found.items() if not set(pair) <= earlier}


def _leaders(
    alike: Mapping[frozenset[str], list[str]], common: set[str]
) -> dict[frozenset[str], frozenset[str]]:
    """Content that is common nearly throughout → the content that stands for it, of those that have the same
    common sentences.
    """
    profiles: dict[frozenset[str], list[frozenset[str]]] = defaultdict(list)
    for texts, urls in sorted(alike.items(), key=lambda one: (-size(one[0]), len(one[1][0]), one[1][0])):
        if 100 * size(texts & common) >= NEARLY * size(texts) and urls:
            profiles[texts & common].append(texts)
    return {follower: leader for leader, *followers in profiles.values() for follower in followers}


def size(texts: Iterable[str]) -> int:
    return sum(map(len, texts))
