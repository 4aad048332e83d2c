"""Mutated pages, lines of JSON and models through everything that is written in C.

python -m benchmarks.hostile.mutations FOLDER ROUNDS SEED

``FOLDER`` has modules to be used in place of the installed ones (``sanitizers.py`` builds them); an empty one
leaves those. A round is one page, read as a line of JSON, walked, marked and written, and gathered for
``detect``.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import random
import shutil
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from tempfile import TemporaryDirectory

PIECES = (
    b"<", b">", b"</", b"<!--", b"-->", b"<p>", b"<svg>", b"<![CDATA[", b"]]>", b"<template>", b"<table>",
    b"<td>", b"<select><option>", b"<selectedcontent>", b"<script>", b"</script>", b"<title>", b"\x00",
    b"\xff", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\xe3\x80\x80", b"&#0;", b"&#x10FFFF;", b"&amp",
    b"\\u0000", b"\\ud800", b'"', b"\\", b" a='", b"<ruby>", b"<rt>", b"<base href=//x>", b"<a href=",
    b"<meta name=description content=", b"\xc2\xad", b"\xe2\x80\x8b",
)  # fmt: skip
SITE_PAGES = 8  # mutated pages that are compared as those of one site
MODEL_EVERY = 40  # rounds: a model is loaded again, with some of its bytes changed


def use_modules(folder: Path) -> list[str]:
    """Puts the modules of a folder in the place of the installed ones; their names."""
    names = []
    for path in sorted(folder.glob("*.so")):
        loader = ExtensionFileLoader(path.stem, str(path))
        spec = importlib.util.spec_from_file_location(path.stem, path, loader=loader)
        if spec is None:
            raise ImportError(f"no module at {path}")
        module = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
        sys.modules[path.stem] = module
        names.append(path.stem)
    return names


def mutated(body: bytes, random_: random.Random) -> bytes:
    """The bytes with some pieces put in, taken out, doubled or flipped."""
    data = bytearray(body)
    for _ in range(random_.randint(1, 12)):
        at = random_.randrange(len(data) + 1)
        end = min(len(data), at + random_.choice((1, 4, 40, 400)))
        match random_.randrange(5):
            case 0:
                data[at:at] = random_.choice(PIECES) * random_.choice((1, 1, 2, 300))
            case 1:
                del data[at:end]
            case 2:
                data[at:at] = data[at:end]
            case 3 if at < len(data):
                data[at] ^= 1 << random_.randrange(8)
            case _:
                data[at:end] = random_.randbytes(end - at)
    return bytes(data)


def pages() -> Iterator[bytes]:
    """Pages to begin with: those of the mini-web that are not long, and one of each shape."""
    from benchmarks.hostile.shapes import SHAPES
    from ruiji.corpora.miniweb import MINIWEB

    for path in sorted(MINIWEB.rglob("*.html")):
        if path.stat().st_size < 20_000:
            yield path.read_bytes()
    yield from (shape.page(600) for shape in SHAPES.values())


def run(rounds: int, seed: int) -> int:
    """Goes through so many rounds; how many pages had text in the end."""
    from ruiji.chunker.masking import MaskSettings
    from ruiji.corpora.pool.workers import run_batch
    from ruiji.corpora.rows import JsonLine
    from ruiji.detector.gather.page import Gather
    from ruiji.page_writing import WritePages

    random_ = random.Random(seed)
    originals = list(pages())
    write, gather = WritePages(MaskSettings()), Gather(MaskSettings("none"))
    written = 0
    site: deque[bytes] = deque(maxlen=SITE_PAGES)
    for number in range(rounds):
        page = mutated(random_.choice(originals), random_)
        site.append(page)
        if number % SITE_PAGES == SITE_PAGES - 1:
            _compare_pages(site)
        row = {"url": f"http://{number}.example/", "html": page.decode("utf-8", "replace")}
        line = json.dumps(row, ensure_ascii=bool(number % 2)).encode()
        if number % 3 == 0:
            line = mutated(line, random_)
        (made,) = run_batch(write, [JsonLine(line, str(number))], write.failed)
        written += not made.error
        run_batch(gather, [JsonLine(line, str(number))], gather.failed)
        if number % MODEL_EVERY == 0:
            _try_model(random_)
    return written


def _compare_pages(site: Iterable[bytes]) -> None:
    """Looks for what these pages repeat, as if they were of one site."""
    from ruiji.chunker.site.evidence import evidence_of, site_pages
    from ruiji.corpora.page import Page
    from ruiji.features.nodes.forest import forest
    from ruiji.features.page.parser_input import PageFailed
    from ruiji.features.page.parsing import text_nodes_of

    pages = [Page("", f"http://a.example/{number}", html) for number, html in enumerate(site)]
    read = text_nodes_of(pages)
    nodes = [page for page in read if not isinstance(page, PageFailed) and len(page)]
    if nodes:
        evidence_of(site_pages(nodes)).shift(forest(nodes))


def _try_model(random_: random.Random) -> None:
    """Loads the shipped model with some bytes of its trees or network changed, and labels a page with it."""
    from ruiji.chunker.crf.folder import (
        CARD_FILE,
        NETWORK_FILE,
        SHIPPED,
        TREES_FILE,
        ModelError,
        load_labeller,
    )
    from ruiji.corpora.page import Page
    from ruiji.features.page.parsing import text_nodes

    name = random_.choice((TREES_FILE, NETWORK_FILE))
    with TemporaryDirectory() as temporary:
        folder = Path(shutil.copytree(SHIPPED / "default", Path(temporary) / "model"))
        data = bytearray((folder / name).read_bytes())
        for _ in range(random_.randint(1, 4)):
            data[random_.randrange(len(data))] ^= 1 << random_.randrange(8)
        (folder / name).write_bytes(data)
        card = json.loads((folder / CARD_FILE).read_text())
        card["below"][name] = hashlib.sha256(data).hexdigest()
        (folder / CARD_FILE).write_text(json.dumps(card))
        with suppress(ModelError):
            load_labeller(folder).masks([text_nodes(Page("u", "u", "<h1>Diary</h1><p>It rained all day."))])


def main() -> None:
    folder, rounds, seed = sys.argv[1:]
    names = use_modules(Path(folder))
    print(f"{run(int(rounds), int(seed))} of {rounds} pages have text; {len(names)} modules")


if __name__ == "__main__":
    main()
