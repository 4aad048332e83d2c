"""What uses a content mask: sentences, pairs of pages, copied passages, records.

table = sentence_table(pages)               # of a batch of text nodes: a column for everything that is known
of a sentence shares = content_shares(table, masks)       # how much of each lies in content
split_texts(["朝は早い。夜は遅い。"]).texts  # plain texts, with places in them
open_index(Path("idx")).match(text)         # the passages that a text copied from the sources of an index
"""

from ruiji.detector.copies.index import CopyIndex, open_index
from ruiji.detector.copies.part import digested
from ruiji.detector.copies.passages import Passage
from ruiji.detector.copies.rule import PassageRule
from ruiji.detector.copies.texts import IndexRefused
from ruiji.detector.copies.writing import writing
from ruiji.detector.sentences.normalise import normalise
from ruiji.detector.sentences.table import (
    PlacedSentence,
    SentenceTable,
    SplitTexts,
    content_shares,
    is_japanese,
    placed_sentences,
    sentence_table,
    split,
    split_texts,
)

__all__ = [
    "CopyIndex",
    "IndexRefused",
    "Passage",
    "PassageRule",
    "PlacedSentence",
    "SentenceTable",
    "SplitTexts",
    "content_shares",
    "digested",
    "is_japanese",
    "normalise",
    "open_index",
    "placed_sentences",
    "sentence_table",
    "split",
    "split_texts",
    "writing",
]
