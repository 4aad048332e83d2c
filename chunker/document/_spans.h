/* Lines of Markdown: inline pieces as text, what a parser would take for markup escaped.

   Data flow: pieces  --write_pieces-->  letters of a line

   writing/lines.py has the same functions as their reference, under the same names where they are the same. */

#ifndef RUIJI_DOCUMENT_SPANS_H
#define RUIJI_DOCUMENT_SPANS_H

#include "_blocks.h"

enum { DOLLAR = 1, BRACKET = 2 }; /* further letters to escape in texts */
static const Py_UCS4 NO_LETTER = 0x110000; /* beside the first and the last letter of a line */

static PyObject *category;
static PyObject *delimiters, *tags; /* of each style: a tuple of texts, a text */

static void put(Page *page, Str *line, Py_UCS4 letter)
{
    if (line->length == line->room)
        append_letters(page, line, &letter, 1);
    else
        line->letters[line->length++] = letter;
}

static void put_ascii(Page *page, Str *line, const char *text)
{
    for (; *text; text++)
        put(page, line, (unsigned char)*text);
}

static void put_str(Page *page, Str *line, const Str *text) { append_letters(page, line, text->letters, text->length); }

/* Puts letters, of which there are some, at a place of the line. */
static void insert(Page *page, Str *line, Py_ssize_t place, const Py_UCS4 *added, Py_ssize_t count)
{
    Py_ssize_t behind = line->length - place;
    append_letters(page, line, added, count);
    memmove(line->letters + place + count, line->letters + place, (size_t)behind * sizeof(Py_UCS4));
    memcpy(line->letters + place, added, (size_t)count * sizeof(Py_UCS4));
}

static void insert_escape(Page *page, Str *line, Py_ssize_t place) { insert(page, line, place, &(Py_UCS4){'\\'}, 1); }

static bool is_word(Py_UCS4 letter) { return letter == '_' || Py_UNICODE_ISALNUM(letter); }

/* Whether "&" at a place begins what may be an entity. */
static bool is_entity(const Str *text, Py_ssize_t at)
{
    at += 1 + (letter_at(text, at + 1) == '#');
    Py_ssize_t first = at;
    while (at < text->length && is_word(text->letters[at]))
        at++;
    return at > first && letter_at(text, at) == ';';
}

/* Whether a letter of a text is to be escaped where it stands, see lines._ALWAYS. */
static bool is_markup(const Str *text, Py_ssize_t at)
{
    Py_UCS4 letter = text->letters[at];
    Py_UCS4 before = at ? text->letters[at - 1] : NO_LETTER;
    Py_UCS4 behind = at + 1 < text->length ? text->letters[at + 1] : NO_LETTER;
    switch (letter) {
    case '\\':
    case '`':
    case '*':
    case '[':
        return true;
    case '_':
        return before == NO_LETTER || !Py_UNICODE_ISALNUM(before) || behind == NO_LETTER || !Py_UNICODE_ISALNUM(behind);
    case '~':
        return before == '~' || behind == '~';
    case '<':
        return behind == '/' || behind == '!' || behind == '?' || (behind >= 'A' && behind <= 'Z') ||
               (behind >= 'a' && behind <= 'z');
    case '&':
        return is_entity(text, at);
    }
    return false;
}

static void put_escaped(Page *page, Str *line, const Str *text, unsigned more)
{
    for (Py_ssize_t at = 0; at < text->length; at++) {
        Py_UCS4 letter = text->letters[at];
        if (letter < 0x7f && !(letter >= 'a' && letter <= 'z') &&
            (is_markup(text, at) || (letter == '$' && more & DOLLAR) || (letter == ']' && more & BRACKET)))
            put(page, line, '\\');
        put(page, line, letter);
    }
}

/* Puts code in a line between one back quote more than it has side by side. */
static void put_code(Page *page, Str *line, const Str *code)
{
    Py_ssize_t longest = 0, run = 0;
    for (Py_ssize_t at = 0; at < code->length; at++) {
        run = code->letters[at] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    Py_UCS4 first = letter_at(code, 0), last = letter_at(code, code->length - 1);
    bool spaced = first == '`' || first == ' ' || last == '`' || last == ' ';
    for (Py_ssize_t at = 0; at <= longest; at++)
        put(page, line, '`');
    if (spaced)
        put(page, line, ' ');
    put_str(page, line, code);
    if (spaced)
        put(page, line, ' ');
    for (Py_ssize_t at = 0; at <= longest; at++)
        put(page, line, '`');
}

/* Puts what a function of Python writes of something. */
static void put_by(Page *page, Str *line, PyObject *function, PyObject *what)
{
    Str written = str_of(page, call(page, function, what, NULL, NULL));
    put_str(page, line, &written);
}

/* Puts the target of a link, see lines._address: spaces as a browser would send them, brackets escaped. */
static void put_address(Page *page, Str *line, const Str *address)
{
    static const char digits[] = "0123456789ABCDEF";
    for (Py_ssize_t at = 0; at < address->length; at++) {
        Py_UCS4 letter = address->letters[at];
        if (letter < 0x20 || letter == '<' || letter == '>' || letter == '\\' || Py_UNICODE_ISSPACE(letter)) {
            PyObject *text = hold(page, PyUnicode_FromOrdinal((int)letter));
            PyObject *bytes = hold(page, PyUnicode_AsUTF8String(text));
            for (Py_ssize_t place = 0; place < PyBytes_GET_SIZE(bytes); place++) {
                unsigned char byte = (unsigned char)PyBytes_AS_STRING(bytes)[place];
                put(page, line, '%');
                put(page, line, (unsigned char)digits[byte >> 4]);
                put(page, line, (unsigned char)digits[byte & 15]);
            }
            continue;
        }
        if (letter == '(' || letter == ')')
            put(page, line, '\\');
        put(page, line, letter);
        if (letter == '&' && is_entity(address, at))
            put_ascii(page, line, "amp;");
    }
}

/* The end of a link or an image: "](address "title")". */
static void put_target(Page *page, Str *line, const Piece *piece)
{
    put_ascii(page, line, "](");
    put_address(page, line, &piece->target);
    for (Py_ssize_t at = 0; at < piece->title.length; at++) {
        Py_UCS4 letter = piece->title.letters[at];
        if (!at)
            put_ascii(page, line, " \"");
        if (letter == '\\' || letter == '"')
            put(page, line, '\\');
        put(page, line, letter);
        if (letter == '&' && is_entity(&piece->title, at))
            put_ascii(page, line, "amp;");
    }
    put_ascii(page, line, piece->title.length ? "\")" : ")");
}

/* Whether a letter is punctuation or a symbol. */
static bool is_punctuation(Page *page, Py_UCS4 letter)
{
    if (letter < 0x80)
        return (letter > ' ' && letter < '0') || (letter > '9' && letter < 'A') || (letter > 'Z' && letter < 'a') ||
               (letter > 'z' && letter < 0x7f);
    PyObject *name = call(page, category, hold(page, PyUnicode_FromOrdinal((int)letter)), NULL, NULL);
    Py_UCS4 first = PyUnicode_Check(name) && PyUnicode_GET_LENGTH(name) ? PyUnicode_READ_CHAR(name, 0) : 0;
    return first == 'P' || first == 'S';
}

/* Whether a delimiter between these letters is one on this side (CommonMark 0.31, 6.2). */
static bool opens(Page *page, Py_UCS4 outside, Py_UCS4 inside)
{
    if (Py_UNICODE_ISSPACE(inside))
        return false;
    return !is_punctuation(page, inside) || outside == NO_LETTER || Py_UNICODE_ISSPACE(outside) || is_punctuation(page, outside);
}

static bool is_alnum(Py_UCS4 letter) { return letter != NO_LETTER && Py_UNICODE_ISALNUM(letter); }

/* Whether a delimiter can stand around the letters from a place to the end of the line. */
static bool fits(Page *page, const Str *line, Py_ssize_t place, Py_UCS4 sign, Py_UCS4 before, Py_UCS4 behind)
{
    Py_UCS4 first = line->letters[place], last = line->letters[line->length - 1];
    if (sign == before || sign == behind || sign == first || sign == last)
        return false;
    for (Py_ssize_t at = place; (sign == '~' || sign == '_') && at < line->length; at++)
        if (line->letters[at] == sign)
            return false;
    if (sign == '_' && (is_alnum(before) || is_alnum(behind)))
        return false;
    return opens(page, before, first) && opens(page, behind, last);
}

static void write_pieces(Page *page, Str *line, const Pieces *pieces, unsigned more);

/* A piece that stands out: between stars or lines where a parser would read them so, else between tags. */
static void write_styled(Page *page, Str *line, const Piece *piece, Py_UCS4 before, Py_UCS4 behind, unsigned more)
{
    Py_ssize_t place = line->length;
    write_pieces(page, line, &piece->inside, more);
    PyObject *known = PyTuple_GET_ITEM(delimiters, piece->style);
    for (Py_ssize_t at = 0; line->length > place && at < PyTuple_GET_SIZE(known); at++) {
        Str delimiter = str_of(page, PyTuple_GET_ITEM(known, at));
        if (!fits(page, line, place, letter_at(&delimiter, 0), before, behind))
            continue;
        insert(page, line, place, delimiter.letters, delimiter.length);
        put_str(page, line, &delimiter);
        return;
    }
    Str tag = str_of(page, PyTuple_GET_ITEM(tags, piece->style));
    insert(page, line, place, &(Py_UCS4){'<'}, 1);
    insert(page, line, place + 1, tag.letters, tag.length);
    insert(page, line, place + 1 + tag.length, &(Py_UCS4){'>'}, 1);
    put_ascii(page, line, "</");
    put_str(page, line, &tag);
    put(page, line, '>');
}

/* The letter that a piece begins with, as it is written. */
static Py_UCS4 first_letter(const Piece *piece)
{
    static const char signs[PIECES] = {0, '*', '`', '[', '!', '$', '\n', '['};
    if (piece->kind == TEXT)
        return piece->text.length ? piece->text.letters[0] : NO_LETTER;
    return (unsigned char)signs[piece->kind];
}

static void write_piece(Page *page, Str *line, const Piece *piece, Py_UCS4 before, Py_UCS4 behind, unsigned more)
{
    Py_ssize_t place;
    switch (piece->kind) {
    case TEXT:
        put_escaped(page, line, &piece->text, more);
        return;
    case STYLED:
        write_styled(page, line, piece, before, behind, more);
        return;
    case CODE:
        put_code(page, line, &piece->text);
        return;
    case FORMULA:
        put(page, line, '$');
        put_str(page, line, &piece->text);
        put(page, line, '$');
        return;
    case BREAK:
        put_ascii(page, line, "  \n");
        return;
    }
    if (before == '!' || before == '^')
        insert_escape(page, line, line->length - 1); /* or it would be an image, or a note in the line */
    put_ascii(page, line, piece->kind == LINK ? "[" : piece->kind == IMAGE ? "![" : "[^");
    place = line->length;
    if (piece->kind == LINK)
        write_pieces(page, line, &piece->inside, more | BRACKET);
    else if (piece->kind == IMAGE)
        put_escaped(page, line, &piece->text, more | BRACKET);
    else
        put_str(page, line, &piece->text);
    if (piece->kind == LINK && letter_at(line, place) == '^')
        insert_escape(page, line, place); /* "[^" would begin a footnote */
    if (piece->kind == NOTE)
        put(page, line, ']');
    else
        put_target(page, line, piece);
}

static void write_pieces(Page *page, Str *line, const Pieces *pieces, unsigned more)
{
    descend(page);
    Py_ssize_t start = line->length; /* what stands before is not theirs */
    for (Py_ssize_t at = 0; at < pieces->count; at++) {
        Py_UCS4 before = line->length > start ? line->letters[line->length - 1] : NO_LETTER;
        Py_UCS4 behind = at + 1 < pieces->count ? first_letter(pieces->items[at + 1]) : NO_LETTER;
        write_piece(page, line, pieces->items[at], before, behind, more);
    }
    page->depth--;
}

static Py_ssize_t dollars_in_letters(const Str *str, Py_ssize_t first)
{
    Py_ssize_t count = 0;
    for (Py_ssize_t at = first; at < str->length; at++)
        count += str->letters[at] == '$';
    return count;
}

/* How many dollars of a line could be taken for the ends of formulas. */
static Py_ssize_t dollars_in(const Pieces *pieces)
{
    Py_ssize_t count = 0;
    for (Py_ssize_t at = 0; at < pieces->count; at++) {
        const Piece *piece = pieces->items[at];
        if (piece->kind == FORMULA)
            count += 2;
        else if (piece->kind != NOTE)
            count += dollars_in_letters(&piece->text, 0) + dollars_in_letters(&piece->target, 0) +
                     dollars_in_letters(&piece->title, 0) + dollars_in(&piece->inside);
    }
    return count;
}

/* The pieces of a whole line. */
static void write_line(Page *page, Str *line, const Pieces *pieces)
{
    Py_ssize_t start = line->length;
    write_pieces(page, line, pieces, 0);
    if (dollars_in_letters(line, start) > 1 && dollars_in(pieces) > 1) {
        line->length = start;
        write_pieces(page, line, pieces, DOLLAR);
    }
}

#endif
