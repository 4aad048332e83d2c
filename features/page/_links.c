/* Where the links of a page lead, in C: out of its domain or not, and which lead to a place in the page.

   Data flow: hrefs  --kinds-->  of each the kind that links.py gives it   (what is not plain is asked there, each origin once)
              hrefs  --fragments-->  of each whether it begins with #

   links.py and tags.py do the same in Python; tests hold the two against each other. Nothing is kept between calls. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <string.h>

static bool starts_with(PyObject *text, PyObject *start)
{
    return PyUnicode_Tailmatch(text, start, 0, PY_SSIZE_T_MAX, -1) == 1;
}

static bool is_one_of(PyObject *text, PyObject *starts)
{
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(starts); at++)
        if (starts_with(text, PyTuple_GET_ITEM(starts, at)))
            return true;
    return false;
}

static bool is_letter_or_digit(Py_UCS4 point)
{
    return (point >= '0' && point <= '9') || (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z');
}

/* Where the host of a plain address of the web begins and ends, without a leading www label: small letters, digits, dots and
   hyphens up to its path. False for any other address. */
static bool plain_host(PyObject *href, const char **begin, const char **end)
{
    if (!PyUnicode_IS_COMPACT_ASCII(href))
        return false;
    const char *at = PyUnicode_DATA(href);
    if (strncmp(at, "http", 4))
        return false;
    at += at[4] == 's' ? 5 : 4;
    if (strncmp(at, "://", 3))
        return false;
    at += 3; /* the text ends with a zero, which no host has */
    *begin = strncmp(at, "www.", 4) ? at : at + 4;
    while ((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9') || *at == '.' || *at == '-')
        at++;
    *end = at;
    bool ends = at == (const char *)PyUnicode_DATA(href) + PyUnicode_GET_LENGTH(href);
    return (ends || *at == '/' || *at == '?' || *at == '#') && *begin < at;
}

/* Of an address with a scheme and a host these two, of another all of it; NULL where Python failed. */
static PyObject *origin_of(PyObject *href, PyObject *schemes)
{
    if (is_one_of(href, schemes)) {
        Py_ssize_t end = PyUnicode_FindChar(href, '/', 8, PyUnicode_GET_LENGTH(href), 1);
        if (end > 0)
            return PyUnicode_Substring(href, 0, end);
    }
    return Py_NewRef(href);
}

/* The kind of an origin, asked for where it is not known yet; a borrowed reference, NULL where Python failed. */
static PyObject *kind_of_origin(PyObject *known, PyObject *href, PyObject *schemes, PyObject *asked)
{
    PyObject *origin = origin_of(href, schemes);
    if (origin == NULL)
        return NULL;
    PyObject *kind = PyDict_GetItemWithError(known, origin);
    if (kind == NULL && !PyErr_Occurred()) {
        PyObject *answer = PyObject_CallOneArg(asked, href);
        if (answer != NULL && PyDict_SetItem(known, origin, answer) == 0)
            kind = answer; /* which the dictionary holds */
        Py_XDECREF(answer);
    }
    Py_DECREF(origin);
    return kind;
}

static PyObject *kinds(PyObject *self, PyObject *arguments)
{
    PyObject *hrefs, *own, *schemes, *internal, *external, *relative, *page_host, *asked;
    if (!PyArg_ParseTuple(arguments, "O!O!O!OOOUO", &PyList_Type, &hrefs, &PyTuple_Type, &own, &PyTuple_Type, &schemes,
                          &internal, &external, &relative, &page_host, &asked))
        return NULL;
    Py_ssize_t host_length;
    const char *host = PyUnicode_AsUTF8AndSize(page_host, &host_length), *begin, *end;
    if (host == NULL) /* half of a surrogate pair, which no plain address has */
        PyErr_Clear();
    Py_ssize_t count = PyList_GET_SIZE(hrefs);
    PyObject *result = PyList_New(count), *known = PyDict_New();
    bool fits = result != NULL && known != NULL;
    for (Py_ssize_t at = 0; fits && at < count; at++) {
        PyObject *href = PyList_GET_ITEM(hrefs, at), *kind = NULL;
        if (!PyUnicode_Check(href)) {
            PyErr_SetString(PyExc_TypeError, "hrefs: a list of strings");
            fits = false;
            break;
        }
        Py_ssize_t length = PyUnicode_GET_LENGTH(href);
        Py_UCS4 first = length ? PyUnicode_READ_CHAR(href, 0) : 0, second = length > 1 ? PyUnicode_READ_CHAR(href, 1) : 0;
        if (first == '#' || first == '.' || first == '?' || (first == '/' && second != '/'))
            kind = first == '#' ? internal : relative;
        else if (is_letter_or_digit(first) && PyUnicode_FindChar(href, ':', 0, length, 1) == -1)
            kind = relative; /* neither a scheme nor a host */
        else if (is_one_of(href, own))
            kind = internal;
        else if (plain_host(href, &begin, &end))
            kind = host != NULL && end - begin == host_length && !memcmp(begin, host, host_length) ? internal : external;
        else
            kind = kind_of_origin(known, href, schemes, asked);
        fits = kind != NULL;
        if (fits)
            PyList_SET_ITEM(result, at, Py_NewRef(kind));
    }
    Py_XDECREF(known);
    if (!fits)
        Py_CLEAR(result);
    return result;
}

static PyObject *fragments(PyObject *self, PyObject *hrefs)
{
    if (!PyList_Check(hrefs))
        return PyErr_Format(PyExc_TypeError, "hrefs: a list of strings");
    PyObject *result = PyBytes_FromStringAndSize(NULL, PyList_GET_SIZE(hrefs));
    for (Py_ssize_t at = 0; result != NULL && at < PyList_GET_SIZE(hrefs); at++) {
        PyObject *href = PyList_GET_ITEM(hrefs, at);
        if (!PyUnicode_Check(href)) {
            PyErr_SetString(PyExc_TypeError, "hrefs: a list of strings");
            Py_CLEAR(result);
            break;
        }
        Py_ssize_t place = 0, length = PyUnicode_GET_LENGTH(href);
        while (place < length && Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(href, place)))
            place++;
        PyBytes_AS_STRING(result)[at] = place < length && PyUnicode_READ_CHAR(href, place) == '#';
    }
    return result;
}

static PyMethodDef METHODS[] = {
    {"kinds", kinds, METH_VARARGS,
     "kinds(hrefs, own, schemes, internal, external, relative, page_host, asked): the kind of each link; asked says that of one."},
    {"fragments", fragments, METH_O, "fragments(hrefs): of each link whether it leads to a place in the page, as bytes."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_links", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__links(void)
{
    return PyModule_Create(&MODULE);
}
