"""Random bytes decoded by us and by Chromium's TextDecoder: the same text, for every Japanese encoding
and others of more than a byte a character.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from ruiji.corpora.encoding.encodings import decode
from tests.browser import needs_chromium

pytestmark = needs_chromium

CASES = int(os.environ.get("RUIJI_FAULT_ROUNDS", "400"))
SEED = os.environ.get("RUIJI_FAULT_SEED", "")
# Bytes that mean something to the decoders, drawn often, so that sequences come near to being right.
PIECES = {
    "iso-2022-jp": [b"\x1b$B", b"\x1b$@", b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b", b"\x1b$", b"\x1b(",
        b"$\"", b"0!",
                    b"A", b"\\", b"~", b"\n", b"\x0e", b"\x80", b"\x21", b"\x7e"],
    "shift_jis": [b"\x82\xa0", b"\x81\x40", b"\x87\x40", b"\xb1", b"A", b"<", b"\x80", b"\xa0", b"\xfd",
        b"\x81"],
    "euc-jp": [b"\xa4\xa2", b"\xad\xa1", b"\x8e\xb1", b"\x8f\xb0\xa1", b"A", b"<", b"\x80", b"\xa4", b"\x8f",
        b"\xff"],
    "utf-8": [b"\xe3\x81\x82", b"\xef\xbb\xbf", b"\xc0\x80", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80",
        b"\xf4\x90", b"\xe3\x81", b"\xf0\x9f", b"A", b"<", b"\xff", b"\x80"],
    "gb18030": [b"\xb0\xa1", b"\x84\x31", b"\x81\x30\x81\x30", b"\x84\x31\xa4", b"\xfe1\x841", b"\x80",
        b"\xff", b"A", b"<", b"1"],
    "euc-kr": [b"\xb0\xa1", b"\x81A", b"\xc8\xfe", b"\xc9\xa1", b"A", b"<", b"\x80", b"\xff"],
}  # fmt: skip


def bodies(encoding: str) -> list[bytes]:
    dice = random.Random(f"decoding {encoding}{SEED}")
    drawn = []
    for _ in range(CASES):
        pieces = [
            dice.choice(PIECES[encoding]) if dice.random() < 0.8 else dice.randbytes(1)
            for _ in range(dice.randrange(1, 14))
        ]
        drawn.append(b"".join(pieces))
    return drawn


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    tab = chromium.new_page()
    yield tab
    tab.close()


@pytest.mark.parametrize("encoding", PIECES)
def test_random_bytes_are_read_as_in_a_browser(encoding: str, page: Page) -> None:
    drawn = bodies(encoding)
    script = (
        "([label, bodies]) => bodies.map(body => new TextDecoder(label, {ignoreBOM: true})"
        ".decode(new Uint8Array(body)))"
    )
    shown = page.evaluate(script, [encoding, [list(body) for body in drawn]])
    different = {
        body: (own, theirs)
        for body, theirs in zip(drawn, shown, strict=True)
        if (own := decode(body, encoding)[0]) != theirs and not known_difference(encoding, body)
    }
    assert not different


# Where Chromium leaves the standard: after an escape that breaks off it forgets the byte before the one that
# broke it, after half a character of JIS X 0212 it takes the next one for such; and see test_encodings.
LEFT_BY_CHROMIUM = {
    "iso-2022-jp": re.compile(rb"\x1b\((?![BJI])|\x1b\$(?![@B])|\x1c"),
    "euc-jp": re.compile(rb"\x8f(?![\xa1-\xfe]{2})|\xa1\xa1|\x8f\xa2\xb7"),
}


def known_difference(encoding: str, body: bytes) -> bool:
    return encoding in LEFT_BY_CHROMIUM and LEFT_BY_CHROMIUM[encoding].search(body) is not None
