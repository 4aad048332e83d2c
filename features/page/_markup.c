/* The attributes of a page by element and by name, in C.

   Data flow: events, names and values of the attributes, as the walk notes them (three lists of one length, in the
              order of the page)  --one pass-->  a dict of each event's attributes, a dict of each name's (event, value)

   markup.py has the same loop as its reference. Nothing is kept between calls. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* The dict of an event, new where it has none yet; borrowed. */
static PyObject *own_attributes(PyObject *attributes, PyObject *event)
{
    PyObject *own = PyDict_GetItemWithError(attributes, event);
    if (own != NULL || PyErr_Occurred())
        return own;
    own = PyDict_New();
    if (own == NULL)
        return NULL;
    int status = PyDict_SetItem(attributes, event, own);
    Py_DECREF(own);
    return status < 0 ? NULL : own;
}

static int append_pair(PyObject *by_name, PyObject *name, PyObject *event, PyObject *value)
{
    PyObject *list = PyDict_GetItemWithError(by_name, name);
    if (list == NULL) {
        if (PyErr_Occurred() || (list = PyList_New(0)) == NULL)
            return -1;
        int status = PyDict_SetItem(by_name, name, list);
        Py_DECREF(list);
        if (status < 0)
            return -1;
    }
    PyObject *pair = PyTuple_Pack(2, event, value);
    if (pair == NULL)
        return -1;
    int status = PyList_Append(list, pair);
    Py_DECREF(pair);
    return status;
}

static PyObject *by_event_and_name(PyObject *self, PyObject *arguments)
{
    PyObject *events, *names, *values;
    if (!PyArg_ParseTuple(arguments, "O!O!O!", &PyList_Type, &events, &PyList_Type, &names, &PyList_Type, &values))
        return NULL;
    Py_ssize_t count = PyList_GET_SIZE(events);
    if (PyList_GET_SIZE(names) != count || PyList_GET_SIZE(values) != count) {
        PyErr_SetString(PyExc_ValueError, "events, names and values of attributes are not as many");
        return NULL;
    }
    PyObject *attributes = PyDict_New(), *by_name = PyDict_New(), *own = NULL, *result = NULL;
    long last = -1; /* the attributes of an element follow each other */
    for (Py_ssize_t at = 0; attributes != NULL && by_name != NULL && at < count; at++) {
        PyObject *event = PyList_GET_ITEM(events, at), *name = PyList_GET_ITEM(names, at);
        PyObject *value = PyList_GET_ITEM(values, at);
        long number = PyLong_AsLong(event);
        if (number == -1 && PyErr_Occurred())
            goto done;
        if (own == NULL || number != last)
            own = own_attributes(attributes, event);
        last = number;
        if (own == NULL || PyDict_SetItem(own, name, value) < 0 || append_pair(by_name, name, event, value) < 0)
            goto done;
    }
    if (attributes != NULL && by_name != NULL)
        result = PyTuple_Pack(2, attributes, by_name);
done:
    Py_XDECREF(attributes);
    Py_XDECREF(by_name);
    return result;
}

static PyMethodDef METHODS[] = {
    {"by_event_and_name", by_event_and_name, METH_VARARGS,
     "by_event_and_name(events, names, values): the attributes of each event, and those of each name."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_markup", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__markup(void)
{
    return PyModule_Create(&MODULE);
}
