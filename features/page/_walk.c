/* The loop of features/page/walk.py in C: the same tree, the same steps, a sixth of the time.

   Data flow: markup  --_lexbor.h-->  tree  --visit: _walk_notes.h, _walk_attributes.h-->  the fields of steps.Steps

   Where this module was not built (no C compiler), or the library does not export what it takes, walk.py does the same in Python; tests hold
   the two against each other. */

#include "_walk_attributes.h"

/* One node. 1 where its children are to be gone through next, 0 where not, -1 where Python failed. */
static int visit(Walk *walk, Node *node) {
    uintptr_t number = lexbor.number(node);
    if (number == TEXT) return note_text(walk, node);
    if (number == COMMENT) return note_comment(walk, node);
    unsigned char kind = number < CUSTOM ? walk->kinds[number] : 0, event = (unsigned char)number;
    bool detailed = walk->details != Py_None;
    if (detailed && lexbor.type(node) == ELEMENT_NODE) {
        if (note_details(walk, node)) return -1;
        if (number == walk->code || kind == 'p' || kind == 'P') walk->spaces_matter = true;
    }
    if (walk->named && (kind || lexbor.type(node) == ELEMENT_NODE) && note_described(walk, node)) return -1;
    if (kind == 'v') return note(walk, event) || note(walk, END) ? -1 : 0;
    Node *child = lexbor.first_child(node);
    bool shown = true;
    size_t size;
    int failed = 0;
    switch (kind) {
    case 'o':
        break;
    case 'a':
        if (child != NULL) failed = note_link(walk, node);
        break;
    case 't':
        if (walk->title == NULL && !in_svg(walk, node)) {
            walk->title = whole_text(node);
            failed = walk->title == NULL ? -1 : 0;
            shown = false;
            break;
        }
        /* fall through - a second title is not shown, and counted */
    case 'h':
    case 'T':
        size = hidden_size(node, child, kind == 'T');
        failed = note_hidden(walk, node, size);
        if (!failed && size && detailed && number == walk->script && is_data(walk, node))
            failed = append_pair(walk->unseen, walk->count, whole_text(node));
        shown = false;
        break;
    case 'r':
        if (child != NULL && is_inside(node, walk->ruby)) {
            PyObject *reading = whole_text(node);
            failed = reading == NULL ? -1 : note_hidden(walk, node, (size_t)PyUnicode_GET_LENGTH(reading));
            if (!failed && detailed) failed = append_pair(walk->unseen, walk->count, Py_NewRef(reading));
            Py_XDECREF(reading);
            shown = false;
        }
        break;
    case 'p':
        walk->line_ends_matter = true;
        break;
    case 'P':
        walk->line_ends_matter = true;
        /* fall through - and it may have a name */
    case 'n':
        if (child != NULL) failed = note_names(walk, node);
        break;
    case 'm':
        failed = note_meta(walk, node);
        break;
    case 'b':
        failed = note_base(walk, node);
        break;
    default:
        if (lexbor.type(node) != ELEMENT_NODE) return 0; /* a document type, a processing instruction: nothing to note */
        event = CUSTOM;
        failed = note_custom(walk, node, child, &shown);
    }
    if (failed || note(walk, event)) return -1;
    if (shown && child != NULL) return 1;
    return note(walk, END);
}

static int go_through(Walk *walk, Document *document) {
    Node *root = (Node *)document, *node = lexbor.first_child(root);
    while (node != NULL) {
        int inside = visit(walk, node);
        if (inside < 0) return -1;
        if (inside) {
            node = lexbor.first_child(node);
            continue;
        }
        Node *following = lexbor.next(node);
        while (following == NULL) {
            node = lexbor.parent(node);
            if (node == NULL || node == root) break;
            if (note(walk, END)) return -1;
            following = lexbor.next(node);
        }
        node = following;
    }
    return 0;
}

static int begin(Walk *walk) {
    note_lengths(walk);
    walk->room = 4096;
    walk->events = PyMem_Malloc(walk->room);
    walk->texts = PyList_New(0), walk->customs = PyDict_New(), walk->anchor_events = PyList_New(0), walk->hrefs = PyList_New(0);
    walk->marks = PyList_New(0), walk->base = PyUnicode_FromString(""), walk->hidden = PyDict_New(), walk->name_events = PyList_New(0);
    walk->names = PyList_New(0), walk->described = PyList_New(0), walk->metas = PyList_New(0);
    walk->blanks = PyList_New(0), walk->unseen = PyList_New(0);
    if (walk->events != NULL && walk->texts && walk->customs && walk->anchor_events && walk->hrefs && walk->marks && walk->base &&
        walk->hidden && walk->name_events && walk->names && walk->described && walk->metas && walk->blanks && walk->unseen)
        return 0;
    PyErr_NoMemory();
    return -1;
}

static PyObject *finish(Walk *walk, int failed) {
    PyObject *events = failed ? NULL : PyBytes_FromStringAndSize((const char *)walk->events, (Py_ssize_t)walk->count);
    if (events != NULL && walk->title == NULL) walk->title = PyUnicode_FromString("");
    PyObject *rows = failed ? NULL : grown_bytes(&walk->attribute_rows), *values = failed ? NULL : grown_bytes(&walk->attribute_values);
    PyMem_Free(walk->events);
    PyMem_Free(walk->words);
    PyMem_Free(walk->attribute_rows.data);
    PyMem_Free(walk->attribute_values.data);
    PyObject *parts[] = {events,      walk->texts, walk->customs, walk->anchor_events, walk->hrefs,     walk->marks, walk->title,
                         walk->base,  walk->hidden, walk->name_events, walk->names,    walk->described, walk->metas, rows,
                         values,      walk->blanks, walk->unseen};
    PyObject *found = events == NULL || rows == NULL || values == NULL || walk->title == NULL ? NULL : PyTuple_New(sizeof parts / sizeof *parts);
    for (size_t number = 0; number < sizeof parts / sizeof *parts; number++) {
        if (found != NULL) PyTuple_SET_ITEM(found, (Py_ssize_t)number, parts[number]);
        else Py_XDECREF(parts[number]);
    }
    return found;
}

PyDoc_STRVAR(steps_doc,
             "steps(markup, named, with_events, kinds, svg, ruby, code, script, details, data_scripts, visible)\n\nThe steps through a page, in the order of the fields of walk.Steps, or None "
             "where the parser fails.");

static PyObject *steps(PyObject *module, PyObject *arguments) {
    Py_buffer markup, kinds;
    int named, with_events;
    Py_ssize_t svg, ruby, code, script;
    PyObject *details, *data_scripts, *visible;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y*ppy*nnnnOO!O", &markup, &named, &with_events, &kinds, &svg, &ruby, &code, &script, &details,
                          &PyTuple_Type, &data_scripts, &visible))
        return NULL;
    PyObject *found = NULL;
    if (kinds.len != 256 || string_at == 0) {
        PyErr_SetString(PyExc_ValueError, string_at ? "kinds: a letter for each of 256 numbers" : "no parser yet: call bind");
    } else if (details != Py_None && !PyTuple_Check(details)) {
        PyErr_SetString(PyExc_TypeError, "details: a tuple of names, or None");
    } else {
        Document *document;
        Py_BEGIN_ALLOW_THREADS
        document = parsed(markup.buf, (size_t)markup.len, with_events);
        Py_END_ALLOW_THREADS
        if (document == NULL) {
            found = Py_NewRef(Py_None);
        } else {
            Walk walk = {.kinds = kinds.buf, .named = named, .svg = (uintptr_t)svg, .ruby = (uintptr_t)ruby, .code = (uintptr_t)code,
                         .script = (uintptr_t)script, .details = details, .data_scripts = data_scripts, .visible = visible};
            found = finish(&walk, begin(&walk) || go_through(&walk, document));
            lexbor.destroy(document);
        }
    }
    PyBuffer_Release(&markup);
    PyBuffer_Release(&kinds);
    return found;
}

PyDoc_STRVAR(bind_doc, "bind(path)\n\nTakes the parser from the library at that path. Raises ImportError where it is not there.");

static PyObject *bind(PyObject *module, PyObject *path) {
    (void)module;
    PyObject *encoded;
    if (!PyUnicode_FSConverter(path, &encoded)) return NULL;
    void *library = dlopen(PyBytes_AS_STRING(encoded), RTLD_NOW | RTLD_LOCAL);
    Py_DECREF(encoded);
    if (library == NULL) return PyErr_Format(PyExc_ImportError, "the HTML parser cannot be loaded: %s", dlerror());
    void *functions[sizeof FUNCTIONS / sizeof *FUNCTIONS];
    for (size_t number = 0; number < sizeof FUNCTIONS / sizeof *FUNCTIONS; number++) {
        functions[number] = dlsym(library, FUNCTIONS[number].name);
        if (functions[number] == NULL) return PyErr_Format(PyExc_ImportError, "the HTML parser does not export %s", FUNCTIONS[number].name);
    }
    for (size_t number = 0; number < sizeof FUNCTIONS / sizeof *FUNCTIONS; number++)
        memcpy(FUNCTIONS[number].at, functions + number, sizeof *functions);
    string_at = string_found();
    if (string_at == 0) return PyErr_Format(PyExc_ImportError, "the HTML parser keeps texts in another way than this version knows");
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"steps", steps, METH_VARARGS, steps_doc},
    {"bind", bind, METH_O, bind_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "ruiji.features.page._walk", "The walk over a parsed page, in C.", -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__walk(void) { return PyModule_Create(&MODULE); }
