/* SPDX-License-Identifier: MIT */
/* Conversions between integers and floats of all sizes. */
#include <math.h>

#include "engine/shade/interpret/core.h"
#include "engine/shade/interpret/value.h"

static bool is_signed(unsigned type) {
    return type & 1;
}

/* Bits of an integer type. */
static unsigned width(unsigned type) {
    return 8u << (type >> 1);
}

/* A source of integers: magnitude and sign. -2^63 has a magnitude of 2^63. */
struct integers {
    uint64_t magnitude[SHADE_LANES];
    bool negative[SHADE_LANES];
};

static void integers(const struct shade_warp *warp, const struct ir *ir, struct integers *out) {
    uint64_t wide[SHADE_LANES];
    const struct ir_source *source = &ir->a;
    if (width(ir->source_type) == 64) {
        shade_bits64(warp, source, false, wide);
    } else {
        shade_row room;
        const uint32_t *row = shade_part(warp, source, ir->source_type, room);
        for (unsigned i = 0; i < SHADE_LANES; i++)
            wide[i] = is_signed(ir->source_type) ? (uint64_t)(int64_t)(int32_t)row[i] : row[i];
    }
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        bool negative = is_signed(ir->source_type) && wide[i] >> 63;
        out->magnitude[i] = negative ? 0 - wide[i] : wide[i];
        out->negative[i] = ((negative && !source->absolute) != source->negate) && wide[i];
    }
}

/* A source of floats, as doubles, which have them all. */
static void floats(const struct shade_warp *warp, const struct ir *ir, double *out) {
    const struct ir_source *source = &ir->a;
    if (ir->source_type == IR_F64) {
        shade_double(warp, source, out);
        return;
    }
    shade_row room;
    if (ir->source_type == IR_F16) {
        const uint32_t *row = shade_part(warp, source, IR_F16, room);
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            double value = shade_from_half(row[i] & 0xffff);
            value = source->absolute ? fabs(value) : value;
            out[i] = source->negate ? -value : value;
        }
        return;
    }
    const uint32_t *row = shade_float(warp, source, room);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = shade_f32(ir->flush ? shade_flushed(row[i]) : row[i]);
}

/* The values, as floats of the destination's type. */
static void float_end(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, const double *values) {
    shade_row out;
    if (ir->type == IR_F64) {
        uint64_t wide[SHADE_LANES];
        for (unsigned i = 0; i < SHADE_LANES; i++)
            wide[i] = isnan(values[i]) ? SHADE_NAN64 : shade_u64(values[i]);
        shade_write64(warp, ir->d, lanes, wide);
        return;
    }
    unsigned round = ir->integral ? IR_NEAREST : ir->round;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        double value = values[i];
        if (ir->saturate)
            value = value > 0.0 ? value < 1.0 ? value : 1.0 : 0.0;
        if (ir->type == IR_F16) {
            out[i] = shade_to_half(value, round);
        } else {
            uint32_t bits = shade_quiet(shade_narrow(value, round));
            out[i] = ir->flush ? shade_flushed(bits) : bits;
        }
    }
    if (ir->write_flags)
        shade_flags_float(warp, lanes, out);
    shade_write(warp, ir->d, lanes, out);
}

bool shade_f2f(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    double values[SHADE_LANES];
    floats(warp, ir, values);
    if (ir->integral)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            values[i] = shade_integral(values[i], ir->round);
    float_end(warp, ir, lanes, values);
    return true;
}

bool shade_i2f(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    struct integers in;
    integers(warp, ir, &in);
    if (ir->type == IR_F64) {
        uint64_t out[SHADE_LANES];
        for (unsigned i = 0; i < SHADE_LANES; i++)
            out[i] = shade_integer64(in.magnitude[i], in.negative[i], ir->round);
        shade_write64(warp, ir->d, lanes, out);
        return true;
    }
    double values[SHADE_LANES];
    if (width(ir->source_type) < 64)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            values[i] = (double)(int64_t)(in.negative[i] ? 0 - in.magnitude[i] : in.magnitude[i]);
    else
        for (unsigned i = 0; i < SHADE_LANES; i++)
            values[i] = shade_integer_odd(in.magnitude[i], in.negative[i]);
    float_end(warp, ir, lanes, values);
    return true;
}

/* Integers in the range of the destination. */
static void integer_end(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, const uint64_t *values) {
    if (width(ir->type) == 64) {
        shade_write64(warp, ir->d, lanes, values);
        return;
    }
    shade_row out;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = (uint32_t)values[i];
    if (ir->write_flags)
        shade_flags(warp, lanes, out, 0, 0);
    shade_write(warp, ir->d, lanes, out);
}

/* NaN gives 0; of doubles, and as 64 bits, only the top bit (PTX ISA, cvt). */
static uint64_t clamped(double value, const struct ir *ir) {
    unsigned bits = width(ir->type);
    if (isnan(value)) {
        bool top = ir->source_type == IR_F64 || bits == 64;
        return top ? UINT64_C(1) << ((bits > 32 ? bits : 32) - 1) : 0;
    }
    double end = bits == 64 ? 0x1p64 : (double)(UINT64_C(1) << bits);
    if (!is_signed(ir->type))
        return value <= 0.0 ? 0 : value >= end ? UINT64_MAX >> (64 - bits) : (uint64_t)value;
    if (value >= end / 2)
        return UINT64_MAX >> (65 - bits);
    return value < -end / 2 ? UINT64_MAX << (bits - 1) : (uint64_t)(int64_t)value;
}

bool shade_f2i(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    double values[SHADE_LANES];
    uint64_t out[SHADE_LANES];
    floats(warp, ir, values);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = clamped(shade_integral(values[i], ir->round), ir);
    integer_end(warp, ir, lanes, out);
    return true;
}

/* UNKNOWN: the upper bits of a narrow result that is not saturated. Taken as 0. */
bool shade_i2i(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    struct integers in;
    uint64_t out[SHADE_LANES];
    unsigned bits = width(ir->type);
    uint64_t most = UINT64_MAX >> (64 - bits + is_signed(ir->type)), least = is_signed(ir->type) ? most + 1 : 0;
    integers(warp, ir, &in);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint64_t magnitude = in.magnitude[i], limit = in.negative[i] ? least : most;
        if (ir->saturate)
            magnitude = magnitude < limit ? magnitude : limit;
        uint64_t value = in.negative[i] ? 0 - magnitude : magnitude;
        out[i] = ir->saturate ? value : value & UINT64_MAX >> (64 - bits);
    }
    integer_end(warp, ir, lanes, out);
    return true;
}
