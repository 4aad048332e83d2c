"""Trained models: a folder with a CRFsuite file and a card in JSON, never a pickle.

The card says what the model was made from and how; it holds no date, so that the same data gives the same
bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruiji.chunker.crf.model_file import NotAModel
from ruiji.corpora.errors import json_of
from ruiji.corpora.files import replacing
from ruiji.corpora.page import InputError
from ruiji.features.blocks.families import column_names
from ruiji.features.nodes.attributes import FeatureSet
from ruiji.features.nodes.sets import NoFeatureSet, feature_set, set_name

if TYPE_CHECKING:  # scikit-learn takes a second to import: only loading a model waits for it
    from ruiji.chunker.annotation.examples import Example
    from ruiji.chunker.crf.estimator import CrfChunker
    from ruiji.chunker.crf.labeller import Labeller
    from ruiji.chunker.stack.ensemble import Ensemble

FORMAT = 1
MOST_BYTES = 256 << 20  # of a file of a model; those that are shipped have 1.6 MB at most
MODEL_FILE = "model.crfsuite"
TREES_FILE = "trees.txt"  # of the ensemble below the CRF: trees in LightGBM's own format,
NETWORK_FILE = "network.npz"  # and a network as plain arrays
CARD_FILE = "card.json"
CALIBRATION_FILE = (
    "calibration.json"  # how good the model expected to be on pages that it had not seen, and was
)
CALIBRATED = ("expected_f1", "precision", "recall", "F1")  # its columns of numbers, beside ``group``
SHIPPED = Path(__file__).parent.parent / "pretrained"


class ModelError(InputError):
    """A model that cannot be used; the message is one sentence that says what to do.

    >>> import ruiji
    >>> try:
    ...     ruiji.load_model("nowhere")
    ... except ModelError as error:
    ...     print(str(error).partition(";")[0])
    no model 'nowhere'
    """


def save_model(
    chunker: CrfChunker,
    folder: str | Path,
    examples: Sequence[Example] = (),
    scores: Mapping[str, Any] | None = None,
    teacher: str = "annotations",
    about: Mapping[str, Any] | None = None,
    calibration: Mapping[str, Sequence[float | str]] | None = None,
) -> None:
    """Writes a fitted chunker into a folder; ``teacher`` is who labelled the examples, ``about`` what else
    the card is to tell, ``calibration`` the columns of CALIBRATION_FILE.

    Raises ValueError where its settings were changed after it was fitted.
    """
    if chunker.feature_set().schema() != chunker.attributes_.features.schema():
        raise ValueError("the features were changed after fit; fit the chunker again before saving it")
    card = (
        json.dumps(
            dict(about or {}) | model_card(chunker, examples, scores, teacher), ensure_ascii=False, indent=1
        )
        + "\n"
    )
    files = {MODEL_FILE: chunker.model_, CARD_FILE: card.encode()}
    files |= _ensemble_files(chunker)
    if calibration is not None:
        files[CALIBRATION_FILE] = (json.dumps(calibration, separators=(",", ":")) + "\n").encode()
    for name, data in files.items():
        with replacing(Path(folder) / name) as stream:
            stream.write(data)


def model_card(
    chunker: CrfChunker,
    examples: Sequence[Example] = (),
    scores: Mapping[str, Any] | None = None,
    teacher: str = "annotations",
) -> dict[str, Any]:
    """What there is to know of a model."""
    from importlib.metadata import version

    from ruiji.chunker.annotation.examples import digest, page_digest
    from ruiji.chunker.crf.languages import languages_of

    parameters = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in chunker.get_params().items()
    }
    return {
        "format": FORMAT,
        "kind": "crf",
        "schema": schema_digest(chunker.feature_set()),
        "settings": parameters | {"features": set_name(chunker.features)},
        **({"features_from": outside} if (outside := features_from_outside(chunker.feature_set())) else {}),
        "labels": chunker.classes_.tolist(),
        "attributes": {name: len(values) for name, values in sorted(chunker.attributes_.values.items())},
        "keywords": sorted(chunker.attributes_.values.get("keyword", ())),
        "data": {
            "pages": len(examples),
            "sites": len({example.site for example in examples}),
            "text_nodes": sum(len(example.labels) for example in examples),
            "sha256": digest(examples),
            "labelled_by": teacher,
            "languages": languages_of([page.nodes for page in examples if page.nodes is not None]),
            "page_digests": " ".join(sorted({page_digest(example) for example in examples})),
        },
        "versions": {name: version(name) for name in ("ruiji", "python-crfsuite", "unidic-lite")},
        "sha256": hashlib.sha256(chunker.model_).hexdigest(),
        **(
            {"below": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}}
            if (files := _ensemble_files(chunker))
            else {}
        ),
        "scores": dict(scores or {}),
    }


def features_from_outside(features: FeatureSet) -> dict[str, str]:
    """Of each feature that is not of this package the function that makes it."""
    return {
        feature.name: f"{feature.function.__module__}.{feature.function.__qualname__}"
        for feature in features.features
        if not feature.function.__module__.startswith("ruiji.")
    }


def read_card(name: str | Path) -> dict[str, Any]:
    """The card of a model, given by path or name. Raises ModelError."""
    try:
        card = json_of(_read_bytes(model_folder(str(name)) / CARD_FILE))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{name}: the card cannot be read ({error}); train it anew") from error
    if not isinstance(card, dict):
        raise ModelError(f"{name}: the card cannot be read (it is no object); train it anew")
    return card


def read_calibration(name: str | Path) -> dict[str, list[float]]:
    """How good a model expected to be on pages that it had not seen, and how good it was, page by page: the
    columns CALIBRATED, words of pages. Raises ModelError where the model has none.
    """
    try:
        columns = json_of(_read_bytes(model_folder(str(name)) / CALIBRATION_FILE))
        shares = {column: [float(value) for value in columns[column]] for column in CALIBRATED}
        if len({len(own) for own in shares.values()}) > 1:
            raise ValueError("its columns have different lengths")
        if not all(0 <= value <= 1 for own in shares.values() for value in own):
            raise ValueError("a share is not between 0 and 1")
        return shares
    except (OSError, ValueError, KeyError, TypeError, RecursionError, OverflowError) as error:
        raise ModelError(
            f"{name}: how good it is on pages that it has not seen is not known ({CALIBRATION_FILE} "
            "cannot be read); use the shipped model"
        ) from error


@dataclass(frozen=True, slots=True, eq=False)
class ModelFiles:
    """What a model folder holds: the settings on its card, the CRF's bytes, the ensemble below it."""

    settings: Mapping[str, Any]
    data: bytes
    ensemble: Ensemble | None

    def feature_set(self) -> FeatureSet:
        """The features that the settings name."""
        return feature_set(*(self.settings[name] for name in ("features", "without", "keywords")))


def load_model(name: str | Path, features: str | FeatureSet | None = None) -> CrfChunker:
    """The model of that path, or the shipped one of that name. Raises ModelError.

    ``features`` is the feature set that it was trained with, for one that cannot be found by the name on the
    card. A card that names ``MODULE:NAME`` has that module imported from the Python path, never from the
    model's folder.
    """
    from ruiji.chunker.crf.estimator import CrfChunker

    with _errors_of_model(name):
        files = _read_files(name, features)
        return CrfChunker(**files.settings).set_model(files.data, files.ensemble)


def load_labeller(name: str | Path) -> Labeller:
    """What the model of that path, or the shipped one of that name, makes of pages. Raises ModelError."""
    from ruiji.chunker.crf.labeller import labeller_of

    with _errors_of_model(name):
        files = _read_files(name)
        decoding, beta, sharpness = (files.settings[own] for own in ("decoding", "beta", "sharpness"))
        return labeller_of(files.data, files.feature_set(), files.ensemble, decoding, beta, sharpness)


def _read_files(name: str | Path, features: str | FeatureSet | None = None) -> ModelFiles:
    """The files of a model, checked against its card."""
    folder = model_folder(str(name))
    card = json_of(_read_bytes(folder / CARD_FILE))
    data = _read_bytes(folder / MODEL_FILE)
    if card["format"] != FORMAT:
        raise ModelError(
            f"{name}: a model of format {card['format']}, this version reads format {FORMAT}; train it anew"
        )
    settings = {**card["settings"], "without": tuple(card["settings"]["without"])}
    if features is not None:
        settings["features"] = features
    files = ModelFiles(settings, data, _read_ensemble(folder, card, name))
    if schema_digest(files.feature_set()) != card["schema"]:
        raise ModelError(
            f"{name}: its features are not those of this version (set {set_name(settings['features'])}); "
            "train it anew"
        )
    if hashlib.sha256(data).hexdigest() != card["sha256"]:
        raise ModelError(
            f"{name}: {MODEL_FILE} is not the file that the card describes; "
            "copy the folder again or train it anew"
        )
    return files


@contextmanager
def _errors_of_model(name: str | Path) -> Iterator[None]:
    """What goes wrong meanwhile is raised as ModelError."""
    try:
        yield
    except ModelError:
        raise
    except (NoFeatureSet, ImportError) as error:
        missing = ModelError(f"{name}: {error}")
        missing.add_note("load_model(folder, features=...) takes them as they are")  # for Python alone
        raise missing from error
    except FileNotFoundError as error:
        raise ModelError(f"{name}: not a model folder, it has no {Path(error.filename).name}") from error
    except NotAModel as error:
        raise ModelError(f"{name}: {error}; train it anew") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(
            f"{name}: the card cannot be read ({type(error).__name__}: {error}); train it anew"
        ) from error


def _ensemble_files(chunker: CrfChunker) -> dict[str, bytes]:
    """The files of the ensemble below the CRF, where there is one."""
    ensemble = chunker.ensemble_
    return (
        {}
        if ensemble is None
        else {TREES_FILE: ensemble.trees.text, NETWORK_FILE: ensemble.network.to_bytes()}
    )


def _read_ensemble(folder: Path, card: Mapping[str, Any], name: str | Path) -> Ensemble | None:
    """The ensemble below the CRF, where the card names one. Raises ModelError."""
    if "below" not in card:
        return None
    from ruiji.chunker.stack.ensemble import Ensemble
    from ruiji.chunker.stack.network import NotANetwork, read_network
    from ruiji.chunker.stack.tree_file import NotTrees
    from ruiji.chunker.stack.trees import BlockTrees

    files = {own: _read_bytes(folder / own) for own in (TREES_FILE, NETWORK_FILE)}
    for own, data in files.items():
        if hashlib.sha256(data).hexdigest() != card["below"][own]:
            raise ModelError(
                f"{name}: {own} is not the file that the card describes; "
                "copy the folder again or train it anew"
            )
    try:
        ensemble = Ensemble(BlockTrees(files[TREES_FILE]), read_network(files[NETWORK_FILE]))
    except (NotTrees, NotANetwork) as error:
        own = TREES_FILE if isinstance(error, NotTrees) else NETWORK_FILE
        raise ModelError(f"{name}: {own}: {error}; train it anew") from error
    for own, columns in ((TREES_FILE, ensemble.trees.columns), (NETWORK_FILE, ensemble.network.columns)):
        if tuple(columns) != column_names():
            raise ModelError(
                f"{name}: {own} was made from other numbers than those of this version; train it anew"
            )
    return ensemble


def _read_bytes(path: Path) -> bytes:
    """What a file of a model holds. Raises ValueError where that is more than any model has."""
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path.name} has {path.stat().st_size} bytes; no model has more than {MOST_BYTES}")
    return path.read_bytes()


def model_folder(name: str) -> Path:
    """The folder of that path, or of the shipped model of that name. Raises ModelError."""
    folder = Path(name)
    if folder.is_dir():
        return folder
    folder = SHIPPED / name
    if "/" in name or not folder.is_dir():
        shipped = sorted(path.name for path in SHIPPED.iterdir() if path.is_dir()) if SHIPPED.is_dir() else []
        there = f"shipped models: {', '.join(shipped)}" if shipped else "none is shipped yet; train one"
        raise ModelError(f"no model {name!r}; {there}")
    return folder


def model_digest(name: str) -> str:
    """A number that stands for a model as it is now: that of its card, which holds that of its weights.
    Raises ModelError.
    """
    try:
        return hashlib.sha256((model_folder(name) / CARD_FILE).read_bytes()).hexdigest()
    except OSError as error:
        raise ModelError(
            f"{name}: not a model folder, its {CARD_FILE} cannot be read: {error.strerror}"
        ) from error


def schema_digest(features: FeatureSet) -> str:
    """A short number that stands for the features and their values."""
    return hashlib.sha256("\n".join([features.name, *features.schema()]).encode()).hexdigest()[:16]
