/* What elements are: among their neighbours, as blocks alone, as frames.

   Data flow: part  --kind_of, is_silent, may_be_more-->  what is done with it

   roles.py says it by their names, blocks.py has the same functions as their reference. */

#ifndef RUIJI_DOCUMENT_KINDS_H
#define RUIJI_DOCUMENT_KINDS_H

#include "_lines.h"


/* What children side by side are together; what blocks.py says of elements by their names has one more for frames, and
   for those that it looks at. */
enum { IN_LINE, ITEM, CODES, ALONE, FRAME, LOOKED_AT, UNKNOWN };
/* What a block alone is; up to 6 the level of a heading as it is written. */
enum { AS_PYTHON_SAYS = 0, MOST_LEVELS = 6, AS_LIST, AS_ORDERED, AS_QUOTE, AS_RULE, AS_LINK, AS_NOTHING, AS_FRAME, AS_INSIDE, FIRST_BLOCK_STYLE };

static PyObject *kinds, *shapes_of_blocks; /* bytes: for each number of an element */
static PyObject *signs_of_frames; /* bytes, one of which is in the classes of a frame that says something */
static PyObject *kind_of_node, *codes, *is_plain, *read_block, *is_beside_code, *is_editing, *sign_in_heading;

static bool is_white(const Part *part)
{
    if (part->text == NULL)
        return false;
    int kind = PyUnicode_KIND(part->text);
    const void *data = PyUnicode_DATA(part->text);
    Py_ssize_t at = 0, length = PyUnicode_GET_LENGTH(part->text);
    while (at < length && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, at)))
        at++;
    return at == length && length;
}

/* The elements around a part, the nearest last, as blocks.py takes them. */
static PyObject *path_to(Page *page, const Part *part)
{
    PyObject *path = hold(page, PyList_GetSlice(page->above, 0, PY_SSIZE_T_MAX));
    Py_ssize_t end = PyList_GET_SIZE(path);
    for (Part *around = part == page->start ? NULL : part->parent; around != NULL; around = around->parent) {
        if (PyList_Insert(path, end, node(page, around)))
            fail(page);
        if (around == page->start)
            break;
    }
    return path;
}

static long number_from(Page *page, PyObject *said)
{
    long number = PyLong_AsLong(said);
    if (number == -1 && PyErr_Occurred())
        fail(page);
    return number;
}

static bool truth_of(Page *page, PyObject *said)
{
    int truth = PyObject_IsTrue(said);
    if (truth < 0)
        fail(page);
    return truth;
}

/* Whether code may be a block of its own: it has line ends, or classes that may say so, see listings.stands_alone. */
static bool may_stand_alone(Page *page, Part *root)
{
    const char *names;
    Py_ssize_t length;
    if (attribute_of(page->tree, root, CLASS, &names, &length) && holds(names, length, "block", 5))
        return true;
    for (Part *part = part_behind(root, root); part != NULL; part = part_behind(root, part))
        if (part->text != NULL ? PyUnicode_FindChar(part->text, '\n', 0, PyUnicode_GET_LENGTH(part->text), 1) >= 0
                               : number_in(actions, part) == IS_BREAK)
            return true;
    return false;
}

/* What an element is among its neighbours. */
static int kind_of(Page *page, Part *part)
{
    int kind = part->text != NULL ? IN_LINE : number_in(kinds, part);
    if (kind == UNKNOWN)
        kind = part->has_block ? LOOKED_AT : IN_LINE;
    if (kind != LOOKED_AT)
        return kind;
    unsigned char action = number_in(actions, part);
    if (part->number != CUSTOM && action != READ_IN_PYTHON && action != IS_IMAGE && action != IS_CODE && !may_be_formula(page, part))
        return ALONE;
    if (action == IS_CODE && !part->has_block && !may_stand_alone(page, part))
        return IN_LINE;
    long said = number_from(page, call(page, kind_of_node, node(page, part), NULL, NULL));
    if (said < IN_LINE || said > ALONE)
        fail_with(page, PyExc_ValueError, "nobody knows what this element is among its neighbours");
    return (int)said;
}

/* Whether a frame says nothing of what is in it. */
static bool is_silent(Page *page, const Part *part)
{
    const char *bytes;
    Py_ssize_t length;
    if (part->row < 0)
        return true;
    bool may_speak = attribute_of(page->tree, part, ROLE, &bytes, &length);
    if (attribute_of(page->tree, part, CLASS, &bytes, &length))
        for (Py_ssize_t at = 0; !may_speak && at < PyTuple_GET_SIZE(signs_of_frames); at++) {
            PyObject *sign = PyTuple_GET_ITEM(signs_of_frames, at);
            may_speak = holds(bytes, length, PyBytes_AS_STRING(sign), PyBytes_GET_SIZE(sign));
        }
    if (!may_speak)
        return true;
    PyObject *names = hold(page, attribute_text(page->tree, part, CLASS));
    return truth_of(page, call(page, is_plain, names, hold(page, attribute_text(page->tree, part, ROLE)), NULL));
}

/* Whether a child of an element without blocks may be one, or is left out. */
static bool may_be_more(Page *page, const Part *part)
{
    for (Part *child = part->first; child != NULL; child = child->next)
        if (child->text == NULL && (number_in(actions, child) == IS_CODE || number_in(shapes_of_blocks, child) == AS_RULE ||
                                    has_event(page, page->left_out, child)))
            return true;
    return false;
}

#endif
