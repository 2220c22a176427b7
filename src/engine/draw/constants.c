/* SPDX-License-Identifier: MIT */
#include "engine/draw/constants.h"

#include <stdlib.h>

#include "engine/draw/worker.h"
#include "engine/graph/constants.h"

#define MOST_CONSTANTS (64u << 10)

/* In place, if the buffer is contiguous in the host, else a copy of it. What cannot be read is 0. */
static void bind_constants(struct draw_worker *work, unsigned number, unsigned bank, const uint32_t *buffer) {
    struct shade_constants *constants = &work->stage[number].constants[bank];
    uint64_t address = (uint64_t)(buffer[0] & 0xff) << 32 | buffer[1];
    uint32_t bytes = buffer[2] < MOST_CONSTANTS ? buffer[2] : MOST_CONSTANTS;
    struct span span;
    *constants = (struct shade_constants){0};
    if (number == STAGE_FRAGMENT)
        work->constants_at[bank] = address;
    if (!(buffer[0] & CONSTANTS_VALID) || !bytes ||
        !memory_try_span(work->memory, &work->space, address, bytes, MEMORY_READ, &span))
        return;
    *constants = (struct shade_constants){span.data, bytes};
    if (span.bytes >= bytes)
        return;
    uint8_t **copy = &work->copies[number][bank];
    if (!*copy)
        *copy = malloc(MOST_CONSTANTS);
    if (!*copy || !memory_peek(work->memory, &work->space, address, *copy, bytes))
        constants->bytes = (uint32_t)span.bytes;
    else
        constants->data = *copy;
}

void constants_bind(struct draw_worker *work, unsigned number) {
    const uint32_t *buffers = object_part(work->call->object, &constants_gf100_part);
    unsigned group = work->state.stages.stage[number].group;
    if (!buffers || group >= CONSTANTS_GF100_GROUPS)
        return;
    for (unsigned bank = 0; bank < DRAW_BANKS; bank++)
        bind_constants(work, number, bank,
                       buffers + (group * CONSTANTS_GF100_SLOTS + bank) * (size_t)CONSTANTS_BUFFER_WORDS);
}
