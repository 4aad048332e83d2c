"""The pieces of a page: tables, definition lists, preformatted text and lines each read in their own way,
every text node once.
"""

from __future__ import annotations

from collections.abc import Sequence

from ruiji.detector.records.fields.concepts import Schema
from ruiji.detector.records.fields.posts import is_post
from ruiji.detector.records.markup.grids import cell_pieces, table_facts
from ruiji.detector.records.markup.parts import PagePieces, Part, label_of
from ruiji.detector.records.markup.pieces import LONGEST_TITLE, UPDATED, Piece, Run, labelled, pieces_of
from ruiji.detector.records.markup.tree import HEADINGS, PageTree
from ruiji.features.page.elements import PREFORMATTED

KEPT_SHARE = 0.5  # of a row's nodes that must be content


def page_pieces(tree: PageTree, schema: Schema) -> PagePieces:
    """The pieces of a page."""
    reader = _Reader(tree, schema)
    reader.read()
    return PagePieces(tree, reader.pool, reader.closed, reader.headings)


class _Reader:
    """The state of reading one page."""

    def __init__(self, tree: PageTree, schema: Schema) -> None:
        self.tree, self.schema = tree, schema
        self.closed: list[Part] = []
        self.pool: list[Piece] = []
        self.headings = [
            e for e, tag in enumerate(tree.tag) if tag in HEADINGS and tree.first[e] < tree.end[e]
        ]

    def read(self) -> None:
        """Reads the page."""
        tree = self.tree
        claimed = [False] * len(tree.element)
        for element, tag in enumerate(tree.tag):
            if tree.first[element] >= tree.end[element] or claimed[tree.first[element]]:
                continue
            if tag == "table":
                self._read_table(element, claimed)
            elif tag == "dl":
                self._read_definitions(element, claimed)
            elif tag in PREFORMATTED:
                self._read_preformatted(element, claimed)
        free = [kept and not taken for kept, taken in zip(tree.kept, claimed, strict=True)]
        self._read_lines(free)
        terms = [
            e
            for e, tag in enumerate(tree.tag)
            if tag == "dt" and tree.first[e] < tree.end[e] and free[tree.first[e]]
        ]
        self.headings = sorted({*self.headings, *terms})  # the terms that are no labels are names
        self.pool.sort(key=lambda piece: piece.node)

    def _read_table(self, table: int, claimed: list[bool]) -> None:
        facts = table_facts(self.tree, table, self.schema)
        if facts is None:
            return
        for row in facts.rows:
            first, end = self.tree.first[row.element], self.tree.end[row.element]
            if row.pieces and self._is_content(first, end):
                self.closed.append(Part(row.pieces, first, end, row.element, "row", table, row.heading))
        self.pool += facts.pieces
        captions = [child for child in self.tree.children[table] if self.tree.tag[child] == "caption"]
        kept_free = {
            node for caption in captions for node in range(self.tree.first[caption], self.tree.end[caption])
        }
        for node in range(self.tree.first[table], self.tree.end[table]):
            claimed[node] = node not in kept_free

    def _is_content(self, first: int, end: int) -> bool:
        return sum(self.tree.kept[first:end]) >= KEPT_SHARE * (end - first) and first < end

    def _read_definitions(self, element: int, claimed: list[bool]) -> None:
        """A list in which the terms are labels; one in which they are names is read line by line."""
        tree = self.tree
        items = [
            item
            for child in tree.children[element]
            for item in ([child] if tree.tag[child] in ("dt", "dd") else tree.children[child])
        ]
        terms = [item for item in items if tree.tag[item] == "dt"]
        known = sum(
            bool(self.schema.concept_of(tree.text(term))) and not is_post(tree.text(term)) for term in terms
        )
        if (
            not terms
            or 2 * known < len(terms)
            or any(tree.tag[inner] in ("table", "dl") for item in items for inner in tree.children[item])
        ):
            return
        label = ""
        for item in items:
            if tree.tag[item] == "dt":
                label = tree.text(item).replace("\n", "")
            elif tree.tag[item] == "dd" and label and self._is_content(tree.first[item], tree.end[item]):
                self.pool += cell_pieces(tree, item, tree.text(item), label, self.schema)
            elif tree.tag[item] == "dd" and label and tree.first[item] == tree.end[item]:
                node = min(tree.first[item], len(tree.element) - 1)
                self.pool += labelled(label, self.schema.concept_of(label), "", node, self.schema)
        for node in range(tree.first[element], tree.end[element]):
            claimed[node] = True

    def _read_preformatted(self, element: int, claimed: list[bool]) -> None:
        """Lines that only line ends part: an empty line, or a label that comes again, begins the next
        record.
        """
        tree = self.tree
        for node in range(tree.first[element], tree.end[element]):
            if not tree.kept[node] or "\n" not in tree.nodes.texts[node].strip():
                continue
            claimed[node] = True
            groups: list[list[Piece]] = [[]]
            for line in tree.nodes.texts[node].split("\n"):
                pieces = pieces_of([Run(line, node)], self.schema)
                known = {label_of(piece) for piece in groups[-1]} - {""}
                if not line.strip() or known & {label_of(piece) for piece in pieces}:
                    groups.append([])
                groups[-1] += pieces
            full = [tuple(group) for group in groups if group]
            self.closed += [
                Part(group, node, node + 1, element, "row" if len(full) > 1 else "block", element)
                for group in full
            ]

    def _read_lines(self, free: Sequence[bool]) -> None:
        """Pieces of all lines outside tables; a line that is a label alone takes the line below as its
        value.
        """
        tree = self.tree
        lines: list[list[Run]] = []
        start = 0
        size = len(free)
        while start < size:
            if not free[start]:
                start += 1
                continue
            end = start + 1
            while end < size and free[end]:
                end += 1
            lines += tree.runs(start, end, self.schema)
            start = end
        waiting = ""
        for line in lines:
            text = "".join(run.text for run in line).strip()
            alone = text.strip(" 　:：【】[]■●◆・")
            concept = self.schema.concept_of(alone) if len(alone) <= LONGEST_TITLE and len(line) <= 2 else ""
            if waiting and not concept:
                found = (
                    labelled(waiting, self.schema.concept_of(waiting), text, line[0].node, self.schema)
                    if len(text) <= 4 * LONGEST_TITLE
                    else []
                )
                self.pool += found
                waiting = ""
                if found:
                    continue
            waiting = ""
            own = (
                [piece for piece in pieces_of(line, self.schema) if piece.concept in ("mail", "phone")]
                if concept
                else []
            )
            if (
                concept not in ("", "contact", "note", "url", "access", "name", "duty")
                and not is_post(alone)
                and not own
            ):
                waiting = alone
                continue
            if UPDATED.search(text) and len(text) < LONGEST_TITLE:
                continue
            self.pool += pieces_of(line, self.schema)
