"""What uses a content mask: sentences now; pairs of pages, copied passages and records as they are built.

table = sentence_table(pages)               # of a batch of text nodes: a column for everything that is known of a sentence
shares = content_shares(table, masks)       # how much of each lies in content
split_texts(["朝は早い。夜は遅い。"]).texts  # plain texts, with places in them
"""

from detector.normalising import normalise
from detector.sentences import (
    Sentence,
    SentenceTable,
    SplitTexts,
    content_shares,
    is_japanese,
    sentence_table,
    sentences,
    split,
    split_texts,
)

__all__ = [
    "Sentence",
    "SentenceTable",
    "SplitTexts",
    "content_shares",
    "is_japanese",
    "normalise",
    "sentence_table",
    "sentences",
    "split",
    "split_texts",
]
