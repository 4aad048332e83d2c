"""Why a node has its label: attributes, transitions and what the models below add, strongest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    pass


class Reason(NamedTuple):
    """An attribute, how often the node has it, and what it adds to the scores of O, B and I."""

    attribute: str
    times: int
    content: float
    begins: float
    inside: float

    @property
    def pull(self) -> float:
        """How far it pulls content and non-content apart."""
        return abs(self.content - max(self.begins, self.inside))


@dataclass(frozen=True, slots=True)
class NodeExplanation:
    """Why a node has its label: the strongest reasons first."""

    text: str
    label: str
    probability: Mapping[str, float]
    reasons: Sequence[Reason]

    def __str__(self) -> str:
        lines = [
            f"{self.text.strip()[:60]!r}: {self.label}, "
            + ", ".join(f"{name} {value:.3f}" for name, value in self.probability.items())
        ]
        lines += [f"  {name:40} O {o:+.2f}  B {b:+.2f}  I {i:+.2f}" for name, _, o, b, i in self.reasons]
        return "\n".join(lines)
