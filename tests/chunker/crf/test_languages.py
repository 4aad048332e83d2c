"""A model is asked about a language that its card does not know."""

from __future__ import annotations

import pytest

from ruiji.chunker.crf.languages import language_caution, languages_of
from tests.factories import make_nodes

ENGLISH = "<p>All the ships in the harbour were painted blue this summer, and nobody knows why they were.</p>"
JAPANESE = "<p>この夏、港の船はみな青く塗られたが、なぜなのかは誰も知らない。</p>"
GERMAN = "<p>Im Sommer wurden alle Schiffe im Hafen blau gestrichen, und niemand weiß, warum das so ist.</p>"


def test_pages_are_counted_by_language_the_most_frequent_first() -> None:
    pages = [make_nodes(html) for html in (ENGLISH, JAPANESE, ENGLISH, GERMAN, "<p>—</p>")]
    assert list(languages_of(pages).items()) == [("en", 2), ("de", 1), ("ja", 1)]


def test_the_longest_texts_say_the_language_and_kana_do_before() -> None:
    menu = "<ul><li>Home</li><li>Archive</li><li>About this site</li></ul>"
    code = "<pre>" + "for name in sorted(found): print(name, found[name])\n" * 2 + "</pre>"
    assert languages_of([make_nodes(menu + GERMAN), make_nodes(menu + code + JAPANESE)]) == {"de": 1, "ja": 1}


@pytest.mark.parametrize(
    ("learned", "asked", "is_said"),
    [
        ({"ja": 40, "en": 3}, {"en": 3}, True),
        ({"ja": 40, "en": 3}, {"ja": 2, "en": 1}, False),
        ({"en": 1000, "ja": 25}, {"ja": 10}, False),  # few of its pages, but enough to have seen it
        ({"ja": 8}, {"ja": 3}, False),  # few pages, which training has said
        ({"ja": 8}, {"ja": 1, "de": 1, "en": 1}, False),  # no language that most pages are in
        ({"ja": 8}, {}, False),
        ({}, {"ja": 3}, False),
    ],
)
def test_a_caution_where_the_model_has_learned_from_hardly_any_page_of_the_language(
    learned: dict[str, int], asked: dict[str, int], is_said: bool
) -> None:
    assert bool(language_caution({"data": {"languages": learned}}, asked)) == is_said


def test_a_card_that_does_not_tell_languages_is_no_reason_to_say_anything() -> None:
    assert language_caution({"data": {"pages": 9}}, {"en": 3}) == ""
    assert language_caution({}, {"en": 3}) == ""
