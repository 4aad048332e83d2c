/* Lines of Markdown in C: inline pieces as text, what a parser would take for markup escaped.

   Data flow: pieces  --write_pieces-->  letters of a line  --written-->  text

   lines.py has the same functions as their reference, under the same names where they are the same. Addresses, titles and
   code that need more than copying are written by its functions; nothing is kept between calls but what `connect` was given. */

#include "../_model.h"

enum { TEXT, STYLED, CODE, LINK, IMAGE, FORMULA, BREAK, NOTE, SHAPES };
static Shape shapes[SHAPES];
static const char *const FIELDS[SHAPES][MOST_FIELDS + 1] = {
    {"text", NULL},           {"style", "inlines", NULL},  {"text", NULL}, {"target", "inlines", "title", NULL},
    {"target", "alt", "title", NULL}, {"tex", NULL}, {NULL},       {"label", NULL},
};
enum { DOLLAR = 1, BRACKET = 2 }; /* further letters to escape in texts */
static const Py_UCS4 NO_LETTER = 0x110000; /* beside the first and the last letter of a line */

static PyObject *write_code, *write_address, *write_title, *category, *delimiters, *tags;

/* Letters, and where those of the pieces that are written just now begin: what stands before is not theirs. */
typedef struct {
    Growing letters;
    size_t start;
} Line;

static size_t length_of_line(const Line *line) { return line->letters.length / sizeof(Py_UCS4); }

static Py_UCS4 *letters_of(const Line *line) { return (Py_UCS4 *)(void *)line->letters.data; }

static int put(Line *line, Py_UCS4 letter)
{
    Py_UCS4 *end = grow(&line->letters, sizeof(Py_UCS4));
    if (end == NULL)
        return -1;
    *end = letter;
    return 0;
}

static int put_ascii(Line *line, const char *text)
{
    int failed = 0;
    while (!failed && *text)
        failed = put(line, (unsigned char)*text++);
    return failed;
}

static int put_text(Line *line, PyObject *text)
{
    size_t length = (size_t)PyUnicode_GET_LENGTH(text);
    Py_UCS4 *end = length ? grow(&line->letters, length * sizeof(Py_UCS4)) : NULL;
    return length && (end == NULL || PyUnicode_AsUCS4(text, end, (Py_ssize_t)length, 0) == NULL) ? -1 : 0;
}

/* Puts letters, of which there are some, at a place of the line. */
static int insert(Line *line, size_t place, const Py_UCS4 *added, size_t count)
{
    size_t behind = length_of_line(line) - place;
    if (grow(&line->letters, count * sizeof(Py_UCS4)) == NULL)
        return -1;
    Py_UCS4 *at = letters_of(line) + place;
    memmove(at + count, at, behind * sizeof(Py_UCS4));
    memcpy(at, added, count * sizeof(Py_UCS4));
    return 0;
}

static Py_UCS4 last_letter(const Line *line)
{
    size_t length = length_of_line(line);
    return length > line->start ? letters_of(line)[length - 1] : NO_LETTER;
}

static bool is_word(Py_UCS4 letter) { return letter == '_' || Py_UNICODE_ISALNUM(letter); }

/* Whether "&" at a place begins what may be an entity. */
static bool is_entity(int kind, const void *data, Py_ssize_t at, Py_ssize_t length)
{
    at += 1 + (at + 1 < length && PyUnicode_READ(kind, data, at + 1) == '#');
    Py_ssize_t first = at;
    while (at < length && is_word(PyUnicode_READ(kind, data, at)))
        at++;
    return at > first && at < length && PyUnicode_READ(kind, data, at) == ';';
}

/* Whether a letter of a text is to be escaped where it stands, see lines._ALWAYS. */
static bool is_markup(int kind, const void *data, Py_ssize_t at, Py_ssize_t length, Py_UCS4 letter)
{
    Py_UCS4 before = at ? PyUnicode_READ(kind, data, at - 1) : NO_LETTER;
    Py_UCS4 behind = at + 1 < length ? PyUnicode_READ(kind, data, at + 1) : NO_LETTER;
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
        return is_entity(kind, data, at, length);
    }
    return false;
}

static int put_escaped(Line *line, PyObject *text, unsigned more)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    if (!length)
        return 0;
    Py_UCS4 *end = grow(&line->letters, 2 * (size_t)length * sizeof(Py_UCS4)), *first = end;
    if (end == NULL)
        return -1;
    for (Py_ssize_t at = 0; at < length; at++) {
        Py_UCS4 letter = PyUnicode_READ(kind, data, at);
        if ((letter < 0x7f && is_markup(kind, data, at, length, letter)) || (letter == '$' && more & DOLLAR) ||
            (letter == ']' && more & BRACKET))
            *end++ = '\\';
        *end++ = letter;
    }
    line->letters.length -= (2 * (size_t)length - (size_t)(end - first)) * sizeof(Py_UCS4);
    return 0;
}

/* Puts what a function of lines.py writes of a text. */
static int put_by(Line *line, PyObject *function, PyObject *text)
{
    PyObject *written = PyObject_CallOneArg(function, text);
    int failed = written == NULL || !PyUnicode_Check(written) || put_text(line, written);
    if (failed && !PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "what is written is a text");
    Py_XDECREF(written);
    return failed ? -1 : 0;
}

/* Whether an address is written as it is, see lines._address. */
static bool is_plain_address(PyObject *address)
{
    int kind = PyUnicode_KIND(address);
    const void *data = PyUnicode_DATA(address);
    for (Py_ssize_t at = 0; at < PyUnicode_GET_LENGTH(address); at++) {
        Py_UCS4 letter = PyUnicode_READ(kind, data, at);
        if (letter < 0x20 || Py_UNICODE_ISSPACE(letter) || (letter < 0x7f && strchr("<>\\()&", (int)letter)))
            return false;
    }
    return true;
}

/* The end of a link or an image: "](address "title")". */
static int put_target(Line *line, PyObject *address, PyObject *title)
{
    if (put_ascii(line, "]("))
        return -1;
    if (is_plain_address(address) ? put_text(line, address) : put_by(line, write_address, address))
        return -1;
    return (PyUnicode_GET_LENGTH(title) && put_by(line, write_title, title)) || put(line, ')');
}

/* Whether a letter is punctuation or a symbol; -1 where Python failed. */
static int is_punctuation(Py_UCS4 letter)
{
    if (letter < 0x80)
        return (letter > ' ' && letter < '0') || (letter > '9' && letter < 'A') || (letter > 'Z' && letter < 'a') ||
               (letter > 'z' && letter < 0x7f);
    PyObject *text = PyUnicode_FromOrdinal((int)letter);
    PyObject *name = text == NULL ? NULL : PyObject_CallOneArg(category, text);
    Py_XDECREF(text);
    if (name == NULL)
        return -1;
    Py_UCS4 first = PyUnicode_Check(name) && PyUnicode_GET_LENGTH(name) ? PyUnicode_READ_CHAR(name, 0) : 0;
    Py_DECREF(name);
    return first == 'P' || first == 'S';
}

/* Whether a delimiter between these letters is one on this side (CommonMark 0.31, 6.2); -1 where Python failed. */
static int opens(Py_UCS4 outside, Py_UCS4 inside)
{
    if (Py_UNICODE_ISSPACE(inside))
        return 0;
    int inner = is_punctuation(inside);
    if (inner <= 0)
        return inner < 0 ? -1 : 1;
    return outside == NO_LETTER || Py_UNICODE_ISSPACE(outside) ? 1 : is_punctuation(outside);
}

static bool is_alnum(Py_UCS4 letter) { return letter != NO_LETTER && Py_UNICODE_ISALNUM(letter); }

/* Whether a delimiter can stand around the letters from a place to the end of the line; -1 where Python failed. */
static int fits(const Line *line, size_t place, Py_UCS4 sign, Py_UCS4 before, Py_UCS4 behind)
{
    const Py_UCS4 *letters = letters_of(line);
    Py_UCS4 first = letters[place], last = letters[length_of_line(line) - 1];
    if (sign == before || sign == behind || sign == first || sign == last)
        return 0;
    bool has_sign = false;
    if (sign == '~' || sign == '_')
        for (size_t at = place; !has_sign && at < length_of_line(line); at++)
            has_sign = letters[at] == sign;
    if (has_sign || (sign == '_' && (is_alnum(before) || is_alnum(behind))))
        return 0;
    int left = opens(before, first);
    return left <= 0 ? left : opens(behind, last);
}

static int write_pieces(Line *line, PyObject *inlines, unsigned more);

/* Puts a text before what stands from a place on, and another behind it. */
static int put_around(Line *line, size_t place, const char *before, PyObject *name, const char *between, bool closes)
{
    Line added = {{NULL, 0, 0}, 0};
    int failed = put_ascii(&added, before) || put_text(&added, name) || put_ascii(&added, between) ||
                 insert(line, place, letters_of(&added), length_of_line(&added));
    added.letters.length = 0;
    failed = failed || put_ascii(line, closes ? "</" : "") || put_text(line, name) || put_ascii(line, between);
    PyMem_Free(added.letters.data);
    return failed ? -1 : 0;
}

/* A piece that stands out: between stars or lines where a parser would read them so, else between tags. */
static int write_styled(Line *line, PyObject *piece, Py_UCS4 before, Py_UCS4 behind, unsigned more)
{
    PyObject *style = text_field(&shapes[STYLED], piece, 0), *inner = tuple_field(&shapes[STYLED], piece, 1);
    size_t place = length_of_line(line);
    if (style == NULL || inner == NULL || write_pieces(line, inner, more))
        return -1;
    PyObject *known = PyDict_GetItemWithError(delimiters, style);
    if (known == NULL && PyErr_Occurred())
        return -1;
    Py_ssize_t count = known == NULL || length_of_line(line) == place ? 0 : PyTuple_GET_SIZE(known);
    for (Py_ssize_t at = 0; at < count; at++) {
        PyObject *delimiter = PyTuple_GET_ITEM(known, at);
        int fit = fits(line, place, PyUnicode_READ_CHAR(delimiter, 0), before, behind);
        if (fit)
            return fit < 0 ? -1 : put_around(line, place, "", delimiter, "", false);
    }
    PyObject *tag = PyDict_GetItemWithError(tags, style);
    if (tag == NULL) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_KeyError, "a style without a tag");
        return -1;
    }
    return put_around(line, place, "<", tag, ">", true);
}

static int write_link(Line *line, PyObject *piece, unsigned more)
{
    PyObject *target = text_field(&shapes[LINK], piece, 0), *inner = tuple_field(&shapes[LINK], piece, 1);
    PyObject *title = text_field(&shapes[LINK], piece, 2);
    const Py_UCS4 escape = '\\';
    if (target == NULL || inner == NULL || title == NULL || put(line, '['))
        return -1;
    size_t place = length_of_line(line);
    if (write_pieces(line, inner, more | BRACKET))
        return -1;
    if (length_of_line(line) > place && letters_of(line)[place] == '^' && insert(line, place, &escape, 1))
        return -1; /* "[^" would begin a footnote */
    return put_target(line, target, title);
}

static int write_image(Line *line, PyObject *piece, unsigned more)
{
    PyObject *target = text_field(&shapes[IMAGE], piece, 0), *alt = text_field(&shapes[IMAGE], piece, 1);
    PyObject *title = text_field(&shapes[IMAGE], piece, 2);
    if (target == NULL || alt == NULL || title == NULL || put_ascii(line, "!["))
        return -1;
    return put_escaped(line, alt, more | BRACKET) || put_target(line, target, title) ? -1 : 0;
}

/* The letter that a piece begins with, as it is written. */
static Py_UCS4 first_letter(PyObject *piece)
{
    static const char signs[SHAPES] = {0, '*', '`', '[', '!', '$', '\n', '['};
    if (is_of(&shapes[TEXT], piece)) {
        PyObject *text = text_field(&shapes[TEXT], piece, 0);
        return text == NULL || !PyUnicode_GET_LENGTH(text) ? NO_LETTER : PyUnicode_READ_CHAR(text, 0);
    }
    for (int shape = 0; shape < SHAPES; shape++)
        if (is_of(&shapes[shape], piece))
            return (unsigned char)signs[shape];
    return NO_LETTER;
}

static int write_piece(Line *line, PyObject *piece, Py_UCS4 behind, unsigned more)
{
    bool link = is_of(&shapes[LINK], piece), image = is_of(&shapes[IMAGE], piece), note = is_of(&shapes[NOTE], piece);
    Py_UCS4 before = last_letter(line);
    const Py_UCS4 escape = '\\';
    if ((link || image || note) && (before == '!' || before == '^') && insert(line, length_of_line(line) - 1, &escape, 1))
        return -1; /* or it would be an image, or a note in the line */
    if (link)
        return write_link(line, piece, more);
    if (image)
        return write_image(line, piece, more);
    if (note) {
        PyObject *label = text_field(&shapes[NOTE], piece, 0);
        return label == NULL || put_ascii(line, "[^") || put_text(line, label) || put(line, ']') ? -1 : 0;
    }
    if (is_of(&shapes[STYLED], piece))
        return write_styled(line, piece, before, behind, more);
    if (is_of(&shapes[CODE], piece)) {
        PyObject *text = text_field(&shapes[CODE], piece, 0);
        return text == NULL ? -1 : put_by(line, write_code, text);
    }
    if (is_of(&shapes[FORMULA], piece)) {
        PyObject *tex = text_field(&shapes[FORMULA], piece, 0);
        return tex == NULL || put(line, '$') || put_text(line, tex) || put(line, '$') ? -1 : 0;
    }
    if (is_of(&shapes[BREAK], piece))
        return put_ascii(line, "  \n");
    PyErr_SetString(PyExc_TypeError, "a piece that no line has");
    return -1;
}

static int write_pieces(Line *line, PyObject *inlines, unsigned more)
{
    if (Py_EnterRecursiveCall(" in a line of Markdown"))
        return -1;
    size_t around = line->start;
    line->start = length_of_line(line);
    Py_ssize_t count = PyTuple_GET_SIZE(inlines);
    int failed = 0;
    for (Py_ssize_t at = 0; !failed && at < count; at++) {
        PyObject *piece = PyTuple_GET_ITEM(inlines, at);
        if (is_of(&shapes[TEXT], piece)) {
            PyObject *text = text_field(&shapes[TEXT], piece, 0);
            failed = text == NULL ? -1 : put_escaped(line, text, more);
        } else {
            Py_UCS4 behind = at + 1 < count ? first_letter(PyTuple_GET_ITEM(inlines, at + 1)) : NO_LETTER;
            failed = PyErr_Occurred() ? -1 : write_piece(line, piece, behind, more);
        }
    }
    line->start = around;
    Py_LeaveRecursiveCall();
    return failed ? -1 : 0;
}

static PyObject *written(const Line *line)
{
    Py_ssize_t length = (Py_ssize_t)length_of_line(line);
    return length ? PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, line->letters.data, length) : PyUnicode_New(0, 0);
}

/* Whether a line is a paragraph as it stands: it cannot be taken for the beginning of another block, and dollars in it for
   the ends of a formula. */
static bool is_plain_paragraph(const Line *line)
{
    const Py_UCS4 *letters = letters_of(line);
    size_t length = length_of_line(line), dollars = 0;
    if (length && (Py_UNICODE_ISDECIMAL(letters[0]) || (letters[0] < 0x7f && strchr("#>+-=:~", (int)letters[0]))))
        return false;
    for (size_t at = 0; at < length; at++) {
        dollars += letters[at] == '$';
        if (letters[at] == '\n' || dollars > 1)
            return false;
    }
    return true;
}

static PyObject *paragraph(PyObject *module, PyObject *inlines)
{
    (void)module;
    if (!PyTuple_Check(inlines) || shapes[0].type == NULL)
        return PyErr_Format(PyExc_TypeError, "paragraph(inlines)");
    Line line = {{NULL, 0, 0}, 0};
    PyObject *text = NULL;
    if (!write_pieces(&line, inlines, 0))
        text = is_plain_paragraph(&line) ? written(&line) : Py_NewRef(Py_None);
    PyMem_Free(line.letters.data);
    return text;
}

static PyObject *line_of(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    if (count != 2 || !PyTuple_Check(arguments[0]) || !PyUnicode_Check(arguments[1]) || shapes[0].type == NULL)
        return PyErr_Format(PyExc_TypeError, "line_of(inlines, more)");
    unsigned more = 0;
    for (Py_ssize_t at = 0; at < PyUnicode_GET_LENGTH(arguments[1]); at++)
        more |= PyUnicode_READ_CHAR(arguments[1], at) == '$' ? DOLLAR : BRACKET;
    Line line = {{NULL, 0, 0}, 0};
    PyObject *text = write_pieces(&line, arguments[0], more) ? NULL : written(&line);
    PyMem_Free(line.letters.data);
    return text;
}

/* Whether a dict has texts for keys, and texts for values or, where asked, tuples of texts that say something. */
static bool is_table(PyObject *table, bool of_tuples)
{
    PyObject *key, *value;
    for (Py_ssize_t at = 0; PyDict_Next(table, &at, &key, &value);) {
        if (!PyUnicode_Check(key) || !(of_tuples ? PyTuple_Check(value) : PyUnicode_Check(value)))
            return false;
        for (Py_ssize_t number = 0; of_tuples && number < PyTuple_GET_SIZE(value); number++)
            if (!PyUnicode_Check(PyTuple_GET_ITEM(value, number)) || !PyUnicode_GET_LENGTH(PyTuple_GET_ITEM(value, number)))
                return false;
    }
    return true;
}

static PyObject *connect(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *classes, *given[6];
    if (!PyArg_ParseTuple(arguments, "O!OOOOO!O!", &PyTuple_Type, &classes, &given[0], &given[1], &given[2], &given[3],
                          &PyDict_Type, &given[4], &PyDict_Type, &given[5]))
        return NULL;
    if (PyTuple_GET_SIZE(classes) != SHAPES || !is_table(given[4], true) || !is_table(given[5], false))
        return PyErr_Format(PyExc_TypeError, "these are not the values of a document and the signs of Markdown");
    for (int at = 0; at < SHAPES; at++)
        if (shape_of(&shapes[at], PyTuple_GET_ITEM(classes, at), FIELDS[at]))
            return NULL;
    PyObject **places[] = {&write_code, &write_address, &write_title, &category, &delimiters, &tags};
    for (int at = 0; at < 6; at++)
        Py_XSETREF(*places[at], Py_NewRef(given[at]));
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"connect", connect, METH_VARARGS,
     "connect(classes, code, address, title, category, delimiters, tags): says what a line is made of; called once."},
    {"line_of", (PyCFunction)(void (*)(void))line_of, METH_FASTCALL,
     "line_of(inlines, more): the pieces as Markdown, with more letters escaped, see lines.py."},
    {"paragraph", paragraph, METH_O,
     "paragraph(inlines): the pieces as a paragraph, or None where more than copying and escaping is to be done."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_lines", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__lines(void) { return PyModule_Create(&MODULE); }
