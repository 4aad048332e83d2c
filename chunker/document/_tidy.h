/* Pieces of a line: white space folded and moved out of styles and links, pieces of one kind joined.

   Data flow: texts  --folded-->  pieces  --push_group-->  styles and links  --rejoin, cut_ends-->  tuple

   tidying.py has the same functions as their reference. */

#ifndef RUIJI_DOCUMENT_TIDY_H
#define RUIJI_DOCUMENT_TIDY_H

#include "_model.h"

static PyObject *styles; /* all that there are, a tuple */

enum { TEXT, STYLED, CODE, LINK, FORMULA, BREAK, NOTE, SHAPES };
static Shape shapes[SHAPES];
static const char *const FIELDS[SHAPES][MOST_FIELDS + 1] = {
    {"text", NULL}, {"style", "inlines", NULL}, {"text", NULL}, {"target", "inlines", "title", NULL},
    {"tex", "display", NULL}, {NULL}, {"label", NULL},
};

/* Pieces in their order; each is owned. */
typedef struct {
    PyObject **items;
    Py_ssize_t count, room;
} Pieces;

static void drop(Pieces *pieces)
{
    while (pieces->count)
        Py_DECREF(pieces->items[--pieces->count]);
    PyMem_Free(pieces->items);
    pieces->items = NULL;
    pieces->room = 0;
}

/* Appends and takes the reference; -1 where it is none or there is no room. */
static int push(Pieces *pieces, PyObject *piece)
{
    if (piece == NULL)
        return -1;
    if (pieces->count == pieces->room) {
        Py_ssize_t room = 2 * pieces->room + 8;
        PyObject **items = PyMem_Realloc(pieces->items, (size_t)room * sizeof(PyObject *));
        if (items == NULL) {
            Py_DECREF(piece);
            PyErr_NoMemory();
            return -1;
        }
        pieces->items = items;
        pieces->room = room;
    }
    pieces->items[pieces->count++] = piece;
    return 0;
}

/* Removes so many pieces from the beginning. */
static void drop_first(Pieces *pieces, Py_ssize_t count)
{
    if (!count)
        return;
    for (Py_ssize_t at = 0; at < count; at++)
        Py_DECREF(pieces->items[at]);
    pieces->count -= count;
    memmove(pieces->items, pieces->items + count, (size_t)pieces->count * sizeof(PyObject *));
}

static void drop_last(Pieces *pieces) { Py_DECREF(pieces->items[--pieces->count]); }

/* A value of the model; its fields are given away. NULL where one of them is. */
static PyObject *make(int shape, PyObject *first, PyObject *second, PyObject *third)
{
    PyObject *fields[MOST_FIELDS] = {first, second, third};
    PyObject *value = NULL;
    bool whole = true;
    for (int at = 0; at < shapes[shape].count; at++)
        whole = whole && fields[at] != NULL;
    if (whole)
        value = shapes[shape].type->tp_alloc(shapes[shape].type, 0);
    for (int at = 0; at < shapes[shape].count; at++) {
        if (value != NULL)
            *(PyObject **)((char *)value + shapes[shape].places[at]) = fields[at];
        else
            Py_XDECREF(fields[at]);
    }
    return value;
}

static PyObject *text_piece(PyObject *text) { return make(TEXT, text, NULL, NULL); }

static bool is_text(PyObject *piece) { return is_of(&shapes[TEXT], piece); }

static PyObject *tuple_of(Pieces *pieces)
{
    PyObject *tuple = PyTuple_New(pieces->count);
    if (tuple == NULL)
        return NULL;
    for (Py_ssize_t at = 0; at < pieces->count; at++)
        PyTuple_SET_ITEM(tuple, at, pieces->items[at]);
    pieces->count = 0;
    return tuple;
}

static bool is_space(Py_UCS4 letter)
{
    return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r' || letter == '\f';
}

static bool is_at_ends(Py_UCS4 letter) { return letter == ' ' || letter == 0xa0 || letter == 0x3000; }

/* Whether a letter is of a script that is written without spaces, see tidying._WIDE. */
static bool is_wide(Py_UCS4 letter)
{
    return letter >= 0x3000 &&
           (letter <= 0x30ff || (letter >= 0x31f0 && letter <= 0x31ff) || (letter >= 0x3400 && letter <= 0x4dbf) ||
            (letter >= 0x4e00 && letter <= 0x9fff) || (letter >= 0xf900 && letter <= 0xfaff) ||
            (letter >= 0xff01 && letter <= 0xff60));
}

/* The first place where white space is to be folded, or the length. */
static Py_ssize_t first_to_fold(int kind, const void *data, Py_ssize_t length)
{
    for (Py_ssize_t at = 0; at < length; at++) {
        Py_UCS4 letter = PyUnicode_READ(kind, data, at);
        if (letter > ' ' || !is_space(letter))
            continue;
        if (letter != ' ' || (at + 1 < length && is_space(PyUnicode_READ(kind, data, at + 1))))
            return at;
    }
    return length;
}

/* The text with one space for each run of white space, and none for a line that ends between two wide letters; a new
   reference, to the text itself where nothing is to be folded. */
static PyObject *folded(PyObject *text)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), at = first_to_fold(kind, data, length), used = at;
    if (at == length)
        return Py_NewRef(text);
    char *to = PyMem_Malloc((size_t)length * (size_t)kind);
    if (to == NULL)
        return PyErr_NoMemory();
    memcpy(to, data, (size_t)at * (size_t)kind);
    while (at < length) {
        Py_UCS4 letter = PyUnicode_READ(kind, data, at);
        if (!is_space(letter)) {
            PyUnicode_WRITE(kind, to, used, letter);
            used++, at++;
            continue;
        }
        Py_ssize_t start = at;
        bool ends_line = false;
        for (; at < length && is_space(letter = PyUnicode_READ(kind, data, at)); at++)
            ends_line = ends_line || letter == '\n';
        if (ends_line && start && at < length && is_wide(PyUnicode_READ(kind, data, start - 1)) && is_wide(letter))
            continue;
        PyUnicode_WRITE(kind, to, used, ' ');
        used++;
    }
    PyObject *result = PyUnicode_FromKindAndData(kind, to, used);
    PyMem_Free(to);
    return result;
}

/* Where a text begins and ends without what says nothing at its ends. */
static void core_of(PyObject *text, Py_ssize_t *first, Py_ssize_t *end)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    *first = 0, *end = PyUnicode_GET_LENGTH(text);
    while (*first < *end && is_at_ends(PyUnicode_READ(kind, data, *first)))
        ++*first;
    while (*end > *first && is_at_ends(PyUnicode_READ(kind, data, *end - 1)))
        --*end;
}

static bool is_blank(PyObject *piece)
{
    if (is_of(&shapes[BREAK], piece))
        return true;
    if (!is_text(piece))
        return false;
    Py_ssize_t first, end;
    core_of(*(PyObject **)((char *)piece + shapes[TEXT].places[0]), &first, &end);
    return first == end;
}

static Py_UCS4 letter_at(PyObject *text, Py_ssize_t at)
{
    return at >= 0 && at < PyUnicode_GET_LENGTH(text) ? PyUnicode_READ_CHAR(text, at) : 0;
}

static PyObject *from(PyObject *text, Py_ssize_t first) { return PyUnicode_Substring(text, first, PY_SSIZE_T_MAX); }

static Py_ssize_t leading_spaces(PyObject *text)
{
    Py_ssize_t at = 0;
    while (letter_at(text, at) == ' ')
        at++;
    return at;
}

/* A text behind the last piece. */
static int append_text(Pieces *pieces, PyObject *piece, PyObject *text)
{
    PyObject *last = pieces->items[pieces->count - 1];
    if (is_text(last)) {
        PyObject *before = text_field(&shapes[TEXT], last, 0);
        if (before == NULL)
            return -1;
        bool again = letter_at(before, PyUnicode_GET_LENGTH(before) - 1) == ' ';
        PyObject *behind = again ? from(text, leading_spaces(text)) : Py_NewRef(text);
        PyObject *whole = behind == NULL ? NULL : text_piece(PyUnicode_Concat(before, behind));
        Py_XDECREF(behind);
        if (whole == NULL)
            return -1;
        pieces->items[pieces->count - 1] = whole;
        Py_DECREF(last);
        return 0;
    }
    if (is_of(&shapes[BREAK], last)) {
        Py_ssize_t first = leading_spaces(text);
        return first == PyUnicode_GET_LENGTH(text) ? 0 : push(pieces, text_piece(from(text, first)));
    }
    if (!PyUnicode_GET_LENGTH(text))
        return 0;
    if (is_of(&shapes[FORMULA], last) && Py_UNICODE_ISDIGIT(letter_at(text, 0)))
        return push(pieces, text_piece(PyUnicode_FromFormat(" %U", text)));
    return push(pieces, Py_NewRef(piece));
}

/* What is no text behind one. */
static int append_behind_text(Pieces *pieces, PyObject *piece)
{
    PyObject *last = pieces->items[pieces->count - 1], *before = text_field(&shapes[TEXT], last, 0), *changed = NULL;
    if (before == NULL)
        return -1;
    Py_ssize_t length = PyUnicode_GET_LENGTH(before), end = length;
    if (is_of(&shapes[BREAK], piece)) {
        while (letter_at(before, end - 1) == ' ')
            end--;
        if (!end)
            drop_last(pieces);
        else if (end < length && (changed = text_piece(PyUnicode_Substring(before, 0, end))) == NULL)
            return -1;
    } else if (is_of(&shapes[FORMULA], piece) && Py_UNICODE_ISDIGIT(letter_at(before, length - 1))) {
        if ((changed = text_piece(PyUnicode_FromFormat("%U ", before))) == NULL)
            return -1;
    }
    if (changed != NULL) {
        pieces->items[pieces->count - 1] = changed;
        Py_DECREF(last);
    }
    return push(pieces, Py_NewRef(piece));
}

static int join(Pieces *pieces, PyObject *const *from_items, Py_ssize_t count);

/* Two pieces of one kind as one; NULL without an exception where they stay apart. */
static PyObject *as_one(PyObject *last, PyObject *piece)
{
    if (is_of(&shapes[CODE], piece) && is_of(&shapes[CODE], last)) {
        PyObject *before = text_field(&shapes[CODE], last, 0), *behind = text_field(&shapes[CODE], piece, 0);
        return before == NULL || behind == NULL ? NULL : make(CODE, PyUnicode_Concat(before, behind), NULL, NULL);
    }
    if (is_of(&shapes[FORMULA], piece) && is_of(&shapes[FORMULA], last)) {
        PyObject *before = text_field(&shapes[FORMULA], last, 0), *behind = text_field(&shapes[FORMULA], piece, 0);
        PyObject *shown = field_of(&shapes[FORMULA], last, 1), *other = field_of(&shapes[FORMULA], piece, 1);
        if (before == NULL || behind == NULL || shown == NULL || other == NULL)
            return NULL;
        return make(FORMULA, PyUnicode_FromFormat("%U %U", before, behind), Py_NewRef(shown == Py_True ? other : shown),
                    NULL);
    }
    if (is_of(&shapes[STYLED], piece) && is_of(&shapes[STYLED], last)) {
        PyObject *style = text_field(&shapes[STYLED], last, 0), *other = text_field(&shapes[STYLED], piece, 0);
        PyObject *before = tuple_field(&shapes[STYLED], last, 1), *behind = tuple_field(&shapes[STYLED], piece, 1);
        if (style == NULL || other == NULL || before == NULL || behind == NULL || PyUnicode_Compare(style, other))
            return NULL;
        Pieces inside = {NULL, 0, 0};
        PyObject *tuple = NULL;
        if (!join(&inside, ((PyTupleObject *)before)->ob_item, PyTuple_GET_SIZE(before)) &&
            !join(&inside, ((PyTupleObject *)behind)->ob_item, PyTuple_GET_SIZE(behind)))
            tuple = tuple_of(&inside);
        drop(&inside);
        return make(STYLED, Py_NewRef(style), tuple, NULL);
    }
    return NULL;
}

/* Appends pieces, those of one kind side by side as one, with single spaces and none beside a line break. */
static int join(Pieces *pieces, PyObject *const *from_items, Py_ssize_t count)
{
    for (Py_ssize_t at = 0; at < count; at++) {
        PyObject *piece = from_items[at], *text = NULL, *one;
        if (is_text(piece) && (text = text_field(&shapes[TEXT], piece, 0)) == NULL)
            return -1;
        int failed;
        if (!pieces->count) {
            failed = text == NULL || PyUnicode_GET_LENGTH(text) ? push(pieces, Py_NewRef(piece)) : 0;
        } else if (text != NULL) {
            failed = append_text(pieces, piece, text);
        } else if (is_text(pieces->items[pieces->count - 1])) {
            failed = append_behind_text(pieces, piece);
        } else if ((one = as_one(pieces->items[pieces->count - 1], piece)) != NULL) {
            drop_last(pieces);
            failed = push(pieces, one);
        } else {
            failed = PyErr_Occurred() ? -1 : push(pieces, Py_NewRef(piece));
        }
        if (failed)
            return -1;
    }
    return 0;
}

/* The pieces joined, in the place of what they were. */
static int rejoin(Pieces *pieces)
{
    Pieces whole = {NULL, 0, 0};
    int failed = join(&whole, pieces->items, pieces->count);
    drop(pieces);
    *pieces = whole;
    return failed;
}

/* A part of a text as a piece behind the others; nothing where it is empty. */
static int push_part(Pieces *pieces, PyObject *text, Py_ssize_t first, Py_ssize_t end)
{
    return first == end ? 0 : push(pieces, text_piece(PyUnicode_Substring(text, first, end)));
}

/* Cuts the texts at the ends of pieces that do not begin or end with a blank; what is cut off goes to `before` and `behind`
   where these are. */
static int cut_ends(Pieces *pieces, Pieces *before, Pieces *behind)
{
    for (int side = 0; pieces->count && side < 2; side++) {
        PyObject **place = &pieces->items[side ? pieces->count - 1 : 0], *text, *old = *place;
        if (!is_text(old))
            continue;
        if ((text = text_field(&shapes[TEXT], old, 0)) == NULL)
            return -1;
        Py_ssize_t first, end, length = PyUnicode_GET_LENGTH(text);
        core_of(text, &first, &end);
        if (side ? end == length : !first)
            continue;
        PyObject *core = text_piece(PyUnicode_Substring(text, side ? 0 : first, side ? end : length));
        if (core == NULL)
            return -1;
        *place = core;
        Pieces *outside = side ? behind : before;
        int failed = outside == NULL ? 0 : push_part(outside, text, side ? end : 0, side ? length : first);
        Py_DECREF(old);
        if (failed)
            return -1;
    }
    return 0;
}

/* Appends a style or a link around pieces, which are taken: with the white space at their ends before and behind it. */
static int push_group(Pieces *pieces, PyObject *style, PyObject *target, PyObject *title, Pieces *inside)
{
    Pieces behind = {NULL, 0, 0};
    int failed = rejoin(inside);
    Py_ssize_t used = 0; /* one line break where there are several: a group is within one paragraph */
    for (Py_ssize_t at = 0; !failed && at < inside->count; at++) {
        PyObject *piece = inside->items[at];
        if (used && is_of(&shapes[BREAK], piece) && is_of(&shapes[BREAK], inside->items[used - 1]))
            Py_DECREF(piece);
        else
            inside->items[used++] = piece;
    }
    inside->count = failed ? inside->count : used;
    Py_ssize_t first = 0, end = inside->count;
    while (!failed && first < end && is_blank(inside->items[first]))
        failed = push(pieces, Py_NewRef(inside->items[first++]));
    while (end > first && is_blank(inside->items[end - 1]))
        end--;
    Pieces last = {NULL, 0, 0};
    for (Py_ssize_t at = end; !failed && at < inside->count; at++)
        failed = push(&last, Py_NewRef(inside->items[at]));
    while (!failed && inside->count > end)
        drop_last(inside);
    if (!failed)
        drop_first(inside, first);
    failed = failed || cut_ends(inside, pieces, &behind);
    if (!failed && inside->count) {
        PyObject *tuple = tuple_of(inside);
        failed = push(pieces, style != NULL ? make(STYLED, Py_NewRef(style), tuple, NULL)
                                            : make(LINK, Py_NewRef(target), tuple, Py_NewRef(title)));
    }
    for (Py_ssize_t at = 0; !failed && at < behind.count; at++)
        failed = push(pieces, Py_NewRef(behind.items[at]));
    for (Py_ssize_t at = 0; !failed && at < last.count; at++)
        failed = push(pieces, Py_NewRef(last.items[at]));
    drop(&behind);
    drop(&last);
    return failed ? -1 : 0;
}

/* The bit of a style among those that are around; 0 with an exception where it is none. */
static unsigned style_bit(PyObject *style)
{
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(styles); at++) {
        PyObject *known = PyTuple_GET_ITEM(styles, at);
        if (known == style || (PyUnicode_Check(style) && !PyUnicode_Compare(known, style)))
            return 1u << at;
    }
    PyErr_SetString(PyExc_ValueError, "a style that no document has");
    return 0;
}

/* Appends pieces as the model has them, white space moved; `around` are the styles around. */
static int hoist(Pieces *pieces, PyObject *const *items, Py_ssize_t count, unsigned around)
{
    if (Py_EnterRecursiveCall(" in a line of a page"))
        return -1;
    int failed = 0;
    for (Py_ssize_t at = 0; !failed && at < count; at++) {
        PyObject *piece = items[at];
        bool styled = is_of(&shapes[STYLED], piece), link = is_of(&shapes[LINK], piece);
        if (is_text(piece)) {
            PyObject *text = text_field(&shapes[TEXT], piece, 0), *fold = text == NULL ? NULL : folded(text);
            failed = fold == NULL ? -1 : push(pieces, fold == text ? Py_NewRef(piece) : text_piece(Py_NewRef(fold)));
            Py_XDECREF(fold);
        } else if (styled || link) {
            const Shape *shape = &shapes[styled ? STYLED : LINK];
            PyObject *name = text_field(shape, piece, 0), *inner = tuple_field(shape, piece, 1);
            PyObject *title = link ? text_field(shape, piece, 2) : NULL;
            unsigned bit = styled && name != NULL ? style_bit(name) : 0;
            if (name == NULL || inner == NULL || (link ? title == NULL : !bit)) {
                failed = -1;
            } else if (bit & around) {
                failed = hoist(pieces, ((PyTupleObject *)inner)->ob_item, PyTuple_GET_SIZE(inner), around);
            } else {
                Pieces inside = {NULL, 0, 0};
                failed = hoist(&inside, ((PyTupleObject *)inner)->ob_item, PyTuple_GET_SIZE(inner), around | bit) ||
                         push_group(pieces, styled ? name : NULL, name, title, &inside);
                drop(&inside);
            }
        } else {
            failed = push(pieces, Py_NewRef(piece));
        }
    }
    Py_LeaveRecursiveCall();
    return failed ? -1 : 0;
}

/* The tidy pieces as a tuple: joined, nothing blank at the ends; the pieces are taken. */
static PyObject *tidied(Pieces *pieces)
{
    if (rejoin(pieces))
        return NULL;
    Py_ssize_t first = 0;
    while (first < pieces->count && is_blank(pieces->items[first]))
        first++;
    drop_first(pieces, first);
    while (pieces->count && is_blank(pieces->items[pieces->count - 1]))
        drop_last(pieces);
    return cut_ends(pieces, NULL, NULL) ? NULL : tuple_of(pieces);
}

#endif
