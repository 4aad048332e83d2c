/* Mapped files that somebody else cuts short: what is gone reads as zeros, and is told, and no process ends.

   The system answers a read behind the end of a mapped file with SIGBUS. Where the address is in a range that was given
   here, the handler puts a page of zeros there and counts it; any other goes on to whoever had the signal before.
   Whoever reads such a range asks ``lost()`` before it believes what it read. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

#ifdef _WIN32 /* a mapped file cannot be cut short there */

static PyObject *guard(PyObject *self, PyObject *object) { Py_RETURN_NONE; }
static PyObject *forget(PyObject *self, PyObject *object) { Py_RETURN_NONE; }
static PyObject *lost(PyObject *self, PyObject *nothing) { return PyLong_FromLong(0); }

#else

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_RANGES = 4096 };

/* Written with the interpreter locked, read by the handler: the end is written first, and makes a range one. */
static volatile uintptr_t begins[MOST_RANGES], ends[MOST_RANGES];
static volatile sig_atomic_t pages_lost;
static struct sigaction before;
static int installed;
static uintptr_t page_size;

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    uintptr_t at = (uintptr_t)info->si_addr;
    for (int range = 0; range < MOST_RANGES; range++) {
        if (at < begins[range] || at >= ends[range])
            continue;
        void *page = (void *)(at / page_size * page_size);
        if (mmap(page, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != page)
            break;
        pages_lost++;
        return;
    }
    sigaction(SIGBUS, &before, NULL); /* the read is tried again, and theirs is called */
    installed = 0;
}

/* The number of the range of a mapping; -1 where there is no place for another. */
static PyObject *guard(PyObject *self, PyObject *object)
{
    Py_buffer view;
    if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) < 0)
        return NULL;
    uintptr_t begin = (uintptr_t)view.buf, end = begin + (uintptr_t)view.len;
    PyBuffer_Release(&view);
    if (!installed) {
        struct sigaction ours = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
        sigemptyset(&ours.sa_mask);
        page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
        if (sigaction(SIGBUS, &ours, &before) < 0)
            return PyErr_SetFromErrno(PyExc_OSError);
        installed = 1;
    }
    for (int range = 0; range < MOST_RANGES; range++) {
        if (ends[range])
            continue;
        begins[range] = begin;
        ends[range] = end;
        return PyLong_FromLong(range);
    }
    return PyLong_FromLong(-1);
}

static PyObject *forget(PyObject *self, PyObject *object)
{
    long range = PyLong_AsLong(object);
    if (range == -1 && PyErr_Occurred())
        return NULL;
    if (range >= 0 && range < MOST_RANGES)
        ends[range] = begins[range] = 0;
    Py_RETURN_NONE;
}

static PyObject *lost(PyObject *self, PyObject *nothing)
{
    return PyLong_FromLong(pages_lost);
}

#endif

static PyMethodDef methods[] = {
    {"guard", guard, METH_O, "The number of a mapping whose lost pages are to read as zeros."},
    {"forget", forget, METH_O, "Ends that, before the mapping is closed."},
    {"lost", lost, METH_NOARGS, "How many pages were lost in this process."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_mapped", NULL, -1, methods};

PyMODINIT_FUNC PyInit__mapped(void)
{
    return PyModule_Create(&module);
}
