"""The public suffix of a host, private ones such as blogspot.com included, by the list that comes with
tldextract.

Only the list is taken from there: importing the package brings a client for HTTP along, half of what a start
of ``detect`` would take. The rules are those of publicsuffix.org/list (exceptions, wildcards), and a test
holds the answers against tldextract's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_RULE = re.compile(r"^[.*!]*\w\S*", re.MULTILINE)
_DOTS = re.compile("[\u3002\uff0e\uff61]")
_PUNYCODE = "xn--"


@dataclass(frozen=True, slots=True, eq=False)
class PublicSuffixes:
    """The rules, and all that a rule ends with: ``co.jp`` and ``jp`` of ``co.jp``."""

    rules: frozenset[str]
    endings: frozenset[str]

    @staticmethod
    def of(text: str) -> PublicSuffixes:
        """The rules of a list in the form of publicsuffix.org."""
        rules = frozenset(_RULE.findall(text))
        endings = set(rules)
        for rule in rules:
            while rule := rule.partition(".")[2]:
                endings.add(rule)
        return PublicSuffixes(rules, frozenset(endings))

    def registered_labels(self, labels: list[str]) -> int:
        """Where in the labels of a host the public suffix starts; their number where there is none."""
        ending, start, found = "", len(labels), len(labels)
        for label in reversed(labels):
            longer = f"{_decoded(label)}.{ending}" if ending else _decoded(label)
            if longer not in self.endings:
                if f"*.{ending}" in self.rules:
                    found = start if f"!{longer}" in self.endings else start - 1
                break
            start -= 1
            ending = longer
            if ending in self.rules:
                found = start
        return found


def registered_domain(host: str) -> str:
    """The domain under the public suffix of a host; the host itself where it is a suffix, its last two labels
    where the list does not know any (its rule for those).

    >>> registered_domain("blog.port.co.jp"), registered_domain("co.jp"), registered_domain("a.b.example")
    ('port.co.jp', 'co.jp', 'b.example')
    """
    labels = _DOTS.sub(".", host.strip()).rstrip(".").split(".")
    start = _public_suffixes().registered_labels(labels)
    if start == len(labels):
        return ".".join(host.split(".")[-2:])
    return ".".join(labels[start - 1 :]) if start > 0 and labels[start - 1] else host


def _decoded(label: str) -> str:
    """A label as the list has it: in letters."""
    label = label.lower()
    if not label.startswith(_PUNYCODE):
        return label
    try:
        return label[len(_PUNYCODE) :].encode("ascii").decode("punycode")
    except UnicodeError:
        return label


@cache
def _public_suffixes() -> PublicSuffixes:
    package = find_spec("tldextract")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("tldextract, which has the list of public suffixes, is not installed")
    return PublicSuffixes.of(Path(package.origin).with_name(".tld_set_snapshot").read_text(encoding="utf-8"))
