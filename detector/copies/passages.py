"""Copied passages of texts: hits of an index, checked letter by letter, prolonged as far as the texts agree,
joined over small gaps and weighed. Everything but the last steps, which only texts with promising hits come
to, is done for many texts at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ruiji.detector.copies import folding
from ruiji.detector.copies.alignment import PLAIN_RUN, Stretch, TextPair, chains, plain_runs, stretches
from ruiji.detector.copies.digest import CHUNK, SENTENCE, Digest, query_digest, source_digest
from ruiji.detector.copies.fingerprints import Fingerprint, places_only, rabin
from ruiji.detector.copies.hits import Hits, completed, hits
from ruiji.detector.copies.part import IndexPart, SourceText, host_number
from ruiji.detector.copies.rule import Furniture, LetterWeights, PassageRule, furniture, letter_weights
from ruiji.features.arrays import FloatArray, LongArray

SOURCES_FOLLOWED = 256  # of one query text, the most promising ones; each is read from disk
WORTH_A_LOOK = 0.75  # of the bits that a passage needs: letters around the hits may agree too


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a query text that stands in a source too; offsets are characters of the two texts,
    ``text`` is the query's.
    """

    source_url: str
    start: int
    end: int
    source_start: int
    source_end: int
    segments: int
    score: float
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class _Query:
    """A batch of texts and what is known of their segments: their occurrences in the whole index."""

    texts: Sequence[str]
    urls: Sequence[str]
    rule: PassageRule
    digest: Digest
    occurrences: LongArray
    documents: int
    furniture: Furniture
    hosts: LongArray

    def at_most(self, segment: LongArray) -> FloatArray:
        """The most bits that segments can have; a chunk may be a part of a match that reaches further on both
        sides.
        """
        letters = (self.digest.end[segment] - self.digest.start[segment]).astype(np.float64)
        letters[self.digest.kind[segment] == CHUNK] += self.rule.stock
        return self.rule.information(letters, self.occurrences[segment], self.documents)


def find_passages(
    parts: Sequence[IndexPart],
    texts: Sequence[str],
    urls: Sequence[str] = (),
    rule: PassageRule | None = None,
    fingerprint: Fingerprint = rabin,
) -> list[list[Passage]]:
    """The copied passages of each text, by where they start.

    ``urls`` are those of the texts: a source with the same url and the same text is the page itself and no
    copy.
    """
    rule = rule or PassageRule()
    digest = query_digest(texts, fingerprint)
    found = [hits(part, digest) for part in parts]
    passages: list[list[Passage]] = [[] for _ in texts]
    if not any(len(one.segment) for one in found):
        return passages
    if rule.name == "plain":
        found = [
            _sentences(completed(part, digest, one), digest) for part, one in zip(parts, found, strict=True)
        ]
    documents = [part.documents_at(one.position) for part, one in zip(parts, found, strict=True)]
    query = _Query(
        texts,
        urls,
        rule,
        digest,
        np.sum([one.occurrences for one in found], axis=0),
        sum(len(part.first) for part in parts),
        furniture(parts, found, documents, rule),
        _hosts(urls, len(texts), np.concatenate([digest.text[one.segment] for one in found])),
    )
    for part, one, document in zip(parts, found, documents, strict=True):
        for text, passage in _of_part(query, part, one, document):
            passages[text].append(passage)
    return [sorted(set(one), key=_place) for one in passages]


def _hosts(urls: Sequence[str], count: int, wanted: npt.NDArray[np.integer]) -> LongArray:
    """The number of each text's host; 0 for those that nobody wants to know."""
    found = np.zeros(count, dtype=np.int64)
    if urls:
        for text in np.unique(wanted).tolist():
            found[text] = host_number(urls[text])
    return found


def _place(passage: Passage) -> tuple[int, int, str, int, int]:
    return passage.start, -passage.end, passage.source_url, passage.source_start, passage.source_end


def _sentences(found: Hits, digest: Digest) -> Hits:
    kept = digest.kind[found.segment] == SENTENCE
    return Hits(found.segment[kept], found.position[kept], found.occurrences)


def _of_part(
    query: _Query, part: IndexPart, found: Hits, document: LongArray
) -> Iterator[tuple[int, Passage]]:
    """The number of a text and a passage of it, for each passage from a part."""
    text = query.digest.text[found.segment].astype(np.int64)
    kept, pair = _promising(query, part, found, document, text)
    if not len(kept):
        return
    pairs, first = np.unique(pair, return_index=True)
    ends = np.append(first[1:], len(pair))
    numbers, which = np.unique(document[kept[first]], return_inverse=True)
    sources = [part.sources[number] for number in numbers.tolist()]
    digest = source_digest([source.text for source in sources], places_only)
    letters = letter_weights(query.digest, query.rule)
    at = digest.positions()
    begin = np.append(at, 0)[digest.first]
    for number in range(len(pairs)):
        mine = kept[first[number] : ends[number]]
        source, text_number = sources[which[number]], int(text[mine[0]])
        if query.urls and query.urls[text_number] == source.url and query.texts[text_number] == source.text:
            continue
        place = found.position[mine] - int(part.first[numbers[which[number]]]) + begin[which[number]]
        own, true = _located(digest, at, place, int(which[number]))
        segments = TextPair(
            query.digest, text_number, digest, int(which[number]), found.segment[mine][true], own[true]
        )
        host = int(part.host[numbers[which[number]]])
        at_home = host != 0 and host == query.hosts[text_number]
        if at_home and query.rule.at_home == math.inf:
            continue
        for chain in (
            plain_runs(segments) if query.rule.name == "plain" else _weighted(segments, query, letters)
        ):
            passage = _passage(chain, segments, query, letters, source, host)
            if query.rule.name == "plain" or passage.score >= query.rule.bits * (
                query.rule.at_home if at_home else 1
            ):
                yield text_number, passage


def _located(
    digest: Digest, at: LongArray, place: LongArray, text: int
) -> tuple[LongArray, npt.NDArray[np.bool_]]:
    """The segment at each place, and whether there is one: an array that was damaged may lead anywhere, and
    nothing is reported unseen.
    """
    if not len(at):
        return place, np.zeros(len(place), dtype=bool)
    own = np.minimum(at.searchsorted(place), len(at) - 1)
    return own, (at[own] == place) & (digest.text[own] == text)


def _weighted(pair: TextPair, query: _Query, letters: LetterWeights) -> list[list[Stretch]]:
    return chains(stretches(pair, query.rule, letters), query.rule.gap)


def _promising(
    query: _Query, part: IndexPart, found: Hits, document: LongArray, text: LongArray
) -> tuple[LongArray, LongArray]:
    """The hits of pairs of a text and a source that may come to enough, pair by pair, and the number of the
    pair of each.
    """
    if query.rule.name == "plain":
        promise, enough = np.ones(len(found.segment)), float(PLAIN_RUN)
    else:
        promise = query.at_most(found.segment)
        host = part.host[document]
        at_home = (host != 0) & (query.hosts[text] == host)
        promise[query.furniture.has(found.segment, host) | (at_home & ~query.digest.ended[found.segment])] = 0
        enough = query.rule.bits * WORTH_A_LOOK
    pairs, pair = np.unique((text << 32) | document, return_inverse=True)
    total = np.bincount(pair, weights=promise, minlength=len(pairs))
    worth = total >= enough
    ranked = np.lexsort((-total, pairs >> 32))
    place = np.arange(len(pairs)) - (pairs[ranked] >> 32).searchsorted(pairs[ranked] >> 32)
    worth[ranked[place >= SOURCES_FOLLOWED]] = False
    kept = np.flatnonzero(worth[pair])
    order = np.argsort(pair[kept], kind="stable")
    return kept[order], pair[kept][order]


def _passage(
    chain: list[Stretch], pair: TextPair, query: _Query, letters: LetterWeights, source: SourceText, host: int
) -> Passage:
    """The passage that a chain of stretches makes, with its score."""
    whole_text = query.digest.sentences(pair.text)
    starts, ends = query.digest.start[whole_text], query.digest.end[whole_text]
    low, high = (
        int(ends.searchsorted(chain[0].start, side="right")),
        int(starts.searchsorted(chain[-1].end, side="left")),
    )
    starts, ends = starts[low:high], ends[low:high]
    segment = np.arange(whole_text.start + low, whole_text.start + high)
    weight = np.zeros(len(starts))
    shared = np.zeros(len(starts), dtype=np.int64)
    for stretch in chain:
        inner_starts, inner_ends = (
            np.clip(starts, stretch.start, stretch.end),
            np.clip(ends, stretch.start, stretch.end),
        )
        weight += letters.between(inner_starts, inner_ends)
        shared += inner_ends - inner_starts
    whole = shared >= ends - starts
    bits = query.rule.information(weight, np.where(whole, query.occurrences[segment], 1), query.documents)
    bits[whole & query.furniture.has(segment, np.full(len(segment), host))] = 0
    if host and query.hosts[pair.text] == host:
        bits[~(whole & query.digest.ended[segment])] = 0
        if 2 * weight[bits > 0].sum() < weight.sum():
            bits[:] = 0
    start, end = _characters(pair.query, pair.text, chain[0].start, chain[-1].end)
    source_start, source_end = _characters(
        pair.source, pair.document, chain[0].source_start, chain[-1].source_end
    )
    text = query.texts[pair.text][start:end]
    return Passage(
        source.url,
        start,
        end,
        source_start,
        source_end,
        max(int(whole.sum()), 1),
        round(float(bits.sum()), 1),
        text,
    )


def _characters(digest: Digest, text: int, start: int, end: int) -> tuple[int, int]:
    """The characters of a text from one letter to before another, with the marks that end the sentence."""
    folded = digest.folded
    begin, stop = int(folded.text_start[text]), int(folded.text_start[text + 1]) - 1
    first, last = int(folded.place[start]), int(folded.place[end - 1]) + 1
    while last < stop and folding.END <= folded.kinds[last] <= folding.CLOSING:
        last += 1
    return first - begin, last - begin
