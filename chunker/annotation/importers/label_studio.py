"""A JSON export of Label Studio, of a project that labels pages (``HyperText``): ``data`` has the markup in
``html`` or ``text``, and each region of ``annotations[].result[]`` the text that was labelled.

A region counts with its own ``value.text``. Its XPaths are those of the browser's tree, which need not be
ours, so a region without text is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruiji.chunker.annotation.importers.gold import NoGold, page_with_gold, page_without_gold
from ruiji.corpora.errors import SettingError
from ruiji.corpora.page import InputError, Page

LABELS = "hypertextlabels"
GENERAL_LABELS = "labels"  # the tag Labels, which fits any object
MARKUP_FIELDS = ("html", "text")  # where a task has its page
IN_MARKUP = "<"


@dataclass(frozen=True, slots=True)
class _Region:
    """A stretch of the page's text with its labels; the places count characters of that text."""

    start: int
    end: int
    text: str
    labels: tuple[str, ...]


def read_label_studio(source: Path, labels: Sequence[str] = ()) -> Iterator[Page]:
    """The pages of an export; content is what has one of the ``labels``, or any where the export has no
    second one.

    Raises InputError where the file is no export, or has several labels and none is named.
    """
    tasks = _tasks(source)
    used = sorted({name for task in tasks for name in _labels_of_task(task)})
    if not labels and len(used) > 1:
        raise SettingError(f"{source}: has the labels {', '.join(used)}; ‹label› says which is content")
    if missing := [label for label in labels if label not in used]:
        raise InputError(
            f"{source}: nothing has the label {missing[0]}; there are {', '.join(used) or 'none'}"
        )
    return (_page(task, f"{source.name}:{number}", labels) for number, task in enumerate(tasks, start=1))


def _tasks(source: Path) -> list[Mapping[str, Any]]:
    """The tasks of an export. Raises InputError."""
    try:
        tasks = json.loads(source.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{source}: cannot be read as JSON: {error}") from error
    is_export = isinstance(tasks, list) and all(
        isinstance(task, dict) and isinstance(task.get("data"), dict) for task in tasks
    )
    if not is_export:
        raise InputError(f"{source}: is no JSON export of Label Studio, a list of tasks with data")
    return list(tasks)


def _labels_of_task(task: Mapping[str, Any]) -> Iterator[str]:
    for annotation in _annotations(task):
        for result in _results(annotation):
            yield from _labels(result)


def _annotations(task: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What people made of a task and did not throw away."""
    annotations = task.get("annotations")
    every = annotations if isinstance(annotations, list) else []
    return [entry for entry in every if isinstance(entry, dict) and not entry.get("was_cancelled")]


def _results(annotation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The regions of an annotation; its other results, such as relations and choices, are none."""
    results = annotation.get("result")
    return [
        result
        for result in (results if isinstance(results, list) else [])
        if isinstance(result, dict)
        and result.get("type") in (LABELS, GENERAL_LABELS)
        and isinstance(result.get("value"), dict)
    ]


def _labels(result: Mapping[str, Any]) -> tuple[str, ...]:
    names = result["value"].get(result["type"])
    return tuple(map(str, names)) if isinstance(names, list) else ()


def _page(task: Mapping[str, Any], name: str, labels: Sequence[str]) -> Page:
    """The page of a task; an error row where its annotation cannot be read exactly."""
    data = task["data"]
    markup = next((data[field] for field in MARKUP_FIELDS if isinstance(data.get(field), str)), "")
    url = data.get("url")
    page = Page(str(task.get("id") or name), url if isinstance(url, str) and url else name, markup)
    try:
        if IN_MARKUP not in markup:
            raise NoGold(
                "the task has no markup in data.html or data.text; export pages, not their addresses"
            )
        return page_with_gold(page, _main_content(task, labels))
    except NoGold as reason:
        return page_without_gold(page, reason)


def _main_content(task: Mapping[str, Any], labels: Sequence[str]) -> str:
    """The text of a task's regions in the order of the page. Raises NoGold."""
    annotations = _annotations(task)
    if len(annotations) != 1:
        raise NoGold(f"the task has {len(annotations)} annotations; one is needed")
    regions = [_region(result) for result in _results(annotations[0])]
    content = sorted(
        (region for region in regions if not labels or set(labels) & set(region.labels)),
        key=lambda region: (region.start, -region.end),
    )
    texts: list[str] = []
    end = 0
    for region in content:
        if region.end <= end:
            continue  # it lies in one before
        if region.start < end:
            raise NoGold(f"two regions overlap at character {region.start}")
        texts.append(region.text)
        end = region.end
    return "\n".join(texts)


def _region(result: Mapping[str, Any]) -> _Region:
    """A region with its place and text. Raises NoGold."""
    value = result["value"]
    offsets = value.get("globalOffsets")
    start, end = (offsets.get("start"), offsets.get("end")) if isinstance(offsets, dict) else (None, None)
    if not isinstance(start, int) or not isinstance(end, int):
        raise NoGold("a region has no globalOffsets; export it with a newer Label Studio")
    if not isinstance(value.get("text"), str):
        raise NoGold("a region has no text; set saveTextResult to yes in the project and export again")
    return _Region(start, end, value["text"], _labels(result))
