/* SPDX-License-Identifier: MIT */
/*
 * A plain executor of groups of threads (IR): one thread at a time, from the last to the first, each as far as it can go
 * without the others. Then the others of its warp, or all others, have come to the same place, and what they do together
 * is done by hand. It is for programs whose threads touch nothing that another one writes before the next barrier, but by
 * atomics that may come in any order.
 */
#ifndef PFIFO_TESTS_REFERENCE_GROUP_H
#define PFIFO_TESTS_REFERENCE_GROUP_H

#include "reference/shade.h"

#define REFERENCE_GROUP_THREADS 256u

struct reference_group {
    const struct ir *code; /* an instruction has 8 bytes */
    unsigned threads;
    struct shade_thread thread[REFERENCE_GROUP_THREADS];
    uint8_t *shared, *local, *global; /* local: local_bytes of each thread */
    uint32_t local_bytes;
    uint64_t global_at; /* the address of global memory */
};

/* False: threads wait for each other, or there is an instruction that it does not have. */
bool reference_group_run(struct reference_group *group);

#endif
