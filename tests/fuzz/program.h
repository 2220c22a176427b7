/* SPDX-License-Identifier: MIT */
/*
 * The memory of a program on the nodes of the DRM face. A target defines MEMORY, its bytes, before it includes this; the
 * host's functions get what begins with `uint8_t memory[MEMORY]`.
 */
#ifndef PFIFO_TESTS_FUZZ_PROGRAM_H
#define PFIFO_TESTS_FUZZ_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BASE UINT64_C(0x10000000) /* of the program's memory: addresses fit into a word */

/* NULL: it has no memory there. */
static inline uint8_t *at(void *program, uint64_t address, size_t bytes) {
    if (address < BASE || address - BASE > MEMORY || bytes > MEMORY - (address - BASE))
        return NULL;
    return (uint8_t *)program + (address - BASE);
}

static inline bool host_read(void *opaque, void *to, uint64_t from, size_t bytes) {
    const uint8_t *memory = at(opaque, from, bytes);
    if (memory)
        memcpy(to, memory, bytes);
    return memory != NULL;
}

static inline bool host_write(void *opaque, uint64_t to, const void *from, size_t bytes) {
    uint8_t *memory = at(opaque, to, bytes);
    if (memory)
        memcpy(memory, from, bytes);
    return memory != NULL;
}

#endif
