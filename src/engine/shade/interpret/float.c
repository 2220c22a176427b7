/* SPDX-License-Identifier: MIT */
/* 32-bit floats: IEEE 754 in four roundings, with FTZ (inputs and results) and FMZ (0 times anything is +0). */
#include "engine/shade/interpret/source.h"

static struct float_source row_source(const struct shade_warp *warp, const struct ir_source *source, uint32_t *room) {
    struct ir_source plain = *source;
    struct float_source from = float_source_of(source);
    plain.absolute = plain.negate = false;
    from.row = shade_float(warp, &plain, room);
    return from;
}

static bool flushes(const struct ir *ir) {
    return ir->flush || ir->multiply_zero;
}

/* A source, with its modifiers. */
static const uint32_t *source(const struct shade_warp *warp, const struct ir *ir, const struct ir_source *of,
                              uint32_t *room) {
    const uint32_t *row = shade_float(warp, of, room);
    if (!flushes(ir))
        return row;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        room[i] = shade_flushed(row[i]);
    return room;
}

/* Saturation, flags, and the destination. */
static void write(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, uint32_t *out) {
    if (ir->saturate)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            out[i] = shade_saturated(out[i]);
    if (ir->write_flags)
        shade_flags_float(warp, lanes, out);
    shade_write(warp, ir->d, lanes, out);
}

/* What happens to all results. */
static void finish(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, uint32_t *out) {
    bool flush = flushes(ir);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = result_bits(shade_f32(out[i]), flush);
    write(warp, ir, lanes, out);
}

static void narrow(const double *wide, unsigned round, uint32_t *out) {
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = shade_narrow(wide[i], round);
}

/* p + c, once rounded. `wide` has p, exactly. */
static void sum(double *wide, const uint32_t *c, unsigned round, uint32_t *out) {
    uint32_t minus = 0;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        double addend = shade_f32(c[i]);
        /* Rounded down, x - x is -0, and so is +0 - 0. */
        bool positive = !(shade_u64(wide[i]) >> 63) && !(c[i] >> 31);
        wide[i] = shade_sum_odd(wide[i], addend);
        minus |= !positive && wide[i] == 0.0 ? shade_bit[i] : 0;
    }
    narrow(wide, round, out);
    if (round == IR_DOWN)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            out[i] |= minus & shade_bit[i] ? 0x80000000 : 0;
}

/* ---- a * b + c to the nearest, without an operation of the host that rounds once ---- */

/*
 * The product is exact as a double. The sum, rounded to a double and then to a float, is as if rounded once,
 * but where the double lies in the middle between two floats, or the float is so small that its middles lie elsewhere.
 * True: there is such a lane.
 */
INLINE bool fused_row(const struct float_source *a, const struct float_source *b, const struct float_source *c,
                      bool flush, uint32_t *out) {
    uint32_t doubt = 0;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        double product = (double)load_float(a, i, false, flush) * (double)load_float(b, i, false, flush);
        double value = product + (double)load_float(c, i, false, flush);
        float nearest = (float)value;
        uint32_t bits = shade_u32(nearest);
        uint64_t exact = shade_u64(value);
        uint32_t low = (uint32_t)exact, high = (uint32_t)(exact >> 32) << 1;
        doubt |= low << 3 == 0x80000000 ? 1 : 0;
        doubt |= !(bits & 0x7f000000) && (high | low) ? 1 : 0;
        out[i] = result_bits(nearest, flush);
    }
    return doubt;
}

static bool fused(const struct float_source *a, const struct float_source *b, const struct float_source *c, bool flush,
                  uint32_t *out) {
    return flush ? fused_row(a, b, c, true, out) : fused_row(a, b, c, false, out);
}

/* ---- sums and products ---- */

bool shade_fadd(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, out;
    const uint32_t *a = source(warp, ir, &ir->a, room_a), *b = source(warp, ir, &ir->b, room_b);
    double wide[SHADE_LANES];
    for (unsigned i = 0; i < SHADE_LANES; i++)
        wide[i] = shade_f32(a[i]);
    sum(wide, b, ir->round, out);
    finish(warp, ir, lanes, out);
    return true;
}

/* Products of floats are exact as doubles. */
static void products(const struct ir *ir, const uint32_t *a, const uint32_t *b, double *wide) {
    for (unsigned i = 0; i < SHADE_LANES; i++)
        wide[i] = (double)shade_f32(a[i]) * (double)shade_f32(b[i]);
    if (ir->multiply_zero)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            wide[i] = !(a[i] << 1) || !(b[i] << 1) ? 0.0 : wide[i];
}

/* 2^n for the exponents that a product may be scaled with, and any other int8_t. */
static double power(int n) {
    return shade_f64((uint64_t)(1023 + n) << 52);
}

bool shade_fmul(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, out;
    const uint32_t *a = source(warp, ir, &ir->a, room_a), *b = source(warp, ir, &ir->b, room_b);
    double wide[SHADE_LANES], scale = power(ir->scale);
    products(ir, a, b, wide);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        wide[i] *= scale;
    narrow(wide, ir->round, out);
    finish(warp, ir, lanes, out);
    return true;
}

bool shade_ffma(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, room_c, out;
    if (ir->round == IR_NEAREST && !ir->multiply_zero) {
        struct float_source a = row_source(warp, &ir->a, room_a), b = row_source(warp, &ir->b, room_b);
        struct float_source c = row_source(warp, &ir->c, room_c);
        if (!fused(&a, &b, &c, ir->flush, out)) {
            write(warp, ir, lanes, out);
            return true;
        }
    }
    const uint32_t *a = source(warp, ir, &ir->a, room_a), *b = source(warp, ir, &ir->b, room_b);
    const uint32_t *c = source(warp, ir, &ir->c, room_c);
    double wide[SHADE_LANES];
    products(ir, a, b, wide);
    sum(wide, c, ir->round, out);
    finish(warp, ir, lanes, out);
    return true;
}

/* Integers in the order of the floats; -0 is less than +0. */
static int32_t order(uint32_t bits) {
    return (int32_t)(bits ^ (bits >> 31 ? 0x7fffffff : 0));
}

bool shade_fmnmx(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, out;
    const uint32_t *a = source(warp, ir, &ir->a, room_a), *b = source(warp, ir, &ir->b, room_b);
    uint32_t least = shade_p(warp, ir);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        bool less = order(a[i]) < order(b[i]);
        uint32_t low = less ? a[i] : b[i], high = less ? b[i] : a[i];
        uint32_t value = least & shade_bit[i] ? low : high;
        value = (b[i] & 0x7fffffff) > 0x7f800000 ? a[i] : value;
        out[i] = (a[i] & 0x7fffffff) > 0x7f800000 ? b[i] : value;
    }
    finish(warp, ir, lanes, out);
    return true;
}

/* The lanes in which a `compare` b. */
static uint32_t compared(const uint32_t *a, const uint32_t *b, unsigned compare) {
    uint32_t less = 0, equal = 0, greater = 0;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        float x = shade_f32(a[i]), y = shade_f32(b[i]);
        less |= x < y ? shade_bit[i] : 0;
        equal |= x == y ? shade_bit[i] : 0;
        greater |= x > y ? shade_bit[i] : 0;
    }
    uint32_t m = 0;
    m |= compare & IR_LT ? less : 0;
    m |= compare & IR_EQ ? equal : 0;
    m |= compare & IR_GT ? greater : 0;
    m |= compare & IR_NAN ? ~(less | equal | greater) : 0;
    return m;
}

bool shade_fset(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b;
    const uint32_t *a = source(warp, ir, &ir->a, room_a), *b = source(warp, ir, &ir->b, room_b);
    shade_set(warp, ir, lanes, compared(a, b, ir->compare));
    return true;
}

bool shade_fsetp(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b;
    const uint32_t *a = source(warp, ir, &ir->a, room_a), *b = source(warp, ir, &ir->b, room_b);
    shade_setp(warp, ir, lanes, compared(a, b, ir->compare));
    return true;
}

static void select_by(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, uint32_t m) {
    shade_row room_a, room_b, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = m & shade_bit[i] ? a[i] : b[i];
    shade_write(warp, ir->d, lanes, out);
}

bool shade_fcmp(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room;
    const uint32_t *c = source(warp, ir, &ir->c, room);
    select_by(warp, ir, lanes, compared(c, warp->registers[IR_ZERO], ir->compare));
    return true;
}

/* UNKNOWN: which quotients are slow. Slow is right for all; fast are those of two values in the middle. */
bool shade_fchk(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b;
    const uint32_t *a = shade_float(warp, &ir->a, room_a), *b = shade_float(warp, &ir->b, room_b);
    uint32_t slow = 0;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t x = a[i] >> 23 & 0xff, y = b[i] >> 23 & 0xff;
        bool fast = x >= 127 - 60 && x <= 127 + 60 && y >= 127 - 60 && y <= 127 + 60;
        slow |= fast ? 0 : shade_bit[i];
    }
    shade_write_predicate(warp, ir->p, lanes, slow);
    return true;
}

/* Sums within a quad, for derivatives. The first source may be another lane's (mode). */
bool shade_fswzadd(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, left, right, out;
    const uint32_t *a = source(warp, ir, &ir->a, room_a), *b = source(warp, ir, &ir->b, room_b);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        unsigned from = ir->mode < 4 ? (i & ~3u) + ir->mode : ir->mode == 4 ? i ^ 1 : ir->mode == 5 ? i ^ 2 : i;
        unsigned what = ir->mask >> (6 - 2 * (i & 3)) & 3;
        left[i] = what == 3 ? 0x80000000 : a[from] ^ (what == 1 ? 0x80000000 : 0);
        right[i] = b[i] ^ (what == 2 ? 0x80000000 : 0);
    }
    if (ir->round == IR_NEAREST) {
        for (unsigned i = 0; i < SHADE_LANES; i++)
            out[i] = shade_u32(shade_f32(left[i]) + shade_f32(right[i]));
    } else {
        double wide[SHADE_LANES];
        for (unsigned i = 0; i < SHADE_LANES; i++)
            wide[i] = shade_f32(left[i]);
        sum(wide, right, ir->round, out);
    }
    finish(warp, ir, lanes, out);
    return true;
}
