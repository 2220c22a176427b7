/* SPDX-License-Identifier: MIT */
/*
 * What the waits at the end of a capture mean.
 *
 *   A waits for x, B waits for y                A goes on as if x was there
 *   after its wait B releases x                A releases y, B goes on, B releases x: what A waits for comes
 *   after its wait A releases y                only if A has gone on before
 *
 * The machine itself tells: nobody needs it any more, so one channel after the other is let go on, and everything that
 * they release then is seen. A wait that is released by what follows it is a deadlock; one that nobody releases at all
 * is released by nobody; and one that is released when others go on is only held up by these.
 */
#include "lint/waits.h"

#include <inttypes.h>

enum { PAGE_SHIFT = 12, PAGE_MASK = 0xfff, GRANTS = 256, BUDGET = 1 << 20 };

/* Write the value that a channel waits for. False: it is not known where. */
static bool grant(const struct lint *lint, const struct lint_wait *wait) {
    const uint8_t bytes[4] = {(uint8_t)wait->value, (uint8_t)(wait->value >> 8), (uint8_t)(wait->value >> 16),
                              (uint8_t)(wait->value >> 24)};
    struct pfifo_vm *vm = replay_channel_by_hardware(lint->replay, wait->channel).vm;
    struct pfifo_vm_map map = {.size = sizeof map};

    if (wait->fence.is_syncpoint) {
        pfifo_gpu_syncpoint_set(pfifo_replay_gpu(lint->replay), (uint32_t)wait->fence.address, wait->value);
        return true;
    }
    if (!vm || !pfifo_vm_at(vm, wait->fence.address, &map) || !map.buffer)
        return false;
    return pfifo_buffer_write(map.buffer, map.offset + (wait->fence.address - map.address), bytes, sizeof bytes);
}

/* Returns how many channels wait. */
static size_t find_candidates(const struct lint *lint) {
    size_t count = 0;

    for (size_t i = 0; i < lint->waits->channels; i++) {
        struct lint_wait *wait = &lint->waits->wait[i];
        struct pfifo_channel *channel = replay_channel_by_hardware(lint->replay, wait->channel).channel;
        wait->candidate = wait->waits && channel && !pfifo_channel_idle(channel);
        count += wait->candidate;
    }
    return count;
}

static uint64_t waits_end_key_of(const struct lint_wait *wait) {
    return wait->fence.address ^ (uint64_t)wait->value << 32 ^ (uint64_t)wait->fence.is_syncpoint << 63;
}

static void say_deadlock(struct lint *lint, const struct lint_wait *wait) {
    const char *what = wait->fence.is_syncpoint ? "syncpoint " : "";

    if (lint->waits->releaser == wait->place.channel)
        lint_find(lint, LINT_DEADLOCK, &wait->place, waits_end_key_of(wait),
                  "waits for %s0x%" PRIx64 " to be 0x%" PRIx32 ", which the channel itself releases after this wait",
                  what, wait->fence.address, wait->value);
    else
        lint_find(lint, LINT_DEADLOCK, &wait->place, waits_end_key_of(wait),
                  "waits for %s0x%" PRIx64 " to be 0x%" PRIx32 ", which channel %" PRIu32
                  " releases, but only after a wait for what comes after this one",
                  what, wait->fence.address, wait->value, lint->waits->releaser);
}

static void say_never(struct lint *lint, const struct lint_wait *wait) {
    lint_find(lint, LINT_FENCE_NEVER_RELEASED, &wait->place, waits_end_key_of(wait),
              "waits for %s0x%" PRIx64 " to be 0x%" PRIx32 ", and nothing in the capture releases it",
              wait->fence.is_syncpoint ? "syncpoint " : "", wait->fence.address, wait->value);
}

/* Let each channel go on that no other has freed, and see what comes of it. */
static void let_go_on(struct lint *lint) {
    struct lint_waits *waits = lint->waits;
    size_t granted = 0;

    for (size_t i = 0; i < waits->channels && granted < GRANTS; i++) {
        struct lint_wait *wait = &waits->wait[i];
        if (!wait->candidate || wait->freed)
            continue;
        waits->granted = wait;
        waits->closed = false;
        granted++;
        if (!grant(lint, wait)) {
            wait->freed = true; /* nothing can be said of it */
            continue;
        }
        pfifo_device_run(pfifo_replay_device(lint->replay), BUDGET);
        if (waits->closed)
            say_deadlock(lint, wait);
        wait->freed = false;
    }
    for (size_t i = 0; i < waits->channels && granted < GRANTS; i++)
        if (waits->wait[i].candidate && !waits->wait[i].freed && !waits->wait[i].released)
            say_never(lint, &waits->wait[i]);
}

/* Is it next to one that is waited for, and does nobody wait for it, by whatever address? */
static bool is_forgotten(const struct lint *lint, const struct lint_seen *one) {
    bool neighbours = false;

    for (size_t i = 0; i < lint->waits->seen_count; i++) {
        const struct lint_seen *other = &lint->waits->seen[i];
        if (!other->waited || other->fence.is_syncpoint != one->fence.is_syncpoint)
            continue;
        if (lint->version_2 && !one->fence.is_syncpoint && !((other->fence.address ^ one->fence.address) & PAGE_MASK))
            return false;
        neighbours |= one->fence.is_syncpoint || (other->fence.address ^ one->fence.address) >> PAGE_SHIFT == 0;
    }
    return neighbours;
}

static void find_forgotten(struct lint *lint) {
    const struct lint_waits *waits = lint->waits;

    for (size_t i = 0; i < waits->seen_count && waits->seen_count < LINT_FENCES; i++) {
        const struct lint_seen *seen = &waits->seen[i];
        if (seen->released && !seen->waited && is_forgotten(lint, seen))
            lint_find(lint, LINT_FENCE_NEVER_WAITED, &seen->place, seen->fence.address,
                      "%s0x%" PRIx64 " is released %" PRIu64 " times, and nobody in the capture waits for it",
                      seen->fence.is_syncpoint ? "syncpoint " : "", seen->fence.address, seen->releases);
    }
}

void lint_waits_end(struct lint *lint) {
    find_forgotten(lint);
    if (pfifo_replay_result(lint->replay)->stop == PFIFO_STOP_WAITING && find_candidates(lint))
        let_go_on(lint);
}
