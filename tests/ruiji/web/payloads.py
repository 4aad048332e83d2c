"""Pages that try to run scripts, leave the machine or break out of their frame. None may succeed;
``__ruined`` is the canary.
"""

from __future__ import annotations

import re
from pathlib import Path

RUIN = "top.__ruined=1;alert(1)"
OUT = "http://evil.example/steal"


def _families() -> dict[str, list[str]]:
    """The attempts of each family in ``payloads.txt``; one line each, but for those that go on below."""
    text = (Path(__file__).parent / "payloads.txt").read_text(encoding="utf-8")
    families = {}
    for part in re.split(r"^== ", text, flags=re.MULTILINE)[1:]:
        name, _, lines = part.partition("\n")
        attempts = re.findall(r"^\S.*\n(?:p\{.*\n)?", lines, re.MULTILINE)
        families[name] = [attempt.strip().replace("RUIN", RUIN).replace("OUT", OUT) for attempt in attempts]
    return families


FAMILIES = _families()
ATTEMPTS = {f"{name} {place}": text for name, texts in FAMILIES.items() for place, text in enumerate(texts)}
# All of a family on one page, for texts and for tests that drive the whole application
PAYLOADS = {name: "\n".join(texts) for name, texts in FAMILIES.items()}
TITLE = f"<title>&lt;/title&gt;&lt;script&gt;{RUIN}&lt;/script&gt;&lt;img src=x onerror={RUIN}&gt;</title>"
FILE_NAME = "<img src=x onerror=alert(1)>'\".html"


def payload_page(payload: str) -> str:
    return (
        f"<!DOCTYPE html><html><head>{TITLE}</head><body><h1>Heading</h1>{payload}"
        "<p>The end of the page.</p></body></html>"
    )
