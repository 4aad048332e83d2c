from collections.abc import Callable

from ruiji.features.page.links import LinkKind

def kinds(
    hrefs: list[str],
    own: tuple[str, ...],
    schemes: tuple[str, ...],
    internal: LinkKind,
    relative: LinkKind,
    asked: Callable[[str], LinkKind],
    /,
) -> list[LinkKind]: ...
def fragments(hrefs: list[str], /) -> bytes: ...
