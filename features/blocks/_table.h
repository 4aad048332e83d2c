/* The blocks of pages with the sums that several numbers share: as table.py. */

#ifndef RUIJI_TABLE_H
#define RUIJI_TABLE_H

#include "_numbers.h"

static void share_nodes(Blocks *blocks)
{
    const Pages *pages = blocks->pages;
    const Tables *tables = blocks->tables;
    Py_ssize_t kinds = tables->kinds, count = blocks->count;
    blocks->node_chars = room(blocks->arena, pages->nodes, sizeof(int32_t));
    blocks->chars = room(blocks->arena, count, sizeof(double));
    blocks->linked_chars = room(blocks->arena, count, sizeof(double));
    blocks->sentence_ends = room(blocks->arena, count, sizeof(double));
    blocks->prose = room(blocks->arena, count, sizeof(double));
    blocks->kinds = room(blocks->arena, count * kinds, sizeof(double));
    if (blocks->arena->failed)
        return;
    for (Py_ssize_t node = 0; node < pages->nodes; node++) {
        const int32_t *counts = pages->counts + node * kinds;
        int32_t block = pages->block[node], chars = pages->lengths[node];
        for (int32_t kind = tables->hiragana; kind <= tables->hangul; kind++)
            chars += counts[kind];
        blocks->node_chars[node] = chars;
        blocks->chars[block] += chars;
        blocks->linked_chars[block] += pages->linked[node] ? chars : 0;
        for (Py_ssize_t kind = 0; kind < kinds; kind++)
            blocks->kinds[kind * count + block] += counts[kind];
    }
    const double *stops = kind_counts(blocks, tables->full_stop), *questions = kind_counts(blocks, tables->question);
    for (Py_ssize_t at = 0; at < count; at++) {
        blocks->sentence_ends[at] = stops[at] + questions[at];
        blocks->prose[at] = blocks->chars[at] >= tables->long_ && blocks->linked_chars[at] < blocks->chars[at] / 3
            ? blocks->chars[at] : 0;
    }
    blocks->chars_before = running_sum(blocks->arena, blocks->chars, count);
    blocks->linked_before = running_sum(blocks->arena, blocks->linked_chars, count);
    blocks->ends_before = running_sum(blocks->arena, blocks->sentence_ends, count);
    blocks->prose_before = running_sum(blocks->arena, blocks->prose, count);
}

static void share_borders(Blocks *blocks)
{
    const Pages *pages = blocks->pages;
    blocks->start = room(blocks->arena, blocks->count + 1, sizeof(int32_t));
    blocks->page = room(blocks->arena, blocks->count, sizeof(int32_t));
    blocks->page_start = room(blocks->arena, pages->pages + 1, sizeof(int32_t));
    if (blocks->arena->failed)
        return;
    for (Py_ssize_t node = pages->nodes - 1; node >= 0; node--)
        blocks->start[pages->block[node]] = (int32_t)node;
    blocks->start[blocks->count] = (int32_t)pages->nodes;
    for (Py_ssize_t page = 0; page <= pages->pages; page++) {
        int32_t node = pages->page_start[page];
        blocks->page_start[page] = node < pages->nodes ? pages->block[node] : (int32_t)blocks->count;
    }
    for (Py_ssize_t page = 0; page < pages->pages; page++)
        for (int32_t at = blocks->page_start[page]; at < blocks->page_start[page + 1]; at++)
            blocks->page[at] = (int32_t)page;
}

/* How many blocks begin before a node. */
static inline int32_t begun(const Pages *pages, int32_t node)
{
    return node ? pages->block[node - 1] + 1 : 0;
}

static void share_elements(Blocks *blocks)
{
    const Pages *pages = blocks->pages;
    const Tables *tables = blocks->tables;
    int32_t **columns[] = {&blocks->depth, &blocks->block_element, &blocks->first, &blocks->end, &blocks->element_page};
    for (size_t number = 0; number < sizeof columns / sizeof *columns; number++)
        *columns[number] = room(blocks->arena, pages->elements, sizeof(int32_t));
    blocks->element = room(blocks->arena, blocks->count, sizeof(int32_t));
    blocks->tag = room(blocks->arena, blocks->count, sizeof(int32_t));
    if (blocks->arena->failed)
        return;
    for (int32_t element = 1; element < pages->elements; element++) {
        int32_t parent = pages->parent[element], first = begun(pages, pages->first[element]);
        int32_t end = begun(pages, pages->end[element]);
        blocks->depth[element] = blocks->depth[parent] + 1;
        blocks->block_element[element] =
            tables->block_level[pages->number[element]] ? element : blocks->block_element[parent];
        blocks->first[element] = first;
        blocks->end[element] = end > first ? end : first;
    }
    for (Py_ssize_t page = 0; page < pages->pages; page++)
        for (int32_t element = pages->element_start[page]; element < pages->element_start[page + 1]; element++)
            blocks->element_page[element] = (int32_t)page;
    for (Py_ssize_t at = 0; at < blocks->count; at++) {
        blocks->element[at] = blocks->block_element[pages->element[blocks->start[at]]];
        blocks->tag[at] = tables->tag_code[pages->number[blocks->element[at]]];
    }
}

/* The section-like elements around each block that hold more than it, innermost first. */
static void share_containers(Blocks *blocks)
{
    const Pages *pages = blocks->pages;
    const uint8_t *section = blocks->tables->section;
    int32_t *nearest = room(blocks->arena, pages->elements, sizeof(int32_t));
    blocks->container = room(blocks->arena, blocks->count * blocks->tables->levels, sizeof(int32_t));
    if (blocks->arena->failed)
        return;
    for (int32_t element = 1; element < pages->elements; element++) {
        int32_t parent = pages->parent[element];
        bool same = blocks->first[parent] == blocks->first[element] && blocks->end[parent] == blocks->end[element];
        bool own = section[pages->number[element]] && !(same && section[pages->number[parent]])
            && blocks->end[element] - blocks->first[element] > 1;
        nearest[element] = own ? element : nearest[parent];
    }
    for (Py_ssize_t at = 0; at < blocks->count; at++) {
        int32_t around = nearest[pages->element[blocks->start[at]]];
        for (int32_t level = 0; level < blocks->tables->levels; level++) {
            blocks->container[level * blocks->count + at] = around;
            around = nearest[pages->parent[around]];
        }
    }
}

/* What names and tags of elements mean: the last meaning counts, as in names.hinted. */
static void share_meanings(Blocks *blocks)
{
    const Pages *pages = blocks->pages;
    const Tables *tables = blocks->tables;
    blocks->meant = room(blocks->arena, pages->elements, 1);
    blocks->meanings = room(blocks->arena, pages->elements, sizeof(int32_t));
    if (blocks->arena->failed)
        return;
    for (Py_ssize_t named = 0; named < pages->named; named++) {
        int32_t element = pages->named_element[named], kind = pages->name_kind[named];
        if (!tables->block_level[pages->number[element]])
            continue;
        for (int32_t word = pages->name_start[kind]; word < pages->name_start[kind + 1]; word++) {
            int32_t meaning = pages->name_meaning[word];
            if (meaning >= 0) {
                blocks->meant[element] = (uint8_t)(meaning + 1);
                blocks->meanings[element] |= 1 << meaning;
            }
        }
    }
    for (int32_t element = 1; element < pages->elements; element++) {
        int32_t meaning = tables->tag_meaning[pages->number[element]];
        if (meaning >= 0) {
            blocks->meant[element] = (uint8_t)(meaning + 1);
            blocks->meanings[element] |= 1 << meaning;
        }
    }
}

/* Keys, each numbered when it is first met; a table of places of which at most half are taken. */
static int32_t number_keys(Arena *arena, const uint64_t *keys, Py_ssize_t count, int32_t *numbers_)
{
    size_t mask = 15;
    while (mask < 2 * (size_t)count)
        mask = 2 * mask + 1;
    int32_t *places = room(arena, (Py_ssize_t)mask + 1, sizeof *places), *firsts = room(arena, count, sizeof *firsts);
    int32_t different = 0;
    if (arena->failed)
        return 0;
    for (Py_ssize_t at = 0; at < count; at++) {
        size_t place = (keys[at] * 0x9E3779B97F4A7C15u) >> 20 & mask;
        while (places[place] && keys[firsts[places[place] - 1]] != keys[at])
            place = (place + 1) & mask;
        if (!places[place]) {
            firsts[different] = (int32_t)at;
            places[place] = ++different;
        }
        numbers_[at] = places[place] - 1;
    }
    return different;
}

/* Which blocks of a page stand in the same kind of place: by the path of tags, and by the path and what the nearest
   named element is called. */
static void share_places(Blocks *blocks)
{
    const Pages *pages = blocks->pages;
    Py_ssize_t count = blocks->count;
    uint64_t *path = room(blocks->arena, count, sizeof *path), *called = room(blocks->arena, count, sizeof *called);
    int32_t *name = room(blocks->arena, pages->elements, sizeof *name);
    blocks->path_kind = room(blocks->arena, count, sizeof(int32_t));
    blocks->called_kind = room(blocks->arena, count, sizeof(int32_t));
    if (blocks->arena->failed)
        return;
    for (Py_ssize_t named = 0; named < pages->named; named++)
        name[pages->named_element[named]] = pages->name_kind[named] + 1;
    for (int32_t element = 1; element < pages->elements; element++)
        if (!name[element])
            name[element] = name[pages->parent[element]];
    for (Py_ssize_t at = 0; at < count; at++) {
        int32_t above = blocks->element[at];
        uint64_t key = pages->number[above], page = (uint64_t)blocks->page[at];
        for (int32_t step = 0; step < blocks->tables->path_steps; step++) {
            above = blocks->block_element[pages->parent[above]];
            key = key * 257 + pages->number[above];
        }
        path[at] = key * 65599 + page;
        called[at] = (key * 1000003 + (uint64_t)name[blocks->element[at]]) * 65599 + page;
    }
    blocks->path_kinds = number_keys(blocks->arena, path, count, blocks->path_kind);
    blocks->called_kinds = number_keys(blocks->arena, called, count, blocks->called_kind);
}

static bool share(Blocks *blocks)
{
    share_borders(blocks);
    share_nodes(blocks);
    share_elements(blocks);
    share_containers(blocks);
    share_meanings(blocks);
    share_places(blocks);
    return !blocks->arena->failed;
}

#endif
