"""The picture of the README: what is no content turns grey, and nothing else."""

from __future__ import annotations

from playwright.sync_api import Browser

from ruiji.chunker.annotation.markers import BEGIN, END
from scripts.before_after import GREY_OUT

MARKED = f"""<!--{BEGIN}--><nav><b>menu</b> <i>search</i></nav><!--{END}-->
<p>content <!--{BEGIN}-->share<!--{END}--> <em>more</em></p>
<div><p>last</p><!--{BEGIN}--><p>footer</p></div><address>imprint</address><!--{END}-->"""


def test_only_what_lies_between_the_markers_turns_grey(chromium: Browser) -> None:
    page = chromium.new_page()
    page.set_content(MARKED)
    page.evaluate(GREY_OUT, [BEGIN, END])
    assert page.locator(".no-content").all_inner_texts() == ["menu search", "share", "footer", "imprint"]
    page.close()
