/* The parser that selectolax brings, by the functions that its library exports: no header of it is needed, and nodes
   stay opaque.

   Data flow: markup  --parsed-->  a tree  --first_child, next, parent, number …-->  what the walk looks at

   ``bind`` (in _walk.c) looks the functions up once; where a text keeps its characters is found by trying. */

#ifndef RUIJI_LEXBOR_H
#define RUIJI_LEXBOR_H

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

enum { TEXT_NUMBER = 2, ELEMENT_NODE = 1 }; /* the number of texts among the numbers of elements; the type of elements */
static const uint32_t WITHOUT_EVENTS = 1;

/* Where a text keeps its characters: a pointer and a length. The library has no function that tells without copying. */
typedef struct {
    Bytes data;
    size_t length;
} String;
static size_t string_at;

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

static Document *parsed(Bytes markup, size_t length, bool with_events) {
    Document *document = lexbor.create();
    if (document == NULL) return NULL;
    lexbor.set_options(document, with_events ? 0 : WITHOUT_EVENTS);
    if (lexbor.parse(document, markup, length) == 0) return document;
    lexbor.destroy(document);
    return NULL;
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
        if (texts[page] == NULL || lexbor.number(texts[page]) != TEXT_NUMBER) goto done;
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

#endif
