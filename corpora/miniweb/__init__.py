"""The bundled mini-web: a small fictional corner of the Japanese web, with what is true of it (README.md
beside this file).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

MINIWEB = Path(__file__).parent


def load_truth() -> dict[str, Any]:
    """``truth.json``: pairs with relation and category, copied passages, corresponding records,
    contradictions.
    """
    truth: dict[str, Any] = json.loads((MINIWEB / "truth.json").read_text(encoding="utf-8"))
    return truth
