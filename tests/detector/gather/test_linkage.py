"""Links of a collection in both directions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ruiji.corpora.standard_format import LinkEntry
from ruiji.detector.gather.linkage import linkage

HOSTS = ["http://a.example/", "http://b.example/x.html", "https://c.example/", "http://elsewhere.example/"]
texts = st.sampled_from(["", "港", "次へ", "\ud800"])


def test_links_meet_the_pages_that_they_mean() -> None:
    with linkage() as links:
        links.add(
            0,
            "a",
            "http://a.example/index.html",
            [
                LinkEntry("次", "http://b.example/"),
                LinkEntry("外", "http://x.example/"),
                LinkEntry("次", "http://b.example/"),
            ],
        )
        links.add(
            1,
            "b",
            "http://b.example/",
            [LinkEntry("前", "https://A.example/#top"), LinkEntry("自分", "http://b.example/")],
        )
        links.finish()
        assert links.out_links(0) == [
            LinkEntry("次", "http://b.example/", "b"),
            LinkEntry("外", "http://x.example/"),
        ]
        assert links.in_links(0) == [LinkEntry("前", "http://b.example/", "b")]
        assert links.in_links(1) == [LinkEntry("次", "http://a.example/index.html", "a")]
        assert links.in_links(7) == links.out_links(7) == []


@given(st.lists(st.lists(st.builds(LinkEntry, texts, st.sampled_from(HOSTS)), max_size=4), max_size=3))
def test_every_link_between_pages_is_seen_from_both_sides(pages: list[list[LinkEntry]]) -> None:
    with linkage() as links:
        for number, out in enumerate(pages):
            links.add(number, f"id{number}", HOSTS[number], out)
        links.finish()
        outward = {
            (HOSTS[number], link.text, link.id)
            for number in range(len(pages))
            for link in links.out_links(number)
            if link.id not in ("", f"id{number}")
        }
        inward = {
            (link.url, link.text, f"id{number}")
            for number in range(len(pages))
            for link in links.in_links(number)
        }
        assert outward == inward
