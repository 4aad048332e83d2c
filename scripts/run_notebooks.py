"""Runs the notebooks from top to bottom and keeps what they print and draw: python -m
scripts.run_notebooks
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent.parent / "notebooks"
TIMEOUT = 900  # seconds a cell


def run_notebook(path: Path) -> None:
    """Runs one notebook and writes it back with its outputs, without times."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        timeout=TIMEOUT,
        kernel_name="python3",
        resources={"metadata": {"path": path.parent}},
        coalesce_streams=True,  # else it depends on the load in how many pieces print arrives
    ).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(str(path) for path in FOLDER.glob("*.ipynb")):
        run_notebook(Path(name))
