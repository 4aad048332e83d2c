"""Results as pandas frames: pages, text nodes, folds, region kinds and the weights of a model.

frame = node_frame(scores)              # one row a text node: truth, label, score, path, fold, site …
frame.to_parquet("nodes.parquet")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ruiji.chunker.annotation.examples import Example
from ruiji.chunker.evaluation.crossval import Scores
from ruiji.chunker.evaluation.errors import node_kinds, scores_by_kind
from ruiji.chunker.labels import LABELS, O, as_names
from ruiji.chunker.metrics import NAMES

if TYPE_CHECKING:
    import pandas as pd

    from ruiji.chunker.crf.estimator import CrfChunker


def score_frame(scores: Scores, table: str) -> pd.DataFrame:
    """The frame of that name. Raises ValueError, with the names that there are, for another."""
    frames = {"pages": page_frame, "nodes": node_frame, "folds": fold_frame, "kinds": kind_frame}
    if table not in frames:
        raise ValueError(f"no table {table!r}; there are {', '.join(frames)}")
    return frames[table](scores)


def page_frame(scores: Scores) -> pd.DataFrame:
    """One row a page: id, site, fold, kind of page where the input names it, text nodes, and every metric."""
    import pandas as pd

    rows = [
        {
            "id": page.example.id,
            "site": page.example.site,
            "fold": page.fold,
            "page_kind": page.example.page_kind,
            "nodes": page.counts.nodes,
            **page.counts.as_dict(),
        }
        for page in scores.pages
    ]
    return pd.DataFrame(rows, columns=["id", "site", "fold", "page_kind", "nodes", *NAMES])


def example_frame(examples: Sequence[Example]) -> pd.DataFrame:
    """One row an annotated page: id, site, kind of page, text nodes and those that are content, the length of
    its content, and why it gives none.
    """
    import pandas as pd

    return pd.DataFrame(
        {
            "id": [example.id for example in examples],
            "site": [example.site for example in examples],
            "page_kind": [example.page_kind for example in examples],
            "nodes": [len(example.labels) for example in examples],
            "content_nodes": [int((example.labels == O).sum()) for example in examples],
            "content_chars": [len(example.text) for example in examples],
            "error": [example.error for example in examples],
        }
    )


def node_frame(scores: Scores) -> pd.DataFrame:
    """One row a text node: where it stands, what it says, its true label, the predicted one, the probability
    of content, and the kind of its region.
    """
    import pandas as pd

    parts = []
    for page in scores.pages:
        nodes = page.example.nodes
        if nodes is None:
            continue
        paths = nodes.element_paths()
        parts.append(
            pd.DataFrame(
                {
                    "id": page.example.id,
                    "site": page.example.site,
                    "fold": page.fold,
                    "page_kind": page.example.page_kind,
                    "node": range(len(nodes)),
                    "truth": as_names(page.example.labels),
                    "label": as_names(page.labels),
                    "score": page.score,
                    "region_kind": node_kinds(page),
                    "path": [paths[element] for element in nodes.element.tolist()],
                    "text": list(nodes.texts),
                }
            )
        )
    columns = "id site fold page_kind node truth label score region_kind path text".split()
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def fold_frame(scores: Scores) -> pd.DataFrame:
    """One row a fold, every metric."""
    import pandas as pd

    return pd.DataFrame([fold.as_dict() for fold in scores.folds], columns=list(NAMES)).rename_axis("fold")


def kind_frame(scores: Scores) -> pd.DataFrame:
    """One row a kind of region (Nakamura 2007, section 3.1): how many there are, and how many were found."""
    import pandas as pd

    rows = {
        kind: {
            "regions": own.regions,
            "same_regions": own.same_regions,
            "nodes": own.nodes,
            "marked_nodes": own.marked_nodes,
            "wrongly_marked_nodes": own.wrongly_marked_nodes,
        }
        for kind, own in scores_by_kind(scores.pages).items()
    }
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("region_kind")
    if len(frame):
        frame["recall"] = frame["marked_nodes"] / frame["nodes"].where(frame["nodes"] > 0)
    return frame


def together(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The rows of several contenders under each other, with a column that says whose they are."""
    import pandas as pd

    named = [frame.assign(contender=name) for name, frame in frames.items()]
    return pd.concat(named, ignore_index=True)


def weight_frame(chunker: CrfChunker) -> pd.DataFrame:
    """One row an attribute of a fitted CRF with its weight for each label, those that tell content from
    non-content most first.
    """
    import pandas as pd

    frame = pd.DataFrame(chunker.weights_, columns=list(LABELS))
    frame.insert(0, "attribute", chunker.attributes_.names())
    frame["pull"] = frame["O"] - frame[["B", "I"]].max(axis=1)
    frame = frame[(frame[list(LABELS)] != 0).any(axis=1)]
    order = frame["pull"].abs().sort_values(ascending=False, kind="stable").index
    return frame.loc[order].reset_index(drop=True)
