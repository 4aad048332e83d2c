/* Pieces of a line: white space folded and moved out of styles and links, pieces of one kind joined.

   Data flow: letters  --text_piece-->  pieces  --push_group-->  styles and links  --tidy-->  pieces that stand apart

   tidying.py has the same functions as their reference. Pieces live in the arena of a reading and belong to one line: they
   are changed where they stand. Where memory or Python fails, `fail` leaves for the end of the reading. */

#ifndef RUIJI_DOCUMENT_PIECES_H
#define RUIJI_DOCUMENT_PIECES_H

#include "_node.h"
#include <setjmp.h>

enum { DEEPEST = 1000 }; /* levels of styles, lists and quotations; MAX_DEPTH of tree.py is far below */
enum { TEXT, STYLED, CODE, LINK, IMAGE, FORMULA, BREAK, NOTE, PIECES };

/* Letters; with room behind them where they are the last in it. */
typedef struct {
    Py_UCS4 *letters;
    Py_ssize_t length, room;
} Str;

typedef struct Piece Piece;
typedef struct {
    Piece **items;
    Py_ssize_t count, room;
} Pieces;

/* What a piece says; `text` of an image are its alternative words, of a note its label. */
struct Piece {
    unsigned char kind, style; /* the place of its style among all */
    bool shown;                /* of a formula: on a line of its own */
    Str text, target, title;
    Pieces inside;
};

/* One reading of a page: what is settled for it, and all that is made on the way. */
typedef struct {
    jmp_buf end;
    Arena arena;
    PyObject *held; /* a list of the objects that were made */
    Tree *tree;     /* of the part that is read */
    PyObject *above;
    const Part *start;
    PyObject *reading, *references, *left_out;
    Str origin;
    bool links, images, with_formulas, ruby;
    int depth; /* of what is read just now */
} Page;

/* Leaves for the end of the reading, with an exception. */
static _Noreturn void fail(Page *page) { longjmp(page->end, 1); }

static _Noreturn void fail_with(Page *page, PyObject *type, const char *message)
{
    PyErr_SetString(type, message);
    fail(page);
}

/* One level further inside; fails where no page is so deep. */
static void descend(Page *page)
{
    if (++page->depth > DEEPEST)
        fail_with(page, PyExc_RecursionError, "a document is too deep");
}

static void *take_room(Page *page, size_t size)
{
    void *bytes = take_bytes(&page->arena, size);
    if (bytes == NULL)
        fail(page);
    return bytes;
}

/* An object that was made, kept until the end of the reading; fails where it is none. */
static PyObject *hold(Page *page, PyObject *object)
{
    int failed = object == NULL || PyList_Append(page->held, object);
    Py_XDECREF(object);
    if (failed)
        fail(page);
    return object;
}

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

static Str new_str(Page *page, Py_ssize_t length)
{
    Str str = {take_room(page, (size_t)(length ? length : 1) * sizeof(Py_UCS4)), length, length};
    return str;
}

static Str str_of(Page *page, PyObject *text)
{
    if (!PyUnicode_Check(text))
        fail_with(page, PyExc_TypeError, "this field of a document is a text");
    Str str = new_str(page, PyUnicode_GET_LENGTH(text));
    if (str.length && PyUnicode_AsUCS4(text, str.letters, str.length, 0) == NULL)
        fail(page);
    return str;
}

/* Letters of UTF-8. */
static Str decoded(Page *page, const char *bytes, Py_ssize_t length)
{
    Str str = new_str(page, length);
    for (Py_ssize_t at = 0; at < length; at++) {
        if ((unsigned char)bytes[at] >= 0x80)
            return str_of(page, hold(page, PyUnicode_DecodeUTF8(bytes, length, "replace")));
        str.letters[at] = (unsigned char)bytes[at];
    }
    return str;
}

static PyObject *unicode_of(const Str *str)
{
    return str->length ? PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, str->letters, str->length) : PyUnicode_New(0, 0);
}

static Py_UCS4 letter_at(const Str *str, Py_ssize_t at) { return at >= 0 && at < str->length ? str->letters[at] : 0; }

/* A part of letters, which are not copied. */
static Str part_of(const Str *str, Py_ssize_t first, Py_ssize_t end)
{
    Str part = {str->letters + first, end - first, end == str->length ? str->room - first : end - first};
    return part;
}

/* Letters behind others; in their place where there is room. */
static void append_letters(Page *page, Str *str, const Py_UCS4 *letters, Py_ssize_t length)
{
    if (!length)
        return;
    if (str->room - str->length < length) {
        Py_ssize_t room = 2 * (str->length + length) + 16;
        Py_UCS4 *copy = take_room(page, (size_t)room * sizeof *copy);
        memcpy(copy, str->letters, (size_t)str->length * sizeof *copy);
        str->letters = copy;
        str->room = room;
    }
    memmove(str->letters + str->length, letters, (size_t)length * sizeof *letters);
    str->length += length;
}

static bool is_space(Py_UCS4 letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r' && letter != '\v'); }

static bool is_at_ends(Py_UCS4 letter) { return letter == ' ' || letter == 0xa0 || letter == 0x3000; }

/* Whether a letter is of a script that is written without spaces, see tidying._WIDE. */
static bool is_wide(Py_UCS4 letter)
{
    return letter >= 0x3000 &&
           (letter <= 0x30ff || (letter >= 0x31f0 && letter <= 0x31ff) || (letter >= 0x3400 && letter <= 0x4dbf) ||
            (letter >= 0x4e00 && letter <= 0x9fff) || (letter >= 0xf900 && letter <= 0xfaff) ||
            (letter >= 0xff01 && letter <= 0xff60));
}

/* The letters with one space for each run of white space, and none for a line that ends between two wide letters. */
static void fold(Str *str)
{
    Py_UCS4 *letters = str->letters;
    Py_ssize_t at = 0, used = 0, length = str->length;
    while (at < length) {
        Py_UCS4 letter = letters[at];
        if (letter > ' ' || !is_space(letter)) {
            letters[used++] = letter;
            at++;
            continue;
        }
        Py_UCS4 before = at ? letters[used - 1] : 0;
        bool ends_line = false, is_first = !at;
        for (; at < length && is_space(letters[at]); at++)
            ends_line = ends_line || letters[at] == '\n';
        if (ends_line && !is_first && used && at < length && is_wide(before) && is_wide(letters[at]))
            continue;
        letters[used++] = ' ';
    }
    str->length = used;
}

/* The words of letters with single spaces, as Python splits them. */
static void fold_words(Str *str)
{
    Py_ssize_t used = 0;
    for (Py_ssize_t at = 0; at < str->length; at++) {
        if (!Py_UNICODE_ISSPACE(str->letters[at]))
            str->letters[used++] = str->letters[at];
        else if (used && str->letters[used - 1] != ' ')
            str->letters[used++] = ' ';
    }
    str->length = used && str->letters[used - 1] == ' ' ? used - 1 : used;
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
