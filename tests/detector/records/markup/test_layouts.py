"""Records in the markup that pages have: rows, cards, lists of names with brackets, names in one cell,
headings.
"""

from __future__ import annotations

import numpy as np
import pytest

from ruiji.detector.records.fields.concepts import built_in
from ruiji.detector.records.find import records_of
from ruiji.detector.records.model import ORGANISATION, PERSON, SECTION, Record
from ruiji.features.page.spans import cell_spans
from tests.factories import make_nodes, make_page


def found(html: str) -> list[Record]:
    page = make_page(html)
    nodes = make_nodes(html)
    return records_of(nodes, np.ones(len(nodes), dtype=bool), built_in(), cell_spans(page, nodes))


def fields(record: Record) -> dict[str, str]:
    return {field.concept: field.value for field in record.fields if field.concept}


def test_cells_that_span_rows_count_for_all_of_them() -> None:
    records = found(
        "<table><tr><th>氏名</th><th>学科</th><th>内線</th></tr>"
        "<tr><td>夏目 漱石</td><td rowspan=2>情報科学科</td><td>3412</td></tr>"
        "<tr><td>森 鷗外</td><td>3413</td></tr></table>"
    )
    assert [(record.title, fields(record)["ext"]) for record in records] == [
        ("夏目 漱石", "3412"),
        ("森 鷗外", "3413"),
    ]


def test_an_empty_cell_is_told_from_a_field_that_is_not_there() -> None:
    first, second = found(
        "<table><tr><th>氏名</th><th>居室</th></tr><tr><td>夏目 漱石</td><td>－</td></tr>"
        "<tr><td>森 鷗外</td><td>2号館101</td></tr></table>"
    )
    assert (first.title, first.empty, second.empty) == ("夏目 漱石", ("place",), ())


def test_a_term_and_a_heading_say_what_the_names_below_them_do() -> None:
    records = found(
        "<h2>委員会</h2><dl><dt>委員長</dt><dd>夏目漱石 (木曜会, 株式会社猫)</dd></dl>"
        "<h3>実行委員</h3><ul><li>森鷗外 (架空大学)</li><li>石川啄木 (新聞社)</li><li>neko99 "
        "(猫の会)</li></ul>"
    )
    assert [record.title for record in records] == ["夏目漱石", "森鷗外", "石川啄木", "neko99"]
    assert fields(records[0])["post"] == "委員長"
    assert fields(records[1]) == {"name": "森鷗外", "post": "実行委員", "affiliation": "架空大学"}
    assert {field.origin for field in records[1].fields if field.concept == "post"} == {SECTION}


def test_names_in_one_cell_are_records_of_their_own() -> None:
    records = found(
        "<h2>卒業生</h2><table><tr><td>2021年度</td><td>夏目 漱石、森 鷗外、樋口 一葉</td></tr></table>"
    )
    assert [record.title for record in records] == ["夏目 漱石", "森 鷗外", "樋口 一葉"]
    assert len({record.path for record in records}) == 3, "a record is known by its page and path"


def test_cards_and_lines_of_one_cell_give_posts_by_their_slot() -> None:
    records = found(
        "<h2>Our team</h2>"
        + "".join(
            f"<div><h5>{name}</h5><p>{post}</p></div>"
            for name, post in (
                ("John Smith", "Managing Partner"),
                ("Mary Jones", "Outside Sales"),
                ("Peter Brown", "President"),
            )
        )
    )
    assert [(record.title, fields(record)["post"]) for record in records] == [
        ("John Smith", "Managing Partner"), ("Mary Jones", "Outside Sales"), ("Peter Brown", "President"),
    ]  # fmt: skip


def test_two_lines_with_one_name_in_two_scripts_are_one_record() -> None:
    records = found(
        "<h2>教員</h2><table>"
        "<tr><td>夏目 漱石<br>Soseki Natsume</td></tr><tr><td>森 鷗外<br>Ogai Mori</td></tr></table>"
    )
    assert [(record.title, fields(record)["reading"]) for record in records] == [
        ("夏目 漱石", "Soseki Natsume"), ("森 鷗外", "Ogai Mori"),
    ]  # fmt: skip


def test_sponsors_are_organisations_and_offices_are_known_by_their_facts() -> None:
    sponsors = found(
        "<h1>スポンサー</h1><ul><li>株式会社猫</li><li>架空商事株式会社</li><li>合同会社坊っちゃん</li></ul>"
    )
    assert [(record.title, record.kind) for record in sponsors] == [
        ("株式会社猫", ORGANISATION), ("架空商事株式会社", ORGANISATION),
        ("合同会社坊っちゃん", ORGANISATION),
    ]  # fmt: skip
    (office, _) = found(
        "<div><p>澄川支店</p><p>住所：青葉市本町1-2-3</p><p>電話：0123-45-6789</p></div>"
        "<div><p>白浜営業所</p><p>住所：港北市浜田4-5</p><p>電話：0123-45-6780</p></div>"
    )
    assert (office.title, fields(office)["phone"]) == ("澄川支店", "0123-45-6789")


def test_manuals_menus_code_and_prose_give_no_records() -> None:
    assert not found(
        "<nav><ul><li><a href=/>ホーム</a></li><li><a href=/tel>電話</a></li></ul></nav>"
        "<h1>環境 変数</h1><h2>Getting Started</h2><p>詳しくは設定 方法の章を見てください。</p>"
        "<ul><li>GitHub #1234</li><li>GitHub #1235</li><li>GitHub #1236</li></ul>"
        "<pre>氏名：夏目 漱石\n電話：03-1234-5678</pre><p><code>John Smith</code></p>"
    )


def test_a_list_in_which_names_come_again_is_a_list_of_works() -> None:
    works = "".join(f"<li>夏目 漱石 「作品{number}」</li>" for number in range(6))
    assert not found(f"<h2>業績</h2><ul>{works}</ul>")


def test_a_page_without_content_has_no_records() -> None:
    nodes = make_nodes("<p>氏名：夏目 漱石</p>")
    assert records_of(nodes, np.zeros(len(nodes), dtype=bool), built_in()) == []


def test_a_person_page_is_one_record() -> None:
    (record,) = found(
        "<h1>夏目 漱石</h1><table><tr><th>氏名</th><td>夏目 漱石</td></tr><tr><th>職名</th><td>教授</td></tr>"
        "<tr><th>居室</th><td>2号館512</td></tr></table>"
    )
    assert record.kind == PERSON
    assert fields(record)["place"] == "2号館512"


def titles(html: str, content: bool = True) -> list[str]:
    page, nodes = make_page(html), make_nodes(html)
    mask = np.full(len(nodes), content)
    mask[0] = True
    return [record.title for record in records_of(nodes, mask, built_in(), cell_spans(page, nodes))]


def test_a_list_of_links_under_a_heading_for_people_is_no_menu() -> None:
    items = "".join(
        f"<li><a href='/{name}'>{name}</a></li>"
        for name in ("Mary Shelley", "Jane Austen", "Emily Dickinson")
    )
    assert titles(f"<p>Who we are.</p><h2>PhD Students</h2><ul>{items}</ul>", content=False) == [
        "Mary Shelley",
        "Jane Austen",
        "Emily Dickinson",
    ]
    assert titles(f"<p>Who we are.</p><h2>See also</h2><ul>{items}</ul>", content=False) == []


def test_a_link_around_two_lines_is_a_card() -> None:
    cards = "".join(
        f"<a href='/{name}'><h3>{name}</h3><p>Postdoctoral Fellow</p></a>"
        for name in ("Mary Shelley", "Jane Austen", "Emily Dickinson")
    )
    assert len(titles(f"<h1>Laboratory</h1>{cards}", content=False)) == 3


def test_a_name_and_the_same_in_another_script_are_one_record() -> None:
    cards = "".join(
        f"<div><h5>{name}</h5><p>{post}</p><p>{latin}</p></div>"
        for name, post, latin in (
            ("夏目 漱石", "教授", "Soseki Natsume"),
            ("森 鷗外", "准教授", "Ogai Mori"),
            ("石川 啄木", "助教", "Takuboku Ishikawa"),
        )
    )
    records = found(f"<h2>メンバー</h2>{cards}")
    assert [record.title for record in records] == ["夏目 漱石", "森 鷗外", "石川 啄木"]
    assert fields(records[0])["reading"] == "Soseki Natsume"


def test_an_organisation_over_its_address_and_numbers_is_a_record() -> None:
    records = found(
        "<h1>お問い合わせ先</h1><p>文学シンポジウム事務局<br>〒113-0033 東京都文京区本郷7-3-1<br>"
        "03-1234-5678<br>office@bungaku.example.jp</p>"
    )
    assert [(record.title, record.kind) for record in records] == [("文学シンポジウム事務局", ORGANISATION)]
    assert fields(records[0])["mail"] == "office@bungaku.example.jp"


def test_who_represents_a_company_is_a_field_of_its_record() -> None:
    (record,) = found(
        "<table><tr><th>会社名</th><td>株式会社猫</td></tr><tr><th>代表者</th><td>代表取締役 夏目 漱石</td>"
        "</tr><tr><th>電話番号</th><td>03-1234-5678</td></tr></table>"
    )
    assert (record.title, fields(record)["representative"]) == ("株式会社猫", "代表取締役 夏目 漱石")


def test_a_bold_name_begins_what_is_said_of_it() -> None:
    html = (
        "<h2>{}</h2><p><b>Mary Shelley</b> is a professor of literature, and has written on Geneva.</p>"
        "<p><b>Jane Austen</b> is a research scientist who works on manners and on prejudice.</p>"
    )
    assert titles(html.format("Organizers")) == ["Mary Shelley", "Jane Austen"]
    assert titles(html.format("Last summer")) == []


def test_a_handle_among_names_that_are_sure_is_a_name() -> None:
    names = ["Mary Shelley", "zorbq", "Jane Austen", "Emily Dickinson", "kettle_k"]
    talks = "".join(
        f"<h2>Cats in example {number}</h2><h3>{name}</h3><p>Likes cats.</p>"
        for number, name in enumerate(names)
    )
    assert titles(f"<h1>Sessions</h1>{talks}") == names


def test_a_linked_name_over_a_post_is_no_menu() -> None:
    cards = "".join(
        f"<article><h2><a href='/{name}'>{name}</a></h2><div>Piano Teacher</div></article>"
        for name in ("Mary Shelley", "Jane Austen", "Emily Dickinson", "Emily Bronte")
    )
    assert len(titles(f"<p>Lessons.</p><h1>Piano</h1>{cards}", content=False)) == 4
    menu = cards.replace("Piano Teacher", "Read on")
    assert titles(f"<p>Lessons.</p><h1>Piano</h1>{menu}", content=False) == []


def test_readers_who_comment_and_people_who_are_thanked_are_no_records() -> None:
    names = ("Mary Shelley", "Jane Austen", "Emily Dickinson", "John Smith")
    stated = "<p class=author>{}</p><p>How very true.</p><p>{}</p>"
    comments = "".join(stated.format(name, "Reply") for name in names)
    assert titles(f"<h1>Of cats</h1>{comments}") == []
    assert titles("<h1>Of cats</h1>" + "".join(stated.format(name, "More") for name in names))
    listed = "".join(f"<li>{name}さん</li>" for name in names)
    assert titles(f"<h1>メンバー</h1><h2>感謝</h2><ul>{listed}</ul>") == []


def test_offices_are_known_by_street_and_town() -> None:
    records = found(
        "<h2>Where we are</h2>"
        "<div><p>Elmford</p><p>12 N. Example Avenue, Ste 5</p><p>Elmford, CA 90000</p></div>"
        "<div><p>Ashby</p><p>7 Example Hwy</p><p>Ashby, OR 90001</p></div>"
    )
    assert [(record.title, fields(record)["zip"]) for record in records] == [
        ("Elmford", "Elmford, CA 90000"), ("Ashby", "Ashby, OR 90001"),
    ]  # fmt: skip


def test_a_name_right_over_its_address_is_an_organisation() -> None:
    address = "<p>Elmford Kettles</p><p>12 Example Road</p><p>(555) 555-0100</p>"
    assert titles(f"<title>Contact</title><div>{address}</div>") == ["Elmford Kettles"]
    numbers = "<p>Elmford Kettles</p><p>a@example.com</p><p>(555) 555-0100</p>"
    assert titles(f"<title>Contact | Elmford Kettles</title><div>{numbers}</div>") == ["Elmford Kettles"]
    assert titles(f"<title>Contact</title><div>{numbers}</div>") == []


def test_an_account_beside_a_name_is_no_name() -> None:
    people = "".join(
        f"<div><p>{name}</p><p><a href='https://twitter.com/{account}'>@{account}</a></p></div>"
        for name, account in (("Mary Shelley", "zorbq"), ("Jane Austen", "kettlek"), ("John Smith", "mopox"))
    )
    assert titles(f"<h1>Staff</h1>{people}") == ["Mary Shelley", "Jane Austen", "John Smith"]


def test_branches_of_any_name_are_known_by_their_addresses() -> None:
    leeds = "<p><b>Leeds</b><br>12 Example Road<br>Leeds LS1 4AB<br>Tel: 0113 496 0000</p>"
    york = "<p><b>York</b><br>Unit 4, 9 Sample Street<br>YO1 7HH<br>Toll Free 0800 123 4567</p>"
    records = found(f"<h1>Contact us</h1><div>{leeds}{york}</div>")
    assert [record.title for record in records] == ["Leeds", "York"]
    assert fields(records[1]) == {
        "name": "York",
        "address": "Unit 4, 9 Sample Street",
        "zip": "YO1 7HH",
        "phone": "0800 123 4567",
    }


def test_a_post_and_the_organisation_after_it_are_two_fields() -> None:
    records = found(
        "<h2>Program Committee</h2><ul>"
        + "".join(
            f"<li>{name}, Professor, {organisation}</li>"
            for name, organisation in (
                ("John Smith", "Example University"),
                ("Mary Jones", "Sample Institute"),
                ("Peter Brown", "University of Nowhere"),
            )
        )
        + "</ul>"
    )
    assert [(fields(record)["post"], fields(record)["affiliation"]) for record in records] == [
        ("Professor", "Example University"),
        ("Professor", "Sample Institute"),
        ("Professor", "University of Nowhere"),
    ]


def test_brackets_around_a_post_are_no_part_of_it() -> None:
    records = found(
        "<h2>Board</h2>"
        + "".join(
            f"<p>{name}<br><i>({post})</i></p>"
            for name, post in (
                ("John Smith", "Founder and Chairperson"),
                ("Mary Jones", "Secretary"),
                ("Peter Brown", "Treasurer"),
            )
        )
    )
    assert [fields(record)["post"] for record in records] == [
        "Founder and Chairperson",
        "Secretary",
        "Treasurer",
    ]


def test_a_price_is_no_name_of_a_thing() -> None:
    records = found(
        "<table><tr><th>Name</th><th>Price</th><th>Size</th></tr>"
        "<tr><td>$130</td><td>$80</td><td>10</td></tr><tr><td>$240</td><td>$190</td><td>20</td></tr></table>"
    )
    assert not [record.title for record in records if record.title.startswith("$")]


def test_a_post_over_a_name_is_the_post_of_its_record() -> None:
    (record,) = found("<h2>役員紹介</h2><div><p>代表取締役</p><h3>夏目 漱石</h3><p>根津に住む。</p></div>")
    assert fields(record)["post"] == "代表取締役"


def test_a_name_and_its_surname_in_another_script_below_are_one_record() -> None:
    (record,) = found(
        "<h2>役員紹介</h2><ul><li><p>社長</p><p>田中 天晴</p><p>TANAKA Tensei</p>"
        "<p>猫が好きです。</p></li></ul>"
    )
    assert record.title == "田中 天晴"
    assert [field.value for field in record.fields if field.concept == "reading"] == ["TANAKA Tensei"]
    assert "TANAKA Tensei" not in [field.value for field in record.fields if not field.concept]


def test_names_in_one_line_are_a_list_of_their_own() -> None:
    records = found(
        "<h2>Organisers</h2><p>Stevan Pipek, Wei Xu, Lihua Wu and Anna Brown (Chairs); Nan Lu (Publicity)</p>"
        "<p>Everybody is welcome on the island of cats and dogs.</p>"
    )
    assert [record.title for record in records] == [
        "Stevan Pipek", "Wei Xu", "Lihua Wu", "Anna Brown", "Nan Lu",
    ]  # fmt: skip


def test_organisations_that_host_are_records_and_people_who_organise_stay_people() -> None:
    records = found(
        "<h2>Organizers</h2><ul><li><span>Example Institute of Technology, Nowhere</span></li>"
        "<li><span>Sample University</span></li></ul><h2>主催</h2><ul><li>架空大学</li></ul>"
        "<h2>Organizers</h2><ul><li>John Smith (Example Cats)</li><li>Mary Jones (Sample Dogs)</li></ul>"
    )
    assert [(record.title, record.kind) for record in records] == [
        ("Example Institute of Technology, Nowhere", ORGANISATION),
        ("Sample University", ORGANISATION),
        ("架空大学", ORGANISATION),
        ("John Smith", PERSON),
        ("Mary Jones", PERSON),
    ]


def test_a_column_of_posts_speaks_before_the_head_over_the_names() -> None:
    records = found(
        "<table><tr><th>Members</th><th>Post</th></tr><tr><td>Mr. John Smith</td><td>President</td></tr>"
        "<tr><td>Ms. Mary Jones</td><td>Secretary</td></tr></table>"
    )
    posts = [[field.value for field in record.fields if field.concept == "post"] for record in records]
    assert posts == [["President"], ["Secretary"]]


def test_bold_over_a_name_in_its_cell_says_nothing_of_the_next_cell() -> None:
    cells = "<td><b>Professor</b><br>Mary Shelley</td><td>Osamu Dazai</td>"
    first, second = found(f"<h2>Members</h2><table><tr>{cells}</tr></table>")
    assert (fields(first)["post"], fields(second).get("post")) == ("Professor", None)


def test_bold_alone_in_its_cell_heads_the_cells_that_follow() -> None:
    rows = "<tr><td><b>Professor</b></td></tr><tr><td>Mary Shelley</td></tr><tr><td>Osamu Dazai</td></tr>"
    records = found(f"<h2>Members</h2><table>{rows}</table>")
    assert [fields(record)["post"] for record in records] == ["Professor", "Professor"]


def test_a_line_between_two_tables_heads_the_second() -> None:
    table = "<table><tr><td>{}</td></tr><tr><td>{}</td></tr></table>"
    records = found(
        f"<h2>PhD Student</h2>{table.format('Mary Shelley', 'Osamu Dazai')}"
        f"<p>Master Student 2nd grade</p>{table.format('Soseki Natsume', 'Ogai Mori')}"
    )
    assert [fields(record)["post"] for record in records] == [
        *["PhD Student"] * 2,
        *["Master Student 2nd grade"] * 2,
    ]


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        (
            "D3 真壁 涼 (Ryo Makabe)<br>D2 小川 直樹 (Naoki Ogawa)",
            [("真壁 涼", "Ryo Makabe", "D3"), ("小川 直樹", "Naoki Ogawa", "D2")],
        ),
        (
            "Marta Kovalčíková, Example University<br>Javier Etxeberria, Example College",
            [("Marta Kovalčíková", "", ""), ("Javier Etxeberria", "", "")],
        ),
        (
            "副委員長 五十嵐 まどか (架空大学)<br>委員 田村 健一 (架空高専)",
            [("五十嵐 まどか", "", "副委員長"), ("田村 健一", "", "委員")],
        ),
        (
            "准教授 五十嵐 まどか<br>助教 Nguyen Van Thanh",
            [("五十嵐 まどか", "", "准教授"), ("Nguyen Van Thanh", "", "助教")],
        ),
        ("准教授 五十嵐 まどか<br>Madoka Igarashi", [("五十嵐 まどか", "Madoka Igarashi", "准教授")]),
    ],
)
def test_a_name_on_a_line_of_its_own_with_a_post_or_place_is_no_reading(
    lines: str, named: list[tuple[str, str, str]]
) -> None:
    for around in ("<p>{}</p>", "<table><tr><td>{}</td></tr></table>"):
        records = found("<h1>Members</h1>" + around.format(lines))
        told = [(record.title, fields(record)) for record in records]
        assert [(name, said.get("reading", ""), said.get("post", "")) for name, said in told] == named


def test_a_line_like_that_of_the_name_after_what_is_set_in_below_it_is_somebody_else() -> None:
    (record,) = found(
        "<h1>メンバー</h1><div>松本 健 (Ken Matsumoto)</div><blockquote><div>@kenm</div></blockquote>"
        "<div>もりもと</div><blockquote><div>@morimoto</div></blockquote>"
    )
    assert [field.value for field in record.fields if field.concept == "twitter"] == ["@kenm"]


def test_organisations_of_one_list_need_no_second_fact() -> None:
    entries = (
        ("Access Institute", "110 Gough St. Suite 301", "(415) 861-5449"),
        ("Kettle Clinic", "Suite 5112", "Greenbrae, CA 94904", "(415) 742-4306"),
        ("Bindle Center", "3850 17th Street", "(415) 934-7757"),
        ("Harbour Institute", "(415) 862-0594"),
    )
    items = "".join(f"<li>{'<br>'.join(lines)}</li>" for lines in entries)
    records = found(f"<h1>Providers</h1><ul>{items}</ul>")
    assert [record.title for record in records] == [lines[0] for lines in entries]
    assert not found(f"<h1>Providers</h1><ul><li>{'<br>'.join(entries[-1])}</li></ul>")


def test_a_label_says_that_a_name_is_that_of_a_company() -> None:
    rows = ("会社名", "<div>港屋</div><div>ミナトヤ</div>"), ("代表者", "夏目 漱石"), ("TEL", "088-699-1234")
    table = "".join(f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in rows)
    (record,) = found(f"<h1>会社概要</h1><table>{table}</table>")
    assert (record.title, record.kind, fields(record)["representative"]) == (
        "港屋",
        ORGANISATION,
        "夏目 漱石",
    )


def test_a_room_under_its_label_is_no_person() -> None:
    (record,) = found(
        "<h2>Lab Director</h2><p><b>Kourosh Zarringhalam, Ph.D.</b><br>Associate Professor<br>"
        "Office: Wheatley Hall, Room 91<br>Phone: 617-287-6490</p>"
    )
    assert (record.title, record.kind) == ("Kourosh Zarringhalam", PERSON)


def test_the_title_of_a_talk_and_the_bullets_of_a_life_are_no_posts() -> None:
    (record,) = found("<p>Speaker: <b>Dr. Mary Shelley</b> (Aoba University)<br><br>Title: Of Monsters</p>")
    assert fields(record)["post"] == "Speaker"
    records = found(
        "<h2>Staff</h2>"
        + "".join(
            f"<h3>{name}</h3><div>* Kettle keeper principal</div><div>* Author of a book</div>"
            for name in ("Mary Shelley", "Jane Austen", "Emily Dickinson")
        )
    )
    assert [record.title for record in records] == ["Mary Shelley", "Jane Austen", "Emily Dickinson"]
    assert not any(field.value.startswith("*") and field.concept == "post" for field in records[0].fields)


def test_a_name_in_hiragana_that_a_label_announces() -> None:
    place = "独立行政法人産業技術総合研究所"
    (record,) = found(
        f"<dl><dt>スピーカー</dt><dd>えと こういちろう - {place}</dd><dt>内容</dt><dd>絵の話</dd></dl>"
    )
    assert (record.title, fields(record)["affiliation"]) == ("えと こういちろう", place)
    assert found("<p>えと こういちろう</p><p>絵の話</p>") == []
