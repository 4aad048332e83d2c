"""Posts and ranks: 教授, 課長, Associate Professor, and which of them are one post in two languages or
spellings.
"""

# ruff: noqa: E501 — tables of words, a line a thing
from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# One post a line: the Japanese forms, then the English ones.
_POSTS = """
教授|Professor,Prof.,Prof,Full Professor
准教授|Associate Professor,Assoc. Prof.,Associate Prof.,Assoc. Professor
助教授|Assistant Professor (until 2007)
助教|Assistant Professor,Assist. Prof.,Asst. Prof.,Assistant Prof.,Asst. Professor
講師|Lecturer,Senior Lecturer,Senior Assistant Professor,Junior Associate Professor
助手|Research Associate,Assistant,Research Assistant
名誉教授|Professor Emeritus,Emeritus Professor,Emerita Professor
特任教授|Specially Appointed Professor,Project Professor
特任准教授|Specially Appointed Associate Professor,Project Associate Professor
特任講師|Project Lecturer,Specially Appointed Lecturer
特任助教|Specially Appointed Assistant Professor,Project Assistant Professor
客員教授|Visiting Professor
客員准教授|Visiting Associate Professor
研究員,主任研究員,上級研究員,特任研究員,博士研究員,ポスドク|Researcher,Research Fellow,Senior Researcher,Postdoctoral Researcher,Postdoc,Postdoctoral Fellow,Principal Researcher
非常勤講師|Part-time Lecturer,Adjunct Lecturer
技術職員,技術専門員,技術専門職員,技官,技術員|Technical Staff,Technician
事務職員,事務員,事務補佐員,事務補佐,秘書,職員|Secretary,Administrative Staff,Administrator,Staff,Office Manager
教務職員,教務補佐員,教務係|Academic Staff
学長|President of the University
学部長,研究科長|Dean
学科長,専攻長|Department Head,Head of Department,Chair
代表取締役社長,社長,代表取締役|President,CEO,President and CEO,Chief Executive Officer
会長|Chairman,Chairperson
副社長|Vice President,Executive Vice President
専務,専務取締役|Senior Managing Director
常務,常務取締役|Managing Director
取締役,監査役,執行役員,役員|Director,Executive Officer,Board Member,Auditor,CTO,CFO,COO,Chief Technology Officer,Chief Financial Officer
本部長,事業部長|Division Director,Head of Division
部長|General Manager,Department Manager
副部長,部長代理,次長|Deputy General Manager,Deputy Manager
課長|Manager,Section Manager,Section Chief
課長代理,課長補佐|Assistant Manager
係長|Chief,Subsection Chief,Supervisor
主任|Senior Staff,Team Leader,Lead
主査,主幹,参事,主事,技師,技術主任,調査役|Senior Engineer
所長,支店長,支社長,店長,工場長,室長,館長,園長,院長,センター長,理事,監事,理事長,局長,校長,教頭,班長,組長,リーダー,チームリーダー|Branch Manager,Store Manager,Office Director,Head,Leader
マネージャー,ディレクター,エンジニア,デザイナー,営業,営業担当,コンサルタント,アナリスト,プログラマー|Engineer,Designer,Consultant,Analyst,Sales,Sales Representative,Software Engineer,Accountant,Developer,Architect,Product Manager,Project Manager,Sales Manager,Programmer
船長|Captain
機関長|Chief Engineer
甲板員|Deckhand
博士後期課程,博士課程|Doctoral Student,PhD Student,Ph.D. Student,PhD Candidate,Graduate Student
博士前期課程,修士課程|Master's Student,Master Student
学部4年,学部生,学部3年,卒研生|Undergraduate Student,Undergraduate
"""

_PREFIX = r"(?:特任|特命|特別|客員|名誉|招聘|非常勤|副|元|前|新任|上級|主席|首席|統括|シニア|チーフ|アシスタント|技術|営業|製造|総務|人事|開発|企画|広報|経理|情報|品質|生産)?"
_STUDENT = r"(?:博士(?:前期|後期)?課程|修士課程|学部|研究生|大学院)?\s*[BMD]?[1-6１-６一二三四五六]\s*(?:年生?|回生)|[BMD][1-6]"


@lru_cache(maxsize=1)
def _table() -> dict[str, str]:
    """Each post as people write it, folded → the Japanese post that it means."""
    found: dict[str, str] = {}
    for line in _POSTS.strip().splitlines():
        japanese, _, english = line.partition("|")
        forms = japanese.split(",")
        for form in forms:
            found.setdefault(_folded(form), form)
        for form in english.split(","):
            found.setdefault(_folded(form), forms[0])
    return found


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    """A post at the start of a text, the longest that fits."""
    forms = [
        form for line in _POSTS.strip().splitlines() for part in line.split("|") for form in part.split(",")
    ]
    japanese = sorted((form for form in forms if not form.isascii()), key=len, reverse=True)
    english = sorted((form for form in forms if form.isascii()), key=len, reverse=True)
    return re.compile(
        rf"(?P<ja>{_PREFIX}(?:{'|'.join(map(re.escape, japanese))})|{_STUDENT})"
        rf"|(?P<en>(?:(?:Senior|Deputy|Vice|Visiting|Adjunct|Acting|Assistant|Chief|Principal|Lead|Junior|Executive|Associate)\s+)*"
        rf"(?:{'|'.join(map(re.escape, english))})(?![A-Za-z]))",
        re.IGNORECASE,
    )


def _folded(text: str) -> str:
    return re.sub(r"[\s.．]+", "", unicodedata.normalize("NFKC", text).casefold())


def is_post(text: str) -> bool:
    """Whether a text is a post and nothing else but what stands in brackets."""
    text = re.sub(r"\s*[(（].*?[)）]\s*", "", unicodedata.normalize("NFKC", text)).strip()
    match = _pattern().match(text)
    if match is None:
        return False
    rest = text[match.end() :].strip()
    return (
        not rest
        or (rest[0] in "・/／兼、,&" and len(rest) < 20 and is_post(rest[1:].strip()))
        or is_post(rest)
    )


def post_at_start(text: str) -> int:
    """Where the post ends that a text begins with; 0 where it begins with none."""
    match = _pattern().match(text)
    return match.end() if match else 0


def post_key(text: str) -> str:
    """The Japanese post that a text means, for comparing: Prof. and Professor are 教授. A post nobody knows
    is its own key.
    """
    folded = _folded(re.sub(r"[(（].*?[)）]", "", unicodedata.normalize("NFKC", text)))
    return _table().get(folded, folded)
