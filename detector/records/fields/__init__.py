"""Values of a record: kinds of fields, posts, forms of kanji."""
