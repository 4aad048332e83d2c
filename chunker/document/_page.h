/* One reading of a page: what is settled for it, the letters and pieces it makes, and how it fails.

   Data flow: bytes, texts of Python  --decoded, str_of-->  letters  --fold-->  letters as they are read

   Pieces live in the arena of a reading and belong to one line: they are changed where they stand. Where memory or Python
   fails, `fail` leaves for the end of the reading. */

#ifndef RUIJI_DOCUMENT_PAGE_H
#define RUIJI_DOCUMENT_PAGE_H

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

#endif
