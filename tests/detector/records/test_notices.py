"""Notices reach the owners of the pages they concern."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ruiji.corpora.page import InputError
from ruiji.detector.records.changes import CHANGED, REMOVED, Notice, Outdated, changes
from ruiji.detector.records.comparison import compare_pages
from ruiji.detector.records.fields.concepts import built_in
from ruiji.detector.records.folder import RecordsFolder
from ruiji.detector.records.model import ADDRESS, PERSON, Field, PageRecords, Record
from ruiji.detector.records.notices import (
    ATOM,
    atom_feed,
    file_name,
    mail_bodies,
    notice_text,
    summary,
    text_by_site,
)
from ruiji.detector.records.owners import PageOwners, read_owners, shown_site

LAB, UNIVERSITY = "http://lab.x-u.ac.jp/members.html", "http://www.x-u.ac.jp/staff/list.html"
OF_2010 = "http://www.x-u.ac.jp/2010/staff.html"
NOTICE = Notice(
    CHANGED, LAB, "/table/tr[1]", "夏目 漱石", "職名", "准教授", "教授", "", "2024-04-01T00:00:00+00:00",
    (Outdated(UNIVERSITY, "/tr[9]", "夏目 漱石", "准教授", "2022-01-01T00:00:00+00:00"),),
)  # fmt: skip


@pytest.fixture
def owners(tmp_path: Path) -> PageOwners:
    path = tmp_path / "owners.tsv"
    path.write_text(
        "# address\towner\nhttps://www.x-u.ac.jp/\tweb@x-u.ac.jp\nhttp://www.x-u.ac.jp/staff/\tjinji@x-u.ac.jp\n",
        encoding="utf-8",
    )
    return read_owners(path)


def test_the_longest_prefix_counts_and_other_pages_are_their_sites(owners: PageOwners) -> None:
    assert owners.owner_of(UNIVERSITY) == "jinji@x-u.ac.jp"
    assert owners.owner_of("https://www.x-u.ac.jp/") == "web@x-u.ac.jp"
    assert owners.owner_of(LAB) == "x-u.ac.jp"


def test_a_line_without_an_owner_is_told(tmp_path: Path) -> None:
    path = tmp_path / "owners.tsv"
    path.write_text("http://x.example/\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1"):
        read_owners(path)


def test_each_owner_gets_what_to_mend_and_what_changed(owners: PageOwners) -> None:
    bodies = mail_bodies([NOTICE], owners)
    assert sorted(bodies) == ["jinji@x-u.ac.jp", "x-u.ac.jp"]
    assert f"{UNIVERSITY}\n    says: 准教授" in bodies["jinji@x-u.ac.jp"]
    assert "Changed on your pages" not in bodies["jinji@x-u.ac.jp"]
    assert "准教授 → 教授" in bodies["x-u.ac.jp"]


def test_the_feed_is_atom_and_names_the_owners(owners: PageOwners) -> None:
    feed = ElementTree.fromstring(atom_feed([NOTICE], owners))
    (entry,) = feed.findall(f"{{{ATOM}}}entry")
    assert entry.findtext(f"{{{ATOM}}}updated") == "2024-04-01T00:00:00+00:00"
    terms = [category.get("term") for category in entry.findall(f"{{{ATOM}}}category")]
    assert terms == ["jinji@x-u.ac.jp", "x-u.ac.jp"]
    assert atom_feed([NOTICE], owners) == atom_feed([NOTICE], owners)


def test_a_control_character_of_a_page_does_not_break_the_feed(owners: PageOwners) -> None:
    odd = Notice(CHANGED, LAB, "/p", "a\x00b\x0c", "f", "\ud800", "<&>", "", "")
    assert ElementTree.fromstring(atom_feed([odd], owners)) is not None


def test_text_stands_under_the_site_and_files_are_named_by_the_owner() -> None:
    assert text_by_site([NOTICE]).startswith("x-u.ac.jp\n=====")
    assert file_name("jinji@x-u.ac.jp") == "jinji@x-u.ac.jp.txt"
    assert file_name("../../etc") != file_name("_etc")
    assert "/" not in file_name("../../etc")


def test_a_record_of_a_name_alone_is_removed_without_empty_brackets() -> None:
    assert summary(Notice(REMOVED, LAB, "/li", "港の会", "", "", "", "", "")) == "港の会: removed"
    assert (
        summary(Notice(REMOVED, LAB, "/li", "港の会", "", "電話 0768", "", "", ""))
        == "港の会: removed (電話 0768)"
    )


def run_of(folder: Path, post: str, time: datetime | None, source: str) -> RecordsFolder:
    """A run over two pages: the one with this post and time, and the list of 2010, which has another post."""
    pages = (
        PageRecords(LAB, LAB, "lab.x-u.ac.jp", time, source, (), (natsume(post),)),
        PageRecords(
            OF_2010, OF_2010, "www.x-u.ac.jp", datetime(2010, 7, 1, tzinfo=UTC), ADDRESS, (),
            (natsume("准教授"),),
        ),
    )  # fmt: skip
    compare_pages(pages, folder, built_in())
    return RecordsFolder(folder)


def test_a_year_that_only_an_address_names_is_told_as_a_year(tmp_path: Path) -> None:
    old, new = (run_of(tmp_path / post, post, None, "") for post in ("准教授", "教授"))
    (notice,) = changes(old, new)
    assert f"{OF_2010} (2010)\n" in notice_text(notice)


def test_the_list_of_another_year_need_not_say_what_came_later(tmp_path: Path) -> None:
    time = datetime(2012, 7, 1, tzinfo=UTC)
    old, new = (run_of(tmp_path / post, post, time, ADDRESS) for post in ("准教授", "教授"))
    (notice,) = changes(old, new)
    assert (notice.outdated, notice.time_new) == ((), "2012")
    assert b"<updated>1970-" in atom_feed([notice], PageOwners()), "a year is no time of a change"


def test_who_still_has_the_old_name_is_told(tmp_path: Path) -> None:
    def run(folder: Path, name: str) -> RecordsFolder:
        mail = Field("", "mail", "mail", "natsume@x-u.ac.jp")
        pages = [
            PageRecords(url, url, url, None, "", (), (replace(natsume("教授", called), fields=(
                Field("", "name", "name", called), mail)),))
            for url, called in ((LAB, name), (UNIVERSITY, "夏目 漱石"))
        ]  # fmt: skip
        compare_pages(pages, folder, built_in())
        return RecordsFolder(folder)

    (notice,) = changes(run(tmp_path / "old", "夏目 漱石"), run(tmp_path / "new", "夏目 金之助"))
    assert (notice.new, [page.url for page in notice.outdated]) == ("夏目 金之助", [UNIVERSITY])


def test_a_record_that_keeps_its_reading_has_changed_its_name(tmp_path: Path) -> None:
    def run(folder: Path, name: str) -> RecordsFolder:
        fields = Field("", "name", "name", name), Field("", "reading", "name", "Makoto Sato")
        record = replace(natsume("助教", name), fields=fields)
        compare_pages([PageRecords(LAB, LAB, LAB, None, "", (), (record,))], folder, built_in())
        return RecordsFolder(folder)

    runs = [run(tmp_path / name, name) for name in ("佐藤 真", "佐藤 眞一", "佐薬 眞一")]
    for old, new in pairwise(runs):
        assert [notice.kind for notice in changes(old, new)] == [CHANGED]


def test_a_user_of_a_service_is_not_named_like_a_mail_address() -> None:
    assert shown_site("https://neko.github.io/members/") == "github.io/neko"
    assert PageOwners().owner_of("https://neko.github.io/") == "github.io/neko"
    assert shown_site("https://www.x-u.ac.jp/") == "x-u.ac.jp"


def natsume(post: str, name: str = "夏目 漱石") -> Record:
    fields = (Field("", "name", "name", name), Field("職名", "post", "post", post))
    return Record("/table/tr[1]", "row", name, fields, (), "/table", PERSON)


def test_a_page_with_several_changes_is_named_once(owners: PageOwners) -> None:
    notices = [NOTICE, replace(NOTICE, field="電話", old="1", new="2", outdated=())]
    for text in (text_by_site(notices), mail_bodies(notices, owners)["x-u.ac.jp"]):
        assert text.count(LAB) == 1
        assert "電話: 1 → 2" in text
