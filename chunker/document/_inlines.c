/* The pieces of a line of prose, in C: from the children of a node to values of the model, white space put where it is read.

   Data flow: children  --read_children-->  pieces, white space folded and moved out of styles and links  --joined-->  pieces
              that stand apart  --ends_cut-->  tuple

   inlines.py and tidying.py have the same functions as their reference. What is rare in a line
   (formulas, images, code) is read by its function; nothing is kept between calls but what `connect_values` and `connect_page` were given. */

#include "_tidy.h"
#include "_tree.h"

/* What an element does in a line, as inlines.py says by number; a style says its name instead. */
enum { IS_LINK = 1, IS_BREAK, IS_NOTHING, IS_READ_IN_PYTHON };

static PyTypeObject *node_type;
static PyObject *actions, *read_element, *permalinks;
static PyObject *key_href, *key_title, *key_class, *empty, *name_text, *name_target, *name_links, *name_references,
    *name_left_out, *name_origin;

/* How a page is read, see inlines.Reading; borrowed, as the caller holds it. */
typedef struct {
    PyObject *reading, *references, *left_out, *origin;
    bool links;
} Page;

/* An attribute of a node, borrowed: an empty text where it has none, NULL where Python failed. */
static PyObject *attribute(Node *node, PyObject *name)
{
    PyObject *value = PyDict_GetItemWithError(node->attributes, name);
    if (value == NULL)
        return PyErr_Occurred() ? NULL : empty;
    if (!PyUnicode_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "attributes are texts");
        return NULL;
    }
    return value;
}

static bool has_white_space(PyObject *text)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    for (Py_ssize_t at = 0; at < PyUnicode_GET_LENGTH(text); at++)
        if (Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, at)))
            return true;
    return false;
}

static bool starts(PyObject *text, const char *with)
{
    for (Py_ssize_t at = 0; with[at]; at++)
        if (letter_at(text, at) != (unsigned char)with[at])
            return false;
    return true;
}

/* The absolute address that a link leads to; most are, or lead to another page of the host. */
static PyObject *target_of(const Page *page, PyObject *href)
{
    if (!has_white_space(href)) {
        if (starts(href, "http://") || starts(href, "https://"))
            return Py_NewRef(href);
        if (letter_at(href, 0) == '/' && letter_at(href, 1) != '/' && PyUnicode_GET_LENGTH(page->origin))
            return PyUnicode_Concat(page->origin, href);
    }
    PyObject *arguments[] = {page->reading, href};
    return PyObject_VectorcallMethod(name_target, arguments, 2, NULL);
}

/* The words of a text with single spaces. */
static PyObject *words_of(PyObject *text)
{
    if (!PyUnicode_GET_LENGTH(text))
        return Py_NewRef(text);
    PyObject *words = PyUnicode_Split(text, NULL, -1), *space = words == NULL ? NULL : PyUnicode_FromString(" ");
    PyObject *line = space == NULL ? NULL : PyUnicode_Join(space, words);
    Py_XDECREF(words);
    Py_XDECREF(space);
    return line;
}

static int read_children(Pieces *pieces, PyObject *children, const Page *page, unsigned around, bool *has_link);

/* Whether a link says only that it leads to where it stands; -1 where Python failed. */
static int is_permalink(Node *node, PyObject *href)
{
    if (letter_at(href, 0) != '#')
        return 0;
    PyObject *text = PyObject_CallMethodNoArgs((PyObject *)node, name_text);
    int is_one = text == NULL ? -1 : PySet_Contains(permalinks, text);
    Py_XDECREF(text);
    return is_one;
}

static int read_link(Pieces *pieces, Node *node, const Page *page, unsigned around, bool *has_link)
{
    PyObject *href = attribute(node, key_href);
    int permalink = href == NULL ? -1 : is_permalink(node, href);
    if (permalink)
        return permalink < 0 ? -1 : 0;
    Pieces inside = {NULL, 0, 0};
    bool nested = false;
    PyObject *target = NULL, *title = NULL;
    int failed = read_children(&inside, node->children, page, around, &nested);
    if (!failed && page->links && PyUnicode_GET_LENGTH(href)) {
        target = target_of(page, href);
        failed = target == NULL || !PyUnicode_Check(target);
    }
    if (!failed && target != NULL && PyUnicode_GET_LENGTH(target) && !nested) {
        PyObject *said = attribute(node, key_title);
        title = said == NULL ? NULL : words_of(said);
        failed = title == NULL || push_group(pieces, NULL, target, title, &inside);
        *has_link = true;
    } else {
        *has_link = *has_link || nested;
        for (Py_ssize_t at = 0; !failed && at < inside.count; at++)
            failed = push(pieces, Py_NewRef(inside.items[at]));
    }
    Py_XDECREF(target);
    Py_XDECREF(title);
    drop(&inside);
    return failed ? -1 : 0;
}

/* An element that is read by its own function. */
static int read_in_python(Pieces *pieces, Node *node, const Page *page, unsigned around, bool *has_link)
{
    PyObject *arguments[] = {(PyObject *)node, page->reading};
    PyObject *read = PyObject_Vectorcall(read_element, arguments, 2, NULL);
    PyObject *items = read == NULL ? NULL : PySequence_Fast(read, "an element is read as pieces");
    Py_XDECREF(read);
    if (items == NULL)
        return -1;
    PyObject **first = PySequence_Fast_ITEMS(items);
    for (Py_ssize_t at = 0; at < PySequence_Fast_GET_SIZE(items); at++)
        *has_link = *has_link || is_of(&shapes[LINK], first[at]);
    int failed = hoist(pieces, first, PySequence_Fast_GET_SIZE(items), around);
    Py_DECREF(items);
    return failed;
}

/* Whether the classes of an element may say that it shows a formula: katex, math, MathJax. */
static bool may_be_formula(PyObject *names)
{
    int kind = PyUnicode_KIND(names);
    const void *data = PyUnicode_DATA(names);
    for (Py_ssize_t at = 2; at < PyUnicode_GET_LENGTH(names); at++) {
        Py_UCS4 last = PyUnicode_READ(kind, data, at), middle = PyUnicode_READ(kind, data, at - 1);
        if ((last == 'h' && middle == 't') || (last == 't' && middle == 'a'))
            if (PyUnicode_READ(kind, data, at - 2) == (last == 'h' ? 'a' : 'k'))
                return true;
    }
    return false;
}

static int read_node(Pieces *pieces, Node *node, const Page *page, unsigned around, bool *has_link)
{
    PyObject *action = PyDict_GetItemWithError(actions, node->tag);
    if (action == NULL) {
        PyObject *names = PyErr_Occurred() ? NULL : attribute(node, key_class);
        if (names == NULL)
            return -1;
        if (PyUnicode_GET_LENGTH(names) && may_be_formula(names))
            return read_in_python(pieces, node, page, around, has_link);
        return read_children(pieces, node->children, page, around, has_link);
    }
    if (PyUnicode_Check(action)) {
        unsigned bit = style_bit(action);
        bool inner_link = false;
        if (!bit)
            return -1;
        if (bit & around)
            return read_children(pieces, node->children, page, around, &inner_link);
        Pieces inside = {NULL, 0, 0};
        int failed = read_children(&inside, node->children, page, around | bit, &inner_link) ||
                     push_group(pieces, action, NULL, NULL, &inside);
        drop(&inside);
        return failed ? -1 : 0;
    }
    switch (PyLong_AsLong(action)) {
    case IS_LINK:
        return read_link(pieces, node, page, around, has_link);
    case IS_BREAK:
        return push(pieces, make(BREAK, NULL, NULL, NULL));
    case IS_NOTHING:
        return 0;
    case IS_READ_IN_PYTHON:
        return read_in_python(pieces, node, page, around, has_link);
    }
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "nobody knows what this element does in a line");
    return -1;
}

/* Appends what children say, white space folded. */
static int read_children(Pieces *pieces, PyObject *children, const Page *page, unsigned around, bool *has_link)
{
    if (Py_EnterRecursiveCall(" in a line of a page"))
        return -1;
    int failed = 0;
    for (Py_ssize_t at = 0; !failed && at < PySequence_Fast_GET_SIZE(children); at++) {
        PyObject *child = PySequence_Fast_GET_ITEM(children, at);
        if (PyUnicode_Check(child)) {
            failed = push(pieces, text_piece(folded(child)));
            continue;
        }
        if (!Py_IS_TYPE(child, node_type)) {
            PyErr_SetString(PyExc_TypeError, "the children of a node are nodes and texts");
            failed = -1;
            continue;
        }
        Node *node = (Node *)child;
        PyObject *label = PyDict_GET_SIZE(page->references) ? PyDict_GetItemWithError(page->references, node->event) : NULL;
        int left_out = 0;
        if (label != NULL)
            failed = push(pieces, make(NOTE, Py_NewRef(label), NULL, NULL));
        else if (PyErr_Occurred() ||
                 (PySet_GET_SIZE(page->left_out) && (left_out = PySet_Contains(page->left_out, node->event)) < 0))
            failed = -1;
        else if (!left_out)
            failed = read_node(pieces, node, page, around, has_link);
    }
    Py_LeaveRecursiveCall();
    return failed ? -1 : 0;
}

static PyObject *line_of(PyObject *items, PyObject *reading)
{
    Page page = {reading, PyObject_GetAttr(reading, name_references), PyObject_GetAttr(reading, name_left_out),
                 PyObject_GetAttr(reading, name_origin), false};
    PyObject *links = PyObject_GetAttr(reading, name_links), *line = NULL;
    Pieces pieces = {NULL, 0, 0};
    bool has_link = false;
    if (links != NULL && page.references != NULL && page.left_out != NULL && page.origin != NULL) {
        page.links = links == Py_True;
        if (!PyDict_Check(page.references) || !PyAnySet_Check(page.left_out) || !PyUnicode_Check(page.origin))
            PyErr_SetString(PyExc_TypeError, "a page is read with its references, what is left out, and its origin");
        else if (!read_children(&pieces, items, &page, 0, &has_link))
            line = tidied(&pieces);
    }
    drop(&pieces);
    Py_XDECREF(links);
    Py_XDECREF(page.references);
    Py_XDECREF(page.left_out);
    Py_XDECREF(page.origin);
    return line;
}

/* The line of one text, as most are. */
static PyObject *text_line(PyObject *text)
{
    PyObject *fold = folded(text);
    if (fold == NULL)
        return NULL;
    Py_ssize_t first, end;
    core_of(fold, &first, &end);
    PyObject *line = first == end ? PyTuple_New(0) : NULL;
    if (first < end) {
        PyObject *piece = text_piece(PyUnicode_Substring(fold, first, end));
        line = piece == NULL ? NULL : PyTuple_Pack(1, piece);
        Py_XDECREF(piece);
    }
    Py_DECREF(fold);
    return line;
}

static bool is_connected(bool to_page)
{
    bool connected = styles != NULL && (node_type != NULL || !to_page);
    if (!connected)
        PyErr_SetString(PyExc_RuntimeError, "nobody has said yet what a document is made of");
    return connected;
}

static PyObject *inlines_of(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    if (count != 2)
        return PyErr_Format(PyExc_TypeError, "inlines_of(children, reading)");
    PyObject *items = is_connected(true) ? PySequence_Fast(arguments[0], "children are a sequence") : NULL;
    if (items == NULL)
        return NULL;
    bool is_text_only = PySequence_Fast_GET_SIZE(items) == 1 && PyUnicode_Check(PySequence_Fast_GET_ITEM(items, 0));
    PyObject *line = is_text_only ? text_line(PySequence_Fast_GET_ITEM(items, 0)) : line_of(items, arguments[1]);
    Py_DECREF(items);
    return line;
}

static PyObject *tidy(PyObject *module, PyObject *inlines)
{
    (void)module;
    PyObject *items = is_connected(false) ? PySequence_Fast(inlines, "pieces are a sequence") : NULL;
    if (items == NULL)
        return NULL;
    Pieces pieces = {NULL, 0, 0};
    PyObject *line = NULL;
    if (!hoist(&pieces, PySequence_Fast_ITEMS(items), PySequence_Fast_GET_SIZE(items), 0))
        line = tidied(&pieces);
    drop(&pieces);
    Py_DECREF(items);
    return line;
}

/* Whether a text has a sign of TeX: a backslash, or two dollars. */
static bool has_sign(PyObject *text)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    if (kind == PyUnicode_1BYTE_KIND && length) {
        const char *letters = data, *dollar = memchr(letters, '$', (size_t)length);
        if (memchr(letters, '\\', (size_t)length) != NULL)
            return true;
        for (; dollar != NULL && dollar + 1 < letters + length; dollar++)
            if (*dollar == '$' && dollar[1] == '$')
                return true;
        return false;
    }
    for (Py_ssize_t at = 0; at < length; at++) {
        Py_UCS4 letter = PyUnicode_READ(kind, data, at);
        if (letter == '\\' || (letter == '$' && at + 1 < length && PyUnicode_READ(kind, data, at + 1) == '$'))
            return true;
    }
    return false;
}

static PyObject *texts_with_signs(PyObject *module, PyObject *texts)
{
    (void)module;
    PyObject *items = PySequence_Fast(texts, "texts are a sequence"), *found = items == NULL ? NULL : PyList_New(0);
    for (Py_ssize_t at = 0; found != NULL && at < PySequence_Fast_GET_SIZE(items); at++) {
        PyObject *text = PySequence_Fast_GET_ITEM(items, at);
        if (!PyUnicode_Check(text))
            PyErr_SetString(PyExc_TypeError, "texts are texts");
        if (!PyUnicode_Check(text) || (has_sign(text) && PyList_Append(found, text)))
            Py_CLEAR(found);
    }
    Py_XDECREF(items);
    return found;
}

static PyObject *connect_values(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *classes, *known;
    if (!PyArg_ParseTuple(arguments, "O!O!", &PyTuple_Type, &classes, &PyTuple_Type, &known))
        return NULL;
    if (PyTuple_GET_SIZE(classes) != SHAPES)
        return PyErr_Format(PyExc_TypeError, "these are not the values of a document");
    for (int at = 0; at < SHAPES; at++)
        if (shape_of(&shapes[at], PyTuple_GET_ITEM(classes, at), FIELDS[at]))
            return NULL;
    Py_XSETREF(styles, Py_NewRef(known));
    Py_RETURN_NONE;
}

static PyObject *connect_page(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *node, *by_tag, *function, *signs;
    if (!PyArg_ParseTuple(arguments, "O!O!OO!", &PyType_Type, &node, &PyDict_Type, &by_tag, &function, &PyFrozenSet_Type,
                          &signs))
        return NULL;
    if (((PyTypeObject *)node)->tp_basicsize != sizeof(Node))
        return PyErr_Format(PyExc_TypeError, "this is not the node of a tree");
    Py_XSETREF(actions, Py_NewRef(by_tag));
    Py_XSETREF(read_element, Py_NewRef(function));
    Py_XSETREF(permalinks, Py_NewRef(signs));
    Py_INCREF(node);
    Py_XDECREF(node_type);
    node_type = (PyTypeObject *)node;
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"connect_values", connect_values, METH_VARARGS,
     "connect_values(classes, styles): says what lines are made of; called once."},
    {"connect_page", connect_page, METH_VARARGS,
     "connect_page(node, actions, read_element, permalinks): says what lines are read from; called once."},
    {"inlines_of", (PyCFunction)(void (*)(void))inlines_of, METH_FASTCALL,
     "inlines_of(children, reading): the pieces of children, see inlines.py."},
    {"texts_with_signs", texts_with_signs, METH_O, "texts_with_signs(texts): those with a backslash or two dollars."},
    {"tidy", tidy, METH_O, "tidy(inlines): pieces as they are read, see tidying.py."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_inlines", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__inlines(void)
{
    struct {
        PyObject **place;
        const char *name;
    } names[] = {
        {&key_href, "href"}, {&key_title, "title"}, {&key_class, "class"}, {&empty, ""}, {&name_text, "text"},
        {&name_target, "target"}, {&name_links, "links"}, {&name_references, "references"},
        {&name_left_out, "left_out"}, {&name_origin, "origin"},
    };
    for (size_t at = 0; at < sizeof(names) / sizeof(*names); at++)
        if ((*names[at].place = PyUnicode_InternFromString(names[at].name)) == NULL)
            return NULL;
    return PyModule_Create(&MODULE);
}
