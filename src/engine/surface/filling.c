/* SPDX-License-Identifier: MIT */
#include "engine/surface/filling.h"

#include <assert.h>
#include <string.h>

void filling_begin(struct filling *filling, const uint8_t *element, unsigned element_bytes, uint64_t longest) {
    assert(element_bytes > 0 && element_bytes <= FILLING_MOST_BYTES);
    filling->period = element_bytes;
    filling->cycle = FILLING_STEP * element_bytes >> __builtin_ctz(element_bytes);
    assert(filling->cycle <= FILLING_MOST_CYCLE && filling->cycle % FILLING_STEP == 0);
    filling->uniform = true;
    filling->merges = false;
    for (unsigned i = 1; i < element_bytes; i++)
        filling->uniform &= element[i] == element[0];
    unsigned bytes = longest < filling->cycle + FILLING_STEP ? (unsigned)longest : filling->cycle + FILLING_STEP, more;
    memcpy(filling->pattern, element, element_bytes);
    for (unsigned done = element_bytes; done < bytes; done += more) {
        more = bytes - done < done ? bytes - done : done;
        memcpy(filling->pattern + done, filling->pattern, more);
    }
}

static void fill_steps(uint8_t *restrict to, const uint8_t *restrict pattern, uint64_t steps) {
    for (uint64_t i = 0; i < steps; i++)
        memcpy(to + i * FILLING_STEP, pattern, FILLING_STEP);
}

void filling_begin_merge(struct filling *filling, const uint8_t *element, const uint8_t *mask, unsigned element_bytes) {
    assert(FILLING_STEP % element_bytes == 0);
    filling_begin(filling, element, element_bytes, UINT64_MAX);
    for (unsigned i = 0; i < sizeof filling->kept; i++) {
        filling->kept[i] = (uint8_t)~mask[i % element_bytes];
        filling->pattern[i] &= mask[i % element_bytes];
    }
    filling->merges = true;
}

static inline void merge_bytes(uint8_t *restrict to, const uint8_t *restrict bits, const uint8_t *restrict kept,
                               uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)((to[i] & kept[i]) | bits[i]);
}

static void filling_merge(uint8_t *to, const struct filling *filling, uint64_t at, uint64_t bytes) {
    assert(at < filling->period);
    const uint8_t *bits = filling->pattern + at, *kept = filling->kept + at;
    for (; bytes >= FILLING_STEP; bytes -= FILLING_STEP, to += FILLING_STEP)
        merge_bytes(to, bits, kept, FILLING_STEP);
    merge_bytes(to, bits, kept, bytes);
}

void filling_write(uint8_t *to, const struct filling *filling, uint64_t before, uint64_t bytes) {
    if (filling->merges) {
        filling_merge(to, filling, before % filling->period, bytes);
        return;
    }
    if (filling->uniform) {
        memset(to, filling->pattern[0], bytes);
        return;
    }
    uint64_t at = before % filling->period, head = (0 - (uintptr_t)to) % FILLING_STEP;
    if (head && bytes > FILLING_STEP) {
        memcpy(to, filling->pattern + at, head);
        at = (at + head) % filling->cycle;
        to += head;
        bytes -= head;
    }
    if (filling->cycle == FILLING_STEP) {
        fill_steps(to, filling->pattern + at, bytes / FILLING_STEP);
        to += bytes / FILLING_STEP * FILLING_STEP;
        bytes %= FILLING_STEP;
    }
    for (; bytes >= FILLING_STEP; bytes -= FILLING_STEP, to += FILLING_STEP) {
        memcpy(to, filling->pattern + at, FILLING_STEP);
        at = at + FILLING_STEP < filling->cycle ? at + FILLING_STEP : at + FILLING_STEP - filling->cycle;
    }
    memcpy(to, filling->pattern + at, bytes);
}
