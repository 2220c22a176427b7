/* SPDX-License-Identifier: MIT */
/* Which channel waits for which semaphore or syncpoint, and who has released which. */
#ifndef PFIFO_LINT_WAITS_H
#define PFIFO_LINT_WAITS_H

#include "lint/lint.h"

enum { LINT_CHANNELS = 4096, LINT_FENCES = 4096 };

/* Where a channel waits. */
struct lint_wait {
    uint32_t channel; /* the hardware's number */
    bool waits;
    struct lint_fence fence;
    uint32_t value;
    struct lint_place place; /* of the method that waits */
    /* After the end of the capture (waits_end.c). */
    bool candidate; /* it waited then */
    bool freed;     /* it goes on: others have released it */
    bool released;  /* somebody has released it */
};

/* One that was released or waited for. */
struct lint_seen {
    struct lint_fence fence;
    bool released, waited;
    uint64_t releases;
    struct lint_place place; /* of the first release */
};

struct lint_waits {
    size_t channels, room;
    struct lint_wait *wait; /* a row per channel that ever waited */
    size_t seen_count;
    struct lint_seen seen[LINT_FENCES];
    /* After the end of the capture: who waits goes on as if its wait was over. */
    const struct lint_wait *granted;
    bool closed;       /* it was released by what follows */
    uint32_t releaser; /* channel that did it, in the capture */
};

static inline bool lint_same_fence(struct lint_fence a, struct lint_fence b) {
    return a.is_syncpoint == b.is_syncpoint && a.address == b.address;
}

#endif
