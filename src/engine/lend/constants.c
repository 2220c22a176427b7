/* SPDX-License-Identifier: MIT */
#include "engine/lend/constants.h"

#include <stdlib.h>

struct shade_constants lend_constants(const struct lend_memory *memory, uint64_t address, uint32_t bytes,
                                      uint8_t **copy) {
    struct shade_constants constants = {0};
    struct span span;
    bytes = bytes < LEND_CONSTANTS_MOST ? bytes : LEND_CONSTANTS_MOST;
    if (!bytes || !memory_try_span(memory->memory, &memory->space, address, bytes, MEMORY_READ, &span))
        return constants;
    constants = (struct shade_constants){span.data, bytes};
    if (span.bytes >= bytes)
        return constants;
    if (!*copy)
        *copy = malloc(LEND_CONSTANTS_MOST);
    if (!*copy || !memory_peek(memory->memory, &memory->space, address, *copy, bytes))
        constants.bytes = (uint32_t)span.bytes;
    else
        constants.data = *copy;
    return constants;
}
