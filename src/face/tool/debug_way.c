/* SPDX-License-Identifier: MIT */
/*
 * Marks that are left on the way forward, between two submissions, so that going back does not begin at the beginning.
 * There are at most WAYS. When there are as many, every second one goes, and the next ones are twice as far apart:
 *
 *   16 32 48 64 80 96 112 128   ->   32 64 96 ... 256   ->   64 128 192 ...
 *
 * So from submission N about N / (WAYS / 2) are run again at most, and N submissions cost few marks. Marks behind the
 * place where the replay is stay: it comes there again in the same way.
 */
#include "face/tool/debug.h"

#include <pfifo/replay.h>

#include <stdlib.h>
#include <string.h>

enum { WAYS = 8, FIRST_GAP = 16 };
#define WAY_BYTES ((size_t)32 << 20) /* of each */

struct debug_way {
    struct {
        struct pfifo_replay_mark *mark;
        struct debug_counts counts;
        uint64_t runs, draw_methods; /* runs: that are done */
        uint32_t channel, sequence;
        size_t objects;
    } place[WAYS];
    size_t count;
    uint64_t gap; /* runs between two marks */
    bool off;     /* one could not be left: the state is too large */
};

void debug_way_free(struct debug *debug) {
    for (size_t i = 0; debug->way && i < debug->way->count; i++)
        pfifo_replay_mark_free(debug->way->place[i].mark);
    free(debug->way);
    debug->way = NULL;
}

static void thin_out(struct debug_way *way) {
    for (size_t i = 0; i < WAYS; i += 2)
        pfifo_replay_mark_free(way->place[i].mark);
    for (size_t i = 0; i < WAYS / 2; i++)
        way->place[i] = way->place[2 * i + 1];
    way->count = WAYS / 2;
    way->gap *= 2;
}

static uint64_t last_of(const struct debug_way *way) {
    return way->count ? way->place[way->count - 1].runs : 0;
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
    struct pfifo_replay_mark *mark = pfifo_replay_mark_new(debug->replay, WAY_BYTES);
    way->off = !mark;
    if (!mark)
        return;
    way->place[way->count].mark = mark;
    way->place[way->count].counts = debug->counts;
    way->place[way->count].runs = result->runs;
    way->place[way->count].draw_methods = debug->draw_methods;
    way->place[way->count].channel = debug->channel;
    way->place[way->count].sequence = debug->sequence;
    way->place[way->count++].objects = debug->objects;
}

bool debug_way_return(struct debug *debug, uint64_t run) {
    struct debug_way *way = debug->way;
    size_t found = way ? way->count : 0;

    while (found && way->place[found - 1].runs >= run)
        found--;
    if (!found-- || !pfifo_replay_mark_return(way->place[found].mark, debug->replay))
        return false;
    debug_marks_free(debug);
    debug->counts = way->place[found].counts;
    debug->draw_methods = way->place[found].draw_methods;
    debug->channel = way->place[found].channel;
    debug->sequence = way->place[found].sequence;
    debug->objects = way->place[found].objects;
    debug->ended = false;
    debug_look(debug);
    return true;
}
