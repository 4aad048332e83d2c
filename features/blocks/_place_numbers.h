/* Where blocks stand in the page: main part, order, neighbours, blocks of the same kind: as place_numbers.py. */

#ifndef RUIJI_PLACE_NUMBERS_H
#define RUIJI_PLACE_NUMBERS_H

#include "_numbers.h"

/* For each page the deepest element that has so much of a weight of blocks; 0 for none. Elements that hold half or
   more lie in one chain; of smaller shares the one with most weight counts. */
static void smallest_elements(const Blocks *blocks, Sums weight, double least, int32_t *smallest)
{
    const Pages *pages = blocks->pages;
    for (int32_t page = 0; page < pages->pages; page++) {
        double whole = of_page(blocks, weight, page), most = 0;
        int32_t best = 0;
        for (int32_t element = pages->element_start[page]; element < pages->element_start[page + 1]; element++) {
            double own = inside(blocks, weight, element), heavy = least < 0.5 ? own : 0;
            if (ratio(own, whole) >= least
                && (!best || heavy > most || (heavy == most && blocks->depth[element] > blocks->depth[best]))) {
                best = element;
                most = heavy;
            }
        }
        smallest[page] = best;
    }
}

/* How many blocks a block stands before (below 0) or after an element; 0 inside it and without one. */
static inline double beyond(const Blocks *blocks, Py_ssize_t at, int32_t element)
{
    Py_ssize_t first = blocks->first[element], end = blocks->end[element];
    return element == 0 ? 0 : at < first ? (double)(at - first) : at < end ? 0 : (double)(at - end + 1);
}

static inline bool is_inside(const Blocks *blocks, Py_ssize_t at, int32_t element)
{
    return blocks->first[element] <= at && at < blocks->end[element];
}

/* Whether the block is in the smallest element with so much of the page's prose, or how far from it. */
static void prose(const Blocks *blocks, Output *output)
{
    const Tables *tables = blocks->tables;
    int32_t *smallest = room(blocks->arena, blocks->pages->pages, sizeof *smallest);
    if (blocks->arena->failed)
        return;
    for (Py_ssize_t number = 0; number < tables->main_shares; number++) {
        smallest_elements(blocks, blocks->prose_before, tables->main_share[number], smallest);
        float *is_main = next_column(output), *size = next_column(output), *from = next_column(output);
        for (Py_ssize_t at = 0; at < blocks->count; at++) {
            int32_t page = blocks->page[at], main = smallest[page];
            is_main[at] = main ? is_inside(blocks, at, main) : -1;
            size[at] = main ? (float)ratio(inside(blocks, blocks->chars_before, main),
                                           of_page(blocks, blocks->chars_before, page)) : -1;
            from[at] = (float)beyond(blocks, at, main);
        }
    }
    float *column = next_column(output);
    for (Py_ssize_t at = 0; at < blocks->count; at++)
        column[at] = (float)ratio(before(blocks, blocks->prose_before, at),
                                  of_page(blocks, blocks->prose_before, blocks->page[at]));
}

static void place(const Blocks *blocks, Output *output)
{
    const Pages *pages = blocks->pages;
    const Tables *tables = blocks->tables;
    Py_ssize_t count = blocks->count;
    uint8_t *signs[5];
    for (int number = 0; number < 5; number++)
        signs[number] = room(blocks->arena, count, 1);
    int32_t *heading = room(blocks->arena, pages->elements, sizeof *heading);
    float *columns[4];
    for (int number = 0; number < 4; number++)
        columns[number] = next_column(output);
    if (blocks->arena->failed)
        return;
    for (int32_t element = 1; element < pages->elements; element++)
        heading[element] = tables->heading_level[pages->number[element]] == 1 || heading[pages->parent[element]];
    for (Py_ssize_t at = 0; at < count; at++) {
        int32_t page = blocks->page[at];
        double from = (double)(at - blocks->page_start[page]), chars = blocks->chars[at];
        double blocks_of_page = blocks->page_start[page + 1] - blocks->page_start[page];
        bool unlinked = blocks->linked_chars[at] < chars / 2;
        columns[0][at] = (float)from;
        columns[1][at] = (float)(blocks->page_start[page + 1] - 1 - at);
        columns[2][at] = (float)ratio(from, blocks_of_page);
        columns[3][at] = (float)ratio(before(blocks, blocks->chars_before, at),
                                      of_page(blocks, blocks->chars_before, page));
        signs[0][at] = chars >= tables->long_ && unlinked;
        signs[1][at] = chars >= 3 * tables->long_ && unlinked;
        signs[2][at] = tables->heading_level[pages->number[blocks->element[at]]] > 0;
        signs[3][at] = heading[pages->element[blocks->start[at]]] > 0;
        signs[4][at] = kind_counts(blocks, tables->currency)[at] > 0;
    }
    for (int number = 0; number < 5; number++)
        distances(blocks, signs[number], output);
}

/* The block at an offset in the same page; -1 where there is none. */
static inline Py_ssize_t neighbour(const Blocks *blocks, Py_ssize_t at, int offset)
{
    Py_ssize_t other = at + offset;
    int32_t page = blocks->page[at];
    return other >= blocks->page_start[page] && other < blocks->page_start[page + 1] ? other : -1;
}

static void neighbours(const Blocks *blocks, Output *output)
{
    static const int NEAR[] = {-3, -2, -1, 1, 2, 3}, NEARER[] = {-2, -1, 1, 2};
    const Tables *tables = blocks->tables;
    for (int number = 0; number < 6; number++) {
        float *chars = next_column(output), *linked = next_column(output);
        for (Py_ssize_t at = 0; at < blocks->count; at++) {
            Py_ssize_t other = neighbour(blocks, at, NEAR[number]);
            chars[at] = other < 0 ? -1 : (float)blocks->chars[other];
            linked[at] = other < 0 ? -1 : (float)ratio(blocks->linked_chars[other], blocks->chars[other]);
        }
    }
    for (int number = 0; number < 4; number++) {
        float *ends = next_column(output), *tag = next_column(output);
        for (Py_ssize_t at = 0; at < blocks->count; at++) {
            Py_ssize_t other = neighbour(blocks, at, NEARER[number]);
            ends[at] = other < 0 ? -1 : (float)blocks->sentence_ends[other];
            tag[at] = other < 0 ? -1 : (float)blocks->tag[other];
        }
    }
    float *same = next_column(output);
    for (Py_ssize_t at = 0; at < blocks->count; at++) {
        Py_ssize_t other = neighbour(blocks, at, -1);
        same[at] = other >= 0 && blocks->element[other] == blocks->element[at];
    }
    for (Py_ssize_t number = 0; number < tables->reaches; number++) {
        int32_t reach = tables->reach[number];
        float *chars = next_column(output), *linked = next_column(output), *ends = next_column(output);
        for (Py_ssize_t at = 0; at < blocks->count; at++) {
            int32_t page = blocks->page[at], first = blocks->page_start[page], end = blocks->page_start[page + 1];
            Py_ssize_t low = at - reach > first ? at - reach : first, high = at + reach + 1 < end ? at + reach + 1 : end;
            double near = blocks->chars_before[high] - blocks->chars_before[low];
            chars[at] = (float)near;
            linked[at] = (float)ratio(blocks->linked_before[high] - blocks->linked_before[low], near);
            ends[at] = (float)(blocks->ends_before[high] - blocks->ends_before[low]);
        }
    }
}

/* Blocks of the page that stand in the same kind of place: how many, how long, how linked. */
static void repetition_by(const Blocks *blocks, const int32_t *kind, int32_t kinds, Output *output)
{
    double *sums[3];
    for (int number = 0; number < 3; number++)
        sums[number] = room(blocks->arena, kinds, sizeof **sums);
    float *columns[4];
    for (int number = 0; number < 4; number++)
        columns[number] = next_column(output);
    if (blocks->arena->failed)
        return;
    for (Py_ssize_t at = 0; at < blocks->count; at++) {
        sums[0][kind[at]]++;
        sums[1][kind[at]] += blocks->chars[at];
        sums[2][kind[at]] += blocks->linked_chars[at];
    }
    for (Py_ssize_t at = 0; at < blocks->count; at++) {
        double count = sums[0][kind[at]], chars = sums[1][kind[at]];
        columns[0][at] = (float)count;
        columns[1][at] = (float)(chars / count);
        columns[2][at] = (float)(sums[2][kind[at]] / at_least(chars, 1));
        columns[3][at] = (float)(chars / at_least(of_page(blocks, blocks->chars_before, blocks->page[at]), 1));
    }
}

static void repetition(const Blocks *blocks, Output *output)
{
    repetition_by(blocks, blocks->path_kind, blocks->path_kinds, output);
    repetition_by(blocks, blocks->called_kind, blocks->called_kinds, output);
}

#endif
