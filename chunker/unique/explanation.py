"""Why a block is content or not by uniqueness: who else has it, and where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BlockExplanation:
    """Why the block of a node is content or not; ``pages`` have the block or one like it, ``twins`` were not
    compared.
    """

    text: str
    content: bool
    score: float
    decided_by: str
    path: str
    share: float
    compared: int
    pages: Sequence[str]
    twins: Sequence[str]
    byline: bool
    template_place: bool
    fill: float

    def __str__(self) -> str:
        lines = [
            f"{self.text[:60]!r}: {'content' if self.content else 'non-content'}, {self.score:.2f}, "
            f"decided by {self.decided_by}",
            f"  at {self.path}"
            + (f", a place that is {self.fill:.0%} links and repetition" if self.template_place else ""),
            f"  {self.share:.0%} of the {self.compared} pages of the site that this page is compared with "
            "have it here",
            f"  {len(self.pages)} other pages have it or one like it: "
            f"{', '.join(self.pages[:10])}{' …' if len(self.pages) > 10 else ''}",
        ]
        if self.byline:
            lines.append("  it is a date or a by-line")
        if self.twins:
            lines.append(
                f"  not compared with {', '.join(self.twins[:10])}: the same article, or one contains the "
                "other"
            )
        return "\n".join(lines)
