/* Addresses without what does not tell pages apart, in C: canonical_url of urls.py for those that are plain.

   Data flow: list of addresses  --plain-->  for each its canonical form as bytes, or None where Python must look at it

   Plain is what the expression _PLAIN of urls.py matches, in ASCII, without a name such as index.html at the end of its path.
   Nothing is kept between calls. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <string.h>

typedef const unsigned char *Bytes;

static inline bool is_letter(unsigned char byte) { return (byte | 32) >= 'a' && (byte | 32) <= 'z'; }
static inline bool is_alphanumeric(unsigned char byte) { return is_letter(byte) || (byte >= '0' && byte <= '9'); }
static inline bool in_host(unsigned char byte) { return is_alphanumeric(byte) || byte == '.' || byte == '-'; }
static inline bool in_path(unsigned char byte) { return is_alphanumeric(byte) || (byte && strchr("_/.,~%+=-", byte)); }
static inline bool in_query(unsigned char byte) { return in_path(byte) || byte == '&'; }

static inline unsigned char small(unsigned char byte) { return byte >= 'A' && byte <= 'Z' ? byte | 32 : byte; }

/* Whether a name begins with these small letters, whatever its own case. */
static bool begins_with(Bytes name, Bytes end, const char *start)
{
    for (; *start; name++, start++)
        if (name == end || small(*name) != (unsigned char)*start)
            return false;
    return true;
}

/* The canonical form of an address, or None. */
static PyObject *plain_form(Bytes at, Bytes end)
{
    if (end - at < 8 || memcmp(at, "http", 4))
        Py_RETURN_NONE;
    at += at[4] == 's' ? 5 : 4;
    if (end - at < 4 || memcmp(at, "://", 3) || !in_host(at[3]))
        Py_RETURN_NONE;
    Bytes host = at += 3;
    while (at < end && in_host(*at))
        at++;
    Bytes path = at, name = at;
    if (at < end && *at == '/')
        for (; at < end && in_path(*at); at++)
            name = *at == '/' ? at + 1 : name;
    Bytes query = at;
    if (at < end && *at == '?') {
        at++;
        while (at < end && in_query(*at))
            at++;
        if (at - query == 1)
            Py_RETURN_NONE;
    }
    Bytes fragment = at;
    if (at < end && (*at != '#' || memchr(at, '\n', (size_t)(end - at)) != NULL))
        Py_RETURN_NONE;
    if (begins_with(name, query, "index.") || begins_with(name, query, "default."))
        Py_RETURN_NONE;
    bool without_path = path == query;
    PyObject *form = PyBytes_FromStringAndSize(NULL, 2 + (fragment - host) + without_path);
    if (form == NULL)
        return NULL;
    char *to = PyBytes_AS_STRING(form);
    *to++ = '/';
    *to++ = '/';
    for (Bytes letter = host; letter < path; letter++)
        *to++ = (char)small(*letter);
    if (without_path)
        *to++ = '/';
    memcpy(to, path, (size_t)(fragment - path));
    return form;
}

static PyObject *plain(PyObject *self, PyObject *urls)
{
    if (!PyList_Check(urls))
        return PyErr_Format(PyExc_TypeError, "a list of strings");
    PyObject *forms = PyList_New(PyList_GET_SIZE(urls));
    for (Py_ssize_t number = 0; forms != NULL && number < PyList_GET_SIZE(urls); number++) {
        PyObject *url = PyList_GET_ITEM(urls, number), *form;
        if (!PyUnicode_Check(url)) {
            PyErr_SetString(PyExc_TypeError, "a list of strings");
            Py_CLEAR(forms);
            break;
        }
        Bytes data = PyUnicode_IS_ASCII(url) ? PyUnicode_DATA(url) : NULL;
        form = data == NULL ? Py_NewRef(Py_None) : plain_form(data, data + PyUnicode_GET_LENGTH(url));
        if (form == NULL)
            Py_CLEAR(forms);
        else
            PyList_SET_ITEM(forms, number, form);
    }
    return forms;
}

static PyMethodDef METHODS[] = {
    {"plain", plain, METH_O, "plain(urls): the canonical form of each address as bytes, or None where it is not plain."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_urls", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__urls(void)
{
    return PyModule_Create(&MODULE);
}
