/* SPDX-License-Identifier: MIT */
#include <pfifo/replay.h>
#include <pfifo/state.h>

#include "driver/device.h"
#include "replay/inside.h"
#include "state/bytes.h"

#include <stdlib.h>
#include <string.h>

struct pfifo_replay_mark {
    struct pfifo_replay *replay; /* NULL: it is freed */
    struct pfifo_replay_mark *next;
    struct state_bytes machine;
    size_t most; /* bytes */
    uint64_t turns, left, slice, position;
    struct pfifo_replay_result result;
    struct locate_mark *words; /* NULL: nobody wants to know words */
};

static bool keep(void *opaque, const void *data, size_t bytes) {
    struct pfifo_replay_mark *mark = opaque;

    return bytes <= mark->most - mark->machine.used && state_bytes_write(&mark->machine, data, bytes);
}

struct pfifo_replay_mark *pfifo_replay_mark_new(struct pfifo_replay *replay, size_t most) {
    struct pfifo_replay_mark *mark = replay->result.running ? calloc(1, sizeof *mark) : NULL;

    if (!mark)
        return NULL;
    *mark = (struct pfifo_replay_mark){.replay = replay,
                                       .most = most,
                                       .turns = replay->device->turns,
                                       .left = replay->left,
                                       .slice = replay->slice,
                                       .position = replay->position,
                                       .result = replay->result,
                                       .words = replay->locator ? locator_mark(replay->locator) : NULL};
    if ((mark->words || !replay->locator) &&
        pfifo_gpu_save(pfifo_device_gpu(replay->device), keep, mark, NULL) == PFIFO_OK) {
        mark->next = replay->marks;
        replay->marks = mark;
        return mark;
    }
    pfifo_replay_mark_free(mark);
    return NULL;
}

void pfifo_replay_mark_free(struct pfifo_replay_mark *mark) {
    if (!mark)
        return;
    for (struct pfifo_replay_mark **at = mark->replay ? &mark->replay->marks : NULL; at && *at; at = &(*at)->next)
        if (*at == mark) {
            *at = mark->next;
            break;
        }
    state_bytes_free(&mark->machine);
    locate_mark_free(mark->words);
    free(mark);
}

void replay_forget_marks(struct pfifo_replay *replay) {
    for (struct pfifo_replay_mark *mark = replay->marks; mark; mark = mark->next)
        mark->replay = NULL;
    replay->marks = NULL;
}

bool pfifo_replay_mark_leads_back(const struct pfifo_replay_mark *mark, const struct pfifo_replay *replay) {
    return mark->replay == replay && mark->result.runs == replay->result.runs && mark->position == replay->position &&
           mark->turns == replay->device->turns;
}

bool pfifo_replay_mark_return(const struct pfifo_replay_mark *mark, struct pfifo_replay *replay) {
    if (!pfifo_replay_mark_leads_back(mark, replay) ||
        pfifo_gpu_load(pfifo_device_gpu(replay->device), mark->machine.data, mark->machine.used, NULL) != PFIFO_OK)
        return false;
    replay->left = mark->left;
    replay->slice = mark->slice;
    replay->result = mark->result;
    if (mark->words)
        locator_return(replay->locator, mark->words);
    return true;
}
