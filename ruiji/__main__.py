"""``ruiji``, the console command."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys

# Before NumPy is imported: products of matrices are made by one thread (chunker.stack.network), and a process
# without other threads can be copied for its workers (corpora.pool.workers).
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

INTERRUPTED = 128 + signal.SIGINT
# Objects made between two looks for garbage in circles: a start makes 50,000, none of them garbage.
NEW_OBJECTS = 100_000
WITHOUT_PANDAS = ("detect", "clean")  # commands that write Arrow tables and read none into frames
# How options begin, also abbreviated ones, that may bring users of pandas: a model of one's own, Spark.
PANDAS_USERS = ("--mo", "--en")


def main(arguments: list[str]) -> int:
    """Runs a command line; returns its exit status."""
    from ruiji.cli import main as run_command_line

    return run_command_line(arguments)


def run() -> None:
    """Runs the command line of this process and ends it with the exit status."""
    gc.set_threshold(NEW_OBJECTS)
    ending = _Ending()
    atexit.register(ending.leave)  # the first to be registered is the last to be called
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not in the background
    if interruptible:
        signal.signal(signal.SIGINT, _end_at_once)
    try:
        import ruiji.cli  # noqa: F401 - takes a moment, in which an interrupt may come
        from ruiji.interrupts import watch
        from ruiji.terminal import open_streams

        if interruptible:
            watch()
        open_streams()
        hide_pandas(sys.argv[1:])
        status = main(sys.argv[1:])
    except KeyboardInterrupt:
        status = INTERRUPTED
    finally:  # all is done, and the status stays what it is
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, 0)
    ending.status = status
    sys.exit(status)


class _Ending:
    """The end of a process whose work is done. Python would take apart all that was imported, which the
    system takes back anyway, and needs an eighth of the time of a page for it (decision 120).
    """

    status: int | None = None  # of a command line that was run to its end

    def leave(self) -> None:
        """Ends the process at once, or leaves it to Python where something is still to be said."""
        if self.status is None:
            return
        try:
            for stream in (sys.__stdout__, sys.__stderr__):
                if stream is not None:
                    stream.flush()
        except (OSError, ValueError):
            return
        os._exit(self.status)


class _NoPandas:
    """Says to who imports pandas that it is not installed."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is of no use to this command", name=name)


def hide_pandas(arguments: list[str]) -> None:
    """Makes importing pandas fail in this process, where its command does without.

    PyArrow imports it at its first array, to see whether it was given one of its frames, asks once and
    remembers: so only the process of a command may be told that there is none, never a program or a notebook,
    where somebody may want ``to_pandas`` later. Workers, which are copies of this process, find it again.
    """
    may_use_it = any(argument.startswith(PANDAS_USERS) for argument in arguments)
    if not may_use_it and any(argument in WITHOUT_PANDAS for argument in arguments[:1]):
        sys.meta_path.insert(0, _NoPandas)
        os.register_at_fork(after_in_child=_show_pandas)


def _show_pandas() -> None:
    sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not _NoPandas]


def _end_at_once(*_: object) -> None:
    """Before a command begins there is nothing to put in order."""
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
