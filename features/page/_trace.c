/* What the events of a walk mean, in C: which element encloses what, where blocks and lines begin.

   Data flow: the events of one page (steps.py), one number each  --one pass, the open elements as a chain of parents-->
              columns of its elements and texts, in the order of trace.PageColumns, as bytes

   The bits of elements come from trace.py, whose array arithmetic is the reference. Nothing is kept between calls. */

#include "../_buffers.h"

/* Events as in steps.py, bits as in trace.py, flags as in textnodes.py. */
enum { END = 0, SPACE = 1, TEXT = 2, NEW_LINE_SPACE = 3, LAST_NO_ELEMENT = 5 };
enum { BLOCK_BORDER = 1, LINE_BORDER = 2, SPACE_SHOWN = 4, IN_NOSCRIPT = 8, BLANK = 16 };
enum { SPACE_BEFORE = 1, NOSCRIPT = 2, PREFORMATTED = 4 };
enum { NOTED = 3 }; /* anchors, names, descriptions */

typedef struct {
    uint8_t *number;                                  /* of elements */
    int32_t *parent, *first, *end, *opened, *closed;
    int32_t *element, *line, *block, *link;           /* of texts */
    uint8_t *flags;
    int32_t *noted[NOTED];    /* the elements of anchors, names and descriptions */
} Columns;

typedef struct {
    int32_t *events;          /* at which anchors, names or descriptions were noted, in order */
    Py_ssize_t count, next;
} Noted;

static bool read_noted(PyObject *list, Noted *noted)
{
    noted->count = PyList_GET_SIZE(list);
    noted->next = 0;
    noted->events = PyMem_Malloc((noted->count + 1) * sizeof *noted->events);
    if (noted->events == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t at = 0; at < noted->count; at++) {
        PyObject *item = PyList_GET_ITEM(list, at);
        if (PyTuple_Check(item) && PyTuple_GET_SIZE(item)) /* a description: its event and its text */
            item = PyTuple_GET_ITEM(item, 0);
        noted->events[at] = (int32_t)PyLong_AsLong(item);
        if (noted->events[at] == -1 && PyErr_Occurred())
            return false;
    }
    return true;
}

/* Goes through the events; false where they are not those of a tree. */
static bool trace(const uint8_t *events, Py_ssize_t count, const uint8_t *meanings, Noted *noted, int32_t *outer_link,
                  const Columns *columns)
{
    int32_t elements = 0, texts = 0, current = -1, link = -1, line = 0, block = 0, shown = 0, noscripts = 0;
    uint8_t border = 0;
    for (Py_ssize_t at = 0; at < count; at++) {
        uint8_t event = events[at];
        if (event > LAST_NO_ELEMENT) {
            uint8_t meaning = meanings[event];
            border |= meaning & (BLOCK_BORDER | LINE_BORDER);
            shown += (meaning & SPACE_SHOWN) > 0;
            noscripts += (meaning & IN_NOSCRIPT) > 0;
            columns->number[elements] = event;
            columns->parent[elements] = current;
            columns->first[elements] = texts;
            columns->opened[elements] = (int32_t)at;
            outer_link[elements] = link;
            for (int kind = 0; kind < NOTED; kind++)
                while (noted[kind].next < noted[kind].count && noted[kind].events[noted[kind].next] == at) {
                    if (kind == 0)
                        link = (int32_t)noted[kind].next;
                    columns->noted[kind][noted[kind].next++] = elements;
                }
            current = elements++;
        } else if (event == END) {
            if (current < 0)
                return false;
            uint8_t meaning = meanings[columns->number[current]];
            border |= meaning & (BLOCK_BORDER | LINE_BORDER);
            shown -= (meaning & SPACE_SHOWN) > 0;
            noscripts -= (meaning & IN_NOSCRIPT) > 0;
            columns->end[current] = texts;
            columns->closed[current] = (int32_t)at;
            link = outer_link[current];
            current = columns->parent[current];
        } else if (event == TEXT) {
            if (texts == 0)
                border = 0;
            block += (border & BLOCK_BORDER) > 0;
            bool new_line = (border & (BLOCK_BORDER | LINE_BORDER)) > 0;
            line += new_line;
            columns->element[texts] = current;
            columns->block[texts] = block;
            columns->line[texts] = line;
            columns->link[texts] = link;
            columns->flags[texts] = (uint8_t)((border & BLANK && !new_line ? SPACE_BEFORE : 0)
                                              | (shown > 0 ? PREFORMATTED : 0) | (noscripts > 0 ? NOSCRIPT : 0));
            texts++;
            border = 0;
        } else if (event == SPACE || event == NEW_LINE_SPACE) {
            border |= BLANK;
            if (event == NEW_LINE_SPACE && shown > 0)
                border |= LINE_BORDER;
        }
    }
    bool fits = current < 0;
    for (int kind = 0; kind < NOTED; kind++)
        fits = fits && noted[kind].next == noted[kind].count;
    return fits;
}

static PyObject *new_column(Py_ssize_t count, size_t size, void *data)
{
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)size);
    void *start = bytes == NULL ? NULL : PyBytes_AS_STRING(bytes);
    memcpy(data, &start, sizeof start);
    return bytes;
}

static PyObject *columns(PyObject *self, PyObject *arguments)
{
    PyObject *lists[NOTED], *result = NULL;
    Py_buffer events, meanings;
    if (!PyArg_ParseTuple(arguments, "y*y*O!O!O!", &events, &meanings, &PyList_Type, &lists[0], &PyList_Type, &lists[1],
                          &PyList_Type, &lists[2]))
        return NULL;
    Noted noted[NOTED] = {{0}};
    Columns own = {0};
    const uint8_t *data = events.buf;
    Py_ssize_t elements = 0, texts = 0;
    for (Py_ssize_t at = 0; at < events.len; at++) {
        elements += data[at] > LAST_NO_ELEMENT;
        texts += data[at] == TEXT;
    }
    int32_t *outer_link = PyMem_Malloc((elements + 1) * sizeof *outer_link);
    bool fits = meanings.len == 256 && read_noted(lists[0], &noted[0]) && read_noted(lists[1], &noted[1])
        && read_noted(lists[2], &noted[2]) && outer_link != NULL;
    if (fits) {
        const struct {
            Py_ssize_t count;
            size_t size;
            void *data;
        } parts[] = {
            {elements, 1, &own.number}, {elements, 4, &own.parent}, {elements, 4, &own.first}, {elements, 4, &own.end},
            {elements, 4, &own.opened}, {elements, 4, &own.closed}, {texts, 4, &own.element}, {texts, 4, &own.line},
            {texts, 4, &own.block}, {texts, 4, &own.link}, {texts, 1, &own.flags},
            {noted[0].count, 4, &own.noted[0]}, {noted[1].count, 4, &own.noted[1]}, {noted[2].count, 4, &own.noted[2]},
        };
        enum { PARTS = sizeof parts / sizeof *parts };
        result = PyTuple_New(PARTS);
        for (size_t number = 0; result != NULL && number < PARTS; number++) {
            PyObject *column = new_column(parts[number].count, parts[number].size, parts[number].data);
            if (column == NULL)
                Py_CLEAR(result);
            else
                PyTuple_SET_ITEM(result, (Py_ssize_t)number, column);
        }
        fits = result != NULL && trace(data, events.len, meanings.buf, noted, outer_link, &own);
    }
    if (!fits) {
        Py_CLEAR(result);
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "these are not the events of a page");
    }
    PyMem_Free(outer_link);
    for (int kind = 0; kind < NOTED; kind++)
        PyMem_Free(noted[kind].events);
    PyBuffer_Release(&events);
    PyBuffer_Release(&meanings);
    return result;
}

static PyMethodDef METHODS[] = {
    {"columns", columns, METH_VARARGS,
     "columns(events, meanings, anchors, names, descriptions): the columns of a page's elements and texts, as bytes."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_trace", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__trace(void)
{
    return PyModule_Create(&MODULE);
}
