"""A line of a page as pieces of data: ``居室：2号館512 内線 3412`` is two labelled values, ``教授 山田 太郎``
two without labels.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ruiji.detector.records.fields.concepts import Schema, folded_label
from ruiji.detector.records.fields.posts import is_post, post_at_start
from ruiji.detector.records.fields.values import (
    ENGLISH_PHONE,
    EXTENSION_DIGITS,
    MAIL,
    MONEY,
    PHONE,
    ROOM,
    URL,
    shown,
)

LONGEST_LABEL = 16  # characters of a label; what is longer before a colon is prose
LONGEST_VALUE = 400
LONGEST_TITLE = 48  # characters of a line that can be the name of a record
LONGEST_TOKEN = 40  # between two separators of a line that is a row of values; a sentence has longer parts
PROSE = 60  # an unlabelled line with more is a sentence: only addresses and numbers are looked for

UPDATED = re.compile(
    r"更新|公開日|作成日|掲載日|投稿日|ページid|updated|modified|posted|published", re.IGNORECASE
)
NOTHING_SAID = re.compile(
    r"[\s\-‐–—―−－ー*＊・.…/／()（）]*|なし|無し|無|未定|不明|n/?a|none|tbd|非公開|準備中", re.IGNORECASE
)

# Headings that say what kind of thing follows, and not what it is called.
GENERIC = re.compile(
    r"問い?合わ?せ|連絡先|概要|アクセス|プロフィール|基本情報|案内|一覧|紹介|メンバー|スタッフ|^教職?員$|構成員|お知らせ|トップ|ホーム|会社情報|仕様|スペック|詳細|特定商取引|販売|商品情報|"
    r"について|contact|profile|about|overview|members?$|^people$|staff|faculty|directory|information|details|specifications?|access|welcome|home$|list$|team$",
    re.IGNORECASE,
)

_MARKS = "■□●○◆◇▼▽▲△★☆♦►▶→※*＊•・"
_COLON = re.compile(
    rf"(?:^|(?<=[\s　、,，/／|｜;；)）(（{_MARKS}]))"
    rf"(?P<label>(?:[A-Za-z][A-Za-z.'/-]*(?: [A-Za-z.'/()-]+){{0,3}}"
    rf"|[^\s　:：、,，。/／|｜;；(（)）「」<>＜＞{_MARKS}][^\s:：、,，。/／|｜;；「」]{{0,{LONGEST_LABEL - 1}}}))\s*[:：](?!//)\s*"
)
_BRACKET = re.compile(
    r"[【〔［\[〈＜<](?P<label>[^【】〔〕［］\[\]〈〉＜＞<>]{1,16})[】〕］\]〉＞>]\s*[:：]?\s*"
)
_NUMBER_LABEL = re.compile(
    r"(?:^|(?<=[^A-Za-z]))(?P<label>TEL|Tel|tel|Phone|phone|Telephone|電話番号|電話|直通|内線番号|内線|FAX|Fax|fax|ファックス|ファクス|"
    r"[Ee]xt|[Ee]xtension|内|℡|☎|携帯)"
    r"[\s.．)）/／]*(?=[\s(（]*[+＋]?[\d０-９])"
)
_MAIL_LABEL = re.compile(
    r"(?:^|(?<=[\s　、,，/／|｜;；(（]))(?P<label>E-?mail|e-?mail|Mail|mail|メールアドレス|メール|Ｅメール|Eメール)\s+"
    r"(?=[\w.+-]+\s?(?:@|＠|[\[(（]))"
)
_SEPARATORS = re.compile(
    r"\s*(?:[/／|｜、;；]|(?<![\d０-９])[,，]|[,，](?![\d０-９]))\s*|\s+[—–―−‐-]+\s+|\s*[—―]\s*|\s{2,}|\t"
)
_BRACKETS = re.compile(r"[(（]([^()（）]*)[)）]")
_READING = re.compile(r"[ぁ-ゖァ-ヺー・\s　]{3,24}")
_ROMAN_READING = re.compile(r"[A-Z][A-Za-z'’.-]+(?:[\s,]+[A-Z][A-Za-z'’.-]+){1,2}")
_KANJI = "㐀-鿿々〆ヶ豈-﫿𠀀-𮯠"
SPACED_NAME = re.compile(rf"[{_KANJI}ぁ-ゖァ-ヺー]{{1,5}}[ 　][{_KANJI}ぁ-ゖァ-ヺー]{{1,6}}")
_KATAKANA_NAME = re.compile(r"[ァ-ヺー]{2,8}(?:[・＝=][ァ-ヺー]{1,8}){1,3}")
_PLAIN_NAME = re.compile(rf"[{_KANJI}]{{1,3}}[{_KANJI}ぁ-ゖァ-ヺー]{{1,4}}")
_ENGLISH_NAME = re.compile(
    r"(?:(?:Dr|Prof|Mr|Ms|Mrs)\.?\s+)?(?:[A-Z][A-Za-z'’-]+|[A-Z]\.)(?:\s+(?:[A-Z][A-Za-z'’-]+|[A-Z]\.|de|van|von|bin)){1,3}(?:,?\s*(?:Ph\.?\s?D\.?|M\.?D\.?|D\.?Eng\.?|M\.?Sc\.?))?"
)
ORGANISATION = re.compile(
    r"(?:課|係|室|部|局|学科|専攻|研究科|センター|事務所|研究所|会社|組合|館|店|営業所|病院|学校|大学|協会|財団|工場|本社|支社|出張所|窓口|機構|公園|市場|プール|ホール|"
    r"Office|Center|Centre|Branch|Store|Shop|Library|Museum|Inc\.?|Ltd\.?|LLC|Corp\.?|GmbH)$",
)
_NO_NAME = re.compile(
    r"[\d０-９@＠。!！?？「」]|(?:です|ます|こと|する|した|など|とは|より|から|まで|へ|ください|[はがをで]|曜日?)$|^(?:お|ご)[^\s]{0,4}(?:せ|い|り)"
)
_ADDRESS = re.compile(
    r"(?:〒\s*[\d０-９]{3}-[\d０-９]{4}\s*)?(?:[^\s、]{2,3}[都道府県])?[^\s、\d]{1,6}[市区郡][^\s、]{1,20}[\d０-９]"
)
_ENGLISH_ROOM = re.compile(
    r"(?:(?:Building|Bldg\.?|Room|Rm\.?|Floor|Hall|[A-Z][a-z]+ (?:Hall|Building))\b[\s\w.#-]*(?:,\s*|$)){1,3}",
    re.IGNORECASE,
)
_WHOLE = frozenset(
    ("place", "address", "field", "affiliation", "size", "hours", "duty")
)  # values that commas and brackets do not part
_CLOCK = r"(?:午[前後])?[\d０-９]{1,2}[:：時][\d０-９]{0,2}分?"
_SHAPES = (
    (MONEY, "price"),
    (re.compile(rf"{_CLOCK}\s*[〜~～\-–から]+\s*{_CLOCK}(?:まで)?"), "hours"),
    (
        re.compile(
            r"(?:[WDHφ]?[\d０-９.]+\s*(?:mm|cm|m)?\s*[×xX✕]\s*){1,2}[WDHφ]?[\d０-９.]+\s*(?:mm|cm|m)?",
            re.IGNORECASE,
        ),
        "size",
    ),
    (re.compile(r"[\d０-９.,]+\s*(?:kg|g|キロ|グラム|トン)", re.IGNORECASE), "weight"),
    (
        re.compile(
            r"(?:(?:毎週|第[\d０-９・]+)?[月火水木金土日](?:曜日?)?[・、,]?)+(?:曜日|定休|休み)|年中無休"
        ),
        "closed",
    ),
)
_STAFF_WORDS = re.compile(
    r"(?:教員|職員|スタッフ|メンバー|構成員|氏名|連絡先|問い合わせ|お知らせ|一覧|紹介|概要|案内|所属|研究|学生|卒業|アクセス|トップ|ホーム|サイト|ページ|"
    r"情報|検索|関連|写真|画像|準備|担当|詳細|電話|住所|時間|価格|在庫|年度|年生|課程)"
)
_ENGLISH_NO_NAME = re.compile(
    r"\b(?:the|of|and|for|our|your|this|page|home|about|contact|news|university|department|faculty|school|staff|members?|list|office|research|students?|"
    r"center|centre|information|links?|search|menu|site|map|more|read|all|rights|reserved|product|price|new|email|phone|room|building|view|details|profile|company|"
    r"engineering|science|laboratory|lab|institute|system|systems|design|street|road|avenue|general|associate|assistant|professor|manager|director|lecturer)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One value: its label as written ("" for none), the concept it means ("" for none), the value as
    written, its text node.
    """

    label: str
    concept: str
    value: str
    node: int


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a line that stands in one text node, and the concept that the page's classes give it, if
    any.
    """

    text: str
    node: int
    concept: str = ""
    emphasised: bool = False


def pieces_of(runs: Sequence[Run], schema: Schema, short: bool = True) -> list[Piece]:
    """The pieces of one line: first what carries labels, then what can be recognised by its looks.

    ``short``: the line stands in a place where names and texts without a label may be data, such as a card or
    a list.
    """
    text = "".join(run.text for run in runs)
    if not text.strip() or len(text) > 4 * LONGEST_VALUE:
        return []
    starts: list[tuple[int, Run]] = []
    position = 0
    for run in runs:
        starts.append((position, run))
        position += len(run.text)
    labels = _labels(text, starts, schema)
    found: list[Piece] = []
    before = text[: labels[0][0]] if labels else text
    if before.strip():
        prose = "。" in before or (len(text) > PROSE and not labels and any(map(_has_long_token, runs)))
        found += _unlabelled(_cut(starts, 0, len(before)), schema, short and not prose)
    for number, (_, start, label, concept) in enumerate(labels):
        end = labels[number + 1][0] if number + 1 < len(labels) else len(text)
        value = shown(text[start:end]).strip(" 　、,，/／|｜;；")
        if len(value) > LONGEST_VALUE or UPDATED.search(label):
            continue
        cut = _cut(starts, start, end)
        if (
            len(cut) > 1
            and schema.kind_of(concept) in ("phone", "mail")
            and re.search(r"[\d０-９@＠]", cut[0].text)
        ):
            found += labelled(label, concept, cut[0].text.strip(" 　、,，/／|｜;；"), cut[0].node, schema)
            found += _unlabelled(
                cut[1:], schema, short
            )  # what follows a number in an element of its own is something else
            continue
        found += labelled(label, concept, value, cut[0].node if cut else runs[-1].node, schema)
    return found


def _has_long_token(run: Run) -> bool:
    """Whether a run holds more between two separators than a value does; addresses may be long."""
    text = URL.sub(" ", MAIL.sub(" ", run.text)) if len(run.text) > LONGEST_TOKEN else ""
    return any(len(token) > LONGEST_TOKEN for token in _SEPARATORS.split(text))


def labelled(label: str, concept: str, value: str, node: int, schema: Schema) -> list[Piece]:
    """The pieces of a value under a label: one as a rule; of a name with a post or a reading, of a contact
    with several numbers, more.
    """
    label = label.strip(" 　、,，/／|｜" + _MARKS + "【】〔〕［］[]<>〈〉:：")
    value = _balanced(shown(value))
    if NOTHING_SAID.fullmatch(value):
        return [Piece(label, concept, "", node)]
    kind = schema.kind_of(concept)
    if concept == "name" and re.fullmatch(
        r"[約計\s]*[\d０-９,，]+\s*(?:名|人|社|件|staff|people)?.{0,12}", value
    ):
        concept = ""  # 職員 11名 is a number of people
    if concept == "name":
        return _named(label, value, node, schema)
    if (
        not concept
        and is_post(label)
        and (named := _named("", value, node, schema))
        and is_name(named[0].value)
    ):
        return [Piece("", "post", label, node), *named]  # 部長：山田 太郎
    if concept in ("contact", ""):
        found = list(_addresses(value, node))
        if found and (concept or len(found) > 1):
            return found
    if concept in ("phone", "ext") or kind == "phone":
        return _numbers(label, concept, value, node)
    if kind == "mail":
        mails = [match.group().strip() for match in MAIL.finditer(unicodedata.normalize("NFKC", value))]
        if len(mails) == 1 and len(value) <= len(mails[0]) + 2:
            return [Piece(label, concept, value, node)]
        if mails:
            return [Piece(label, concept, mail, node) for mail in mails] + [
                piece for piece in _addresses(value, node) if piece.concept != "mail"
            ]
    return [Piece(label, concept, value, node)]


def _balanced(value: str) -> str:
    """The value without a bracket at its end that opens nothing or closes nothing."""
    while value and (
        value[-1] in "(（"
        or (
            value[-1] in ")）" and value.count("(") + value.count("（") < value.count(")") + value.count("）")
        )
    ):
        value = value[:-1].rstrip(" 　")
    return value


def _labels(text: str, starts: Sequence[tuple[int, Run]], schema: Schema) -> list[tuple[int, int, str, str]]:
    """The labels in a line: where each starts, where its value starts, the label, its concept."""
    found: list[tuple[int, int, str, str]] = []
    for match in _COLON.finditer(text):
        label = match.group("label").strip()
        start = match.start("label")
        concept = schema.concept_of(label)
        while (
            not concept and " " in label and label.isascii()
        ):  # Immunology Department: …, where the value before has no end
            word, _, rest = label.partition(" ")
            if found_later := schema.concept_of(rest):
                concept, label, start = found_later, rest, match.end("label") - len(rest)
            elif rest.count(" ") == 0:
                break
            else:
                label, start = rest, start + len(word) + 1
        if not concept:
            label, start = match.group("label").strip(), match.start("label")
        first = not text[: match.start()].strip(" 　" + _MARKS)
        if not concept and (not first or not _is_label(label) or "。" in text[match.end() :]):
            continue
        found.append((start, match.end(), label, concept))
    for match in _BRACKET.finditer(text):
        label = match.group("label").strip()
        concept = schema.concept_of(label)
        first = not text[: match.start()].strip(" 　" + _MARKS)
        if concept or (first and _is_label(label) and "。" not in text[match.end() :]):
            found.append((match.start(), match.end(), label, concept))
    for pattern in (_NUMBER_LABEL, _MAIL_LABEL):
        for match in pattern.finditer(text):
            found.append(
                (
                    match.start("label"),
                    match.end(),
                    match.group("label"),
                    schema.concept_of(match.group("label")),
                )
            )
    for place, (position, run) in enumerate(starts[:-1]):  # <b>所属</b> 情報工学科
        plain = run.text.strip(" 　\n" + _MARKS)
        concept = (
            schema.concept_of(plain)
            if plain and len(plain) <= LONGEST_LABEL + 8 and not is_post(plain)
            else ""
        )
        if concept and (run.emphasised or (place == 0 and starts[1][1].text.strip())):
            found.append((position, position + len(run.text), plain, concept))
    found.sort(key=lambda item: (item[0], -item[1]))
    kept: list[tuple[int, int, str, str]] = []
    for item in found:
        if (
            kept
            and item[3] in ("phone", "ext")
            and kept[-1][3] in ("phone", "ext")
            and not text[kept[-1][1] : item[0]].strip(" 　(（")
        ):
            continue  # 電話（内線）：（内）4521
        if not kept or item[0] >= kept[-1][1]:
            kept.append(item)
        elif item[1] > kept[-1][1] and item[0] == kept[-1][0]:
            kept[-1] = item
    if not kept:
        word = re.match(rf"[\s　{_MARKS}]*(?P<label>[^\s　]{{1,12}})[\s　]+(?=\S)", text)
        if word and len(text) <= PROSE and not word.group("label").isascii():
            concept = schema.concept_of(word.group("label"))
            if concept not in ("", "contact", "note"):
                kept.append((word.start("label"), word.end(), word.group("label"), concept))
    return kept


def _is_label(label: str) -> bool:
    """Whether a word before a colon can be a label that nobody knows."""
    plain = unicodedata.normalize("NFKC", label)
    return (
        bool(folded_label(label))
        and not re.fullmatch(r"[\d\s.,/:-]+|https?|ftp|注|例|※?\d*", plain)
        and not re.search(r"[。?？!！「」]|[はがをにで]$|\d{2}$", plain)
    )


def _cut(starts: Sequence[tuple[int, Run]], start: int, end: int) -> list[Run]:
    """The runs between two places of the line."""
    found = []
    for position, run in starts:
        low, high = max(start, position), min(end, position + len(run.text))
        if low < high and run.text[low - position : high - position].strip(" 　()（）:："):
            found.append(
                Run(run.text[low - position : high - position], run.node, run.concept, run.emphasised)
            )
    return found


def _unlabelled(runs: Sequence[Run], schema: Schema, short: bool) -> list[Piece]:
    """What can be recognised by its looks; with ``short`` also names and texts."""
    found: list[Piece] = []
    for run in runs:
        addresses = [
            Piece("", run.concept, piece.value, piece.node)
            if piece.concept == "phone" and run.concept in ("fax", "mobile")
            else piece
            for piece in _addresses(run.text, run.node)
        ]
        rest = _without(run.text, addresses)
        tokens = _tokens(rest, run, schema, short) if short or (len(rest) <= 24 and len(runs) > 1) else []
        found += sorted((*addresses, *tokens), key=lambda piece: run.text.find(piece.value))
    return found


def _without(text: str, pieces: Sequence[Piece]) -> str:
    for piece in pieces:
        text = text.replace(piece.value, " / ")
    return text


def _addresses(text: str, node: int) -> Iterator[Piece]:
    """Mail addresses, telephone numbers and web addresses in a text, as they stand."""
    plain = unicodedata.normalize("NFKC", text)
    if len(plain) != len(text):
        text = plain
    taken: list[tuple[int, int]] = []
    for pattern, concept in ((URL, "url"), (MAIL, "mail"), (PHONE, "phone"), (ENGLISH_PHONE, "phone")):
        for match in pattern.finditer(plain):
            if all(match.end() <= start or match.start() >= end for start, end in taken):
                taken.append(match.span())
                before = plain[max(0, match.start() - 12) : match.start()].casefold()
                meant = "fax" if concept == "phone" and re.search(r"fax|ファ[ック]", before) else concept
                yield Piece("", meant, text[match.start() : match.end()].strip(), node)
    for match in re.finditer(
        r"(?:内線|内|ext(?:ension)?\.?|#)\s*[:：)）]?\s*(\d{2,5})(?!\d)", plain, re.IGNORECASE
    ):
        if all(match.end() <= start or match.start() >= end for start, end in taken):
            yield Piece("", "ext", match.group(1), node)


def _numbers(label: str, concept: str, value: str, node: int) -> list[Piece]:
    """A telephone number, the extension beside it, a fax number beside that."""
    plain = unicodedata.normalize("NFKC", value)
    found = [piece for piece in _addresses(value, node) if piece.concept in ("phone", "ext", "fax", "mail")]
    numbers = [piece for piece in found if piece.concept == "phone"]
    if not numbers:
        others = [piece for piece in found if piece.concept == "mail"]
        own = re.split(r"\s*[/／|｜,，、]\s*", value)[0] if others else value
        if len(own) > LONGEST_LABEL and (
            number := re.search(r"[\d０-９][\d０-９()（）-]*", own)
        ):  # 内線3201までお知らせください
            own = number.group()
        short = 2 <= len(re.sub(r"\D", "", unicodedata.normalize("NFKC", own))) <= EXTENSION_DIGITS
        return [Piece(label, "ext" if short and concept in ("phone", "ext") else concept, own, node), *others]
    if len(found) == 1:
        meant = concept if concept != "ext" else "phone"
        return [
            Piece(label, meant, value if len(plain) <= len(numbers[0].value) + 8 else numbers[0].value, node)
        ]
    return [
        Piece(
            label if piece.concept == concept else "",
            concept if piece.concept == "phone" and concept != "ext" else piece.concept,
            piece.value,
            node,
        )
        for piece in found
    ]


def _tokens(text: str, run: Run, schema: Schema, short: bool) -> list[Piece]:
    """A run cut at separators and brackets, each part taken for what it looks like."""
    found: list[Piece] = []
    whole = text.strip(" 　" + _MARKS)
    if (
        short
        and len(whole) <= LONGEST_TITLE
        and (_ENGLISH_ROOM.fullmatch(whole) or (run.concept in _WHOLE and whole))
    ):
        concept = run.concept if run.concept in _WHOLE else "place"
        return [
            Piece(
                "", "address" if concept == "place" and _ADDRESS.search(whole) else concept, whole, run.node
            )
        ]
    inside = _BRACKETS.findall(text)
    outside = _BRACKETS.sub(" / ", text) if inside else text
    for token in _SEPARATORS.split(outside):
        found += _token(token.strip(" 　()（）「」『』:：" + _MARKS), run, schema, short)
    for content in inside:
        plain = content.strip()
        if _READING.fullmatch(plain):
            found.append(Piece("", "reading", plain, run.node))
        elif is_post(plain):
            found.append(Piece("", "post", plain, run.node))
        elif _ROMAN_READING.fullmatch(plain):
            found.append(Piece("", "reading", plain, run.node))
        elif plain and len(plain) <= LONGEST_TITLE and is_room(plain):
            found.append(Piece("", "place", plain, run.node))
    return found


def _token(token: str, run: Run, schema: Schema, short: bool) -> list[Piece]:
    if not token or NOTHING_SAID.fullmatch(token):
        return []
    node = run.node
    if is_post(token):
        return [Piece("", "post", token, node)]
    if not short:
        if is_room(token) and len(token) <= 24:
            return [Piece("", "place", token, node)]
        return (
            [Piece("", "name", token, node)]
            if ORGANISATION.search(token) and not _NO_NAME.search(token) and len(token) <= 24
            else []
        )
    if run.concept and run.concept not in ("contact", "note") and len(token) <= LONGEST_VALUE:
        if run.concept == "name":
            return _named("", token, node, schema)
        if schema.kind_of(run.concept) not in ("mail", "phone", "post", "date"):
            concept = "address" if run.concept == "place" and _ADDRESS.search(token) else run.concept
            return [Piece("", concept, token, node)]
    if run.emphasised and (split := _named("", token, node, schema)) and len(split) > 1:
        return split
    if after := _label_and_value(token, schema):
        return labelled(after[0], schema.concept_of(after[0]), after[1], node, schema)
    if end := post_at_start(token):  # 教授　山田太郎
        rest = token[end:].strip(" 　:：・,，")
        if token[end : end + 1] in " 　:：・" and is_name(rest):
            return [Piece("", "post", token[:end], node), Piece("", "name", rest, node)]
    words = token.replace("　", " ").split(" ")
    for cut in range(len(words) - 1, 0, -1):  # 山田太郎 教授
        tail = " ".join(words[cut:])
        if is_post(tail) and is_name(" ".join(words[:cut])):
            return [Piece("", "name", " ".join(words[:cut]), node), Piece("", "post", tail, node)]
    if "　" in token and not SPACED_NAME.fullmatch(token):  # 2年　周防 りえ　「聞き手の相づち」
        parts = [part.strip(" 「」『』") for part in token.split("　") if part.strip()]
        if len(parts) > 1 and any(is_post(part) or SPACED_NAME.fullmatch(part) for part in parts):
            return [piece for part in parts for piece in _token(part, run, schema, short)]
    if is_room(token) and len(token) <= 32:
        return [Piece("", "place", token, node)]
    if _ADDRESS.match(token):
        return [Piece("", "address", token, node)]
    for pattern, concept in _SHAPES:
        if pattern.fullmatch(token):
            return [Piece("", concept, token, node)]
    if is_name(token):
        return [Piece("", "name", token, node)]
    return [Piece("", "", token, node)] if len(token) <= PROSE and "。" not in token else []


def _label_and_value(token: str, schema: Schema) -> tuple[str, str] | None:
    """The label and the value of a token such as 部署 営業部 or Item no. AN-0051; None where it begins with
    no label.
    """
    words = re.split(r"[ 　]+", token)
    for size in range(min(3, len(words) - 1), 0, -1):
        label, value = " ".join(words[:size]), " ".join(words[size:])
        if schema.concept_of(label) in ("", "name", "contact", "note", "representative"):
            continue
        if not label.isascii() or value[0].isdigit() or (value[0].isupper() and not is_name(token)):
            return label, value
    return None


def _named(label: str, value: str, node: int, schema: Schema) -> list[Piece]:
    """A name with what is written beside it taken apart: reading, post."""
    found: list[Piece] = []
    name = value
    for match in _BRACKETS.finditer(value):
        content = match.group(1).strip()
        if _READING.fullmatch(content) or _ROMAN_READING.fullmatch(content):
            found.append(Piece("", "reading", content, node))
        elif is_post(content):
            found.append(Piece("", "post", content, node))
        else:
            continue
        name = name.replace(match.group(), " ")
    name = shown(name)
    for separator in (r"\s+[—–―-]+\s+", r"\s*[—―/／|｜]\s*", r",\s+"):
        parts = re.split(separator, name)
        if len(parts) == 2 and is_post(parts[1]):
            found.append(Piece("", "post", parts[1].strip(), node))
            name = parts[0].strip()
        elif len(parts) == 2 and is_post(parts[0]):
            found.append(Piece("", "post", parts[0].strip(), node))
            name = parts[1].strip()
    if end := post_at_start(name):
        rest = name[end:].strip(" 　:：・")
        if name[end : end + 1] in " 　:：・" and is_name(rest):
            found.append(Piece("", "post", name[:end], node))
            name = rest
    words = re.split(r"[ 　]", name)
    for cut in range(1, len(words)):
        tail = " ".join(words[cut:])
        if is_post(tail) and is_name(" ".join(words[:cut])):
            found.append(Piece("", "post", tail, node))
            name = name[: len(name) - len(tail)].strip(" 　")
            break
    reading = re.fullmatch(
        rf"([{_KANJI}ぁ-ゖァ-ヺー]+[ 　]?[{_KANJI}ぁ-ゖァ-ヺー]*)[ 　]+((?:[A-Z][A-Za-z'-]+[ ,]*){{2,3}})",
        name,
    )  # 山田 太郎 Taro YAMADA
    if reading:
        found.append(Piece("", "reading", reading.group(2).strip(), node))
        name = reading.group(1).strip(" 　")
    return [Piece(label, "name", name, node), *found]


def is_room(text: str) -> bool:
    """Whether a text says where in a house something is; 図書館 alone is the name of one."""
    plain = unicodedata.normalize("NFKC", text)
    return bool(re.search(r"\d|庁舎|^[本別新旧東西南北中]館", plain)) and bool(ROOM.search(plain))


def is_name(text: str) -> bool:
    """Whether a text looks like the name of a person or an office; it may still be something else."""
    text = text.strip(" 　")
    if not 2 <= len(text) <= LONGEST_TITLE or _NO_NAME.search(text):
        return False
    if SPACED_NAME.fullmatch(text):
        if ORGANISATION.search(text) and ORGANISATION.search(text.split()[0]):
            return True  # 企画政策課 統計係
        return (
            not _STAFF_WORDS.search(text)
            and not (len(text.split()[0]) > 3 and ORGANISATION.search(text.split()[0]))
            and not any(map(is_post, text.split()))
        )
    if _KATAKANA_NAME.fullmatch(text):
        return True
    if _PLAIN_NAME.fullmatch(text):
        return bool(ORGANISATION.search(text)) or not _STAFF_WORDS.search(text)
    if ORGANISATION.search(text) and len(text) <= 30:
        return " " not in text or not text.isascii() or text[:1].isupper()
    return bool(_ENGLISH_NAME.fullmatch(text)) and not _ENGLISH_NO_NAME.search(text)
