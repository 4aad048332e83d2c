/* What pages of a site repeat, in C: the numbers that stand for sampled pages, and by how much nodes of a page go down.

   Data flow, page by page (bits of elements and all sizes come from compiled.py; repeated.py and evidence.py are the reference):

     elements, numbers of texts  --the path of tags and the text-->  a number a node
     numbers  --each once-->  the texts of the page, the longest of them outside links                          (pages)
     both  --looked up in what is known of the site-->  the share of its other pages that have each node
     share  --by blocks, among the page's own, headings-->  what is added to the log-odds of each node          (shift)

   Nothing is kept between calls. */

#include "../../features/_buffers.h"

/* Of an element, by its name. */
enum { LINK = 1, BLOCK = 2, HEAD = 4, TOP = 8 };
enum { MOST_LONGEST = 64 };

typedef struct {
    Py_ssize_t count, nodes, elements;
    const int32_t *page_start, *element_start;
    const int32_t *parent, *first, *end;   /* of elements */
    const uint8_t *number;
    const int32_t *element, *block, *length; /* of nodes */
    const uint64_t *text;
    const uint8_t *bits;                   /* of numbers of elements */
    Py_ssize_t longest;
} Pages;

typedef struct {
    Py_ssize_t rows, keys, pages;
    const uint64_t *seen, *long_key, *key;
    const int32_t *long_length;
    const uint8_t *count;
    double share, nearly_all, down, most_chars, surrounded, alike, least_chars;
    Py_ssize_t others;
} Known;

/* Of a page: its place among the elements and nodes of all, and memory for the largest. */
typedef struct {
    int32_t first, end, from, to;          /* nodes, elements */
    uint64_t *place, *key;                 /* of elements, of nodes */
    int32_t *depth, *block;                /* of elements: the nearest block-level one, 0 for none */
    uint8_t *inside;                       /* bits of an element and of all above it */
    int32_t *table;                        /* nodes by their keys, plus 1; 0 for free */
    uint8_t *counted;                      /* whether the text of such a node was seen outside links */
    double *share;
    int64_t *own, *whole;                  /* characters before each node, and one more */
    uint8_t *again, *nearly, *kept;
} Page;

typedef struct {
    uint64_t key[MOST_LONGEST];
    int32_t length[MOST_LONGEST];
    Py_ssize_t count;
} Longest;

/* A number that stands for two, in this order (unique/page_blocks.mixed_keys). */
static inline uint64_t mixed(uint64_t first, uint64_t second)
{
    uint64_t key = first * 0x9E3779B97F4A7C15u + second;
    key = (key ^ key >> 32) * 0xD6E8FEB86659FD93u;
    return key ^ key >> 32;
}

/* What is known of the elements of a page from those above them, and the keys of its nodes. */
static void climb(const Pages *pages, Page *page)
{
    for (int32_t element = page->from; element < page->to; element++) {
        int32_t own = element - page->from, above = pages->parent[element] ? pages->parent[element] - page->from : -1;
        uint8_t bits = pages->bits[pages->number[element]];
        page->depth[own] = above < 0 ? 1 : page->depth[above] + 1;
        page->place[own] = mixed((uint64_t)page->depth[own], pages->number[element]) + (above < 0 ? 0 : page->place[above]);
        page->inside[own] = bits | (above < 0 ? 0 : page->inside[above]);
        page->block[own] = bits & BLOCK ? element : above < 0 ? 0 : page->block[above];
    }
    for (int32_t node = page->first; node < page->end; node++)
        page->key[node - page->first] = mixed(page->place[pages->element[node] - page->from], pages->text[node]);
}

/* The longest texts so far with one more, longer ones first, equally long ones by their keys. */
static void add_long(Longest *longest, Py_ssize_t most, uint64_t key, int32_t length)
{
    Py_ssize_t at = longest->count;
    if (at == most) {
        at--;
        if (length < longest->length[at] || (length == longest->length[at] && key > longest->key[at]))
            return;
    } else
        longest->count++;
    for (; at && (longest->length[at - 1] < length || (longest->length[at - 1] == length && longest->key[at - 1] > key)); at--)
        longest->key[at] = longest->key[at - 1], longest->length[at] = longest->length[at - 1];
    longest->key[at] = key, longest->length[at] = length;
}

/* The same by their keys. */
static void sort_longest(Longest *longest)
{
    for (Py_ssize_t next = 1; next < longest->count; next++) {
        uint64_t key = longest->key[next];
        int32_t length = longest->length[next];
        Py_ssize_t at = next;
        for (; at && longest->key[at - 1] > key; at--)
            longest->key[at] = longest->key[at - 1], longest->length[at] = longest->length[at - 1];
        longest->key[at] = key, longest->length[at] = length;
    }
}

/* Goes through the different keys of a page: adds their number to ``digest``, and themselves to ``keys`` where that is wanted. */
static bool differ(const Pages *pages, Page *page, Longest *longest, uint64_t *digest, Growing *keys)
{
    Py_ssize_t count = page->end - page->first;
    size_t mask = 15;
    while (mask < 2 * (size_t)count)
        mask = 2 * mask + 1;
    memset(page->table, 0, (mask + 1) * sizeof *page->table);
    longest->count = 0;
    *digest = 0;
    for (Py_ssize_t node = 0; node < count; node++) {
        uint64_t key = page->key[node];
        size_t at = key & mask;
        while (page->table[at] && page->key[page->table[at] - 1] != key)
            at = (at + 1) & mask;
        if (!page->table[at]) {
            page->table[at] = (int32_t)node + 1;
            page->counted[node] = 0;
            *digest += mixed(key, key);
            if (keys != NULL) {
                uint64_t *end = grow(keys, sizeof key);
                if (end == NULL)
                    return false;
                *end = key;
            }
        }
        uint8_t *counted = &page->counted[page->table[at] - 1];
        if (!*counted && !(page->inside[pages->element[page->first + node] - page->from] & LINK)) {
            *counted = 1;
            add_long(longest, pages->longest, key, pages->length[page->first + node]);
        }
    }
    sort_longest(longest);
    return true;
}

/* The place of a key among sorted ones, -1 where it is none of them. */
static inline Py_ssize_t place_of(const uint64_t *keys, Py_ssize_t count, uint64_t key)
{
    Py_ssize_t low = 0;
    for (Py_ssize_t length = count; length > 1; length -= length / 2)
        low += keys[low + length / 2 - 1] < key ? length / 2 : 0;
    return count && keys[low] == key ? low : -1;
}

/* How many of the known pages from ``row`` to before ``stop`` are copies of a page. */
static Py_ssize_t copies_of(const Pages *pages, const Known *known, const Longest *own, Py_ssize_t row, Py_ssize_t stop)
{
    Py_ssize_t copies = 0;
    int64_t length = 0;
    for (Py_ssize_t at = 0; at < own->count; at++)
        length += own->length[at];
    for (; row < stop; row++) {
        const uint64_t *key = known->long_key + row * pages->longest;
        const int32_t *its = known->long_length + row * pages->longest;
        int64_t shared = 0, whole = length;
        Py_ssize_t at = 0;
        for (Py_ssize_t other = 0; other < pages->longest; other++) {
            while (at < own->count && own->key[at] < key[other])
                at++;
            shared += at < own->count && own->key[at] == key[other] ? its[other] : 0;
            whole += its[other];
        }
        whole -= shared;
        copies += (double)shared >= known->least_chars && (double)shared >= known->alike * (double)whole;
    }
    return copies;
}

/* The share of the other pages of its site that have each node of a page; false where they are too few. */
static bool shares(const Pages *pages, const Known *known, Page *page, uint64_t site, Py_ssize_t row, Py_ssize_t stop)
{
    Longest longest;
    uint64_t digest;
    differ(pages, page, &longest, &digest, NULL);
    Py_ssize_t itself = place_of(known->seen, known->pages, mixed(site, digest)) >= 0;
    Py_ssize_t copies = copies_of(pages, known, &longest, row, stop);
    copies = copies > itself ? copies : itself;
    Py_ssize_t others = stop - row - copies;
    if (others < known->others)
        return false;
    for (Py_ssize_t node = 0; node < page->end - page->first; node++) {
        Py_ssize_t at = place_of(known->key, known->keys, mixed(site, page->key[node]));
        double times = at < 0 ? 0 : known->count[at];
        page->share[node] = (times > copies ? times - copies : 0) / others;
    }
    return true;
}

/* Which nodes are of blocks that mostly are repeated. */
static void mark_blocks(const Pages *pages, const Known *known, Page *page)
{
    for (int32_t start = page->first, stop; start < page->end; start = stop) {
        int64_t whole = 0, again = 0, nearly = 0;
        for (stop = start; stop < page->end && pages->block[stop] == pages->block[start]; stop++) {
            double share = page->share[stop - page->first];
            whole += pages->length[stop];
            again += share >= known->share ? pages->length[stop] : 0;
            nearly += share >= known->nearly_all ? pages->length[stop] : 0;
        }
        memset(page->again + (start - page->first), again >= known->most_chars * whole, stop - start);
        memset(page->nearly + (start - page->first), nearly >= known->most_chars * whole, stop - start);
    }
}

/* What is added to the log-odds of the nodes of a page with these shares. */
static void lower(const Pages *pages, const Known *known, Page *page, double *shift)
{
    Py_ssize_t count = page->end - page->first;
    mark_blocks(pages, known, page);
    page->own[0] = page->whole[0] = 0;
    for (Py_ssize_t node = 0; node < count; node++) {
        int32_t length = pages->length[page->first + node];
        page->own[node + 1] = page->own[node] + (page->again[node] ? 0 : length);
        page->whole[node + 1] = page->whole[node] + length;
    }
    for (Py_ssize_t node = 0; node < count; node++) {
        int32_t block = page->block[pages->element[page->first + node] - page->from];
        int32_t around = block ? pages->parent[block] : 0;
        bool among_own = false;
        if (around && !(pages->bits[pages->number[around]] & TOP)) {
            Py_ssize_t first = pages->first[around] - page->first, end = pages->end[around] - page->first;
            among_own = page->own[end] - page->own[first] >= known->surrounded * (page->whole[end] - page->whole[first]);
        }
        page->kept[node] = !page->again[node] || (among_own && !page->nearly[node]);
    }
    bool head = false; /* whether a heading here would head what is kept */
    for (Py_ssize_t node = count - 1; node >= 0; node--) {
        bool heading = page->inside[pages->element[page->first + node] - page->from] & HEAD;
        head = heading ? head : page->kept[node];
        shift[page->first + node] = page->kept[node] || (heading && head) ? 0 : -known->down;
    }
}

static bool is_sound(const Pages *pages)
{
    bool fits = pages->count >= 0 && pages->longest > 0 && pages->longest <= MOST_LONGEST && pages->page_start[0] == 0
        && pages->page_start[pages->count] == pages->nodes && pages->element_start[0] == 1
        && pages->element_start[pages->count] == pages->elements;
    for (Py_ssize_t page = 0; fits && page < pages->count; page++) {
        int32_t start = pages->page_start[page], stop = pages->page_start[page + 1];
        int32_t from = pages->element_start[page], to = pages->element_start[page + 1];
        fits = start <= stop && from <= to;
        for (int32_t element = from; fits && element < to; element++)
            fits = (!pages->parent[element] || (pages->parent[element] >= from && pages->parent[element] < element))
                && start <= pages->first[element] && pages->first[element] <= pages->end[element] && pages->end[element] <= stop;
        for (int32_t node = start; fits && node < stop; node++)
            fits = pages->element[node] >= from && pages->element[node] < to;
    }
    return fits;
}

static void read_pages(Reader *reader, Pages *pages)
{
    pages->count = length_of(reader, "page_start") - 1;
    pages->nodes = length_of(reader, "element");
    pages->elements = length_of(reader, "parent");
    pages->page_start = column(reader, "page_start", pages->count + 1, 4);
    pages->element_start = column(reader, "element_start", pages->count + 1, 4);
    pages->parent = column(reader, "parent", pages->elements, 4);
    pages->first = column(reader, "first", pages->elements, 4);
    pages->end = column(reader, "end", pages->elements, 4);
    pages->number = column(reader, "number", pages->elements, 1);
    pages->element = column(reader, "element", pages->nodes, 4);
    pages->block = column(reader, "block", pages->nodes, 4);
    pages->length = column(reader, "length", pages->nodes, 4);
    pages->text = column(reader, "text", pages->nodes, 8);
    pages->bits = column(reader, "bits", 256, 1);
    pages->longest = (Py_ssize_t)constant(reader, "LONGEST");
    if (!reader->failed && !is_sound(pages)) {
        PyErr_SetString(PyExc_ValueError, "columns that do not fit each other");
        reader->failed = true;
    }
}

static void read_known(Reader *reader, const Pages *pages, Known *known)
{
    known->pages = length_of(reader, "seen");
    known->rows = length_of(reader, "long_key");
    known->keys = length_of(reader, "key");
    known->seen = column(reader, "seen", known->pages, 8);
    known->long_key = column(reader, "long_key", known->rows * pages->longest, 8);
    known->long_length = column(reader, "long_length", known->rows * pages->longest, 4);
    known->key = column(reader, "key", known->keys, 8);
    known->count = column(reader, "count", known->keys, 1);
    const struct {
        const char *name;
        double *at;
    } sizes[] = {{"SHARE", &known->share}, {"NEARLY_ALL", &known->nearly_all}, {"DOWN", &known->down},
                 {"MOST_CHARS", &known->most_chars}, {"SURROUNDED", &known->surrounded}, {"ALIKE", &known->alike},
                 {"LEAST_CHARS", &known->least_chars}};
    for (size_t number = 0; number < sizeof sizes / sizeof *sizes; number++)
        *sizes[number].at = constant(reader, sizes[number].name);
    known->others = (Py_ssize_t)constant(reader, "OTHERS");
}

/* Memory for the largest of the pages. */
static bool begin(const Pages *pages, Page *page)
{
    size_t nodes = 0, elements = 0, table = 16;
    for (Py_ssize_t own = 0; own < pages->count; own++) {
        size_t some = pages->page_start[own + 1] - pages->page_start[own];
        size_t more = pages->element_start[own + 1] - pages->element_start[own];
        nodes = some > nodes ? some : nodes;
        elements = more > elements ? more : elements;
    }
    while (table < 4 * nodes + 16)
        table *= 2;
    bool fits = (page->place = PyMem_Calloc(elements + 1, sizeof *page->place)) && (page->key = PyMem_Calloc(nodes + 1, sizeof *page->key))
        && (page->depth = PyMem_Calloc(elements + 1, sizeof *page->depth)) && (page->block = PyMem_Calloc(elements + 1, sizeof *page->block))
        && (page->inside = PyMem_Calloc(elements + 1, 1)) && (page->table = PyMem_Calloc(table, sizeof *page->table))
        && (page->counted = PyMem_Calloc(nodes + 1, 1)) && (page->share = PyMem_Calloc(nodes + 1, sizeof *page->share))
        && (page->own = PyMem_Calloc(nodes + 1, sizeof *page->own)) && (page->whole = PyMem_Calloc(nodes + 1, sizeof *page->whole))
        && (page->again = PyMem_Calloc(nodes + 1, 1)) && (page->nearly = PyMem_Calloc(nodes + 1, 1))
        && (page->kept = PyMem_Calloc(nodes + 1, 1));
    if (!fits)
        PyErr_NoMemory();
    return fits;
}

static void end(Page *page)
{
    void *parts[] = {page->place, page->key,  page->depth, page->block, page->inside, page->table, page->counted,
                     page->share, page->own,  page->whole, page->again, page->nearly, page->kept};
    for (size_t number = 0; number < sizeof parts / sizeof *parts; number++)
        PyMem_Free(parts[number]);
}

static void go_to(const Pages *pages, Page *page, Py_ssize_t number)
{
    page->first = pages->page_start[number], page->end = pages->page_start[number + 1];
    page->from = pages->element_start[number], page->to = pages->element_start[number + 1];
    climb(pages, page);
}

/* The row of a page: its different texts, and the longest of them, behind zeros where they are fewer. */
static PyObject *row_of(const Pages *pages, Page *page)
{
    Longest longest;
    Growing keys = {NULL, 0, 0};
    uint64_t digest, long_key[MOST_LONGEST] = {0};
    int32_t long_length[MOST_LONGEST] = {0};
    PyObject *row = NULL;
    if (differ(pages, page, &longest, &digest, &keys)) {
        Py_ssize_t before = pages->longest - longest.count;
        memcpy(long_key + before, longest.key, longest.count * sizeof *long_key);
        memcpy(long_length + before, longest.length, longest.count * sizeof *long_length);
        row = Py_BuildValue("(Ny#y#)", grown_bytes(&keys), (const char *)long_key, pages->longest * (Py_ssize_t)sizeof *long_key,
                            (const char *)long_length, pages->longest * (Py_ssize_t)sizeof *long_length);
    }
    PyMem_Free(keys.data);
    return row;
}

static PyObject *pages(PyObject *self, PyObject *columns)
{
    if (!PyDict_Check(columns))
        return PyErr_Format(PyExc_TypeError, "columns: a dictionary");
    Reader reader = {.failed = false, .named = columns};
    Pages all = {0};
    Page page = {0};
    PyObject *rows = NULL;
    read_pages(&reader, &all);
    if (!reader.failed && begin(&all, &page) && (rows = PyList_New(all.count)) != NULL)
        for (Py_ssize_t number = 0; rows != NULL && number < all.count; number++) {
            go_to(&all, &page, number);
            PyObject *row = row_of(&all, &page);
            if (row == NULL)
                Py_CLEAR(rows);
            else
                PyList_SET_ITEM(rows, number, row);
        }
    end(&page);
    release(&reader.buffers);
    return rows;
}

static PyObject *shift(PyObject *self, PyObject *arguments)
{
    PyObject *columns, *evidence, *sites, *places, *result;
    if (!PyArg_ParseTuple(arguments, "O!O!OOO", &PyDict_Type, &columns, &PyDict_Type, &evidence, &sites, &places, &result))
        return NULL;
    Reader reader = {.failed = false, .named = columns}, of_sites = {.failed = false, .named = evidence};
    Pages all = {0};
    Known known = {0};
    Page page = {0};
    const uint64_t *site = NULL;
    const int32_t *place = NULL; /* of each page the rows of its site: the first, and the one after the last */
    double *shifts = NULL;
    read_pages(&reader, &all);
    if (!reader.failed)
        read_known(&of_sites, &all, &known);
    if (!reader.failed && !of_sites.failed && (site = numbers(&reader.buffers, sites, all.count, 8, false))
        && (place = numbers(&reader.buffers, places, 2 * all.count, 4, false))
        && (shifts = numbers(&reader.buffers, result, all.nodes, 8, true)) && begin(&all, &page)) {
        memset(shifts, 0, all.nodes * sizeof *shifts);
        for (Py_ssize_t number = 0; number < all.count; number++) {
            int32_t row = place[2 * number], stop = place[2 * number + 1];
            if (row < 0 || stop <= row || stop > known.rows)
                continue;
            go_to(&all, &page, number);
            if (shares(&all, &known, &page, site[number], row, stop))
                lower(&all, &known, &page, shifts);
        }
    }
    end(&page);
    release(&reader.buffers);
    release(&of_sites.buffers);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef METHODS[] = {
    {"pages", pages, METH_O, "pages(columns): of each page its different texts, the longest ones and how long they are, as bytes."},
    {"shift", shift, METH_VARARGS,
     "shift(columns, evidence, sites, places, result): writes what is to be added to the log-odds of each node."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_repeated", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__repeated(void)
{
    return PyModule_Create(&MODULE);
}
