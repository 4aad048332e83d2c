"""A fitted UniquenessExtractor as a folder: arrays in an .npz file and a card in JSON, never a pickle."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ruiji.chunker.crf.folder import CARD_FILE, ModelError, model_folder
from ruiji.chunker.mask import ContentMask, everything
from ruiji.chunker.stack.array_file import read_arrays
from ruiji.chunker.unique.near_index import Presence, Vectors
from ruiji.chunker.unique.template import Places
from ruiji.chunker.unique.twins import Twins
from ruiji.chunker.unique.uniqueness import Uniqueness
from ruiji.corpora.errors import json_of
from ruiji.corpora.files import replacing
from ruiji.features.page.textnodes import TextNodes

FORMAT = 5  # 5: titles and alternative texts of any element are part of a block
KIND = "unique"
ARRAYS_FILE = "repetition.npz"
AGAIN = "fit it anew"

# The learned state: attributes that are arrays, and attributes that are made of arrays.
_ARRAYS = {"site_": "int32", "site_pages_": "int32", "digest_": "uint64", "words_": "uint64"}
_PARTS: dict[str, tuple[type[Any], dict[str, str]]] = {
    "vectors_": (
        Vectors,
        {
            "key": "uint64", "at": "int32", "feature": "int32", "count": "int32", "features": "uint64",
            "page_start": "int32", "of_page": "int32",
        },
    ),
    "twins_": (Twins, {"start": "int32", "pages": "int32", "weight": "float64", "rare": "bool"}),
    "seen_": (Presence, {"keys": "uint64", "pages": "int32", "start": "int32", "has": "int32"}),
    "places_": (Places, {"key": "uint64", "kind": "int8", "fill": "float64"}),
}  # fmt: skip


def save_extractor(extractor: Uniqueness, folder: Path) -> None:
    """Writes a fitted extractor into a folder; the fallback is not part of it."""
    arrays = {name: getattr(extractor, name) for name in _ARRAYS}
    for name, (_, columns) in _PARTS.items():
        arrays |= {f"{name}.{column}": getattr(getattr(extractor, name), column) for column in columns}
    stream = io.BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **arrays)
    data = stream.getvalue()
    settings = extractor.settings()
    card = {
        "format": FORMAT,
        "kind": KIND,
        "settings": settings,
        "hosts": extractor.hosts_,
        "pages": extractor.names_,
        "versions": {"ruiji": version("ruiji")},
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    text = json.dumps(card, ensure_ascii=False, indent=1) + "\n"
    for file, content in ((ARRAYS_FILE, data), (CARD_FILE, text.encode("utf-8", "surrogatepass"))):
        with replacing(folder / file) as out:
            out.write(content)


def load_extractor(name: str | Path, fallback: Callable[[TextNodes], ContentMask] = everything) -> Uniqueness:
    """The fitted extractor in a folder. Raises ModelError."""
    folder = model_folder(str(name))
    try:
        card = json_of((folder / CARD_FILE).read_text(encoding="utf-8", errors="surrogatepass"))
        if not isinstance(card, dict) or card.get("kind") != KIND:
            kind = card.get("kind") if isinstance(card, dict) else None
            raise ModelError(
                f"{name}: a model of kind {kind!r}, not what a uniqueness extractor has learned (kind "
                f"{KIND!r})"
            )
        if card["format"] != FORMAT:
            raise ModelError(
                f"{name}: an extractor of format {card['format']}, this version reads format {FORMAT}; "
                f"{AGAIN}"
            )
        data = (folder / ARRAYS_FILE).read_bytes()
        if hashlib.sha256(data).hexdigest() != card["sha256"]:
            raise ModelError(
                f"{name}: {ARRAYS_FILE} is not the file that the card describes; copy the folder again or "
                f"{AGAIN}"
            )
        extractor = Uniqueness(**card["settings"], fallback=fallback)
        extractor.hosts_, extractor.names_ = list(card["hosts"]), list(card["pages"])
        _restore(extractor, read_arrays(data, _file_arrays()))
        return extractor
    except ModelError:
        raise
    except FileNotFoundError as error:
        raise ModelError(
            f"{name}: not the folder of an extractor, it has no {Path(error.filename).name}"
        ) from error
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
    ) as error:
        raise ModelError(
            f"{name}: the extractor cannot be read ({type(error).__name__}: {error}); {AGAIN}"
        ) from error


def _file_arrays() -> dict[str, str]:
    """The kind and the dimensions of each array in the file."""
    columns = dict(_ARRAYS)
    for name, (_, own) in _PARTS.items():
        columns |= {f"{name}.{column}": dtype for column, dtype in own.items()}
    return {name: f"{np.dtype(dtype).kind}1" for name, dtype in columns.items()}


def _restore(extractor: Uniqueness, arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Sets what was learned. Raises ValueError where the arrays do not fit together."""

    def column(name: str, dtype: str) -> npt.NDArray[Any]:
        if arrays[name].dtype != np.dtype(dtype) or arrays[name].ndim != 1:
            raise ValueError(f"{name} is not a column of {dtype}")
        return arrays[name]

    for name, dtype in _ARRAYS.items():
        setattr(extractor, name, column(name, dtype))
    for name, (made_of, columns) in _PARTS.items():
        setattr(
            extractor,
            name,
            made_of(**{part: column(f"{name}.{part}", dtype) for part, dtype in columns.items()}),
        )
    pages = len(extractor.site_)
    lengths = [
        len(extractor.names_),
        len(extractor.digest_),
        len(extractor.twins_.start) - 1,
        len(extractor.seen_.start) - 1,
    ]
    if any(length != pages for length in lengths) or len(extractor.hosts_) != len(extractor.site_pages_):
        raise ValueError("the arrays are of different numbers of pages")
    _check_places(extractor.vectors_, extractor.twins_, extractor.seen_, extractor.places_, pages)


def _check_places(vectors: Vectors, twins: Twins, seen: Presence, places: Places, pages: int) -> None:
    """Raises ValueError where a number points to nothing."""
    lists = (
        (vectors.at, vectors.feature, len(vectors.features)),
        (vectors.page_start, vectors.of_page, len(vectors)),
        (twins.start, twins.pages, pages), (seen.start, seen.has, len(seen.keys)),
    )  # fmt: skip
    for start, numbers, count in lists:
        if not len(start) or start[0] != 0 or start[-1] != len(numbers) or (np.diff(start) < 0).any():
            raise ValueError("the lists of the arrays do not end where they should")
        if numbers.min(initial=0) < 0 or numbers.max(initial=-1) >= count:
            raise ValueError("a number in the arrays points to nothing")
    columns = (
        (vectors.feature, vectors.count), (vectors.at[1:], vectors.key), (seen.keys, seen.pages),
        (places.key, places.kind), (places.key, places.fill),
    )  # fmt: skip
    if any(len(one) != len(other) for one, other in columns):
        raise ValueError("the columns of the arrays have different lengths")
