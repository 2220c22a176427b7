/* SPDX-License-Identifier: MIT */
/*
 * Marks that are left on the way forward, between two submissions, so that going back does not begin at the beginning.
 * There are at most WAYS. When there are as many, every second one goes, and the next ones are twice as far apart:
 *
 *   32 64 96 128 160 192 224 256   ->   64 128 192 ... 512   ->   128 256 384 ...
 *
 * So from submission N about N / (WAYS / 2) are run again at most, or 32, and N submissions cost few marks: each copies
 * the machine. Marks after the
 * place where the replay is stay: it comes there again in the same way.
 */
#include "face/tool/console/replay/debug.h"

#include <pfifo/replay.h>

#include <stdlib.h>
#include <string.h>

enum { WAYS = 8, FIRST_GAP = 32 };
#define WAY_BYTES ((size_t)32 << 20) /* of each */

struct debug_way {
    struct {
        struct debug_place place;
        uint64_t runs; /* that are done */
    } mark[WAYS];
    size_t count;
    uint64_t gap; /* runs between two marks */
    bool off;     /* one could not be left: the state is too large */
};

void debug_way_free(struct debug *debug) {
    for (size_t i = 0; debug->way && i < debug->way->count; i++)
        debug_place_forget(&debug->way->mark[i].place);
    free(debug->way);
    debug->way = NULL;
}

static void thin_out(struct debug_way *way) {
    for (size_t i = 0; i < WAYS; i += 2)
        debug_place_forget(&way->mark[i].place);
    for (size_t i = 0; i < WAYS / 2; i++)
        way->mark[i] = way->mark[2 * i + 1];
    way->count = WAYS / 2;
    way->gap *= 2;
}

static uint64_t last_of(const struct debug_way *way) {
    return way->count ? way->mark[way->count - 1].runs : 0;
}

static bool wants_mark(struct debug *debug, uint64_t runs) {
    if (!debug->way)
        debug->way = calloc(1, sizeof *debug->way);
    if (!debug->way || debug->way->off)
        return false;
    if (!debug->way->gap)
        debug->way->gap = FIRST_GAP;
    if (runs < last_of(debug->way) + debug->way->gap)
        return false;
    if (debug->way->count == WAYS)
        thin_out(debug->way);
    return runs >= last_of(debug->way) + debug->way->gap;
}

void debug_way_leave(struct debug *debug) {
    const struct pfifo_replay_result *result = pfifo_replay_result(debug->replay);

    if (result->running || !result->runs || debug->ended || !wants_mark(debug, result->runs))
        return;
    struct debug_way *way = debug->way;
    way->off = !debug_place_keep(debug, &way->mark[way->count].place, WAY_BYTES);
    if (!way->off)
        way->mark[way->count++].runs = result->runs;
}

bool debug_way_return(struct debug *debug, uint64_t steps) {
    struct debug_way *way = debug->way;
    size_t found = way ? way->count : 0;

    while (found && way->mark[found - 1].place.steps >= steps)
        found--;
    if (!found || !debug_place_return(debug, &way->mark[found - 1].place))
        return false;
    debug_marks_free(debug);
    return true;
}
