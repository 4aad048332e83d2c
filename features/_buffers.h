/* Buffers that Python hands to the modules in C: each lies in one piece and is as long as it must be.

   A call takes all of its buffers into one Buffers and releases them together at its end, also where one of them
   does not fit. Variable results are grown in a Growing and given to Python as bytes. */

#ifndef RUIJI_BUFFERS_H
#define RUIJI_BUFFERS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Loops over lanes are compiled several times, and the processor chooses when the module is loaded. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__)
#define FOR_EACH_PROCESSOR \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), optimize("O3")))
#else
#define FOR_EACH_PROCESSOR
#endif

enum { MOST_BUFFERS = 64 };

typedef struct {
    Py_buffer views[MOST_BUFFERS];
    int count;
} Buffers;

static inline void release(Buffers *buffers)
{
    while (buffers->count)
        PyBuffer_Release(&buffers->views[--buffers->count]);
}

/* The numbers of a buffer, of which there must be so many of that size (-1: any number, which is then told);
   NULL with an exception where not. */
static inline void *take(Buffers *buffers, PyObject *object, Py_ssize_t *count, Py_ssize_t size, bool writable)
{
    if (buffers->count == MOST_BUFFERS) {
        PyErr_SetString(PyExc_ValueError, "too many buffers");
        return NULL;
    }
    Py_buffer *view = &buffers->views[buffers->count];
    if (PyObject_GetBuffer(object, view, writable ? PyBUF_CONTIG : PyBUF_CONTIG_RO) < 0)
        return NULL;
    buffers->count++;
    if (*count < 0)
        *count = view->len / size;
    if (view->len != *count * size || (uintptr_t)view->buf % size) {
        PyErr_SetString(PyExc_ValueError, "a buffer is not as long as the others say");
        return NULL;
    }
    static char nothing[8];
    return view->buf == NULL ? nothing : view->buf;
}

static inline void *numbers(Buffers *buffers, PyObject *object, Py_ssize_t count, Py_ssize_t size, bool writable)
{
    return take(buffers, object, &count, size, writable);
}

/* Buffers and numbers of a dictionary, by their names. Once one of them is missing or does not fit, ``failed`` is set and
   an exception is waiting; what is read afterwards is nothing. */
typedef struct {
    Buffers buffers;
    PyObject *named;
    bool failed;
} Reader;

static inline PyObject *value_of(Reader *reader, const char *name)
{
    PyObject *value = reader->failed ? NULL : PyDict_GetItemString(reader->named, name);
    if (value == NULL && !reader->failed) {
        PyErr_Format(PyExc_KeyError, "%s", name);
        reader->failed = true;
    }
    return value;
}

static inline const void *column(Reader *reader, const char *name, Py_ssize_t count, Py_ssize_t size)
{
    PyObject *value = value_of(reader, name);
    const void *data = value == NULL ? NULL : numbers(&reader->buffers, value, count, size, false);
    if (data == NULL && !reader->failed) {
        PyErr_Format(PyExc_ValueError, "%s: a buffer is not as long as the others say", name);
        reader->failed = true;
    }
    return data;
}

static inline Py_ssize_t length_of(Reader *reader, const char *name)
{
    PyObject *value = value_of(reader, name);
    Py_ssize_t length = value == NULL ? 0 : PyObject_Length(value);
    reader->failed = reader->failed || length < 0;
    return length < 0 ? 0 : length;
}

static inline double constant(Reader *reader, const char *name)
{
    PyObject *value = value_of(reader, name);
    double number = value == NULL ? 0 : PyFloat_AsDouble(value);
    reader->failed = reader->failed || (number == -1 && PyErr_Occurred());
    return number;
}

typedef struct {
    char *data;
    size_t length, room;
} Growing;

/* Room for so many more bytes at the end; NULL with an exception where there is none. */
static inline void *grow(Growing *growing, size_t size)
{
    if (growing->room - growing->length < size) {
        size_t room = 2 * growing->room + size + 256;
        char *data = PyMem_Realloc(growing->data, room);
        if (data == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        growing->data = data;
        growing->room = room;
    }
    void *end = growing->data + growing->length;
    growing->length += size;
    return end;
}

/* What has grown, as bytes. */
static inline PyObject *grown_bytes(Growing *growing)
{
    return PyBytes_FromStringAndSize(growing->data, (Py_ssize_t)growing->length);
}

#endif
