"""What is installed is `ruiji` alone, and it works inside a project that has folders of the same names."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest

from tests.paths import ROOT

HOUSES = ("corpora", "features", "chunker", "detector")
NO_SOURCE = shutil.ignore_patterns(
    ".*", "*.egg-info", "__pycache__", "*.so", "build", "dist", "tests", "benchmarks", "notebooks", "demo-out"
)
# What stays out of the wheel: the C source is in it compiled.
C_SOURCES = {
    path.relative_to(ROOT)
    for house in HOUSES
    for suffix in "ch"
    for path in (ROOT / house).rglob(f"*.{suffix}")
}
ONLY_TO_BUILD = {PurePosixPath("ruiji", path) for path in C_SOURCES}
COMPILED = {path.stem for path in C_SOURCES if path.suffix == ".c"}

PAGE = """<html><head><title>気象日記</title></head><body>
<ul class="menu"><li><a href="/">ホーム</a></li><li><a href="/list">一覧</a></li></ul>
<div id="content"><h1>気象日記</h1>
<p>今日は朝から雨が降り、午後になってようやく晴れ間が見えた。川の水かさはまだ高いままである。</p>
<p>近所の桜はほとんど散ってしまったが、山の上ではこれから見ごろを迎えるという話を聞いた。</p></div>
</body></html>"""
# The user's own packages: importing one of them in place of ours is an error that says so.
OWN_PACKAGE = 'raise RuntimeError("the package of the project was imported: " + __name__)\n'

ASK_THE_API = """
import json, sys
import ruiji
from ruiji.corpora import read_pages
from ruiji.features import text_nodes
from ruiji.chunker import load_model
from ruiji.detector import urls
from ruiji.features.page import walk

nodes = [text_nodes(page) for page in read_pages(["page.html"])]
mask = load_model("default").predict_masks(nodes)[0]
print(json.dumps({
    "file": ruiji.__file__,
    "compiled": walk.walk_in_c() is not None,
    "kept": [text for text, content in zip(nodes[0].texts, mask.content) if content],
    "setuptools": "setuptools" in sys.modules,
}))
"""


@dataclass(frozen=True, slots=True)
class Installed:
    """A virtual environment with the wheel, which was built from the sdist alone, and a project to run it
    in.
    """

    sdist: frozenset[PurePosixPath]
    wheel: frozenset[PurePosixPath]
    python: Path
    project: Path

    def run(self, *command: str | Path) -> str:
        """What the command prints, run in the project's folder."""
        environment = os.environ | {"PYTHONPATH": str(self.project)}
        done = subprocess.run(
            command, cwd=self.project, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


def build(what: str, source: Path, target: Path) -> Path:
    """The archive (`sdist` or `wheel`) that setuptools makes of a source tree."""
    target.mkdir()
    code = f"from setuptools import build_meta; print(build_meta.build_{what}({str(target)!r}))"
    subprocess.run([sys.executable, "-c", code], cwd=source, capture_output=True, check=True)
    (archive,) = target.iterdir()
    return archive


def make_project(folder: Path) -> Path:
    """A folder as of a machine-learning project, with packages of the names of our houses."""
    for house in HOUSES:
        (folder / house).mkdir(parents=True)
        (folder / house / "__init__.py").write_text(OWN_PACKAGE, encoding="utf-8")
    (folder / "page.html").write_text(PAGE, encoding="utf-8")
    return folder


def make_environment(folder: Path, wheel: Path) -> Path:
    """The Python of a new virtual environment with the wheel; what it depends on comes from this one."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, wheel], capture_output=True, check=True)
    (site,) = (folder / "lib").glob("python*/site-packages")
    assert {path.name for path in site.iterdir() if ".dist-info" not in path.name} == {"ruiji"}
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return python


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("packaging")
    shutil.copytree(ROOT, folder / "clone", ignore=NO_SOURCE)
    archive = build("sdist", folder / "clone", folder / "sdist")
    with tarfile.open(archive) as tar:
        sdist = frozenset(
            PurePosixPath(*PurePosixPath(member.name).parts[1:]) for member in tar if member.isfile()
        )
        tar.extractall(folder / "unpacked", filter="data")
    (source,) = (folder / "unpacked").iterdir()
    wheel = build("wheel", source, folder / "wheel")
    with zipfile.ZipFile(wheel) as archived:
        names = frozenset(PurePosixPath(name) for name in archived.namelist())
    python = make_environment(folder / "venv", wheel)
    return Installed(sdist, names, python, make_project(folder / "project"))


def files_of_the_houses() -> set[PurePosixPath]:
    """Every file below the five houses, as it is called when installed."""
    paths = set()
    for house in (*HOUSES, "ruiji"):
        for path in (ROOT / house).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".so":
                relative = PurePosixPath(path.relative_to(ROOT).as_posix())
                paths.add(relative if house == "ruiji" else "ruiji" / relative)
    return paths


def test_the_wheel_has_every_module_and_data_file_and_nothing_else(installed: Installed) -> None:
    modules = {path for path in installed.wheel if not path.parts[0].endswith(".dist-info")}
    compiled = {path for path in modules if path.suffix in (".so", ".pyd")}
    assert modules - compiled == files_of_the_houses() - ONLY_TO_BUILD
    assert {path.name.partition(".")[0] for path in compiled} <= COMPILED


def test_the_sdist_has_the_houses_and_what_describes_them(installed: Installed) -> None:
    described = {path.name for path in installed.sdist if len(path.parts) == 1}
    assert {"LICENSE", "PKG-INFO", "README.md", "pyproject.toml"} <= described
    folders = {path.parts[0] for path in installed.sdist if len(path.parts) > 1}
    assert folders == {*HOUSES, "ruiji", "ruiji.egg-info"}
    assert {PurePosixPath(path) for path in C_SOURCES} <= installed.sdist


def test_python_finds_our_packages_in_a_project_with_the_same_names(installed: Installed) -> None:
    answer = json.loads(installed.run(installed.python, "-c", ASK_THE_API))
    assert Path(answer["file"]).is_relative_to(installed.python.parent.parent)
    assert any("今日は朝から雨が降り" in text for text in answer["kept"])
    assert "一覧" not in answer["kept"]
    assert not answer["setuptools"]


def test_the_walk_is_compiled_where_it_is_here(installed: Installed) -> None:
    from ruiji.features.page import walk

    answer = json.loads(installed.run(installed.python, "-c", ASK_THE_API))
    assert answer["compiled"] == (walk.walk_in_c() is not None)


@pytest.mark.parametrize("form", ["script", "module"])
def test_the_command_works_in_a_project_with_the_same_names(installed: Installed, form: str) -> None:
    command = [installed.python.parent / "ruiji"] if form == "script" else [installed.python, "-m", "ruiji"]
    text = installed.run(*command, "extract", "page.html", "--jobs", "1")
    assert "今日は朝から雨が降り" in text
    assert "一覧" not in text


def test_the_bundled_pages_are_read_where_they_were_installed(installed: Installed) -> None:
    code = (
        "from ruiji.corpora import MINIWEB, read_pages; print(MINIWEB, sum(1 for _ in read_pages([MINIWEB])))"
    )
    folder, pages = installed.run(installed.python, "-c", code).split()
    assert Path(folder).is_relative_to(installed.python.parent.parent)
    assert int(pages) > 100
