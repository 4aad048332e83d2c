"""The options of the chunker that train and crossval teach."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ruiji.chunker.decoding.expected_f import DECODINGS
from ruiji.corpora.errors import SettingError
from ruiji.corpora.page import InputError
from ruiji.features.nodes.sets import KEYWORDS
from ruiji.options import non_negative_number, positive_integer, positive_number

if TYPE_CHECKING:  # scikit-learn takes a second to import
    from ruiji.chunker.crf.estimator import CrfChunker
    from ruiji.chunker.crf.svm import SvmChunker

Learner = TypeVar("Learner", "CrfChunker", "SvmChunker")
SVM_DECODINGS = ("greedy", "viterbi")  # those of chunker.crf.svm, which takes a second to import


def add_learning(command: argparse.ArgumentParser) -> None:
    """How a chunker learns."""
    command.add_argument(
        "--features",
        metavar="NAME|MODULE:NAME",
        help="feature set: nakamura, as published in 2007; full (default); stacked, with models below; or "
        "one of "
        "your own, as MODULE:NAME",
    )
    command.add_argument(
        "--keywords",
        choices=KEYWORDS,
        default="selected",
        help="keywords of nakamura: chosen from the training pages or fixed",
    )
    command.add_argument(
        "--decoding",
        choices=dict.fromkeys((*DECODINGS, *SVM_DECODINGS)),
        help="f1: the content with the best expected F of each page (default); viterbi: the likeliest "
        "labels; of an "
        "SVM greedy, from left to right (default), or viterbi",
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
    command.add_argument(
        "--per-site",
        type=positive_integer,
        default=None,
        metavar="N",
        help="of a site at most so many pages are learned from (default: 15)",
    )
    command.add_argument(
        "--max-pages",
        type=positive_integer,
        default=None,
        metavar="N",
        help="of all pages at most so many are learned from (default: 800)",
    )


def chunker_from(options: argparse.Namespace, features: str) -> CrfChunker:
    """The chunker that the options describe; what they leave open is the chunker's own default."""
    from ruiji.chunker.crf.estimator import CrfChunker

    if options.decoding == "greedy":
        raise SettingError("‹decoding=greedy› goes with ‹learner=svm›")
    find_modules_here(features)
    given = {
        "c1": options.c1,
        "c2": options.c2,
        "max_iterations": options.iterations,
        "per_site": options.per_site,
        "max_pages": options.max_pages,
        "decoding": options.decoding,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    return checked(CrfChunker(features=features, keywords=options.keywords, beta=options.beta, **chosen))


def svm_from(options: argparse.Namespace, features: str) -> SvmChunker:
    """The SVM chunker that the options describe: the paper's kernel where the set is small enough for it."""
    from ruiji.chunker.crf.svm import SvmChunker

    if unused := [name for name in ("c1", "c2") if getattr(options, name) is not None]:
        raise SettingError(f"‹{unused[0]}› goes with ‹learner=crf›")
    if options.decoding == "f1":
        raise SettingError("‹decoding=f1› goes with ‹learner=crf›: an SVM has no probabilities")
    find_modules_here(features)
    given = {
        "max_iterations": options.iterations,
        "per_site": options.per_site,
        "max_pages": options.max_pages,
        "decoding": options.decoding,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    kernel = "quadratic" if features == "nakamura" else "auto"
    return checked(SvmChunker(features=features, keywords=options.keywords, kernel=kernel, **chosen))


def find_modules_here(features: str) -> None:
    """Lets ``MODULE:NAME`` name a module of the current folder, here and in processes that are started."""
    if ":" in features and (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)
        path = os.environ.get("PYTHONPATH", "")
        os.environ["PYTHONPATH"] = f"{path}{os.pathsep}{here}" if path else here


def checked(chunker: Learner) -> Learner:
    """The chunker. Raises InputError where its features are not there."""
    try:
        chunker.feature_set()
    except ValueError as error:
        raise InputError(str(error)) from error
    return chunker
