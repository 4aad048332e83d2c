/* The document of a page in C: from the events of its walk to blocks of the model, or to Markdown.

   Data flow: events, what is kept  --grow-->  tree  --blocks_of, inlines_of-->  values of model.py
                                                     --markdown-->  text

   _tree.h and _growing.h grow the tree, _node.h shows it to Python; _lines.h, _kinds.h, _paragraphs.h and _blocks.h read it;
   _values.h, _spans.h and _markdown.h say what was read; _arena.h, _page.h and _pieces.h are what all are made of. Each
   header names its reference in Python. What only some pages have is read and written by Python, which is called back;
   nothing is kept between calls but what `connect_reading` and `connect_writing` were given, and where the last page had
   its attributes. */

#include "_growing.h"
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
