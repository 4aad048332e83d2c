"""Pages that are made to cost more than their size: each shape grows to as many bytes as one asks for.

A shape is a beginning, what is repeated, and an end; ``{n}`` in what is repeated counts. The runs of this
folder and ``tests/faults`` draw from here, so that a shape that once hurt is tried wherever pages are.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """A page that grows: ``begin``, ``unit`` again and again, and ``end``, as often where ``closed``."""

    unit: str
    begin: str = ""
    end: str = ""
    closed: bool = False

    def page(self, size: int) -> bytes:
        """A page of about that many bytes."""
        width = max(1, len(self.unit.format(n=size // 8).encode()) + len(self.end.encode()) * self.closed)
        count = max(1, (size - len(self.begin)) // width)
        if "{n}" in self.unit:
            middle = "".join(self.unit.format(n=number) for number in range(count))
        else:
            middle = self.unit.format(n=0) * count
        return (self.begin + middle + self.end * (count if self.closed else 1)).encode()


_NESTING = (
    "div b a p span font table td tr select optgroup button form template object marquee ruby rt dl dt dd "
    "li ul blockquote h1 h6 center nobr code pre svg math frameset details summary dialog fieldset x-own "
    "image address small section"
)
_NESTING_INSIDE = (
    ("<table>", "tbody"), ("<table>", "caption"), ("<table>", "template"), ("<select>", "option"),
    ("<ruby>", "rtc"), ("<ruby>", "rb"), ("<svg>", "g"), ("<svg>", "tr"), ("<svg>", "desc"),
    ("<svg>", "foreignObject"), ("<svg>", "template"), ("<svg><g>", "td"), ("<svg><foreignObject>", "table"),
    ("<math>", "mi"), ("<math>", "mrow"), ("<math>", "tr"), ("<math>", "annotation-xml"),
    ("<math><mtext>", "div"), ("<head>", "noscript"), ("<select><option>a", "selectedcontent"),
)  # fmt: skip

SHAPES: Mapping[str, Shape] = {
    # text
    "one word": Shape("a"),
    "one kanji": Shape("漢"),
    "katakana": Shape("ア"),
    "spaces": Shape(" ", "<p>a", "b"),
    "ideographic spaces": Shape("　", "<p>a", "b"),
    "line ends": Shape("\n", "<p>a", "b"),
    "words": Shape("word{n} ", "<p>"),
    "one sentence": Shape("It rained all day, and nobody went to the harbour. ", "<p>"),
    "one sentence in paragraphs": Shape("<p>港には雨が降り続き、だれも海へ出ようとはしなかった。"),
    "full stops": Shape("。", "<p>"),
    "Latin full stops": Shape("a. ", "<p>"),
    "brackets": Shape("「", "<p>"),
    "bracket pairs": Shape("（a）", "<p>"),
    "mail letters": Shape("a.b-", "<table><tr><td>", "</td></tr></table>"),
    "at signs": Shape("a@", "<table><tr><td>"),
    "addresses": Shape("http://", "<p>"),
    "digits": Shape("1", "<table><tr><td>"),
    "digits and dashes": Shape("03-", "<table><tr><td>"),
    "dates": Shape("2020年1月1日", "<p>"),
    "half dates": Shape("2020年1月", "<p>"),
    "zero width": Shape("\u200b", "<p>a", "b"),
    "combining marks": Shape("\u0301", "<p>a", "b"),
    "right to left": Shape("\u202e", "<p>a", "b"),
    "nulls": Shape("\0", "<p>a", "b"),
    "references": Shape("&amp;", "<p>"),
    "long references": Shape("&CounterClockwiseContourIntegral;", "<p>"),
    "numbered references": Shape("&#x1F600;", "<p>"),
    "references without end": Shape("&", "<p>"),
    "ampersand and digits": Shape("9", "<p>&#"),
    "emphasis": Shape("*", "<p>"),
    "backslashes": Shape("\\", "<p>"),
    "backticks": Shape("`a", "<pre>"),
    "pipes": Shape("|", "<table><tr><td>"),
    "hash signs": Shape("#", "<p>"),
    "list marks": Shape("\n1. ", "<pre>"),
    "dollars": Shape("$x$", "<p>"),
    # comments, doctypes, declarations
    "comments": Shape("<!---->"),
    "comments and text": Shape("a<!--b-->"),
    "comments without end": Shape("<!--"),
    "comment ends": Shape("--!"  , "<!--"),
    "doctypes": Shape("<!DOCTYPE html>"),
    "a long doctype": Shape("a", "<!DOCTYPE ", ">x"),
    "doctype with comments": Shape("<!---->", "<!DOCTYPE html PUBLIC '", "'>"),
    "processing instructions": Shape("<?a?>"),
    "markers": Shape("<!-- (((BEGIN NOT CONTENT -->a"),
    "closing markers": Shape("a<!-- )))END NOT CONTENT -->"),
    "marker pairs": Shape("<!-- (((BEGIN NOT CONTENT -->a<!-- )))END NOT CONTENT -->"),
    "lesser signs": Shape("<", "<p>"),
    "end tags": Shape("</p>"),
    "end tags of nothing": Shape("</x{n}>", "<div>"),
    "closed brackets": Shape("</ ", "<p>"),
    # attributes
    "attributes": Shape("a{n}=1 ", "<p ", ">x"),
    "same attributes": Shape("a=1 ", "<p ", ">x"),
    "attributes without values": Shape("a{n} ", "<p ", ">x"),
    "attributes behind attributes": Shape("<p " + "".join(f"a{n}=1 " for n in range(999)) + ">x"),
    "attributes of an end tag": Shape("a{n} ", "<p>x</p ", ">x"),
    "attributes of html": Shape("<html a{n}=1>"),
    "attributes of body": Shape("<body a{n}=1>x"),
    "slashes": Shape("/", "<p ", ">x"),
    "equals": Shape("=", "<p ", ">x"),
    "quotes": Shape("'\"", "<p a=", ">x"),
    "a long value": Shape("a", "<p title='", "'>x"),
    "a long name of a tag": Shape("a", "<p", ">x"),
    "tags of their own": Shape("<x{n}>a</x{n}>"),
    "a long class": Shape("c{n} ", "<p class='", "'>x"),
    "classes": Shape("<p class='c{n}'>a"),
    "one class": Shape("menu ", "<p class='", "'>x"),
    "escapes in a style": Shape("\\61 ", "<p style='", "'>x"),
    "short escapes in a style": Shape("\\a", "<p style='color:", "'>x"),
    "urls in a style": Shape("url(", "<p style='background:", "'>x"),
    "display none": Shape("<p style='display:none'>a"),
    "a long style": Shape("color:red;", "<p style='", "'>x"),
    "links": Shape("<a href='/{n}'>a</a>"),
    "one link": Shape("<a href='http://a.example/'>a</a>"),
    "a long link": Shape("../a/", "<a href='", "'>x</a>"),
    "dots in a link": Shape("../", "<a href='http://a.example/", "'>x</a>"),
    "colons in a link": Shape(":", "<a href='http://a", "'>x</a>"),
    "images": Shape("<img src={n} alt='a{n}'>"),
    "a data image": Shape("QUJD", "<img src='data:image/png;base64,", "'>x"),
    # head
    "bases": Shape("<base href='http://a{n}.example/'>"),
    "metas": Shape("<meta name=description content='a{n}'>", "", "<p>x"),
    "meta authors": Shape("<meta name=author content='A. Writer {n}'>", "", "<p>x"),
    "meta charsets": Shape("<meta charset=utf-8>", "", "<p>x"),
    "titles": Shape("<title>a {n}</title>"),
    "a long title": Shape("a - ", "<title>", "</title><h1>a</h1><p>x"),
    "a long title and heading": Shape("港 | ", "<title>", "</title><h1>港</h1><p>港"),
    "scripts": Shape("<script>a</script>a"),
    "json": Shape("[", "<script type='application/ld+json'>", "</script>x"),
    "json objects": Shape('{{"a":', "<script type='application/ld+json'>", "</script>x"),
    "json authors": Shape(
        '{{"@type":"Article","author":{{"name":"a{n}"}}}},',
        "<script type='application/ld+json'>[",
        "{}]</script>x",
    ),
    "json scripts": Shape("<script type='application/ld+json'>{{\"name\":\"a{n}\"}}</script>"),
    "styles": Shape("<style>a{{b:c}}</style>a"),
    "a style sheet": Shape("a{{", "<style>", "</style>x"),
    "imports": Shape("@import url('x';", "<style>", "</style>x"),
    "css escapes": Shape("\\61", "<style>a{content:'", "'}</style>x"),
    "css comments": Shape("/*", "<style>", "</style>x"),
    "css brackets": Shape("([{{", "<style>", "</style>x"),
    "script escapes": Shape("<!--<script>", "<script>", "</script>x"),
    "framesets": Shape("<frameset><frame>"),
    "noscripts": Shape("<noscript><iframe>a"),
    "frames": Shape("<iframe></iframe>a"),
    # depth
    **{f"nested {name}": Shape(f"<{name}>") for name in _NESTING.split()},
    **{f"{begin} and nested {name}": Shape(f"<{name}>", begin) for begin, name in _NESTING_INSIDE},
    "links around bold": Shape("<a><b>"),
    "bold around links in paragraphs": Shape("<p><a><b><i>x"),
    "bold with a name": Shape("<b id={n}>"),
    "bold of one look in paragraphs": Shape("<font color=r><p>"),
    "formatting and blocks": Shape("<b><div>"),
    "formatting, badly closed": Shape("<b><p></b>"),
    "formatting that ends around blocks": Shape("<b><div></b>"),
    "adoption": Shape("<a>1<p>2</a>3"),
    "adoption in tables": Shape("<table><a>1<p>2</a>3"),
    "text in tables": Shape("a", "<table>", "<tr><td>x"),
    "text between rows": Shape("<tr>a", "<table>"),
    "inputs in tables": Shape("<input>", "<table>"),
    "tables in tables": Shape("<table><tr><td>"),
    "tables in captions": Shape("<table><caption>a"),
    "tables in drawings": Shape("<table><svg><desc><td>"),
    "drawings in text": Shape("<svg><desc>"),
    "bold that ends in drawings in text": Shape("<b><a></b></a>", "<svg><desc>" * 20_000),
    "formulas in text": Shape("<math><mtext>"),
    "formulas and drawings": Shape("<math><annotation-xml encoding=text/html><svg><foreignObject>"),
    "drawings that end": Shape("<svg><p>"),
    "character data": Shape("<![CDATA[a]]>", "<svg>"),
    "character data outside": Shape("<![CDATA[a]]>", "<p>"),
    "character data and groups": Shape("<g>", "<svg><![CDATA[><!--]]>"),
    "character data, then rows": Shape("<tr>", "<math><![CDATA[></math>]]>"),
    "a comment in character data": Shape("<g><![CDATA[<!--]]>", "<svg>"),
    "groups that end themselves": Shape("<g/>", "<svg>"),
    "divs that end themselves": Shape("<div/>"),
    "ends of nothing between": Shape("<div></x>"),
    "ends of other names": Shape("<div></span></b>"),
    "ends of paragraphs": Shape("<div></p>"),
    "ends that are comments": Shape("<div></ >"),
    "tags in values": Shape("<div a='</div>'>"),
    "tags in comments": Shape("<div><!--</div>-->"),
    "tags in titles": Shape("<div><title></div></title>"),
    "tags in text areas": Shape("<div><textarea></div></textarea>"),
    "tags in plain text": Shape("<div>", "<plaintext>"),
    "tags in drawings' titles": Shape("<g><title></g></title>", "<svg>"),
    "upper case": Shape("<DIV>"),
    "closed divs": Shape("<div>", end="</div>", closed=True),
    "closed bold": Shape("<b>", end="</b>", closed=True),
    "closed groups": Shape("<g>", "<svg>", "</g>", closed=True),
    "closed rows": Shape("<mrow>", "<math>", "</mrow>", closed=True),
    "closed in the wrong order": Shape("<i><b>", end="</i>", closed=True),
    "options": Shape("<option>a", "<select>"),
    "chosen options": Shape("<option selected>a", "<select><button><selectedcontent></button>"),
    "mirrors": Shape("<selectedcontent>", "<select><button>", "</button><option>a"),
    "selects": Shape("<select><button><selectedcontent></button><option>a</select>"),
    "nested selects": Shape("<select><option><selectedcontent>a"),
    # tables, lists and blocks
    "cells": Shape("<td>a", "<table><tr>"),
    "rows": Shape("<tr><td>a", "<table>"),
    "rows of links": Shape("<tr><td><a href=/{n}>a {n}</a>", "<table>"),
    "wide cells": Shape("<td colspan=1000 rowspan=65534>a", "<table><tr>"),
    "wide rows": Shape("<tr><td rowspan=65534>a<td colspan=1000>b", "<table>"),
    "one row longer than all others": Shape("<tr><td>a", "<table><tr>" + "<td>b" * 20_000),
    "headings below a long title": Shape("<h1>港の話 {n}</h1>", "<title>" + "港の話 | " * 5_000 + "</title>"),
    "blocks below long descriptions": Shape(
        "<p>It rained in the town of number {n}.",
        "<meta name=description content='It rained in a town'>" * 300
        + "<meta name=description content='" + "It rains. " * 5_000 + "'>",
    ),
    "columns": Shape("<col span=1000>", "<table>", "<tr><td>a"),
    "headed rows": Shape("<tr><th>a{n}<td>b", "<table>"),
    "small tables": Shape("<table><tr><th>name<td>a{n}</table>"),
    "people": Shape("<tr><td>教授<td>山田太郎{n}<td>a{n}@a.example", "<table>"),
    "same people": Shape("<tr><td>教授<td>山田太郎<td>a@a.example", "<table>"),
    "a cell": Shape("山田太郎、", "<table><tr><td>"),
    "items": Shape("<li>a", "<ul>"),
    "items of links": Shape("<li><a href=/{n}>a", "<ul>"),
    "nested lists": Shape("<ul><li>a"),
    "definitions": Shape("<dt>a<dd>b{n}", "<dl>"),
    "items by turns": Shape("<li><dd>"),
    "items by turns in paragraphs": Shape("<dt><p><li>"),
    "headings": Shape("<h2>a {n}</h2>"),
    "headings with text": Shape("<h2>a {n}</h2><p>It rained in town {n}, and nobody came.</p>"),
    "paragraphs": Shape("<p>a"),
    "line breaks": Shape("a<br>", "<p>"),
    "rules": Shape("<hr>"),
    "divs": Shape("<div>a</div>"),
    "spans": Shape("<span>a</span>"),
    "code": Shape("<pre><code>a{n}\n</code></pre>"),
    "quotes around quotes": Shape("<blockquote>a"),
    "footnotes": Shape("<sup><a href='#f{n}' id='r{n}'>{n}</a></sup>", "<p>"),
    "ruby": Shape("<ruby>漢<rt>かん</ruby>", "<p>"),
    "readings": Shape("<rt>か", "<p><ruby>漢"),
    "formulas": Shape("<math><mi>x</mi></math>", "<p>"),
    "slots": Shape("<slot name=a>a</slot>"),
    "templates": Shape("<template>a</template>"),
    "closed templates": Shape("<template shadowrootmode=open>a</template>", "<div>"),
    "microdata": Shape("<div itemscope itemtype='http://schema.org/Person'><span itemprop=name>A {n}</span>"),
    "microdata in itself": Shape("<div itemprop=knows itemscope itemtype=http://schema.org/Person>"),
    "references to items": Shape("<div id=i{n} itemscope itemref='i1 i2 i{n}'><b itemprop=name>A</b></div>"),
    "cards": Shape("<div class=vcard><span class=fn>A {n}</span></div>"),
    "cards in cards": Shape("<div class=h-card><p class=p-name>A"),
    "comments of readers": Shape("<div class=comment id=comment-{n}><cite>A{n}</cite><p>yes</p></div>"),
    "by-lines": Shape("<p>By A. Writer {n}, May 3, 2020</p>"),
    "times": Shape("<time datetime=2020-01-01>a</time>"),
}  # fmt: skip


def random_page(random_: random.Random, size: int) -> bytes:
    """Pieces of several shapes behind each other, of about that many bytes in all."""
    shapes = random_.sample(sorted(SHAPES), random_.randint(1, 4))
    return b"".join(SHAPES[name].page(size // len(shapes)) for name in shapes)
