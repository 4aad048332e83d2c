"""The folder in which a run of ``detect`` or ``clean`` works, below that of its results: what it has done so
far, from which an interrupted one goes on; gone when it is finished.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ruiji.corpora.errors import SettingError
from ruiji.corpora.files import InUse, locked
from ruiji.detector.gather.parts import NOTE

WORK = ".work"
PARTS, LOCK = "parts", "lock"  # in it: what was gathered, and the file that says that a run is at work


@contextmanager
def only_writer(work: Path) -> Iterator[None]:
    """Holds the folder's lock: two runs that write into one folder would mix their pages. The lock ends with
    the process that holds it.
    """
    try:
        with locked(work / LOCK):
            yield
    except InUse as error:
        raise SettingError(
            f"{work.parent}: another run is writing into that folder; wait for it, or give ‹out› another one"
        ) from error


def remove_work(work: Path) -> None:
    """Removes the work folder of a run that is finished. What says that it can be taken up goes first, or a
    run killed in here would leave parts without some of their files to the next one; the lock goes last, or
    the next one would begin in a folder that is being removed.
    """
    (work / PARTS / NOTE).unlink(missing_ok=True)
    for path in work.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path.name != LOCK:
            path.unlink()
    (work / LOCK).unlink()
    with suppress(OSError):  # another run has begun in it
        work.rmdir()
