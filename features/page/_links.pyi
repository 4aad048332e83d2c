from collections.abc import Callable

from ruiji.features.page.links import LinkKind

def kinds(
    hrefs: list[str],
    own: tuple[str, ...],
    schemes: tuple[str, ...],
    internal: LinkKind,
    external: LinkKind,
    relative: LinkKind,
    page_host: str,
    asked: Callable[[str], LinkKind],
    /,
) -> list[LinkKind]: ...
def fragments(hrefs: list[str], /) -> bytes: ...
