"""The modules in C under address and undefined-behaviour sanitizers, over mutated pages, lines and models.

python -m benchmarks.hostile.sanitizers [--rounds 20000] [--seed 1]

Builds every module that ``pyproject.toml`` names into a folder that is gone afterwards, and runs a process
that has them in place of the installed ones. Ends with the sanitizer's report where one has something to say.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
FLAGS = (
    "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-O0",
    "-shared", "-fPIC", "-std=gnu11", "-w",
)  # fmt: skip
LIBRARIES = ("libasan.so", "libubsan.so")


def modules_in_c(root: Path = ROOT) -> Mapping[str, Path]:
    """The source of each module, as the build configuration lists them."""
    with (root / "pyproject.toml").open("rb") as file:
        listed = tomllib.load(file)["tool"]["setuptools"]["ext-modules"]
    return {module["name"]: root / source for module in listed for source in module["sources"]}


def missing() -> str:
    """What is not here that the sanitizers need; "" where all is."""
    if shutil.which("gcc") is None:
        return "no gcc"
    lacking = [name for name in LIBRARIES if not library(name).is_absolute()]
    return f"gcc has no {lacking[0]}" if lacking else ""


def library(name: str) -> Path:
    """Where the compiler has a library; the bare name where it has none."""
    command = ["gcc", f"-print-file-name={name}"]
    return Path(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip())


def build(folder: Path, flags: tuple[str, ...] = FLAGS) -> None:
    """Builds all modules into a folder, each under its full name."""
    include = sysconfig.get_paths()["include"]
    for name, source in modules_in_c().items():
        target = folder / f"{name}.so"
        subprocess.run(
            ["gcc", *flags, f"-I{include}", str(source), "-o", str(target), "-lm", "-ldl"], check=True
        )


def fuzzed(folder: Path, rounds: int, seed: int) -> subprocess.CompletedProcess[str]:
    """A run of the mutations with the modules of that folder; its status is 0 where nothing was found."""
    environment = {
        **os.environ,
        "LD_PRELOAD": " ".join(str(library(name)) for name in LIBRARIES),
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",  # or Python's own pools would hide what runs over
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [sys.executable, "-m", "benchmarks.hostile.mutations", str(folder), str(rounds), str(seed)]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, errors="replace", check=False
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if lacking := missing():
        sys.exit(f"{lacking}: the sanitizers cannot be run here")
    with TemporaryDirectory() as folder:
        build(Path(folder))
        done = fuzzed(Path(folder), options.rounds, options.seed)
    print(done.stdout + done.stderr[-8000:])
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
