/* SPDX-License-Identifier: MIT */
#include "state/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC_BYTES    8
#define FORMAT_VERSION 1
#define SECTION_BYTES  16 /* tag, version, length, crc */
#define END_TAG        "END "
#define POLYNOMIAL     0xedb88320u

static const char magic[MAGIC_BYTES] = {'P', 'F', 'I', 'F', 'O', 'G', 'P', 'U'};

static uint32_t state_load_word(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void store_word(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* ---- failures ---- */

void state_fail(struct state_io *io, enum pfifo_status status, const char *format, ...) {
    char what[160];
    va_list args;
    if (!state_good(io))
        return;
    io->status = status;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (!io->loading)
        pfifo_error_set(io->error, status, "%s", what);
    else if (io->tag[0])
        pfifo_error_set(io->error, status, "section %.*s, offset 0x%zx: %s", (int)strcspn(io->tag, " "), io->tag,
                        io->at, what);
    else
        pfifo_error_set(io->error, status, "offset 0x%zx: %s", io->at, what);
}

/* ---- CRC: eight bytes at a time ---- */

static void make_crc_tables(struct state_io *io) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value >> 1 ^ (value & 1 ? POLYNOMIAL : 0);
        io->crc[0][i] = value;
    }
    for (int k = 1; k < 8; k++)
        for (uint32_t i = 0; i < 256; i++)
            io->crc[k][i] = io->crc[k - 1][i] >> 8 ^ io->crc[0][io->crc[k - 1][i] & 0xff];
}

uint32_t state_crc(const struct state_io *io, const void *data, size_t bytes) {
    const uint8_t *at = data;
    uint32_t value = ~0u;
    for (; bytes >= 8; bytes -= 8, at += 8) {
        uint32_t low = state_load_word(at) ^ value, high = state_load_word(at + 4);
        value = io->crc[7][low & 0xff] ^ io->crc[6][low >> 8 & 0xff] ^ io->crc[5][low >> 16 & 0xff] ^
                io->crc[4][low >> 24] ^ io->crc[3][high & 0xff] ^ io->crc[2][high >> 8 & 0xff] ^
                io->crc[1][high >> 16 & 0xff] ^ io->crc[0][high >> 24];
    }
    for (; bytes; bytes--, at++)
        value = value >> 8 ^ io->crc[0][(value ^ *at) & 0xff];
    return ~value;
}

/* ---- the stream ---- */

static void state_write_out(struct state_io *io, const void *data, size_t bytes) {
    if (state_good(io) && bytes && !io->write(io->opaque, data, bytes))
        state_fail(io, PFIFO_ERROR_IO, "the state of the machine could not be written");
}

void state_open_save(struct state_io *io, state_write write, void *opaque, struct pfifo_error *error) {
    uint8_t header[MAGIC_BYTES + 4];
    *io = (struct state_io){.error = error, .write = write, .opaque = opaque};
    make_crc_tables(io);
    memcpy(header, magic, MAGIC_BYTES);
    store_word(header + MAGIC_BYTES, FORMAT_VERSION);
    state_write_out(io, header, sizeof header);
}

void state_open_load(struct state_io *io, const void *data, size_t bytes, struct pfifo_error *error) {
    *io = (struct state_io){.loading = true, .error = error, .data = data, .bytes = bytes};
    make_crc_tables(io);
    io->end = bytes;
    if (bytes < MAGIC_BYTES || memcmp(data, magic, MAGIC_BYTES) != 0) {
        state_fail(io, PFIFO_ERROR_FORMAT, "this is not the state of a machine");
        return;
    }
    state_take(io, MAGIC_BYTES);
    const uint8_t *version = state_take(io, 4);
    if (version && state_load_word(version) != FORMAT_VERSION)
        state_fail(io, PFIFO_ERROR_FORMAT, "format %u is not known", (unsigned)state_load_word(version));
}

enum pfifo_status state_close(struct state_io *io) {
    if (state_begin(io, END_TAG, 1))
        state_end(io);
    io->tag[0] = 0;
    if (io->loading && state_good(io) && io->at != io->bytes)
        state_fail(io, PFIFO_ERROR_FORMAT, "%zu bytes after the end", io->bytes - io->at);
    free(io->buffer);
    io->buffer = NULL;
    return io->status;
}

/* ---- sections ---- */

static void set_tag(struct state_io *io, const char *tag) {
    memcpy(io->tag, tag, STATE_TAG_BYTES);
    io->tag[STATE_TAG_BYTES] = 0;
}

bool state_next_is(const struct state_io *io, const char *tag) {
    return io->loading && state_good(io) && io->bytes - io->at >= STATE_TAG_BYTES &&
           memcmp(io->data + io->at, tag, STATE_TAG_BYTES) == 0;
}

static void begin_load(struct state_io *io, const char *tag, uint32_t version) {
    io->end = io->bytes;
    if (!state_next_is(io, tag)) {
        state_fail(io, PFIFO_ERROR_FORMAT, "it is not here");
        return;
    }
    const uint8_t *header = state_take(io, SECTION_BYTES);
    if (!header)
        return;
    uint32_t found = state_load_word(header + 4), bytes = state_load_word(header + 8),
             crc = state_load_word(header + 12);
    if (found != version)
        state_fail(io, PFIFO_ERROR_FORMAT, "its version %u is not known, only %u", (unsigned)found, (unsigned)version);
    else if (bytes % 4 != 0 || bytes > io->bytes - io->at)
        state_fail(io, PFIFO_ERROR_FORMAT, "its length 0x%x goes beyond the end", (unsigned)bytes);
    else if (state_crc(io, header + SECTION_BYTES, bytes) != crc)
        state_fail(io, PFIFO_ERROR_FORMAT, "it is damaged: its checksum does not fit");
    io->end = io->at + bytes;
}

bool state_begin(struct state_io *io, const char *tag, uint32_t version) {
    if (!state_good(io))
        return false;
    set_tag(io, tag);
    if (io->loading) {
        begin_load(io, tag, version);
        return state_good(io);
    }
    uint8_t header[SECTION_BYTES] = {0};
    memcpy(header, tag, STATE_TAG_BYTES);
    store_word(header + 4, version);
    io->used = 0;
    state_bytes(io, header, sizeof header);
    return state_good(io);
}

void state_end(struct state_io *io) {
    if (!state_good(io))
        return;
    if (io->loading) {
        if (io->at != io->end)
            state_fail(io, PFIFO_ERROR_FORMAT, "it is 0x%zx bytes longer than its contents", io->end - io->at);
        io->end = io->bytes;
        return;
    }
    size_t bytes = io->used - SECTION_BYTES;
    if (bytes > UINT32_MAX) {
        state_fail(io, PFIFO_ERROR_UNSUPPORTED, "section %s is larger than 4 GiB", io->tag);
        return;
    }
    store_word(io->buffer + 8, (uint32_t)bytes);
    store_word(io->buffer + 12, state_crc(io, io->buffer + SECTION_BYTES, bytes));
    state_write_out(io, io->buffer, io->used);
}
