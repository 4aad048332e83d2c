"""The names that a line may be made of, each with what is written around it.

``高橋征義 (日本Rubyの会会長, 株式会社ツインスパーク) - 会計`` is a name with a note in brackets and a tail;
``今泉 若菜、大迫 まな実`` are two names. Whether they are names of people the list decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ruiji.detector.records.fields.names import DOUBTFUL, GOOD, POSSIBLE, SURE, name_strength
from ruiji.detector.records.fields.posts import is_post, is_role, post_at_end, post_at_start
from ruiji.detector.records.markup.before_names import befores

LONGEST_MENTION = 240  # characters of a line that can be a name with its notes
LONGEST_LABEL = 24
SHORTEST_LIST = 2  # names in one line
LONGEST_ATTACHED = 6  # letters of a post that a Japanese name ends with
MOST_BEFORE = 3  # things that may stand before a name in its line
AFTER_A_TITLE = 0.5  # strength of a name behind what may be a title, at most: the list must say so
TITLED = 0.6  # strength of a name after Mr or Prof., at least
LIST_STRENGTH = 0.45  # mean strength of the names of one line that is a list of names

_KANJI = "々〆㐀-鿿豈-﫿𠀀-𮯠"
_LETTERS = rf"{_KANJI}ぁ-ゖァ-ヺーゝゞ"
_OPENING, _CLOSING = "(（[［【〔", ")）]］】〕"
_BULLET = re.compile(r"^[・●○■□◆◇▼▽★☆※*•►▶→\-–—>»\s,，、|｜/／]+")
_NUMBERED = re.compile(r"^(?:[A-Z]{1,3}\s?)?\d{1,3}\s?[.)．:：、](?!\d)\s*")
_LABEL = re.compile(rf"^(?P<label>[^:：]{{1,{LONGEST_LABEL}}}(?:\([^)]*\))?)\s*[:：]\s*(?P<rest>.+)$")
_HONORIFIC = re.compile(r"\s{0,3}(?:さん|氏|先生|様|君|殿|博士)(?=$|[\s(（、,])")
_BY_LINE = re.compile(r"^(?:Written |Posted |Reviewed |Edited )?[Bb]y:? (?=[A-Z])|^BY (?=[A-Z])")
_TITLE = re.compile(
    r"^(?:(?:(?:Assoc|Asst|Adj)(?:\.|\s)\s?)?(?:Prof(?:essor)?|Dr|Mr|Mrs|Ms|Miss|Sir|Rev|Hon|Ir|Eng|Er|Shri|Smt)(?:\.\s?|\s))+"
    r"\s*(?=[A-Z])",
    re.IGNORECASE,
)
_DEGREE = re.compile(
    r"(?:,\s{0,3}|\s{1,3})(?:Ph\.?\s?D\.?|M\.?D\.?|M\.?Sc\.?|M\.?A\.?|MBA|B\.?Sc\.?|D\.?Eng\.?|Dr\.?-?Ing\.?|Jr\.?|Sr\.?|II|III|PE|P\.Eng\.?|CPA|Esq\.?)(?=$|[,\s(])"
)
# Of those, what cannot be the code of a state: Silver Spring, MD.
_SURE_DEGREE = re.compile(
    r"^[,\s]*(?:Ph\.?\s?D|M\.D\.|M\.?Sc|MBA|B\.?Sc|D\.?Eng|Dr\.?-?Ing|CPA|Esq)(?![A-Za-z])"
)
_NOT_LATIN = re.compile(r"[\u0250-\u1dff\u2c80-\ua71f\ua800-\U0010ffff]")
_STOPPED = re.compile(r"[^\W\d_]{4}\.$")  # a full stop after a word, and none of an initial
_END = re.compile(r"[(（\[［【〔「『<＜“\"—―/／|｜,，、;；:：＠]|\s[-–~〜@]|\s(?:aka|a\.k\.a\.?|こと)\s")
_TWO_SCRIPTS = re.compile(
    rf"^(?P<ja>[{_LETTERS}][{_LETTERS}・ 　]*[{_LETTERS}])[ 　]+(?P<latin>[A-Z][A-Za-z’'.-]*(?:[ "
    r",]+[A-Za-z][A-Za-z’'.-]*){0,4})$"
)
_LATIN_FIRST = re.compile(
    r"^(?P<latin>[A-Za-z][A-Za-z0-9_’'.-]*(?: [A-Za-z][A-Za-z’'.-]*){0,3})[ "
    rf"　]+(?P<ja>[{_LETTERS}][{_LETTERS} 　]*)$"
)
_LEADING = re.compile(rf"^(?P<name>[{_KANJI}]{{1,4}}[ 　][{_LETTERS}]{{1,5}})[ 　]+(?P<rest>\S.*)$")
_LISTED = re.compile(r"\s*[、,，;；]\s*|\s+(?:and|&|および)\s+|\s+[/／]\s+|\s*\n\s*")
# A line of a bibliography: it begins with names, and is about a work.
_CITATION = re.compile(
    r"\bpp?\.\s?\d|\b[Vv]ol\.|\bNo\.\s?\d+[,，"
    r"]|\bProc\b|Proceedings|\bJournal\b|\bTrans\.|\barXiv|\bdoi\b|\bISBN"
    r"|[，,、]\s*(?:19|20)\d\d年?[.。]?$|[(（](?:19|20)\d\d[a-z]?[)）]|[:：][「『“\"]|[,，]\s*[「『“\"].+[」"
    r"』”\"]|\bet al\b"
    r"|[」』”].{0,60}(?:\d{4}年|\d{1,2}月|第\d+[号巻回])|論文集|紀要|予稿集|学会誌|研究会報告|\bEdition\b"
)
_NICKNAME = re.compile(
    r"@?[A-Za-z0-9_.+-]{2,24}|[ぁ-ゖァ-ヺー]{2,10}|id:[\w-]+|[ぁ-ゖァ-ヺーA-Za-z0-9_.]{2,14}"
)


@dataclass(frozen=True, slots=True)
class Mention:
    """What may be a name: how much it looks like one, other spellings of it, a label or post before it,
    notes.

    ``notes`` are what stands in brackets, ``tail`` what follows. ``position`` counts the names of one line.
    """

    name: str
    strength: float
    others: tuple[str, ...] = ()
    label: str = ""
    post: str = ""
    notes: tuple[str, ...] = ()
    tail: str = ""
    position: int = 0


def mentions(text: str) -> tuple[Mention, ...]:
    """The names that a line may be made of, in their order; none where it is prose."""
    if len(text) < 2 or "\ufffc" in text or _CITATION.search(text):
        return ()
    listed = _listed(text)
    if listed:
        return listed
    single = _mention(text) if len(text) <= LONGEST_MENTION else None
    if len(text) <= LONGEST_MENTION and (single is None or single.strength < GOOD):
        single = _mention_after(_unmarked(text)) or single
    return (single,) if single else ()


def _mention_after(text: str, depth: int = 0) -> Mention | None:
    """The name in a line that begins with something else; what could be a title leaves it to the list."""
    for before in befores(text) if depth < MOST_BEFORE else ():
        mention = _mention(before.rest)
        if mention is None or name_strength(mention.name) < SURE:
            mention = _mention_after(before.rest, depth + 1)
        if mention is not None and name_strength(mention.name) >= SURE:
            return replace(
                mention,
                strength=mention.strength if before.sure else min(mention.strength, AFTER_A_TITLE),
                label=mention.label or before.label,
                post=mention.post or before.post,
                notes=(*mention.notes, *filter(None, [before.affiliation])),
            )
    return None


def _listed(text: str) -> tuple[Mention, ...]:
    """The names of a line that is a list of names."""
    label, rest = _label(text)
    parts = list(_split(rest))
    if len(parts) < SHORTEST_LIST or (len(parts) == 2 and is_other_spelling(*parts)):
        return ()
    found = [_mention(part) for part in parts]
    kept = [mention for mention in found if mention is not None and mention.strength >= POSSIBLE]
    # "Rick Peden, GRI" and "Vinay Setty, SAP, USA" are one name; several must be names beyond doubt.
    strong = [mention for mention in kept if mention.strength >= GOOD and not mention.tail]
    if len(strong) < SHORTEST_LIST or len(kept) < 0.8 * len(parts):
        return ()
    if sum(mention.strength for mention in kept) < LIST_STRENGTH * len(parts):
        return ()
    return tuple(replace(mention, position=place, label=label) for place, mention in enumerate(kept))


def _split(text: str) -> Iterator[str]:
    """The parts of a text between commas and the like that stand outside brackets."""
    depth = start = 0
    place = 0
    while place < len(text):
        depth += (text[place] in _OPENING) - (text[place] in _CLOSING)
        in_space = place > start and text[place].isspace() and text[place - 1].isspace()
        match = _LISTED.match(text, place) if depth <= 0 and not in_space else None
        if match and match.end() > place:
            if part := text[start:place].strip():
                yield part
            start = place = match.end()
        else:
            place += 1
    if part := text[start:].strip():
        yield part


def _label(text: str) -> tuple[str, str]:
    """The label before a colon that says what somebody does, and the rest; "" and the text where there is
    none.
    """
    match = _LABEL.match(text)
    if match is None or match.group("rest").startswith("//"):
        return "", text
    label = match.group("label")
    balanced = sum(c in _OPENING for c in label) == sum(c in _CLOSING for c in label)
    if balanced and name_strength(label) < SURE and label.casefold() != "id":
        return match.group("label").strip(), match.group("rest").strip()
    return "", text


def _unmarked(text: str) -> str:
    """A line without its bullet and number."""
    return _NUMBERED.sub("", _BULLET.sub("", text).strip()).strip(" 　.。")


def _mention(text: str) -> Mention | None:
    label, plain = _label(_unmarked(text))
    named = _BY_LINE.sub("", plain)
    plain = _TITLE.sub("", named)
    titled = plain != named
    post = ""
    end = 0 if label else post_at_start(plain)
    after = plain[end:].strip(" 　・:：|｜")
    if end and plain[end : end + 1] in " 　・:：" and _follows_post(plain[:end], after):
        post, plain = plain[:end], after
        titled = titled or not post.isascii()
    head, rest = _head(plain)
    others: tuple[str, ...] = ()
    tail = ""
    leading = _LEADING.match(plain) if name_strength(head) < GOOD else None
    parted = leading and plain.startswith("　　", leading.end("name"))  # 夏目 漱石　　吾輩は猫である
    if leading and name_strength(leading.group("name")) >= (GOOD if parted else SURE):
        head, rest = leading.group("name"), leading.group("rest")
        if is_post(rest):
            post, rest = rest, ""
    if match := _HONORIFIC.search(head):
        head, tail = head[: match.start()], head[match.end() :].strip()
    if attached := _attached_post(head):
        head, post = head[: -len(attached)], post or attached
    elif name_strength(head) < GOOD:
        head, others, lead, end_post = _compound(head)
        tail = tail or lead
        post = post or end_post
    if not head:
        return None
    if _STOPPED.search(head):
        head = head[:-1]
    notes, after = _notes(rest)
    tail = " ".join(filter(None, (tail, after)))
    titled = titled or bool(_SURE_DEGREE.search(tail))
    head, tail = _degree(head, tail)
    strength = name_strength(head)
    if titled and strength >= DOUBTFUL:
        strength = max(strength, TITLED)
    return _with_spellings(Mention(head, strength, others, label, post, notes, tail))


def _follows_post(post: str, text: str) -> bool:
    """Whether a name follows a post: one beyond doubt, in itself or in its other script, or after a Japanese
    post two Latin words that can be one.
    """
    head = _head(text)[0]
    strength = name_strength(head)
    if strength < GOOD and (following := _mention(text)) is not None and following.others:
        strength = following.strength
    return strength >= (DOUBTFUL if " " in head and is_latin(head) and not post.isascii() else GOOD)


def _head(text: str) -> tuple[str, str]:
    match = _END.search(text, 1)
    return (text[: match.start()].strip(), text[match.start() :].strip()) if match else (text.strip(), "")


def _compound(head: str) -> tuple[str, tuple[str, ...], str, str]:
    """A name with another spelling, a title or a post after it: name, spellings, what follows, the post."""
    for pattern in (_TWO_SCRIPTS, _LATIN_FIRST):
        if match := pattern.match(head):
            japanese, latin = match.group("ja").strip(), match.group("latin").strip()
            if (
                max(name_strength(japanese), name_strength(latin)) >= GOOD
                and name_strength(japanese) >= DOUBTFUL
            ):
                return japanese, (latin,), "", ""
    if (start := post_at_end(head)) and name_strength(head[:start].strip(" 　")) >= GOOD:
        return head[:start].strip(" 　"), (), "", head[start:].strip(" 　")
    return head, (), "", ""


def _attached_post(head: str) -> str:
    """The post that a Japanese name ends with, without a space: 夏目 漱石教授."""
    for size in range(2, min(LONGEST_ATTACHED, len(head) - 2) + 1):
        post = head[-size:]
        if (
            not post[0].isascii()
            and post[0] != "　"
            and is_post(post)
            and name_strength(head[:-size]) >= SURE
        ):
            return post
    return ""


def _notes(text: str) -> tuple[tuple[str, ...], str]:
    """What stands in the brackets that a text begins with, and what follows them."""
    notes = []
    while text and text[0] in _OPENING:
        end = _closing(text)
        if note := text[1:end].strip():
            notes.append(note)
        text = text[end + 1 :].strip()
    return tuple(notes), text.strip(" 　-–—―~〜,，、:：;；@＠|｜").strip()


def _closing(text: str) -> int:
    """Where the bracket closes that a text begins with; its length where it does not."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character in _OPENING) - (character in _CLOSING)
        if depth == 0:
            return place
    return len(text)


def _degree(head: str, tail: str) -> tuple[str, str]:
    """A name without the degree that follows it."""
    match = _DEGREE.search(head)
    if match and name_strength(head[: match.start()]) >= GOOD:
        head = head[: match.start()].strip()
    return head, _DEGREE.sub("", ", " + tail).strip(" ,") if tail else ""


def _with_spellings(mention: Mention) -> Mention:
    """The mention with notes and tails that are other spellings of the name taken as such."""
    others = list(mention.others)
    notes = []
    for note in mention.notes:
        if is_other_spelling(mention.name, note):
            others.append(note)
        else:
            notes.append(note)
    tail = mention.tail
    first = re.sub(r"^[/／|｜:：\s]+", "", tail)
    if first != tail or not others:
        spelled = first.rstrip("/／ ")
        if spelled and is_other_spelling(mention.name, spelled) and not is_post(spelled):
            others.append(spelled)
            tail = ""
    strength = max(mention.strength, *map(name_strength, (mention.name, *others)))
    name = mention.name
    if others and name_strength(name) < DOUBTFUL:  # a title with the name behind it
        name, tail = others[0], name
        del others[0]
    return replace(
        mention,
        name=name,
        strength=strength,
        others=tuple(others),
        notes=tuple(notes),
        tail=tail.strip(" /／|｜"),
    )


def is_other_spelling(name: str, text: str) -> bool:
    """Whether a text beside a name is the name in another script, or a nickname."""
    if is_post(text) or is_role(text):
        return False
    if is_latin(name) != is_latin(text) and name_strength(text) >= GOOD:
        return True
    return bool(re.search(rf"[{_KANJI}]", name)) and bool(re.fullmatch(r"[ぁ-ゖァ-ヺー 　・]{2,16}", text))


def is_latin(text: str) -> bool:
    """Whether all letters of a text are Latin, with their accents: Kovalčíková is in the script of Smith."""
    return not _NOT_LATIN.search(text)


def is_nickname(text: str) -> bool:
    """Whether a text in brackets behind a name may be what somebody is called elsewhere."""
    if re.search(r"[a-z]\.[a-z]", text, re.IGNORECASE):
        return False  # a site or a group of users: tDiary.org, Asakusa.rb
    return bool(_NICKNAME.fullmatch(text)) and not text.isdigit() and not is_post(text)
