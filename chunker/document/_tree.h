/* The tree of what is content, in C: its parts, and their growing from the events of the walk.

   Data flow: events, which elements and texts are kept, attributes  --grow_all-->  Part, with its children

   tree.py has the same loop as its reference; tests hold them against each other. What a function points into is
   checked before it is read. */

#ifndef RUIJI_DOCUMENT_TREE_H
#define RUIJI_DOCUMENT_TREE_H

#include "_arena.h"

/* Events, as in steps.py, and what elements are, as tree.py says by number. */
enum { END = 0, SPACE = 1, TEXT_EVENT = 2, NEW_LINE_SPACE = 3, LAST_NO_ELEMENT = 5, CUSTOM = 255 };
enum { IS_BLOCK = 1, EMPTY_TOO = 2, ANCHOR = 4, IS_READING = 8 };
enum { SHORT = 64 }; /* events of an element that is looked into for white space, as in tree.py */

/* The attributes that are looked at here, by their places in what `names_of_attributes` gives. */
enum { CLASS, HREF, ID, NAME, ROLE, TITLE, START, ALT, DATA_SRC, DATA_LAZY_SRC, DATA_ORIGINAL, DATA_LAZY, SRC, KNOWN_NAMES };
static const char *const ATTRIBUTE_NAMES[KNOWN_NAMES] = {
    "class", "href", "id", "name", "role", "title", "start", "alt", "data-src", "data-lazy-src", "data-original", "data-lazy", "src",
};

typedef struct {
    int32_t event, name, start, end;
} Row;

/* An element or a text. */
typedef struct Part Part;
struct Part {
    Part *parent, *first, *last, *before, *next;
    PyObject *text; /* of a text: owned by the tree; else NULL */
    PyObject *view; /* the node of Python that shows it, where there is one: borrowed */
    int32_t event, row;
    unsigned char number;
    bool has_block;
};

/* A tree, which owns all that its parts point at. */
typedef struct {
    PyObject_HEAD
    Arena arena;
    PyObject *held; /* a list of the texts that are no texts of the page */
    PyObject *events, *texts, *attributes, *rows, *values, *attribute_names, *names, *customs;
    const Row *row;
    Py_ssize_t row_count;
    int known[KNOWN_NAMES]; /* the number of each name that is looked at, -1 where nobody notes it */
    Part *root;
} Tree;

/* The bytes of an attribute; false where the element has none of that name. */
static bool attribute_of(const Tree *tree, const Part *part, int name, const char **bytes, Py_ssize_t *length)
{
    if (part->row < 0)
        return false;
    for (Py_ssize_t at = part->row; at < tree->row_count && tree->row[at].event == part->event; at++) {
        if (tree->row[at].name == tree->known[name]) {
            *bytes = PyBytes_AS_STRING(tree->values) + tree->row[at].start;
            *length = tree->row[at].end - tree->row[at].start;
            return true;
        }
    }
    return false;
}

/* The attribute as Python has it; an empty text where there is none. A new reference. */
static PyObject *attribute_text(const Tree *tree, const Part *part, int name)
{
    const char *bytes;
    Py_ssize_t length;
    return attribute_of(tree, part, name, &bytes, &length) ? PyUnicode_DecodeUTF8(bytes, length, "replace") : PyUnicode_New(0, 0);
}

/* A page, and what grows of it. */
typedef struct {
    Tree *tree;
    const unsigned char *events, *kinds;
    PyObject *blanks, *unseen, *space;
    int32_t *closing; /* of an event where an element opens: the event that closes it; else 0 */
    int32_t *before;  /* of each event: the texts before it */
    bool *kept;       /* of each event: whether a kept element opens there */
    const bool *keep; /* of each text */
    Part **stack;
    Py_ssize_t count, text_count, height, row;
    unsigned char border, root; /* the numbers of <div> and <body> */
} Growth;

static Part *top(Growth *growth) { return growth->stack[growth->height - 1]; }

/* A new last child of the innermost element; NULL with an exception where there is no room. */
static Part *add_part(Growth *growth, Py_ssize_t event, unsigned char number)
{
    Part *part = take_zeroed(&growth->tree->arena, sizeof *part);
    if (part == NULL)
        return NULL;
    part->event = (int32_t)event;
    part->row = -1;
    part->number = number;
    if (growth->height) {
        Part *parent = part->parent = top(growth);
        part->before = parent->last;
        *(parent->last == NULL ? &parent->first : &parent->last->next) = part;
        parent->last = part;
    }
    return part;
}

/* A text as a child; it is borrowed and held by the tree from now on where it is none of the page's. */
static int add_text(Growth *growth, PyObject *text, bool of_page)
{
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "the texts of a page are texts");
        return -1;
    }
    Part *part = add_part(growth, -1, 0);
    if (part == NULL || (!of_page && PyList_Append(growth->tree->held, text)))
        return -1;
    part->text = text;
    return 0;
}

static void mark_block(Growth *growth)
{
    for (Py_ssize_t level = growth->height; level-- && !growth->stack[level]->has_block;)
        growth->stack[level]->has_block = true;
}

/* White space as it stands; a space where nobody noted it, one for several. */
static int add_space(Growth *growth, Py_ssize_t at)
{
    if (PyDict_GET_SIZE(growth->blanks)) { /* white space is noted from the first code on */
        PyObject *event = PyLong_FromSsize_t(at);
        PyObject *noted = event == NULL ? NULL : PyDict_GetItemWithError(growth->blanks, event);
        Py_XDECREF(event);
        if (noted != NULL)
            return add_text(growth, noted, false);
        if (PyErr_Occurred())
            return -1;
    }
    Part *last = top(growth)->last;
    return last != NULL && last->text == growth->space ? 0 : add_text(growth, growth->space, true);
}

/* A border where something was left out, one for several. */
static int add_border(Growth *growth, Py_ssize_t at)
{
    Part *last = top(growth)->last;
    if (last != NULL && last->text == growth->space)
        last = last->before;
    if (last != NULL && last->text == NULL && last->number == growth->border && last->row < 0 && last->first == NULL)
        return 0;
    mark_block(growth);
    return add_part(growth, at, growth->border) == NULL ? -1 : 0;
}

/* A list of the text of an element that is not shown, where there is one or one must be there. */
static int add_unseen(Growth *growth, Py_ssize_t at, bool needed)
{
    PyObject *event = PyDict_GET_SIZE(growth->unseen) ? PyLong_FromSsize_t(at) : NULL;
    PyObject *text = event == NULL ? NULL : PyDict_GetItemWithError(growth->unseen, event);
    Py_XDECREF(event);
    if (PyErr_Occurred())
        return -1;
    if (text != NULL)
        return add_text(growth, text, false);
    if (!needed)
        return 0;
    PyObject *nothing = PyUnicode_New(0, 0);
    int failed = nothing == NULL || add_text(growth, nothing, false);
    Py_XDECREF(nothing);
    return failed ? -1 : 0;
}

/* A last child that is an element with its attributes; what follows belongs to it. */
static Part *open_part(Growth *growth, Py_ssize_t at)
{
    Part *part = add_part(growth, at, growth->events[at]);
    if (part == NULL)
        return NULL;
    const Tree *tree = growth->tree;
    while (growth->row < tree->row_count && tree->row[growth->row].event < at)
        growth->row++;
    if (growth->row < tree->row_count && tree->row[growth->row].event == at)
        part->row = (int32_t)growth->row;
    growth->stack[growth->height++] = part;
    return part;
}

/* An element that is kept: what follows belongs to it until it ends. Deeper ones are taken as the last. */
static int open_kept(Growth *growth, Py_ssize_t at, Py_ssize_t deepest)
{
    if (growth->height >= deepest) {
        growth->stack[growth->height] = top(growth);
        growth->height++;
        return 0;
    }
    if (open_part(growth, at) == NULL)
        return -1;
    if (growth->kinds[growth->events[at]] & IS_BLOCK) {
        growth->height--;
        mark_block(growth);
        growth->height++;
    }
    return add_unseen(growth, at, false);
}

/* What is there of an element that is not kept. */
static int pass_by(Growth *growth, Py_ssize_t at)
{
    unsigned char kind = growth->kinds[growth->events[at]];
    Py_ssize_t end = growth->closing[at];
    if (kind & (IS_READING | EMPTY_TOO | ANCHOR)) {
        Part *part = open_part(growth, at);
        if (part == NULL || (kind & IS_READING && add_unseen(growth, at, true)))
            return -1;
        growth->height--;
        const char *bytes;
        Py_ssize_t length;
        if (!(kind & ANCHOR) || kind & (IS_READING | EMPTY_TOO) || attribute_of(growth->tree, part, ID, &bytes, &length) ||
            attribute_of(growth->tree, part, NAME, &bytes, &length))
            return 0;
        Part *parent = top(growth); /* a link that is no place: as if it had not been there */
        parent->last = part->before;
        *(part->before == NULL ? &parent->first : &part->before->next) = NULL;
    }
    if (!(kind & IS_BLOCK) && growth->before[at] == growth->before[end] && end - at < SHORT) {
        for (Py_ssize_t place = at; place < end; place++)
            if ((growth->events[place] == SPACE || growth->events[place] == NEW_LINE_SPACE) && add_space(growth, place))
                return -1;
        return 0;
    }
    return kind & IS_BLOCK ? add_border(growth, at) : 0;
}

static int grow_all(Growth *growth, Py_ssize_t deepest)
{
    for (Py_ssize_t at = 0; at < growth->count; at++) {
        unsigned char event = growth->events[at];
        if (event == TEXT_EVENT) {
            int32_t text = growth->before[at];
            if (growth->keep[text] && add_text(growth, PyTuple_GET_ITEM(growth->tree->texts, text), true))
                return -1;
        } else if (event == SPACE || event == NEW_LINE_SPACE) {
            if (add_space(growth, at))
                return -1;
        } else if (event == END) {
            growth->height -= growth->height > 1;
        } else if (growth->kept[at]) {
            if (open_kept(growth, at, deepest))
                return -1;
        } else {
            if ((growth->kinds[event] || growth->before[at] == growth->before[growth->closing[at]]) && pass_by(growth, at))
                return -1;
            at = growth->closing[at];
        }
    }
    return 0;
}

/* Where elements end and which are kept, by event; -1 with an exception where the columns do not fit the events. */
static int place_elements(Growth *growth, const int32_t *opened, const int32_t *closed, const bool *kept, Py_ssize_t count)
{
    int32_t texts = 0;
    for (Py_ssize_t at = 0; at < growth->count; at++) {
        growth->before[at] = texts;
        texts += growth->events[at] == TEXT_EVENT;
    }
    bool fits = texts == growth->text_count;
    for (Py_ssize_t element = 0; fits && element < count; element++) {
        fits = opened[element] >= 0 && opened[element] < closed[element] && closed[element] < growth->count;
        if (fits)
            growth->closing[opened[element]] = closed[element], growth->kept[opened[element]] = kept[element];
    }
    for (Py_ssize_t at = 0; fits && at < growth->count; at++)
        fits = growth->events[at] <= LAST_NO_ELEMENT || growth->closing[at] > 0;
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "the columns of a page do not fit its events");
    return fits ? 0 : -1;
}

#endif
