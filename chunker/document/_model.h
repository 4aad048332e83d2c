/* The values that a document is made of, as C reads and makes them: instances of the classes of model.py, whose slots
   are reached by their places.

   Data flow: class, names of its fields  --shape_of-->  Shape;  Shape, values  --make-->  instance */

#ifndef RUIJI_DOCUMENT_MODEL_H
#define RUIJI_DOCUMENT_MODEL_H

#include "../../features/_buffers.h"
#include <stddef.h>
#include <structmember.h>

enum { MOST_FIELDS = 3 };

typedef struct {
    PyTypeObject *type;
    Py_ssize_t places[MOST_FIELDS]; /* of its fields in an instance */
    int count;
} Shape;

/* Where a class of slots keeps its fields; -1 with an exception where it is no such class. */
static int shape_of(Shape *shape, PyObject *type, const char *const *fields)
{
    Shape found = {NULL, {0}, 0};
    if (!PyType_Check(type)) {
        PyErr_SetString(PyExc_TypeError, "a value of a document has a class");
        return -1;
    }
    found.type = (PyTypeObject *)type;
    for (; *fields != NULL; fields++) {
        PyObject *member = PyObject_GetAttrString(type, *fields);
        if (member == NULL)
            return -1;
        bool is_slot = Py_IS_TYPE(member, &PyMemberDescr_Type);
        if (is_slot && found.count < MOST_FIELDS)
            found.places[found.count++] = ((PyMemberDescrObject *)member)->d_member->offset;
        Py_DECREF(member);
        if (!is_slot) {
            PyErr_SetString(PyExc_TypeError, "the classes of a document keep their fields in slots");
            return -1;
        }
    }
    Py_INCREF(type);
    Py_XDECREF(shape->type);
    *shape = found;
    return 0;
}

static inline bool is_of(const Shape *shape, PyObject *value) { return Py_IS_TYPE(value, shape->type); }

/* A field of an instance, borrowed; NULL with an exception where it was never given. */
static inline PyObject *field_of(const Shape *shape, PyObject *value, int number)
{
    PyObject *field = *(PyObject **)((char *)value + shape->places[number]);
    if (field == NULL)
        PyErr_SetString(PyExc_ValueError, "a value of a document without one of its fields");
    return field;
}

static inline PyObject *text_field(const Shape *shape, PyObject *value, int number)
{
    PyObject *field = field_of(shape, value, number);
    if (field != NULL && !PyUnicode_Check(field)) {
        PyErr_SetString(PyExc_TypeError, "this field of a document is a text");
        return NULL;
    }
    return field;
}

static inline PyObject *tuple_field(const Shape *shape, PyObject *value, int number)
{
    PyObject *field = field_of(shape, value, number);
    if (field != NULL && !PyTuple_Check(field)) {
        PyErr_SetString(PyExc_TypeError, "this field of a document is a tuple");
        return NULL;
    }
    return field;
}

#endif
