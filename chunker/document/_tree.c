/* The tree of what is content, in C: its nodes, and their growing from the events of the walk.

   Data flow: events, which elements and texts are kept, attributes  --grow-->  Node, with its children in it

   nodes.py and tree.py have the same class and the same loop as their reference; tests hold them against each other. What a
   function points into is checked before it is read. Nothing is kept between calls but a dict that is always empty. */

#include "_tree.h"
#include <structmember.h>

/* Events, as in steps.py, and what elements are, as tree.py says by number. */
enum { END = 0, SPACE = 1, TEXT = 2, NEW_LINE_SPACE = 3, LAST_NO_ELEMENT = 5, CUSTOM = 255 };
enum { BLOCK = 1, EMPTY_TOO = 2, ANCHOR = 4, READING = 8 };
enum { SHORT = 64 }; /* events of an element that is looked into for white space, as in tree.py */

static PyObject *nothing; /* the attributes of an element that has none */

static PyTypeObject NODE;

static bool is_node(PyObject *object) { return Py_IS_TYPE(object, &NODE); }

static void node_dealloc(Node *self)
{
    Py_XDECREF(self->tag);
    Py_XDECREF(self->event);
    Py_XDECREF(self->attributes);
    Py_XDECREF(self->children);
    PyObject_Free(self);
}

/* A node; the event and the list of children are given away. NULL with an exception where one of them is. */
static Node *node_of(PyObject *tag, PyObject *event, PyObject *attributes, PyObject *children, int has_block)
{
    Node *node = event == NULL || children == NULL ? NULL : PyObject_New(Node, &NODE);
    if (node == NULL) {
        Py_XDECREF(event);
        Py_XDECREF(children);
        return NULL;
    }
    node->tag = Py_NewRef(tag);
    node->event = event;
    node->attributes = Py_NewRef(attributes);
    node->children = children;
    node->has_block = has_block != 0;
    return node;
}

static PyObject *node_new(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
    static char *names[] = {"tag", "event", "attributes", "children", "has_block", NULL};
    PyObject *tag, *attributes = nothing, *children = NULL;
    int event = -1, has_block = 0;
    (void)type;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "U|iO!O!p", names, &tag, &event, &PyDict_Type, &attributes,
                                     &PyList_Type, &children, &has_block))
        return NULL;
    return (PyObject *)node_of(tag, PyLong_FromLong(event), attributes,
                               children == NULL ? PyList_New(0) : Py_NewRef(children), has_block);
}

static PyObject *node_get(Node *self, PyObject *name)
{
    PyObject *value = PyDict_GetItemWithError(self->attributes, name);
    if (value != NULL)
        return Py_NewRef(value);
    return PyErr_Occurred() ? NULL : PyUnicode_New(0, 0);
}

static PyObject *node_elements(Node *self, void *unused)
{
    PyObject *found = PyList_New(0);
    (void)unused;
    for (Py_ssize_t at = 0; found != NULL && at < PyList_GET_SIZE(self->children); at++) {
        PyObject *child = PyList_GET_ITEM(self->children, at);
        if (!PyUnicode_CheckExact(child) && PyList_Append(found, child) < 0)
            Py_CLEAR(found);
    }
    return found;
}

/* Appends all texts inside, or all elements, of these tags where any are given; -1 where Python failed. */
static int gather(Node *self, PyObject *found, bool elements, PyObject *tags)
{
    if (Py_EnterRecursiveCall(" in the tree of a page"))
        return -1;
    int failed = 0;
    for (Py_ssize_t at = 0; !failed && at < PyList_GET_SIZE(self->children); at++) {
        PyObject *child = PyList_GET_ITEM(self->children, at);
        if (is_node(child)) {
            int wanted = !elements ? 0 : tags == NULL ? 1 : PySet_Contains(tags, ((Node *)child)->tag);
            failed = wanted < 0 || (wanted && PyList_Append(found, child) < 0) || gather((Node *)child, found, elements, tags);
        } else if (PyUnicode_Check(child)) {
            failed = !elements && PyList_Append(found, child) < 0;
        } else {
            PyErr_SetString(PyExc_TypeError, "the children of a node are nodes and texts");
            failed = 1;
        }
    }
    Py_LeaveRecursiveCall();
    return failed ? -1 : 0;
}

static PyObject *gathered(Node *self, bool elements, PyObject *tags)
{
    PyObject *found = PyList_New(0);
    if (found != NULL && gather(self, found, elements, tags))
        Py_CLEAR(found);
    return found;
}

static PyObject *node_texts(Node *self, PyObject *unused)
{
    (void)unused;
    return gathered(self, false, NULL);
}

static PyObject *node_descendants(Node *self, PyObject *unused)
{
    (void)unused;
    return gathered(self, true, NULL);
}

static PyObject *node_of_tags(Node *self, PyObject *tags)
{
    if (!PyAnySet_Check(tags))
        return PyErr_Format(PyExc_TypeError, "tags are a set");
    return gathered(self, true, tags);
}

static PyObject *joined(PyObject *list, const char *separator)
{
    PyObject *between = list == NULL ? NULL : PyUnicode_FromString(separator);
    PyObject *text = between == NULL ? NULL : PyUnicode_Join(between, list);
    Py_XDECREF(between);
    Py_XDECREF(list);
    return text;
}

static PyObject *node_text(Node *self, PyObject *unused)
{
    (void)unused;
    PyObject *whole = joined(gathered(self, false, NULL), "");
    PyObject *words = whole == NULL ? NULL : PyUnicode_Split(whole, NULL, -1);
    Py_XDECREF(whole);
    return joined(words, " ");
}

static PyMethodDef NODE_METHODS[] = {
    {"get", (PyCFunction)node_get, METH_O, "get(name): the value of an attribute, or an empty text."},
    {"texts", (PyCFunction)node_texts, METH_NOARGS, "texts(): all texts inside, in order."},
    {"text", (PyCFunction)node_text, METH_NOARGS, "text(): the text inside, white space folded."},
    {"descendants", (PyCFunction)node_descendants, METH_NOARGS, "descendants(): all elements inside, in order."},
    {"of_tags", (PyCFunction)node_of_tags, METH_O, "of_tags(tags): the elements inside that have one of these, in order."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef NODE_MEMBERS[] = {
    {"tag", T_OBJECT_EX, offsetof(Node, tag), READONLY, NULL},
    {"event", T_OBJECT_EX, offsetof(Node, event), READONLY, NULL},
    {"attributes", T_OBJECT_EX, offsetof(Node, attributes), READONLY, NULL},
    {"children", T_OBJECT_EX, offsetof(Node, children), READONLY, NULL},
    {"has_block", T_BOOL, offsetof(Node, has_block), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef NODE_PROPERTIES[] = {
    {"elements", (getter)node_elements, NULL, "The children that are elements.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject NODE = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "ruiji.chunker.document._tree.Node",
    .tp_basicsize = sizeof(Node),
    .tp_flags = Py_TPFLAGS_DEFAULT, /* children do not know their parents: no circles */
    .tp_doc = "An element with its kept children, see nodes.py.",
    .tp_new = node_new,
    .tp_dealloc = (destructor)node_dealloc,
    .tp_methods = NODE_METHODS,
    .tp_members = NODE_MEMBERS,
    .tp_getset = NODE_PROPERTIES,
};

/* A page, and what grows of it. */
typedef struct {
    const unsigned char *events, *kinds;
    PyObject *texts, *attributes, *blanks, *unseen, *customs, *names, *get, *space, *border;
    int32_t *closing; /* of an event where an element opens: the event that closes it; else 0 */
    int32_t *before;  /* of each event: the texts before it */
    bool *kept;       /* of each event: whether a kept element opens there */
    const bool *keep; /* of each text */
    Node **stack;     /* borrowed: each is a child of the one before */
    Py_ssize_t count, text_count, height;
} Growth;

static Node *top(Growth *growth) { return growth->stack[growth->height - 1]; }

/* Appends and gives the reference away; -1 where something failed before or now. */
static int add(Growth *growth, PyObject *child)
{
    int failed = child == NULL || PyList_Append(top(growth)->children, child) < 0;
    Py_XDECREF(child);
    return failed ? -1 : 0;
}

static void mark_block(Growth *growth)
{
    for (Py_ssize_t level = growth->height; level-- && !growth->stack[level]->has_block;)
        growth->stack[level]->has_block = true;
}

/* A child of the innermost element, counted from its end; borrowed, NULL where there are fewer. */
static PyObject *last_child(Growth *growth, Py_ssize_t back)
{
    PyObject *children = top(growth)->children;
    Py_ssize_t count = PyList_GET_SIZE(children);
    return count < back ? NULL : PyList_GET_ITEM(children, count - back);
}

/* White space as it stands; a space where nobody noted it, one for several. */
static int add_space(Growth *growth, Py_ssize_t at)
{
    if (PyDict_GET_SIZE(growth->blanks)) { /* white space is noted from the first code on */
        PyObject *event = PyLong_FromSsize_t(at);
        PyObject *noted = event == NULL ? NULL : PyDict_GetItemWithError(growth->blanks, event);
        Py_XDECREF(event);
        if (noted != NULL)
            return add(growth, Py_NewRef(noted));
        if (PyErr_Occurred())
            return -1;
    }
    return last_child(growth, 1) == growth->space ? 0 : add(growth, Py_NewRef(growth->space));
}

/* Whether a child is what was left for a block that is not kept. */
static bool is_border(PyObject *child)
{
    if (child == NULL || !is_node(child))
        return false;
    Node *node = (Node *)child;
    return node->attributes == nothing && !PyList_GET_SIZE(node->children) &&
           !PyUnicode_CompareWithASCIIString(node->tag, "div");
}

/* A border where something was left out, one for several. */
static int add_border(Growth *growth, PyObject *event)
{
    PyObject *last = last_child(growth, 1);
    if (is_border(last == growth->space ? last_child(growth, 2) : last))
        return 0;
    mark_block(growth);
    return add(growth, (PyObject *)node_of(growth->border, Py_NewRef(event), nothing, PyList_New(0), false));
}

static PyObject *tag_of(Growth *growth, Py_ssize_t at, PyObject *event)
{
    unsigned char number = growth->events[at];
    PyObject *tag = number == CUSTOM ? PyDict_GetItemWithError(growth->customs, event)
                                     : PyTuple_GET_ITEM(growth->names, number);
    if (tag == NULL || !PyUnicode_CheckExact(tag)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "an element without a name");
        return NULL;
    }
    return tag;
}

/* A list of the text of an element that is not shown, where there is one or one must be there. */
static PyObject *unseen_text(Growth *growth, PyObject *event, bool needed)
{
    PyObject *text = PyDict_GetItemWithError(growth->unseen, event);
    if (text == NULL && PyErr_Occurred())
        return NULL;
    PyObject *list = PyList_New(0), *shown = text == NULL && needed ? PyUnicode_New(0, 0) : Py_XNewRef(text);
    if (list != NULL && shown != NULL && PyList_Append(list, shown) < 0)
        Py_CLEAR(list);
    Py_XDECREF(shown);
    return list;
}

/* An element that is kept: what follows belongs to it until it ends. Deeper ones are taken as the last. */
static int open_kept(Growth *growth, Py_ssize_t at, PyObject *event, PyObject *tag, PyObject *own, Py_ssize_t deepest)
{
    Node *node = top(growth);
    if (growth->height < deepest) {
        node = node_of(tag, Py_NewRef(event), own, unseen_text(growth, event, false), false);
        if (add(growth, (PyObject *)node))
            return -1;
        if (growth->kinds[growth->events[at]] & BLOCK)
            mark_block(growth);
    }
    growth->stack[growth->height++] = node;
    return 0;
}

/* What is there of an element that is not kept. */
static int pass_by(Growth *growth, Py_ssize_t at, PyObject *event, PyObject *tag, PyObject *own)
{
    unsigned char kind = growth->kinds[growth->events[at]];
    if (kind & READING)
        return add(growth, (PyObject *)node_of(tag, Py_NewRef(event), own, unseen_text(growth, event, true), false));
    bool is_place = false;
    if (kind & ANCHOR) {
        int id = PyMapping_HasKeyString(own, "id"), name = PyMapping_HasKeyString(own, "name");
        is_place = id || name;
    }
    if ((kind & EMPTY_TOO) || is_place)
        return add(growth, (PyObject *)node_of(tag, Py_NewRef(event), own, PyList_New(0), false));
    Py_ssize_t end = growth->closing[at];
    if (!(kind & BLOCK) && growth->before[at] == growth->before[end] && end - at < SHORT) {
        for (Py_ssize_t place = at; place < end; place++)
            if ((growth->events[place] == SPACE || growth->events[place] == NEW_LINE_SPACE) && add_space(growth, place))
                return -1;
        return 0;
    }
    return kind & BLOCK ? add_border(growth, event) : 0;
}

/* An element; the event at which to go on, -1 where Python failed. */
static Py_ssize_t open_element(Growth *growth, Py_ssize_t at, Py_ssize_t deepest)
{
    bool kept = growth->kept[at];
    unsigned char kind = growth->kinds[growth->events[at]];
    if (!kept && !kind && growth->before[at] != growth->before[growth->closing[at]])
        return growth->closing[at]; /* most are: in lines, left out */
    PyObject *event = PyLong_FromSsize_t(at);
    PyObject *tag = event == NULL ? NULL : tag_of(growth, at, event), *own = NULL;
    if (tag != NULL) {
        PyObject *arguments[] = {growth->attributes, event, nothing};
        own = kept || kind & ~BLOCK ? PyObject_VectorcallMethod(growth->get, arguments, 3, NULL) : Py_NewRef(nothing);
    }
    int failed = own == NULL;
    if (own != NULL && !PyDict_CheckExact(own)) {
        PyErr_SetString(PyExc_TypeError, "the attributes of an element are a dict");
        failed = 1;
    }
    if (!failed)
        failed = kept ? open_kept(growth, at, event, tag, own, deepest) : pass_by(growth, at, event, tag, own);
    Py_XDECREF(own);
    Py_XDECREF(event);
    return failed ? -1 : kept ? at : growth->closing[at];
}

static int grow_all(Growth *growth, Py_ssize_t deepest)
{
    for (Py_ssize_t at = 0; at < growth->count; at++) {
        unsigned char event = growth->events[at];
        if (event == TEXT) {
            int32_t text = growth->before[at];
            if (growth->keep[text] && add(growth, Py_NewRef(PyList_GET_ITEM(growth->texts, text))))
                return -1;
        } else if (event == SPACE || event == NEW_LINE_SPACE) {
            if (add_space(growth, at))
                return -1;
        } else if (event == END) {
            growth->height -= growth->height > 1;
        } else if ((at = open_element(growth, at, deepest)) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Where elements end and which are kept, by event; -1 with an exception where the columns do not fit the events. */
static int place_elements(Growth *growth, const int32_t *opened, const int32_t *closed, const bool *kept, Py_ssize_t count)
{
    int32_t texts = 0;
    for (Py_ssize_t at = 0; at < growth->count; at++) {
        growth->before[at] = texts;
        texts += growth->events[at] == TEXT;
    }
    bool fits = texts == growth->text_count;
    for (Py_ssize_t element = 0; fits && element < count; element++) {
        fits = opened[element] >= 0 && opened[element] < closed[element] && closed[element] < growth->count;
        if (fits)
            growth->closing[opened[element]] = closed[element], growth->kept[opened[element]] = kept[element];
    }
    for (Py_ssize_t at = 0; fits && at < growth->count; at++)
        fits = growth->events[at] <= LAST_NO_ELEMENT || growth->closing[at] > 0;
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "the columns of a page do not fit its events");
    return fits ? 0 : -1;
}

static PyObject *grown(Growth *growth, Buffers *buffers, PyObject **columns, Py_ssize_t deepest)
{
    Py_ssize_t elements = -1;
    const int32_t *opened = take(buffers, columns[0], &elements, sizeof *opened, false);
    const int32_t *closed = opened == NULL ? NULL : take(buffers, columns[1], &elements, sizeof *closed, false);
    const bool *kept = closed == NULL ? NULL : take(buffers, columns[2], &elements, sizeof *kept, false);
    growth->keep = kept == NULL ? NULL : take(buffers, columns[3], &growth->text_count, sizeof *growth->keep, false);
    if (growth->keep == NULL)
        return NULL;
    growth->closing = PyMem_Calloc((size_t)growth->count + 1, sizeof *growth->closing);
    growth->before = PyMem_Calloc((size_t)growth->count + 1, sizeof *growth->before);
    growth->kept = PyMem_Calloc((size_t)growth->count + 1, sizeof *growth->kept);
    growth->stack = PyMem_Calloc((size_t)elements + 2, sizeof *growth->stack);
    PyObject *root = NULL, *body = PyUnicode_InternFromString("body");
    if (growth->closing == NULL || growth->before == NULL || growth->kept == NULL || growth->stack == NULL) {
        PyErr_NoMemory();
    } else if (body != NULL && !place_elements(growth, opened, closed, kept, elements)) {
        root = (PyObject *)node_of(body, PyLong_FromLong(-1), nothing, PyList_New(0), false);
        if (root != NULL) {
            growth->stack[growth->height++] = (Node *)root;
            if (grow_all(growth, deepest))
                Py_CLEAR(root);
        }
    }
    Py_XDECREF(body);
    PyMem_Free(growth->closing);
    PyMem_Free(growth->before);
    PyMem_Free(growth->kept);
    PyMem_Free(growth->stack);
    return root;
}

PyDoc_STRVAR(grow_doc,
             "grow(events, opened, closed, kept, keep, texts, attributes, blanks, unseen, customs, names, kinds, deepest)\n\n"
             "The tree of the kept elements and texts, see tree.py.");

static PyObject *grow_tree(PyObject *module, PyObject *arguments)
{
    Growth growth = {0};
    Py_buffer kinds;
    PyObject *events, *columns[4];
    Py_ssize_t deepest;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!OOOOO!OO!O!O!O!y*n", &PyBytes_Type, &events, &columns[0], &columns[1], &columns[2],
                          &columns[3], &PyList_Type, &growth.texts, &growth.attributes, &PyDict_Type, &growth.blanks,
                          &PyDict_Type, &growth.unseen, &PyDict_Type, &growth.customs, &PyTuple_Type, &growth.names, &kinds,
                          &deepest))
        return NULL;
    Buffers buffers = {.count = 0};
    PyObject *root = NULL;
    growth.events = (const unsigned char *)PyBytes_AS_STRING(events);
    growth.count = PyBytes_GET_SIZE(events);
    growth.text_count = PyList_GET_SIZE(growth.texts);
    growth.kinds = kinds.buf;
    growth.get = PyUnicode_InternFromString("get");
    growth.space = PyUnicode_InternFromString(" ");
    growth.border = PyUnicode_InternFromString("div");
    if (kinds.len != 256 || PyTuple_GET_SIZE(growth.names) != 256)
        PyErr_SetString(PyExc_ValueError, "names and kinds: one for each of 256 numbers");
    else if (growth.get != NULL && growth.space != NULL && growth.border != NULL)
        root = grown(&growth, &buffers, columns, deepest);
    Py_XDECREF(growth.get);
    Py_XDECREF(growth.space);
    Py_XDECREF(growth.border);
    release(&buffers);
    PyBuffer_Release(&kinds);
    return root;
}

static PyMethodDef METHODS[] = {
    {"grow", grow_tree, METH_VARARGS, grow_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_tree", "The tree of what is content, in C.", -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__tree(void)
{
    if (nothing == NULL)
        nothing = PyDict_New();
    PyObject *module = nothing == NULL || PyType_Ready(&NODE) < 0 ? NULL : PyModule_Create(&MODULE);
    if (module != NULL && PyModule_AddObjectRef(module, "Node", (PyObject *)&NODE) < 0)
        Py_CLEAR(module);
    return module;
}
