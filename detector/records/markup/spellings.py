"""Names that stand on a page twice in a row: in another script, or as the account of the same person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ruiji.detector.records.fields.name_keys import sound_alike, surname_keys
from ruiji.detector.records.fields.names import GOOD
from ruiji.detector.records.markup.anchors import Anchor
from ruiji.detector.records.markup.lines import Line, PageLines
from ruiji.detector.records.markup.mentions import Mention, is_latin, is_other_spelling

CARD_LINES = 5  # lines between a name and the same in another script, at most


def each_person_once(page: PageLines, anchors: Sequence[Anchor]) -> list[Anchor]:
    """The anchors of people; a name, the same in another script and the account beside it are one."""
    merged: list[Anchor] = []
    for anchor in anchors:
        before = merged[-1] if merged else None
        if before is not None and _is_account_of(page, before, anchor):
            continue
        if before is not None and _spelled_again(page, before, anchor):
            spelled = (*before.mention.others, anchor.mention.name, *anchor.mention.others)
            mention = replace(
                before.mention,
                others=spelled,
                notes=(*before.mention.notes, *anchor.mention.notes),
                tail=before.mention.tail or anchor.mention.tail,
                post=before.mention.post or anchor.mention.post,
            )
            merged[-1] = replace(before, mention=mention)
        else:
            merged.append(anchor)
    return merged


def _is_account_of(page: PageLines, before: Anchor, anchor: Anchor) -> bool:
    """Whether an anchor is only the account of the one before it: the name of the page that it links to."""
    line = page.lines[anchor.line]
    account = anchor.mention.name.lstrip("@").casefold()
    return (
        0 < anchor.line - before.line <= CARD_LINES
        and anchor.mention.strength < GOOD <= before.mention.strength
        and any(href.rstrip("/").casefold().endswith(f"/{account}") for href in line.links)
    )


def _spelled_again(page: PageLines, before: Anchor, anchor: Anchor) -> bool:
    """Whether an anchor is the one before it in another script: near and alike, or right below it with
    nothing of its own beside it.
    """
    one, other = before.mention.name, anchor.mention.name
    two_scripts = is_latin(one) != is_latin(other)
    if 0 < anchor.line - before.line <= CARD_LINES and two_scripts and sound_alike(one, other):
        return True
    if anchor.line != before.line + 1 or _has_its_own(anchor.mention):
        return False
    if two_scripts and _one_surname(one, other):
        return True  # 小山 望海, KOYAMA Nozomi: no dictionary reads every given name
    return _side_by_side(page.lines[before.line], page.lines[anchor.line]) and is_other_spelling(one, other)


def _has_its_own(mention: Mention) -> bool:
    """Whether a post, a note or another spelling stands beside a name: somebody else in a list of lines."""
    return bool(mention.others or mention.label or mention.post or mention.notes or mention.tail)


def _one_surname(one: str, other: str) -> bool:
    """Whether the surname of one name may sound like a word of the other."""
    mine, theirs = ({key.lstrip("+") for key in surname_keys([name])} for name in (one, other))
    return not mine.isdisjoint(theirs)


def _side_by_side(first: Line, second: Line) -> bool:
    """Whether two lines stand in one block, or in blocks of different looks in one cell or parent."""
    return first.block == second.block or (first.cell is not None and first.cell is second.cell)
