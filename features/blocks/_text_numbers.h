/* The characters, words and links of blocks: as text_numbers.py. */

#ifndef RUIJI_TEXT_NUMBERS_H
#define RUIJI_TEXT_NUMBERS_H

#include "_numbers.h"

static void write_column(const Blocks *blocks, const double *column, Output *output)
{
    float *result = next_column(output);
    for (Py_ssize_t at = 0; at < blocks->count; at++)
        result[at] = (float)column[at];
}

static void write_ratio(const Blocks *blocks, const double *part, const double *whole, Output *output)
{
    float *result = next_column(output);
    for (Py_ssize_t at = 0; at < blocks->count; at++)
        result[at] = (float)ratio(part[at], whole[at]);
}

/* What kind of page furniture the first node speaks of (the first word wins), and how many words of each kind the
   short texts have. */
static void word_hints(const Blocks *blocks, Output *output)
{
    const Pages *pages = blocks->pages;
    float *hint = next_column(output), *of_meaning[MARKS_MOST];
    for (int32_t meaning = 0; meaning < blocks->tables->word_meanings; meaning++) {
        of_meaning[meaning] = next_column(output);
        memset(of_meaning[meaning], 0, blocks->count * sizeof(float));
    }
    memset(hint, 0, blocks->count * sizeof(float));
    for (Py_ssize_t word = pages->words - 1; word >= 0; word--) {
        int32_t meaning = pages->word_hint[word], node = pages->word_text[word], block = pages->block[node];
        if (meaning < 0)
            continue;
        of_meaning[meaning][block]++;
        if (node == blocks->start[block])
            hint[block] = (float)(meaning + 1);
    }
}

static void text(const Blocks *blocks, Output *output)
{
    const Pages *pages = blocks->pages;
    const Tables *tables = blocks->tables;
    Py_ssize_t count = blocks->count;
    double *sums = room(blocks->arena, count, sizeof *sums);
    if (blocks->arena->failed)
        return;
    write_column(blocks, blocks->chars, output);
    float *nodes = next_column(output);
    for (Py_ssize_t at = 0; at < count; at++)
        nodes[at] = (float)(blocks->start[at + 1] - blocks->start[at]);
    write_column(blocks, blocks->sentence_ends, output);
    const int32_t kinds[] = {tables->question, tables->comma, tables->colon, tables->separator, tables->open,
                             tables->copyright, tables->currency};
    for (size_t number = 0; number < sizeof kinds / sizeof *kinds; number++)
        write_column(blocks, kind_counts(blocks, kinds[number]), output);
    const double *digits = kind_counts(blocks, tables->digit), *stops = kind_counts(blocks, tables->full_stop);
    const double *commas = kind_counts(blocks, tables->comma);
    write_ratio(blocks, digits, blocks->chars, output);
    write_column(blocks, digits, output);
    for (int32_t kind = tables->lower; kind <= tables->hangul; kind++)
        for (Py_ssize_t at = 0; at < count; at++)
            sums[at] += kind_counts(blocks, kind)[at];
    write_ratio(blocks, kind_counts(blocks, tables->upper), sums, output);
    write_ratio(blocks, kind_counts(blocks, tables->other), blocks->chars, output);
    for (Py_ssize_t at = 0; at < count; at++)
        sums[at] = stops[at] + commas[at];
    write_ratio(blocks, sums, blocks->chars, output);
    float *first = next_column(output), *last = next_column(output);
    for (Py_ssize_t at = 0; at < count; at++) {
        uint8_t begins = pages->first_kind[blocks->start[at]], ends = pages->last_kind[blocks->start[at + 1] - 1];
        first[at] = (float)(tables->dense[begins] ? tables->upper : begins);
        last[at] = (float)(tables->dense[ends] ? tables->lower : ends);
    }
    word_hints(blocks, output);
}

/* Whether the text stands in the page again. */
static void elsewhere(const Blocks *blocks, Output *output)
{
    const Pages *pages = blocks->pages;
    int32_t *times = room(blocks->arena, pages->nodes, sizeof *times);
    double *repeated = room(blocks->arena, blocks->count, sizeof *repeated);
    float *result = next_column(output);
    if (blocks->arena->failed)
        return;
    for (Py_ssize_t node = 0; node < pages->nodes; node++)
        times[pages->text_number[node]]++;
    for (Py_ssize_t node = 0; node < pages->nodes; node++) {
        int32_t others = times[pages->text_number[node]] - 1;
        repeated[pages->block[node]] += (double)(others < 3 ? others : 3) * blocks->node_chars[node];
    }
    for (Py_ssize_t at = 0; at < blocks->count; at++)
        result[at] = (float)(repeated[at] / at_least(blocks->chars[at], 1));
}

static void links(const Blocks *blocks, Output *output)
{
    const Pages *pages = blocks->pages;
    double *links_ = room(blocks->arena, blocks->count, sizeof *links_);
    double *fragments = room(blocks->arena, blocks->count, sizeof *fragments);
    if (blocks->arena->failed)
        return;
    for (Py_ssize_t page = 0; page < pages->pages; page++)
        for (int32_t node = pages->page_start[page]; node < pages->page_start[page + 1]; node++) {
            bool new_link = node == pages->page_start[page] || pages->link[node] != pages->link[node - 1];
            links_[pages->block[node]] += new_link && pages->linked[node];
            fragments[pages->block[node]] += pages->fragment[node] ? blocks->node_chars[node] : 0;
        }
    write_ratio(blocks, blocks->linked_chars, blocks->chars, output);
    write_column(blocks, links_, output);
    float *unlinked = next_column(output);
    for (Py_ssize_t at = 0; at < blocks->count; at++)
        unlinked[at] = (float)(blocks->chars[at] - blocks->linked_chars[at]);
    write_ratio(blocks, fragments, blocks->chars, output);
}

#endif
