/* The nodes of a tree as Python sees them: made where somebody looks, one for each element, and filled as they are asked.

   Data flow: Part  --node_of-->  Node;  Node  --tag, attributes, children, ...-->  objects of Python

   A node may also stand for itself, made in Python with all of its fields. nodes.py has the same class as its reference. */

#ifndef RUIJI_DOCUMENT_NODE_H
#define RUIJI_DOCUMENT_NODE_H

#include "_tree.h"
#include <structmember.h>

typedef struct {
    PyObject_HEAD
    Tree *tree; /* NULL of a node that stands for itself */
    Part *part;
    PyObject *tag, *event, *attributes, *children; /* str, int, dict, list of nodes and texts; NULL where nobody asked */
    char has_block;
} Node;

static PyTypeObject NODE, TREE;
static PyObject *nothing; /* the attributes of an element that has none */

static bool is_node(PyObject *object) { return Py_IS_TYPE(object, &NODE); }

static void tree_dealloc(Tree *self)
{
    release_arena(&self->arena);
    PyObject *owned[] = {self->held, self->events, self->texts, self->attributes, self->rows, self->values,
                         self->attribute_names, self->names, self->customs};
    for (size_t at = 0; at < sizeof owned / sizeof *owned; at++)
        Py_XDECREF(owned[at]);
    PyObject_Free(self);
}

static PyTypeObject TREE = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "ruiji.chunker.document._document.Tree",
    .tp_basicsize = sizeof(Tree),
    .tp_flags = Py_TPFLAGS_DEFAULT, /* parts do not own their nodes: no circles */
    .tp_doc = "What the nodes of a page share.",
    .tp_dealloc = (destructor)tree_dealloc,
};

static void node_dealloc(Node *self)
{
    if (self->part != NULL)
        self->part->view = NULL;
    Py_XDECREF(self->tag);
    Py_XDECREF(self->event);
    Py_XDECREF(self->attributes);
    Py_XDECREF(self->children);
    Py_XDECREF(self->tree);
    PyObject_Free(self);
}

/* The node that shows an element of a tree; a new reference. */
static PyObject *node_of(Tree *tree, Part *part)
{
    if (part->view != NULL)
        return Py_NewRef(part->view);
    Node *node = PyObject_New(Node, &NODE);
    if (node == NULL)
        return NULL;
    node->tree = (Tree *)Py_NewRef((PyObject *)tree);
    node->part = part;
    node->tag = node->event = node->attributes = node->children = NULL;
    node->has_block = part->has_block;
    return part->view = (PyObject *)node;
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
    Node *node = PyObject_New(Node, &NODE);
    if (node == NULL)
        return NULL;
    node->tree = NULL;
    node->part = NULL;
    node->tag = Py_NewRef(tag);
    node->event = PyLong_FromLong(event);
    node->attributes = Py_NewRef(attributes);
    node->children = children == NULL ? PyList_New(0) : Py_NewRef(children);
    node->has_block = has_block != 0;
    if (node->event == NULL || node->children == NULL)
        Py_CLEAR(node);
    return (PyObject *)node;
}

/* The fields, borrowed: filled where nobody asked before; NULL with an exception where they cannot be. */
static PyObject *event_of(Node *self)
{
    if (self->event == NULL)
        self->event = PyLong_FromLong(self->part->event);
    return self->event;
}

static PyObject *tag_of(Node *self)
{
    if (self->tag != NULL)
        return self->tag;
    PyObject *tag = self->part->number == CUSTOM && event_of(self) != NULL
                        ? PyDict_GetItemWithError(self->tree->customs, self->event)
                        : PyTuple_GET_ITEM(self->tree->names, self->part->number);
    if (tag == NULL || !PyUnicode_CheckExact(tag)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "an element without a name");
        return NULL;
    }
    return self->tag = Py_NewRef(tag);
}

static PyObject *attributes_of(Node *self)
{
    if (self->attributes == NULL && self->part->row < 0)
        self->attributes = Py_NewRef(nothing);
    if (self->attributes == NULL && event_of(self) != NULL) {
        PyObject *own = PyObject_CallMethod(self->tree->attributes, "get", "OO", self->event, nothing);
        if (own != NULL && !PyDict_CheckExact(own)) {
            Py_CLEAR(own);
            PyErr_SetString(PyExc_TypeError, "the attributes of an element are a dict");
        }
        self->attributes = own;
    }
    return self->attributes;
}

static PyObject *children_of(Node *self)
{
    if (self->children != NULL)
        return self->children;
    PyObject *children = PyList_New(0);
    for (Part *child = self->part->first; children != NULL && child != NULL; child = child->next) {
        PyObject *shown = child->text != NULL ? Py_NewRef(child->text) : node_of(self->tree, child);
        if (shown == NULL || PyList_Append(children, shown))
            Py_CLEAR(children);
        Py_XDECREF(shown);
    }
    return self->children = children;
}

static PyObject *get_tag(Node *self, void *unused) { return (void)unused, Py_XNewRef(tag_of(self)); }
static PyObject *get_event(Node *self, void *unused) { return (void)unused, Py_XNewRef(event_of(self)); }
static PyObject *get_attributes(Node *self, void *unused) { return (void)unused, Py_XNewRef(attributes_of(self)); }
static PyObject *get_children(Node *self, void *unused) { return (void)unused, Py_XNewRef(children_of(self)); }

static PyObject *node_get(Node *self, PyObject *name)
{
    PyObject *own = attributes_of(self), *value = own == NULL ? NULL : PyDict_GetItemWithError(own, name);
    if (value != NULL)
        return Py_NewRef(value);
    return PyErr_Occurred() ? NULL : PyUnicode_New(0, 0);
}

static PyObject *node_elements(Node *self, void *unused)
{
    PyObject *children = children_of(self), *found = children == NULL ? NULL : PyList_New(0);
    (void)unused;
    for (Py_ssize_t at = 0; found != NULL && at < PyList_GET_SIZE(children); at++) {
        PyObject *child = PyList_GET_ITEM(children, at);
        if (!PyUnicode_CheckExact(child) && PyList_Append(found, child) < 0)
            Py_CLEAR(found);
    }
    return found;
}

/* What is gathered of a tree. */
typedef struct {
    PyObject *found, *tags; /* a list; a set, or NULL for all elements */
    bool elements;          /* or texts */
    int attribute;          /* which must hold the part, -1 for none */
    const char *part;
    Py_ssize_t length;
} Gathering;

/* Whether bytes hold others; ASCII letters in any case. */
static bool holds(const char *data, Py_ssize_t length, const char *part, Py_ssize_t part_length)
{
    for (const char *end = data + length - part_length; data <= end; data++) {
        Py_ssize_t at = 0;
        while (at < part_length && Py_TOLOWER((unsigned char)data[at]) == part[at])
            at++;
        if (at == part_length)
            return true;
    }
    return false;
}

static int is_wanted(const Gathering *gathering, Tree *tree, Part *part)
{
    const char *bytes;
    Py_ssize_t length;
    if (gathering->attribute >= 0 && !(attribute_of(tree, part, gathering->attribute, &bytes, &length) &&
                                       holds(bytes, length, gathering->part, gathering->length)))
        return 0;
    if (gathering->tags == NULL)
        return 1;
    if (part->number != CUSTOM)
        return PySet_Contains(gathering->tags, PyTuple_GET_ITEM(tree->names, part->number));
    PyObject *event = PyLong_FromLong(part->event), *tag = event == NULL ? NULL : PyDict_GetItemWithError(tree->customs, event);
    Py_XDECREF(event);
    return tag == NULL ? (PyErr_Occurred() ? -1 : 0) : PySet_Contains(gathering->tags, tag);
}

/* The part behind another in the order of a page, inside of a root; NULL at the end. */
static Part *part_behind(const Part *root, Part *part)
{
    if (part->first != NULL)
        return part->first;
    while (part != root && part->next == NULL)
        part = part->parent;
    return part == root ? NULL : part->next;
}

static int gather_parts(Gathering *gathering, Tree *tree, Part *root)
{
    for (Part *part = part_behind(root, root); part != NULL; part = part_behind(root, part)) {
        if (part->text != NULL) {
            if (!gathering->elements && PyList_Append(gathering->found, part->text))
                return -1;
            continue;
        }
        int wanted = gathering->elements ? is_wanted(gathering, tree, part) : 0;
        PyObject *node = wanted > 0 ? node_of(tree, part) : NULL;
        int failed = wanted < 0 || (wanted && (node == NULL || PyList_Append(gathering->found, node)));
        Py_XDECREF(node);
        if (failed)
            return -1;
    }
    return 0;
}

/* The same of a node that stands for itself. */
static int gather(Gathering *gathering, Node *self)
{
    if (self->part != NULL && self->children == NULL)
        return gather_parts(gathering, self->tree, self->part);
    if (Py_EnterRecursiveCall(" in the tree of a page"))
        return -1;
    int failed = 0;
    PyObject *children = children_of(self);
    for (Py_ssize_t at = 0; !failed && children != NULL && at < PyList_GET_SIZE(children); at++) {
        PyObject *child = PyList_GET_ITEM(children, at);
        if (is_node(child)) {
            PyObject *tag = tag_of((Node *)child);
            int wanted = tag == NULL ? -1 : !gathering->elements ? 0 : gathering->tags == NULL ? 1 : PySet_Contains(gathering->tags, tag);
            failed = wanted < 0 || (wanted && PyList_Append(gathering->found, child)) || gather(gathering, (Node *)child);
        } else if (PyUnicode_Check(child)) {
            failed = !gathering->elements && PyList_Append(gathering->found, child) < 0;
        } else {
            PyErr_SetString(PyExc_TypeError, "the children of a node are nodes and texts");
            failed = 1;
        }
    }
    Py_LeaveRecursiveCall();
    return failed || children == NULL ? -1 : 0;
}

static PyObject *gathered(Node *self, bool elements, PyObject *tags)
{
    Gathering gathering = {PyList_New(0), tags, elements, -1, NULL, 0};
    if (gathering.found != NULL && gather(&gathering, self))
        Py_CLEAR(gathering.found);
    return gathering.found;
}

static PyObject *node_texts(Node *self, PyObject *unused) { return (void)unused, gathered(self, false, NULL); }

static PyObject *node_descendants(Node *self, PyObject *unused) { return (void)unused, gathered(self, true, NULL); }

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
    {"has_block", T_BOOL, offsetof(Node, has_block), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef NODE_PROPERTIES[] = {
    {"tag", (getter)get_tag, NULL, NULL, NULL},
    {"event", (getter)get_event, NULL, NULL, NULL},
    {"attributes", (getter)get_attributes, NULL, NULL, NULL},
    {"children", (getter)get_children, NULL, NULL, NULL},
    {"elements", (getter)node_elements, NULL, "The children that are elements.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject NODE = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "ruiji.chunker.document._document.Node",
    .tp_basicsize = sizeof(Node),
    .tp_flags = Py_TPFLAGS_DEFAULT, /* children do not know their parents: no circles */
    .tp_doc = "An element with its kept children, see nodes.py.",
    .tp_new = node_new,
    .tp_dealloc = (destructor)node_dealloc,
    .tp_methods = NODE_METHODS,
    .tp_members = NODE_MEMBERS,
    .tp_getset = NODE_PROPERTIES,
};

#endif
