"""Pages that others are compared with: an index of what may be copied."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruiji.chunker.filters import DEFAULT_FILTER
from ruiji.chunker.fitting import check_masks
from ruiji.chunker.masking import MaskSettings
from ruiji.front_door.arguments import jobs_or_cores, source_for
from ruiji.front_door.checks import checked

if TYPE_CHECKING:  # what only some calls need is imported when they are called
    from ruiji.detector.copies.index import CopyIndex


@checked
def build_index(
    pages: Any,
    folder: str | Path,
    *,
    filter: str = DEFAULT_FILTER,
    model: str | Path = "",
    alone: bool = False,
    jobs: int | None = None,
) -> CopyIndex:
    """An index of the pages in a folder, to find what others copied from them; it replaces one that is there.

    ``alone`` judges each page by itself, whatever other pages there are of its site.

    >>> import ruiji, tempfile
    >>> story = "港のそばに住んでいると、海の様子で季節の移り変わりがわかるようになる。"
    >>> page = {"url": "http://a.example/", "html": f"<p>{story}</p>"}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     index = ruiji.build_index([page], folder + "/idx", filter="none", jobs=0)
    ...     index.contents.documents
    1
    """
    from ruiji.detector.copies.pages import write_index

    masks = MaskSettings(filter, str(model), alone=alone)
    check_masks(masks)
    source = source_for(masks, pages)
    write_index(source, Path(folder), masks, anew=True, jobs=jobs_or_cores(jobs))
    return open_index(folder)


@checked
def open_index(folder: str | Path) -> CopyIndex:
    """The index in a folder that ``build_index`` or ``ruiji index build`` made; ``match`` asks it.

    Raises IndexRefused where there is none.

    >>> import ruiji
    >>> ruiji.open_index("nowhere")
    Traceback (most recent call last):
    ...
    ruiji.detector.copies.texts.IndexRefused: nowhere: there is no index; build one there first
    """
    from ruiji.detector.copies.index import open_index as open_folder

    return open_folder(Path(folder))
