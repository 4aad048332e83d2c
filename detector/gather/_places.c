/* Which elements of a page are called alike, in C: _called of sentence_places.py.

   Data flow: names of elements  -->  words, digits as one, and how many elements have each
              elements, parents before those in them  -->  for each the words that several have, of all names from the root down
              wanted elements  --called-->  a number each, from 0 in the order in which they come; the same where these words are

   A path is known by 64 bits. Nothing is kept between calls. */

#include "../../features/_buffers.h"

typedef struct {
    uint64_t hash;
    int32_t count, last; /* count 0: a free place */
} Slot;

typedef struct {
    Slot *slots;
    size_t room; /* a power of two */
} Table;

static bool make(Table *table, size_t most)
{
    table->room = 64;
    while (table->room < 2 * most + 2)
        table->room *= 2;
    table->slots = PyMem_Calloc(table->room, sizeof *table->slots);
    if (table->slots == NULL)
        PyErr_NoMemory();
    return table->slots != NULL;
}

static Slot *slot_of(const Table *table, uint64_t hash)
{
    size_t place = (hash ^ (hash >> 32)) & (table->room - 1);
    while (table->slots[place].count && table->slots[place].hash != hash)
        place = (place + 1) & (table->room - 1);
    return &table->slots[place];
}

static inline uint64_t mixed(uint64_t hash, uint64_t more)
{
    hash = (hash ^ more) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
}

/* The hash of the next word of a name from a place on, 0 where there is none; a run of digits is one. */
static uint64_t next_word(PyObject *name, Py_ssize_t *at)
{
    int kind = PyUnicode_KIND(name);
    const void *data = PyUnicode_DATA(name);
    Py_ssize_t length = PyUnicode_GET_LENGTH(name), place = *at;
    while (place < length && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, place)))
        place++;
    uint64_t hash = 1;
    bool any = place < length, in_digits = false;
    for (; place < length; place++) {
        Py_UCS4 point = PyUnicode_READ(kind, data, place);
        if (Py_UNICODE_ISSPACE(point))
            break;
        bool digit = Py_UNICODE_ISDECIMAL(point);
        if (!digit || !in_digits)
            hash = mixed(hash, digit ? '0' : point);
        in_digits = digit;
    }
    *at = place;
    return any ? hash | 1 : 0;
}

typedef struct {
    const int32_t *parent, *named, *wanted;
    const uint8_t *block;
    int32_t *numbers;
    Py_ssize_t elements, names, count;
} Page;

static bool fits(const Page *page)
{
    for (Py_ssize_t at = 0; at < page->elements; at++)
        if (page->parent[at] < -1 || page->parent[at] >= at)
            return false;
    for (Py_ssize_t at = 0; at < page->names; at++)
        if (page->named[at] < 0 || page->named[at] >= page->elements)
            return false;
    for (Py_ssize_t at = 0; at < page->count; at++)
        if (page->wanted[at] < -1 || page->wanted[at] >= page->elements)
            return false;
    return true;
}

/* The names of a page taken apart: of each element the last of its names, of those of the block level (-1 where it has
   none), and the words of name n from start[n] to start[n + 1]. */
typedef struct {
    int32_t *name_of;
    size_t *start;
    Growing words;
} Words;

static bool take_apart(const Page *page, PyObject *names, Words *words)
{
    memset(words->name_of, 0xFF, (size_t)page->elements * sizeof *words->name_of);
    for (Py_ssize_t name = 0; name < page->names; name++) {
        words->start[name] = words->words.length / sizeof(uint64_t);
        if (!page->block[page->named[name]])
            continue;
        words->name_of[page->named[name]] = (int32_t)name;
        Py_ssize_t at = 0;
        for (uint64_t hash; (hash = next_word(PyList_GET_ITEM(names, name), &at)) != 0;) {
            uint64_t *end = grow(&words->words, sizeof *end);
            if (end == NULL)
                return false;
            *end = hash;
        }
    }
    words->start[page->names] = words->words.length / sizeof(uint64_t);
    return true;
}

static void count_words(const Page *page, const Words *words, const Table *table)
{
    const uint64_t *hashes = (const uint64_t *)words->words.data;
    for (int32_t element = 0; element < page->elements; element++) {
        int32_t name = words->name_of[element];
        for (size_t at = name < 0 ? 0 : words->start[name]; name >= 0 && at < words->start[name + 1]; at++) {
            Slot *word = slot_of(table, hashes[at]);
            if (word->count && word->last == element)
                continue;
            word->hash = hashes[at];
            word->count++;
            word->last = element;
        }
    }
}

/* The words of the names from the root down to each element, those that one element alone has left out. */
static void make_paths(const Page *page, const Words *words, const Table *table, uint64_t *path)
{
    const uint64_t *hashes = (const uint64_t *)words->words.data;
    for (int32_t element = 0; element < page->elements; element++) {
        path[element] = page->parent[element] < 0 ? 0 : path[page->parent[element]];
        int32_t name = words->name_of[element];
        uint64_t own = 0; /* a sum: the order of the words does not matter */
        for (size_t at = name < 0 ? 0 : words->start[name]; name >= 0 && at < words->start[name + 1]; at++)
            if (slot_of(table, hashes[at])->count > 1)
                own += mixed(2, hashes[at]);
        if (own)
            path[element] = mixed(path[element], own);
    }
}

static void number_paths(const Page *page, const uint64_t *path, const Table *known)
{
    int32_t count = 0;
    for (Py_ssize_t at = 0; at < page->count; at++) {
        uint64_t hash = page->wanted[at] < 0 ? 0 : path[page->wanted[at]];
        Slot *slot = slot_of(known, hash);
        if (!slot->count) {
            slot->hash = hash;
            slot->count = 1;
            slot->last = count++;
        }
        page->numbers[at] = slot->last;
    }
}

static PyObject *called(PyObject *self, PyObject *arguments)
{
    PyObject *given[4], *names, *found, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OOOO!OO", &given[0], &given[1], &given[2], &PyList_Type, &names, &given[3], &found))
        return NULL;
    Buffers buffers = {.count = 0};
    Page page = {.elements = -1, .names = PyList_GET_SIZE(names), .count = -1};
    Table table = {NULL, 0}, known = {NULL, 0};
    Words words = {NULL, NULL, {NULL, 0, 0}};
    uint64_t *path = NULL;
    for (Py_ssize_t at = 0; at < page.names; at++)
        if (!PyUnicode_Check(PyList_GET_ITEM(names, at)))
            return PyErr_Format(PyExc_TypeError, "names: a list of strings");
    if ((page.parent = take(&buffers, given[0], &page.elements, 4, false))
        && (page.block = numbers(&buffers, given[1], page.elements, 1, false))
        && (page.named = numbers(&buffers, given[2], page.names, 4, false))
        && (page.wanted = take(&buffers, given[3], &page.count, 4, false))
        && (page.numbers = numbers(&buffers, found, page.count, 4, true))) {
        if (!fits(&page))
            PyErr_SetString(PyExc_ValueError, "an element that is none, or that stands before its parent");
        else if ((words.name_of = PyMem_Malloc((size_t)(page.elements + 1) * sizeof *words.name_of)) == NULL
                 || (words.start = PyMem_Malloc((size_t)(page.names + 1) * sizeof *words.start)) == NULL
                 || (path = PyMem_Malloc((size_t)(page.elements + 1) * sizeof *path)) == NULL)
            PyErr_NoMemory();
        else if (take_apart(&page, names, &words) && make(&table, words.words.length / sizeof(uint64_t))
                 && make(&known, (size_t)page.count)) {
            count_words(&page, &words, &table);
            make_paths(&page, &words, &table, path);
            number_paths(&page, path, &known);
            result = Py_NewRef(Py_None);
        }
    }
    PyMem_Free(table.slots);
    PyMem_Free(known.slots);
    PyMem_Free(words.name_of);
    PyMem_Free(words.start);
    PyMem_Free(words.words.data);
    PyMem_Free(path);
    release(&buffers);
    return result;
}

static PyMethodDef METHODS[] = {
    {"called", called, METH_VARARGS,
     "called(parent, block, named, names, wanted, numbers): fills the last, a place for each wanted element."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_places", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__places(void) { return PyModule_Create(&MODULE); }
