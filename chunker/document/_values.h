/* Between the pieces and blocks of a reading and the values of model.py.

   Data flow: values  --pieces_from, blocks_from-->  pieces, blocks  --values_of_pieces, values_of_blocks-->  values

   Blocks that only Python knows (tables, code, figures and the like) stay values on the way. */

#ifndef RUIJI_DOCUMENT_VALUES_H
#define RUIJI_DOCUMENT_VALUES_H

#include "_model.h"
#include "_pieces.h"

/* Kinds of blocks; those of Python come last. */
enum { HEADING, PARAGRAPH, LIST, QUOTE, RULE, DISPLAY, OWN_BLOCKS, CODE_BLOCK = OWN_BLOCKS, TABLE, OTHER };

typedef struct Block Block;
typedef struct {
    Block **items;
    Py_ssize_t count, room;
} Blocks;
struct Block {
    int kind, level;
    long start;     /* the first number of a list, -1 without order */
    Pieces line;    /* of a heading or a paragraph; a formula's only piece */
    Blocks *inside; /* the items of a list, the blocks of a quotation */
    Py_ssize_t count;
    PyObject *value; /* of a block of Python: held */
};

/* The classes of model.py, pieces first, in the order of the numbers above; then those that only Python reads. */
enum { VALUES = PIECES + TABLE + 1 };
static Shape shapes[VALUES];
static const char *const FIELDS[VALUES][MOST_FIELDS + 1] = {
    {"text", NULL}, {"style", "inlines", NULL}, {"text", NULL}, {"target", "inlines", "title", NULL},
    {"target", "alt", "title", NULL}, {"tex", "display", NULL}, {NULL}, {"label", NULL},
    {"level", "inlines", NULL}, {"inlines", NULL}, {"items", "start", NULL}, {"blocks", NULL}, {NULL}, {"tex", NULL},
    {"text", NULL}, {NULL},
};
static PyObject *styles; /* all that there are, a tuple */

static Block *new_block(Page *page, int kind)
{
    Block *block = take_room(page, sizeof *block);
    memset(block, 0, sizeof *block);
    block->kind = kind;
    block->start = -1;
    return block;
}

static void put_block(Page *page, Blocks *blocks, Block *block)
{
    if (blocks->count == blocks->room) {
        Py_ssize_t room = 2 * blocks->room + 4;
        Block **items = take_room(page, (size_t)room * sizeof *items);
        if (blocks->count)
            memcpy(items, blocks->items, (size_t)blocks->count * sizeof *items);
        blocks->items = items;
        blocks->room = room;
    }
    blocks->items[blocks->count++] = block;
}

static void put_blocks(Page *page, Blocks *blocks, const Blocks *more)
{
    for (Py_ssize_t at = 0; at < more->count; at++)
        put_block(page, blocks, more->items[at]);
}

static PyObject *field(Page *page, int shape, PyObject *value, int number)
{
    PyObject *given = field_of(&shapes[shape], value, number);
    if (given == NULL)
        fail(page);
    return given;
}

static Pieces pieces_from(Page *page, PyObject *values);

static Piece *piece_from(Page *page, PyObject *value)
{
    int kind = 0;
    while (kind < PIECES && !is_of(&shapes[kind], value))
        kind++;
    if (kind == PIECES)
        fail_with(page, PyExc_TypeError, "a piece that no line has");
    Piece *piece = new_piece(page, kind);
    if (kind == TEXT || kind == CODE || kind == FORMULA || kind == NOTE)
        piece->text = str_of(page, field(page, kind, value, 0));
    if (kind == FORMULA)
        piece->shown = field(page, kind, value, 1) == Py_True;
    if (kind == LINK || kind == IMAGE) {
        piece->target = str_of(page, field(page, kind, value, 0));
        piece->title = str_of(page, field(page, kind, value, 2));
    }
    if (kind == IMAGE)
        piece->text = str_of(page, field(page, kind, value, 1));
    if (kind == STYLED) {
        Py_ssize_t style = PySequence_Index(styles, field(page, kind, value, 0));
        if (style < 0)
            fail(page);
        piece->style = (unsigned char)style;
    }
    if (kind == LINK || kind == STYLED)
        piece->inside = pieces_from(page, field(page, kind, value, 1));
    return piece;
}

static Pieces pieces_from(Page *page, PyObject *values)
{
    Pieces pieces = {NULL, 0, 0};
    if (!PyTuple_Check(values) && !PyList_Check(values))
        fail_with(page, PyExc_TypeError, "an element is read as pieces");
    descend(page);
    for (Py_ssize_t at = 0; at < PySequence_Fast_GET_SIZE(values); at++)
        push(page, &pieces, piece_from(page, PySequence_Fast_GET_ITEM(values, at)));
    page->depth--;
    return pieces;
}

static Blocks blocks_from(Page *page, PyObject *values);

static Block *block_from(Page *page, PyObject *value)
{
    int kind = 0;
    while (kind <= TABLE && !is_of(&shapes[PIECES + kind], value))
        kind++;
    int shape = PIECES + kind;
    Block *block = new_block(page, kind > TABLE ? OTHER : kind);
    if (kind == HEADING || kind == PARAGRAPH)
        block->line = pieces_from(page, field(page, shape, value, kind == HEADING));
    if (kind == HEADING && (block->level = (int)PyLong_AsLong(field(page, shape, value, 0))) < 1) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "a heading has a level");
        fail(page);
    }
    if (kind == QUOTE) {
        block->inside = take_room(page, sizeof *block->inside);
        block->count = 1;
        *block->inside = blocks_from(page, field(page, shape, value, 0));
    }
    if (kind == LIST) {
        PyObject *items = field(page, shape, value, 0), *start = field(page, shape, value, 1);
        if (!PyTuple_Check(items))
            fail_with(page, PyExc_TypeError, "the items of a list are a tuple");
        block->count = PyTuple_GET_SIZE(items);
        block->inside = take_room(page, (size_t)(block->count + 1) * sizeof *block->inside);
        for (Py_ssize_t at = 0; at < block->count; at++)
            if (!(block->inside[at] = blocks_from(page, PyTuple_GET_ITEM(items, at))).count)
                fail_with(page, PyExc_ValueError, "an item of a list says something");
        block->start = start == Py_None ? -1 : PyLong_AsLong(start);
        if (PyErr_Occurred())
            fail(page);
    }
    if (kind == DISPLAY) {
        Piece *formula = new_piece(page, FORMULA);
        formula->text = str_of(page, field(page, shape, value, 0));
        push(page, &block->line, formula);
    }
    if (kind >= OWN_BLOCKS)
        block->value = hold(page, Py_NewRef(value));
    return block;
}

/* The blocks that a function of Python gave. */
static Blocks blocks_from(Page *page, PyObject *values)
{
    Blocks blocks = {NULL, 0, 0};
    if (!PyList_Check(values) && !PyTuple_Check(values))
        fail_with(page, PyExc_TypeError, "blocks are a list");
    descend(page);
    for (Py_ssize_t at = 0; at < PySequence_Fast_GET_SIZE(values); at++)
        put_block(page, &blocks, block_from(page, PySequence_Fast_GET_ITEM(values, at)));
    page->depth--;
    return blocks;
}

/* A value of the model; its fields are given away. NULL with an exception where one of them is. */
static PyObject *make(int shape, PyObject *first, PyObject *second, PyObject *third)
{
    PyObject *fields[MOST_FIELDS] = {first, second, third};
    bool whole = true;
    for (int at = 0; at < shapes[shape].count; at++)
        whole = whole && fields[at] != NULL;
    PyObject *value = whole ? shapes[shape].type->tp_alloc(shapes[shape].type, 0) : NULL;
    for (int at = 0; at < shapes[shape].count; at++) {
        if (value != NULL)
            *(PyObject **)((char *)value + shapes[shape].places[at]) = fields[at];
        else
            Py_XDECREF(fields[at]);
    }
    return value;
}

static PyObject *values_of_pieces(const Pieces *pieces);

static PyObject *value_of_piece(const Piece *piece)
{
    switch (piece->kind) {
    case STYLED:
        return make(STYLED, Py_NewRef(PyTuple_GET_ITEM(styles, piece->style)), values_of_pieces(&piece->inside), NULL);
    case LINK:
        return make(LINK, unicode_of(&piece->target), values_of_pieces(&piece->inside), unicode_of(&piece->title));
    case IMAGE:
        return make(IMAGE, unicode_of(&piece->target), unicode_of(&piece->text), unicode_of(&piece->title));
    case FORMULA:
        return make(FORMULA, unicode_of(&piece->text), PyBool_FromLong(piece->shown), NULL);
    case BREAK:
        return make(BREAK, NULL, NULL, NULL);
    }
    return make(piece->kind, unicode_of(&piece->text), NULL, NULL);
}

/* The pieces as a tuple of values; NULL with an exception. */
static PyObject *values_of_pieces(const Pieces *pieces)
{
    PyObject *tuple = PyTuple_New(pieces->count);
    for (Py_ssize_t at = 0; tuple != NULL && at < pieces->count; at++) {
        PyObject *value = value_of_piece(pieces->items[at]);
        if (value == NULL)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, at, value);
    }
    return tuple;
}

static PyObject *values_of_blocks(const Blocks *blocks);

static PyObject *value_of_block(const Block *block)
{
    PyObject *items = NULL;
    switch (block->kind) {
    case HEADING:
        return make(PIECES + HEADING, PyLong_FromLong(block->level), values_of_pieces(&block->line), NULL);
    case PARAGRAPH:
        return make(PIECES + PARAGRAPH, values_of_pieces(&block->line), NULL, NULL);
    case QUOTE:
        return make(PIECES + QUOTE, values_of_blocks(block->inside), NULL, NULL);
    case RULE:
        return make(PIECES + RULE, NULL, NULL, NULL);
    case DISPLAY:
        return make(PIECES + DISPLAY, unicode_of(&block->line.items[0]->text), NULL, NULL);
    case LIST:
        items = PyTuple_New(block->count);
        for (Py_ssize_t at = 0; items != NULL && at < block->count; at++) {
            PyObject *item = values_of_blocks(&block->inside[at]);
            if (item == NULL)
                Py_CLEAR(items);
            else
                PyTuple_SET_ITEM(items, at, item);
        }
        return make(PIECES + LIST, items, block->start < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(block->start), NULL);
    }
    return Py_NewRef(block->value);
}

/* The blocks as a tuple of values; NULL with an exception. */
static PyObject *values_of_blocks(const Blocks *blocks)
{
    PyObject *tuple = PyTuple_New(blocks->count);
    for (Py_ssize_t at = 0; tuple != NULL && at < blocks->count; at++) {
        PyObject *value = value_of_block(blocks->items[at]);
        if (value == NULL)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, at, value);
    }
    return tuple;
}

#endif
