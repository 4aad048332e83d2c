"""What a CRFsuite model file holds: labels, attributes and their weights, read as arrays.

The format is that of CRFsuite 0.12 (``crf1d_model.c``, ``cqdb.c``): a header, the features (type, source,
destination, weight), and two constant databases for the names of labels and of attributes. Reading it
ourselves gives the weights as the doubles they are; the library's own dump rounds them.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_HEADER = struct.Struct("<4sI4sIIIIIIIII")
_CHUNK = struct.Struct("<4sII")
_DATABASE = struct.Struct("<4sIIIII")
_FEATURE = np.dtype([("type", "<u4"), ("source", "<u4"), ("destination", "<u4"), ("weight", "<f8")])
_STATE, _TRANSITION = 0, 1
MOST_LABELS = 16  # ours are three


class NotAModel(ValueError):
    """Bytes that are no CRFsuite model."""


@dataclass(frozen=True, slots=True, eq=False)
class CrfModel:
    """Weights of attributes (a row an attribute, a column a label) and of transitions (from a row's label to
    a column's).
    """

    labels: list[str]
    attributes: list[str]
    state: npt.NDArray[np.float64]
    transition: npt.NDArray[np.float64]


def read_model(data: bytes) -> CrfModel:
    """The model in the bytes of a file. Raises NotAModel."""
    try:
        magic, size, kind, _, _, labels, attributes, features_at, labels_at, attributes_at, _, _ = (
            _HEADER.unpack_from(data)
        )
        if magic != b"lCRF" or kind != b"FOMC" or size > len(data):
            raise NotAModel("not a CRFsuite model of first order")
        chunk, _, count = _CHUNK.unpack_from(data, features_at)
        if chunk != b"FEAT":
            raise NotAModel("the model has no features")
        features = np.frombuffer(data, _FEATURE, count, features_at + _CHUNK.size)
        if labels > MOST_LABELS:  # weights are kept for each of them and each attribute
            raise NotAModel(f"the model has {labels} labels; at most {MOST_LABELS} are known here")
        label_names = _names(data, labels_at, labels)
        attribute_names = _names(data, attributes_at, attributes)
    except (struct.error, ValueError, UnicodeDecodeError) as error:
        raise NotAModel(f"damaged or no CRFsuite model ({error})") from error
    state = np.zeros((len(attribute_names), len(label_names)))
    transition = np.zeros((len(label_names), len(label_names)))
    for weights, which in ((state, _STATE), (transition, _TRANSITION)):
        chosen = features[features["type"] == which]
        if len(chosen) and (
            chosen["source"].max() >= len(weights) or chosen["destination"].max() >= len(label_names)
        ):
            raise NotAModel("damaged: a weight belongs to nothing")
        if not np.isfinite(chosen["weight"]).all():
            raise NotAModel("damaged: a weight is no number")
        weights[chosen["source"], chosen["destination"]] = chosen["weight"]
    return CrfModel(label_names, attribute_names, state, transition)


def _names(data: bytes, at: int, count: int) -> list[str]:
    """The strings of a constant database, by number."""
    chunk, _, _, _, size, offsets_at = _DATABASE.unpack_from(data, at)
    if chunk != b"CQDB" or size < count:
        raise NotAModel("the names are damaged")
    offsets = np.frombuffer(data, "<u4", count, at + offsets_at).tolist()
    names = []
    left = len(data)  # names that lie over each other must not take more than the file has
    for offset in offsets:
        _, length = struct.unpack_from("<II", data, at + offset)
        start = at + offset + 8
        left -= length
        if start + length > len(data) or left < 0:
            raise NotAModel("the names are cut off")
        names.append(data[start : start + length - 1].decode("utf-8"))
    return names
