/* The document of a page in C: from the events of its walk to blocks of the model, or to Markdown.

   Data flow: events, what is kept  --grow-->  tree  --blocks_of, inlines_of-->  values of model.py
                                                     --markdown-->  text

   _tree.h grows the tree, _node.h shows it to Python, _lines.h and _blocks.h read it, _values.h and _markdown.h say what was
   read; _pieces.h and _arena.h are what they are made of. Each header names its reference in Python. What only some pages
   have is read and written by Python, which is called back; nothing is kept between calls but what `connect_reading` and
   `connect_writing` were given. */

#include "_markdown.h"

/* A node, which Python may have made itself; NULL with an exception where it is none. */
static Node *node_given(PyObject *object)
{
    if (styles == NULL)
        PyErr_SetString(PyExc_RuntimeError, "nobody has said yet what a document is made of");
    else if (!is_node(object))
        PyErr_SetString(PyExc_TypeError, "this is no node of a page's tree");
    return PyErr_Occurred() ? NULL : (Node *)object;
}

/* A field of how a page is read; fails where there is none. */
static PyObject *setting(Page *page, const char *name) { return hold(page, PyObject_GetAttrString(page->reading, name)); }

static void settle(Page *page)
{
    page->references = setting(page, "references");
    page->left_out = setting(page, "left_out");
    if (!PyDict_Check(page->references) || !PyAnySet_Check(page->left_out))
        fail_with(page, PyExc_TypeError, "a page is read with its references, and what is left out");
    page->origin = str_of(page, setting(page, "origin"));
    page->links = setting(page, "links") == Py_True;
    page->images = setting(page, "images") == Py_True;
    page->ruby = setting(page, "ruby") == Py_True;
    page->with_formulas = setting(page, "with_formulas") == Py_True;
}

static void end_page(Page *page)
{
    release_arena(&page->arena);
    Py_XDECREF(page->held);
    Py_XDECREF(page->above);
}

/* A page that is read from a node on; false with an exception. */
static bool begin_page(Page *page, Node *node, PyObject *reading, PyObject *above)
{
    memset(page, 0, sizeof *page);
    page->tree = node == NULL ? NULL : node->tree;
    page->start = node == NULL ? NULL : node->part;
    page->reading = reading;
    page->held = PyList_New(0);
    page->above = above == NULL || above == Py_None ? PyList_New(0) : Py_NewRef(above);
    if (page->held != NULL && page->above != NULL)
        return true;
    end_page(page);
    return false;
}

static PyObject *blocks_of(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    Node *node = count < 2 || count > 3 ? NULL : node_given(arguments[0]);
    PyObject *above = count == 3 ? arguments[2] : Py_None;
    if (node == NULL || (above != Py_None && !PyList_Check(above)))
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "blocks_of(node, reading, above)");
    if (node->part == NULL)
        Py_RETURN_NONE;
    Page page;
    PyObject *volatile values = NULL;
    if (!begin_page(&page, node, arguments[1], above))
        return NULL;
    if (!setjmp(page.end)) {
        settle(&page);
        Blocks blocks = blocks_inside(&page, node->part);
        hold(&page, values_of_blocks(&blocks));
        values = PySequence_List(PyList_GET_ITEM(page.held, PyList_GET_SIZE(page.held) - 1));
    }
    end_page(&page);
    return values;
}

/* Reads children that a caller gives, nodes of one tree and texts, as a line; false where one is neither. */
static bool are_read(Page *page, Pieces *line, PyObject *children)
{
    bool has_link = false;
    for (Py_ssize_t at = 0; at < PySequence_Fast_GET_SIZE(children); at++) {
        PyObject *child = PySequence_Fast_GET_ITEM(children, at);
        if (PyUnicode_Check(child)) {
            read_text(page, line, hold(page, Py_NewRef(child)), 0);
            continue;
        }
        Node *own = is_node(child) && ((Node *)child)->part != NULL ? (Node *)child : NULL;
        if (own == NULL || (page->tree != NULL && page->tree != own->tree))
            return false;
        hold(page, Py_NewRef(child));
        page->tree = own->tree;
        read_part(page, line, own->part, 0, &has_link);
    }
    tidy_hoisted(page, line);
    return true;
}

static PyObject *inlines_of(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    if (count != 2)
        return PyErr_Format(PyExc_TypeError, "inlines_of(children, reading)");
    if (styles == NULL)
        Py_RETURN_NONE;
    PyObject *children = PySequence_Fast(arguments[0], "children are a sequence"), *volatile values = NULL;
    Page page;
    if (children == NULL || !begin_page(&page, NULL, arguments[1], NULL)) {
        Py_XDECREF(children);
        return NULL;
    }
    if (!setjmp(page.end)) {
        settle(&page);
        Pieces line = {NULL, 0, 0};
        values = are_read(&page, &line, children) ? values_of_pieces(&line) : Py_NewRef(Py_None);
    }
    end_page(&page);
    Py_DECREF(children);
    return values;
}

static PyObject *tidy(PyObject *module, PyObject *inlines)
{
    (void)module;
    if (styles == NULL)
        Py_RETURN_NONE;
    Page page;
    PyObject *volatile values = NULL;
    if (!begin_page(&page, NULL, NULL, NULL))
        return NULL;
    if (!setjmp(page.end)) {
        Pieces pieces = pieces_from(&page, inlines), line = tidied(&page, &pieces);
        values = values_of_pieces(&line);
    }
    end_page(&page);
    return values;
}

static PyObject *written(PyObject *module, PyObject *blocks)
{
    (void)module;
    if (styles == NULL || write_block == NULL)
        Py_RETURN_NONE;
    Page page;
    PyObject *volatile text = NULL;
    if (!begin_page(&page, NULL, NULL, NULL))
        return NULL;
    if (!setjmp(page.end)) {
        Blocks own = blocks_from(&page, blocks);
        Str letters = new_str(&page, 0);
        write_blocks(&page, &letters, &own, "\n\n");
        text = unicode_of(&letters);
    }
    end_page(&page);
    return text;
}

/* Blocks without the headline, lines at the ends or side by side, and headings of parts that are empty. */
static Blocks trimmed(Page *page, const Blocks *blocks, PyObject *is_headline, PyObject *is_of_empty_part)
{
    Blocks kept = {NULL, 0, 0}, whole = {NULL, 0, 0};
    for (Py_ssize_t at = 0; at < blocks->count; at++) {
        Block *block = blocks->items[at];
        if (block->kind == HEADING &&
            truth_of(page, call(page, is_headline, plain_text(page, &block->line), kept.count ? Py_False : Py_True, NULL)))
            continue;
        if (block->kind == RULE && (!kept.count || kept.items[kept.count - 1]->kind == RULE))
            continue;
        put_block(page, &kept, block);
    }
    while (kept.count && kept.items[kept.count - 1]->kind == RULE)
        kept.count--;
    for (Py_ssize_t at = 0; at < kept.count; at++) {
        Block *block = kept.items[at];
        bool is_end = at + 1 == kept.count || kept.items[at + 1]->kind == HEADING || kept.items[at + 1]->kind == RULE;
        if (is_end && (block->kind == HEADING || block->kind == PARAGRAPH) &&
            truth_of(page, call(page, is_of_empty_part, plain_text(page, &block->line), NULL, NULL)))
            continue;
        put_block(page, &whole, block);
    }
    return whole;
}

static PyObject *markdown(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    Node *node = count == 4 ? node_given(arguments[0]) : NULL;
    if (node == NULL || node->part == NULL || write_block == NULL)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "markdown(root, reading, is_headline, is_of_empty_part)");
    Page page;
    PyObject *volatile written = NULL;
    if (!begin_page(&page, node, arguments[1], NULL))
        return NULL;
    if (!setjmp(page.end)) {
        settle(&page);
        Blocks blocks = blocks_inside(&page, node->part);
        blocks = trimmed(&page, &blocks, arguments[2], arguments[3]);
        Str text = new_str(&page, 0);
        write_blocks(&page, &text, &blocks, "\n\n");
        written = unicode_of(&text);
    }
    end_page(&page);
    return written;
}

static PyObject *marked(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *root, *tags;
    const char *name;
    Gathering gathering = {NULL, NULL, true, KNOWN_NAMES, NULL, 0};
    if (!PyArg_ParseTuple(arguments, "OOss#", &root, &tags, &name, &gathering.part, &gathering.length))
        return NULL;
    while (gathering.attribute-- && strcmp(ATTRIBUTE_NAMES[gathering.attribute], name))
        ;
    if (gathering.attribute < 0 || !PyAnySet_Check(tags) || !is_node(root) || ((Node *)root)->part == NULL)
        return PyErr_Format(PyExc_TypeError, "marked(root, tags, name, part)");
    gathering.tags = tags;
    gathering.found = PyList_New(0);
    if (gathering.found != NULL && gather_parts(&gathering, ((Node *)root)->tree, ((Node *)root)->part))
        Py_CLEAR(gathering.found);
    return gathering.found;
}

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

/* Keeps functions and the like in their places. */
static void keep(PyObject ***places, PyObject *given)
{
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(given); at++)
        Py_XSETREF(*places[at], Py_NewRef(PyTuple_GET_ITEM(given, at)));
}

static bool is_table(PyObject *table) { return PyBytes_Check(table) && PyBytes_GET_SIZE(table) == 256; }

static PyObject *connect_reading(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *classes, *known, *functions, *signs;
    PyObject *by_number[3], *sets[2];
    PyObject **places[] = {&read_element, &text_with_formulas, &kind_of_node, &codes, &is_plain, &read_block,
                           &is_beside_code, &is_editing, &sign_in_heading};
    if (!PyArg_ParseTuple(arguments, "O!O!OOOO!O!O!O!", &PyTuple_Type, &classes, &PyTuple_Type, &known, &by_number[0], &by_number[1],
                          &by_number[2], &PyFrozenSet_Type, &sets[0], &PyTuple_Type, &signs, &PyFrozenSet_Type, &sets[1], &PyTuple_Type, &functions))
        return NULL;
    bool fits = PyTuple_GET_SIZE(classes) == VALUES && PyTuple_GET_SIZE(known) <= 8 && is_table(by_number[0]) &&
                is_table(by_number[1]) && is_table(by_number[2]) &&
                PyTuple_GET_SIZE(functions) == (Py_ssize_t)(sizeof places / sizeof *places);
    for (Py_ssize_t at = 0; fits && at < 256; at++) {
        unsigned char action = (unsigned char)PyBytes_AS_STRING(by_number[1])[at], shape = (unsigned char)PyBytes_AS_STRING(by_number[2])[at];
        fits = (unsigned char)PyBytes_AS_STRING(by_number[0])[at] <= UNKNOWN && action < FIRST_STYLE + PyTuple_GET_SIZE(known) &&
               shape < FIRST_BLOCK_STYLE + PyTuple_GET_SIZE(known);
    }
    for (Py_ssize_t at = 0; fits && at < PyTuple_GET_SIZE(signs); at++)
        fits = PyBytes_Check(PyTuple_GET_ITEM(signs, at));
    if (!fits)
        return PyErr_Format(PyExc_TypeError, "these are not the values of a document");
    for (int at = 0; at < VALUES; at++)
        if (shape_of(&shapes[at], PyTuple_GET_ITEM(classes, at), FIELDS[at]))
            return NULL;
    keep(places, functions);
    PyObject **tables[] = {&kinds, &actions, &shapes_of_blocks};
    for (int at = 0; at < 3; at++)
        Py_XSETREF(*tables[at], Py_NewRef(by_number[at]));
    Py_XSETREF(permalinks, Py_NewRef(sets[0]));
    Py_XSETREF(signs_of_frames, Py_NewRef(signs));
    Py_XSETREF(mathematics, Py_NewRef(sets[1]));
    Py_XSETREF(styles, Py_NewRef(known));
    Py_RETURN_NONE;
}

static PyObject *connect_writing(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *signs, *names, *functions;
    PyObject **places[] = {&write_block, &category};
    if (!PyArg_ParseTuple(arguments, "O!O!O!", &PyTuple_Type, &signs, &PyTuple_Type, &names, &PyTuple_Type, &functions))
        return NULL;
    bool fits = styles != NULL && PyTuple_GET_SIZE(signs) == PyTuple_GET_SIZE(styles) &&
                PyTuple_GET_SIZE(names) == PyTuple_GET_SIZE(styles) &&
                PyTuple_GET_SIZE(functions) == (Py_ssize_t)(sizeof places / sizeof *places);
    for (Py_ssize_t at = 0; fits && at < PyTuple_GET_SIZE(signs); at++)
        fits = PyTuple_Check(PyTuple_GET_ITEM(signs, at));
    if (!fits)
        return PyErr_Format(PyExc_TypeError, "these are not the signs of Markdown for each style");
    keep(places, functions);
    Py_XSETREF(delimiters, Py_NewRef(signs));
    Py_XSETREF(tags, Py_NewRef(names));
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"grow", grow_tree, METH_VARARGS, grow_doc},
    {"connect_reading", connect_reading, METH_VARARGS,
     "connect_reading(classes, styles, kinds, actions, shapes, permalinks, signs, mathematics, functions): called once by blocks.py."},
    {"connect_writing", connect_writing, METH_VARARGS,
     "connect_writing(delimiters, tags, functions): called once by writing/markdown.py."},
    {"blocks_of", (PyCFunction)(void (*)(void))blocks_of, METH_FASTCALL,
     "blocks_of(node, reading, above): the blocks inside an element, see blocks.py; None of a node that Python made."},
    {"inlines_of", (PyCFunction)(void (*)(void))inlines_of, METH_FASTCALL,
     "inlines_of(children, reading): the pieces of children, see inlines.py; None where Python made one of them."},
    {"markdown", (PyCFunction)(void (*)(void))markdown, METH_FASTCALL,
     "markdown(root, reading, is_headline, is_of_empty_part): a page without footnotes as Markdown, see reading.py."},
    {"tidy", tidy, METH_O, "tidy(inlines): pieces as they are read, see tidying.py; None where nobody connected."},
    {"written", written, METH_O, "written(blocks): blocks as Markdown, see writing/markdown.py; None where nobody connected."},
    {"marked", marked, METH_VARARGS,
     "marked(root, tags, name, part): the elements of these tags whose attribute holds the part, ASCII letters in any case."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_document", "The document of a page, in C.", -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__document(void)
{
    if (nothing == NULL)
        nothing = PyDict_New();
    bool ready = nothing != NULL && PyType_Ready(&NODE) >= 0 && PyType_Ready(&TREE) >= 0;
    PyObject *module = ready ? PyModule_Create(&MODULE) : NULL;
    if (module != NULL && PyModule_AddObjectRef(module, "Node", (PyObject *)&NODE) < 0)
        Py_CLEAR(module);
    return module;
}
