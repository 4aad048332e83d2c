"""How much of a page to keep: the content with the best expected F over its words, by a CRF's marginals or by
the odds of trees.

A CRF keeps whole sequences (docs/decisions, "Expected F decides at which odds"), trees the blocks that are
likeliest ("A page's blocks are wrong together").
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ruiji.chunker.decoding.chain import best_regions, page_slices, viterbi
from ruiji.chunker.labels import B, I, LabelArray, O
from ruiji.corpora.c_modules import compiled
from ruiji.features.arrays import BoolArray, FloatArray, IntArray
from ruiji.features.nodes.forest import Forest

DECODINGS = ("f1", "viterbi")
# The likeliest sequence is taken as it is where no choice of nodes promises more than this: that saves time
# and costs nothing (our measurement: 0.01, 0.015 and 0.02 give the same scores; 0.03 costs 0.002 of the word
# F1 on WCXB).
TOLERATED_LOSS = 0.015
# How many times higher than learned the odds of content are tried, times β². A CRF counts nodes, and most
# nodes are entries of menus; so for β = 1 lower odds were never better. Finer steps and higher odds brought
# nothing (our measurement on both sets).
ODDS = (1.5, 2.5, 4.5, 7.5, 20.0, 50.0)
BETAS = (0.03, 1e50)  # beyond these β moves the odds no further: nearly nothing or everything is kept
CERTAIN = 1e-9  # as near as a probability comes to 0 and 1 before its odds are taken
# The log-odds of a page's blocks are wrong for all of them together: too low by as much where the page
# is an overview, too high where it is an article among headlines. By how much nobody knows; this is how far
# it may be, as log-odds (our measurement, docs/decisions).
COMMON_ERROR = 3.0
# Of a normal distribution, and how much each counts: np.polynomial.hermite_e.hermegauss(7), which takes
# longer to import than a page takes.
ERRORS = np.array(
    [-3.7504397177257425, -2.366759410734541, -1.1544053947399682, 0.0,
     1.1544053947399682, 2.366759410734541, 3.7504397177257425]
)  # fmt: skip
CHANCES = np.array(
    [0.0013743062164795505, 0.07709667658348317, 0.6018995488855944, 1.145887211259886,
     0.6018995488855944, 0.07709667658348317, 0.0013743062164795505]
)  # fmt: skip
SPREAD = math.sqrt(1 + math.pi / 8 * COMMON_ERROR * COMMON_ERROR)  # by which odds are spread out for it
# Where no block of a page has a chance of one in three to be content the page has none: a shop that a script
# was to fill, menus alone. On the development sets, by twelve models, such pages are without content, nearly
# all of them (docs/decisions).
NOTHING = math.log(1 / 2)
FEW_WORDS = 100.0  # of a page that is taken for a piece of one: there something is always kept
# So many words in a row that stood in the page before are a second copy (for another screen, for search
# engines, quoted by the next poster), not a phrase that recurs; nodes of a word or less are not asked, since
# code and tables repeat them.
REPEATED_WORDS = 25.0
PHRASE_WORDS = 2.0
UNSPACED_WORD = 4.0  # characters that count as a word where words are not spaced


def node_weights(pages: Forest) -> FloatArray:
    """How much each node counts: its words, or a quarter of its characters where words are not spaced."""
    words: FloatArray = np.maximum(pages.characters.word_counts, pages.lengths / UNSPACED_WORD)
    return words


def tempered(probability: FloatArray, sharpness: float) -> FloatArray:
    """The probabilities with their log-odds multiplied by ``sharpness``: below 1 they come nearer to one
    half.
    """
    sure = np.clip(probability, CERTAIN, 1 - CERTAIN)
    tempered_probability: FloatArray = 1 / (1 + ((1 - sure) / sure) ** sharpness)
    return tempered_probability


def expected_f(content: FloatArray, weight: FloatArray, beta: float = 1.0) -> tuple[BoolArray, float]:
    """Which nodes of a page to keep so that the expected F of the kept text is best, and that F.

    ``content`` is each node's probability of being content, ``weight`` its size in words. F weighs recall
    ``beta`` times as much as precision. With k nodes kept in the order of their probability, F is about (1 +
    β²)·hit / (β²·expected + kept).
    """
    order = np.argsort(-content, kind="stable")
    size, hit = weight[order].cumsum(), (content * weight)[order].cumsum()
    if not len(size) or hit[-1] <= 0:
        return np.zeros(len(content), dtype=bool), 1.0
    precision = 1 / (1 + beta * beta)  # the formula divided by 1 + β², so that no β is too large
    value = hit / ((1 - precision) * hit[-1] + precision * size)
    keep = np.zeros(len(content), dtype=bool)
    best = int(value.argmax())
    keep[order[: best + 1]] = True
    return keep, float(value[best])


def expected_f_of(keep: BoolArray, content: FloatArray, weight: FloatArray, beta: float = 1.0) -> float:
    """The expected F of keeping these nodes; 1 where nothing is expected and nothing kept."""
    hit, expected, size = (
        float((content * weight)[keep].sum()),
        float((content * weight).sum()),
        float(weight[keep].sum()),
    )
    precision = 1 / (1 + beta * beta)
    whole = (1 - precision) * expected + precision * size
    return hit / whole if whole > 0 else 1.0


def kept_at(odds: Iterable[float], scores: FloatArray, transition: FloatArray) -> Iterator[BoolArray]:
    """For each of the odds the nodes of a page that its likeliest sequence keeps when the odds of content are
    so many times higher.

    B and I are one label here, since all that matters is what is kept: a region is entered by the better of
    the two, gone on with by the better of the two, and left by I. It never gains more by being entered than
    by being gone on with; so higher odds never keep less.
    """
    (oo, ob, oi), _, (io, ib, ii) = transition.tolist()
    content, going_on = scores[1:, O], np.maximum(scores[1:, B] + ib, scores[1:, I] + ii)
    entering = np.minimum(np.maximum(scores[1:, B] + ob, scores[1:, I] + oi), going_on + oo - io)
    # Viterbi needs no more than how far content is ahead. A node adds the first of these, and the others are
    # how little and how much it can be ahead there: as far as after a region, and as far as after content.
    steps = np.stack((content + oo - going_on, content + io - going_on, content + oo - entering))
    place = np.arange(len(scores))
    for times in odds:
        more = math.log(times)
        ahead = float(scores[0, O] - scores[0, B:].max()) + more
        leads = [ahead]
        for step, least, most in zip(*(steps + more).tolist(), strict=True):
            ahead += step
            if ahead < least:
                ahead = least
            elif ahead > most:
                ahead = most
            leads.append(ahead)
        lead = np.array(leads)
        # Far enough ahead or behind a node is kept or not whatever follows it; else it goes with the next.
        kept, left = (
            np.append(lead[:-1] > going_on - entering, lead[-1] >= 0),
            np.append(lead[:-1] < io - oo, lead[-1] < 0),
        )
        next_sure = np.minimum.accumulate(np.where(kept | left, place, len(place))[::-1])[::-1]
        yield kept[next_sure]


def best_expected_f(
    scores: FloatArray,
    transition: FloatArray,
    starts: IntArray,
    content: FloatArray,
    weight: FloatArray,
    beta: float,
) -> LabelArray:
    """The labels with the best expected F of each page's text among the likeliest sequences at several odds
    of content.

    Where the likeliest sequence as such is nearly as good as any choice of nodes could be, it is taken.
    """
    labels = viterbi(scores, transition, starts)
    keep = labels == O
    tried = [float(np.clip(beta, *BETAS)) ** 2 * times for times in ODDS]
    for page in page_slices(starts, len(scores)):
        best, value = expected_f(content[page], weight[page], beta)
        if value - expected_f_of(keep[page], content[page], weight[page], beta) <= TOLERATED_LOSS:
            continue
        whole = [own for own in (keep[page], *kept_at(tried, scores[page], transition)) if own.any()] or [
            best
        ]
        chosen = max(whole, key=lambda own: expected_f_of(own, content[page], weight[page], beta))
        labels[page] = best_regions(scores[page], transition, np.zeros(1, dtype=np.int32), chosen)
    return labels


class Uncertainty(NamedTuple):
    """What may be true of nodes: their probabilities, a row a case, and how likely each case is."""

    likely: FloatArray
    chances: FloatArray

    def of(self, page: slice) -> Uncertainty:
        """The same for some of the nodes."""
        return Uncertainty(self.likely[:, page], self.chances)


def best_cut(
    scores: FloatArray,
    transition: FloatArray,
    starts: IntArray,
    odds: FloatArray,
    weight: FloatArray,
    beta: float,
    text: IntArray,
) -> tuple[LabelArray, list[float]]:
    """The labels with the best expected F of each page's text by these log-odds, and that F (with β = 1);
    the scores only part regions.
    """
    keep, expected = best_kept(starts, odds, weight, beta, text)
    return best_regions(scores, transition, starts, keep), expected


def best_kept(
    starts: IntArray, odds: FloatArray, weight: FloatArray, beta: float, text: IntArray
) -> tuple[BoolArray, list[float]]:
    """The nodes with the best expected F of each page's text by these log-odds, and that F (with β = 1).

    ``text`` is the same number for nodes of a page with the same text: a repetition is neither kept again nor
    missed. By the loops in C where there are some.
    """
    in_c = compiled("ruiji.chunker.decoding._cut")
    if in_c is None:
        return best_kept_by_arrays(starts, odds, weight, beta, text)
    keep, expected = np.empty(len(weight), dtype=bool), np.empty(len(starts))
    columns = {
        "odds": odds, "weight": weight, "text": text, "spread": SPREAD,
        "factor": np.exp(-COMMON_ERROR * ERRORS), "chances": CHANCES / CHANCES.sum(),
        "precision": 1 / (1 + beta * beta), "certain": CERTAIN, "nothing": NOTHING, "few_words": FEW_WORDS,
        "repeated_words": REPEATED_WORDS, "phrase_words": PHRASE_WORDS,
    }  # fmt: skip
    in_c.cut(columns, np.append(starts, np.int32(len(weight))), keep, expected)
    return keep, expected.tolist()


def best_kept_by_arrays(
    starts: IntArray, odds: FloatArray, weight: FloatArray, beta: float, text: IntArray
) -> tuple[BoolArray, list[float]]:
    """The reference for the loops in C."""
    keep = np.zeros(len(weight), dtype=bool)
    pages = page_slices(starts, len(weight))
    uncertainty = spread_uncertainty(odds)
    for page in pages:
        if weight[page].sum() < FEW_WORDS or odds[page].max() >= NOTHING:
            keep[page] = best_kept_nodes(odds[page], uncertainty.of(page), weight[page], beta)
    again = repeated_passages(keep, text, weight, starts)
    keep &= ~again
    counted = np.where(again, 0.0, weight)
    expected = [
        mean_f(keep[page], uncertainty.of(page), counted[page])
        if keep[page].any()
        else chance_of_nothing(uncertainty.of(page))
        for page in pages
    ]
    return keep, expected


def best_kept_nodes(
    odds: FloatArray, uncertainty: Uncertainty, weight: FloatArray, beta: float = 1.0
) -> BoolArray:
    """Which nodes of a page to keep, by falling odds, so that F is best on average over what may be true.

    With independent nodes the best cut takes in a long list at even odds, since half of it is surely right.
    But it is right or wrong as a whole.
    """
    keep = np.zeros(len(odds), dtype=bool)
    if len(odds):
        order = np.argsort(-odds, kind="stable")
        size, precision = weight[order].cumsum(), 1 / (1 + beta * beta)
        hit = (weight[order] * uncertainty.likely[:, order]).cumsum(axis=1)
        f_of_cut = hit / np.maximum((1 - precision) * hit[:, -1:] + precision * size, CERTAIN)
        # Case by case: a product of matrices may round the same numbers of two cuts differently.
        value = (uncertainty.chances[:, None] * f_of_cut).sum(axis=0)
        keep[order[: int(value.argmax()) + 1]] = True
    return keep


def mean_f(keep: BoolArray, uncertainty: Uncertainty, weight: FloatArray) -> float:
    """The mean F of keeping these nodes over what may be true; 1 where nothing is expected and nothing
    kept.
    """
    hit = weight * uncertainty.likely
    whole = hit.sum(axis=1) + weight[keep].sum()
    return float(
        uncertainty.chances
        @ np.where(whole > 0, 2 * hit[:, keep].sum(axis=1) / np.maximum(whole, CERTAIN), 1.0)
    )


def chance_of_nothing(uncertainty: Uncertainty) -> float:
    """How likely a page has no content: as likely as its likeliest node has none, since they are wrong
    together.
    """
    return float(uncertainty.chances @ (1 - uncertainty.likely.max(axis=1, initial=0.0)))


def spread_uncertainty(odds: FloatArray, amount: float = COMMON_ERROR) -> Uncertainty:
    """What may be true by these log-odds, up to an unknown error that all nodes of a page share.

    The odds are spread out as much as the error draws them together (the usual approximation of a logistic
    function of a normal variable), so that the mean of each node's probabilities stays what it was.
    """
    spread = odds * math.sqrt(1 + math.pi / 8 * amount * amount)
    likely: FloatArray = 1 / (1 + np.exp(-(spread + amount * ERRORS[:, None])))
    return Uncertainty(likely, CHANCES / CHANCES.sum())


def repeated_passages(keep: BoolArray, text: IntArray, weight: FloatArray, starts: IntArray) -> BoolArray:
    """Which of the kept nodes stand in a row of at least REPEATED_WORDS that were all kept before, earlier in
    the page.
    """
    kept = np.flatnonzero(keep)
    again = np.ones(len(kept), dtype=bool)
    again[np.unique(text[kept], return_index=True)[1]] = False
    again &= weight[kept] >= PHRASE_WORDS
    repeated = np.zeros(len(keep), dtype=bool)
    if again.any():
        page = starts.searchsorted(kept, side="right")
        begins = np.flatnonzero(np.append(True, (again[1:] != again[:-1]) | (page[1:] != page[:-1])))
        long = np.add.reduceat(weight[kept], begins) >= REPEATED_WORDS
        repeated[kept] = again & np.repeat(long, np.diff(np.append(begins, len(kept))))
    return repeated
