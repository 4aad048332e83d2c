/* Where blocks stand to those that match the title or the description, and to those of the same text: as title.py,
   which finds the matches (in C: _titles.h). */

#ifndef RUIJI_TITLE_NUMBERS_H
#define RUIJI_TITLE_NUMBERS_H

#include "_table.h"

/* The innermost of the sections around each block (1, 2 …) that holds one of these blocks; 0 for none. */
static void level(const Blocks *blocks, const uint8_t *which, Output *output)
{
    float *column = next_column(output);
    int32_t *total = room(blocks->arena, blocks->count + 1, sizeof *total);
    if (blocks->arena->failed)
        return;
    for (Py_ssize_t at = 0; at < blocks->count; at++)
        total[at + 1] = total[at] + which[at];
    for (Py_ssize_t at = 0; at < blocks->count; at++) {
        column[at] = 0;
        for (int32_t number = 0; number < blocks->tables->levels && !column[at]; number++) {
            int32_t element = blocks->container[number * blocks->count + at];
            if (element && total[blocks->end[element]] > total[blocks->first[element]])
                column[at] = (float)(number + 1);
        }
    }
}

/* How many blocks of the page before and after each block have the same texts. */
static void same(const Blocks *blocks, Output *output)
{
    const Pages *pages = blocks->pages;
    uint64_t *keys = room(blocks->arena, blocks->count, sizeof *keys);
    int32_t *kind = room(blocks->arena, blocks->count, sizeof *kind);
    int32_t *times = room(blocks->arena, blocks->count, sizeof *times);
    float *before_ = next_column(output), *after = next_column(output);
    if (blocks->arena->failed)
        return;
    for (Py_ssize_t node = 0; node < pages->nodes; node++) {
        int32_t block = pages->block[node];
        uint64_t key = ((uint64_t)pages->text_number[node] << 20) + (uint64_t)(node - blocks->start[block]) + 1;
        for (int round = 0; round < 2; round++) {
            key *= 0x9E3779B97F4A7C15u;
            key ^= key >> 29;
        }
        keys[block] += key;
    }
    number_keys(blocks->arena, keys, blocks->count, kind);
    if (blocks->arena->failed)
        return;
    for (Py_ssize_t at = 0; at < blocks->count; at++)
        before_[at] = (float)times[kind[at]]++;
    for (Py_ssize_t at = 0; at < blocks->count; at++)
        after[at] = (float)times[kind[at]] - before_[at] - 1;
}

static void title_match(const Blocks *blocks, Output *output)
{
    const Pages *pages = blocks->pages;
    const double *matches[] = {pages->title, pages->description};
    const double least[] = {blocks->tables->least_match, 2};
    uint8_t *which = room(blocks->arena, blocks->count, 1);
    if (blocks->arena->failed)
        return;
    for (int number = 0; number < 2; number++) {
        float *column = next_column(output);
        for (Py_ssize_t at = 0; at < blocks->count; at++) {
            column[at] = (float)matches[number][at];
            which[at] = matches[number][at] >= least[number];
        }
        distances(blocks, which, output);
        level(blocks, which, output);
    }
    float *is_article = next_column(output);
    for (Py_ssize_t at = 0; at < blocks->count; at++)
        is_article[at] = pages->is_article[blocks->page[at]];
    same(blocks, output);
}

#endif
