"""``ruiji``, the console command."""

from __future__ import annotations

import os
import signal
import sys

# Before NumPy is imported: products of matrices are made by one thread (chunker.stack.network), and a process
# without other threads can be copied for its workers (corpora.workers).
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

INTERRUPTED = 128 + signal.SIGINT


def main(arguments: list[str]) -> int:
    """Runs a command line; returns its exit status."""
    from ruiji.cli import main as run_command_line

    return run_command_line(arguments)


def run() -> None:
    """Runs the command line of this process and ends it with the exit status."""
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not in the background
    if interruptible:
        signal.signal(signal.SIGINT, _end_at_once)
    try:
        import ruiji.cli  # noqa: F401 - takes a moment, in which an interrupt may come
        from ruiji.interrupts import note
        from ruiji.no_pandas import hide_pandas
        from ruiji.terminal import open_streams

        if interruptible:
            signal.signal(signal.SIGINT, note)
        open_streams()
        hide_pandas(sys.argv[1:])
        status = main(sys.argv[1:])
    except KeyboardInterrupt:
        status = INTERRUPTED
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done: the status stays what it is
    sys.exit(status)


def _end_at_once(*_: object) -> None:
    """Before a command begins there is nothing to put in order."""
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
