"""The baked tables of characters are those of Unicode."""

from __future__ import annotations

import unicodedata

import pytest

from ruiji.features.text.kinds import BMP, TABLES, UNICODE, character_tables, tables_of_unicode


@pytest.mark.skipif(unicodedata.unidata_version != UNICODE, reason="this Python knows another Unicode")
def test_the_file_is_what_unicode_says() -> None:
    assert TABLES.read_bytes() == tables_of_unicode().to_bytes(), "run python -m scripts.bake_tables"


def test_a_character_that_both_know_is_the_same() -> None:
    baked, made = character_tables(), tables_of_unicode()
    assigned = [point for point in range(BMP) if unicodedata.ucd_3_2_0.category(chr(point)) != "Cn"]
    other = [point for point in assigned if baked.kinds[point] != made.kinds[point]]
    assert len(other) < len(assigned) / 1000  # some are moved to another category by later versions
    assert (baked.folded[:0x250] == made.folded[:0x250]).all()
