/* SPDX-License-Identifier: MIT */
/*
 * SET_REMAP_COMPONENTS of copy engines, and FORMAT of nouveau's firmware, which is laid out the same way:
 *
 *   2:0, 6:4, 10:8, 14:12   components of the destination: 0 .. 3 of the source, 4 and 5 constants, 6 none
 *   17:16                   bytes of a component, less one
 *   21:20, 25:24            components of source and destination, less one
 *
 * Sources: NVIDIA open-gpu-doc classes/dma-copy/cl90b5.h; nouveau nvkm/engine/ce/fuc/com.fuc.
 */
#include <assert.h>

#include "engine/copy/copy.h"

enum { SELECT_CONSTANT_A = 4, SELECT_CONSTANT_B, SELECT_NOTHING };

struct components {
    unsigned bytes, from, to;
};

static struct components components_of(uint32_t value) {
    return (struct components){1 + (value >> 16 & 3), 1 + (value >> 20 & 3), 1 + (value >> 24 & 3)};
}

static unsigned select_of(uint32_t value, unsigned component) {
    return value >> 4 * component & 7;
}

bool copy_remap_is_bad(uint32_t value) {
    struct components c = components_of(value);
    for (unsigned i = 0; i < c.to; i++) {
        unsigned select = select_of(value, i);
        if (select < SELECT_CONSTANT_A && select >= c.from)
            return true;
    }
    return false;
}

struct transfer_pixel copy_remap(uint32_t value, uint32_t constant_a, uint32_t constant_b, enum copy_remap_zero zero) {
    struct components c = components_of(value);
    struct transfer_pixel pixel = {.from_bytes = (uint8_t)(c.from * c.bytes), .to_bytes = (uint8_t)(c.to * c.bytes)};
    assert(pixel.from_bytes <= PIXEL_BYTES && pixel.to_bytes <= PIXEL_BYTES);
    for (unsigned i = 0; i < pixel.to_bytes; i++) {
        unsigned select = select_of(value, i / c.bytes), byte = i % c.bytes;
        pixel.source[i] = PIXEL_CONSTANT;
        if (select < c.from)
            pixel.source[i] = (uint8_t)(select * c.bytes + byte);
        else if (select == SELECT_CONSTANT_A || select == SELECT_CONSTANT_B)
            pixel.constant[i] = (uint8_t)((select == SELECT_CONSTANT_A ? constant_a : constant_b) >> 8 * byte);
        else if (select >= SELECT_NOTHING && zero == COPY_REMAP_KEEPS)
            pixel.source[i] = PIXEL_KEPT;
    }
    return pixel;
}
