"""Characters and words, of many texts at once.

characters  kinds of characters, words as 64-bit keys; keytable looks keys up
invisible   characters that no reader sees
word_lists  knowledge in data files: hints says what a word usually means
morphology  verbs and nouns by MeCab; lemmas: content words in dictionary form
"""
