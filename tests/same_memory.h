/* SPDX-License-Identifier: MIT */
/*
 * Memory of a machine and that of its reference. Pages that were never handed out for writing are not read, only those
 * of the reference: reading them is what a host takes most time for.
 */
#ifndef PFIFO_TESTS_SAME_MEMORY_H
#define PFIFO_TESTS_SAME_MEMORY_H

#include <stdbool.h>
#include <string.h>

#include "memory/translate.h"

/* The offset of the first byte in which they differ, from `begin` on; `end`: none. */
static inline uint64_t differing_byte(const struct memory_own *own, const uint8_t *reference, uint64_t begin,
                                      uint64_t end) {
    static const uint8_t zeros[MEMORY_CHUNK];

    for (uint64_t at = begin, next; at < end; at = next) {
        next = (at / MEMORY_CHUNK + 1) * MEMORY_CHUNK;
        next = next < end ? next : end;
        bool used = memory_next_used(own->used, at, next, true) < next;
        const uint8_t *found = used ? own->data + at : zeros;
        if (memcmp(found, reference + at, next - at) == 0)
            continue;
        while (*found == reference[at])
            found++, at++;
        return at;
    }
    return end;
}

#endif
