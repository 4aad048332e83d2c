"""What the documents name is there: files, folders and headings."""

from __future__ import annotations

import gzip
import re
import shlex
import shutil
import tomllib
import uuid
from pathlib import Path
from urllib.parse import unquote

import pytest

from ruiji import cli
from ruiji.corpora import MINIWEB
from tests.paths import ROOT

DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "corpora" / "miniweb" / "README.md"]
)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
CODE = re.compile(r"`([^`\n]+)`")
# A path of the repository: begins with one of its folders and ends in a file name.
FOLDERS = "corpora|features|chunker|detector|ruiji|tests|benchmarks|scripts|docs|notebooks"
PATH = re.compile(rf"^(?:{FOLDERS})/[\w./-]+\.(?:py|c|md|json|toml|css|html|js|tsv|txt|svg|png|ipynb)$")
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
MODULE = re.compile(r"python -m ((?:benchmarks|scripts)(?:\.\w+)+)")


def anchor(heading: str) -> str:
    """The name by which a heading can be linked to, as GitHub makes it."""
    kept = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
    return kept.replace(" ", "-")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(document: Path) -> None:
    for target in LINK.findall(document.read_text(encoding="utf-8")):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        name, _, fragment = unquote(target).partition("#")
        path = (document.parent / name).resolve() if name else document
        assert path.exists(), target
        if fragment:
            assert fragment in map(anchor, HEADING.findall(path.read_text(encoding="utf-8"))), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_file_named_is_there(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    named = {name for name in CODE.findall(text) if PATH.match(name)}
    missing = {name for name in named if not (ROOT / name).exists()}
    for name in MODULE.findall(text):
        path = ROOT / name.replace(".", "/")
        if not (path.with_suffix(".py").exists() or (path / "__main__.py").exists()):
            missing.add(name)
    assert not missing


def test_every_decision_is_in_the_list_once() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = LINK.findall((folder / "README.md").read_text(encoding="utf-8"))
    records = {path.name for path in folder.glob("[0-9]*.md")}
    assert records == {name for name in listed if re.match(r"\d{4}-", name)}
    assert len({name[:4] for name in records}) == len(records), "two records have one number"


@pytest.mark.parametrize("part", ["context", "decision", "consequence"])
def test_every_decision_has_its_three_parts(part: str) -> None:
    for path in (ROOT / "docs" / "decisions").glob("[0-9]*.md"):
        assert part in path.read_text(encoding="utf-8").lower(), path.name


def test_the_citation_names_the_version_and_the_five_papers() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"\nversion: {project['version']}\n" in citation
    assert [f"System {number}" in citation for number in range(1, 6)] == [True] * 5


def test_the_changelog_has_the_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    headings = HEADING.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert {"[Unreleased]", f"[{project['version']}]"} <= set(headings)


@pytest.fixture
def folder_to_work_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the examples name, made of the mini-web; crawl.warc.gz among them."""
    site = MINIWEB / "www.cs.miozaki-u.ac.jp"
    for name, source in (
        ("site", "tabi-no-kakera.com"),
        ("wiki", "wiki.umisachi.org"),
        ("site-a", "www.cs.miozaki-u.ac.jp"),
        ("site-b", "nagai-lab.cs.miozaki-u.ac.jp"),
    ):
        shutil.copytree(MINIWEB / source, tmp_path / name / source)
    first = min(site.rglob("*.html"))
    shutil.copy(first, tmp_path / "page.html")
    with gzip.open(tmp_path / "crawl.warc.gz", "wb") as stream:
        stream.write(warc_response("http://example.jp/page.html", first.read_bytes()))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def warc_response(url: str, html: bytes) -> bytes:
    """One response as a crawler saves it (ISO 28500)."""
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, url)}>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body + b"\r\n\r\n"


@pytest.mark.parametrize("name", ["README.md", "docs/features.md", "docs/research.md"])
@pytest.mark.usefixtures("folder_to_work_in")
def test_the_examples_in_python_run(name: str) -> None:
    """The blocks of a document run one after another."""
    blocks = PYTHON.findall((ROOT / name).read_text(encoding="utf-8"))
    assert blocks
    variables: dict[str, object] = {"__name__": "example"}
    for block in blocks:
        exec(compile(block, name, "exec"), variables)


COMMAND = re.compile(r"^ruiji +(.+?)(?: +#.*)?$")
WHOLE_LINES = re.compile(r"^ruiji .+$", re.MULTILINE)


@pytest.mark.parametrize("name", ["README.md", "docs/research.md", "docs/features.md"])
def test_the_commands_and_their_options_are_there(name: str) -> None:
    """Every ``ruiji …`` of a document is one that the command line understands."""
    text = (ROOT / name).read_text(encoding="utf-8")
    written = [*WHOLE_LINES.findall(text), *(code for code in CODE.findall(text) if " -" in code)]
    matches = [match for code in written if (match := COMMAND.match(code)) and "…" not in code]
    assert matches
    for match in matches:
        arguments = [word for word in shlex.split(match[1]) if word != "COMMAND"]
        if arguments[:2] == ["records", "changes"]:
            arguments = ["records changes", *arguments[2:]]
        if arguments and arguments[-1] not in ("--help",):
            cli.parser(arguments).parse_args(arguments)


def test_every_dependency_is_listed_with_its_reason_licence_and_state() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name: needs for name, needs in project["optional-dependencies"].items() if name != "dev"}
    needed = {
        (re.split("[<>=~!;\\[ ]", need)[0], group)
        for group, needs in {"always": project["dependencies"], **extras}.items()
        for need in needs
    }
    section = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition("\n## Dependencies\n")[2]
    _, _, *rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("|")]
    assert {(row[0], row[1]) for row in rows} == needed
    assert all(len(row) == 5 and all(row) for row in rows)
