"""How much of a page to keep: the content with the best expected F over its words, by a CRF's marginals or by
the odds of trees.

A CRF keeps whole sequences (docs/decisions.md, "Expected F decides at which odds"), trees the blocks that are
likeliest ("A page's blocks are wrong together").
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ruiji.chunker.decoding.chain import best_regions, page_slices, viterbi
from ruiji.chunker.labels import B, I, LabelArray, O
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
# What the trees say of a page's blocks is wrong for all of them together: too low by as much where the page
# is an overview, too high where it is an article among headlines. By how much nobody knows; this is how far
# it may be, as log-odds (our measurement, docs/decisions.md).
COMMON_DOUBT = 3.0
DOUBTS, CHANCES = np.polynomial.hermite_e.hermegauss(7)  # of a normal distribution, and how much each counts
# Where no block of a page has a chance of one in three to be content the page has none: a shop that a script
# was to fill, menus alone. On the development sets, by twelve models, such pages are without content, nearly
# all of them (docs/decisions.md).
NOTHING = math.log(1 / 2)
FEW_WORDS = 100.0  # of a page that is taken for a piece of one: there something is always kept
# So many words in a row that stood in the page before are a second copy (for another screen, for search
# engines, quoted by the next poster), not a phrase that recurs; nodes of a word or less are not asked, since
# code and tables repeat them.
REPEATED_WORDS = 25.0
PHRASE_WORDS = 2.0
UNSPACED_WORD = 4.0  # characters that count as a word where words are not spaced


class Opinions(NamedTuple):
    """What judges say of nodes: log-odds that each is content, a row a judge, and what each judge counts for;
    1 in all.
    """

    odds: FloatArray
    shares: tuple[float, ...]

    @property
    def together(self) -> FloatArray:
        """The weighted mean: what is said by all of them."""
        found = np.zeros(self.odds.shape[1])
        for share, own in zip(
            self.shares, self.odds, strict=True
        ):  # one by one: always summed in the same order
            found += share * own
        return found


def joined(said: Sequence[Opinions]) -> Opinions:
    """The opinions on several pages as one."""
    return Opinions(np.concatenate([own.odds for own in said], axis=1), said[0].shares)


def node_weights(pages: Forest) -> FloatArray:
    """How much each node counts: its words, or a quarter of its characters where words are not spaced."""
    found: FloatArray = np.maximum(pages.characters.word_counts, pages.lengths / UNSPACED_WORD)
    return found


def tempered(probability: FloatArray, sharpness: float) -> FloatArray:
    """The probabilities with their log-odds multiplied by ``sharpness``: below 1 they come nearer to one
    half.
    """
    sure = np.clip(probability, CERTAIN, 1 - CERTAIN)
    found: FloatArray = 1 / (1 + ((1 - sure) / sure) ** sharpness)
    return found


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
        found = [ahead]
        for step, least, most in zip(*(steps + more).tolist(), strict=True):
            ahead += step
            if ahead < least:
                ahead = least
            elif ahead > most:
                ahead = most
            found.append(ahead)
        lead = np.array(found)
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


class Doubt(NamedTuple):
    """What may be true of nodes: their probabilities, a row a case, and how likely each case is."""

    likely: FloatArray
    chances: FloatArray

    def of(self, page: slice) -> Doubt:
        """The same for some of the nodes."""
        return Doubt(self.likely[:, page], self.chances)


def best_cut(
    scores: FloatArray,
    transition: FloatArray,
    starts: IntArray,
    opinions: Opinions,
    weight: FloatArray,
    beta: float,
    text: IntArray,
) -> tuple[LabelArray, list[float]]:
    """The labels with the best expected F of each page's text by these opinions, and that F (with β = 1); the
    scores only part regions.

    ``text`` is the same number for nodes of a page that say the same: what is said once more is not kept
    again, nor missed.
    """
    keep = np.zeros(len(scores), dtype=bool)
    pages = page_slices(starts, len(scores))
    doubt, odds = in_doubt(opinions), opinions.together
    for page in pages:
        if weight[page].sum() < FEW_WORDS or odds[page].max() >= NOTHING:
            keep[page] = expected_f_in_doubt(odds[page], doubt.of(page), weight[page], beta)
    again = said_again(keep, text, weight, starts)
    keep &= ~again
    counted = np.where(again, 0.0, weight)
    expected = [
        mean_f(keep[page], doubt.of(page), counted[page])
        if keep[page].any()
        else chance_of_nothing(doubt.of(page))
        for page in pages
    ]
    return best_regions(scores, transition, starts, keep), expected


def expected_f_in_doubt(odds: FloatArray, doubt: Doubt, weight: FloatArray, beta: float = 1.0) -> BoolArray:
    """Which nodes of a page to keep, by falling odds, so that F is best on average over what may be true.

    With independent nodes the best cut takes in a long list at even odds, since half of it is surely right.
    But it is right or wrong as a whole; and where judges disagree, one of them is right.
    """
    keep = np.zeros(len(odds), dtype=bool)
    if len(odds):
        order = np.argsort(-odds, kind="stable")
        size, precision = weight[order].cumsum(), 1 / (1 + beta * beta)
        hit = (weight[order] * doubt.likely[:, order]).cumsum(axis=1)
        value = doubt.chances @ (hit / np.maximum((1 - precision) * hit[:, -1:] + precision * size, CERTAIN))
        keep[order[: int(value.argmax()) + 1]] = True
    return keep


def mean_f(keep: BoolArray, doubt: Doubt, weight: FloatArray) -> float:
    """The F of keeping these nodes on average, in the same doubt; 1 where nothing is expected and nothing
    kept.
    """
    hit = weight * doubt.likely
    whole = hit.sum(axis=1) + weight[keep].sum()
    return float(
        doubt.chances @ np.where(whole > 0, 2 * hit[:, keep].sum(axis=1) / np.maximum(whole, CERTAIN), 1.0)
    )


def chance_of_nothing(doubt: Doubt) -> float:
    """How likely a page has no content: as likely as its likeliest node has none, since they are wrong
    together.
    """
    return float(doubt.chances @ (1 - doubt.likely.max(axis=1, initial=0.0)))


def in_doubt(opinions: Opinions, amount: float = COMMON_DOUBT) -> Doubt:
    """What may be true by these opinions: one of the judges is right, up to an unknown amount that all of a
    page's odds are wrong by.

    The odds are spread out as much as the doubt draws them together (the usual approximation of a logistic
    function of a normal variable), so that the mean of each node's probabilities stays what it was.
    """
    spread = opinions.odds * np.sqrt(1 + np.pi / 8 * amount * amount)
    likely: FloatArray = 1 / (1 + np.exp(-(spread[:, None, :] + amount * DOUBTS[:, None])))
    chances = np.outer(opinions.shares, CHANCES / CHANCES.sum()).ravel()
    return Doubt(likely.reshape(len(chances), -1), chances)


def said_again(keep: BoolArray, text: IntArray, weight: FloatArray, starts: IntArray) -> BoolArray:
    """Which of the kept nodes stand in a row of at least REPEATED_WORDS that were all kept before, earlier in
    the page.
    """
    kept = np.flatnonzero(keep)
    again = np.ones(len(kept), dtype=bool)
    again[np.unique(text[kept], return_index=True)[1]] = False
    again &= weight[kept] >= PHRASE_WORDS
    found = np.zeros(len(keep), dtype=bool)
    if again.any():
        page = starts.searchsorted(kept, side="right")
        begins = np.flatnonzero(np.append(True, (again[1:] != again[:-1]) | (page[1:] != page[:-1])))
        long = np.add.reduceat(weight[kept], begins) >= REPEATED_WORDS
        found[kept] = again & np.repeat(long, np.diff(np.append(begins, len(kept))))
    return found
