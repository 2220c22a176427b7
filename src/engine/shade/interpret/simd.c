/* SPDX-License-Identifier: MIT */
/*
 * PTX's video instructions on two halves or four bytes at a time: parts of {b:a}, an operation on integers of unlimited
 * width for each, saturation, and a merge with c, or a second operation with it.
 */
#include "engine/shade/interpret/core.h"

struct simd_lane {
    uint32_t a, b, c;
    bool first; /* of IR_SIMD_SELECT */
};

static int64_t simd_extended(uint32_t value, unsigned bits, bool is_signed) {
    uint32_t top = is_signed ? 1u << (bits - 1) : 0;
    uint32_t extended = ((value & (SHADE_ALL >> (32 - bits))) ^ top) - top;
    return is_signed ? (int64_t)(int32_t)extended : (int64_t)extended;
}

static int64_t simd_part(const struct simd_lane *lane, unsigned number, unsigned bits, bool is_signed) {
    uint64_t pool = (uint64_t)lane->b << 32 | lane->a;
    return simd_extended((uint32_t)(pool >> number * bits), bits, is_signed);
}

/* UNKNOWN: shifts by as many bits as a part has, or more; chosen: as of a word by 32 or more. */
static int64_t simd_shifted(const struct ir *ir, int64_t a, uint32_t by, unsigned bits) {
    by = ir->wrap ? by & (bits - 1) : by < bits ? by : bits;
    return ir->mode == IR_SIMD_SHL ? (int64_t)((uint64_t)a << by) : a >> by;
}

static int64_t simd_operated(const struct ir *ir, int64_t a, int64_t b, unsigned bits, bool first) {
    switch (ir->mode) {
    case IR_SIMD_ADD:
        return a + b;
    case IR_SIMD_SUB:
        return a - b;
    case IR_SIMD_SUBR:
        return b - a;
    case IR_SIMD_AVERAGE: /* upwards between two, away from zero only of what is not below it */
        return (a + b + (a + b >= 0)) >> 1;
    case IR_SIMD_MIN:
        return a < b ? a : b;
    case IR_SIMD_MAX:
        return a < b ? b : a;
    case IR_SIMD_DIFFERENCE:
        return a < b ? b - a : a - b;
    case IR_SIMD_SET:
        return (ir->compare & (a < b ? IR_LT : a == b ? IR_EQ : IR_GT)) != 0;
    case IR_SIMD_SELECT:
        return first ? a : b;
    default:
        return simd_shifted(ir, a, (uint32_t)b, bits);
    }
}

static int64_t simd_bounded(int64_t value, unsigned bits, bool is_signed) {
    int64_t least = is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
    int64_t most = is_signed ? -least - 1 : (INT64_C(1) << bits) - 1;
    return value < least ? least : value > most ? most : value;
}

static int64_t simd_second(unsigned merge, int64_t value, int64_t c) {
    switch (merge) {
    case IR_SIMD_LANE_MIN:
    case IR_SIMD_ALL_MIN:
        return value < c ? value : c;
    case IR_SIMD_LANE_MAX:
    case IR_SIMD_ALL_MAX:
        return value < c ? c : value;
    case IR_SIMD_ALL_ADD:
        return value + c;
    default:
        return value;
    }
}

static uint32_t simd_run(const struct ir *ir, const struct simd_lane *lane) {
    const unsigned lanes = ir->simd.lanes, bits = 32 / lanes;
    const bool is_signed = ir->simd.signed_d, all = ir->simd.merge >= IR_SIMD_ALL_ADD;
    uint32_t mask = SHADE_ALL >> (32 - bits), out = 0;
    int64_t sum = simd_extended(lane->c, 32, is_signed);
    for (unsigned i = 0; i < lanes; i++) {
        uint32_t old = lane->c >> i * bits & mask;
        if (!(ir->simd.mask >> i & 1)) {
            out |= old << i * bits;
            continue;
        }
        int64_t value = simd_operated(ir, simd_part(lane, ir->simd.a[i], bits, ir->type & 1),
                                      simd_part(lane, ir->simd.b[i], bits, ir->source_type & 1), bits, lane->first);
        value = ir->saturate ? simd_bounded(value, bits, is_signed) : value;
        value = simd_extended((uint32_t)value, bits, is_signed);
        if (all)
            sum = simd_second(ir->simd.merge, value, sum);
        else
            out |= ((uint32_t)simd_second(ir->simd.merge, value, simd_extended(old, bits, is_signed)) & mask)
                   << i * bits;
    }
    return all ? (uint32_t)sum : out;
}

bool shade_simd(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room[3], out;
    const uint32_t *a = shade_bits(warp, &ir->a, room[0]), *b = shade_bits(warp, &ir->b, room[1]);
    const uint32_t *c = shade_bits(warp, &ir->c, room[2]);
    uint32_t first = shade_p(warp, ir);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        struct simd_lane lane = {a[i], b[i], c[i], first & shade_bit[i]};
        out[i] = simd_run(ir, &lane);
    }
    if (ir->write_flags)
        shade_flags(warp, lanes, out, 0, 0);
    shade_write(warp, ir->d, lanes, out);
    return true;
}
