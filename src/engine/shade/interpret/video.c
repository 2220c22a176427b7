/* SPDX-License-Identifier: MIT */
/*
 * PTX's video instructions: a byte, half or word of a and b, an operation on integers of unlimited width, saturation,
 * and a merge or a second operation with c. Those on two or four values at a time are in simd.c.
 */
#include "engine/shade/interpret/core.h"
#include "engine/shade/interpret/value.h"

static void selected(const struct shade_warp *warp, const struct ir_source *source, unsigned select, unsigned type,
                     int64_t *out) {
    shade_row room, part;
    const uint32_t *row = shade_bits(warp, source, room);
    bool whole = select > 5 || source->kind == IR_IMMEDIATE, half = select >= 4;
    unsigned shift = whole ? 0 : half ? 16 * (select - 4) : 8 * select;
    uint32_t mask = whole ? SHADE_ALL : half ? 0xffff : 0xff;
    uint32_t top = (type & 1) && !whole ? half ? 0x8000 : 0x80 : 0;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        part[i] = ((row[i] >> shift & mask) ^ top) - top;
        out[i] = type & 1 ? (int64_t)(int32_t)part[i] : (int64_t)part[i];
    }
}

static int64_t saturated(int64_t value, bool is_signed) {
    int64_t least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
    return value < least ? least : value > most ? most : value;
}

static int64_t shifted(const struct ir *ir, int64_t a, int64_t by) {
    uint32_t n = (uint32_t)by;
    n = ir->wrap ? n & 31 : n < 32 ? n : 32;
    if (ir->mode == IR_VSHL)
        return (int64_t)((uint64_t)a << n);
    return a >> n;
}

static int64_t operated(const struct ir *ir, int64_t a, int64_t b, bool first) {
    switch (ir->mode) {
    case IR_VADD:
        if (ir->plus_one)
            return a + b + 1;
        return (ir->a.negate ? -a : a) + (ir->b.negate ? -b : b);
    case IR_VABSDIFF:
        return a < b ? b - a : a - b;
    case IR_VMNMX:
        return (a < b) == first ? a : b;
    case IR_VSHL:
    case IR_VSHR:
        return shifted(ir, a, b);
    default: {
        unsigned is = a < b ? IR_LT : a == b ? IR_EQ : IR_GT;
        return (ir->compare & is) != 0;
    }
    }
}

/* The second operation, with c. */
static uint32_t merged(const struct ir *ir, int64_t value, uint32_t c) {
    bool is_signed = ir->video.signed_d;
    uint32_t low = (uint32_t)value, top = is_signed ? 0x80000000 : 0;
    bool less = (low ^ top) < (c ^ top);
    switch (ir->video.merge) {
    case 0:
        return (c & 0x0000ffff) | low << 16;
    case 1:
        return (c & 0xffff0000) | (low & 0xffff);
    case 2:
        return (c & 0xffffff00) | (low & 0xff);
    case 3:
        return (c & 0xff00ffff) | (low & 0xff) << 16;
    case 4:
        return low + c;
    case 5:
        return less ? low : c;
    case 6:
        return less ? c : low;
    default:
        return low;
    }
}

/* a * b + c, in full, then down by 0, 7 or 15 bits. */
static void multiplied(const struct shade_warp *warp, const struct ir *ir, const int64_t *a, const int64_t *b,
                       uint32_t *out) {
    shade_row room;
    const uint32_t *c = shade_bits(warp, &ir->c, room);
    bool is_signed = (ir->type & 1) || (ir->source_type & 1), negate = ir->a.negate != ir->b.negate;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint64_t product = (uint64_t)a[i] * (uint64_t)b[i];
        uint64_t addend = is_signed ? (uint64_t)(int64_t)(int32_t)c[i] : c[i];
        addend = ir->c.negate ? 0 - addend : addend;
        uint64_t sum = (negate ? 0 - product : product) + addend + ir->plus_one;
        unsigned by = ir->video.shift & 31;
        int64_t value = is_signed ? (int64_t)sum >> by : (int64_t)(sum >> by);
        out[i] = (uint32_t)(ir->saturate ? saturated(value, is_signed) : value);
    }
}

bool shade_video(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room, out;
    int64_t a[SHADE_LANES], b[SHADE_LANES];
    selected(warp, &ir->a, ir->video.select_a, ir->type, a);
    selected(warp, &ir->b, ir->video.select_b, ir->source_type, b);
    if (ir->mode == IR_VMAD) {
        multiplied(warp, ir, a, b, out);
    } else if (ir->mode == IR_VSETP) {
        uint32_t m = 0;
        for (unsigned i = 0; i < SHADE_LANES; i++)
            m |= operated(ir, a[i], b[i], true) ? shade_bit[i] : 0;
        shade_setp(warp, ir, lanes, m);
        return true;
    } else {
        const uint32_t *c = shade_bits(warp, &ir->c, room);
        uint32_t least = shade_p(warp, ir);
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            int64_t value = operated(ir, a[i], b[i], least & shade_bit[i]);
            value = ir->saturate ? saturated(value, ir->video.signed_d) : value;
            out[i] = merged(ir, value, c[i]);
        }
    }
    if (ir->write_flags)
        shade_flags(warp, lanes, out, 0, 0);
    shade_write(warp, ir->d, lanes, out);
    return true;
}
