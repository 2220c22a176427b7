/* SPDX-License-Identifier: MIT */
#include "reference/feedback.h"

static uint32_t m(const struct feedback_reference *r, unsigned method) {
    return r->method[method / 4];
}

static bool is_of(const struct feedback_reference *r, unsigned buffer, unsigned stream) {
    return (m(r, 0x380 + 32 * buffer) & 1) && (m(r, 0x700 + 16 * buffer) & 3) == stream;
}

static unsigned components_of(const struct feedback_reference *r, unsigned buffer) {
    unsigned count = m(r, 0x704 + 16 * buffer) & 0xff;
    return count > 128 ? 128 : count;
}

static void set_word(struct feedback_reference *r, uint64_t address, uint32_t word) {
    for (unsigned i = 0; i < 4; i++)
        if (address + i >= r->base && address + i - r->base < r->bytes)
            r->byte[address + i - r->base] = (uint8_t)(word >> 8 * i);
}

/* Each record ends in the buffer, and so do the bytes up to the next one. */
static bool has_room(const struct feedback_reference *r, unsigned buffer, unsigned corners) {
    uint64_t stride = m(r, 0x708 + 16 * buffer), size = m(r, 0x38c + 32 * buffer);
    for (unsigned i = 0; i < corners; i++) {
        uint64_t start = r->offset[buffer] + i * stride;
        if (start + stride > size || start + 4 * components_of(r, buffer) > size)
            return false;
    }
    return true;
}

static void put_record(struct feedback_reference *r, unsigned buffer, const uint32_t *vertex) {
    uint64_t address = (uint64_t)(m(r, 0x384 + 32 * buffer) & 0xff) << 32 | m(r, 0x388 + 32 * buffer);
    for (unsigned j = 0; j < components_of(r, buffer); j++) {
        unsigned from = m(r, 0x2800 + 128 * buffer + j / 4 * 4) >> j % 4 * 8 & 0xff;
        if (from != 0xff)
            set_word(r, address + r->offset[buffer] + 4 * j, vertex[from]);
    }
    r->offset[buffer] += m(r, 0x708 + 16 * buffer);
}

void feedback_reference(struct feedback_reference *r, unsigned stream, const uint32_t *const *vertex,
                        unsigned corners) {
    if (!(m(r, 0x744) & 1))
        return;
    r->needed[stream]++;
    for (unsigned b = 0; b < 4; b++)
        if (is_of(r, b, stream) && !has_room(r, b, corners))
            return;
    r->succeeded[stream]++;
    for (unsigned b = 0; b < 4; b++)
        for (unsigned i = 0; is_of(r, b, stream) && i < corners; i++)
            put_record(r, b, vertex[i]);
}
