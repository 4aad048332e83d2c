/* The pieces of a line of prose, from the tree.

   Data flow: parts side by side  --read_parts-->  pieces, white space folded and moved  --line_of-->  pieces that stand apart

   inlines.py has the same functions as their reference. What is rare in a line (formulas, readings, code with links) is read
   by its function. */

#ifndef RUIJI_DOCUMENT_LINES_H
#define RUIJI_DOCUMENT_LINES_H

#include "_values.h"

/* What an element does in a line, as inlines.py says by number; from FIRST_STYLE on its style. */
enum { CHILDREN, IS_LINK, IS_BREAK, IS_NOTHING, READ_IN_PYTHON, IS_IMAGE, IS_CODE, IS_RUBY, FIRST_STYLE };

/* What blocks.py and inlines.py said once. */
static PyObject *actions; /* bytes: an action for each number of an element */
static PyObject *read_element, *text_with_formulas, *permalinks, *mathematics;

static unsigned char number_in(PyObject *table, const Part *part)
{
    return (unsigned char)PyBytes_AS_STRING(table)[part->number];
}

/* An attribute as letters; nothing where there is none. */
static Str attribute(Page *page, const Part *part, int name)
{
    const char *bytes;
    Py_ssize_t length;
    return attribute_of(page->tree, part, name, &bytes, &length) ? decoded(page, bytes, length) : new_str(page, 0);
}

/* Whether an event is in a set or a dict of events, which are mostly empty. */
static bool has_event(Page *page, PyObject *events, const Part *part)
{
    if (part->text != NULL || !(PyDict_Check(events) ? PyDict_GET_SIZE(events) : PySet_GET_SIZE(events)))
        return false;
    PyObject *event = PyLong_FromLong(part->event);
    int has = event == NULL ? -1 : PySequence_Contains(events, event);
    Py_XDECREF(event);
    if (has < 0)
        fail(page);
    return has;
}

static bool is_left_out(Page *page, const Part *part)
{
    return has_event(page, page->left_out, part) && !has_event(page, page->references, part);
}

/* The node of Python of a part. */
static PyObject *node(Page *page, Part *part) { return hold(page, node_of(page->tree, part)); }

static PyObject *call(Page *page, PyObject *function, PyObject *first, PyObject *second, PyObject *third)
{
    PyObject *arguments[] = {first, second, third};
    Py_ssize_t count = second == NULL ? 1 : third == NULL ? 2 : 3;
    return hold(page, PyObject_Vectorcall(function, arguments, (size_t)count, NULL));
}

static bool starts(const Str *str, const char *with)
{
    for (Py_ssize_t at = 0; with[at]; at++)
        if (letter_at(str, at) != (unsigned char)with[at])
            return false;
    return true;
}

static bool has_white_space(const Str *str)
{
    for (Py_ssize_t at = 0; at < str->length; at++)
        if (Py_UNICODE_ISSPACE(str->letters[at]))
            return true;
    return false;
}

/* The absolute address that a link leads to; most are, or lead to another page of the host. */
static Str target_of(Page *page, Str href)
{
    if (!has_white_space(&href)) {
        if (starts(&href, "http://") || starts(&href, "https://") || (letter_at(&href, 0) == '#' && href.length > 1))
            return href;
        if (letter_at(&href, 0) == '/' && letter_at(&href, 1) != '/' && page->origin.length) {
            Str target = new_str(page, page->origin.length + href.length);
            memcpy(target.letters, page->origin.letters, (size_t)page->origin.length * sizeof(Py_UCS4));
            memcpy(target.letters + page->origin.length, href.letters, (size_t)href.length * sizeof(Py_UCS4));
            return target;
        }
    }
    return str_of(page, hold(page, PyObject_CallMethod(page->reading, "target", "N", unicode_of(&href))));
}

/* All letters inside of a part, as they stand. */
static Str letters_inside(Page *page, Part *root)
{
    Str all = new_str(page, 0);
    for (Part *part = part_behind(root, root); part != NULL; part = part_behind(root, part)) {
        if (part->text == NULL)
            continue;
        Str text = str_of(page, part->text);
        append_letters(page, &all, text.letters, text.length);
    }
    return all;
}

/* Whether a link says only that it leads to where it stands. */
static bool is_permalink(Page *page, Part *part, const Str *href)
{
    if (letter_at(href, 0) != '#')
        return false;
    Str text = letters_inside(page, part);
    fold_words(&text);
    if (text.length > 1)
        return false;
    int is_one = PySet_Contains(permalinks, hold(page, unicode_of(&text)));
    if (is_one < 0)
        fail(page);
    return is_one;
}

static void read_parts(Page *page, Pieces *pieces, Part *first, const Part *end, unsigned around, bool *has_link);

static void read_inside(Page *page, Pieces *pieces, Part *part, unsigned around, bool *has_link)
{
    read_parts(page, pieces, part->first, NULL, around, has_link);
}

static void read_link(Page *page, Pieces *pieces, Part *part, unsigned around, bool *has_link)
{
    Str href = attribute(page, part, HREF);
    if (is_permalink(page, part, &href))
        return;
    Pieces inside = {NULL, 0, 0};
    bool nested = false;
    read_inside(page, &inside, part, around, &nested);
    Piece *link = new_piece(page, LINK);
    if (page->links && href.length)
        link->target = target_of(page, href);
    if (link->target.length && !nested) {
        link->title = attribute(page, part, TITLE);
        fold_words(&link->title);
        push_group(page, pieces, link, &inside);
        *has_link = true;
        return;
    }
    *has_link = *has_link || nested;
    for (Py_ssize_t at = 0; at < inside.count; at++)
        push(page, pieces, inside.items[at]);
}

/* An element that is read by its own function. */
static void read_in_python(Page *page, Pieces *pieces, Part *part, unsigned around, bool *has_link)
{
    Pieces read = pieces_from(page, call(page, read_element, node(page, part), page->reading, NULL));
    for (Py_ssize_t at = 0; at < read.count; at++)
        *has_link = *has_link || read.items[at]->kind == LINK;
    hoist(page, pieces, read.items, read.count, around);
}

/* Whether the classes of an element may say that it shows a formula: katex, math, MathJax. */
static bool may_be_formula(Page *page, const Part *part)
{
    const char *names;
    Py_ssize_t length;
    if (!attribute_of(page->tree, part, CLASS, &names, &length))
        return false;
    for (Py_ssize_t at = 2; at < length; at++)
        if ((!memcmp(names + at - 2, "ath", 3)) || !memcmp(names + at - 2, "kat", 3))
            return true;
    return false;
}

/* An image with its words; one that may be a formula, or has its address elsewhere, is read by its function. */
static void read_image(Page *page, Pieces *pieces, Part *part, unsigned around, bool *has_link)
{
    Piece *image = new_piece(page, IMAGE);
    image->text = attribute(page, part, ALT);
    bool is_plain = false;
    for (int name = DATA_SRC; !is_plain && name <= SRC; name++) {
        Str address = attribute(page, part, name);
        fold_words(&address);
        is_plain = address.length && !starts(&address, "data:");
        image->target = address;
    }
    for (Py_ssize_t at = 0; at < image->text.length; at++)
        is_plain = is_plain && image->text.letters[at] != '\\' && image->text.letters[at] != '^' &&
                   image->text.letters[at] != '_' && image->text.letters[at] != '$';
    if (!is_plain) {
        read_in_python(page, pieces, part, around, has_link);
        return;
    }
    if (!page->images)
        return;
    image->target = target_of(page, image->target);
    if (!image->target.length)
        return;
    fold_words(&image->text);
    image->title = attribute(page, part, TITLE);
    fold_words(&image->title);
    push(page, pieces, image);
}

/* Code in a line: mostly nothing but text. */
static void read_code(Page *page, Pieces *pieces, Part *part, unsigned around, bool *has_link)
{
    for (Part *child = part->first; child != NULL; child = child->next)
        if (child->text == NULL) {
            read_in_python(page, pieces, part, around, has_link);
            return;
        }
    Piece *code = new_piece(page, CODE);
    code->text = letters_inside(page, part);
    fold_words(&code->text);
    if (code->text.length)
        push(page, pieces, code);
}

static void read_element_of(Page *page, Pieces *pieces, Part *part, unsigned around, bool *has_link)
{
    unsigned char action = number_in(actions, part);
    if (part->number == CUSTOM) { /* told by its name: the elements of mathematics */
        PyObject *tag = tag_of((Node *)node(page, part));
        int is_one = tag == NULL ? -1 : PySet_Contains(mathematics, tag);
        if (is_one < 0)
            fail(page);
        action = is_one ? READ_IN_PYTHON : CHILDREN;
    }
    if (((action == CHILDREN || action == IS_CODE) && may_be_formula(page, part)) || (action == IS_RUBY && page->ruby))
        action = READ_IN_PYTHON;
    Pieces inside = {NULL, 0, 0};
    bool inner_link = false;
    switch (action) {
    case CHILDREN:
    case IS_RUBY:
        read_inside(page, pieces, part, around, has_link);
        return;
    case IS_LINK:
        read_link(page, pieces, part, around, has_link);
        return;
    case IS_BREAK:
        push(page, pieces, new_piece(page, BREAK));
        return;
    case IS_NOTHING:
        return;
    case READ_IN_PYTHON:
        read_in_python(page, pieces, part, around, has_link);
        return;
    case IS_IMAGE:
        read_image(page, pieces, part, around, has_link);
        return;
    case IS_CODE:
        read_code(page, pieces, part, around, has_link);
        return;
    }
    unsigned style = action - FIRST_STYLE, bit = 1u << style;
    if (bit & around) {
        read_inside(page, pieces, part, around, &inner_link);
        return;
    }
    Piece *group = new_piece(page, STYLED);
    group->style = (unsigned char)style;
    read_inside(page, &inside, part, around | bit, &inner_link);
    push_group(page, pieces, group, &inside);
}

/* A text, and the formulas in it where the page has some. */
static void read_text(Page *page, Pieces *pieces, PyObject *text, unsigned around)
{
    Str letters = str_of(page, text);
    for (Py_ssize_t at = 0; page->with_formulas && at < letters.length; at++) {
        if (letters.letters[at] == '\\' || letters.letters[at] == '$') {
            Pieces read = pieces_from(page, call(page, text_with_formulas, text, NULL, NULL));
            hoist(page, pieces, read.items, read.count, around);
            return;
        }
    }
    fold(&letters);
    push(page, pieces, text_piece(page, letters));
}

static void read_part(Page *page, Pieces *pieces, Part *part, unsigned around, bool *has_link)
{
    if (part->text != NULL) {
        read_text(page, pieces, part->text, around);
    } else if (has_event(page, page->references, part)) {
        Piece *note = new_piece(page, NOTE);
        PyObject *event = hold(page, PyLong_FromLong(part->event));
        PyObject *label = PyDict_GetItemWithError(page->references, event);
        if (label == NULL)
            fail(page);
        note->text = str_of(page, label);
        push(page, pieces, note);
    } else if (!has_event(page, page->left_out, part)) {
        read_element_of(page, pieces, part, around, has_link);
    }
}

/* Appends what parts side by side say, up to one of them, white space folded. */
static void read_parts(Page *page, Pieces *pieces, Part *first, const Part *end, unsigned around, bool *has_link)
{
    descend(page);
    for (Part *part = first; part != end; part = part->next)
        read_part(page, pieces, part, around, has_link);
    page->depth--;
}

/* The pieces of parts side by side, none blank at the ends. */
static Pieces line_of(Page *page, Part *first, const Part *end)
{
    Pieces line = {NULL, 0, 0};
    bool has_link = false;
    read_parts(page, &line, first, end, 0, &has_link);
    tidy_hoisted(page, &line);
    return line;
}

#endif
