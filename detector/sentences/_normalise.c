/* Which characters of joined texts stay, in C: one pass over code points and their classes.

   Data flow: folded code points and classes of texts that stand one after another, where each text starts, which of them
   begin a paragraph, in which of them a line break ends one  -->  the places that stay; the first so many code points and
   classes are those of the characters that stay; their string

   Of a run of white space one character stays: a line break where a paragraph ends, a space else, none at either end nor
   between Japanese characters. The Python of normalise.py is the reference. */

#include "../../features/_buffers.h"

enum { LINE_FEED = '\n', CARRIAGE_RETURN = '\r' };

typedef struct {
    uint32_t *points;
    uint16_t *classes;
    int32_t *kept;
    const int32_t *starts; /* of each text, and one more */
    const uint8_t *begins, *breaks;
    Py_ssize_t length, texts;
    uint16_t space, paragraph, japanese;
} Joined;

/* The end of the run of white space that begins at a place; ``text`` is the one in which the place lies, -1 before the
   first. Tells whether a paragraph ends in it. */
static Py_ssize_t run_end(const Joined *joined, Py_ssize_t place, Py_ssize_t *text, bool *parts)
{
    for (*parts = false; place < joined->length && (joined->classes[place] & joined->space); place++) {
        while (*text + 1 < joined->texts && place >= joined->starts[*text + 1])
            ++*text;
        uint32_t point = joined->points[place];
        bool before_next = *text + 1 < joined->texts && place == joined->starts[*text + 1] - 1;
        bool line_end = point == LINE_FEED || point == CARRIAGE_RETURN;
        *parts |= before_next && joined->begins[*text + 1];
        *parts |= line_end && *text >= 0 && joined->breaks[*text];
    }
    return place;
}

/* How many characters stay; they are moved to the front. */
static Py_ssize_t keep(const Joined *joined)
{
    Py_ssize_t count = 0, text = -1, end;
    uint16_t before = 0; /* the class of the character before a run, as it was given */
    for (Py_ssize_t place = 0; place < joined->length; place = end) {
        uint16_t class = joined->classes[place];
        uint32_t point = joined->points[place];
        end = place + 1;
        if (class & joined->space) {
            bool parts;
            end = run_end(joined, place, &text, &parts);
            bool inner = place > 0 && end < joined->length;
            if (!inner || (!parts && (before & joined->classes[end] & joined->japanese)))
                continue;
            point = parts ? LINE_FEED : ' ';
            class |= parts ? joined->paragraph : 0;
        }
        before = class;
        joined->points[count] = point;
        joined->classes[count] = class;
        joined->kept[count++] = (int32_t)place;
    }
    return count;
}

static PyObject *kept(PyObject *self, PyObject *arguments)
{
    PyObject *points, *classes, *starts, *begins, *breaks, *places, *result = NULL;
    Joined joined = {.length = -1, .texts = -1};
    if (!PyArg_ParseTuple(arguments, "OOOOOOHHH", &points, &classes, &starts, &begins, &breaks, &places, &joined.space,
                          &joined.paragraph, &joined.japanese))
        return NULL;
    Buffers buffers = {.count = 0};
    if ((joined.points = take(&buffers, points, &joined.length, 4, true))
        && (joined.classes = numbers(&buffers, classes, joined.length, 2, true))
        && (joined.kept = numbers(&buffers, places, joined.length, 4, true))
        && (joined.begins = take(&buffers, begins, &joined.texts, 1, false))
        && (joined.breaks = numbers(&buffers, breaks, joined.texts, 1, false))
        && (joined.starts = numbers(&buffers, starts, joined.texts + 1, 4, false)))
        result = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, joined.points, keep(&joined));
    release(&buffers);
    return result;
}

static PyMethodDef METHODS[] = {
    {"kept", kept, METH_VARARGS,
     "kept(points, classes, starts, begins, breaks, places, space, paragraph, japanese) -> the string of what stays."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_normalise", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__normalise(void) { return PyModule_Create(&MODULE); }
