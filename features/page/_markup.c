/* The attributes of a page, in C: made into a dict for the elements that somebody asks about, and only then.

   Data flow: rows and values of the attributes, as the walk notes them (steps.Steps), in the order of the page  --Attributes-->
              get: a dict of one element's; named: (event, value) of one name

   markup.py has the same class as its reference. */

#include "../_buffers.h"
#include <stddef.h>
#include <structmember.h>

typedef struct {
    int32_t event, name, start, end;
} Row;

typedef struct {
    PyObject_HEAD
    PyObject *held, *values, *names; /* bytes, bytes, and a tuple of texts */
    PyObject *made;                  /* event -> dict, of those that were asked for */
    const Row *rows;
    Py_ssize_t count;
} Attributes;

static void attributes_dealloc(Attributes *self)
{
    Py_XDECREF(self->held);
    Py_XDECREF(self->values);
    Py_XDECREF(self->names);
    Py_XDECREF(self->made);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

/* Whether rows are in the order of the page, and what they point at exists. */
static bool fit(const Row *rows, Py_ssize_t count, Py_ssize_t names, Py_ssize_t values)
{
    for (Py_ssize_t at = 0; at < count; at++) {
        Row row = rows[at];
        if (row.name < 0 || row.name >= names || row.start < 0 || row.start > row.end || row.end > values ||
            (at && row.event < rows[at - 1].event))
            return false;
    }
    return true;
}

static PyObject *attributes_new(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
    PyObject *rows, *values, *names;
    if (named != NULL && PyDict_GET_SIZE(named))
        return PyErr_Format(PyExc_TypeError, "Attributes takes no arguments by name");
    if (!PyArg_ParseTuple(arguments, "SSO!", &rows, &values, &PyTuple_Type, &names))
        return NULL;
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(names); at++)
        if (!PyUnicode_Check(PyTuple_GET_ITEM(names, at)))
            return PyErr_Format(PyExc_TypeError, "names of attributes are texts");
    if (PyBytes_GET_SIZE(rows) % (Py_ssize_t)sizeof(Row))
        return PyErr_Format(PyExc_ValueError, "a row of an attribute has four numbers");
    const Row *first = (const Row *)(const void *)PyBytes_AS_STRING(rows);
    Py_ssize_t count = PyBytes_GET_SIZE(rows) / (Py_ssize_t)sizeof(Row);
    if (!fit(first, count, PyTuple_GET_SIZE(names), PyBytes_GET_SIZE(values)))
        return PyErr_Format(PyExc_ValueError, "rows of attributes are in order, with names and values that exist");
    Attributes *self = (Attributes *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->held = Py_NewRef(rows);
    self->values = Py_NewRef(values);
    self->names = Py_NewRef(names);
    self->rows = first;
    self->count = count;
    if ((self->made = PyDict_New()) == NULL)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static PyObject *text_of(const Attributes *self, const Row *row)
{
    return PyUnicode_DecodeUTF8(PyBytes_AS_STRING(self->values) + row->start, row->end - row->start, "replace");
}

/* The first row of an event, or of the next one that has attributes. */
static Py_ssize_t first_row(const Attributes *self, long event)
{
    Py_ssize_t low = 0, high = self->count;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (self->rows[middle].event < event)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static PyObject *get(Attributes *self, PyObject *const *arguments, Py_ssize_t count)
{
    if (count < 1 || count > 2)
        return PyErr_Format(PyExc_TypeError, "get(event, default)");
    PyObject *own = PyDict_GetItemWithError(self->made, arguments[0]);
    if (own != NULL || PyErr_Occurred())
        return Py_XNewRef(own);
    long event = PyLong_AsLong(arguments[0]);
    if (event == -1 && PyErr_Occurred())
        return NULL;
    Py_ssize_t row = first_row(self, event);
    if (row == self->count || self->rows[row].event != event)
        return count == 2 ? Py_NewRef(arguments[1]) : PyDict_New();
    own = PyDict_New();
    for (; own != NULL && row < self->count && self->rows[row].event == event; row++) {
        PyObject *value = text_of(self, &self->rows[row]);
        if (value == NULL || PyDict_SetItem(own, PyTuple_GET_ITEM(self->names, self->rows[row].name), value) < 0)
            Py_CLEAR(own);
        Py_XDECREF(value);
    }
    if (own != NULL && PyDict_SetItem(self->made, arguments[0], own) < 0)
        Py_CLEAR(own);
    return own;
}

/* Whether bytes hold others. */
static bool holds(const char *data, Py_ssize_t length, const char *part, Py_ssize_t part_length)
{
    for (const char *end = data + length - part_length; part_length && data <= end; data++) {
        data = memchr(data, part[0], (size_t)(end - data) + 1);
        if (data == NULL || !memcmp(data, part, (size_t)part_length))
            return data != NULL;
    }
    return !part_length;
}

static PyObject *named(Attributes *self, PyObject *const *arguments, Py_ssize_t count)
{
    if (count < 1 || count > 2 || !PyUnicode_Check(arguments[0]) || (count == 2 && !PyUnicode_Check(arguments[1])))
        return PyErr_Format(PyExc_TypeError, "named(name, part)");
    Py_ssize_t part_length = 0, number = 0;
    const char *part = count == 2 ? PyUnicode_AsUTF8AndSize(arguments[1], &part_length) : "";
    PyObject *found = part == NULL ? NULL : PyList_New(0);
    while (number < PyTuple_GET_SIZE(self->names) && PyUnicode_Compare(PyTuple_GET_ITEM(self->names, number), arguments[0]))
        number++;
    for (const Row *row = self->rows; found != NULL && row < self->rows + self->count; row++) {
        if (row->name != number || !holds(PyBytes_AS_STRING(self->values) + row->start, row->end - row->start, part, part_length))
            continue;
        PyObject *value = text_of(self, row), *pair = value == NULL ? NULL : Py_BuildValue("(iN)", (int)row->event, value);
        if (pair == NULL || PyList_Append(found, pair))
            Py_CLEAR(found);
        Py_XDECREF(pair);
    }
    return found;
}

enum { MIDDLE = 4 }; /* bytes of a part that are looked for: those in its middle are rarer than at its ends */

/* Whether these bytes stand anywhere; the loop has no way out, so that it takes many at a time. */
FOR_EACH_PROCESSOR static bool may_hold(const char *data, Py_ssize_t length, const char *middle)
{
    const char first = middle[0], second = middle[1], third = middle[2], fourth = middle[3];
    unsigned char found = 0;
    for (Py_ssize_t at = 0; at < length - MIDDLE + 1; at++)
        found |= (unsigned char)((data[at] == first) & (data[at + 1] == second) & (data[at + 2] == third) & (data[at + 3] == fourth));
    return found;
}

static PyObject *mention(Attributes *self, PyObject *part)
{
    Py_ssize_t part_length = 0, length = PyBytes_GET_SIZE(self->values);
    const char *data = PyBytes_AS_STRING(self->values);
    const char *bytes = PyUnicode_Check(part) ? PyUnicode_AsUTF8AndSize(part, &part_length) : NULL;
    if (bytes == NULL)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "mention(part)");
    if (part_length < MIDDLE)
        return PyBool_FromLong(holds(data, length, bytes, part_length));
    return PyBool_FromLong(may_hold(data, length, bytes + (part_length - MIDDLE) / 2));
}

static PyMethodDef ATTRIBUTES_METHODS[] = {
    {"get", (PyCFunction)(void (*)(void))get, METH_FASTCALL,
     "get(event, default): the attributes of the element that opens there, or the default, or none."},
    {"named", (PyCFunction)(void (*)(void))named, METH_FASTCALL,
     "named(name, part): event and value of the attributes of that name whose value holds the part."},
    {"mention", (PyCFunction)mention, METH_O, "mention(part): whether a value may hold a part; False where none does."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef ATTRIBUTES_MEMBERS[] = {
    {"rows", T_OBJECT_EX, offsetof(Attributes, held), READONLY, "Bytes, as the walk noted them."},
    {"values", T_OBJECT_EX, offsetof(Attributes, values), READONLY, "Bytes, in which the rows point."},
    {"names", T_OBJECT_EX, offsetof(Attributes, names), READONLY, "What attributes are called, by number."},
    {NULL, 0, 0, 0, NULL},
};

static PyTypeObject ATTRIBUTES = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "ruiji.features.page._markup.Attributes",
    .tp_basicsize = sizeof(Attributes),
    .tp_flags = Py_TPFLAGS_DEFAULT, /* it holds texts, and dicts of texts: no circles */
    .tp_doc = "The attributes of a page's elements, see markup.py.",
    .tp_new = attributes_new,
    .tp_dealloc = (destructor)attributes_dealloc,
    .tp_methods = ATTRIBUTES_METHODS,
    .tp_members = ATTRIBUTES_MEMBERS,
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_markup", NULL, 0, NULL, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__markup(void)
{
    PyObject *module = PyType_Ready(&ATTRIBUTES) < 0 ? NULL : PyModule_Create(&MODULE);
    if (module != NULL && PyModule_AddObjectRef(module, "Attributes", (PyObject *)&ATTRIBUTES) < 0)
        Py_CLEAR(module);
    return module;
}
