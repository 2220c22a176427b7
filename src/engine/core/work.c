/* SPDX-License-Identifier: MIT */
#include "engine/core/work.h"

#include <assert.h>

/* Of one slice, so that sums of them do not come round to 0. */
#define WORK_LARGEST_BYTES (UINT64_C(1) << 48)

void work_costs(const struct call *call, uint64_t bytes) {
    fifo_work(call->engine->fifo, bytes / WORK_UNIT_BYTES + (bytes % WORK_UNIT_BYTES != 0));
}

void work_costs_beyond(const struct call *call, uint64_t bytes, uint64_t words) {
    uint64_t paid = words * 2 * WORK_UNIT_BYTES;
    if (bytes > paid)
        work_costs(call, bytes - paid);
}

uint32_t work_bytes(const struct kind *kind) {
    uint32_t bytes = kind->progress_bytes ? kind->progress_bytes : sizeof(struct work_items);
    assert(bytes % sizeof(uint64_t) == 0);
    return bytes;
}

void work_init(struct object *object, void *progress) {
    object->work.progress_bytes = work_bytes(object->index->kind);
    object->work.progress = progress;
}

/* Of a launch in slices of items. */
static struct work_items *items_of(const struct call *call) {
    assert(call->object->work.progress_bytes >= sizeof(struct work_items));
    return call->object->work.progress;
}

struct work_slice work_slice(const struct call *call, uint64_t total, uint64_t item_bytes) {
    uint64_t most = WORK_SLICE_BYTES / item_bytes;
    uint64_t done = items_of(call)->done, first = done < total ? done : 0;
    uint64_t left = total - first;
    most = most ? most : 1;
    return (struct work_slice){first, left < most ? left : most, total, item_bytes};
}

void work_slice_align(struct work_slice *slice, uint64_t before, uint64_t step) {
    uint64_t most = WORK_MOST_BYTES / slice->item_bytes, left = slice->total - slice->first;
    while (step > most)
        step /= 2;
    if (step <= 1 || slice->count == left)
        return;
    uint64_t over = (before % step + slice->first % step + slice->count % step) % step;
    if (over < slice->count)
        slice->count -= over;
    else /* it was not longer than the part of a step before it, so it is not longer than a step now */
        slice->count = left - slice->count < step - over ? left : slice->count + (step - over);
}

/* A slice of one item may be of any size. */
static void pay(const struct call *call, const struct work_slice *slice) {
    uint64_t bytes;
    if (__builtin_mul_overflow(slice->count, slice->item_bytes, &bytes) || bytes > WORK_LARGEST_BYTES)
        bytes = WORK_LARGEST_BYTES;
    work_costs(call, bytes + WORK_START_BYTES);
}

void *work_progress(const struct call *call, size_t bytes) {
    assert(bytes == call->object->work.progress_bytes);
    (void)bytes;
    return call->object->work.progress;
}

void work_pause(const struct call *call) {
    struct channel_state *state = engine_channel(call->engine, call->channel);
    call->object->work.under_way = true;
    call->object->work.method = call->method;
    call->object->work.data = call->data;
    if (state)
        state->work_pending = true;
}

bool work_advance(const struct call *call, const struct work_slice *slice) {
    pay(call, slice);
    uint64_t done = slice->first + slice->count;
    if (done >= slice->total) {
        if (work_under_way(call))
            work_end(call);
        return true;
    }
    items_of(call)->done = done;
    work_pause(call);
    return false;
}

static void work_forget(struct object *object) {
    struct work *work = &object->work;
    memset(work->progress, 0, work->progress_bytes);
    *work = (struct work){.progress = work->progress, .progress_bytes = work->progress_bytes};
}

void work_meets_method(struct channel_state *state, struct object *object, uint32_t method) {
    for (unsigned i = 0; i < ENGINE_MAX_FILES; i++)
        if (state->objects[i] && (state->objects[i] != object || object->work.method != method))
            work_forget(state->objects[i]);
    state->work_pending = object->work.under_way;
}

void work_meets_data(struct object *object, uint32_t method, uint32_t data) {
    if (object->work.method == method && object->work.data != data)
        work_forget(object);
}

void work_end(const struct call *call) {
    work_forget(call->object);
}

void work_break(const struct call *call) {
    work_end(call);
    work_costs(call, WORK_SLICE_BYTES);
}
