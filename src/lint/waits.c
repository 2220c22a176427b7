/* SPDX-License-Identifier: MIT */
/*
 * Semaphores and syncpoints: who waits, and who releases.
 *
 * Memory may be mapped in several spaces of a capture of version 2, so that one semaphore has several addresses. They
 * are equal in the page, and this is what is compared there: a hazard may be missed, but none is made up.
 */
#include "lint/waits.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PAGE_MASK = 0xfff };

struct lint_waits *lint_waits_new(void) {
    return calloc(1, sizeof(struct lint_waits));
}

void lint_waits_free(struct lint_waits *waits) {
    if (waits)
        free(waits->wait);
    free(waits);
}

/* The row of a channel; one that is made moves the others. NULL: there is none, or no memory for it. */
static struct lint_wait *wait_of(struct lint_waits *waits, uint32_t channel, bool make) {
    for (size_t i = 0; i < waits->channels; i++)
        if (waits->wait[i].channel == channel)
            return &waits->wait[i];
    if (!make || waits->channels == LINT_CHANNELS)
        return NULL;
    if (waits->channels == waits->room) {
        size_t room = waits->room ? 2 * waits->room : 8;
        struct lint_wait *grown = realloc(waits->wait, room * sizeof *grown);
        if (!grown)
            return NULL;
        waits->wait = grown;
        waits->room = room;
    }
    waits->wait[waits->channels] = (struct lint_wait){.channel = channel};
    return &waits->wait[waits->channels++];
}

/* NULL: there are too many. */
static struct lint_seen *seen_of(struct lint_waits *waits, struct lint_fence fence) {
    for (size_t i = 0; i < waits->seen_count; i++)
        if (lint_same_fence(waits->seen[i].fence, fence))
            return &waits->seen[i];
    if (waits->seen_count == LINT_FENCES)
        return NULL;
    waits->seen[waits->seen_count] = (struct lint_seen){.fence = fence};
    return &waits->seen[waits->seen_count++];
}

static void somebody_waits(struct lint_waits *waits, struct lint_fence fence) {
    struct lint_seen *seen = seen_of(waits, fence);

    if (seen)
        seen->waited = true;
}

/* ---- what the replay shows ---- */

void lint_waits_look(struct lint *lint, const struct pfifo_event *event, struct lint_fence fence, uint32_t value,
                     bool waits) {
    struct lint_wait *wait;

    if (!fence.is_syncpoint && !fence.address)
        return; /* an engine that waits for a register, such as a flip */
    if (!lint->waits->granted)
        somebody_waits(lint->waits, fence);
    wait = wait_of(lint->waits, event->channel, waits && !lint->waits->granted);
    if (!wait)
        return;
    if (lint->waits->granted) {
        wait->freed = wait->freed || (wait->candidate && !waits && lint_same_fence(wait->fence, fence));
        return;
    }
    wait->waits = waits;
    wait->fence = fence;
    wait->value = value;
    wait->place = lint_place_now(lint, event->channel);
}

/* Is it released by a write of `value` to `fence`? */
static bool releases(const struct lint *lint, const struct lint_wait *wait, struct lint_fence fence, uint32_t value) {
    uint64_t differs = wait->fence.address ^ fence.address;

    if (wait->fence.is_syncpoint != fence.is_syncpoint)
        return false;
    if (fence.is_syncpoint || !lint->version_2 ? differs : differs & PAGE_MASK)
        return false;
    return (int32_t)(value - wait->value) >= 0 || (value & wait->value);
}

static void released_after_the_end(struct lint *lint, const struct pfifo_event *event, struct lint_fence fence,
                                   uint32_t value) {
    struct lint_waits *waits = lint->waits;

    for (size_t i = 0; i < waits->channels; i++) {
        struct lint_wait *wait = &waits->wait[i];
        if (!wait->candidate || !releases(lint, wait, fence, value))
            continue;
        wait->released = true;
        if (wait == waits->granted && !waits->closed) {
            waits->closed = true;
            waits->releaser = replay_channel_by_hardware(lint->replay, event->channel).number;
        }
    }
}

void lint_waits_release(struct lint *lint, const struct pfifo_event *event, struct lint_fence fence, uint32_t value,
                        bool is_fence) {
    struct lint_seen *seen;

    if (lint->waits->granted) {
        released_after_the_end(lint, event, fence, value);
        return;
    }
    if (!is_fence || event->channel == UINT32_MAX)
        return;
    seen = seen_of(lint->waits, fence);
    if (!seen)
        return;
    if (!seen->releases++)
        seen->place = lint_place_now(lint, event->channel);
    seen->released = true;
}

/* ---- what the recording says ---- */

/* The CPU waits for all that is in a buffer, or may do so. */
static void buffer_is_waited_for(struct lint *lint, uint32_t handle) {
    const struct pfifo_buffer *buffer = pfifo_replay_buffer(lint->replay, handle);
    uint64_t address = buffer ? pfifo_buffer_address(buffer) : 0;

    for (size_t i = 0; address && i < lint->waits->seen_count; i++) {
        struct lint_seen *seen = &lint->waits->seen[i];
        if (!seen->fence.is_syncpoint && seen->fence.address - address < pfifo_buffer_bytes(buffer))
            seen->waited = true;
    }
}

void lint_waits_record(struct lint *lint, const struct pfifo_stream_record *record) {
    struct lint_wait *wait;

    switch (record->type) {
    case PFIFO_STREAM_CHANFREE: /* its number may come again */
        wait = wait_of(lint->waits, replay_channel_number(lint->replay, record->chanfree.channel), false);
        if (wait)
            wait->waits = false;
        return;
    case PFIFO_STREAM_PREP:
        buffer_is_waited_for(lint, record->prep.handle);
        return;
    case PFIFO_STREAM_WAIT:
        somebody_waits(lint->waits, (struct lint_fence){true, record->wait.syncpoint});
        return;
    case PFIFO_STREAM_FENCE: /* the program has been told the value: it may wait at any time */
        somebody_waits(lint->waits, (struct lint_fence){true, record->fence.syncpoint});
        return;
    default:
        return;
    }
}
