"""Whether a name stands on a page in passing: of a reader who left a comment, or of somebody who is thanked.

Such a name is of a person and makes no record: the page says nothing about them. A time beside a name is no
sign of it, for talks have one too.
"""

from __future__ import annotations

import re

from ruiji.detector.records.markup.lines import Line, PageLines

NEAR = 4  # lines below a name in which a comment shows that it is one
LONGEST_THANKS = 40  # characters of a heading that thanks

# What a forum says of the account of somebody who writes there.
_ACCOUNT = r"(?:messages|posts|reaction score|threads|投稿数|投稿記事)\s?[:：]?(?:\s?[\d,.]{1,9}[km]?)?"
_POSTER = re.compile(_ACCOUNT, re.IGNORECASE)
_ANSWERED = re.compile(
    r"(?:log in to )?repl(?:y|ies)(?: to .{1,40})?|permalink|(?:.{1,40} )?says?:"
    r"|commented(?: on)?:?|quote|like"
    r"|(?:over )?(?:an?|\d{1,3}) (?:minutes?|hours?|days?|weeks?|months?|years?) ago"
    r"|(?:commented|answered|asked|edited) .{4,40}|improve this (?:answer|question)"
    rf"|{_ACCOUNT}"
    r"|返信(?:する)?|このコメントに返信|\d{1,3}(?:分|時間|日|週間|[かヶカ]月|年)前",
    re.IGNORECASE,
)
# Not "special thanks", under which conferences list people like their staff.
_THANKS = re.compile(r"acknowledge?ments?|感謝|謝辞", re.IGNORECASE)


def is_thanked(page: PageLines, line: Line) -> bool:
    """Whether the heading over a line thanks those below it."""
    above = page.headings[line.number]
    heading = page.lines[above[-1]].text if above else ""
    return len(heading) <= LONGEST_THANKS and bool(_THANKS.fullmatch(heading.strip(" 　:：!！")))


def is_commented(page: PageLines, line: Line) -> bool:
    """Whether what follows a line can be said of a comment only."""
    return any(_ANSWERED.fullmatch(other.text.strip(" 　|·»")) for other in _following(page, line))


def is_poster(page: PageLines, line: Line) -> bool:
    """Whether what follows a line is said of an account in a forum."""
    return any(_POSTER.fullmatch(other.text.strip()) for other in _following(page, line))


def _following(page: PageLines, line: Line) -> list[Line]:
    """The next lines, up to one of the same look, which begins something else."""
    lines: list[Line] = []
    for other in page.lines[line.number + 1 : line.number + 1 + NEAR]:
        if other.look == line.look and other.order == line.order:
            break
        lines.append(other)
    return lines
