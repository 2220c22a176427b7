/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "state/state.h"

const uint8_t *state_take(struct state_io *io, size_t bytes) {
    if (!state_good(io))
        return NULL;
    if (bytes > io->end - io->at) {
        state_fail(io, PFIFO_ERROR_FORMAT, "it ends too early");
        return NULL;
    }
    const uint8_t *data = io->data + io->at;
    io->at += bytes;
    return data;
}

/* Room for more bytes of the section. NULL: no memory. */
static uint8_t *state_fields_append(struct state_io *io, size_t bytes) {
    if (!state_good(io))
        return NULL;
    if (bytes > io->room - io->used) {
        size_t room = 2 * (io->used + bytes) + 4096;
        uint8_t *buffer = realloc(io->buffer, room);
        if (!buffer) {
            state_fail(io, PFIFO_ERROR_MEMORY, "no memory for section %s", io->tag);
            return NULL;
        }
        io->buffer = buffer;
        io->room = room;
    }
    uint8_t *at = io->buffer + io->used;
    io->used += bytes;
    return at;
}

void state_bytes(struct state_io *io, void *data, size_t bytes) {
    size_t padding = -bytes & 3;
    if (io->loading) {
        const uint8_t *from = state_take(io, bytes + padding);
        if (from)
            memcpy(data, from, bytes);
        else
            memset(data, 0, bytes);
        return;
    }
    uint8_t *to = state_fields_append(io, bytes + padding);
    if (to) {
        memcpy(to, data, bytes);
        memset(to + bytes, 0, padding);
    }
}

void state_u32(struct state_io *io, uint32_t *value) {
    uint8_t bytes[4];
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(*value >> 8 * i);
    state_bytes(io, bytes, sizeof bytes);
    if (io->loading)
        *value = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void state_u64(struct state_io *io, uint64_t *value) {
    uint32_t low = (uint32_t)*value, high = (uint32_t)(*value >> 32);
    state_u32(io, &low);
    state_u32(io, &high);
    *value = low | (uint64_t)high << 32;
}

/* A number of fewer than 32 bits, stored in a word. */
static uint32_t state_fields_narrow(struct state_io *io, uint32_t value, uint32_t most) {
    state_u32(io, &value);
    if (value <= most)
        return value;
    state_fail(io, PFIFO_ERROR_FORMAT, "0x%x is too large", (unsigned)value);
    return 0;
}

void state_u16(struct state_io *io, uint16_t *value) {
    *value = (uint16_t)state_fields_narrow(io, *value, UINT16_MAX);
}

void state_u8(struct state_io *io, uint8_t *value) {
    *value = (uint8_t)state_fields_narrow(io, *value, UINT8_MAX);
}

void state_bool(struct state_io *io, bool *value) {
    *value = state_fields_narrow(io, *value, 1) != 0;
}

void state_index(struct state_io *io, unsigned *value, unsigned limit, const char *what) {
    uint32_t number = *value;
    assert(io->loading || number < limit);
    state_u32(io, &number);
    if (number >= limit)
        state_fail(io, PFIFO_ERROR_FORMAT, "%s: there is no %u", what, (unsigned)number);
    if (io->loading)
        *value = state_good(io) ? number : 0;
}

uint32_t state_count(struct state_io *io, uint32_t count, uint32_t most, const char *what) {
    state_u32(io, &count);
    if (count > most)
        state_fail(io, PFIFO_ERROR_FORMAT, "%s: %u of them, at most %u", what, (unsigned)count, (unsigned)most);
    return state_good(io) ? count : 0;
}

void state_words(struct state_io *io, uint32_t *words, uint32_t count, const char *what) {
    uint32_t found = count;
    state_u32(io, &found);
    if (found != count)
        state_fail(io, PFIFO_ERROR_FORMAT, "%s: %u words, not %u", what, (unsigned)found, (unsigned)count);
    for (uint32_t i = 0; i < count; i++)
        state_u32(io, &words[i]);
}
