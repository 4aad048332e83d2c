/* Which blocks match the title or the description in the head of their page: title_matches and description_matches of
   title.py.

   Data flow: texts of nodes, joined to the beginning of each block, folded (small letters, single spaces)  -->
              looked for in the title and the descriptions, which Python has folded. */

#ifndef RUIJI_TITLES_H
#define RUIJI_TITLES_H

#include "../_buffers.h"

enum { LOOKED_AT_MOST = 1024 };

/* A text and the characters in it, by their last six bits: what has one that another has not is not in that. */
typedef struct {
    Py_UCS4 *points;
    Py_ssize_t length;
    uint64_t has;
} Needle;

static inline uint64_t bit_of(Py_UCS4 point)
{
    return (uint64_t)1 << (point & 63);
}

typedef struct {
    Py_ssize_t shortest, longest_heading, looked_at, sentence, beginning, long_;
} TitleSizes;

typedef struct {
    Needle title, whole;        /* the title, and all descriptions */
    Needle *parts, *beginnings; /* the parts of the title, the longest first; the beginnings of descriptions */
    Py_ssize_t part_count, beginning_count;
} Head;

static bool is_in(const Needle *needle, const Needle *hay)
{
    Py_ssize_t length = needle->length;
    if (length == 0)
        return true;
    if (needle->has & ~hay->has)
        return false;
    Py_UCS4 first = needle->points[0], last = needle->points[length - 1];
    for (Py_ssize_t at = 0; at + length <= hay->length; at++)
        if (hay->points[at] == first && hay->points[at + length - 1] == last
            && !memcmp(hay->points + at, needle->points, length * sizeof *needle->points))
            return true;
    return false;
}

static bool is_special(Py_UCS4 point)
{
    return point == 0x130 || point == 0x3A3; /* what these become depends on more than themselves: Python knows */
}

static inline bool is_blank(Py_UCS4 point)
{
    return point == 0 || Py_UNICODE_ISSPACE(point);
}

static inline Py_UCS4 folded_point(Py_UCS4 point)
{
    if (point == '\n' || point == '\t' || point == '\r' || point == 0xA0 || point == 0x3000 || point == 0)
        return ' ';
    return point < 128 ? (point >= 'A' && point <= 'Z' ? point | 32 : point) : Py_UNICODE_TOLOWER(point);
}

/* The same of the characters that nearly all texts are made of. */
enum { KNOWN = 256 };
typedef struct {
    Py_UCS4 folded[KNOWN];
    bool blank[KNOWN];
} KnownPoints;

static void know_points(KnownPoints *known)
{
    for (Py_UCS4 point = 0; point < KNOWN; point++) {
        known->folded[point] = folded_point(point);
        known->blank[point] = is_blank(point);
    }
}

/* The folded beginning of a block; false where it has a letter that Python must fold. */
static bool fold_block(const KnownPoints *known, PyObject *const *texts, int32_t first, int32_t end, Py_ssize_t looked_at,
                       Needle *block)
{
    Py_UCS4 *folded = block->points;
    Py_ssize_t seen = 0, length = 0, kept = 0;
    uint64_t has = 0, blanks = 0; /* and since the last letter */
    for (int32_t node = first; node < end && seen < looked_at; node++) {
        int width = PyUnicode_KIND(texts[node]);
        const void *data = PyUnicode_DATA(texts[node]);
        Py_ssize_t size = PyUnicode_GET_LENGTH(texts[node]);
        size = size < looked_at - seen ? size : looked_at - seen;
        seen += size;
        for (Py_ssize_t at = 0; at < size; at++) {
            Py_UCS4 point = PyUnicode_READ(width, data, at);
            if (is_special(point))
                return false;
            bool blank = point < KNOWN ? known->blank[point] : is_blank(point);
            if (blank && !length)
                continue;
            point = point < KNOWN ? known->folded[point] : folded_point(point);
            if (point == ' ' && folded[length - 1] == ' ')
                continue;
            folded[length++] = point;
            blanks |= bit_of(point);
            if (blank)
                continue;
            has |= blanks;
            blanks = 0;
            kept = length;
        }
    }
    block->length = kept;
    block->has = has;
    return true;
}

static uint64_t bits_of(const Py_UCS4 *points, Py_ssize_t length)
{
    uint64_t has = 0;
    for (Py_ssize_t at = 0; at < length; at++)
        has |= bit_of(points[at]);
    return has;
}

static double title_share(const Head *head, const TitleSizes *sizes, const Needle *block)
{
    if (block->length < sizes->shortest || block->length >= sizes->longest_heading)
        return 0;
    if (block->length <= head->title.length && is_in(block, &head->title))
        return (double)block->length / (double)head->title.length;
    for (Py_ssize_t part = 0; part < head->part_count; part++)
        if (is_in(&head->parts[part], block))
            return (double)head->parts[part].length / (double)block->length;
    return 0;
}

static double description_code(const Head *head, const TitleSizes *sizes, const Needle *block)
{
    if (!head->whole.length || block->length < sizes->sentence)
        return 0;
    Py_ssize_t length = block->length < sizes->beginning ? block->length : sizes->beginning;
    const Needle beginning = {block->points, length, bits_of(block->points, length)};
    if (is_in(&beginning, &head->whole))
        return block->length > sizes->long_ ? 2 : 1;
    for (Py_ssize_t number = 0; number < head->beginning_count; number++)
        if (is_in(&head->beginnings[number], block))
            return 3;
    return 0;
}

static bool read_needle(PyObject *text_, Needle *needle)
{
    if (!PyUnicode_Check(text_)) {
        PyErr_SetString(PyExc_TypeError, "heads: tuples of strings and of tuples of strings");
        return false;
    }
    needle->length = PyUnicode_GET_LENGTH(text_);
    needle->points = PyUnicode_AsUCS4Copy(text_);
    if (needle->points != NULL)
        needle->has = bits_of(needle->points, needle->length);
    return needle->points != NULL;
}

static bool read_needles(PyObject *texts, Needle **needles, Py_ssize_t *count)
{
    *needles = PyMem_Calloc((size_t)PyTuple_GET_SIZE(texts) + 1, sizeof **needles);
    if (*needles == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (; *count < PyTuple_GET_SIZE(texts); ++*count)
        if (!read_needle(PyTuple_GET_ITEM(texts, *count), &(*needles)[*count]))
            return false;
    return true;
}

static bool read_head(PyObject *given, Head *head)
{
    PyObject *title, *parts, *whole, *beginnings;
    if (!PyTuple_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "heads: tuples of strings and of tuples of strings");
        return false;
    }
    return PyArg_ParseTuple(given, "OO!OO!", &title, &PyTuple_Type, &parts, &whole, &PyTuple_Type, &beginnings)
        && read_needle(title, &head->title) && read_needle(whole, &head->whole)
        && read_needles(parts, &head->parts, &head->part_count)
        && read_needles(beginnings, &head->beginnings, &head->beginning_count);
}

static void free_head(Head *head)
{
    PyMem_Free(head->title.points);
    PyMem_Free(head->whole.points);
    for (Py_ssize_t number = 0; number < head->part_count; number++)
        PyMem_Free(head->parts[number].points);
    for (Py_ssize_t number = 0; number < head->beginning_count; number++)
        PyMem_Free(head->beginnings[number].points);
    PyMem_Free(head->parts);
    PyMem_Free(head->beginnings);
}

typedef struct {
    PyObject **texts;
    const int32_t *block_start, *page_start;
    double *title, *description;
    KnownPoints known;
} TitleColumns;

/* The matches of a page; false where Python must look at it. */
static bool match_page(const TitleColumns *columns, Py_ssize_t page, const Head *head, const TitleSizes *sizes)
{
    Py_UCS4 folded[LOOKED_AT_MOST];
    Needle block = {.points = folded};
    for (int32_t at = columns->page_start[page]; at < columns->page_start[page + 1]; at++) {
        if (!fold_block(&columns->known, columns->texts, columns->block_start[at], columns->block_start[at + 1],
                        sizes->looked_at, &block))
            return false;
        columns->title[at] = title_share(head, sizes, &block);
        columns->description[at] = description_code(head, sizes, &block);
    }
    return true;
}

static bool starts_fit(const int32_t *starts, Py_ssize_t count, Py_ssize_t last)
{
    bool fits = count > 0 && starts[0] == 0 && starts[count - 1] == last;
    for (Py_ssize_t at = 1; at < count; at++)
        fits &= starts[at] >= starts[at - 1];
    return fits;
}

static PyObject *matches(PyObject *self, PyObject *arguments)
{
    PyObject *texts, *heads, *block_start, *page_start, *title, *description, *unread = NULL;
    TitleSizes sizes;
    if (!PyArg_ParseTuple(arguments, "O!OOO!(nnnnnn)OO", &PyList_Type, &texts, &block_start, &page_start, &PyList_Type,
                          &heads, &sizes.shortest, &sizes.longest_heading, &sizes.looked_at, &sizes.sentence,
                          &sizes.beginning, &sizes.long_, &title, &description))
        return NULL;
    Buffers buffers = {.count = 0};
    TitleColumns columns = {.texts = PySequence_Fast_ITEMS(texts)};
    know_points(&columns.known);
    Py_ssize_t blocks = -1, pages = PyList_GET_SIZE(heads);
    if ((columns.block_start = take(&buffers, block_start, &blocks, 4, false))
        && (columns.page_start = numbers(&buffers, page_start, pages + 1, 4, false))
        && (columns.title = numbers(&buffers, title, blocks - 1, 8, true))
        && (columns.description = numbers(&buffers, description, blocks - 1, 8, true))) {
        bool fits = sizes.looked_at >= 0 && sizes.looked_at <= LOOKED_AT_MOST
            && starts_fit(columns.block_start, blocks, PyList_GET_SIZE(texts))
            && starts_fit(columns.page_start, pages + 1, blocks - 1);
        for (Py_ssize_t node = 0; fits && node < PyList_GET_SIZE(texts); node++)
            fits = PyUnicode_Check(columns.texts[node]);
        if (!fits)
            PyErr_SetString(PyExc_ValueError, "texts and blocks that do not fit each other");
        else
            unread = PyList_New(0);
    }
    for (Py_ssize_t page = 0; unread != NULL && page < pages; page++) {
        Head head = {{0}};
        bool failed = !read_head(PyList_GET_ITEM(heads, page), &head);
        if (!failed && !match_page(&columns, page, &head, &sizes)) {
            PyObject *number = PyLong_FromSsize_t(page);
            failed = number == NULL || PyList_Append(unread, number) < 0;
            Py_XDECREF(number);
        }
        free_head(&head);
        if (failed)
            Py_CLEAR(unread);
    }
    release(&buffers);
    return unread;
}

#endif
