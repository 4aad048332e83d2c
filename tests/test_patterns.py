"""Every regular expression that sees foreign text takes time that grows with the text and not faster.

The expressions are found in the code, so a new one is tried too; the texts are made from the expressions.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from inspect import signature
from typing import Any

import pytest

from tests.hostile_text import slowest
from tests.paths import ROOT

ROOMS = tuple(
    "chunker corpora detector features ruiji/web ruiji/report ruiji/terminal.py ruiji/words.py".split()
)
SECONDS = 1.0  # for 32,000 characters; a linear expression takes milliseconds
# For a function that makes an expression with a word.
WORDS: dict[str, Any] = {"str": "word", "bytes": b"word"}
METHODS = frozenset("match fullmatch search finditer findall sub subn split scanner".split())


@cache
def patterns() -> dict[str, tuple[re.Pattern[Any], tuple[str, ...]]]:
    """Every expression of the rooms by where it stands first, with the methods that are called on it."""
    places: dict[re.Pattern[Any], str] = {}
    called: dict[re.Pattern[Any], set[str]] = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py") if (ROOT / room).is_dir() else [ROOT / room]):
            name = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
            for place, pattern, methods in _of_module(name, ast.parse(path.read_text(encoding="utf-8"))):
                places.setdefault(pattern, f"{name}: {place}")
                called.setdefault(pattern, set()).update(methods)
    return {
        place: (pattern, tuple(sorted(called[pattern])) or ("search",)) for pattern, place in places.items()
    }


def _of_module(name: str, tree: ast.Module) -> Iterator[tuple[str, re.Pattern[Any], tuple[str, ...]]]:
    imported = name if name.startswith("ruiji") else f"ruiji.{name}"
    module = importlib.import_module(imported.removesuffix(".__init__"))
    called: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(
                value=ast.Name(id=variable) | ast.Call(func=ast.Name(id=variable)), attr=method
            ):
                if method in METHODS:
                    called.setdefault(variable, set()).add(method)
    for variable, value in vars(module).items():
        for number, pattern in enumerate(_patterns_in(value)):
            place = f"{variable}[{number}]" if number else variable
            yield place, pattern, tuple(called.get(variable, ()))
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=method)) if method in METHODS:
                pattern = _pattern_of_call(node, vars(module))
                if pattern is not None:
                    yield f"line {node.lineno}", pattern, (method,)


def _pattern_of_call(call: ast.Call, names: dict[str, Any]) -> re.Pattern[Any] | None:
    """The expression in a call such as `re.sub(…)`; none where it is made from what a function knows."""
    flags = [argument for argument in call.args[1:] if ast.unparse(argument).startswith("re.")]
    flags += [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
    try:
        expression, *options = (eval(ast.unparse(node), names) for node in [call.args[0], *flags])
    except NameError:
        return None
    return re.compile(expression, *options)


def _patterns_in(value: Any) -> Iterator[re.Pattern[Any]]:
    """The expressions that a variable of a module holds, itself, in a container, or made at its first use."""
    if isinstance(value, re.Pattern):
        yield value
    elif hasattr(value, "cache_info") and "Pattern" in value.__wrapped__.__annotations__.get("return", ""):
        arguments = [WORDS[parameter.annotation] for parameter in signature(value).parameters.values()]
        yield from _patterns_in(value(*arguments))
    elif isinstance(value, (dict, list, tuple, frozenset)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _patterns_in(item)


def test_there_are_expressions_in_the_rooms() -> None:
    assert len(patterns()) >= 15


@pytest.mark.parametrize("place", patterns())
def test_an_expression_is_linear(place: str) -> None:
    pattern, methods = patterns()[place]
    seconds, text = slowest(pattern, methods, SECONDS)
    assert seconds <= SECONDS, f"{pattern.pattern!r}: {seconds:.1f} s for {text}"


@pytest.mark.parametrize(
    ("expression", "method"),
    [
        (
            rb"\s*(?:<!--.*?-->\s*|<\?[^>]*>\s*)*(<!doctype\s[\w\s\"'/.:+-]*>)",
            "match",
        ),  # ours, until issue 27
        (r"(?:\w|\\(?:[0-9a-f]{1,6}\s?|[^\n]))+\(", "match"),  # the like
        (r"(a+)+$", "match"),
        (r"(?:a|a)*b", "search"),
        (r"[\w.]+@[\w.]+", "search"),
        (r"\s+$", "search"),
    ],
)
def test_an_expression_that_grows_faster_is_found(expression: Any, method: str) -> None:
    assert slowest(re.compile(expression, re.DOTALL), [method], SECONDS / 3)[0] > SECONDS / 3
