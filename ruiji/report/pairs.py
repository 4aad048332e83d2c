"""``report.html``: a finished run as one self-contained page to read, to print, to mail. Everything that
comes from pages is escaped; nothing is loaded, nothing runs; addresses are links only where they are http or
https.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ruiji.corpora.files import replacing
from ruiji.detector.pairs.run import Run
from ruiji.detector.pairs.run_sentences import RunSentences
from ruiji.detector.verdicts import FILE, read_verdicts, tallied
from ruiji.report.drawings import bars, dots, histogram, legend
from ruiji.report.words import CATEGORIES, LABELS

PAIRS_WITH_EVIDENCE = 5  # of each category, those with the most shared characters
QUOTED = 3  # shared sentences of a pair, the longest first
LONGEST_QUOTE = 240  # characters
SITES_SHOWN = 10
ROWS_SHOWN = 60  # of a table of groups or failures
LANGUAGES = ("both", "en", "ja")


def write_report(out: Path, destination: Path, language: str = "both") -> None:
    """Writes the report of the run in ``out``. Raises InputError where there is no finished run."""
    page = _Report(Run(out), language).page()
    with replacing(destination) as stream:
        stream.write(page.encode("utf-8", "replace"))


class _Report:
    """The parts of one report."""

    def __init__(self, run: Run, language: str) -> None:
        self.run, self.language = run, language
        self.pairs = pq.read_table(run.file("pairs"))
        pages = pq.read_table(run.file("pages"), columns=["id", "url", "site", "title", "error"])
        in_pairs = pa.chunked_array([*self.pairs["url_a"].chunks, *self.pairs["url_b"].chunks], pa.string())
        self.pages = {row["url"]: row for row in pages.filter(pc.is_in(pages["url"], in_pairs)).to_pylist()}
        self.failed = pages.filter(pc.is_valid(pages["error"]))

    def label(self, key: str, **values: object) -> str:
        """The words of a key, escaped, in the language of the report; in both, Japanese stands after
        English.
        """
        english, japanese = (escape(text.format(**values)) for text in LABELS[key])
        if self.language == "both":
            return f'{english} <span lang="ja">{japanese}</span>'
        return japanese if self.language == "ja" else english

    def plain(self, key: str) -> str:
        """The words of a key without markup, for drawings."""
        english, japanese = LABELS[key]
        return {"en": english, "ja": japanese, "both": f"{english} {japanese}"}[self.language]

    def page(self) -> str:
        counts = self.run.description["counts"]
        title = f"ruiji: {counts['pairs']:,} {self.plain('pairs')}"
        style = (Path(__file__).parent / "report.css").read_text(encoding="utf-8")
        pairs = f"{counts['pairs']:,}"
        policy = "default-src 'none'; style-src 'unsafe-inline'"
        parts = [
            f'<!DOCTYPE html>\n<html lang="{"ja" if self.language == "ja" else "en"}"><head><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<meta name="color-scheme" content="light dark"><title>{escape(title)}</title><style>{style}</style></head><body><main>',
            f'<header><p class="mark">類 <span>ruiji</span></p><h1>{self.label("title", pairs=pairs)}</h1></header>',
            self._numbers(counts),
            self._categories(counts),
            self._square(),
            self._lengths(),
            self._sites(),
            self._strongest(counts),
            self._verdicts(),
            self._groups(),
            self._failures(),
            self._settings(),
            "</main></body></html>\n",
        ]
        return "\n".join(part for part in parts if part)

    def _numbers(self, counts: Mapping[str, Any]) -> str:
        names = ("pages", "sentences", "pairs", "groups", "patchwork_pages", "failed")
        cells = "".join(f"<div><b>{counts[name]:,}</b>{self.label(name)}</div>" for name in names)
        return f'<section class="numbers">{cells}</section>'

    def _section(self, key: str, *parts: str, note: str = "") -> str:
        said = f'<p class="note">{self.label(note)}</p>' if note else ""
        return f"<section><h2>{self.label(key)}</h2>{said}{''.join(parts)}</section>"

    def _categories(self, counts: Mapping[str, Any]) -> str:
        values = [(self.plain(name), counts["categories"].get(name, 0), name) for name in CATEGORIES]
        meanings = "".join(
            f"<dt>{self.label(name)}</dt><dd>{self.label(f'meaning_{name}')}</dd>" for name in CATEGORIES
        )
        return self._section("by_category", bars(values), f"<dl>{meanings}</dl>")

    def _square(self) -> str:
        if not len(self.pairs):
            return ""
        x, y = (self.pairs[name].to_numpy() for name in ("containment", "overlap"))
        classes = self.pairs["category"].to_pylist()
        drawing = dots(x, y, classes, (self.plain("containment"), self.plain("overlap")), self.plain("pairs"))
        present = {name: self.label(name) for name in CATEGORIES if name in set(classes)}
        return self._section("square", drawing, legend(present), note="square_note")

    def _lengths(self) -> str:
        if not len(self.pairs):
            return ""
        lengths = self.pairs["shared_chars"].to_numpy().astype(np.float64)
        return self._section(
            "lengths",
            histogram(lengths, self.plain("shared_chars"), self.plain("pairs")),
            note="lengths_note",
        )

    def _sites(self) -> str:
        sites = {url: row["site"] or "" for url, row in self.pages.items()}
        ends = [
            [sites.get(url, "") for url in self.pairs[column].to_pylist()] for column in ("url_a", "url_b")
        ]
        between: dict[tuple[str, str], int] = {}
        for one, other in zip(*ends, strict=True):
            if one and other:
                sites_of_pair = (min(one, other), max(one, other))
                between[sites_of_pair] = between.get(sites_of_pair, 0) + 1
        parts = []
        for key, within in (("sites_between", False), ("sites_within", True)):
            own = [item for item in between.items() if (item[0][0] == item[0][1]) == within]
            strongest = sorted(own, key=lambda item: (-item[1], item[0]))[:SITES_SHOWN]
            values = [
                (one if within else f"{one} ↔ {other}", size, "same_site" if within else "shared")
                for (one, other), size in strongest
            ]
            if values:
                parts.append(f"<h3>{self.label(key)}</h3>{bars(values)}")
        return self._section("sites", *parts) if parts else ""

    def _strongest(self, counts: Mapping[str, Any]) -> str:
        chosen: dict[str, list[dict[str, Any]]] = {}
        for name in CATEGORIES:
            own = self.pairs.filter(pc.equal(self.pairs["category"], name))
            order = [("shared_chars", "descending"), ("url_a", "ascending"), ("url_b", "ascending")]
            chosen[name] = own.sort_by(order).slice(0, PAIRS_WITH_EVIDENCE).to_pylist()
        quotes = self._quotes([row for rows in chosen.values() for row in rows])
        parts = []
        for name, rows in chosen.items():
            if rows:
                cards = "".join(self._card(row, quotes[row["url_a"], row["url_b"]]) for row in rows)
                parts.append(
                    f'<h3><i class="{name}"></i>{self.label(name)} <small>{counts["categories"].get(name, 0):,}</small></h3>{cards}'
                )
        return self._section("strongest", *parts, note="strongest_note") if parts else ""

    def _quotes(self, pairs: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], list[str]]:
        """The longest of the sentences that both pages of each pair have; all are read at once."""
        evidence = RunSentences(self.run)
        sentences = evidence.sentences_of({row[side] for row in pairs for side in ("url_a", "url_b")})
        keys = {url: evidence.long_keys(own) for url, own in sentences.items()}
        ends = [(row["url_a"], row["url_b"]) for row in pairs]
        common = evidence.common(set().union(*(keys[one] & keys[other] for one, other in ends)))
        found = {}
        for one, other in ends:
            both = keys[one] & keys[other]
            texts = {
                sentence["key"]: sentence["text"]
                for sentence in reversed(sentences[one])
                if sentence["key"] in (both - common or both)
            }
            longest = sorted(texts.values(), key=lambda text: (-len(text), text))[:QUOTED]
            found[one, other] = [
                text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "…" for text in longest
            ]
        return found

    def _card(self, row: Mapping[str, Any], quoted: Sequence[str]) -> str:
        sides = []
        for side in "ab":
            url = row[f"url_{side}"]
            title = (self.pages.get(url) or {}).get("title") or ""
            original = f' <em class="original">{self.label("original")}</em>' if row["source"] == side else ""
            patchwork = (
                f' <em class="patchwork">{self.label("patchwork")}</em>'
                if row["patchwork"] in (side, "both")
                else ""
            )
            sides.append(
                f"<div><strong>{escape(title or url)}</strong>{original}{patchwork}{address(url)}</div>"
            )
        facts = (
            ("shared_sentences", f"{row['shared_sentences']:,}"),
            ("shared_chars", f"{row['shared_chars']:,}"),
            ("overlap", f"{row['overlap']:.2f}"),
            ("containment", f"{row['containment']:.2f}"),
            ("relation", self.label(row["relation"])),
            ("link", self.label(f"link_{row['link']}")),
        )
        told = "".join(f"<span>{self.label(name)} <b>{value}</b></span>" for name, value in facts)
        quotes = "".join(f"<blockquote>{escape(text)}</blockquote>" for text in quoted)
        return f'<article class="pair"><div class="sides">{"".join(sides)}</div><p class="facts">{told}</p>{quotes}</article>'

    def _verdicts(self) -> str:
        verdicts = read_verdicts(self.run.folder / FILE)
        if not verdicts:
            return ""
        rows = []
        for name, tally in tallied(verdicts.values()).items():
            low, high = tally.interval()
            share = f"{tally.share_right:.2f} ({low:.2f}–{high:.2f})"
            rows.append((name, tally.judged, tally.right, tally.wrong, tally.others.total(), share))
        return self._section(
            "verdicts", self._table(("category", "judged", "right", "wrong", "other", "share_right"), rows)
        )

    def _groups(self) -> str:
        groups = pq.read_table(self.run.file("groups")).to_pylist()
        if not groups:
            return ""
        rows = [
            (row["group"], self.label("keep") if row["keep"] else "", address(row["url"]))
            for row in groups[:ROWS_SHOWN]
        ]
        return self._section(
            "groups",
            self._table(("group", "", "page"), rows, escaped=True),
            self._more(len(groups)),
            note="groups_note",
        )

    def _failures(self) -> str:
        if not len(self.failed):
            return ""
        rows = [(row["id"], row["error"]) for row in self.failed.slice(0, ROWS_SHOWN).to_pylist()]
        return self._section("failed", self._table(("page", "error"), rows), self._more(len(self.failed)))

    def _more(self, size: int) -> str:
        return (
            f'<p class="note">{self.label("more", size=f"{size - ROWS_SHOWN:,}")}</p>'
            if size > ROWS_SHOWN
            else ""
        )

    def _settings(self) -> str:
        description = self.run.description
        rows = [
            (name, _shown(value))
            for name, value in (*description["settings"].items(), *description["versions"].items())
        ]
        return self._section("settings", self._table(("setting", "value"), rows, "narrow"))

    def _table(
        self, columns: Sequence[str], rows: Iterable[Sequence[object]], kind: str = "", escaped: bool = False
    ) -> str:
        head = "".join(f"<th>{self.label(column) if column else ''}</th>" for column in columns)
        body = "".join("<tr>" + "".join(_cell(value, escaped) for value in row) + "</tr>" for row in rows)
        return f'<div class="wide"><table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def address(url: str) -> str:
    """An address as a link where a click on it does what one expects, else as text."""
    if url.lower().startswith(("http://", "https://")):
        return f'<a class="url" href="{escape(url)}" rel="noreferrer noopener">{escape(url)}</a>'
    return f'<span class="url">{escape(url)}</span>'


def _cell(value: object, escaped: bool) -> str:
    if isinstance(value, int | float):
        return f'<td class="n">{value:,}</td>'
    return f"<td>{value if escaped else escape(str(value))}</td>"


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "–"
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:g}"
    return str(value) if value != "" else "–"
