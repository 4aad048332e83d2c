"""What the labels of fields mean: 職名, 役職 and Position are one field.

A small table of general knowledge, in Japanese and English; a user's schema comes before it. What neither
knows is learned from values (detector/records/compare/learned_labels.py) or compared under its own name.
"""

# ruff: noqa: E501 — tables of words, a line a thing
from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

KINDS = ("name", "mail", "phone", "date", "number", "money", "url", "text", "post", "place", "hours", "code")


class SchemaError(ValueError):
    """A schema file that cannot be used; the message says what to change."""


@dataclass(frozen=True, slots=True)
class Concept:
    """One field whatever it is called: its labels (the first stands for it), the kind of its values, and how
    it behaves.

    ``changing``: it changes as a matter of course, so that an old page may rightly say something else.
    ``key``: it says who or what the record is about. ``words``: of the classes by which pages name an element
    that holds it.
    """

    name: str
    kind: str
    labels: tuple[str, ...]
    changing: bool = False
    key: bool = False
    words: tuple[str, ...] = ()


def _concept(
    name: str, kind: str, labels: str, words: str = "", *, changing: bool = False, key: bool = False
) -> Concept:
    return Concept(
        name, kind, tuple(label.strip() for label in labels.split("|")), changing, key, tuple(words.split())
    )


# Hours, closing days, names and dates of birth or founding are said to hold for good: a page that still has
# others is wrong however old it is.
CONCEPTS = (
    _concept("name", "name",
        "氏名|名前|お名前|姓名|教員|教員名|教員氏名|担当者|担当者名|担当教員|研究者|研究者名|研究者氏名|職員|職員名|社員|社員名|スタッフ|スタッフ名|メンバー|指導教員|"
        "名称|会社名|商号|社名|企業名|法人名|団体名|施設名|施設|事務所名|事業所名|事業所|店舗名|店舗|店名|支店名|支店|支社名|営業所名|営業所|課名|係名|課室名|課・係|窓口|事務室|"
        "販売業者|屋号|商品名|製品名|品名|商品|製品|拠点名|拠点|機関名|組織名|氏 名|Name|Full name|Member|Company|Company name|Product|Product name|Item|"
        "Office name|Branch|Store|Staff|Staff name|Employee|Faculty|Person|Facility|Item name|Staff member|Faculty member",
        "name fullname fn person-name staff-name member-name nm namae shimei product-name title-name item-name", key=True),
    _concept("reading", "name", "ふりがな|フリガナ|よみ|読み|よみがな|読み仮名|カナ|氏名カナ|カナ氏名|ローマ字|英字氏名|英語表記|Kana|Reading", "kana yomi ruby furigana reading"),
    _concept("post", "post", "職名|役職|職位|肩書|肩書き|役職名|身分|学年|職階|役名|職種|職|役割|Position|Title|Post|Job title|Role|Rank|Academic rank|Job|Appointment|Designation",
        "post position job jobtitle job-title role rank title yakushoku shokumei shokui katagaki", changing=True),
    _concept("affiliation", "text",
        "学科|所属|部署|部署名|部門|所属部署|所属学科|所属部局|専攻|学部|学部・学科|課|部局|担当部署|配属|所属先|所属機関|Department|Dept.|Dept|Division|Affiliation|Section|Team|Unit|Faculty/School|School|Group",
        "dept department affiliation division shozoku busho belong team unit section-name", changing=True),
    _concept("field", "text",
        "研究分野|専門|専門分野|研究テーマ|テーマ|研究内容|研究領域|専攻分野|分野|研究課題|専門領域|研究キーワード|キーワード|主な研究テーマ|Field|Research interests|Research interest|Research area|"
        "Research areas|Specialty|Speciality|Research field|Research fields|Fields|Interests|Research|Research theme|Expertise|Research topics|Specialization|Area",
        "field research theme senmon bunya interest interests specialty expertise", changing=True),
    _concept("duty", "text", "担当業務|業務|業務内容|取扱業務|担当|職務|主な業務|仕事内容|担当事務|事務内容|担当科目|Duties|Responsibilities|Responsible for|In charge of", "duty duties gyomu tanto", changing=True),
    _concept("place", "place", "居室|部屋|場所|部屋番号|室番号|室|研究室|研究室・居室|オフィス|執務室|座席|フロア|設置場所|勤務場所|勤務地|居室番号|教員室|Room|Office|Location|Room no.|Room No|Room number|Office room|Office location|Building|Desk",
        "room office place kyoshitsu location heya basho", changing=True),
    _concept("address", "place", "所在地|住所|本社所在地|本社|所在|本店所在地|連絡先住所|ご住所|Address|Street address|Postal address|Mailing address|Head office", "address addr adr jusho shozaichi", changing=True),
    _concept("zip", "code", "郵便番号|〒|Postal code|Zip|Zip code|Postcode", "zip postal zipcode"),
    _concept("phone", "phone", "電話|電話番号|TEL|Tel.|Phone|Telephone|電話（直通）|直通|直通電話|代表電話|連絡先電話|お電話|問い合わせ電話|☎|℡|Phone number|Telephone number|Tel no.|T|P|Direct line|Direct", "tel phone telephone denwa", changing=True),
    _concept("ext", "phone", "内線|内線番号|電話（内線）|電話(内線)|内線電話|学内内線|ext|ext.|Extension|Ext no.|Phone ext.|Phone extension|内", "ext extension naisen", changing=True),
    _concept("fax", "phone", "FAX|ファックス|ファクス|ファクシミリ|FAX番号|ファックス番号|Fax number|F", "fax", changing=True),
    _concept("mobile", "phone", "携帯|携帯電話|携帯番号|Mobile|Cell|Mobile phone", "mobile cell keitai", changing=True),
    _concept("mail", "mail", "メール|メールアドレス|E-mail|Email|mail|Eメール|電子メール|電子メールアドレス|アドレス|E-mailアドレス|Eメールアドレス|Mailアドレス|Mail address|Email address|E-mail address|e-mail|✉|M",
        "mail email e-mail", changing=True),
    _concept("contact", "text", "連絡先|お問い合わせ|問い合わせ|問い合わせ先|お問い合わせ先|問合せ先|Contact|Contact information|Contact info|Contacts|電話・メール|TEL/FAX", "contact renraku"),
    _concept("url", "url", "URL|ホームページ|HP|Web|Website|ウェブサイト|サイト|リンク|Homepage|Home page|Web site|個人ページ|Web page|Webサイト|Link|Page", "url web website homepage"),
    _concept("appointed", "date", "着任|着任年月|着任日|着任年|採用|採用年月|入社|入社年|入社日|入社年月|就任|就任日|Joined|Since|Start date|In office since|Year joined|Hired", "joined appointed"),
    _concept("birth", "date", "生年月|生年月日|誕生日|生年|Date of birth|Born|Birthday", "birth birthday"),
    _concept("degree", "text", "学位|取得学位|Degree|Degrees", "degree gakui", changing=True),
    _concept("representative", "name", "代表者|代表|運営責任者|代表取締役|組合長|代表者名|代表取締役社長|社長|代表者氏名|理事長|所長|館長|施設長|店長|支店長|責任者|Representative|CEO|President|Manager|Head", "representative president", changing=True),
    _concept("established", "date", "設立|創業|創立|設立年月|設立年月日|設立日|設立年|創業年|開設|開設日|開設年|開業|発足|Founded|Established|Opened|Foundation", "founded established"),
    _concept("released", "date", "発売日|発売|発売時期|発売年月|リリース日|Release date|Released|Available from|Launch date", "release released"),
    _concept("capital", "money", "資本金|Capital", "capital", changing=True),
    _concept("employees", "number", "従業員数|社員数|職員数|従業員|スタッフ数|Employees|Number of employees|Headcount", "employees", changing=True),
    _concept("members", "number", "組合員数|会員数|構成員数|Members", changing=True),
    _concept("hours", "hours", "営業時間|開館時間|受付時間|開庁時間|診療時間|開所時間|利用時間|開室時間|窓口時間|業務時間|Hours|Opening hours|Business hours|Open|Service hours", "hours open opening"),
    _concept("closed", "text", "定休日|休館日|休業日|休診日|休日|休み|閉館日|お休み|Closed|Holidays|Closing day|Regular holiday|Closed on", "closed holiday"),
    _concept("price", "money", "価格|販売価格|税込価格|本体価格|値段|定価|料金|価格（税込）|希望小売価格|税込|金額|単価|入館料|Price|List price|Unit price|Cost|Retail price|Fee", "price kakaku", changing=True),
    _concept("code", "code", "型番|品番|商品番号|商品コード|製品番号|JANコード|型式|製品コード|品名コード|コード|社員番号|職員番号|研究者番号|管理番号|整理番号|Model|Model no.|Model number|SKU|Item no.|Item number|"
        "Product code|Product no.|Part no.|Part number|Staff ID|Employee ID|ID|Code|Item code|Catalog no.", "sku model code item-no", key=True),
    _concept("size", "text", "サイズ|寸法|外形寸法|大きさ|本体サイズ|Size|Dimensions", "size dimensions"),
    _concept("weight", "number", "重量|重さ|質量|本体重量|Weight", "weight"),
    _concept("material", "text", "素材|材質|材料|Material|Materials", "material"),
    _concept("colour", "text", "色|カラー|本体色|Color|Colour|Colors|Colours", "color colour"),
    _concept("stock", "number", "在庫|在庫数|Stock|In stock|Availability|Quantity", "stock", changing=True),
    _concept("maker", "text", "メーカー|製造元|製造者|ブランド|発売元|Manufacturer|Brand|Maker|Vendor", "brand maker manufacturer"),
    _concept("category", "text", "業種|分類|カテゴリ|カテゴリー|種類|種別|品目|区分|Category|Industry|Type|Kind", "category"),
    _concept("business", "text", "事業内容|主な事業|取扱品目|営業品目|Business|Line of business", "business"),
    _concept("access", "text", "アクセス|最寄駅|最寄り駅|交通|交通アクセス|Access|Nearest station|Directions", "access"),
    _concept("office_hours", "hours", "オフィスアワー|Office hours|Office hour", "officehour office-hours", changing=True),
    _concept("origin", "text", "出身|出身地|出身校|Hometown|From"),
    _concept("note", "text", "備考|摘要|その他|ひとこと|コメント|自己紹介|メッセージ|Note|Notes|Remarks|Comment|Bio|Profile", "note bio profile comment"),
)  # fmt: skip

UNLABELLED = ""
_NO_CORE = re.compile(
    r"[\s　:：;；.．,，、。・/／|｜*＊※■□●○◆◇▼▽▲△★☆♦►▶→【】\[\]［］〔〕〈〉《》「」『』<>＜＞()（）{}\"'“”‘’_=~〜~–—-]+"
)
_IN_BRACKETS = re.compile(r"[(（\[［].*?[)）\]］]")


def folded_label(label: str) -> str:
    """A label without width, case, marks and spaces: what two pages' labels have in common when they are the
    same word.
    """
    return _NO_CORE.sub("", unicodedata.normalize("NFKC", label).casefold())


@dataclass(frozen=True, slots=True)
class Schema:
    """Which concept a label means; ``own`` are the user's concepts, which come before the built-in ones."""

    own: tuple[Concept, ...] = ()
    _by_label: Mapping[str, str] = field(default_factory=dict, repr=False)
    _by_name: Mapping[str, Concept] = field(default_factory=dict, repr=False)
    _by_word: Mapping[str, str] = field(default_factory=dict, repr=False)

    def concept_of(self, label: str) -> str:
        """The name of the concept that a label means; "" where nobody knows. What stands in brackets may say
        it too: 電話（内線）.
        """
        found = self._by_label.get(folded_label(label), "")
        if found or not label:
            return found
        outside = _IN_BRACKETS.sub("", label)
        if outside == label:
            return ""
        return self._by_label.get(folded_label(outside), "")

    def concept_of_words(self, words: str) -> str:
        """The concept that the classes of an element name."""
        for word in words.lower().replace("_", "-").split():
            if found := self._by_word.get(word):
                return found
            for part in reversed(word.split("-")):
                if found := self._by_word.get(part):
                    return found
        return ""

    def concept(self, name: str) -> Concept | None:
        """The concept of that name; None for a label of its own."""
        return self._by_name.get(name)

    def kind_of(self, name: str) -> str:
        found = self._by_name.get(name)
        return found.kind if found else "text"


def schema(own: tuple[Concept, ...] = ()) -> Schema:
    """A schema of the user's concepts and, behind them, the built-in ones."""
    by_label: dict[str, str] = {}
    by_name: dict[str, Concept] = {}
    by_word: dict[str, str] = {}
    for concept in (*own, *CONCEPTS):
        by_name.setdefault(concept.name, concept)
        for label in concept.labels:
            by_label.setdefault(folded_label(label) or label, concept.name)
        for word in concept.words:
            by_word.setdefault(word, concept.name)
    return Schema(own, by_label, by_name, by_word)


@lru_cache(maxsize=1)
def built_in() -> Schema:
    """The schema without a user's."""
    return schema()


def load_schema(path: Path) -> Schema:
    """The schema of a JSON or TOML file. Raises SchemaError, which says what is wrong.

    {"fields": [{"label": "職名", "synonyms": ["役職", "Post"], "kind": "post", "changing": true, "key":
    false}]}
    """
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text) if path.suffix.lower() == ".toml" else json.loads(text)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise SchemaError(f"{path}: not a schema: {error}") from error
    entries = data.get("fields") if isinstance(data, dict) else None
    if not isinstance(entries, list) or not entries:
        raise SchemaError(
            f'{path}: a schema has "fields", a list of {{"label": …, "synonyms": […], "kind": …}}'
        )
    own: list[Concept] = []
    for entry in entries:
        concept = _own_concept(entry, path)
        if any(
            concept.name == other.name for other in own
        ):  # the user tells apart what we take for one field
            concept = replace(concept, name=concept.labels[0])
        own.append(concept)
    return schema(tuple(own))


def _own_concept(entry: Any, path: Path) -> Concept:
    if (
        not isinstance(entry, dict)
        or not isinstance(entry.get("label"), str)
        or not folded_label(entry["label"])
    ):
        raise SchemaError(f'{path}: every field needs a "label"; this one has none: {entry!r}')
    label, synonyms = entry["label"], entry.get("synonyms", [])
    if not isinstance(synonyms, list) or not all(isinstance(one, str) for one in synonyms):
        raise SchemaError(f"{path}: the synonyms of {label} must be a list of labels")
    known = built_in().concept(built_in().concept_of(label))
    kind = str(entry.get("kind") or (known.kind if known else "text")).lower()
    if kind not in KINDS:
        raise SchemaError(f"{path}: the kind of {label} is {kind}; there are {', '.join(KINDS)}")
    if unknown := set(entry) - {"label", "synonyms", "kind", "changing", "key"}:
        raise SchemaError(
            f"{path}: {label} has {', '.join(sorted(unknown))}; a field has label, synonyms, kind, changing, key"
        )
    changing = bool(entry.get("changing", known.changing if known else False))
    key = bool(entry.get("key", known.key if known else kind == "name"))
    return Concept(known.name if known else label, kind, (label, *synonyms), changing, key)
