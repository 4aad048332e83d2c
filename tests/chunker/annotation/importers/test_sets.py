"""Annotated sets of others, each in the smallest form that has all its parts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ruiji.__main__ import main
from ruiji.chunker.annotation.examples import examples_of
from ruiji.chunker.annotation.importers.marker_comments import CommentMarkers
from ruiji.chunker.annotation.importers.sets import annotated_sets
from ruiji.chunker.labels import O
from ruiji.corpora import read_pages
from ruiji.corpora.errors import SettingError
from ruiji.corpora.page import InputError, Page

PROSE = "The ferry to the island leaves at seven in the morning and returns at nine in the evening."
MORE = "Bicycles travel free of charge, but dogs need a ticket of their own on every crossing."
MENU = "Home News Contact Imprint"
HTML = f"<html><body><ul><li>{MENU}</li></ul><p>{PROSE}</p><p>{MORE}</p></body></html>"


def write(path: Path, text: str, encoding: str = "utf-8") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))


def pages_of(source: Path, set_format: str, *labels: str) -> list[Page]:
    return list(annotated_sets([source], set_format, labels))


def content_of(page: Page) -> list[str]:
    """The text nodes that become content when the toolkit aligns the page's text."""
    (example,) = examples_of([page])
    assert example.nodes is not None, example.error
    return [text for text, label in zip(example.nodes.texts, example.labels, strict=True) if label == O]


def region(labelled: str, start: int, label: str = "Content", **value: Any) -> dict[str, Any]:
    return {
        "type": "hypertextlabels",
        "value": {
            "start": "/p[1]/text()[1]",
            "end": "/p[1]/text()[1]",
            "globalOffsets": {"start": start, "end": start + len(labelled)},
            "text": labelled,
            "hypertextlabels": [label],
            **value,
        },
    }


def task(*regions: dict[str, Any], **data: Any) -> dict[str, Any]:
    return {
        "id": 7,
        "data": {"html": HTML, "url": "http://a.example/ferry", **data},
        "annotations": [{"result": list(regions)}],
    }


def export(path: Path, *tasks: dict[str, Any]) -> Path:
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return path


def test_cleaneval_has_its_wrapper_and_its_marks_taken_off(tmp_path: Path) -> None:
    write(
        tmp_path / "en_original" / "12.html",
        f'<text id="12" title="a > b" encoding="utf-8">\n{HTML}\n</text>\n',
    )
    write(
        tmp_path / "en_cleaned" / "12-cleaned.txt",
        f"URL: http://a.example/ferry\n\n<h>{PROSE}\n\n<l>{MORE}\n",
    )
    (page,) = pages_of(tmp_path, "cleaneval")
    assert (page.id, page.url) == ("en_original/12.html", "http://a.example/ferry")
    assert page.html.strip() == HTML.encode()
    assert page.extra["main_content"] == f"{PROSE}\n\n{MORE}"
    assert content_of(page) == [PROSE, MORE]


def test_cleaneval_address_may_stand_in_the_wrapper_and_the_text_beside_the_page(tmp_path: Path) -> None:
    write(tmp_path / "en" / "1.html", f'<text id="http://a.example/one">{HTML}</text>')
    write(tmp_path / "en" / "1.txt", f"<p>{PROSE}")
    write(tmp_path / "zh" / "1.html", HTML)
    write(tmp_path / "zh" / "1.txt", f"URL: http://b.example/\n<p>{MORE}")
    english, chinese = pages_of(tmp_path, "cleaneval")
    assert (english.url, english.extra["main_content"]) == ("http://a.example/one", PROSE)
    assert (chinese.url, chinese.extra["main_content"], chinese.html) == (
        "http://b.example/",
        MORE,
        HTML.encode(),
    )


def test_cleaneval_page_without_its_own_text_is_an_error_row(tmp_path: Path) -> None:
    write(tmp_path / "pages" / "1.html", HTML)
    write(tmp_path / "pages" / "2.html", HTML)
    write(tmp_path / "a" / "1.txt", PROSE)
    write(tmp_path / "b" / "1.txt", MORE)
    assert [page.error for page in pages_of(tmp_path, "cleaneval")] == [
        "2 folders have a text of the name 1; convert one language at a time",
        "there is no 2-cleaned.txt",
    ]


@pytest.mark.parametrize(
    "marker",
    [
        "\r\n\r\n!@#$%^&*()  COMMENTS\r\n",
        "\r\n\r\n!@ $%^&*() COMMENTS\r\n",
        "\n!@#$%^&*()\n COMMENTS\n\n",
        " !@#$%^&*() COMMENTS\n",
    ],
)
def test_dragnet_comments_are_no_content(tmp_path: Path, marker: str) -> None:
    """The last two are what dragnet's own reader takes too."""
    write(tmp_path / "HTML" / "R249.html", HTML)
    write(tmp_path / "Corrected" / "R249.html.corrected.txt", f"{PROSE}{marker}{MORE}\r\n")
    (page,) = pages_of(tmp_path, "dragnet")
    assert page.extra["main_content"] == PROSE
    assert content_of(page) == [PROSE]
    (with_comments,) = pages_of(tmp_path, "dragnet", "comments", "article")
    assert with_comments.extra["main_content"] == f"{PROSE}\n{MORE}"
    (comments,) = pages_of(tmp_path, "dragnet", "comments")
    assert comments.extra["main_content"] == MORE


@pytest.mark.parametrize("encoding", ["windows-1252", "utf-16"])
def test_dragnet_text_may_be_in_another_encoding_than_utf8(tmp_path: Path, encoding: str) -> None:
    write(tmp_path / "HTML" / "a.html", HTML)
    text = "Le café est fermé, mais l’été l’hôtel reste ouvert jusqu’à la fin de la journée."
    write(tmp_path / "Corrected" / "a.html.corrected.txt", text, encoding)
    (page,) = pages_of(tmp_path, "dragnet")
    assert page.extra["main_content"] == text


def test_l3s_content_is_what_the_nearest_level_says(tmp_path: Path) -> None:
    name = "0a1b-22.html"
    write(tmp_path / "original" / name, HTML)
    write(
        tmp_path / "annotated" / name,
        f'<body><ul><li>{MENU}</li></ul><span class="x-nc-sel2"><p>{PROSE}<script>x = 1</script></p>'
        '<span class="x-nc-sel0">Advertisement</span></span><span class="x-nc-sel5">First!</span>'
        f'<p><span class="x-nc-sel3">{MORE}</span></p></body>',
    )
    write(tmp_path / "url-mapping.txt", "<urn:uuid:0a1b-22> http://a.example/ferry\n")
    (page,) = pages_of(tmp_path, "l3s")
    assert (page.url, page.html) == ("http://a.example/ferry", HTML.encode())
    assert page.extra["main_content"] == f"{PROSE}\n{MORE}"
    assert content_of(page) == [PROSE, MORE]
    (chosen,) = pages_of(tmp_path, "l3s", "full-text", "comments")
    assert chosen.extra["main_content"] == f"{PROSE}\nFirst!"
    with pytest.raises(SettingError, match="l3s has no label body; there are headline, full-text, suppl"):
        pages_of(tmp_path, "l3s", "body")


def test_l3s_page_that_nobody_annotated_is_an_error_row(tmp_path: Path) -> None:
    write(tmp_path / "original" / "a.html", HTML)
    (tmp_path / "annotated").mkdir()
    (page,) = pages_of(tmp_path, "l3s")
    assert page.error.startswith("annotated/a.html: cannot be read")


def test_label_studio_regions_come_in_the_order_of_the_page(tmp_path: Path) -> None:
    inner = region(PROSE[4:9], 34)
    source = export(tmp_path / "export.json", task(region(MORE, 200), region(PROSE, 30), inner))
    (page,) = pages_of(source, "label-studio")
    assert (page.id, page.url, page.html) == ("7", "http://a.example/ferry", HTML)
    assert page.extra["main_content"] == f"{PROSE}\n{MORE}"
    assert content_of(page) == [PROSE, MORE]


def test_label_studio_asks_which_of_several_labels_is_content(tmp_path: Path) -> None:
    source = export(tmp_path / "export.json", task(region(MENU, 0, "Menu"), region(PROSE, 30)))
    with pytest.raises(SettingError, match="has the labels Content, Menu; label says which is content"):
        pages_of(source, "label-studio")
    with pytest.raises(InputError, match="nothing has the label Body; there are Content, Menu"):
        pages_of(source, "label-studio", "Body")
    (page,) = pages_of(source, "label-studio", "Content")
    assert page.extra["main_content"] == PROSE
    (page,) = pages_of(source, "label-studio", "Content", "Menu")
    assert page.extra["main_content"] == f"{MENU}\n{PROSE}"


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (task(region(PROSE, 30, text=None)), "a region has no text"),
        (task(region(PROSE, 30, globalOffsets=None)), "a region has no globalOffsets"),
        (task(region(PROSE, 30), region(MORE, 50)), "two regions overlap at character 50"),
        (task(region(PROSE, 30), html="http://a.example/"), "the task has no markup"),
        ({**task(), "annotations": []}, "the task has 0 annotations"),
    ],
)
def test_label_studio_task_that_cannot_be_read_exactly_is_an_error_row(
    tmp_path: Path, wrong: dict[str, Any], error: str
) -> None:
    (page,) = pages_of(export(tmp_path / "export.json", wrong), "label-studio")
    assert page.error.startswith(error)
    assert not page.html


def test_inputs_that_are_no_sets_are_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"a": 1}', encoding="utf-8")
    for source, set_format, sentence in (
        (tmp_path, "cleaneval", "holds no pages in the form cleaneval"),
        (tmp_path, "dragnet", "has no folder HTML"),
        (tmp_path / "x.json", "l3s", "there is no such folder"),
        (tmp_path, "label-studio", "there is no such file"),
        (tmp_path / "x.json", "label-studio", "is no JSON export of Label Studio"),
    ):
        with pytest.raises(InputError, match=sentence):
            pages_of(source, set_format)


@pytest.mark.parametrize("target", ["jsonl", "parquet"])
def test_convert_writes_what_training_reads(tmp_path: Path, target: str) -> None:
    source, destination = tmp_path / "set", tmp_path / f"pages.{target}"
    write(source / "HTML" / "a.html", HTML)
    write(source / "Corrected" / "a.html.corrected.txt", PROSE)
    command = ["convert", str(source), "--from", "dragnet", "--to", target, "-q", "-o", str(destination)]
    assert main(command) == 0
    (page,) = read_pages([destination])
    assert content_of(page) == [PROSE]


def test_convert_says_what_does_not_go_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "HTML" / "a.html", HTML)
    destination = tmp_path / "out.xml"
    convert = ["convert", str(tmp_path), "-o", str(destination)]
    assert main([*convert, "--from", "dragnet", "--to", "standard-format"]) == 2
    assert "annotated sets are converted --to jsonl or --to parquet" in capsys.readouterr().err
    assert main([*convert, "--label", "Content", "--to", "jsonl"]) == 2
    assert "--label goes with --from label-studio, --from l3s or --from dragnet" in capsys.readouterr().err
    assert not destination.exists()


NOISE = HTML.replace("<ul>", "<!--  noise\n--><ul>").replace("</ul>", "</ul><!-- /noise -->")
KEPT = HTML.replace(f"<p>{PROSE}", f"<!-- text --><p>{PROSE}").replace("</body>", "<!-- end text --></body>")


@pytest.mark.parametrize(
    ("html", "markers", "marked"),
    [(NOISE, ("noise", "/noise"), "non-content"), (KEPT, ("text", "end text"), "content")],
)
def test_comments_of_another_convention_mark_content_or_what_is_none(
    html: str, markers: tuple[str, str], marked: str, tmp_path: Path
) -> None:
    write(tmp_path / "pages" / "1.html", html)
    destination = tmp_path / "out.jsonl"
    arguments = ["convert", str(tmp_path / "pages"), "--from", "comments", "--to", "jsonl", "-q"]
    arguments += ["--markers", *markers, "--marked", marked, "-o", str(destination)]
    assert main(arguments) == 0
    (page,) = read_pages([destination])
    assert content_of(page) == [PROSE, MORE]


@pytest.mark.parametrize(
    ("html", "error"),
    [(HTML, "has no comment noise"), (NOISE.replace("<!-- /noise -->", ""), "do not take turns")],
)
def test_a_page_whose_comments_are_missing_or_left_open_is_an_error_row(
    html: str, error: str, tmp_path: Path
) -> None:
    write(tmp_path / "1.html", html)
    (page,) = annotated_sets([tmp_path], "comments", markers=CommentMarkers("noise", "/noise"))
    assert error in page.error


def test_markers_go_with_comments_and_comments_with_markers(tmp_path: Path) -> None:
    for set_format, markers in (("comments", None), ("l3s", CommentMarkers("a", "b"))):
        with pytest.raises(SettingError, match="markers"):
            annotated_sets([tmp_path], set_format, markers=markers)
