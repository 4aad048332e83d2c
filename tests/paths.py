"""Where the repository is, and the annotated pages that are not part of it."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).parent.parent
DATA = Path(os.environ.get("RUIJI_DATA", ROOT.parent / "shared" / "data"))
