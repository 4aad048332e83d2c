"""``ruiji``, the console command."""

from __future__ import annotations

import os
import signal
import sys

# Before NumPy is imported: products of matrices are made by one thread (chunker.stack.network), and a process
# without other threads can be copied for its workers (corpora.workers).
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main(arguments: list[str]) -> int:
    """Runs a command line; returns its exit status."""
    from ruiji.cli import main as run_command_line  # takes a moment, in which an interrupt may come

    return run_command_line(arguments)


def run() -> None:
    """Runs the command line of this process and ends it with the exit status."""
    try:
        from ruiji.terminal import open_streams

        open_streams()
        status = main(sys.argv[1:])
    except KeyboardInterrupt:
        status = 128 + signal.SIGINT
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done: the status stays what it is
    sys.exit(status)


if __name__ == "__main__":
    run()
