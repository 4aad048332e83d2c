/* What the walk notes of the attributes of elements: names, links, images, what a document is written from.

   Data flow: an element  --note_described, note_names, note_link, note_details, note_meta, note_base, note_custom-->  Walk */

#ifndef RUIJI_WALK_ATTRIBUTES_H
#define RUIJI_WALK_ATTRIBUTES_H

#include "_walk_notes.h"

/* What an element says of itself or of what it shows: its alternative text and its title, as steps.DESCRIBING orders them. */
static int note_described(Walk *walk, Node *node) {
    String described[2] = {{NULL, 0}, {NULL, 0}};
    for (Attribute *own = lexbor.first_attribute(node); own != NULL; own = lexbor.next_attribute(own)) {
        size_t length;
        Bytes name = lexbor.attribute_name(own, &length);
        if (name == NULL) continue;
        int place = is(name, length, "alt") ? 0 : is(name, length, "title") ? 1 : -1;
        if (place >= 0 && described[place].data == NULL)
            described[place].data = lexbor.attribute_value(own, &described[place].length);
    }
    for (int place = 0; place < 2; place++) {
        String text = described[place];
        if (text.length && append_pair(walk->described, walk->count, decoded(text.data, text.length))) return -1;
    }
    return 0;
}

/* What the attributes call an element. */
static int note_names(Walk *walk, Node *node) {
    walk->words_length = 0;
    for (Attribute *own = lexbor.first_attribute(node); own != NULL; own = lexbor.next_attribute(own)) {
        size_t length;
        Bytes name = lexbor.attribute_name(own, &length);
        String value = {NULL, 0};
        value.data = lexbor.attribute_value(own, &value.length);
        if (name == NULL) continue;
        if (is(name, length, "class") || is(name, length, "id") || is(name, length, "role") || is(name, length, "itemprop") ||
            is(name, length, "aria-label")) {
            if (value.length && add_word(walk, (const char *)value.data, value.length)) return -1;
        } else if (is(name, length, "hidden") || (is(name, length, "aria-hidden") && value.length == 4 && is(value.data, 4, "true")) ||
                   (is(name, length, "style") && not_displayed(value.data, value.length))) {
            if (add_word(walk, "hidden-at-first", strlen("hidden-at-first"))) return -1;
        }
    }
    if (!walk->words_length) return 0;
    return append(walk->name_events, PyLong_FromSize_t(walk->count)) || append(walk->names, decoded((Bytes)walk->words, walk->words_length))
               ? -1
               : 0;
}

static int note_link(Walk *walk, Node *node) {
    String href = attribute(node, "href");
    if (href.data == NULL) return 0;
    return append(walk->anchor_events, PyLong_FromSize_t(walk->count)) || append(walk->hrefs, decoded(href.data, href.length)) ? -1 : 0;
}

/* The lengths of the wanted names by their first byte: most other names have none of these. */
static void note_lengths(Walk *walk) {
    for (Py_ssize_t number = 0; walk->details != Py_None && number < PyTuple_GET_SIZE(walk->details); number++) {
        PyObject *wanted = PyTuple_GET_ITEM(walk->details, number);
        Py_ssize_t length = PyUnicode_GET_LENGTH(wanted);
        if (length && length < 64) walk->detail_lengths[PyUnicode_1BYTE_DATA(wanted)[0]] |= (uint64_t)1 << length;
    }
}

/* Appends bytes to the values of attributes, as Python would read and write them where they are no UTF-8. */
static int put_value(Walk *walk, String value) {
    bool ascii = true;
    for (size_t at = 0; ascii && at < value.length; at++) ascii = value.data[at] < 0x80;
    PyObject *text = ascii ? NULL : decoded(value.data, value.length);
    if (text != NULL) value.data = (Bytes)PyUnicode_AsUTF8AndSize(text, (Py_ssize_t *)&value.length);
    void *at = (!ascii && text == NULL) || value.data == NULL ? NULL : grow(&walk->attribute_values, value.length);
    if (at != NULL) memcpy(at, value.data, value.length);
    Py_XDECREF(text);
    return at == NULL ? -1 : 0;
}

/* One of the attributes that a document is written from: its text is made where somebody asks for it. */
static int note_detail(Walk *walk, Py_ssize_t number, String value) {
    size_t start = walk->attribute_values.length;
    if (value.data != NULL && value.length && put_value(walk, value)) return -1;
    size_t end = walk->attribute_values.length;
    if (end > INT32_MAX || walk->count > INT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "the attributes of a page are too long");
        return -1;
    }
    int32_t row[] = {(int32_t)walk->count, (int32_t)number, (int32_t)start, (int32_t)end};
    void *at = grow(&walk->attribute_rows, sizeof row);
    if (at == NULL) return -1;
    memcpy(at, row, sizeof row);
    return 0;
}

/* The attributes that a document is written from. */
static int note_details(Walk *walk, Node *node) {
    for (Attribute *own = lexbor.first_attribute(node); own != NULL; own = lexbor.next_attribute(own)) {
        size_t length;
        Bytes name = lexbor.attribute_name(own, &length);
        if (name == NULL || !length || length > 63 || !(walk->detail_lengths[name[0]] >> length & 1)) continue;
        for (Py_ssize_t number = 0; number < PyTuple_GET_SIZE(walk->details); number++) {
            PyObject *wanted = PyTuple_GET_ITEM(walk->details, number);
            if (PyUnicode_GET_LENGTH(wanted) != (Py_ssize_t)length || memcmp(PyUnicode_DATA(wanted), name, length)) continue;
            String value = {NULL, 0};
            value.data = lexbor.attribute_value(own, &value.length);
            if (note_detail(walk, number, value)) return -1;
            break;
        }
    }
    return 0;
}

/* Whether a script is data. */
static bool is_data(Walk *walk, Node *node) {
    String type = attribute(node, "type");
    for (Py_ssize_t number = 0; number < PyTuple_GET_SIZE(walk->data_scripts); number++) {
        PyObject *start = PyTuple_GET_ITEM(walk->data_scripts, number);
        size_t length = (size_t)PyUnicode_GET_LENGTH(start);
        if (type.length >= length && !memcmp(type.data, PyUnicode_DATA(start), length)) return true;
    }
    return false;
}

static int note_meta(Walk *walk, Node *node) {
    String name = attribute(node, "name"), content = attribute(node, "content");
    if (!name.length) name = attribute(node, "property");
    if (!content.length) content = attribute(node, "value");
    if (!name.length || !content.length) return 0;
    PyObject *own = decoded(name.data, name.length), *text = decoded(content.data, content.length);
    if (own != NULL && text != NULL) return append(walk->metas, Py_BuildValue("(NN)", own, text));
    Py_XDECREF(own);
    Py_XDECREF(text);
    return -1;
}

static int note_base(Walk *walk, Node *node) {
    if (PyUnicode_GET_LENGTH(walk->base)) return 0;
    String href = attribute(node, "href");
    if (!href.length) return 0;
    PyObject *base = decoded(href.data, href.length);
    if (base == NULL) return -1;
    Py_SETREF(walk->base, base);
    return 0;
}

/* An element that the parser knows by name only. Whether what is inside is shown. */
static int note_custom(Walk *walk, Node *node, Node *child, bool *shown) {
    size_t length;
    Bytes spelled = lexbor.name(node, &length);
    if (spelled == NULL) length = 0;
    PyObject *name = decoded(spelled, length), *event = PyLong_FromSize_t(walk->count);
    int failed = name == NULL || event == NULL ? -1 : PyDict_SetItem(walk->customs, event, name);
    Py_XDECREF(name);
    Py_XDECREF(event);
    if (failed) return -1;
    if (child != NULL && (is(spelled, length, "desc") || is(spelled, length, "metadata")) && in_svg(walk, node)) {
        *shown = false;
        size_t size;
        Bytes text = lexbor.text(node, &size);
        return note_hidden(walk, node, text == NULL ? 0 : characters(text, size));
    }
    return 0;
}

#endif
