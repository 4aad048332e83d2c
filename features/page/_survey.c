/* Whether a page keeps to every limit of parser_input.py, by one look at its bytes.

   Nearly all do; a page that does not is looked at again by the Python functions, which say what is to be done, and
   which are the reference that the tests hold this against. The limits come from Python. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <string.h>

static const char TEMPLATE[] = "template", HTML[] = "html", BODY[] = "body";

static bool is_letter(unsigned char byte)
{
    return (unsigned char)((byte | 0x20) - 'a') < 26;
}

static bool starts_with(const unsigned char *name, const unsigned char *end, const char *word, size_t size)
{
    if ((size_t)(end - name) < size)
        return false;
    for (size_t place = 0; place < size; place++) {
        unsigned char byte = name[place];
        if ((byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte) != (unsigned char)word[place])
            return false;
    }
    return true;
}

static bool is_space(unsigned char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static const unsigned char *behind_spaces(const unsigned char *at, const unsigned char *end, bool slashes)
{
    while (at < end && (is_space(*at) || (slashes && *at == '/')))
        at++;
    return at;
}

/* Behind an attribute, as _ATTRIBUTE of attributes.py has it; NULL where there is none. */
static const unsigned char *behind_attribute(const unsigned char *at, const unsigned char *end)
{
    if (is_space(at[-1]) || at[-1] == '/')
        return NULL;
    at = behind_spaces(at, end, true);
    if (at == end || *at == '>')
        return NULL;
    for (at++; at < end && !is_space(*at) && *at != '/' && *at != '>' && *at != '=';)
        at++;
    const unsigned char *sign = behind_spaces(at, end, false);
    if (sign == end || *sign != '=')
        return at;
    at = behind_spaces(sign + 1, end, false);
    if (at < end && (*at == '"' || *at == '\'')) {
        const unsigned char *quote = memchr(at + 1, *at, end - at - 1);
        return quote ? quote + 1 : at;
    }
    while (at < end && !is_space(*at) && *at != '>')
        at++;
    return at;
}

/* Where the attributes of a tag end, or where those up to the cap do: as _behind_attributes of attributes.py. */
static const unsigned char *behind_attributes(const unsigned char *tag, const unsigned char *end, Py_ssize_t most)
{
    const unsigned char *at = tag + 1, *next;
    while (at < end && !is_space(*at) && *at != '/' && *at != '>')
        at++;
    while (most-- > 0 && (next = behind_attribute(at, end)))
        at = next;
    return behind_spaces(at, end, true);
}

static PyObject *keeps_to(PyObject *self, PyObject *arguments)
{
    Py_buffer markup;
    Py_ssize_t most_bytes, most_brackets, most_tags, most_templates, longest_tag, most_attributes, deepest, most_roots;
    if (!PyArg_ParseTuple(arguments, "y*nnnnnnnn", &markup, &most_bytes, &most_brackets, &most_tags, &most_templates,
                          &longest_tag, &most_attributes, &deepest, &most_roots))
        return NULL;
    const unsigned char *at = markup.buf, *end = at + markup.len, *tag_end = at, *read = at;
    Py_ssize_t brackets = 0, tags = 0, templates = 0, roots = 0, level = 0, lowest = 0;
    bool keeps = markup.len <= most_bytes;
    while (keeps && (at = memchr(at, '<', end - at)) && at + 1 < end) {
        unsigned char next = at[1];
        keeps = ++brackets <= most_brackets;
        bool closes = next == '/' && at + 2 < end && is_letter(at[2]);
        if (is_letter(next) || closes) {
            if (tag_end <= at) {
                tag_end = memchr(at, '>', end - at);
                tag_end = tag_end ? tag_end : end;
            }
            if (tag_end - at > longest_tag && at >= read) { /* and does not stand in a value of the tag before */
                read = behind_attributes(at + closes, end, most_attributes);
                keeps = keeps && read < end && *read == '>';
            }
        }
        if (is_letter(next)) {
            templates += starts_with(at + 1, end, TEMPLATE, sizeof TEMPLATE - 1);
            roots += starts_with(at + 1, end, HTML, sizeof HTML - 1) || starts_with(at + 1, end, BODY, sizeof BODY - 1);
            level++;
            keeps = keeps && ++tags <= most_tags && templates <= most_templates && roots <= most_roots && level - lowest <= deepest;
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
