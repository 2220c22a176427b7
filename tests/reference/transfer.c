/* SPDX-License-Identifier: MIT */
#include "reference/transfer.h"

#include <string.h>

struct place {
    char of;
    unsigned bit;
};

/* Bits of x and y that make up the offset in a gob of sectors, lowest first. */
static const struct place tegra[9] = {{'x', 0}, {'x', 1}, {'x', 2}, {'x', 3}, {'y', 0},
                                      {'x', 4}, {'y', 1}, {'y', 2}, {'x', 5}};
static const struct place kepler[9] = {{'x', 0}, {'x', 1}, {'x', 2}, {'x', 3}, {'y', 0},
                                       {'y', 1}, {'x', 4}, {'y', 2}, {'x', 5}};

static uint64_t in_sectors(const struct place places[9], uint64_t x, uint64_t y) {
    uint64_t offset = 0;
    for (unsigned i = 0; i < 9; i++)
        offset += ((places[i].of == 'x' ? x : y) / (1u << places[i].bit) % 2) * (1u << i);
    return offset;
}

/* Walks through blocks, then gobs, then bytes, as the documentation of surfaces does. */
uint64_t reference_address(const struct reference_side *s, uint64_t x, uint64_t y) {
    if (s->linear)
        return s->address + (uint64_t)((int64_t)y * s->pitch) + x;
    uint64_t block_width = (uint64_t)s->gob_width * s->wide, block_height = (uint64_t)s->gob_lines * s->high;
    uint64_t columns = (s->width + block_width - 1) / block_width, rows = (s->height + block_height - 1) / block_height;
    uint64_t gob_bytes = (uint64_t)s->gob_width * s->gob_lines, block_bytes = gob_bytes * s->wide * s->high * s->deep;
    uint64_t offset = s->z / s->deep * rows * columns * block_bytes;
    offset += y / block_height * columns * block_bytes;
    offset += x / block_width * block_bytes;
    offset += s->z % s->deep * s->high * s->wide * gob_bytes;
    offset += y % block_height / s->gob_lines * s->wide * gob_bytes;
    offset += x % block_width / s->gob_width * gob_bytes;
    uint64_t gob_x = x % s->gob_width, gob_y = y % s->gob_lines;
    if (!s->sectors)
        return s->address + offset + gob_y * s->gob_width + gob_x;
    return s->address + offset + in_sectors(s->is_kepler ? kepler : tegra, gob_x, gob_y);
}

static uint8_t *byte_at(const struct reference_side *side, uint64_t x, uint64_t line) {
    uint64_t address = reference_address(side, side->x + x, side->y + line);
    return address < side->end ? side->memory + address : NULL;
}

static bool read_bytes(const struct reference_side *side, uint64_t x, uint64_t line, uint8_t *data, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *from = byte_at(side, x + i, line);
        if (!from)
            return false;
        data[i] = *from;
    }
    return true;
}

static bool write_bytes(const struct reference_side *side, uint64_t x, uint64_t line, const uint8_t *data,
                        unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        uint8_t *to = byte_at(side, x + i, line);
        if (!to)
            return false;
        *to = data[i];
    }
    return true;
}

static bool takes(const struct reference_transfer *t, unsigned first, unsigned last) {
    for (unsigned i = 0; i < t->to_count; i++)
        if (t->select[i] >= first && t->select[i] <= last)
            return true;
    return false;
}

/* A pixel: `to` holds what was there. */
static void make_pixel(const struct reference_transfer *t, const uint8_t *from, uint8_t *to) {
    for (unsigned i = 0; i < t->to_count; i++)
        for (unsigned b = 0; b < t->bytes; b++) {
            uint8_t *byte = &to[i * t->bytes + b];
            switch (t->select[i]) {
            case REFERENCE_CONSTANT_A:
                *byte = (uint8_t)(t->constant_a >> 8 * b);
                break;
            case REFERENCE_CONSTANT_B:
                *byte = (uint8_t)(t->constant_b >> 8 * b);
                break;
            case REFERENCE_NONE:
                break;
            case REFERENCE_ZERO:
                *byte = 0;
                break;
            default:
                *byte = t->select[i] < t->from_count ? from[t->select[i] * t->bytes + b] : 0;
            }
        }
}

static unsigned step(unsigned given, unsigned pixel) {
    return given ? given : pixel;
}

/* Pixels `first` and following of a line. */
static bool move_piece(const struct reference_transfer *t, uint64_t line, uint64_t first, unsigned count) {
    static uint8_t from[1024 * 16], to[1024 * 16];
    unsigned from_bytes = t->from_count * t->bytes, to_bytes = t->to_count * t->bytes;
    unsigned from_step = step(t->from_step, from_bytes), to_step = step(t->to_step, to_bytes);
    bool reads = takes(t, 0, t->from_count - 1), keeps = takes(t, REFERENCE_NONE, REFERENCE_NONE);
    if (keeps && !takes(t, 0, REFERENCE_CONSTANT_B) && !takes(t, REFERENCE_ZERO, REFERENCE_ZERO))
        return true; /* nothing is written at all */
    for (unsigned i = 0; i < count && reads; i++)
        if (!read_bytes(&t->from, (first + i) * from_step, line, from + i * from_bytes, from_bytes))
            return false;
    for (unsigned i = 0; i < count && keeps; i++)
        if (!read_bytes(&t->to, (first + i) * to_step, line, to + i * to_bytes, to_bytes))
            return false;
    for (unsigned i = 0; i < count; i++) {
        make_pixel(t, from + i * from_bytes, to + i * to_bytes);
        if (!write_bytes(&t->to, (first + i) * to_step, line, to + i * to_bytes, to_bytes))
            return false;
    }
    return true;
}

bool reference_transfer(const struct reference_transfer *t) {
    for (uint64_t line = 0; line < t->lines; line++)
        for (uint64_t x = 0; x < t->length; x += t->piece) {
            uint64_t left = t->length - x;
            if (!move_piece(t, line, x, (unsigned)(left < t->piece ? left : t->piece)))
                return false;
        }
    return true;
}

bool reference_upload(const struct reference_side *to, uint64_t length, uint64_t lines, const uint32_t *words) {
    for (uint64_t i = 0; i < length * lines; i++) {
        uint8_t byte = (uint8_t)(words[i / 4] >> 8 * (i % 4));
        if (!write_bytes(to, i % length, i / length, &byte, 1))
            return false;
    }
    return true;
}
