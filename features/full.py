"""The feature set ``full``: what Nakamura 2007 wished for (section 5.2) and what else tells content from the rest.

Neighbours on both sides, where the tree parts between two nodes, sizes and link shares of every enclosing level, punctuation and
scripts, place in the page, semantic elements, words of class and id names, repeated siblings and texts. Every feature is array
arithmetic; only words and names are open, and they are numbers until somebody wants to read them.
"""

from __future__ import annotations

from features.attributes import Closed, FeatureSet, Open, Rule
from features.buckets import COUNTS, DISTANCES, MEANS, NUMBERS, SHARES, SIZES
from features.nakamura import DEPTH_CHANGES, LINKS, TAGS, YES_NO, depth_change, link
from features.naming import HINTS, hint, hint_key, hint_opens, name, name_opens, nearest_hint
from features.surroundings import (
    BEFORE,
    BLOCK_AND_LINKS,
    HEADING_BACK,
    LONG_SIDES,
    PARTS,
    PLACES,
    STEPS,
    TAG_AND_SIZE,
    block_and_links,
    block_place,
    from_start,
    heading_before,
    list_links,
    list_size,
    long_texts,
    main_heading,
    page_links,
    place,
    section2_links,
    section2_share,
    section2_size,
    section3_links,
    section3_share,
    section3_size,
    section_links,
    section_share,
    section_size,
    table_links,
    table_size,
    tag_and_size,
    text_before,
    to_end,
)
from features.tags import (
    TARGETS,
    block_tag,
    blocks_above,
    climb,
    closed_before,
    descent,
    inside,
    opens,
    parent_tag,
    siblings,
    siblings_above,
    tag_key,
    tags_above,
    tags_key,
    target,
)
from features.texts import (
    KINDS,
    SIZE_AND_LINK,
    WORD_HINT_VALUES,
    capital_share,
    commas,
    copyright_sign,
    digit_share,
    first_character,
    heading_elsewhere,
    hiragana_share,
    in_title,
    last_character,
    price,
    repeated_text,
    sentence_ends,
    separators,
    size,
    size_and_link,
    text_key,
    word,
    word_count,
    word_hint,
)

# A word that few sites have says which site it is, and training would learn that site by heart.
NAME_RULE = Rule(domains=2, domain_share=0.02)
WORD_RULE = Rule(occurrences=5, domains=2, domain_share=0.02)

NEAR = (-2, -1, 0, 1, 2)
NEXT = (-1, 0, 1)

FULL = FeatureSet(
    "full",
    (
        Closed(size, SIZES, NEAR),
        Closed(first_character, KINDS),
        Closed(last_character, KINDS, NEXT),
        Closed(sentence_ends, COUNTS, NEXT),
        Closed(commas, COUNTS, NEXT),
        Closed(separators, COUNTS, NEXT),
        Closed(copyright_sign, YES_NO, NEXT),
        Closed(price, YES_NO),
        Closed(digit_share, SHARES),
        Closed(capital_share, SHARES),
        Closed(hiragana_share, SHARES),
        Closed(word_count, NUMBERS, NEXT),
        Closed(repeated_text, COUNTS),
        Closed(in_title, YES_NO),
        Closed(link, LINKS, NEAR),
        Closed(target, TARGETS, NEXT),
        Closed(heading_elsewhere, YES_NO, NEXT),
        Closed(nearest_hint, HINTS, NEXT),
        Closed(word_hint, WORD_HINT_VALUES, NEXT),
        Closed(parent_tag, TAGS, NEXT),
        Closed(block_tag, TAGS, NEXT),
        Closed(depth_change, DEPTH_CHANGES),
        Closed(climb, DISTANCES, (0, 1)),
        Closed(descent, DISTANCES, (0, 1)),
        Closed(block_place, ("only", "first", "last", "between")),
        Closed(block_and_links, BLOCK_AND_LINKS),
        Closed(tag_and_size, TAG_AND_SIZE),
        Closed(size_and_link, SIZE_AND_LINK),
        Closed(list_links, SHARES),
        Closed(list_size, MEANS),
        Closed(table_links, SHARES),
        Closed(table_size, MEANS),
        Closed(section_links, SHARES),
        Closed(section_share, PARTS),
        Closed(section_size, MEANS),
        Closed(section2_links, SHARES),
        Closed(section2_share, PARTS),
        Closed(section2_size, MEANS),
        Closed(section3_links, SHARES),
        Closed(section3_share, PARTS),
        Closed(section3_size, MEANS),
        Closed(place, PLACES),
        Closed(text_before, BEFORE),
        Closed(from_start, STEPS),
        Closed(to_end, STEPS),
        Closed(long_texts, LONG_SIDES),
        Closed(heading_before, HEADING_BACK),
        Closed(main_heading, ("before", "at", "after", "none")),
        Closed(siblings, NUMBERS),
        Closed(siblings_above, NUMBERS),
        Closed(page_links, SHARES),
        Open(tags_above, tags_key, Rule(domains=2)),
        Open(blocks_above, tags_key, Rule(domains=2)),
        Open(inside, tag_key),
        Open(opens, tag_key),
        Open(hint, hint_key),
        Open(hint_opens, hint_key),
        Open(closed_before, tag_key),
        Open(name, text_key, NAME_RULE, once=True),
        Open(name_opens, text_key, NAME_RULE, once=True),
        Open(word, text_key, WORD_RULE, once=True),
    ),
)

# What each family brings is measured by leaving it out.
FAMILIES = {
    "characters": (
        "first_character", "last_character", "sentence_ends", "commas", "separators", "copyright_sign", "price", "digit_share",
        "capital_share", "hiragana_share",
    ),
    "words of texts": ("word", "word_hint"),
    "class and id names": ("name", "name_opens"),
    "meaning of names and elements": ("hint", "hint_opens", "nearest_hint"),
    "tags above": ("parent_tag", "block_tag", "tags_above", "blocks_above", "inside"),
    "where the tree parts": ("opens", "closed_before", "climb", "descent", "depth_change", "block_place"),
    "links": ("link", "target", "size_and_link"),
    "lists and tables": ("list_links", "list_size", "table_links", "table_size"),
    "enclosing sections": (
        "section_links", "section_share", "section_size", "section2_links", "section2_share", "section2_size", "section3_links",
        "section3_share", "section3_size",
    ),
    "place in the page": ("place", "text_before", "from_start", "to_end", "long_texts", "heading_before", "main_heading", "page_links"),
    "repetition": ("siblings", "siblings_above", "repeated_text", "in_title", "heading_elsewhere"),
}  # fmt: skip
