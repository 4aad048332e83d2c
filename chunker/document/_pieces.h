/* Pieces of a line: white space folded and moved out of styles and links, pieces of one kind joined.

   Data flow: letters  --text_piece-->  pieces  --push_group-->  styles and links  --tidy_hoisted-->  pieces that stand apart

   tidying.py has the same functions as their reference. */

#ifndef RUIJI_DOCUMENT_PIECES_H
#define RUIJI_DOCUMENT_PIECES_H

#include "_page.h"

static Piece *new_piece(Page *page, int kind)
{
    Piece *piece = take_room(page, sizeof *piece);
    memset(piece, 0, sizeof *piece);
    piece->kind = (unsigned char)kind;
    return piece;
}

static void push(Page *page, Pieces *pieces, Piece *piece)
{
    if (pieces->count == pieces->room) {
        Py_ssize_t room = 2 * pieces->room + 4;
        Piece **items = take_room(page, (size_t)room * sizeof *items);
        if (pieces->count)
            memcpy(items, pieces->items, (size_t)pieces->count * sizeof *items);
        pieces->items = items;
        pieces->room = room;
    }
    pieces->items[pieces->count++] = piece;
}

static Piece *text_piece(Page *page, Str text)
{
    Piece *piece = new_piece(page, TEXT);
    piece->text = text;
    return piece;
}

/* Where letters begin and end without what says nothing at their ends. */
static void core_of(const Str *str, Py_ssize_t *first, Py_ssize_t *end)
{
    *first = 0, *end = str->length;
    while (*first < *end && is_at_ends(str->letters[*first]))
        ++*first;
    while (*end > *first && is_at_ends(str->letters[*end - 1]))
        --*end;
}

static bool is_blank(const Piece *piece)
{
    Py_ssize_t first = 0, end = 1;
    if (piece->kind == TEXT)
        core_of(&piece->text, &first, &end);
    return piece->kind == BREAK || first == end;
}

/* A text behind the last piece. */
static void append_text(Page *page, Pieces *pieces, Piece *piece)
{
    Piece *last = pieces->items[pieces->count - 1];
    Str text = piece->text;
    Py_ssize_t spaces = 0;
    while (letter_at(&text, spaces) == ' ')
        spaces++;
    if (last->kind == TEXT) {
        Py_ssize_t first = letter_at(&last->text, last->text.length - 1) == ' ' ? spaces : 0;
        append_letters(page, &last->text, text.letters + first, text.length - first);
        return;
    }
    if (last->kind == BREAK) {
        if (spaces < text.length)
            push(page, pieces, text_piece(page, part_of(&text, spaces, text.length)));
        return;
    }
    if (!text.length)
        return;
    if (last->kind == FORMULA && Py_UNICODE_ISDIGIT(text.letters[0])) {
        Str spaced = new_str(page, 1);
        spaced.letters[0] = ' ';
        append_letters(page, &spaced, text.letters, text.length);
        piece->text = spaced;
    }
    push(page, pieces, piece);
}

/* What is no text behind one. */
static void append_behind_text(Page *page, Pieces *pieces, Piece *piece)
{
    Str *before = &pieces->items[pieces->count - 1]->text;
    if (piece->kind == BREAK) {
        Py_ssize_t end = before->length;
        while (end && before->letters[end - 1] == ' ')
            end--;
        if (!end && before->length)
            pieces->count--;
        else
            before->length = end;
    } else if (piece->kind == FORMULA && Py_UNICODE_ISDIGIT(letter_at(before, before->length - 1))) {
        append_letters(page, before, &(Py_UCS4){' '}, 1);
    }
    push(page, pieces, piece);
}

static void join(Page *page, Pieces *pieces, Piece *const *items, Py_ssize_t count);

/* Whether a piece is now part of the last one, which is of its kind. */
static bool is_joined(Page *page, Piece *last, Piece *piece)
{
    if (last->kind != piece->kind || (piece->kind == STYLED && last->style != piece->style))
        return false;
    switch (piece->kind) {
    case FORMULA:
        append_letters(page, &last->text, &(Py_UCS4){' '}, 1);
        last->shown = last->shown && piece->shown;
        /* fall through */
    case CODE:
        append_letters(page, &last->text, piece->text.letters, piece->text.length);
        return true;
    case STYLED:
        join(page, &last->inside, piece->inside.items, piece->inside.count);
        return true;
    }
    return false;
}

/* Appends pieces, those of one kind side by side as one, with single spaces and none beside a line break. */
static void join(Page *page, Pieces *pieces, Piece *const *items, Py_ssize_t count)
{
    for (Py_ssize_t at = 0; at < count; at++) {
        Piece *piece = items[at];
        if (!pieces->count) {
            if (piece->kind != TEXT || piece->text.length)
                push(page, pieces, piece);
        } else if (piece->kind == TEXT) {
            append_text(page, pieces, piece);
        } else if (pieces->items[pieces->count - 1]->kind == TEXT) {
            append_behind_text(page, pieces, piece);
        } else if (!is_joined(page, pieces->items[pieces->count - 1], piece)) {
            push(page, pieces, piece);
        }
    }
}

/* The pieces joined, in the place of what they were. */
static void rejoin(Page *page, Pieces *pieces)
{
    if (pieces->count == 1 && (pieces->items[0]->kind != TEXT || pieces->items[0]->text.length))
        return;
    Pieces whole = {NULL, 0, 0};
    join(page, &whole, pieces->items, pieces->count);
    *pieces = whole;
}

/* Cuts the texts at the ends of pieces that do not begin or end with a blank; what is cut off goes to `before` and `behind`
   where these are. */
static void cut_ends(Page *page, Pieces *pieces, Pieces *before, Pieces *behind)
{
    for (int side = 0; pieces->count && side < 2; side++) {
        Piece *piece = pieces->items[side ? pieces->count - 1 : 0];
        if (piece->kind != TEXT)
            continue;
        Py_ssize_t first, end, length = piece->text.length;
        core_of(&piece->text, &first, &end);
        if (side ? end == length : !first)
            continue;
        Pieces *outside = side ? behind : before;
        Str cut = side ? part_of(&piece->text, end, length) : part_of(&piece->text, 0, first);
        Str core = side ? part_of(&piece->text, 0, end) : part_of(&piece->text, first, length);
        cut.room = cut.length, core.room = core.length; /* each ends where the other begins */
        piece->text = core;
        if (outside != NULL)
            push(page, outside, text_piece(page, cut));
    }
}

/* Appends a style or a link around pieces, with the white space at their ends before and behind it. */
static void push_group(Page *page, Pieces *pieces, Piece *group, Pieces *inside)
{
    rejoin(page, inside);
    Py_ssize_t used = 0, first = 0; /* one line break where there are several: a group is within one paragraph */
    for (Py_ssize_t at = 0; at < inside->count; at++) {
        Piece *piece = inside->items[at];
        if (!(used && piece->kind == BREAK && inside->items[used - 1]->kind == BREAK))
            inside->items[used++] = piece;
    }
    while (first < used && is_blank(inside->items[first]))
        push(page, pieces, inside->items[first++]);
    Py_ssize_t end = used;
    while (end > first && is_blank(inside->items[end - 1]))
        end--;
    Pieces core = {inside->items + first, end - first, end - first}, behind = {NULL, 0, 0};
    cut_ends(page, &core, pieces, &behind);
    if (core.count) {
        group->inside = core;
        push(page, pieces, group);
    }
    for (Py_ssize_t at = 0; at < behind.count; at++)
        push(page, pieces, behind.items[at]);
    for (Py_ssize_t at = end; at < used; at++)
        push(page, pieces, inside->items[at]);
}

/* Appends pieces that may have any white space, which is moved; `around` are the styles around, as bits. */
static void hoist(Page *page, Pieces *pieces, Piece *const *items, Py_ssize_t count, unsigned around)
{
    for (Py_ssize_t at = 0; at < count; at++) {
        Piece *piece = items[at];
        if (piece->kind == TEXT)
            fold(&piece->text);
        if (piece->kind != STYLED && piece->kind != LINK) {
            push(page, pieces, piece);
            continue;
        }
        unsigned bit = piece->kind == STYLED ? 1u << piece->style : 0;
        Pieces inside = {NULL, 0, 0};
        if (bit & around) {
            hoist(page, pieces, piece->inside.items, piece->inside.count, around);
        } else {
            hoist(page, &inside, piece->inside.items, piece->inside.count, around | bit);
            push_group(page, pieces, piece, &inside);
        }
    }
}

/* The hoisted pieces as they are read: joined, nothing blank at the ends. */
static void tidy_hoisted(Page *page, Pieces *pieces)
{
    rejoin(page, pieces);
    Py_ssize_t first = 0;
    while (first < pieces->count && is_blank(pieces->items[first]))
        first++;
    pieces->items += first, pieces->count -= first, pieces->room -= first;
    while (pieces->count && is_blank(pieces->items[pieces->count - 1]))
        pieces->count--;
    cut_ends(page, pieces, NULL, NULL);
}

/* Pieces as they are read, whatever they were. */
static Pieces tidied(Page *page, const Pieces *pieces)
{
    Pieces flat = {NULL, 0, 0};
    hoist(page, &flat, pieces->items, pieces->count, 0);
    tidy_hoisted(page, &flat);
    return flat;
}

#endif
