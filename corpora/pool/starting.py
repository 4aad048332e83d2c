"""How a worker process begins: as a copy of this one or anew, and without running the user's script again."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

_starting = threading.Lock()  # who looks for the script while another thread hides it finds none


def start_method() -> str:
    """How worker processes begin. A copy of this one has everything imported and loaded already, but is safe
    only beside no threads: those of a library may hold what the copy would wait for. Else one starts anew,
    the same on every platform.
    """
    if sys.platform != "linux":
        return "spawn"
    threads = sum(1 for _ in Path("/proc/self/task").iterdir())
    return "fork" if threads == 1 else "spawn"


@contextmanager
def script_hidden(*functions: object) -> Iterator[None]:
    """A process that is started meanwhile does not run the user's script again, as spawned processes do.

    A script without ``if __name__ == "__main__"`` would else start workers in its workers. Where a function
    is defined in the script, the worker needs it, and nothing is hidden.
    """
    modules = {getattr(function, "__module__", None) for function in functions}
    with _starting:
        script = sys.modules.get("__main__")
        if script is None or "__main__" in modules:
            yield
            return
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = script
