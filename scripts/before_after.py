"""Makes the picture of the README anew: ``python -m scripts.before_after docs/before-after.png`` draws a page
of the mini-web in Chromium, with what the shipped model takes for no content in grey, beside the Markdown
that ``ruiji extract`` writes of it.
"""

from __future__ import annotations

import html
import mimetypes
import shutil
import sys
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

from PIL import Image  # comes with matplotlib
from playwright.sync_api import Route, sync_playwright

import ruiji
from ruiji.chunker.annotation.markers import BEGIN, END
from ruiji.chunker.annotation.writing import annotate
from ruiji.chunker.labels import labels_of_mask, regions_of
from ruiji.commands.demo import ARTICLE
from ruiji.corpora import MINIWEB, Page, read_pages

WIDTH, HEIGHT = 1200, 860  # of the picture
SHOWN_WIDTH = 1000  # of the window that the page is laid out in, of which it takes half the picture
COLOURS = 64  # with all of them the file is almost three times as large

FRAME = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; display: flex; background: #fff; }}
div {{ width: {half}px; height: {height}px; overflow: hidden; box-sizing: border-box; }}
iframe {{ border: 0; width: {shown}px; height: {shown_height}px; }}
iframe {{ transform: scale({scale}); transform-origin: 0 0; }}
pre {{ margin: 0; padding: 14px 18px; white-space: pre-wrap; }}
pre {{ font: 11px/1.5 "Noto Sans Mono CJK JP", monospace; }}
p {{ margin: 0; padding: 10px 18px; font: 12px/1.6 sans-serif; background: #eef4ee; }}
.after {{ border-left: 2px solid #888; }}
</style><div><iframe src="{address}"></iframe></div>
<div class="after"><p><b>{title}</b><br>published {published}, language {language}</p>
<pre>{markdown}</pre></div>"""

# Elements with nothing but non-content turn grey as a whole, with their boxes and pictures; where both stand
# in one element, the text alone does. A comment may stand before the body; text counts only inside it.
GREY_OUT = """([begin, end]) => {
  const style = document.createElement("style");
  style.textContent = ".no-content { filter: grayscale(1) opacity(0.22); }";
  document.head.append(style);
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT);
  const content = new Set(), rest = [];
  let inside = false;
  while (walker.nextNode()) {
    const node = walker.currentNode, text = node.data.trim();
    if (node.nodeType === Node.COMMENT_NODE) inside = text === begin || (inside && text !== end);
    else if (!document.body.contains(node) || node.parentNode.matches("script, style")) continue;
    else if (text && !inside) for (let at = node; at; at = at.parentNode) content.add(at);
    else if (text) rest.push(node);
  }
  for (const node of rest) {
    let whole = node;
    while (!content.has(whole.parentNode)) whole = whole.parentNode;
    if (whole.nodeType === Node.TEXT_NODE) {
      const span = document.createElement("span");
      whole.replaceWith(span);
      span.append(whole);
      whole = span;
    }
    whole.classList.add("no-content");
  }
}"""


def write_picture(page: Page, destination: Path) -> None:
    """Draws the page before and after extraction into a PNG file."""
    document = ruiji.extract(page)
    regions = regions_of(labels_of_mask(document.mask.content))
    marked = replace(page, html=annotate(page, regions))
    scale = WIDTH / 2 / SHOWN_WIDTH
    frame = FRAME.format(
        half=WIDTH // 2,
        height=HEIGHT,
        shown=SHOWN_WIDTH,
        shown_height=round(HEIGHT / scale),
        scale=scale,
        address=page.url,
        title=html.escape(document.title),
        published=document.published,
        language=document.language,
        markdown=html.escape(document.markdown),
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        window = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        window.route("**/*", lambda route: _answer(route, marked))
        window.set_content(frame, wait_until="load")
        window.frames[1].evaluate(GREY_OUT, [BEGIN, END])
        picture = Image.open(BytesIO(window.screenshot()))
        browser.close()
    palette = picture.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE)
    palette.save(destination, "png", optimize=True)


def _answer(route: Route, page: Page) -> None:
    """Answers a request of the browser with the page, or with a file of the mini-web."""
    address = urlsplit(route.request.url)
    file = MINIWEB / (address.hostname or "") / address.path.lstrip("/")
    if route.request.url == page.url:
        route.fulfill(body=page.html, content_type="text/html")
    elif file.is_file():
        route.fulfill(path=file, content_type=mimetypes.guess_type(file)[0])
    else:
        route.abort()


if __name__ == "__main__":
    write_picture(next(page for page in read_pages([MINIWEB]) if page.id == ARTICLE), Path(sys.argv[1]))
