"""The options of the chunker that train and crossval teach."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ruiji.chunker.decoding.expected_f import DECODINGS
from ruiji.corpora.page import InputError
from ruiji.features.nodes.sets import FEATURE_SETS, KEYWORDS
from ruiji.options import non_negative_number, positive_integer, positive_number

if TYPE_CHECKING:  # scikit-learn takes a second to import
    from ruiji.chunker.crf.estimator import CrfChunker


def add_learning(command: argparse.ArgumentParser) -> None:
    """How a chunker learns."""
    command.add_argument(
        "--features",
        choices=FEATURE_SETS,
        help="feature set: nakamura, as published in 2007; full (default); stacked, with judges below",
    )
    command.add_argument(
        "--keywords",
        choices=KEYWORDS,
        default="selected",
        help="keywords of nakamura: chosen from the training pages or fixed",
    )
    command.add_argument(
        "--decoding",
        choices=DECODINGS,
        default="f1",
        help="f1: the content with the best expected F of each page; viterbi: the likeliest labels (default: %(default)s)",
    )
    command.add_argument(
        "--beta",
        type=positive_number,
        default=1.0,
        help="dial: above 1 keeps more content, below 1 keeps it cleaner (default: %(default)s)",
    )
    command.add_argument(
        "--c1", type=non_negative_number, default=None, help="weight of the L1 penalty for a thousand sites"
    )
    command.add_argument(
        "--c2", type=non_negative_number, default=None, help="weight of the L2 penalty for a thousand sites"
    )
    command.add_argument(
        "--iterations",
        type=positive_integer,
        default=None,
        metavar="N",
        help="at most so many rounds of training",
    )


def chunker_from(options: argparse.Namespace, features: str) -> CrfChunker:
    """The chunker that the options describe; what they leave open is the chunker's own default."""
    from ruiji.chunker.crf.estimator import CrfChunker

    given = {"c1": options.c1, "c2": options.c2, "max_iterations": options.iterations}
    chosen = {name: value for name, value in given.items() if value is not None}
    chunker = CrfChunker(
        features=features, keywords=options.keywords, decoding=options.decoding, beta=options.beta, **chosen
    )
    try:
        chunker.feature_set()
    except ValueError as error:
        raise InputError(str(error)) from error
    return chunker
