/* The growing of a tree from what Python gives: columns of a page, its texts, its attributes.

   Data flow: arguments of `grow`  --take_attributes, place_elements-->  Growth  --grow_all-->  the node of the root */

#ifndef RUIJI_DOCUMENT_GROWING_H
#define RUIJI_DOCUMENT_GROWING_H

#include "_node.h"

/* The numbers of the attributes that are looked at; those of the last page are mostly those of the next. */
static void find_names(Tree *tree)
{
    static PyObject *last; /* owned */
    static int known[KNOWN_NAMES];
    if (tree->attribute_names != last) {
        for (int name = 0; name < KNOWN_NAMES; name++) {
            known[name] = -1;
            for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(tree->attribute_names); at++) {
                PyObject *called = PyTuple_GET_ITEM(tree->attribute_names, at);
                if (PyUnicode_Check(called) && !PyUnicode_CompareWithASCIIString(called, ATTRIBUTE_NAMES[name]))
                    known[name] = (int)at;
            }
        }
        Py_XSETREF(last, Py_NewRef(tree->attribute_names));
    }
    memcpy(tree->known, known, sizeof known);
}

/* Takes the attributes of a page: -1 with an exception where their rows are not in order, or point at nothing. */
static int take_attributes(Tree *tree)
{
    tree->rows = PyObject_GetAttrString(tree->attributes, "rows");
    tree->values = tree->rows == NULL ? NULL : PyObject_GetAttrString(tree->attributes, "values");
    tree->attribute_names = tree->values == NULL ? NULL : PyObject_GetAttrString(tree->attributes, "names");
    if (tree->attribute_names == NULL)
        return -1;
    bool fits = PyBytes_Check(tree->rows) && PyBytes_Check(tree->values) && PyTuple_Check(tree->attribute_names) &&
                PyBytes_GET_SIZE(tree->rows) % (Py_ssize_t)sizeof(Row) == 0;
    if (fits) {
        tree->row = (const Row *)(const void *)PyBytes_AS_STRING(tree->rows);
        tree->row_count = PyBytes_GET_SIZE(tree->rows) / (Py_ssize_t)sizeof(Row);
    }
    for (Py_ssize_t at = 0; fits && at < tree->row_count; at++)
        fits = tree->row[at].start >= 0 && tree->row[at].start <= tree->row[at].end &&
               tree->row[at].end <= PyBytes_GET_SIZE(tree->values) && (!at || tree->row[at - 1].event <= tree->row[at].event);
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "rows of attributes are in order, and fit their values");
        return -1;
    }
    find_names(tree);
    return 0;
}

static int grown(Growth *growth, Buffers *buffers, PyObject **columns, Py_ssize_t deepest)
{
    Tree *tree = growth->tree;
    Py_ssize_t elements = -1;
    const int32_t *opened = take(buffers, columns[0], &elements, sizeof *opened, false);
    const int32_t *closed = opened == NULL ? NULL : take(buffers, columns[1], &elements, sizeof *closed, false);
    const bool *kept = closed == NULL ? NULL : take(buffers, columns[2], &elements, sizeof *kept, false);
    growth->keep = kept == NULL ? NULL : take(buffers, columns[3], &growth->text_count, sizeof *growth->keep, false);
    if (growth->keep == NULL)
        return -1;
    growth->closing = take_zeroed(&tree->arena, ((size_t)growth->count + 1) * sizeof *growth->closing);
    growth->before = take_bytes(&tree->arena, ((size_t)growth->count + 1) * sizeof *growth->before);
    growth->kept = take_zeroed(&tree->arena, (size_t)growth->count + 1);
    growth->stack = take_bytes(&tree->arena, ((size_t)elements + 2) * sizeof *growth->stack);
    if (growth->closing == NULL || growth->before == NULL || growth->kept == NULL || growth->stack == NULL ||
        place_elements(growth, opened, closed, kept, elements) || (tree->root = add_part(growth, -1, growth->root)) == NULL)
        return -1;
    growth->stack[growth->height++] = tree->root;
    return grow_all(growth, deepest);
}

PyDoc_STRVAR(grow_doc,
             "grow(events, opened, closed, kept, keep, texts, attributes, blanks, unseen, customs, names, kinds, deepest)\n\n"
             "The tree of the kept elements and texts, see tree.py.");

static PyObject *grow_tree(PyObject *module, PyObject *arguments)
{
    Growth growth = {0};
    Py_buffer kinds;
    PyObject *events, *columns[4], *texts, *attributes, *customs, *names, *root = NULL;
    Py_ssize_t deepest;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!OOOOO!OO!O!O!O!y*n", &PyBytes_Type, &events, &columns[0], &columns[1], &columns[2],
                          &columns[3], &PyList_Type, &texts, &attributes, &PyDict_Type, &growth.blanks,
                          &PyDict_Type, &growth.unseen, &PyDict_Type, &customs, &PyTuple_Type, &names, &kinds, &deepest))
        return NULL;
    Buffers buffers = {.count = 0};
    Tree *tree = growth.tree = PyObject_New(Tree, &TREE);
    if (tree != NULL) {
        memset((char *)tree + sizeof(PyObject), 0, sizeof *tree - sizeof(PyObject));
        tree->held = PyList_New(0);
        tree->texts = PyList_AsTuple(texts);
        tree->events = Py_NewRef(events);
        tree->attributes = Py_NewRef(attributes);
        tree->customs = Py_NewRef(customs);
        tree->names = Py_NewRef(names);
        growth.events = (const unsigned char *)PyBytes_AS_STRING(events);
        growth.count = PyBytes_GET_SIZE(events);
        growth.text_count = PyList_GET_SIZE(texts);
        growth.kinds = kinds.buf;
        growth.space = PyUnicode_InternFromString(" ");
        bool fits = kinds.len == 256 && PyTuple_GET_SIZE(names) == 256 && growth.count < INT32_MAX;
        if (!fits)
            PyErr_SetString(PyExc_ValueError, "names and kinds: one for each of 256 numbers");
        for (int number = 0; fits && number < 256; number++) {
            PyObject *name = PyTuple_GET_ITEM(names, number);
            if (PyUnicode_Check(name) && !PyUnicode_CompareWithASCIIString(name, "div"))
                growth.border = (unsigned char)number;
            if (PyUnicode_Check(name) && !PyUnicode_CompareWithASCIIString(name, "body"))
                growth.root = (unsigned char)number;
        }
        if (fits && tree->held != NULL && tree->texts != NULL && growth.space != NULL && !PyList_Append(tree->held, growth.space) &&
            !take_attributes(tree) && !grown(&growth, &buffers, columns, deepest))
            root = node_of(tree, tree->root);
        Py_XDECREF(growth.space);
    }
    Py_XDECREF((PyObject *)tree);
    release(&buffers);
    PyBuffer_Release(&kinds);
    return root;
}

#endif
