"""Which annotated pages a chunker learns from: labels checked, sites and the whole thinned out evenly."""

from __future__ import annotations

from collections.abc import Sequence

from ruiji.chunker.annotation.markers import BEGIN, last_comment
from ruiji.chunker.labels import UNSURE, LabelArray, as_numbers
from ruiji.features.page.textnodes import TextNodes

Labels = Sequence[str] | LabelArray
FEW_PAGES = 20  # below which a CRF of this size learns pages by heart (our learning curves, docs/evaluation)


def checked_labels(X: Sequence[TextNodes], y: Sequence[Labels]) -> list[LabelArray]:  # noqa: N803
    """The labels as numbers. Raises ValueError where they do not fit the pages."""
    labels = [as_numbers(own) for own in y]
    if len(labels) != len(X):
        raise ValueError(f"{len(X)} pages, but labels of {len(labels)}")
    for page, own in zip(X, labels, strict=True):
        if len(page) != len(own):
            raise ValueError(
                f"a page of {page.host or 'no host'} has {len(page)} text nodes, but {len(own)} labels"
            )
    if not any((own != UNSURE).any() for own in labels):
        raise ValueError("no text node to learn from")
    return labels


def spread(
    X: Sequence[TextNodes],  # noqa: N803
    labels: Sequence[LabelArray],
    per_site: int | None,
    max_pages: int | None,
) -> tuple[Sequence[TextNodes], Sequence[LabelArray]]:
    """The pages to learn from: of each site at most so many, evenly spaced among its own, and so many of what
    is left.
    """
    chosen = spread_numbers(X, per_site, max_pages)
    return [X[number] for number in chosen], [labels[number] for number in chosen]


def spread_numbers(X: Sequence[TextNodes], per_site: int | None, max_pages: int | None) -> list[int]:  # noqa: N803
    """The same as numbers of the pages."""
    of_site: dict[str, list[int]] = {}
    for number, page in enumerate(X):
        of_site.setdefault(page.host, []).append(number)
    chosen = []
    for host, own in of_site.items():
        chosen += evenly_spaced(own, per_site if host else None)  # without a host nobody knows the site
    return evenly_spaced(sorted(chosen), max_pages)


def with_regions(X: Sequence[TextNodes]) -> list[int]:  # noqa: N803
    """The numbers of the pages that have annotated regions, not a plain text that was aligned."""
    return [
        number
        for number, page in enumerate(X)
        if any(last_comment(comment) == BEGIN for _, comment in page.marks)
    ]


def evenly_spaced(numbers: list[int], most: int | None) -> list[int]:
    """At most so many of the numbers, evenly spaced."""
    if most is None or len(numbers) <= most:
        return numbers
    return [numbers[place * len(numbers) // most] for place in range(most)]
