/* Lines as blocks: paragraphs, formulas on lines of their own; tables of contents, which no document needs.

   Data flow: parts side by side  --put_line-->  paragraphs;  pieces  --plain_text-->  text of Python

   paragraphs.py has the same functions as their reference. */

#ifndef RUIJI_DOCUMENT_PARAGRAPHS_H
#define RUIJI_DOCUMENT_PARAGRAPHS_H

#include "_kinds.h"

enum { FEWEST_CONTENTS = 3 }; /* links into the page of a table of contents, see paragraphs.py */

/* Whether a text has no letter of a word but numbers. */
static bool is_numbering(const Str *text)
{
    for (Py_ssize_t at = 0; at < text->length; at++) {
        Py_UCS4 letter = text->letters[at];
        if ((letter == '_' || Py_UNICODE_ISALNUM(letter)) && !Py_UNICODE_ISDECIMAL(letter))
            return false;
    }
    return true;
}

static bool is_place(const Piece *piece)
{
    if (piece->kind == TEXT)
        return is_numbering(&piece->text);
    return piece->kind == LINK && letter_at(&piece->target, 0) == '#';
}

/* Whether a line is a table of contents: links to places in the page, one below the other. */
static bool is_contents(const Pieces *line)
{
    Py_ssize_t links = 0;
    for (Py_ssize_t at = 0; at < line->count; at++) {
        links += line->items[at]->kind == LINK;
        if (line->items[at]->kind != BREAK && !is_place(line->items[at]))
            return false;
    }
    return links >= FEWEST_CONTENTS;
}

static void put_paragraph(Page *page, Blocks *blocks, const Pieces *line)
{
    if (!line->count)
        return;
    Block *block = new_block(page, PARAGRAPH);
    block->line = *line;
    put_block(page, blocks, block);
}

static bool is_between_breaks(const Pieces *line, Py_ssize_t place)
{
    return !place || place + 1 == line->count || line->items[place - 1]->kind == BREAK || line->items[place + 1]->kind == BREAK;
}

/* The paragraph of a line; formulas on lines of their own, and an empty line inside, part it. */
static void put_paragraphs(Page *page, Blocks *blocks, const Pieces *line)
{
    bool is_parted = false;
    for (Py_ssize_t at = 0; at < line->count; at++)
        is_parted = is_parted || line->items[at]->kind == BREAK || line->items[at]->kind == FORMULA;
    if (!is_parted) {
        put_paragraph(page, blocks, line);
        return;
    }
    Pieces part = {NULL, 0, 0};
    for (Py_ssize_t at = 0; at <= line->count; at++) {
        Piece *piece = at < line->count ? line->items[at] : NULL;
        bool is_formula = piece != NULL && piece->kind == FORMULA && piece->shown && is_between_breaks(line, at);
        bool is_empty_line = piece != NULL && piece->kind == BREAK && part.count && part.items[part.count - 1]->kind == BREAK;
        if (piece != NULL && !is_formula && !is_empty_line) {
            push(page, &part, piece);
            continue;
        }
        Pieces tidy = tidied(page, &part);
        put_paragraph(page, blocks, &tidy);
        part = (Pieces){NULL, 0, 0};
        if (is_formula) {
            Block *block = new_block(page, DISPLAY);
            push(page, &block->line, piece);
            put_block(page, blocks, block);
        }
    }
}

/* The blocks of parts that stand in a line: mostly one paragraph. */
static void put_line(Page *page, Blocks *blocks, Part *first, const Part *end)
{
    Pieces line = line_of(page, first, end);
    if (line.count && !is_contents(&line))
        put_paragraphs(page, blocks, &line);
}

static bool is_inside_line(const Pieces *pieces, int kind)
{
    for (Py_ssize_t at = 0; at < pieces->count; at++)
        if (pieces->items[at]->kind == kind)
            return true;
    return false;
}

/* Whether pieces say anything: their letters, without markup. */
static bool says_something(const Pieces *pieces)
{
    for (Py_ssize_t at = 0; at < pieces->count; at++) {
        const Piece *piece = pieces->items[at];
        if ((piece->kind == STYLED || piece->kind == LINK) && says_something(&piece->inside))
            return true;
        if (piece->kind != TEXT && piece->kind != CODE && piece->kind != FORMULA)
            continue;
        for (Py_ssize_t place = 0; place < piece->text.length; place++)
            if (!Py_UNICODE_ISSPACE(piece->text.letters[place]))
                return true;
    }
    return false;
}

/* The letters of pieces, without markup. */
static void put_letters(Page *page, Str *letters, const Pieces *pieces)
{
    for (Py_ssize_t at = 0; at < pieces->count; at++) {
        const Piece *piece = pieces->items[at];
        if (piece->kind == STYLED || piece->kind == LINK)
            put_letters(page, letters, &piece->inside);
        else if (piece->kind == TEXT || piece->kind == CODE || piece->kind == FORMULA)
            append_letters(page, letters, piece->text.letters, piece->text.length);
        else if (piece->kind == BREAK)
            append_letters(page, letters, &(Py_UCS4){'\n'}, 1);
    }
}

static PyObject *plain_text(Page *page, const Pieces *pieces)
{
    Str letters = new_str(page, 0);
    put_letters(page, &letters, pieces);
    return hold(page, unicode_of(&letters));
}

#endif
