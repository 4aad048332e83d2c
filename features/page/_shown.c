/* The text of a page's nodes as a reader sees it, in C: TextNodes.shown_text.

   Data flow: texts, with flags and lines of the nodes, and which of them to keep  -->  one string, a line a line

   White space is folded, except in preformatted nodes; each line is written without white space around it, and empty
   lines not at all. The flags come from textnodes.py, whose Python is the reference. */

#include "../_buffers.h"

typedef struct {
    Py_UCS4 *points;
    Py_ssize_t length, line_start;
    Py_UCS4 last;             /* the character that the line ends with so far, also where it was not written; 0 for none */
} Shown;

static inline void show(Shown *shown, Py_UCS4 point)
{
    shown->last = point;
    if (shown->length > shown->line_start || (point != ' ' && point != '\n'))
        shown->points[shown->length++] = point;
}

static void end_line(Shown *shown)
{
    while (shown->length > shown->line_start
           && (shown->points[shown->length - 1] == ' ' || shown->points[shown->length - 1] == '\n'))
        shown->length--;
    if (shown->length > shown->line_start)
        shown->points[shown->length++] = '\n';
    shown->line_start = shown->length;
    shown->last = 0;
}

static void show_text(Shown *shown, PyObject *text, bool fixed)
{
    int width = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    bool blank = !fixed && shown->last == ' ';
    for (Py_ssize_t at = 0; at < length; at++) {
        Py_UCS4 point = PyUnicode_READ(width, data, at);
        bool space = point == ' ' || point == '\t' || point == '\n' || point == '\r' || point == '\f';
        if (fixed || !space)
            show(shown, point);
        else if (!blank)
            show(shown, ' ');
        blank = space;
    }
}

static PyObject *shown_text(PyObject *self, PyObject *arguments)
{
    PyObject *texts, *flags, *lines, *keep, *result = NULL;
    int space_before, preformatted;
    if (!PyArg_ParseTuple(arguments, "O!OOOii", &PyList_Type, &texts, &flags, &lines, &keep, &space_before, &preformatted))
        return NULL;
    Buffers buffers = {.count = 0};
    Py_ssize_t count = PyList_GET_SIZE(texts), room = 1;
    const uint8_t *flag, *kept;
    const int32_t *line;
    if ((flag = numbers(&buffers, flags, count, 1, false)) && (line = numbers(&buffers, lines, count, 4, false))
        && (kept = numbers(&buffers, keep, count, 1, false))) {
        for (Py_ssize_t node = 0; node < count && room; node++) {
            if (!PyUnicode_Check(PyList_GET_ITEM(texts, node))) {
                PyErr_SetString(PyExc_TypeError, "texts: a list of strings");
                room = 0;
            } else if (kept[node]) {
                room += PyUnicode_GET_LENGTH(PyList_GET_ITEM(texts, node)) + 2;
            }
        }
        Shown shown = {.points = room ? PyMem_Malloc((size_t)room * sizeof(Py_UCS4)) : NULL};
        if (room && shown.points == NULL)
            PyErr_NoMemory();
        if (shown.points != NULL) {
            int32_t before = -1;
            bool space = false;
            for (Py_ssize_t node = 0; node < count; node++) {
                space = space || (flag[node] & space_before); /* a node left out may have one before it */
                if (!kept[node])
                    continue;
                if (line[node] != before)
                    end_line(&shown);
                else if (space && shown.last != ' ' && shown.last != '\n')
                    show(&shown, ' ');
                show_text(&shown, PyList_GET_ITEM(texts, node), flag[node] & preformatted);
                before = line[node];
                space = false;
            }
            end_line(&shown);
            result = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, shown.points, shown.length ? shown.length - 1 : 0);
        }
        PyMem_Free(shown.points);
    }
    release(&buffers);
    return result;
}

static PyMethodDef METHODS[] = {
    {"shown_text", shown_text, METH_VARARGS,
     "shown_text(texts, flags, lines, keep, space_before, preformatted): the text of the nodes to keep."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_shown", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__shown(void)
{
    return PyModule_Create(&MODULE);
}
