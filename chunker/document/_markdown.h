/* Markdown of blocks.

   Data flow: blocks  --write_paragraph, write_heading, write_list-->  letters  --write_blocks-->  text

   writing/markdown.py has the same functions as their reference, under the same names where they are the same. Blocks that
   only Python knows are written by it. */

#ifndef RUIJI_DOCUMENT_MARKDOWN_H
#define RUIJI_DOCUMENT_MARKDOWN_H

#include "_spans.h"

static PyObject *write_block;

/* Where the letters from a place on would begin another block, the place of the one to escape; else -1. */
static Py_ssize_t start_of_block(const Str *line, Py_ssize_t at)
{
    Py_UCS4 letter = letter_at(line, at);
    Py_ssize_t end = at;
    if (letter == '#' || letter == '>' || letter == '+' || letter == '-')
        return at;
    if (letter == ':')
        return letter_at(line, at + 1) == '-' ? at : -1;
    if (letter == '=') {
        while (letter_at(line, end) == '=')
            end++;
        while (end < line->length && line->letters[end] != '\n' && Py_UNICODE_ISSPACE(line->letters[end]))
            end++;
        return end == line->length || line->letters[end] == '\n' ? at : -1;
    }
    while (end < line->length && end - at < 9 && Py_UNICODE_ISDECIMAL(line->letters[end]))
        end++;
    if (end == at || (letter_at(line, end) != '.' && letter_at(line, end) != ')'))
        return -1;
    return end + 1 == line->length || Py_UNICODE_ISSPACE(line->letters[end + 1]) ? end : -1;
}

/* A paragraph: its lines cannot be taken for the beginning of another block. */
static void write_paragraph(Page *page, Str *text, const Pieces *pieces)
{
    Py_ssize_t at = text->length;
    write_line(page, text, pieces);
    while (at < text->length) {
        Py_ssize_t place = -1;
        if (letter_at(text, at) == '~' && letter_at(text, at + 1) == '~' && letter_at(text, at + 2) == '~')
            place = at;
        else
            place = start_of_block(text, at);
        if (place >= 0) {
            insert_escape(page, text, place);
            at = place + 2;
        }
        while (at < text->length && text->letters[at] != '\n')
            at++;
        at++;
    }
}

/* A heading on one line: spaces stand for its line breaks. */
static void write_heading(Page *page, Str *text, const Block *block)
{
    for (int level = 0; level < block->level; level++)
        put(page, text, '#');
    put(page, text, ' ');
    Py_ssize_t start = text->length, used = start;
    write_line(page, text, &block->line);
    for (Py_ssize_t at = start; at < text->length; at++) {
        if (text->letters[at] == '\n' && at >= start + 2 && text->letters[at - 1] == ' ' && text->letters[at - 2] == ' ' && used >= start + 2) {
            used -= 2;
            text->letters[used++] = ' ';
        } else {
            text->letters[used++] = text->letters[at] == '\n' ? ' ' : text->letters[at];
        }
    }
    text->length = used;
    Py_ssize_t signs = used;
    while (signs > start && text->letters[signs - 1] == '#')
        signs--;
    if (signs < used)
        insert_escape(page, text, signs); /* or they would end the heading */
}

static void write_blocks(Page *page, Str *text, const Blocks *blocks, const char *between);

/* Puts lines behind a text, each with something before it; an empty one with `bare` instead. */
static void put_lines(Page *page, Str *text, const Str *lines, const Str *before, const char *bare)
{
    for (Py_ssize_t at = 0, end; at <= lines->length; at = end + 1) {
        for (end = at; end < lines->length && lines->letters[end] != '\n'; end++)
            ;
        if (at)
            put(page, text, '\n');
        if (end == at)
            put_ascii(page, text, bare);
        else
            put_str(page, text, before);
        append_letters(page, text, lines->letters + at, end - at);
    }
}

static void write_quote(Page *page, Str *text, const Block *block)
{
    Str inside = new_str(page, 0), before = new_str(page, 0);
    write_blocks(page, &inside, block->inside, "\n\n");
    put_ascii(page, &before, "> ");
    put_lines(page, text, &inside, &before, ">");
}

/* Whether items are one line each, and perhaps lists that are read as such without an empty line before them (CommonMark
   0.31, 5.2). */
static bool is_tight(const Block *list)
{
    for (Py_ssize_t item = 0; item < list->count; item++) {
        const Blocks *blocks = &list->inside[item];
        if (blocks->items[0]->kind != PARAGRAPH)
            return false;
        for (Py_ssize_t at = 1; at < blocks->count; at++)
            if (blocks->items[at]->kind != LIST || blocks->items[at]->start > 1 || !blocks->items[at]->start)
                return false;
    }
    return true;
}

static void write_list(Page *page, Str *text, const Block *list, bool alternate)
{
    const char *between = is_tight(list) ? "\n" : "\n\n";
    for (Py_ssize_t item = 0; item < list->count; item++) {
        char mark[32];
        if (list->start < 0)
            strcpy(mark, alternate ? "* " : "- ");
        else
            PyOS_snprintf(mark, sizeof mark, "%ld%s ", list->start + (long)item, alternate ? ")" : ".");
        Str inside = new_str(page, 0), before = new_str(page, 0), lines = new_str(page, 0);
        write_blocks(page, &inside, &list->inside[item], between);
        if (list->inside[item].items[0]->kind == RULE) /* "- ---" would be one line across the page */
            for (Py_ssize_t at = 0; at < 3 && at < inside.length; at++)
                inside.letters[at] = '_';
        for (size_t at = strlen(mark); at--;)
            put(page, &before, ' ');
        put_lines(page, &lines, &inside, &before, "");
        if (item)
            put_ascii(page, text, between);
        put_ascii(page, text, mark);
        if (lines.length > before.length)
            append_letters(page, text, lines.letters + before.length, lines.length - before.length);
        while (letter_at(text, text->length - 1) == ' ')
            text->length--;
    }
}

static void write_one(Page *page, Str *text, const Block *block, bool alternate)
{
    switch (block->kind) {
    case HEADING:
        write_heading(page, text, block);
        return;
    case PARAGRAPH:
        write_paragraph(page, text, &block->line);
        return;
    case LIST:
        write_list(page, text, block, alternate);
        return;
    case QUOTE:
        write_quote(page, text, block);
        return;
    case RULE:
        put_ascii(page, text, "---");
        return;
    case DISPLAY:
        put_ascii(page, text, "$$\n");
        put_str(page, text, &block->line.items[0]->text);
        put_ascii(page, text, "\n$$");
        return;
    }
    put_by(page, text, write_block, block->value);
}

/* The blocks, what parts them between those that say something; lists side by side get different marks, or they would be
   one. */
static void write_blocks(Page *page, Str *text, const Blocks *blocks, const char *between)
{
    bool alternate = false;
    Py_ssize_t start = text->length;
    descend(page);
    for (Py_ssize_t at = 0; at < blocks->count; at++) {
        const Block *block = blocks->items[at], *before = at ? blocks->items[at - 1] : NULL;
        alternate = block->kind == LIST && before != NULL && before->kind == LIST &&
                    (block->start < 0) == (before->start < 0) && !alternate;
        Py_ssize_t end = text->length;
        if (end > start)
            put_ascii(page, text, between);
        Py_ssize_t first = text->length;
        write_one(page, text, block, alternate);
        if (text->length == first)
            text->length = end;
    }
    page->depth--;
}

#endif
