/* Runs of prose, paragraphs with little between them: as runs.py. */

#ifndef RUIJI_RUNS_H
#define RUIJI_RUNS_H

#include "_numbers.h"

typedef struct {
    int32_t first, last;
    double share, largest_until, largest_from; /* of the page's prose: its own, and the largest up to it and from it on */
} Run;

/* The runs of a page; returns how many. */
static int32_t find_runs(const Blocks *blocks, int32_t page, Run *runs_)
{
    int32_t count = 0;
    double whole = of_page(blocks, blocks->prose_before, page);
    for (int32_t at = blocks->page_start[page]; at < blocks->page_start[page + 1]; at++) {
        if (!blocks->prose[at])
            continue;
        if (!count || at - runs_[count - 1].last > blocks->tables->gap)
            runs_[count++] = (Run){.first = at};
        runs_[count - 1].last = at;
        runs_[count - 1].share += blocks->prose[at];
    }
    for (int32_t run = 0; run < count; run++) {
        runs_[run].share = ratio(runs_[run].share, whole);
        runs_[run].largest_until = run ? at_least(runs_[run].share, runs_[run - 1].largest_until) : runs_[run].share;
    }
    for (int32_t run = count - 1; run >= 0; run--)
        runs_[run].largest_from =
            run + 1 < count ? at_least(runs_[run].share, runs_[run + 1].largest_from) : runs_[run].share;
    return count;
}

static void runs(const Blocks *blocks, Output *output)
{
    double far = blocks->tables->far;
    Run *runs_ = room(blocks->arena, blocks->count, sizeof *runs_);
    float *columns[7];
    for (int number = 0; number < 7; number++)
        columns[number] = next_column(output);
    if (blocks->arena->failed)
        return;
    for (int32_t page = 0; page < blocks->pages->pages; page++) {
        int32_t count = find_runs(blocks, page, runs_), ended = 0, begun_ = 0;
        for (int32_t at = blocks->page_start[page]; at < blocks->page_start[page + 1]; at++) {
            while (ended < count && runs_[ended].last < at)
                ended++;
            while (begun_ < count && runs_[begun_].first <= at)
                begun_++;
            const Run *own = begun_ > ended ? &runs_[ended] : NULL, *previous = ended ? &runs_[ended - 1] : NULL;
            const Run *following = begun_ < count ? &runs_[begun_] : NULL;
            double share_ = own ? own->share : 0, largest = previous ? previous->largest_until : 0;
            double gap = own && previous ? own->first - previous->last : far;
            columns[0][at] = (float)share_;
            columns[1][at] = (float)ended;
            columns[2][at] = (float)(count - begun_);
            columns[3][at] = (float)largest;
            columns[4][at] = (float)(following ? following->largest_from : 0);
            columns[5][at] = (float)(own ? ratio(share_, share_ + largest) : -1);
            columns[6][at] = (float)(gap < far ? gap : far);
        }
    }
}

#endif
