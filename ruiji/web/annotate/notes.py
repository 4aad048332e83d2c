"""What an annotator's folder keeps beside the saved pages: which are done, what was applied to whole sites,
and the addresses of pages.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ruiji.chunker.annotation.site_rules import SiteRule
from ruiji.corpora import InputError
from ruiji.corpora.errors import json_of
from ruiji.corpora.files import replacing
from ruiji.corpora.reading import URL_LIST, url_of_path
from ruiji.web.annotate.page_files import PageFile
from ruiji.web.safety import confined

NOTES = ".ruiji-annotation.json"


_BORDERS = frozenset("\t\r\n")  # of columns and lines of the list of addresses


@dataclass(frozen=True, slots=True)
class Notes:
    """The names of the pages that are done, and the rules for sites."""

    done: frozenset[str] = frozenset()
    rules: Sequence[SiteRule] = ()


def read_notes(out: Path) -> Notes:
    """The notes in an annotator's folder; empty where there are none yet. Raises InputError."""
    try:
        notes = json_of((out / NOTES).read_text(encoding="utf-8", errors="surrogatepass"))
        rules = [
            SiteRule(str(rule["site"]), str(rule["path"]), bool(rule["content"]))
            for rule in notes.get("rules", ())
        ]
        return Notes(frozenset(map(str, notes.get("done", ()))), rules)
    except FileNotFoundError:
        return Notes()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{out / NOTES}: cannot be read ({error}); mend or remove it") from error


def write_notes(out: Path, notes: Notes) -> None:
    """Writes the notes. Raises OutsideFolder, OSError."""
    rules = [{"site": rule.site, "path": rule.path, "content": rule.content} for rule in notes.rules]
    written = json.dumps({"done": sorted(notes.done), "rules": rules}, ensure_ascii=False, indent=1) + "\n"
    with replacing(confined(out, out / NOTES)) as stream:
        stream.write(written.encode("utf-8", "surrogatepass"))


def write_addresses(out: Path, files: Iterable[PageFile]) -> None:
    """Writes the addresses that the saved pages have and their paths do not say, for training. Raises
    OutsideFolder, OSError.
    """
    lines = [
        f"{file.saved_name}\t{file.url}\t{file.last_modified}\n"
        for file in files
        if (file.last_modified or file.url != url_of_path(file.saved_name))
        and not _BORDERS & {*file.saved_name, *file.url}  # such a name can stand in no line
    ]
    if lines:
        with replacing(confined(out, out / URL_LIST)) as stream:
            stream.write("".join(lines).encode("utf-8", "surrogatepass"))
