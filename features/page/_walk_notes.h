/* What the walk notes of texts, comments and elements: lists of Python, in the order of the page.

   Data flow: a node of the tree  --note_…-->  Walk (an event a node; texts, names, links, attributes with their events)

   Each function returns -1 where Python failed, with its exception. walk.py does the same in Python. */

#ifndef RUIJI_WALK_NOTES_H
#define RUIJI_WALK_NOTES_H

#include "../_buffers.h"
#include "_lexbor.h"

/* Events and numbers, as in walk.py and elements.py. */
enum { END = 0, SPACE = 1, TEXT = TEXT_NUMBER, NEW_LINE_SPACE = 3, COMMENT = 4, CUSTOM = 255 };

typedef struct {
    Bytes kinds;    /* of each element number a letter, see walk.py */
    bool named;
    unsigned char *events;
    size_t count, room;
    char *words;    /* what an element is called, while it is put together */
    size_t words_length, words_room;
    bool line_ends_matter;
    uintptr_t svg, ruby, code, script; /* the numbers of these elements */
    bool spaces_matter;     /* from the first element of code on, where details are asked for */
    PyObject *details;      /* a tuple of the names of attributes, or None */
    uint64_t detail_lengths[256]; /* the lengths of those that begin with a byte, as bits */
    PyObject *data_scripts; /* a tuple of types */
    PyObject *visible;      /* a function: the text without characters that nobody sees */
    PyObject *texts, *customs, *anchor_events, *hrefs, *marks, *title, *base, *hidden, *name_events, *names, *described, *metas;
    PyObject *blanks, *unseen;
    Growing attribute_rows, attribute_values; /* of each attribute: event, number of its name, where its value begins and ends */
} Walk;

static PyObject *decoded(Bytes data, size_t length) { return PyUnicode_DecodeUTF8((const char *)data, (Py_ssize_t)length, "replace"); }

/* Appends and gives the reference away; -1 where something failed before or now. */
static int append(PyObject *list, PyObject *item) {
    int failed = item == NULL ? -1 : PyList_Append(list, item);
    Py_XDECREF(item);
    return failed;
}

static int append_pair(PyObject *list, size_t number, PyObject *text) {
    return append(list, text == NULL ? NULL : Py_BuildValue("(nN)", (Py_ssize_t)number, text));
}

static int note(Walk *walk, unsigned char event) {
    if (walk->count == walk->room) {
        size_t room = walk->room * 2;
        unsigned char *events = PyMem_Realloc(walk->events, room);
        if (events == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        walk->events = events, walk->room = room;
    }
    walk->events[walk->count++] = event;
    return 0;
}

static bool in_svg(Walk *walk, Node *node) { return is_inside(node, walk->svg); }

/* Whether a text may have characters that nobody sees: the soft hyphen, the byte order mark, and of U+2000 to U+207F those
   that invisible.py names; dashes and quotation marks, which nearly every English page has, are none of them. */
static bool may_be_invisible(String text) {
    for (size_t at = 0; at + 1 < text.length; at++) {
        unsigned char byte = text.data[at], next = text.data[at + 1];
        if (byte < 0xC2) continue;
        if ((byte == 0xC2 && next == 0xAD) || (byte == 0xEF && next == 0xBB)) return true;
        if (byte != 0xE2 || next > 0x81) continue;
        unsigned char last = at + 2 < text.length ? text.data[at + 2] : 0x8B;
        if (next == 0x81 ? last >= 0xA0 && last <= 0xA9 : (last >= 0x8B && last <= 0x8F) || (last >= 0xAA && last <= 0xAE)) return true;
    }
    return false;
}

/* Whether a character of other scripts begins here that Python may take for white space. */
static bool may_be_space(Bytes at, size_t left) {
    switch (*at) {
    case 0xC2: /* next line, no-break space */
    case 0xE1:
    case 0xE2: /* spaces of all widths */
        return true;
    case 0xE3: /* the ideographic space; kana begin with the same byte */
        return left < 3 || (at[1] == 0x80 && at[2] == 0x80);
    default: /* what continues a character belongs to one that was asked about */
        return *at == '\v' || (*at >= 0x1C && *at <= 0x1F) || (*at >= 0x80 && *at < 0xC0);
    }
}

/* Texts: white space of HTML is told by bytes, that of other scripts by Python. */
static int note_text(Walk *walk, Node *node) {
    String text = text_of(node);
    if (!text.length) return 0;
    bool blank = true, sure = true, hidden = may_be_invisible(text);
    for (size_t at = 0; at < text.length; at++) {
        unsigned char byte = text.data[at];
        if (byte == ' ' || (byte >= '\t' && byte <= '\r' && byte != '\v')) continue;
        blank = false;
        sure = !may_be_space(text.data + at, text.length - at);
        if (sure) break;
    }
    if (blank && !walk->line_ends_matter && !walk->spaces_matter) return note(walk, SPACE);
    PyObject *found = NULL;
    if (!blank || walk->spaces_matter) {
        found = decoded(text.data, text.length);
        if (found != NULL && hidden) Py_SETREF(found, PyObject_CallOneArg(walk->visible, found));
        if (found == NULL) return -1;
    }
    if (found != NULL && !PyUnicode_GET_LENGTH(found)) { /* as if there were none: it parts no words */
        Py_DECREF(found);
        return 0;
    }
    if (!blank && (hidden || !sure)) {
        PyObject *space = PyObject_CallMethod(found, "isspace", NULL);
        if (space == NULL) {
            Py_DECREF(found);
            return -1;
        }
        blank = space == Py_True;
        Py_DECREF(space);
    }
    if (blank) {
        if (walk->spaces_matter && append_pair(walk->blanks, walk->count, Py_XNewRef(found))) {
            Py_XDECREF(found);
            return -1;
        }
        Py_XDECREF(found);
        bool line_end = walk->line_ends_matter && text.length && memchr(text.data, '\n', text.length);
        return note(walk, line_end ? NEW_LINE_SPACE : SPACE);
    }
    if (append(walk->texts, found)) return -1;
    return note(walk, TEXT);
}

static int note_comment(Walk *walk, Node *node) {
    static const char MARK[] = "CONTENT";
    String text = text_of(node);
    for (size_t at = 0; at + sizeof MARK - 1 <= text.length; at++) {
        Bytes found = memchr(text.data + at, MARK[0], text.length - at);
        if (found == NULL) break;
        at = (size_t)(found - text.data);
        if (at + sizeof MARK - 1 <= text.length && !memcmp(found, MARK, sizeof MARK - 1)) {
            PyObject *comment = decoded(text.data, text.length);
            PyObject *stripped = comment == NULL ? NULL : PyObject_CallMethod(comment, "strip", NULL);
            Py_XDECREF(comment);
            return append_pair(walk->marks, (size_t)PyList_GET_SIZE(walk->texts), stripped);
        }
    }
    return 0;
}

typedef struct {
    size_t characters, behind_tag;
    bool tag_ended;
} Serialized;

static unsigned int count_serialized(Bytes data, size_t length, void *context) {
    Serialized *found = context;
    if (!found->tag_ended) {
        Bytes end = memchr(data, '>', length);
        if (end != NULL) {
            found->tag_ended = true;
            found->behind_tag = found->characters + characters(data, (size_t)(end - data)) + 1;
        }
    }
    found->characters += characters(data, length);
    return 0;
}

/* How many characters an element that is not shown holds; of a template its markup, which is a document of its own. */
static size_t hidden_size(Node *node, Node *child, bool template) {
    if (template) {
        Serialized found = {0, 0, false};
        lexbor.serialize(node, count_serialized, &found);
        size_t tags = found.behind_tag + strlen("</template>");
        return found.characters > tags ? found.characters - tags : 0;
    }
    if (child == NULL) return 0;
    if (lexbor.next(child) == NULL && lexbor.number(child) == TEXT) {
        String text = text_of(child);
        return characters(text.data, text.length);
    }
    size_t length;
    Bytes text = lexbor.text(node, &length);
    return text == NULL ? 0 : characters(text, length);
}

static int note_hidden(Walk *walk, Node *node, size_t size) {
    if (!size) return 0;
    size_t length;
    Bytes spelled = lexbor.name(node, &length);
    PyObject *name = decoded(spelled, spelled == NULL ? 0 : length), *sum = NULL;
    if (name == NULL) return -1;
    PyObject *before = PyDict_GetItemWithError(walk->hidden, name);
    if (before != NULL || !PyErr_Occurred()) sum = PyLong_FromSize_t((before == NULL ? 0 : PyLong_AsSize_t(before)) + size);
    int failed = sum == NULL ? -1 : PyDict_SetItem(walk->hidden, name, sum);
    Py_XDECREF(sum);
    Py_DECREF(name);
    return failed;
}

static PyObject *whole_text(Node *node) {
    size_t length;
    Bytes text = lexbor.text(node, &length);
    return decoded(text, text == NULL ? 0 : length);
}

static int add_word(Walk *walk, const char *word, size_t length) {
    size_t needed = walk->words_length + length + 1;
    if (needed > walk->words_room) {
        char *words = PyMem_Realloc(walk->words, needed * 2);
        if (words == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        walk->words = words, walk->words_room = needed * 2;
    }
    if (walk->words_length) walk->words[walk->words_length++] = ' ';
    memcpy(walk->words + walk->words_length, word, length);
    walk->words_length += length;
    return 0;
}

static bool not_displayed(Bytes style, size_t length) {
    static const char NONE[] = "display:none";
    for (size_t start = 0; start < length; start++) {
        size_t at = start, matched = 0;
        for (; at < length && matched < sizeof NONE - 1; at++) {
            if (style[at] == ' ' && (matched || at > start)) continue;
            if (style[at] != (unsigned char)NONE[matched]) break;
            matched++;
        }
        if (matched == sizeof NONE - 1) return true;
    }
    return false;
}

#endif
