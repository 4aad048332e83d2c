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

ROOMS = tuple("chunker corpora detector features ruiji".split())
SECONDS = 1.0  # for 32,000 characters; a linear expression takes milliseconds
# For a function that makes an expression with a word.
WORDS: dict[str, Any] = {"str": "word", "bytes": b"word"}
METHODS = frozenset("match fullmatch search finditer findall sub subn split scanner".split())
# Functions that make an expression of their own values, with such values.
MAKERS: dict[str, tuple[Any, ...]] = {
    "detector.records.fields.agreement._extension_of": ("3412", "0769-44-2111 (ext. 3412)"),
    "detector.records.fields.agreement._within_text": ("Oba Ritsu", "Prof. Oba Ritsu (room 3)"),
    "detector.sites.naming": ("http://tabi-no-kakera.example/", ("tabi no kakera",)),
}


@cache
def patterns() -> dict[str, tuple[re.Pattern[Any], tuple[str, ...]]]:
    """Every expression of the rooms by where it stands first, with the methods that are called on it."""
    places: dict[re.Pattern[Any], str] = {}
    called: dict[re.Pattern[Any], set[str]] = {}
    for name, tree in _modules():
        for place, pattern, methods in _of_module(name, tree):
            places.setdefault(pattern, f"{name}: {place}")
            called.setdefault(pattern, set()).update(methods)
    for name, values in MAKERS.items():
        for pattern in _made(name, values):
            places.setdefault(pattern, f"made by {name}")
            called.setdefault(pattern, set()).add("search")
    return {
        place: (pattern, tuple(sorted(called[pattern])) or ("search",)) for pattern, place in places.items()
    }


def _modules() -> Iterator[tuple[str, ast.Module]]:
    """Every module of the rooms by its name."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            name = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
            yield name.removesuffix(".__init__"), ast.parse(path.read_text(encoding="utf-8"))


def _imported(name: str) -> Any:
    return importlib.import_module(name if name.startswith("ruiji") else f"ruiji.{name}")


def _made(name: str, values: tuple[Any, ...]) -> list[re.Pattern[Any]]:
    """The expressions that a function makes of its values and nobody has a name for."""
    module, _, function = name.rpartition(".")
    made: list[re.Pattern[Any]] = []
    compiled = re._compile  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(re, "_compile", lambda *given: made.append(compiled(*given)) or compiled(*given))
        getattr(_imported(module), function)(*values)
    return made


def _of_module(name: str, tree: ast.Module) -> Iterator[tuple[str, re.Pattern[Any], tuple[str, ...]]]:
    module = _imported(name)
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
                    yield f"line {node.lineno}, {node.col_offset}", pattern, (method,)


def _pattern_of_call(call: ast.Call, names: dict[str, Any]) -> re.Pattern[Any] | None:
    """The expression in a call such as `re.sub(…)`; none where it is made from what a function knows."""
    flags = [argument for argument in call.args[1:] if _is_flag(argument)]
    flags += [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
    try:
        expression, *options = (eval(ast.unparse(node), names) for node in [call.args[0], *flags])
    except NameError:
        return None
    return re.compile(expression, *options)


def _is_flag(argument: ast.expr) -> bool:
    return not isinstance(argument, ast.Call) and ast.unparse(argument).startswith("re.")


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


def test_no_expression_is_left_out() -> None:
    """Each is written out where it is used, kept by a name of its module, made once by a function that is
    cached, or by a function of which values are known here.
    """
    known = {pattern.pattern for pattern, _ in patterns().values()}
    left_out = []
    for name, tree in _modules():
        names = vars(_imported(name))
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            makes = (
                "Pattern" in ast.unparse(function.returns or ast.Constant(None)) and function.decorator_list
            )
            if makes or f"{name}.{function.name}" in MAKERS:
                continue
            left_out += [
                f"{name}.{function.name}: {ast.unparse(call)}"
                for call in ast.walk(function)
                if _is_regular(call) and not _is_known(call, names, known)
            ]
    assert not left_out


def _is_regular(node: ast.AST) -> bool:
    """Whether something is a call that takes an expression."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=method)):
            return method in METHODS | {"compile"}
    return False


def _is_known(call: Any, names: dict[str, Any], known: set[Any]) -> bool:
    pattern = _pattern_of_call(call, names)
    return pattern is not None and pattern.pattern in known


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
        (r"[\0-\x7f]*\Z", "search"),  # ours
    ],
)
def test_an_expression_that_grows_faster_is_found(expression: Any, method: str) -> None:
    assert slowest(re.compile(expression, re.DOTALL), [method], SECONDS / 3)[0] > SECONDS / 3
