"""Settings that a program passes, looked at before anything is done: a wrong one is one sentence."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path
from types import MappingProxyType
from typing import ParamSpec, TypeVar

from ruiji.corpora.errors import SettingError

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")

TEXT, NAME, WHOLE, NUMBER = "a text", "a name or a path", "a whole number", "a number"
SWITCH, FOLDERS = "True or False", "a list of folders"
_CLASSES: Mapping[str, tuple[type, ...]] = MappingProxyType(
    {
        TEXT: (str,),
        NAME: (str, Path),
        WHOLE: (Integral,),
        NUMBER: (Real,),
        SWITCH: (bool,),
        FOLDERS: (str, Path, Sequence),
    }
)
# What each setting of the calls is; pages are looked at one by one (``corpora.sources``).
_SETTINGS = {
    TEXT: "url filter convention fallback ruby comments match urls language engine master memory keep level "
    "quotations method crawled",
    NAME: "name model out folder schema since",
    WHOLE: "jobs min_length max_pages min_bits",
    NUMBER: "identical contained kept precision min_confidence",
    FOLDERS: "against",
    SWITCH: "alone keep_templates links images tables",
}
_KIND_OF: Mapping[str, str] = MappingProxyType(
    {name: kind for kind, names in _SETTINGS.items() for name in names.split()}
)
_FORMS: Mapping[str, tuple[re.Pattern[str], str]] = MappingProxyType(
    {
        "memory": (re.compile(r"[1-9]\d*[MGT]B", re.IGNORECASE), "a size such as 500MB or 2GB"),
        "crawled": (re.compile(r"(?:\d{4}-\d\d-\d\d)?"), "a day such as 2024-05-01"),
    }
)


def checked(call: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """The call, which raises SettingError for a setting of another kind than it wants."""
    parameters = inspect.signature(call)

    @functools.wraps(call)
    def checking(*given: Arguments.args, **named: Arguments.kwargs) -> Result:
        for name, value in parameters.bind(*given, **named).arguments.items():
            if value is not None or parameters.parameters[name].default is not None:
                check_setting(name, value)
        return call(*given, **named)

    return checking


def check_setting(name: str, value: object) -> None:
    """Raises SettingError where a value is nothing for the setting of that name.

    >>> check_setting("jobs", "2")
    Traceback (most recent call last):
    ...
    ruiji.corpora.errors.SettingError: jobs is a whole number, not '2'
    """
    kind = _KIND_OF.get(name)
    if kind is not None and not isinstance(value, _CLASSES[kind]):
        raise SettingError(f"‹{name}› is {kind}, not {value!r:.80}")
    if name in _FORMS:
        form, described = _FORMS[name]
        if not form.fullmatch(str(value)):
            raise SettingError(f"‹{name}› is {described}, not {value!r:.80}")
