/* SPDX-License-Identifier: MIT */
/* What fuzz targets share: taking an input apart, and memory that must be the same. */
#ifndef PFIFO_TESTS_FUZZ_INPUT_H
#define PFIFO_TESTS_FUZZ_INPUT_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

struct input {
    const uint8_t *data;
    size_t left;
};

/* The next bytes (at most 8) as a number, lowest first; after the end there are zeros. */
static inline uint64_t take(struct input *input, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes && input->left > 0; i++, input->left--)
        value |= (uint64_t)*input->data++ << 8 * i;
    return value;
}

static inline void require(bool condition) {
    if (!condition)
        abort();
}

/* The first `bytes` (of whole pages) of a memory, in two machines. */
static inline void require_same_memory(struct memory *a, struct memory *b, enum memory_target target, uint64_t bytes) {
    struct address_space space = address_space_physical(target);
    for (uint64_t at = 0; at < bytes; at += 0x1000) {
        uint8_t one[0x1000], other[0x1000];
        require(memory_read(a, &space, at, one, sizeof one, NULL));
        require(memory_read(b, &space, at, other, sizeof other, NULL));
        require(memcmp(one, other, sizeof one) == 0);
    }
}

#endif
