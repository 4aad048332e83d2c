/* Whether a page keeps to every limit of parser_input.py, by one look at its bytes.

   Nearly all do; a page that does not is looked at again by the Python functions, which say what is to be done, and
   which are the reference that the tests hold this against. The limits come from Python. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <string.h>

static const char TEMPLATE[] = "template";

static bool is_letter(unsigned char byte)
{
    return (unsigned char)((byte | 0x20) - 'a') < 26;
}

static bool starts_with_template(const unsigned char *name, const unsigned char *end)
{
    if ((size_t)(end - name) < sizeof TEMPLATE - 1)
        return false;
    for (size_t place = 0; place < sizeof TEMPLATE - 1; place++) {
        unsigned char byte = name[place];
        if ((byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte) != (unsigned char)TEMPLATE[place])
            return false;
    }
    return true;
}

static PyObject *keeps_to(PyObject *self, PyObject *arguments)
{
    Py_buffer markup;
    Py_ssize_t most_bytes, most_brackets, most_tags, most_templates, longest_tag, deepest;
    if (!PyArg_ParseTuple(arguments, "y*nnnnnn", &markup, &most_bytes, &most_brackets, &most_tags, &most_templates,
                          &longest_tag, &deepest))
        return NULL;
    const unsigned char *at = markup.buf, *end = at + markup.len, *tag_end = at;
    Py_ssize_t brackets = 0, tags = 0, templates = 0, level = 0, lowest = 0;
    bool keeps = markup.len <= most_bytes;
    while (keeps && (at = memchr(at, '<', end - at)) && at + 1 < end) {
        unsigned char next = at[1];
        keeps = ++brackets <= most_brackets;
        if (is_letter(next)) {
            if (tag_end <= at) {
                tag_end = memchr(at, '>', end - at);
                tag_end = tag_end ? tag_end : end;
            }
            templates += starts_with_template(at + 1, end);
            level++;
            keeps = keeps && ++tags <= most_tags && templates <= most_templates && tag_end - at <= longest_tag
                && level - lowest <= deepest;
        } else if (next == '/' && --level < lowest) {
            lowest = level;
        }
        at++;
    }
    PyBuffer_Release(&markup);
    return PyBool_FromLong(keeps);
}

static PyMethodDef METHODS[] = {
    {"keeps_to", keeps_to, METH_VARARGS, "Whether markup keeps to the limits."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_survey", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__survey(void)
{
    return PyModule_Create(&MODULE);
}
