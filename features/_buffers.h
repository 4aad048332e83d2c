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
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default"), optimize("O3")))
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
