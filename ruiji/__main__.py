"""``ruiji``, the console command."""

from __future__ import annotations

import os
import sys

# Before NumPy is imported: products of matrices are made by one thread (chunker.stack.network), and a process
# without other threads can be copied for its workers (corpora.workers).
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from ruiji.cli import main


def run() -> None:
    """Runs the command line of this process and ends it with the exit status."""
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()
