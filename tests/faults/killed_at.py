"""Runs a command line that is killed before its n-th change of a file or folder, as a power cut would.

python -m tests.faults.killed_at N ARGUMENT…    N = 0: to the end; the number of changes is then the last line

A change is a file opened for writing, a new name, a name or folder that goes or comes. Those of workers do
not count: they write nothing.
"""

from __future__ import annotations

import os
import sys

from ruiji.__main__ import run

CHANGES = frozenset(("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.truncate"))
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
KILLED = 77


def main() -> None:
    last = int(sys.argv.pop(1))
    own, count = os.getpid(), 0

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal count
        if event == "open":
            flags = arguments[2]
            if not isinstance(flags, int) or not flags & WRITING:
                return
        elif event not in CHANGES:
            return
        if os.getpid() == own:
            count += 1
            if count == last:
                os._exit(KILLED)

    sys.addaudithook(watch)
    leave = os._exit

    def said(status: int) -> None:
        if os.getpid() == own and not last:
            os.write(1, f"{count}\n".encode())
        leave(status)

    os._exit = said  # type: ignore[assignment]
    run()


if __name__ == "__main__":
    main()
