/* The blocks inside an element, in C: which children stand in one line, which are blocks of their own, and the frames that
   say nothing of what is in them.

   Data flow: children  --kind_of-->  runs of one kind  --put_run-->  blocks; a frame gives its own in the place of one

   blocks.py has the same loop as its reference; it also reads every block that is more than a paragraph. */

#include "_model.h"
#include "_tree.h"

enum { PARAGRAPH, TEXT, LINK, BREAK, FORMULA, SHAPES };
static Shape shapes[SHAPES];
static const char *const FIELDS[SHAPES][MOST_FIELDS + 1] = {
    {"inlines", NULL}, {"text", NULL}, {"target", NULL}, {NULL}, {NULL},
};
/* What children side by side are together; what blocks.py says of elements by their names has one more for frames, and
   one for those that it looks at. */
enum { LINE, ITEMS, CODE, ALONE, FRAME, LOOKED_AT };
enum { FEWEST_CONTENTS = 3 }; /* links into the page of a table of contents, see paragraphs.py */

static PyTypeObject *node_type;
static PyObject *kinds, *kind_of_node, *together, *is_plain, *read_block, *read_line, *parted, *without_labels;
static PyObject *key_class, *key_role, *empty, *name_references, *name_left_out;

/* How a page is read, and the elements around what is read just now; all but the path borrowed. */
typedef struct {
    PyObject *reading, *references, *left_out, *path;
} Page;

static int put_blocks(PyObject *blocks, Node *node, Page *page);

/* Appends what a function gave, and takes it; -1 where it gave nothing. */
static int extend(PyObject *blocks, PyObject *more)
{
    if (more == NULL)
        return -1;
    Py_ssize_t end = PyList_GET_SIZE(blocks);
    int failed = PyList_Check(more) ? PyList_SetSlice(blocks, end, end, more) : -1;
    if (failed && !PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "blocks are a list");
    Py_DECREF(more);
    return failed;
}

/* Whether an event is among those that are left out; -1 where Python failed. */
static int is_left_out(const Page *page, PyObject *event)
{
    return PySet_GET_SIZE(page->left_out) ? PySet_Contains(page->left_out, event) : 0;
}

static bool is_white(PyObject *child)
{
    if (!PyUnicode_Check(child))
        return false;
    int kind = PyUnicode_KIND(child);
    const void *data = PyUnicode_DATA(child);
    Py_ssize_t at = 0, length = PyUnicode_GET_LENGTH(child);
    while (at < length && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, at)))
        at++;
    return at == length && length;
}

/* Whether a line is a paragraph and surely nothing else: no formula or line break parts it, and it is no table of
   contents. */
static bool is_paragraph(PyObject *line)
{
    Py_ssize_t links = 0, into_page = 0;
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(line); at++) {
        PyObject *piece = PyTuple_GET_ITEM(line, at);
        if (is_of(&shapes[BREAK], piece) || is_of(&shapes[FORMULA], piece))
            return false;
        if (is_of(&shapes[LINK], piece)) {
            PyObject *target = text_field(&shapes[LINK], piece, 0);
            links++;
            into_page += target != NULL && PyUnicode_GET_LENGTH(target) && PyUnicode_READ_CHAR(target, 0) == '#';
        }
    }
    return links < FEWEST_CONTENTS || into_page < links;
}

/* Appends the blocks of children from one place to another, which stand in a line: mostly one paragraph. */
static int put_line(PyObject *blocks, PyObject *children, Py_ssize_t first, Py_ssize_t end, const Page *page)
{
    while (first < end && is_white(PyList_GET_ITEM(children, first)))
        first++;
    while (first < end && is_white(PyList_GET_ITEM(children, end - 1)))
        end--;
    PyObject *run = PyList_GetSlice(children, first, end);
    PyObject *arguments[] = {run, page->reading};
    PyObject *line = run == NULL ? NULL : PyObject_Vectorcall(read_line, arguments, 2, NULL);
    Py_XDECREF(run);
    if (line == NULL || !PyTuple_Check(line)) {
        if (line != NULL)
            PyErr_SetString(PyExc_TypeError, "a line is a tuple of pieces");
        Py_XDECREF(line);
        return -1;
    }
    int failed = 0;
    if (PyTuple_GET_SIZE(line) && is_paragraph(line)) {
        PyObject *paragraph = shapes[PARAGRAPH].type->tp_alloc(shapes[PARAGRAPH].type, 0);
        if (paragraph != NULL)
            *(PyObject **)((char *)paragraph + shapes[PARAGRAPH].places[0]) = Py_NewRef(line);
        failed = PyErr_Occurred() || paragraph == NULL || PyList_Append(blocks, paragraph);
        Py_XDECREF(paragraph);
    } else if (PyTuple_GET_SIZE(line)) {
        failed = PyErr_Occurred() ? -1 : extend(blocks, PyObject_CallOneArg(parted, line));
    }
    Py_DECREF(line);
    return failed ? -1 : 0;
}

/* What an element is among its neighbours; -1 where Python failed. */
static int kind_of(Node *node)
{
    PyObject *known = PyDict_GetItemWithError(kinds, node->tag);
    if (known == NULL && PyErr_Occurred())
        return -1;
    long kind = known != NULL ? PyLong_AsLong(known) : node->has_block ? LOOKED_AT : LINE;
    if (kind == LOOKED_AT) {
        PyObject *number = PyObject_CallOneArg(kind_of_node, (PyObject *)node);
        kind = number == NULL ? -1 : PyLong_AsLong(number);
        Py_XDECREF(number);
    }
    if ((kind < LINE || kind > FRAME) && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "nobody knows what this element is among its neighbours");
    return kind < LINE || kind > FRAME ? -1 : (int)kind;
}

/* Whether a frame says nothing of what is in it; -1 where Python failed. */
static int is_silent(Node *node)
{
    if (!PyDict_GET_SIZE(node->attributes))
        return 1;
    PyObject *names = PyDict_GetItemWithError(node->attributes, key_class);
    PyObject *role = PyErr_Occurred() ? NULL : PyDict_GetItemWithError(node->attributes, key_role);
    if (PyErr_Occurred())
        return -1;
    if (names == NULL && role == NULL)
        return 1;
    PyObject *arguments[] = {names == NULL ? empty : names, role == NULL ? empty : role};
    PyObject *answer = PyObject_Vectorcall(is_plain, arguments, 2, NULL);
    int silent = answer == NULL ? -1 : PyObject_IsTrue(answer);
    Py_XDECREF(answer);
    return silent;
}

/* Appends the blocks of children of one kind, from one place of the run to its end. */
static int put_run(PyObject *blocks, PyObject *run, int kind, Page *page)
{
    if (kind == LINE)
        return put_line(blocks, run, 0, PyList_GET_SIZE(run), page);
    Node *node = (Node *)PyList_GET_ITEM(run, 0);
    int silent = kind == FRAME ? is_silent(node) : 0;
    if (silent)
        return silent < 0 ? -1 : put_blocks(blocks, node, page);
    PyObject *number = kind < ALONE ? PyLong_FromLong(kind) : NULL;
    PyObject *arguments[] = {(PyObject *)node, page->reading, page->path, NULL};
    PyObject *of_kind[] = {number, run, page->reading, page->path};
    PyObject *more = kind >= ALONE     ? PyObject_Vectorcall(read_block, arguments, 3, NULL)
                     : number == NULL ? NULL
                                      : PyObject_Vectorcall(together, of_kind, 4, NULL);
    Py_XDECREF(number);
    return extend(blocks, more);
}

/* Whether a child of an element without blocks may be one, or is left out; -1 where Python failed. */
static int may_be_more(PyObject *children, const Page *page)
{
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(children); at++) {
        PyObject *child = PyList_GET_ITEM(children, at);
        if (!Py_IS_TYPE(child, node_type))
            continue;
        PyObject *tag = ((Node *)child)->tag;
        if (!PyUnicode_CompareWithASCIIString(tag, "code") || !PyUnicode_CompareWithASCIIString(tag, "hr"))
            return 1;
        int left_out = is_left_out(page, ((Node *)child)->event);
        if (left_out)
            return left_out;
    }
    return 0;
}

/* Puts a run that has ended, and empties it. */
static int end_run(PyObject *blocks, PyObject *run, int kind, Page *page)
{
    if (!PyList_GET_SIZE(run))
        return 0;
    return put_run(blocks, run, kind, page) || PyList_SetSlice(run, 0, PyList_GET_SIZE(run), NULL) ? -1 : 0;
}

/* Appends the blocks of children, run by run. */
static int put_runs(PyObject *blocks, PyObject *children, Page *page, bool *has_code)
{
    PyObject *run = PyList_New(0);
    int kind = LINE, failed = run == NULL; /* of the run */
    for (Py_ssize_t at = 0; !failed && at < PyList_GET_SIZE(children); at++) {
        PyObject *child = PyList_GET_ITEM(children, at);
        int own = LINE;
        if (PyUnicode_Check(child)) {
            if ((!PyList_GET_SIZE(run) || kind != LINE) && is_white(child))
                continue;
        } else if (!Py_IS_TYPE(child, node_type)) {
            PyErr_SetString(PyExc_TypeError, "the children of a node are nodes and texts");
            own = -1;
        } else {
            PyObject *event = ((Node *)child)->event;
            int left_out = is_left_out(page, event), called = left_out > 0 ? PyDict_Contains(page->references, event) : 1;
            if (left_out > 0 && !called)
                continue;
            own = left_out < 0 || called < 0 ? -1 : kind_of((Node *)child);
        }
        failed = own < 0;
        if (!failed && (own != kind || own >= ALONE))
            failed = end_run(blocks, run, kind, page);
        kind = own;
        *has_code = *has_code || own == CODE;
        failed = failed || PyList_Append(run, child);
    }
    failed = failed || end_run(blocks, run, kind, page);
    Py_XDECREF(run);
    return failed ? -1 : 0;
}

/* Appends the blocks inside a node. */
static int put_blocks(PyObject *blocks, Node *node, Page *page)
{
    PyObject *children = node->children;
    if (!PyList_GET_SIZE(children))
        return 0;
    int more = node->has_block ? 1 : may_be_more(children, page);
    if (more <= 0)
        return more < 0 ? -1 : put_line(blocks, children, 0, PyList_GET_SIZE(children), page);
    if (Py_EnterRecursiveCall(" in the blocks of a page"))
        return -1;
    PyObject *inside = PyList_New(0);
    Py_ssize_t depth = PyList_GET_SIZE(page->path);
    bool has_code = false;
    int failed = inside == NULL || PyList_Append(page->path, (PyObject *)node) ||
                 put_runs(inside, children, page, &has_code) ||
                 PyList_SetSlice(page->path, depth, PyList_GET_SIZE(page->path), NULL);
    if (!failed && has_code)
        Py_SETREF(inside, PyObject_CallOneArg(without_labels, inside));
    Py_LeaveRecursiveCall();
    if (failed) {
        Py_XDECREF(inside);
        return -1;
    }
    return extend(blocks, inside);
}

static PyObject *blocks_of(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    if (node_type == NULL || count < 2 || count > 3 || !Py_IS_TYPE(arguments[0], node_type) ||
        (count == 3 && arguments[2] != Py_None && !PyList_Check(arguments[2])))
        return PyErr_Format(PyExc_TypeError, "blocks_of(node, reading, above)");
    PyObject *reading = arguments[1];
    Page page = {reading, PyObject_GetAttr(reading, name_references), PyObject_GetAttr(reading, name_left_out), NULL};
    PyObject *blocks = PyList_New(0);
    page.path = count == 3 && arguments[2] != Py_None ? PyList_GetSlice(arguments[2], 0, PY_SSIZE_T_MAX) : PyList_New(0);
    bool whole = blocks != NULL && page.path != NULL && page.references != NULL && page.left_out != NULL;
    if (whole && (!PyDict_Check(page.references) || !PyAnySet_Check(page.left_out))) {
        PyErr_SetString(PyExc_TypeError, "a page is read with its references, and what is left out");
        whole = false;
    }
    if (!whole || put_blocks(blocks, (Node *)arguments[0], &page))
        Py_CLEAR(blocks);
    Py_XDECREF(page.references);
    Py_XDECREF(page.left_out);
    Py_XDECREF(page.path);
    return blocks;
}

static PyObject *connect(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *classes, *node, *by_tag, *functions[7];
    if (!PyArg_ParseTuple(arguments, "O!O!O!OOOOOOO", &PyTuple_Type, &classes, &PyType_Type, &node, &PyDict_Type, &by_tag,
                          &functions[0], &functions[1], &functions[2], &functions[3], &functions[4], &functions[5],
                          &functions[6]))
        return NULL;
    if (PyTuple_GET_SIZE(classes) != SHAPES || ((PyTypeObject *)node)->tp_basicsize != sizeof(Node))
        return PyErr_Format(PyExc_TypeError, "these are not the values of a document and the node of a tree");
    for (int at = 0; at < SHAPES; at++)
        if (shape_of(&shapes[at], PyTuple_GET_ITEM(classes, at), FIELDS[at]))
            return NULL;
    PyObject **places[] = {&kind_of_node, &together, &is_plain, &read_block, &read_line, &parted, &without_labels};
    for (int at = 0; at < 7; at++)
        Py_XSETREF(*places[at], Py_NewRef(functions[at]));
    Py_XSETREF(kinds, Py_NewRef(by_tag));
    Py_INCREF(node);
    Py_XDECREF(node_type);
    node_type = (PyTypeObject *)node;
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"connect", connect, METH_VARARGS,
     "connect(classes, node, kinds, kind_of, together, is_plain, block, line, parted, without_labels): called once."},
    {"blocks_of", (PyCFunction)(void (*)(void))blocks_of, METH_FASTCALL,
     "blocks_of(node, reading, above): the blocks inside an element, see blocks.py."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_blocks", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__blocks(void)
{
    key_class = PyUnicode_InternFromString("class");
    key_role = PyUnicode_InternFromString("role");
    empty = PyUnicode_InternFromString("");
    name_references = PyUnicode_InternFromString("references");
    name_left_out = PyUnicode_InternFromString("left_out");
    bool whole = key_class != NULL && key_role != NULL && empty != NULL && name_references != NULL && name_left_out != NULL;
    return whole ? PyModule_Create(&MODULE) : NULL;
}
