/* What the pass of the network is given: a network as network_tables.py bakes it, and columns of pages.

   Data flow: dictionaries of buffers  --read_network, read_keys, read_pages-->  Network, Keys, Pages

   Every size and every number that points somewhere is checked here, before anything is computed. */

#ifndef RUIJI_NETWORK_TABLES_H
#define RUIJI_NETWORK_TABLES_H

#include "_lanes.h"

enum { CHUNK = 40 * TILE, VALUES = 256 }; /* rows that are passed together; values of a column of kinds */

/* What is learned, as network.py bakes it; matrices have a row an input and ``lanes`` outputs. */
typedef struct {
    Py_ssize_t width, lanes;      /* of a vector, as learned and padded */
    Py_ssize_t inputs, kinds, words, text_words, name_words, columns;
    const int32_t *column;        /* of each input the column of the matrix */
    const uint8_t *logarithmic;
    const float *mean, *deviation;
    const int32_t *kind_column, *kind_row; /* columns of kinds; for each value the row of ``word`` */
    const float *number, *word, *block_bias, *attention;
    const float *around;          /* of the block before, the block, the block after, one below the other */
    const float *page, *gate_bias; /* twice as wide: values, then gates */
    const float *mixed, *last, *last_bias, *out;
    float out_bias, farthest;
} Network;

/* Keys by the upper bits of their hashes (network_tables.py): those of each place from its start to before the next. */
typedef struct {
    Py_ssize_t count, places;
    const uint64_t *keys;
    const int32_t *order;
    const int32_t *start;
    int shift;
} Keys;

typedef struct {
    Py_ssize_t pages, nodes, rows, words, elements, named, names, name_words;
    const int32_t *page_start;    /* nodes */
    const int32_t *row_start;     /* blocks */
    const int32_t *block;         /* of each node */
    const int32_t *first, *end;   /* of each element its nodes */
    const int32_t *word_text;
    const uint64_t *word_key;
    const int32_t *named_element, *name_kind, *name_start;
    const uint64_t *name_key;
    const float *matrix;          /* a column after another */
} Pages;

static void read_network(Reader *reader, Network *network)
{
    network->width = (Py_ssize_t)constant(reader, "width");
    network->lanes = (Py_ssize_t)constant(reader, "lanes");
    network->words = (Py_ssize_t)constant(reader, "words");
    network->text_words = (Py_ssize_t)constant(reader, "text_words");
    network->name_words = (Py_ssize_t)constant(reader, "name_words");
    network->columns = (Py_ssize_t)constant(reader, "columns");
    network->out_bias = (float)constant(reader, "out_bias");
    network->farthest = (float)constant(reader, "farthest");
    network->inputs = length_of(reader, "mean");
    network->kinds = length_of(reader, "kind_column");
    Py_ssize_t lanes = network->lanes;
    bool fits = lanes > 0 && lanes % LANES == 0 && lanes <= 4096 && network->width > 0 && network->width <= lanes
        && network->text_words >= 0 && network->name_words >= 0 && network->columns >= 0
        && network->words >= network->text_words + network->name_words;
    if (!fits && !reader->failed) {
        PyErr_SetString(PyExc_ValueError, "a network whose sizes do not fit each other");
        reader->failed = true;
    }
    network->column = column(reader, "column", network->inputs, 4);
    network->logarithmic = column(reader, "logarithmic", network->inputs, 1);
    network->mean = column(reader, "mean", network->inputs, 4);
    network->deviation = column(reader, "deviation", network->inputs, 4);
    network->kind_column = column(reader, "kind_column", network->kinds, 4);
    network->kind_row = column(reader, "kind_row", network->kinds * VALUES, 4);
    network->number = column(reader, "numbers", network->inputs * lanes, 4);
    network->word = column(reader, "word", network->words * lanes, 4);
    network->block_bias = column(reader, "block_bias", lanes, 4);
    network->attention = column(reader, "attention", lanes, 4);
    network->around = column(reader, "around", 3 * lanes * 2 * lanes, 4);
    network->page = column(reader, "page", lanes * 2 * lanes, 4);
    network->gate_bias = column(reader, "gate_bias", 2 * lanes, 4);
    network->mixed = column(reader, "mixed", lanes * lanes, 4);
    network->last = column(reader, "last", lanes * lanes, 4);
    network->last_bias = column(reader, "last_bias", lanes, 4);
    network->out = column(reader, "out", lanes, 4);
    for (Py_ssize_t number = 0; !reader->failed && number < network->inputs; number++)
        fits = fits && network->column[number] >= 0 && network->column[number] < network->columns;
    for (Py_ssize_t number = 0; !reader->failed && number < network->kinds; number++)
        fits = fits && network->kind_column[number] >= 0 && network->kind_column[number] < network->columns;
    for (Py_ssize_t number = 0; !reader->failed && number < network->kinds * VALUES; number++)
        fits = fits && network->kind_row[number] >= 0 && network->kind_row[number] < network->words;
    if (!fits && !reader->failed) {
        PyErr_SetString(PyExc_ValueError, "a network whose columns do not fit its weights");
        reader->failed = true;
    }
}

static void read_keys(Reader *reader, const char *prefix, Py_ssize_t words, Keys *table)
{
    char name[32];
    snprintf(name, sizeof name, "%s_keys", prefix);
    table->count = length_of(reader, name);
    table->keys = column(reader, name, table->count, 8);
    snprintf(name, sizeof name, "%s_order", prefix);
    table->order = column(reader, name, table->count, 4);
    snprintf(name, sizeof name, "%s_start", prefix);
    table->places = length_of(reader, name) - 1;
    table->start = column(reader, name, table->places + 1, 4);
    snprintf(name, sizeof name, "%s_shift", prefix);
    table->shift = (int)constant(reader, name);
    bool fits = !table->count || (table->shift > 0 && table->shift < 64 && table->places == (Py_ssize_t)1 << (64 - table->shift));
    for (Py_ssize_t at = 0; fits && !reader->failed && at < table->count; at++)
        fits = table->order[at] >= 0 && table->order[at] < words;
    for (Py_ssize_t at = 0; fits && !reader->failed && table->count && at <= table->places; at++)
        fits = table->start[at] >= 0 && table->start[at] <= table->count;
    if (!fits && !reader->failed) {
        PyErr_SetString(PyExc_ValueError, "a vocabulary that does not fit its weights");
        reader->failed = true;
    }
}

static bool are_within(const int32_t *numbers_, Py_ssize_t count, Py_ssize_t end)
{
    bool fits = true;
    for (Py_ssize_t at = 0; at < count; at++)
        fits &= numbers_[at] >= 0 && numbers_[at] < end;
    return fits;
}

static bool are_rising(const int32_t *numbers_, Py_ssize_t count)
{
    bool fits = true;
    for (Py_ssize_t at = 1; at < count; at++)
        fits &= numbers_[at] >= numbers_[at - 1];
    return fits;
}

static bool is_sound(const Pages *pages)
{
    return pages->pages >= 0 && pages->names >= 0 && pages->page_start[0] == 0 && pages->row_start[0] == 0
        && pages->page_start[pages->pages] == pages->nodes && pages->row_start[pages->pages] == pages->rows
        && pages->name_start[0] == 0 && pages->name_start[pages->names] == pages->name_words
        && are_rising(pages->page_start, pages->pages + 1) && are_rising(pages->row_start, pages->pages + 1)
        && are_rising(pages->name_start, pages->names + 1) && are_rising(pages->block, pages->nodes)
        && are_rising(pages->word_text, pages->words) && are_within(pages->block, pages->nodes, pages->rows)
        && are_within(pages->word_text, pages->words, pages->nodes)
        && are_within(pages->first, pages->elements, pages->nodes + 1)
        && are_within(pages->end, pages->elements, pages->nodes + 1)
        && are_within(pages->named_element, pages->named, pages->elements)
        && are_within(pages->name_kind, pages->named, pages->names);
}

/* Whether the nodes of each page are in its rows. */
static bool rows_fit(const Pages *pages)
{
    bool fits = true;
    for (Py_ssize_t page = 0; page < pages->pages; page++)
        for (int32_t node = pages->page_start[page]; node < pages->page_start[page + 1]; node++)
            fits &= pages->block[node] >= pages->row_start[page] && pages->block[node] < pages->row_start[page + 1];
    return fits;
}

static void read_pages(Reader *reader, Pages *pages)
{
    pages->pages = length_of(reader, "page_start") - 1;
    pages->nodes = length_of(reader, "block");
    pages->words = length_of(reader, "word_text");
    pages->elements = length_of(reader, "first");
    pages->named = length_of(reader, "named_element");
    pages->names = length_of(reader, "name_start") - 1;
    pages->name_words = length_of(reader, "name_key");
    pages->page_start = column(reader, "page_start", pages->pages + 1, 4);
    pages->row_start = column(reader, "row_start", pages->pages + 1, 4);
    pages->block = column(reader, "block", pages->nodes, 4);
    pages->first = column(reader, "first", pages->elements, 4);
    pages->end = column(reader, "end", pages->elements, 4);
    pages->word_text = column(reader, "word_text", pages->words, 4);
    pages->word_key = column(reader, "word_key", pages->words, 8);
    pages->named_element = column(reader, "named_element", pages->named, 4);
    pages->name_kind = column(reader, "name_kind", pages->named, 4);
    pages->name_start = column(reader, "name_start", pages->names + 1, 4);
    pages->name_key = column(reader, "name_key", pages->name_words, 8);
}

#endif
