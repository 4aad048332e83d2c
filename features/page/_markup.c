/* The attributes of a page, in C: made into a dict for the elements that somebody asks about, and only then.

   Data flow: events, names and values of the attributes, as the walk notes them (three lists of one length, in the
              order of the page)  --Attributes-->  get: a dict of one element's; named: (event, value) of one name

   markup.py has the same class as its reference. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

typedef struct {
    PyObject_HEAD
    PyObject *names, *values; /* tuples: nobody changes them */
    PyObject *made;           /* event -> dict, of those that were asked for */
    long *events;
    Py_ssize_t count;
} Attributes;

static void attributes_dealloc(Attributes *self)
{
    Py_XDECREF(self->names);
    Py_XDECREF(self->values);
    Py_XDECREF(self->made);
    PyMem_Free(self->events);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyObject *attributes_new(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
    PyObject *events, *names, *values;
    if (named != NULL && PyDict_GET_SIZE(named))
        return PyErr_Format(PyExc_TypeError, "Attributes takes no arguments by name");
    if (!PyArg_ParseTuple(arguments, "O!O!O!", &PyList_Type, &events, &PyList_Type, &names, &PyList_Type, &values))
        return NULL;
    Py_ssize_t count = PyList_GET_SIZE(events);
    if (PyList_GET_SIZE(names) != count || PyList_GET_SIZE(values) != count)
        return PyErr_Format(PyExc_ValueError, "events, names and values of attributes are not as many");
    Attributes *self = (Attributes *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->names = PyList_AsTuple(names);
    self->values = PyList_AsTuple(values);
    self->made = PyDict_New();
    self->events = PyMem_New(long, count + 1);
    self->count = count;
    if (self->events == NULL)
        PyErr_NoMemory();
    if (self->names == NULL || self->values == NULL || self->made == NULL || self->events == NULL)
        goto failed;
    for (Py_ssize_t at = 0; at < count; at++) {
        long event = self->events[at] = PyLong_AsLong(PyList_GET_ITEM(events, at));
        if (event == -1 && PyErr_Occurred())
            goto failed;
        if (at && event < self->events[at - 1]) {
            PyErr_SetString(PyExc_ValueError, "the events of attributes are not in the order of the page");
            goto failed;
        }
        if (!PyUnicode_Check(PyTuple_GET_ITEM(self->names, at)) || !PyUnicode_Check(PyTuple_GET_ITEM(self->values, at))) {
            PyErr_SetString(PyExc_TypeError, "names and values of attributes are texts");
            goto failed;
        }
    }
    return (PyObject *)self;
failed:
    Py_DECREF(self);
    return NULL;
}

/* The first row of an event, or of the next one that has attributes. */
static Py_ssize_t first_row(const Attributes *self, long event)
{
    Py_ssize_t low = 0, high = self->count;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (self->events[middle] < event)
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
    if (row == self->count || self->events[row] != event)
        return count == 2 ? Py_NewRef(arguments[1]) : PyDict_New();
    own = PyDict_New();
    for (; own != NULL && row < self->count && self->events[row] == event; row++)
        if (PyDict_SetItem(own, PyTuple_GET_ITEM(self->names, row), PyTuple_GET_ITEM(self->values, row)) < 0)
            Py_CLEAR(own);
    if (own != NULL && PyDict_SetItem(self->made, arguments[0], own) < 0)
        Py_CLEAR(own);
    return own;
}

static PyObject *named(Attributes *self, PyObject *const *arguments, Py_ssize_t count)
{
    if (count < 1 || count > 2 || !PyUnicode_Check(arguments[0]) || (count == 2 && !PyUnicode_Check(arguments[1])))
        return PyErr_Format(PyExc_TypeError, "named(name, part)");
    PyObject *found = PyList_New(0);
    for (Py_ssize_t row = 0; found != NULL && row < self->count; row++) {
        PyObject *name = PyTuple_GET_ITEM(self->names, row), *value = PyTuple_GET_ITEM(self->values, row);
        if (name != arguments[0] && PyUnicode_Compare(name, arguments[0]))
            continue;
        int has_part = count == 1 ? 1 : PyUnicode_Contains(value, arguments[1]);
        PyObject *pair = has_part > 0 ? Py_BuildValue("(lO)", self->events[row], value) : NULL;
        if (has_part < 0 || (has_part && (pair == NULL || PyList_Append(found, pair) < 0)))
            Py_CLEAR(found);
        Py_XDECREF(pair);
    }
    return found;
}

static PyMethodDef ATTRIBUTES_METHODS[] = {
    {"get", (PyCFunction)(void (*)(void))get, METH_FASTCALL,
     "get(event, default): the attributes of the element that opens there, or the default, or none."},
    {"named", (PyCFunction)(void (*)(void))named, METH_FASTCALL,
     "named(name, part): event and value of the attributes of that name whose value holds the part."},
    {NULL, NULL, 0, NULL},
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
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_markup", NULL, 0, NULL, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__markup(void)
{
    PyObject *module = PyType_Ready(&ATTRIBUTES) < 0 ? NULL : PyModule_Create(&MODULE);
    if (module != NULL && PyModule_AddObjectRef(module, "Attributes", (PyObject *)&ATTRIBUTES) < 0)
        Py_CLEAR(module);
    return module;
}
