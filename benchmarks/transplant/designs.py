"""What is copied where: pages and pairs of each kind, with what is true of them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from benchmarks.transplant.addresses import VARIANTS, Addresses
from benchmarks.transplant.donors import Block, Donor, prose, sentences
from benchmarks.transplant.edits import EDITS, JAPANESE_ONLY, changed

IDENTICAL, INCLUDED = 0.6, 0.5  # section 6.2
NEAR = 0.12  # by which a measure may miss a threshold for both relations to count as right
DATED = 1 / 3  # of the pages say when they were last changed
TOUCHED_LATER = 0.15  # of the sources that do were changed after their copy
SPACE = {"ja": ""}  # between sentences
USED = 4  # times that a frame is used, at most


@dataclass(slots=True)
class MadePage:
    url: str
    html: str
    org: str
    kind: str
    lang: str
    template: str
    blocks: list[Block]
    last_modified: str = ""

    def sentences(self) -> set[str]:
        return {re.sub(r"\W+", "", sentence).lower() for sentence in sentences(self.blocks)}


@dataclass(frozen=True, slots=True)
class GoldPair:
    kind: str
    relation: str
    shared_chars: int
    note: str
    source: str  # url, or "" where nobody knows
    patchwork: str  # url, or ""
    lang: str


@dataclass(slots=True)
class TransplantSet:
    """Makes pages of donors, each donor once as an original, and notes which pairs they are."""

    pool: dict[str, list[Donor]]
    luck: random.Random
    addresses: Addresses
    pages: dict[str, MadePage] = field(default_factory=dict)
    gold: dict[tuple[str, str], GoldPair] = field(default_factory=dict)
    _frames: dict[str, int] = field(default_factory=dict)

    def original(self, lang: str) -> tuple[Donor, MadePage]:
        """A page as it was."""
        while True:
            donor = self.pool[lang].pop()
            if self.addresses.take(donor.url):
                page = MadePage(
                    donor.url, donor.source, donor.site, "original", lang, donor.id, list(donor.blocks)
                )
                self.pages[page.url] = page
                return donor, page

    def framed(
        self, lang: str, blocks: Iterable[Block], kind: str, sources: Sequence[Donor],
        where: tuple[str, str] | None = None, links: Sequence[str] = (), frame: Donor | None = None,
    ) -> tuple[MadePage, bool]:  # fmt: skip
        """A page with the blocks in another's frame, and whether all days that it states are later than those
        of its sources.
        """
        latest = max((day for source in sources for day in source.days[-1:]), default="")
        if frame is None:
            frame, later = self._frame(lang, latest, {source.site for source in sources})
        else:
            later = not (latest and frame.days) or frame.days[0] > latest
        blocks = list(blocks)
        site = self.addresses.site() if lang == "ja" else "/".join(frame.url.split("/")[:3])
        url, org = where or (self.addresses.page(site), owner(site))
        extra = "".join(f'<p><a href="{link}">{link}</a></p>' for link in links)
        page = MadePage(url, frame.with_content(blocks, extra), org, kind, lang, frame.id, blocks)
        self.pages[url] = page
        return page, later

    def _frame(self, lang: str, latest: str, sites: set[str], heavy: bool = False) -> tuple[Donor, bool]:
        """A frame that was not used too often, later than a day if there is one."""
        free = [
            donor
            for donor in self.pool[lang]
            if self._frames.get(donor.id, 0) < USED and donor.site not in sites and donor.is_heavy == heavy
        ]
        later = [donor for donor in free if not latest or not donor.days or donor.days[0] > latest]
        chosen = self.luck.choice(later or free)
        self._frames[chosen.id] = self._frames.get(chosen.id, 0) + 1
        self.pool[lang].remove(chosen)
        self.pool[lang].insert(0, chosen)  # originals are taken from the other end
        return chosen, bool(later)

    def note(
        self, source: MadePage, made: MadePage, kind: str, note: str, known: bool = True, told: str = "",
        patchwork: bool = False,
    ) -> None:  # fmt: skip
        """Notes a pair; ``told`` is its relation where the design says so."""
        one, other = source.sentences(), made.sentences()
        shared = sum(map(len, one & other))
        if not shared and not told:
            return  # its sentences end elsewhere in the other page
        told = told or relation(shared, sum(map(len, one)), sum(map(len, other)))
        key = (min(source.url, made.url), max(source.url, made.url))
        self.gold[key] = GoldPair(
            kind, told, shared, note, source.url if known else "", made.url if patchwork else "", source.lang
        )

    def mirrors(self, lang: str, count: int) -> None:
        for number in range(count):
            name = list(VARIANTS)[number % len(VARIANTS)]
            _, page = self.original(lang)
            url = VARIANTS[name](page.url, self.luck)
            if self.addresses.take(url):
                twin = MadePage(url, page.html, page.org, "mirror", lang, page.template, page.blocks)
                self.pages[url] = twin
                self.note(page, twin, "mirror", name, known=False, told="identical")

    def copies(self, lang: str, count: int) -> None:
        for _ in range(count):
            donor, page = self.original(lang)
            made, later = self.framed(lang, donor.blocks, "copy", [donor])
            self.note(page, made, "copy_whole", "", later, "identical")

    def users(self, lang: str, count: int) -> None:
        """The content of one page at two users of a service."""
        for number in range(count):
            content = self.pool[lang].pop()
            (first, own), (second, other) = self.addresses.users(2)
            frame, _ = self._frame(lang, content.days[-1] if content.days else "", {content.site})
            same = frame if number % 2 else None
            one, _ = self.framed(lang, content.blocks, "user", [], (first, own), frame=frame)
            two, later = self.framed(lang, content.blocks, "user", [frame], (second, other), frame=same)
            known = later and bool(frame.days) and not same
            self.note(one, two, "copy_users", "one template" if same else "", known, "identical")

    def parts(self, lang: str, count: int) -> None:
        """1, 3 and 10 sentences in another page, with and without a link."""
        for number in range(count):
            size, linked = (1, 3, 10)[number % 3], number // 3 % 2 == 0
            donor, page = self.original(lang)
            whole = prose(donor.blocks)
            if len(whole) < size + 2:
                continue
            start = self.luck.randrange(len(whole) - size + 1)
            cited = Block(
                self.luck.choice(("p", "blockquote")), SPACE.get(lang, " ").join(whole[start : start + size])
            )
            own = self.pool[lang].pop()
            place = self.luck.randrange(1, len(own.blocks) + 1)
            blocks = [*own.blocks[:place], cited, *own.blocks[place:]]
            links = [page.url] if linked else []
            made, later = self.framed(lang, blocks, f"partial_{size}", [donor], links=links)
            self.note(page, made, f"{'cite' if linked else 'quote'}_{size}", cited.tag, later or linked)

    def edited(self, lang: str, count: int) -> None:
        kinds = [kind for kind in (*EDITS, "edit_order") if lang == "ja" or kind not in JAPANESE_ONLY]
        for number in range(count):
            kind, share = kinds[number % len(kinds)], (1.0, 0.3)[number // len(kinds) % 2]
            donor, page = self.original(lang)
            blocks = changed(donor.blocks, kind, share, self.luck, lang)
            made, later = self.framed(lang, blocks, "edit", [donor])
            self.note(page, made, kind, f"{share:.0%}", later, "identical")

    def archives(self, lang: str, count: int) -> None:
        """Five articles of a site, and all of them on one page."""
        for _ in range(count):
            site = self.addresses.site()
            org = owner(site)
            frame, _ = self._frame(lang, "", set())
            articles = [self._article(lang) for _ in range(5)]
            made = [
                self.framed(lang, blocks, "article", [], (self.addresses.page(site), org), frame=frame)[0]
                for blocks in articles
            ]
            every = [block for blocks in articles for block in blocks]
            url = f"{site}/archives/2014/{self.luck.randrange(1, 13):02}/"
            month, _ = self.framed(lang, every, "archive", [], (url, org), frame=frame)
            for page in made:
                self.note(page, month, "archive", "5 articles")

    def digests(self, lang: str, count: int) -> None:
        for _ in range(count):
            chosen: list[tuple[Donor, MadePage]] = []
            while len(chosen) < 5:
                donor, page = self.original(lang)
                if sum(map(len, sentences(donor.blocks))) < 3000:
                    chosen.append((donor, page))
            blocks = [block for donor, _ in chosen for block in donor.blocks]
            made, _ = self.framed(
                lang, blocks, "digest", [donor for donor, _ in chosen], links=[page.url for _, page in chosen]
            )
            for _, page in chosen:
                self.note(page, made, "digest", "5 articles, linked")

    def patchworks(self, lang: str, count: int) -> None:
        for _ in range(count):
            chosen = [self.original(lang) for _ in range(self.luck.randrange(4, 7))]
            if len({donor.site for donor, _ in chosen}) < len(chosen) or any(
                len(prose(donor.blocks)) < 6 for donor, _ in chosen
            ):
                continue
            blocks = []
            for donor, _ in chosen:
                whole = prose(donor.blocks)
                size = self.luck.randrange(3, 7)
                start = self.luck.randrange(max(1, len(whole) - size))
                blocks.append(Block("p", SPACE.get(lang, " ").join(whole[start : start + size])))
            made, _ = self.framed(lang, blocks, "patchwork", [donor for donor, _ in chosen])
            for _, page in chosen:
                self.note(page, made, "patchwork", f"{len(chosen)} sources", patchwork=True)

    def paragraphs(self, lang: str, count: int) -> None:
        """A paragraph of one page of a site also in another one; a third page shares their frame only."""
        for _ in range(count):
            frame, _ = self._frame(lang, "", set())
            site = self.addresses.site()
            org = owner(site)
            contents = [self.pool[lang].pop() for _ in range(3)]
            long = [block for block in contents[0].blocks if prose([block]) and len(block.text) >= 60]
            if not long:
                continue
            shared = self.luck.choice(long)
            place = self.luck.randrange(1, len(contents[1].blocks) + 1)
            second = [*contents[1].blocks[:place], shared, *contents[1].blocks[place:]]
            pages = [
                self.framed(lang, blocks, "same_site", [], (self.addresses.page(site), org), frame=frame)[0]
                for blocks in (contents[0].blocks, second, contents[2].blocks)
            ]
            self.note(pages[0], pages[1], "same_site_paragraph", "", known=False)
            for page in pages[:2]:
                self.note(page, pages[2], "neg_furniture", "", known=False, told="none")

    def tickers(self, lang: str, count: int) -> None:
        """Pages of a site that share a heavy frame only."""
        for _ in range(min(count, sum(donor.is_heavy for donor in self.pool[lang]))):
            frame, _ = self._frame(lang, "", set(), heavy=True)
            site = self.addresses.site()
            org = owner(site)
            pages = [
                self.framed(lang, blocks, "ticker", [], (self.addresses.page(site), org), frame=frame)[0]
                for blocks in [self._article(lang) for _ in range(4)]
            ]
            for one, other in combinations(pages, 2):
                if not one.sentences() & other.sentences():
                    self.note(one, other, "neg_ticker", "", known=False, told="none")

    def stock(self, lang: str, kind: str, text: Block, sites: int) -> None:
        """The same stock text in unrelated pages of so many sites, in or after their content."""
        made: list[MadePage] = []
        while len(made) < sites:
            donor, page = self.original(lang)
            if donor.site in {other.org for other in made}:
                del self.pages[page.url]
                continue
            place = self.luck.choice((len(donor.blocks), self.luck.randrange(1, len(donor.blocks) + 1)))
            blocks = [*donor.blocks[:place], text, *donor.blocks[place:]]
            page.html, page.kind = donor.with_content(blocks), kind
            made.append(page)
        for one, other in combinations(made, 2):
            if not one.sentences() & other.sentences():
                self.note(one, other, kind, f"{sites} sites: {text.text[:30]}", known=False, told="none")

    def _article(self, lang: str) -> list[Block]:
        """A short article: the beginning of a page's content."""
        while True:
            blocks: list[Block] = []
            for block in self.pool[lang].pop().blocks:
                blocks.append(block)
                if sum(map(len, sentences(blocks))) > 400:
                    return blocks

    def date_pages(self) -> None:
        """Says of a third of the pages when they were last changed, copies mostly after their sources."""
        known = [(key, pair.source) for key, pair in self.gold.items() if pair.source]
        later = {next(url for url in key if url != source) for key, source in known}
        for url in sorted(self.pages):
            if self.luck.random() < DATED:
                copied = url in later or self.luck.random() < TOUCHED_LATER
                year = 2027 if copied else self.luck.randrange(2012, 2021)  # after all days that pages state
                month, day = self.luck.randrange(1, 13), self.luck.randrange(1, 29)
                self.pages[url].last_modified = f"{year}-{month:02}-{day:02}T04:05:06Z"


def owner(site: str) -> str:
    """Who runs a made-up site."""
    return site.split("//")[1].removeprefix("www.").removeprefix("blog.")


def relation(shared: int, one: int, other: int) -> str:
    overlap, containment = 2 * shared / max(1, one + other), shared / max(1, min(one, other))
    told = []
    for scale in (1.0, 1 - NEAR, 1 + NEAR):
        partial = "inclusion" if containment * scale > INCLUDED else "partial"
        told.append("identical" if overlap * scale > IDENTICAL else partial)
    return "|".join(dict.fromkeys(told))


STOCK = {
    "neg_legal": (
        r"cookie|copyright|privacy|affiliate|rights reserved|liabilit|disclaim|著作権|個人情報|免責|転載", 60
    ),
    "neg_product": (r"shipping|warrant|return policy|refund|in stock|free delivery|送料|保証|税込|在庫", 50),
    "neg_address": (r"〒|P\.?O\.? Box|\bStreet\b|\bAve(?:nue)?\b|\bSuite \d|opening hours|開催|会場", 40),
}  # fmt: skip


def stock_texts(donor: Donor) -> Iterator[tuple[str, Block]]:
    """Real stock texts: notices, prices, addresses that are no content of their page, and code."""
    for block in donor.asides:
        for kind, (pattern, least) in STOCK.items():
            if least <= len(block.text) <= 500 and re.search(pattern, block.text, re.IGNORECASE):
                yield kind, Block("p", block.text)
                break
    for block in donor.blocks:
        if block.tag == "pre" and 80 <= len(block.text) <= 800:
            yield "neg_code", block
