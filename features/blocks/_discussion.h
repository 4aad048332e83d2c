/* What follows an article: comments of readers, lists of other articles: as discussion.py. */

#ifndef RUIJI_DISCUSSION_H
#define RUIJI_DISCUSSION_H

#include "_place_numbers.h"

typedef struct {
    uint8_t *speaks;          /* which blocks are short and have a word of comment sections */
    int32_t *inside_comments; /* in how many elements of comments each block stands */
    int32_t *begin;           /* of each page the block where comments begin; the number of blocks for none */
    double *article;          /* the prose before and beside them */
} Comments;

static void find_comments(const Blocks *blocks, Comments *comments)
{
    const Pages *pages = blocks->pages;
    const Tables *tables = blocks->tables;
    Py_ssize_t count = blocks->count;
    uint8_t *begins = room(blocks->arena, count, 1);
    comments->speaks = room(blocks->arena, count, 1);
    comments->inside_comments = room(blocks->arena, count, sizeof(int32_t));
    comments->begin = room(blocks->arena, pages->pages, sizeof(int32_t));
    comments->article = room(blocks->arena, count, sizeof(double));
    if (blocks->arena->failed)
        return;
    for (Py_ssize_t word = 0; word < pages->comment_words; word++) {
        int32_t block = pages->block[pages->comment_text[word]];
        comments->speaks[block] = begins[block] = blocks->chars[block] < tables->short_;
    }
    for (int32_t element = 1; element < pages->elements; element++)
        if (blocks->meanings[element] >> tables->comments & 1 && blocks->end[element] > blocks->first[element]) {
            begins[blocks->first[element]] = 1;
            comments->inside_comments[blocks->first[element]]++;
            comments->inside_comments[blocks->end[element]]--; /* there is one place more than blocks */
        }
    for (Py_ssize_t at = 1; at < count; at++)
        comments->inside_comments[at] += comments->inside_comments[at - 1];
    for (int32_t page = 0; page < pages->pages; page++) {
        comments->begin[page] = (int32_t)count;
        for (int32_t at = blocks->page_start[page]; at < blocks->page_start[page + 1]; at++) {
            if (comments->begin[page] == count && begins[at] && before(blocks, blocks->prose_before, at) > 0)
                comments->begin[page] = at;
            bool own = comments->inside_comments[at] <= 0 && at < comments->begin[page];
            comments->article[at] = own ? blocks->prose[at] : 0;
        }
    }
}

static void discussion(const Blocks *blocks, Output *output)
{
    Comments comments;
    find_comments(blocks, &comments);
    int32_t *main = room(blocks->arena, blocks->pages->pages, sizeof *main);
    Sums article_before = running_sum(blocks->arena, comments.article, blocks->count);
    float *columns[8];
    for (int number = 0; number < 8; number++)
        columns[number] = next_column(output);
    if (blocks->arena->failed)
        return;
    smallest_elements(blocks, article_before, blocks->tables->half, main);
    distance(blocks, comments.speaks, true, columns[3]);
    for (Py_ssize_t at = 0; at < blocks->count; at++) {
        int32_t page = blocks->page[at], begin = comments.begin[page];
        bool some = begin < blocks->count, begun_ = at >= begin;
        double whole = of_page(blocks, blocks->prose_before, page), article = of_page(blocks, article_before, page);
        columns[0][at] = some ? begun_ : -1;
        columns[1][at] = begun_ ? (float)(at - begin) : -1;
        columns[2][at] = some ? (float)ratio(before(blocks, blocks->prose_before, begin), whole) : -1;
        columns[4][at] = main[page] ? is_inside(blocks, at, main[page]) : -1;
        columns[5][at] = (float)beyond(blocks, at, main[page]);
        columns[6][at] = (float)ratio(article, whole);
        columns[7][at] = (float)ratio(before(blocks, article_before, at), article);
    }
}

/* How many blocks at the same kind of place have a link or a date shortly before and after them. */
static void companions(const Blocks *blocks, Output *output)
{
    static const int SIDES[] = {-1, 1};
    const Tables *tables = blocks->tables;
    Py_ssize_t count = blocks->count;
    const struct {
        const int32_t *kind;
        int32_t count;
    } places[] = {{blocks->path_kind, blocks->path_kinds}, {blocks->called_kind, blocks->called_kinds}};
    uint8_t *signs[2] = {room(blocks->arena, count, 1), room(blocks->arena, count, 1)};
    uint8_t *near[4];
    for (int number = 0; number < 4; number++)
        near[number] = room(blocks->arena, count, 1);
    double *all = room(blocks->arena, count, sizeof *all), *some = room(blocks->arena, count, sizeof *some);
    if (blocks->arena->failed)
        return;
    for (Py_ssize_t at = 0; at < count; at++) {
        bool is_short = blocks->chars[at] < tables->short_;
        signs[0][at] = is_short && 2 * blocks->linked_chars[at] > blocks->chars[at];
        signs[1][at] = is_short && kind_counts(blocks, tables->digit)[at] >= tables->date_digits;
    }
    for (int number = 0; number < 4; number++) {
        int side = SIDES[number % 2];
        for (Py_ssize_t at = 0; at < count; at++) {
            Py_ssize_t next = neighbour(blocks, at, side), second = neighbour(blocks, at, 2 * side);
            near[number][at] = (next >= 0 && signs[number / 2][next]) || (second >= 0 && signs[number / 2][second]);
        }
    }
    for (int number = 0; number < 2; number++) {
        const int32_t *kind = places[number].kind;
        memset(all, 0, count * sizeof *all);
        for (Py_ssize_t at = 0; at < count; at++)
            all[kind[at]]++;
        for (int which = 0; which < 4; which++) {
            float *column = next_column(output);
            memset(some, 0, count * sizeof *some);
            for (Py_ssize_t at = 0; at < count; at++)
                some[kind[at]] += near[which][at];
            for (Py_ssize_t at = 0; at < count; at++)
                column[at] = (float)(some[kind[at]] / all[kind[at]]);
        }
    }
}

#endif
