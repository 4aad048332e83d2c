"""When a page was last changed, as one notation that sorts."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

UNDATED = "9999"  # sorts after every date
_ISO = re.compile(r"\d{4}-\d\d(?:-\d\d)?")


def utc_time(text: str) -> str:
    """The time of an HTTP header or ISO 8601 text as 2024-11-05T07:12:00Z; "" where there is none that can be
    read.
    """
    text = text.strip()
    try:
        time = datetime.fromisoformat(text) if _ISO.match(text) else parsedate_to_datetime(text)
        time = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
    return f"{time:%Y-%m-%dT%H:%M:%SZ}".rjust(20, "0")
