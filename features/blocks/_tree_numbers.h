/* Where blocks stand in the tree: as tree_numbers.py. */

#ifndef RUIJI_TREE_NUMBERS_H
#define RUIJI_TREE_NUMBERS_H

#include "_numbers.h"

/* For each element the number of elements with the same parent and name: each parent has a list of the names that its
   children have, which is short. */
static int32_t *same_siblings(const Blocks *blocks)
{
    typedef struct {
        int32_t count, next;
        uint8_t number;
    } Name;
    const Pages *pages = blocks->pages;
    int32_t *names_of = room(blocks->arena, pages->elements, sizeof *names_of);
    int32_t *name_of = room(blocks->arena, pages->elements, sizeof *name_of);
    Name *names = room(blocks->arena, pages->elements, sizeof *names);
    int32_t *same = room(blocks->arena, pages->elements, sizeof *same), different = 0;
    if (blocks->arena->failed)
        return same;
    for (int32_t element = 1; element < pages->elements; element++) {
        int32_t parent = pages->parent[element], name = names_of[parent];
        while (name && names[name].number != pages->number[element])
            name = names[name].next;
        if (!name) {
            name = ++different;
            names[name] = (Name){.number = pages->number[element], .next = names_of[parent]};
            names_of[parent] = name;
        }
        names[name].count++;
        name_of[element] = name;
    }
    for (int32_t element = 0; element < pages->elements; element++)
        same[element] = pages->parent[element] ? names[name_of[element]].count : 1;
    return same;
}

/* For each node the depth of the lowest element that also encloses the node before. */
static int32_t *common_depth(const Blocks *blocks)
{
    const Pages *pages = blocks->pages;
    int32_t *depth = room(blocks->arena, pages->nodes + 1, sizeof *depth);
    if (blocks->arena->failed)
        return depth;
    for (int32_t element = 1; element < pages->elements; element++)
        if (pages->end[element] - pages->first[element] > 1) {
            depth[pages->first[element] + 1]++;
            depth[pages->end[element]]--;
        }
    for (Py_ssize_t node = 0; node < pages->nodes; node++)
        depth[node + 1] += depth[node];
    return depth;
}

/* How far above the block's first node the nearest element of each tag of AROUND stands, and the level of the nearest
   heading. */
static void around(const Blocks *blocks, Output *output)
{
    const Pages *pages = blocks->pages;
    const Tables *tables = blocks->tables;
    int32_t *nearest = room(blocks->arena, pages->elements, sizeof *nearest);
    float *columns[MARKS_MOST];
    for (int32_t tag = 0; tag <= tables->around; tag++) {
        columns[tag] = next_column(output);
        memset(columns[tag], 0, blocks->count * sizeof(float));
    }
    if (blocks->arena->failed)
        return;
    for (int32_t element = 1; element < pages->elements; element++)
        nearest[element] = tables->around_bits[pages->number[element]] ? element : nearest[pages->parent[element]];
    for (Py_ssize_t at = 0; at < blocks->count; at++) {
        int32_t own = pages->element[blocks->start[at]], depth = blocks->depth[own], met = 0;
        for (int32_t element = nearest[own]; element; element = nearest[pages->parent[element]]) {
            uint8_t number = pages->number[element];
            int32_t bits = tables->around_bits[number] & ~met;
            met |= bits;
            for (int32_t tag = 0; bits; tag++, bits >>= 1)
                if (bits & 1)
                    columns[tag][at] = tag == tables->around ? (float)tables->heading_level[number]
                                                             : (float)(depth - blocks->depth[element] + 1);
        }
    }
}

static void tree(const Blocks *blocks, Output *output)
{
    const Pages *pages = blocks->pages;
    const Tables *tables = blocks->tables;
    const int32_t *siblings = same_siblings(blocks), *common = common_depth(blocks);
    float *columns[9];
    for (int number = 0; number < 9; number++)
        columns[number] = next_column(output);
    if (blocks->arena->failed)
        return;
    for (Py_ssize_t at = 0; at < blocks->count; at++) {
        int32_t element = blocks->element[at], node = blocks->start[at];
        int32_t above = blocks->block_element[pages->parent[element]];
        columns[0][at] = (float)blocks->tag[at];
        columns[1][at] = (float)tables->tag_code[pages->number[pages->element[node]]];
        columns[2][at] = pages->number[above];
        columns[3][at] = pages->number[blocks->block_element[pages->parent[above]]];
        columns[4][at] = (float)blocks->depth[element];
        columns[5][at] = (float)(blocks->depth[pages->element[node]] - common[node]);
        columns[6][at] = (float)siblings[element];
        columns[7][at] = (float)siblings[above];
        columns[8][at] = (float)(blocks->end[element] - blocks->first[element]);
    }
    for (int32_t kind = 0; kind < tables->block_kinds; kind++) {
        float *column = next_column(output);
        for (Py_ssize_t at = 0; at < blocks->count; at++)
            column[at] = tables->block_bits[pages->number[blocks->element[at]]] >> kind & 1;
    }
    around(blocks, output);
}

/* Whether a block's first node is inside one of some elements, before the first of its page, after the last or between
   two: as names._part. An element is one of them by its tag (a bit of AROUND) or, below 0, by its meaning. */
static void part(const Blocks *blocks, int32_t tag_bit, int32_t meaning, Output *output)
{
    const Pages *pages = blocks->pages;
    int32_t *inside_ = room(blocks->arena, pages->nodes + 1, sizeof *inside_);
    float *column = next_column(output);
    if (blocks->arena->failed)
        return;
    for (Py_ssize_t page = 0; page < pages->pages; page++) {
        int32_t first = (int32_t)pages->nodes, end = -1, depth = 0, from = pages->page_start[page];
        for (int32_t element = pages->element_start[page]; element < pages->element_start[page + 1]; element++) {
            bool own = tag_bit < 0 ? blocks->meanings[element] >> meaning & 1
                                   : blocks->tables->around_bits[pages->number[element]] >> tag_bit & 1;
            if (own && pages->end[element] > pages->first[element]) {
                inside_[pages->first[element]]++;
                inside_[pages->end[element]]--;
                first = pages->first[element] < first ? pages->first[element] : first;
                end = pages->end[element] > end ? pages->end[element] : end;
            }
        }
        for (Py_ssize_t at = blocks->page_start[page]; at < blocks->page_start[page + 1]; at++) {
            for (; from <= blocks->start[at]; from++)
                depth += inside_[from];
            column[at] = end < 0 ? 0 : depth > 0 ? 1 : blocks->start[at] < first ? 2 : blocks->start[at] >= end ? 3 : 4;
        }
        if (pages->page_start[page + 1] < pages->nodes)
            inside_[pages->page_start[page + 1]] = 0; /* what ended with this page */
    }
}

static void meanings(const Blocks *blocks, Output *output)
{
    const Pages *pages = blocks->pages;
    const Tables *tables = blocks->tables;
    int32_t *nearest = room(blocks->arena, pages->elements, sizeof *nearest);
    float *hint = next_column(output), *columns[MARKS_MOST], *shares[MARKS_MOST];
    for (int32_t meaning = 0; meaning < tables->name_meanings; meaning++) {
        columns[meaning] = next_column(output);
        memset(columns[meaning], 0, blocks->count * sizeof(float));
        shares[meaning] = NULL;
        if (tables->shared_meaning[meaning]) {
            shares[meaning] = next_column(output);
            for (Py_ssize_t at = 0; at < blocks->count; at++)
                shares[meaning][at] = -1;
        }
    }
    if (blocks->arena->failed)
        return;
    for (int32_t element = 1; element < pages->elements; element++)
        nearest[element] = blocks->meant[element] ? element : nearest[pages->parent[element]];
    for (Py_ssize_t at = 0; at < blocks->count; at++) {
        int32_t own = blocks->element[at], depth = blocks->depth[own], met = 0;
        hint[at] = blocks->meant[nearest[pages->element[blocks->start[at]]]];
        for (int32_t element = nearest[own]; element; element = nearest[pages->parent[element]]) {
            int32_t bits = blocks->meanings[element] & ~met;
            met |= bits;
            for (int32_t meaning = 0; bits; meaning++, bits >>= 1)
                if (bits & 1) {
                    columns[meaning][at] = (float)(depth - blocks->depth[element] + 1);
                    if (shares[meaning])
                        shares[meaning][at] = (float)ratio(inside(blocks, blocks->chars_before, element),
                                                           of_page(blocks, blocks->chars_before, blocks->page[at]));
                }
        }
    }
    part(blocks, tables->main_bit, 0, output);
    part(blocks, tables->article_bit, 0, output);
    part(blocks, -1, tables->content, output);
}

/* The sections around the block: how large, how linked, how much of the page, and where in them the block stands. */
static void containers(const Blocks *blocks, Output *output)
{
    const Pages *pages = blocks->pages;
    const Tables *tables = blocks->tables;
    Py_ssize_t count = blocks->count;
    double *long_ = room(blocks->arena, count, sizeof *long_), *headings = room(blocks->arena, count, sizeof *headings);
    if (blocks->arena->failed)
        return;
    for (Py_ssize_t at = 0; at < count; at++) {
        double chars = blocks->chars[at];
        long_[at] = chars >= tables->long_ && blocks->linked_chars[at] < chars / 2 ? chars : 0;
        headings[at] = tables->heading_level[pages->number[blocks->element[at]]] > 0;
    }
    Sums commas_before = running_sum(blocks->arena, kind_counts(blocks, tables->comma), count);
    Sums long_before = running_sum(blocks->arena, long_, count);
    Sums headings_before = running_sum(blocks->arena, headings, count);
    for (int32_t level = 0; level < tables->levels; level++) {
        float *columns[12];
        for (int number = 0; number < 12; number++)
            columns[number] = next_column(output);
        if (blocks->arena->failed)
            return;
        for (Py_ssize_t at = 0; at < count; at++) {
            int32_t element = blocks->container[level * count + at], first = blocks->first[element];
            if (!element) {
                for (int number = 0; number < 12; number++)
                    columns[number][at] = -1;
                continue;
            }
            double chars = inside(blocks, blocks->chars_before, element), held = blocks->end[element] - first;
            columns[0][at] = (float)chars;
            columns[1][at] = (float)ratio(chars, of_page(blocks, blocks->chars_before, blocks->page[at]));
            columns[2][at] = (float)ratio(inside(blocks, blocks->linked_before, element), chars);
            columns[3][at] = (float)ratio(chars, held);
            columns[4][at] = (float)held;
            columns[5][at] = (float)ratio(inside(blocks, blocks->ends_before, element), held);
            columns[6][at] = (float)ratio(inside(blocks, commas_before, element), chars);
            columns[7][at] = (float)ratio(inside(blocks, long_before, element), chars);
            columns[8][at] = (float)inside(blocks, headings_before, element);
            columns[9][at] = (float)ratio((double)(at - first), held);
            columns[10][at] = (float)ratio(blocks->chars_before[at] - blocks->chars_before[first], chars);
            columns[11][at] = pages->number[element];
        }
    }
}

#endif
