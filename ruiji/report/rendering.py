"""One self-contained page from a template: escaped by the template engine, in one language or in both."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, UndefinedError

from ruiji.corpora.files import replacing
from ruiji.words import in_language, in_languages

# Nothing is loaded and nothing runs, also where a browser opens the file from a disk.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def write_page(destination: Path, template: str, language: str, fields: Mapping[str, Any]) -> None:
    """Writes the page that a template makes of some fields."""
    page = render(template, language, fields)
    with replacing(destination) as stream:
        stream.write(page.encode("utf-8", "replace"))


def render(template: str, language: str, fields: Mapping[str, Any]) -> str:
    """The page as text. A template has the fields, ``in_languages(key, values)`` and ``plain(key)``. Raises
    ValueError where a field has not what the template wants, as damaged results may have none.
    """
    try:
        return _TEMPLATES.get_template(template).render(
            fields,
            language=language,
            policy=POLICY,
            in_languages=lambda key, values: in_languages(key, language, values),
            plain=lambda key: in_language(key, language),
        )
    except UndefinedError as error:
        raise ValueError(str(error)) from error
