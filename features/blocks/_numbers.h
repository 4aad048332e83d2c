/* What the families of numbers in C share: pages as arrays, tables from Python, sums over blocks, the matrix.

   Data flow: Pages (arrays of features/nodes/forest.py) --share--> Blocks (what table.py calls so)
              --text_numbers … runs-->  columns of the matrix, in the order of families.NUMBERS

   Each of the files beside this one mirrors the module of its name, which is the reference; a function here has the
   name of the function there. Elements are numbered from 1, 0 is none and its own parent. */

#ifndef RUIJI_NUMBERS_H
#define RUIJI_NUMBERS_H

#include "../_buffers.h"

enum { LEVELS_MOST = 16, MARKS_MOST = 32 };

/* Columns of nodes, elements, words and names of several pages. */
typedef struct {
    Py_ssize_t pages, nodes, elements, words, comment_words, named, name_words, names;
    const int32_t *page_start;      /* the first node of each page, and the end */
    const int32_t *element_start;   /* the first element of each page, and the end */
    const uint8_t *is_article;      /* of each page */
    const int32_t *element, *block, *lengths, *text_number, *link, *counts; /* of nodes; counts a row a node */
    const uint8_t *first_kind, *last_kind, *linked, *fragment;
    const uint8_t *number;          /* of elements */
    const int32_t *parent, *first, *end;
    const int32_t *word_text, *word_hint; /* of words of short texts: the node, the meaning or -1 */
    const int32_t *comment_text;    /* nodes with a word of comment sections */
    const int32_t *named_element, *name_kind; /* of elements with a name: which, and the number of the name */
    const int32_t *name_start;      /* of each name its first word, and the end */
    const int32_t *name_meaning;    /* of each word of a name its meaning or -1 */
    const double *title, *description; /* of blocks, see title.py */
} Pages;

/* What Python says of characters, elements and sizes. */
typedef struct {
    int32_t kinds, other, digit, lower, upper, hiragana, hangul, full_stop, question, comma, colon, open, separator,
        copyright, currency;
    int32_t long_, short_, date_digits, far, levels, path_steps, gap;
    int32_t word_meanings, name_meanings, around, block_kinds, main_bit, article_bit, content, comments;
    double half, least_match;
    Py_ssize_t main_shares, reaches;
    const double *main_share;       /* of the prose that a main part has */
    const int32_t *reach;           /* of windows, in blocks */
    const uint8_t *dense;           /* of each kind of character whether it is a letter without case */
    const uint8_t *shared_meaning;  /* of each meaning of names whether the share of its element is a number too */
    /* of each number of an element: */
    const int32_t *tag_code;
    const uint8_t *section, *block_level, *heading_level;
    const int32_t *around_bits;     /* the tags of tree_numbers.AROUND as bits, and one more for headings */
    const int32_t *block_bits;      /* tree_numbers.KINDS_OF_BLOCK */
    const int32_t *tag_meaning;     /* or -1 */
} Tables;

/* Memory of one call, given back at its end. */
typedef struct {
    void *parts[160];
    int count;
    bool failed;
} Arena;

static void *room(Arena *arena, Py_ssize_t count, size_t size)
{
    static char nothing[64];
    if (arena->failed || arena->count == sizeof arena->parts / sizeof *arena->parts) {
        arena->failed = true;
        return nothing;
    }
    void *part = PyMem_Calloc((size_t)count + 1, size);
    if (part == NULL) {
        arena->failed = true;
        return nothing;
    }
    return arena->parts[arena->count++] = part;
}

static void give_back(Arena *arena)
{
    while (arena->count)
        PyMem_Free(arena->parts[--arena->count]);
}

/* The blocks of the pages. A ``Sums`` has the sum of a column before each block, and one more: of all. */
typedef const double *Sums;

typedef struct {
    const Pages *pages;
    const Tables *tables;
    Arena *arena;
    Py_ssize_t count;
    int32_t *start;                 /* the first node of each block, and one more */
    int32_t *page;                  /* of each block */
    int32_t *page_start;            /* the first block of each page, and one more */
    int32_t *element;               /* the nearest block-level element around each block */
    int32_t *tag;                   /* its code */
    int32_t *node_chars;            /* of each node */
    double *chars, *linked_chars;
    double *kinds;                  /* a row a kind */
    double *sentence_ends, *prose;
    Sums chars_before, linked_before, ends_before, prose_before;
    int32_t *depth, *block_element, *first, *end, *element_page; /* of elements */
    int32_t *container;             /* a row a level */
    int32_t *path_kind, *called_kind; /* of blocks: the number of its kind of place */
    int32_t path_kinds, called_kinds;
    uint8_t *meant;                 /* of elements: the meaning that counts plus 1 */
    int32_t *meanings;              /* and all meanings as bits */
} Blocks;

typedef struct {
    float *matrix;
    Py_ssize_t rows, columns, at;
    float *spare;                   /* where a column goes that there is no place for */
} Output;

static float *next_column(Output *output)
{
    return output->at < output->columns ? output->matrix + output->at++ * output->rows : (output->at++, output->spare);
}

static inline double ratio(double part, double whole)
{
    return part / (whole > 1e-9 ? whole : 1e-9);
}

static inline double at_least(double number, double least)
{
    return number > least ? number : least;
}

static Sums running_sum(Arena *arena, const double *column, Py_ssize_t count)
{
    double *total = room(arena, count + 1, sizeof *total);
    if (!arena->failed)
        for (Py_ssize_t at = 0; at < count; at++)
            total[at + 1] = total[at] + column[at];
    return total;
}

/* The sum over the blocks inside an element, and over those of a page. */
static inline double inside(const Blocks *blocks, Sums total, int32_t element)
{
    return total[blocks->end[element]] - total[blocks->first[element]];
}

static inline double of_page(const Blocks *blocks, Sums total, int32_t page)
{
    return total[blocks->page_start[page + 1]] - total[blocks->page_start[page]];
}

static inline double before(const Blocks *blocks, Sums total, Py_ssize_t block)
{
    return total[block] - total[blocks->page_start[blocks->page[block]]];
}

static inline const double *kind_counts(const Blocks *blocks, int32_t kind)
{
    return blocks->kinds + kind * blocks->count;
}

/* How many blocks back (or ahead) the nearest of ``which`` stands in the same page. */
static void distance(const Blocks *blocks, const uint8_t *which, bool back, float *column)
{
    double far = blocks->tables->far;
    for (Py_ssize_t page = 0; page < blocks->pages->pages; page++) {
        Py_ssize_t first = blocks->page_start[page], end = blocks->page_start[page + 1], nearest = -1;
        for (Py_ssize_t step = 0; step < end - first; step++) {
            Py_ssize_t at = back ? first + step : end - 1 - step;
            if (which[at])
                nearest = at;
            double gap = nearest < 0 ? far : back ? at - nearest : nearest - at;
            column[at] = (float)(gap < far ? gap : far);
        }
    }
}

static void distances(const Blocks *blocks, const uint8_t *which, Output *output)
{
    distance(blocks, which, true, next_column(output));
    distance(blocks, which, false, next_column(output));
}

#endif
