/* SPDX-License-Identifier: MIT */
/*
 * Kepler: the address is in a pair of registers, whose high one is in units of 256 bytes, and the format, if there is
 * one, in a word. Loads give the bytes as they are, whatever the format is.
 */
#include <assert.h>

#include "engine/image/access.h"

#define FORMAT_BITS 0xffu

static uint64_t address_of(uint32_t low, uint32_t high, unsigned raw) {
    uint64_t base = (uint64_t)high << 8;
    switch (raw) {
    case IR_RAW_U8:
        return base + (low & 0xff);
    case IR_RAW_S8:
        return base + (uint64_t)(int64_t)(int8_t)low;
    case IR_RAW_S32:
        return base + (uint64_t)(int64_t)(int32_t)low;
    default:
        return base + low;
    }
}

/* A word of a bank, 0 beyond its end. */
static uint32_t constant(const struct shade_io *io, const struct ir_source *source) {
    const struct shade_constants *bank = &io->constants[source->bank % SHADE_BANKS];
    if (bank->bytes < 4 || source->value > bank->bytes - 4)
        return 0;
    const uint8_t *from = bank->data + source->value;
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static void formats_of(const struct shade_warp *warp, const struct ir *ir, shade_row out) {
    const uint32_t *row = image_block(warp, ir->c.kind == IR_REGISTER ? ir->c.value & 0xff : IR_ZERO, 0);
    uint32_t fixed = ir->c.kind == IR_CONSTANT ? constant(warp->io, &ir->c) : 0;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = (ir->c.kind == IR_CONSTANT ? fixed : row[i]) & FORMAT_BITS;
}

/* Lanes that are outside: P says so. */
static uint32_t outside_of(const struct shade_warp *warp, const struct ir *ir) {
    uint32_t mask = warp->predicates[ir->combine_predicate & (SHADE_PREDICATES - 1)];
    return ir->combine_negate ? ~mask : mask;
}

static bool access(const struct image *image, struct shade_warp *warp, uint32_t lanes, const struct ir *ir,
                   struct shade_image *result) {
    unsigned first = ir->a.kind == IR_REGISTER ? ir->a.value & 0xff : IR_ZERO;
    const uint32_t *low = image_block(warp, first, 0), *high = image_block(warp, first, 1);
    struct image_access at = {.lanes = lanes, .inside = lanes & ~outside_of(warp, ir)};
    at.bytes = ir->surface.formatted ? image->texel.bytes : image_bytes_of(ir->surface.size);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        at.address[i] = address_of(low[i], high[i], ir->surface.raw);
    if (!image_check(ir, &at)) {
        result->error = at.error;
        return false;
    }
    return image_access(image, warp, ir, &at, result);
}

/* Lanes that store with the same format. */
static bool store(struct shade_warp *warp, uint32_t lanes, uint32_t number, const struct ir *ir,
                  struct shade_image *result) {
    struct image image = {.formatted = true, .source = {0, 1, 2, 3}};
    const struct format *format = image_format_of(number);
    if (!format) {
        result->missing |= number != IMAGE_NO_FORMAT;
        return true;
    }
    image.texel = *format;
    return access(&image, warp, lanes, ir, result);
}

bool image_raw(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, struct shade_image *result) {
    static const struct image bytes;
    shade_row formats;
    if (!ir->surface.formatted)
        return access(&bytes, warp, lanes, ir, result);
    formats_of(warp, ir, formats);
    for (uint32_t rest = lanes, same; rest; rest &= ~same) {
        same = image_run(formats, rest);
        if (!store(warp, same, formats[__builtin_ctz(rest)], ir, result))
            return false;
    }
    return true;
}
