"""What uses a content mask: sentences now; pairs of pages, copied passages and records as they are built.

for sentence in sentences(nodes):
    sentence.text, sentence.first_node, sentence.last_node
"""

from detector.sentences import Sentence, is_japanese, sentences, split

__all__ = ["Sentence", "is_japanese", "sentences", "split"]
