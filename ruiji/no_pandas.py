"""Arrow without pandas, in a console command that has no use for it.

PyArrow imports pandas when it makes its first array, to see whether it was given one of its frames. It asks
once and remembers, so only the process of a command may be told that there is none: in a program or a
notebook somebody may want ``to_pandas`` later. Workers, which are copies of that process, find it again, and
a model of one's own or Spark may use it: then nothing is hidden.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

COMMANDS = ("detect", "clean")  # which write Arrow tables and read none into frames
_USERS = ("--mo", "--en")  # the options, also abbreviated, that may bring users of pandas: model, engine
_NAME = "pandas"


class _NoPandas:
    """Says to who imports pandas that it is not installed."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if name == _NAME:
            raise ModuleNotFoundError("pandas is of no use to this command", name=name)


def hide_pandas(arguments: Sequence[str]) -> None:
    """Makes importing pandas fail in this process, where the command does without."""
    may_use_it = any(argument.startswith(_USERS) for argument in arguments)
    if not may_use_it and any(argument in COMMANDS for argument in arguments[:1]):
        sys.meta_path.insert(0, _NoPandas)  # type: ignore[arg-type]  # a finder needs no more
        os.register_at_fork(after_in_child=_show_pandas)


def _show_pandas() -> None:
    sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not _NoPandas]
