/* The loop of features/page/walk.py in C: the same tree, the same steps, a sixth of the time.

   It calls the parser that selectolax brings, by the functions that its library exports, and needs no header of it: nodes stay opaque.
   Where this module was not built (no C compiler), or the library does not export what it takes, walk.py does the same in Python; tests hold
   the two against each other. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct lexbor_document Document;
typedef struct lexbor_node Node;
typedef struct lexbor_attribute Attribute;
typedef const unsigned char *Bytes;
typedef unsigned int (*Heard)(Bytes, size_t, void *);

static struct {
    Document *(*create)(void);
    Document *(*destroy)(Document *);
    void (*set_options)(Document *, uint32_t);
    unsigned int (*parse)(Document *, Bytes, size_t);
    Node *(*first_child)(Node *);
    Node *(*next)(Node *);
    Node *(*parent)(Node *);
    uintptr_t (*number)(Node *);
    int (*type)(Node *);
    Bytes (*name)(Node *, size_t *);
    Bytes (*text)(Node *, size_t *);
    Attribute *(*first_attribute)(Node *);
    Attribute *(*next_attribute)(Attribute *);
    Bytes (*attribute_name)(Attribute *, size_t *);
    Bytes (*attribute_value)(Attribute *, size_t *);
    unsigned int (*serialize)(Node *, Heard, void *);
} lexbor;

static const struct {
    const char *name;
    void *at;
} FUNCTIONS[] = {
    {"lxb_html_document_create", &lexbor.create},
    {"lxb_html_document_destroy", &lexbor.destroy},
    {"lxb_html_document_dom_opt_set_noi", &lexbor.set_options},
    {"lxb_html_document_parse", &lexbor.parse},
    {"lxb_dom_node_first_child_noi", &lexbor.first_child},
    {"lxb_dom_node_next_noi", &lexbor.next},
    {"lxb_dom_node_parent_noi", &lexbor.parent},
    {"lxb_dom_node_tag_id_noi", &lexbor.number},
    {"lxb_dom_node_type_noi", &lexbor.type},
    {"lxb_dom_element_qualified_name", &lexbor.name},
    {"lxb_dom_node_text_content", &lexbor.text},
    {"lxb_dom_element_first_attribute_noi", &lexbor.first_attribute},
    {"lxb_dom_element_next_attribute_noi", &lexbor.next_attribute},
    {"lxb_dom_attr_qualified_name", &lexbor.attribute_name},
    {"lxb_dom_attr_value_noi", &lexbor.attribute_value},
    {"lxb_html_serialize_tree_cb", &lexbor.serialize},
};

/* Events and numbers, as in walk.py and elements.py. */
enum { END = 0, SPACE = 1, TEXT = 2, NEW_LINE_SPACE = 3, COMMENT = 4, CUSTOM = 255 };
enum { ELEMENT_NODE = 1 };
static const uint32_t WITHOUT_EVENTS = 1;

/* Where a text keeps its characters: a pointer and a length. The library has no function that tells without copying. */
typedef struct {
    Bytes data;
    size_t length;
} String;
static size_t string_at;

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
    PyObject *data_scripts; /* a tuple of types */
    PyObject *visible;      /* a function: the text without characters that nobody sees */
    PyObject *texts, *customs, *anchor_events, *hrefs, *marks, *title, *base, *hidden, *name_events, *names, *described, *metas;
    PyObject *attribute_events, *attribute_names, *attributes, *blanks, *unseen;
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

static size_t characters(Bytes data, size_t length) {
    size_t found = 0;
    for (size_t at = 0; at < length; at++) found += (data[at] & 0xC0) != 0x80;
    return found;
}

static String text_of(Node *node) { return *(String *)((char *)node + string_at); }

static bool is(Bytes name, size_t length, const char *other) { return strlen(other) == length && !memcmp(name, other, length); }

/* The value of an attribute; without one, data is NULL. */
static String attribute(Node *node, const char *name) {
    String value = {NULL, 0};
    for (Attribute *own = lexbor.first_attribute(node); own != NULL; own = lexbor.next_attribute(own)) {
        size_t length;
        Bytes found = lexbor.attribute_name(own, &length);
        if (found != NULL && is(found, length, name)) {
            value.data = lexbor.attribute_value(own, &value.length);
            break;
        }
    }
    return value;
}

static bool is_inside(Node *node, uintptr_t number) {
    while ((node = lexbor.parent(node)) != NULL)
        if (lexbor.number(node) == number) return true;
    return false;
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

/* What the attributes call an element, and its title. */
static int note_names(Walk *walk, Node *node) {
    String title = {NULL, 0};
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
        } else if (is(name, length, "title")) {
            title = value;
        }
    }
    if (walk->words_length) {
        if (append(walk->name_events, PyLong_FromSize_t(walk->count))) return -1;
        if (append(walk->names, decoded((Bytes)walk->words, walk->words_length))) return -1;
    }
    return title.length ? append_pair(walk->described, walk->count, decoded(title.data, title.length)) : 0;
}

static int note_link(Walk *walk, Node *node) {
    String title = {NULL, 0};
    bool linked = false;
    for (Attribute *own = lexbor.first_attribute(node); own != NULL; own = lexbor.next_attribute(own)) {
        size_t length;
        Bytes name = lexbor.attribute_name(own, &length);
        if (name == NULL) continue;
        if (!linked && is(name, length, "href")) {
            String href = {NULL, 0};
            href.data = lexbor.attribute_value(own, &href.length);
            if (href.data == NULL) return 0;
            linked = true;
            if (append(walk->anchor_events, PyLong_FromSize_t(walk->count))) return -1;
            if (append(walk->hrefs, decoded(href.data, href.length))) return -1;
            if (!walk->named) return 0;
        } else if (walk->named && is(name, length, "title")) {
            title.data = lexbor.attribute_value(own, &title.length);
        }
    }
    return linked && title.length ? append_pair(walk->described, walk->count, decoded(title.data, title.length)) : 0;
}

static int note_image(Walk *walk, Node *node) {
    static const char *const DESCRIBING[] = {"alt", "title"};
    for (int number = 0; number < 2; number++) {
        String text = attribute(node, DESCRIBING[number]);
        if (text.length && append_pair(walk->described, walk->count, decoded(text.data, text.length))) return -1;
    }
    return 0;
}

/* The attributes that a document is written from. */
static int note_details(Walk *walk, Node *node) {
    for (Attribute *own = lexbor.first_attribute(node); own != NULL; own = lexbor.next_attribute(own)) {
        size_t length;
        Bytes name = lexbor.attribute_name(own, &length);
        if (name == NULL) continue;
        for (Py_ssize_t number = 0; number < PyTuple_GET_SIZE(walk->details); number++) {
            PyObject *wanted = PyTuple_GET_ITEM(walk->details, number);
            if (PyUnicode_GET_LENGTH(wanted) != (Py_ssize_t)length || memcmp(PyUnicode_DATA(wanted), name, length)) continue;
            String value = {NULL, 0};
            value.data = lexbor.attribute_value(own, &value.length);
            if (append(walk->attribute_events, PyLong_FromSize_t(walk->count)) || append(walk->attribute_names, Py_NewRef(wanted)) ||
                append(walk->attributes, decoded(value.data, value.data == NULL ? 0 : value.length)))
                return -1;
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
    case 'i':
        failed = note_image(walk, node);
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
    walk->room = 4096;
    walk->events = PyMem_Malloc(walk->room);
    walk->texts = PyList_New(0), walk->customs = PyDict_New(), walk->anchor_events = PyList_New(0), walk->hrefs = PyList_New(0);
    walk->marks = PyList_New(0), walk->base = PyUnicode_FromString(""), walk->hidden = PyDict_New(), walk->name_events = PyList_New(0);
    walk->names = PyList_New(0), walk->described = PyList_New(0), walk->metas = PyList_New(0);
    walk->attribute_events = PyList_New(0), walk->attribute_names = PyList_New(0), walk->attributes = PyList_New(0);
    walk->blanks = PyList_New(0), walk->unseen = PyList_New(0);
    if (walk->events != NULL && walk->texts && walk->customs && walk->anchor_events && walk->hrefs && walk->marks && walk->base &&
        walk->hidden && walk->name_events && walk->names && walk->described && walk->metas &&
        walk->attribute_events && walk->attribute_names && walk->attributes && walk->blanks && walk->unseen)
        return 0;
    PyErr_NoMemory();
    return -1;
}

static PyObject *finish(Walk *walk, int failed) {
    PyObject *events = failed ? NULL : PyBytes_FromStringAndSize((const char *)walk->events, (Py_ssize_t)walk->count);
    if (events != NULL && walk->title == NULL) walk->title = PyUnicode_FromString("");
    PyMem_Free(walk->events);
    PyMem_Free(walk->words);
    PyObject *parts[] = {events,      walk->texts, walk->customs, walk->anchor_events, walk->hrefs,     walk->marks, walk->title,
                         walk->base,  walk->hidden, walk->name_events, walk->names,    walk->described, walk->metas, walk->attribute_events,
                         walk->attribute_names, walk->attributes, walk->blanks, walk->unseen};
    PyObject *found = events == NULL || walk->title == NULL ? NULL : PyTuple_New(sizeof parts / sizeof *parts);
    for (size_t number = 0; number < sizeof parts / sizeof *parts; number++) {
        if (found != NULL) PyTuple_SET_ITEM(found, (Py_ssize_t)number, parts[number]);
        else Py_XDECREF(parts[number]);
    }
    return found;
}

static Document *parsed(Bytes markup, size_t length, bool with_events) {
    Document *document = lexbor.create();
    if (document == NULL) return NULL;
    lexbor.set_options(document, with_events ? 0 : WITHOUT_EVENTS);
    if (lexbor.parse(document, markup, length) == 0) return document;
    lexbor.destroy(document);
    return NULL;
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

/* Where the text nodes of two pages have their lengths, and their characters before: as many bytes from the node's beginning in both. */
static size_t string_found(void) {
    static const char *const PAGES[] = {"<p>ruiji", "<p>shared sentences"};
    enum { FARTHEST = 32 }; /* words */
    Document *documents[2] = {NULL, NULL};
    Node *texts[2] = {NULL, NULL};
    size_t found = 0;
    for (int page = 0; page < 2; page++) {
        Document *document = documents[page] = parsed((Bytes)PAGES[page], strlen(PAGES[page]), false);
        if (document == NULL) goto done;
        Node *html = lexbor.first_child((Node *)document), *head = html == NULL ? NULL : lexbor.first_child(html);
        Node *body = head == NULL ? NULL : lexbor.next(head), *paragraph = body == NULL ? NULL : lexbor.first_child(body);
        texts[page] = paragraph == NULL ? NULL : lexbor.first_child(paragraph);
        if (texts[page] == NULL || lexbor.number(texts[page]) != TEXT) goto done;
    }
    for (size_t word = 1; word < FARTHEST && !found; word++) {
        size_t at = word * sizeof(size_t);
        bool same = true;
        for (int page = 0; page < 2; page++) same = same && ((String *)((char *)texts[page] + at))->length == strlen(PAGES[page]) - 3;
        for (int page = 0; page < 2 && same; page++)
            same = !memcmp(((String *)((char *)texts[page] + at))->data, PAGES[page] + 3, strlen(PAGES[page]) - 3);
        if (same) found = at;
    }
done:
    for (int page = 0; page < 2; page++)
        if (documents[page] != NULL) lexbor.destroy(documents[page]);
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
