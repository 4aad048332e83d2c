"""What the labels of fields mean: 職名, 役職 and Position are one field.

``data/concepts.toml`` holds general knowledge, in Japanese and English; a user's schema comes before it.
What neither knows is learned from values (detector/records/compare/learned_labels.py) or compared under its
own name.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from ruiji.corpora.errors import json_of
from ruiji.detector.records.fields.data import data_text

KINDS = (
    "name",
    "mail",
    "phone",
    "date",
    "number",
    "money",
    "url",
    "text",
    "post",
    "place",
    "hours",
    "code",
    "when",
)


class SchemaError(ValueError):
    """A schema file that cannot be used; the message says what to change."""


@dataclass(frozen=True, slots=True)
class Concept:
    """One field whatever it is called: its labels (the first stands for it), the kind of its values, and how
    it behaves.

    ``changing``: it changes as a matter of course, so that an old page may rightly say something else.
    ``key``: it says who or what the record is about. ``words``: of the classes by which pages name an element
    that holds it.
    """

    name: str
    kind: str
    labels: tuple[str, ...]
    changing: bool = False
    key: bool = False
    words: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def built_in_concepts() -> tuple[Concept, ...]:
    """The concepts of ``data/concepts.toml``, in its order, which decides when two share a label."""
    return tuple(
        Concept(
            name,
            entry["kind"],
            tuple(entry["labels"]),
            entry.get("changing", False),
            entry.get("key", False),
            tuple(entry.get("words", ())),
        )
        for name, entry in tomllib.loads(data_text("concepts.toml")).items()
    )


_NO_CORE = re.compile(
    r"[\s　:：;；.．,，、。・/／|｜*＊※■□●○◆◇▼▽▲△★☆♦►▶→【】\[\]［］〔〕〈〉《》「」『』<>＜＞()（）"
    r"{}\"'“”‘’_=~〜~–—-]+"
)
_IN_BRACKETS = re.compile(r"[(（\[［][^()（）\[\]［］]*[)）\]］]")


def folded_label(label: str) -> str:
    """A label without width, case, marks and spaces: what two pages' labels have in common when they are the
    same word.
    """
    return _NO_CORE.sub("", unicodedata.normalize("NFKC", label).casefold())


@dataclass(frozen=True, slots=True)
class Schema:
    """Which concept a label means; ``own`` are the user's concepts, which come before the built-in ones."""

    own: tuple[Concept, ...] = ()
    _by_label: Mapping[str, str] = field(default_factory=dict, repr=False)
    _by_name: Mapping[str, Concept] = field(default_factory=dict, repr=False)
    _by_word: Mapping[str, str] = field(default_factory=dict, repr=False)

    def concept_of(self, label: str) -> str:
        """The name of the concept that a label means; "" where nobody knows. What stands in brackets may say
        it too: 電話（内線）.
        """
        found = self._by_label.get(folded_label(label), "")
        if found or not label:
            return found
        outside = _IN_BRACKETS.sub("", label)
        if outside == label:
            return self._of_parts(label)
        return self._by_label.get(folded_label(outside), "")

    def _of_parts(self, label: str) -> str:
        """The concept of the first part of a label such as Title/Position that is known."""
        parts = re.split(r"[/／・&,、]| and ", label)
        return next(
            (concept for part in parts if (concept := self._by_label.get(folded_label(part), ""))), ""
        )

    def concept(self, name: str) -> Concept | None:
        """The concept of that name; None for a label of its own."""
        return self._by_name.get(name)

    def kind_of(self, name: str) -> str:
        found = self._by_name.get(name)
        return found.kind if found else "text"


def schema(own: tuple[Concept, ...] = ()) -> Schema:
    """A schema of the user's concepts and, behind them, the built-in ones."""
    by_label: dict[str, str] = {}
    by_name: dict[str, Concept] = {}
    by_word: dict[str, str] = {}
    for concept in (*own, *built_in_concepts()):
        by_name.setdefault(concept.name, concept)
        for label in concept.labels:
            by_label.setdefault(folded_label(label) or label, concept.name)
        for word in concept.words:
            by_word.setdefault(word, concept.name)
    return Schema(own, by_label, by_name, by_word)


@lru_cache(maxsize=1)
def built_in() -> Schema:
    """The schema without a user's."""
    return schema()


def load_schema(path: Path) -> Schema:
    """The schema of a JSON or TOML file. Raises SchemaError, which says what is wrong.

    {"fields": [{"label": "職名", "synonyms": ["役職", "Post"], "kind": "post", "changing": true, "key":
    false}]}
    """
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text) if path.suffix.lower() == ".toml" else json_of(text)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise SchemaError(f"{path}: not a schema: {error}") from error
    entries = data.get("fields") if isinstance(data, dict) else None
    if not isinstance(entries, list) or not entries:
        raise SchemaError(
            f'{path}: a schema has "fields", a list of {{"label": …, "synonyms": […], "kind": …}}'
        )
    own: list[Concept] = []
    for entry in entries:
        concept = _own_concept(entry, path)
        if any(
            concept.name == other.name for other in own
        ):  # the user tells apart what we take for one field
            concept = replace(concept, name=concept.labels[0])
        own.append(concept)
    return schema(tuple(own))


def _own_concept(entry: Any, path: Path) -> Concept:
    if (
        not isinstance(entry, dict)
        or not isinstance(entry.get("label"), str)
        or not folded_label(entry["label"])
    ):
        raise SchemaError(f'{path}: every field needs a "label"; this one has none: {entry!r}')
    label, synonyms = entry["label"], entry.get("synonyms", [])
    if not isinstance(synonyms, list) or not all(isinstance(one, str) for one in synonyms):
        raise SchemaError(f"{path}: the synonyms of {label} must be a list of labels")
    known = built_in().concept(built_in().concept_of(label))
    kind = str(entry.get("kind") or (known.kind if known else "text")).lower()
    if kind not in KINDS:
        raise SchemaError(f"{path}: the kind of {label} is {kind}; there are {', '.join(KINDS)}")
    if unknown := set(entry) - {"label", "synonyms", "kind", "changing", "key"}:
        raise SchemaError(
            f"{path}: {label} has {', '.join(sorted(unknown))}; a field has label, synonyms, kind, "
            "changing, key"
        )
    changing = bool(entry.get("changing", known.changing if known else False))
    key = bool(entry.get("key", known.key if known else kind == "name"))
    return Concept(known.name if known else label, kind, (label, *synonyms), changing, key)
