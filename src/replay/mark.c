/* SPDX-License-Identifier: MIT */
/*
 * Places to come back to. In a run: the machine alone, since the driver and what was recorded stay as they are. Between
 * two runs: the whole device, what was recorded by the device's numbers, and where the capture goes on.
 *
 *   records | run ... mark ... | mark | records | run ... | records     the second one leads back from anywhere
 */
#include <pfifo/replay.h>
#include <pfifo/state.h>

#include "driver/copy.h"
#include "driver/ops.h"
#include "replay/inside.h"
#include "state/bytes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What a mark between two runs has, too. */
struct whole {
    struct pfifo_device *device; /* a copy; NULL: `machine` has it, too */
    struct replay_buffers_mark *buffers;
    struct replay_spaces_mark *spaces;
    struct marked_channel {
        struct replay_channel is; /* its pointers lead nowhere */
        uint32_t id, vm;          /* 0: none */
    } * channel;
    size_t channels, submitting; /* SIZE_MAX: none */
    uint32_t *used;
    size_t used_count;
    bool used_all;
    uint32_t sequence;
    struct pfifo_stream_chanin opening;
};

struct pfifo_replay_mark {
    struct pfifo_replay *replay; /* NULL: it is freed, or there is no way back */
    struct pfifo_replay_mark *next;
    struct state_bytes machine; /* or the device */
    size_t most;                /* bytes */
    uint64_t turns, left, slice, position;
    struct pfifo_replay_result result;
    struct locate_mark *words; /* NULL: nobody wants to know words */
    struct whole *whole;       /* NULL: in a run */
};

static bool mark_keep(void *opaque, const void *data, size_t bytes) {
    struct pfifo_replay_mark *mark = opaque;

    return bytes <= mark->most - mark->machine.used && state_bytes_write(&mark->machine, data, bytes);
}

/* ---- leaving one ---- */

static void free_whole(struct whole *whole) {
    if (!whole)
        return;
    pfifo_private_device_copy_free(whole->device);
    replay_buffers_mark_free(whole->buffers);
    free(whole->spaces);
    free(whole->channel);
    free(whole->used);
    free(whole);
}

static struct marked_channel mark_channel(const struct replay_channel *channel) {
    struct marked_channel marked = {.is = *channel};

    marked.id = channel->channel ? pfifo_channel_id(channel->channel) : 0;
    marked.vm = channel->channel && channel->vm ? pfifo_vm_id(channel->vm) : 0;
    return marked;
}

static struct whole *whole_new(const struct pfifo_replay *replay) {
    struct whole *whole = calloc(1, sizeof *whole);

    if (!whole)
        return NULL;
    *whole = (struct whole){.buffers = replay_buffers_mark(&replay->buffers),
                            .spaces = replay_spaces_mark(&replay->spaces),
                            .channel = malloc((replay->channels + 1) * sizeof *whole->channel),
                            .submitting = SIZE_MAX,
                            .used = malloc((replay->used_count + 1) * sizeof *whole->used),
                            .used_count = replay->used_count,
                            .used_all = replay->used_all,
                            .sequence = replay->sequence,
                            .opening = replay->opening};
    if (!whole->buffers || !whole->spaces || !whole->channel || !whole->used) {
        free_whole(whole);
        return NULL;
    }
    if (replay->submitting)
        whole->submitting = (size_t)(replay->submitting - replay->channel);
    for (; whole->channels < replay->channels; whole->channels++)
        whole->channel[whole->channels] = mark_channel(&replay->channel[whole->channels]);
    if (replay->used_count)
        memcpy(whole->used, replay->used, replay->used_count * sizeof *whole->used);
    return whole;
}

static bool mark_fill(struct pfifo_replay_mark *mark, struct pfifo_replay *replay) {
    bool running = replay->result.running;

    if (replay->locator)
        mark->words = running ? locator_mark(replay->locator) : locator_mark_whole(replay->locator);
    if (!mark->words && replay->locator)
        return false;
    if (running)
        return pfifo_gpu_save(pfifo_device_gpu(replay->device), mark_keep, mark, NULL) == PFIFO_OK;
    mark->whole = whole_new(replay);
    if (!mark->whole)
        return false;
    if (replay->device->ops->device_state)
        return pfifo_device_save(replay->device, mark_keep, mark, NULL) == PFIFO_OK;
    mark->whole->device = pfifo_private_device_copy(replay->device);
    return mark->whole->device && pfifo_gpu_save(pfifo_device_gpu(replay->device), mark_keep, mark, NULL) == PFIFO_OK;
}

struct pfifo_replay_mark *pfifo_replay_mark_new(struct pfifo_replay *replay, size_t most) {
    struct pfifo_replay_mark *mark = replay->result.runs ? calloc(1, sizeof *mark) : NULL;

    if (!mark)
        return NULL;
    *mark = (struct pfifo_replay_mark){.replay = replay,
                                       .most = most,
                                       .turns = replay->device->turns,
                                       .left = replay->left,
                                       .slice = replay->slice,
                                       .position = replay->position,
                                       .result = replay->result};
    if (mark_fill(mark, replay)) {
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
    free_whole(mark->whole);
    free(mark);
}

/* Those in runs, or all. */
static void mark_forget(struct pfifo_replay *replay, bool all) {
    struct pfifo_replay_mark **at = &replay->marks;

    while (*at) {
        struct pfifo_replay_mark *mark = *at;
        if (!all && mark->whole) {
            at = &mark->next;
            continue;
        }
        mark->replay = NULL;
        *at = mark->next;
    }
}

void replay_forget_marks(struct pfifo_replay *replay) {
    mark_forget(replay, true);
}

/* ---- the way back ---- */

bool pfifo_replay_mark_leads_back(const struct pfifo_replay_mark *mark, const struct pfifo_replay *replay) {
    if (mark->replay != replay)
        return false;
    return mark->whole || (mark->result.runs == replay->result.runs && mark->position == replay->position &&
                           mark->turns == replay->device->turns);
}

/* After the record that was played last. */
static bool go_to_record(struct pfifo_replay *replay, uint64_t position) {
    struct pfifo_stream_record record;

    pfifo_stream_rewind(replay->stream);
    do {
        if (pfifo_stream_next(replay->stream, &record, NULL) != PFIFO_OK || record.type == PFIFO_STREAM_END)
            return false;
    } while (record.offset != position);
    return true;
}

/* There is room for as many as there ever were: slots after those of the mark become free. */
static bool return_channels(struct pfifo_replay *replay, const struct whole *whole) {
    assert(whole->channels <= replay->channels);
    for (size_t i = whole->channels; i < replay->channels; i++)
        replay->channel[i] = (struct replay_channel){0};
    for (size_t i = 0; i < whole->channels; i++) {
        const struct marked_channel *marked = &whole->channel[i];
        struct replay_channel *channel = &replay->channel[i];
        *channel = marked->is;
        channel->channel = marked->id ? pfifo_device_channel(replay->device, marked->id) : NULL;
        channel->vm = marked->vm ? pfifo_device_space(replay->device, marked->vm) : NULL;
        if ((marked->id && !channel->channel) || (marked->vm && !channel->vm))
            return false;
    }
    replay->submitting = whole->submitting < whole->channels ? &replay->channel[whole->submitting] : NULL;
    return true;
}

/* The device is that of the mark. */
static bool return_recorded(struct pfifo_replay *replay, const struct pfifo_replay_mark *mark) {
    const struct whole *whole = mark->whole;

    replay_buffers_lost(&replay->buffers);
    if (!replay_buffers_return(&replay->buffers, whole->buffers) ||
        !replay_spaces_return(&replay->spaces, whole->spaces) || !return_channels(replay, whole) ||
        (replay->locator && !locator_return_whole(replay->locator, mark->words)))
        return false;
    if (whole->used_count)
        memcpy(replay->used, whole->used, whole->used_count * sizeof *whole->used);
    replay->used_count = whole->used_count;
    replay->used_all = whole->used_all;
    replay->sequence = whole->sequence;
    replay->opening = whole->opening;
    replay->position = mark->position;
    return true;
}

/* Room for handles of a submission never becomes less, either. */
static bool return_whole(const struct pfifo_replay_mark *mark, struct pfifo_replay *replay) {
    const struct state_bytes *state = &mark->machine;

    if (mark->whole->device
            ? !pfifo_private_device_copy_return(mark->whole->device, replay->device, state->data, state->used)
            : pfifo_device_load(replay->device, state->data, state->used, NULL) != PFIFO_OK)
        return false;
    mark_forget(replay, false);
    if (return_recorded(replay, mark) && go_to_record(replay, mark->position))
        return true;
    mark_forget(replay, true);
    /* It cannot go on. */
    for (size_t i = 0; i < replay->channels; i++)
        replay->channel[i].channel = NULL;
    replay->submitting = NULL;
    replay_buffers_lost(&replay->buffers);
    replay->result.interrupted = true;
    return false;
}

bool pfifo_replay_mark_return(const struct pfifo_replay_mark *mark, struct pfifo_replay *replay) {
    if (!pfifo_replay_mark_leads_back(mark, replay))
        return false;
    if (mark->whole ? !return_whole(mark, replay)
                    : pfifo_gpu_load(pfifo_device_gpu(replay->device), mark->machine.data, mark->machine.used, NULL) !=
                          PFIFO_OK)
        return false;
    replay->left = mark->left;
    replay->slice = mark->slice;
    replay->result = mark->result;
    if (mark->words && !mark->whole)
        locator_return(replay->locator, mark->words);
    return true;
}
