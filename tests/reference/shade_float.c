/* SPDX-License-Identifier: MIT */
/* Floats and conversions of the plain executor: by the host's rounding modes, and by searches among halves. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "reference/shade.h"

static float f32(uint32_t bits) {
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static uint32_t u32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return isnan(value) ? 0x7fffffff : bits;
}

static double f64(uint64_t bits) {
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

static uint64_t u64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return isnan(value) ? UINT64_C(0x7fffffffffffffff) : bits;
}

static int host_round(unsigned round) {
    const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    return modes[round];
}

static uint32_t flush(uint32_t bits) {
    return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

static uint32_t source_bits(const struct shade_thread *t, const struct ir *ir, const struct ir_source *source) {
    uint32_t bits = reference_shade_raw(t, source, 0);
    if (source->absolute)
        bits &= 0x7fffffff;
    if (source->negate)
        bits ^= 0x80000000;
    return ir->flush || ir->multiply_zero ? flush(bits) : bits;
}

static double source_double(const struct shade_thread *t, const struct ir_source *source) {
    uint64_t bits = (uint64_t)reference_shade_raw(t, source, 1) << 32 | reference_shade_raw(t, source, 0);
    if (source->kind == IR_IMMEDIATE)
        bits = (uint64_t)source->value << 32;
    if (source->absolute)
        bits &= INT64_MAX;
    if (source->negate)
        bits ^= UINT64_C(1) << 63;
    return f64(bits);
}

static void float_flags(struct shade_thread *t, double value) {
    t->zero = value == 0 || isnan(value);
    t->sign = value < 0 || isnan(value);
    t->carry = t->overflow = false;
}

static void write32(struct shade_thread *t, const struct ir *ir, float value) {
    uint32_t bits = u32(value);
    if (ir->flush || ir->multiply_zero)
        bits = flush(bits);
    if (ir->saturate)
        bits = isnan(value) || !(f32(bits) > 0) ? 0 : f32(bits) > 1 ? 0x3f800000 : bits;
    if (ir->write_flags)
        float_flags(t, f32(bits));
    reference_shade_write(t, ir->d, bits);
}

static void write64(struct shade_thread *t, const struct ir *ir, double value) {
    uint64_t bits = u64(value);
    if (ir->write_flags)
        float_flags(t, value);
    reference_shade_write(t, ir->d, (uint32_t)bits);
    if (ir->d < IR_ZERO)
        reference_shade_write(t, ir->d + 1u, (uint32_t)(bits >> 32));
}

static bool compared(double a, double b, unsigned compare) {
    unsigned is = a < b ? 1 : a == b ? 2 : a > b ? 4 : 8;
    return compare & is;
}

static double least(double a, double b, bool minimum) {
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    if (a == b) /* zeros of both signs */
        return (signbit(a) != 0) == minimum ? a : b;
    return (a < b) == minimum ? a : b;
}

static void arithmetic32(struct shade_thread *t, const struct ir *ir) {
    volatile float a = f32(source_bits(t, ir, &ir->a)), b = f32(source_bits(t, ir, &ir->b)), value;
    volatile float c = f32(source_bits(t, ir, &ir->c));
    volatile double scaled;
    bool zero = ir->multiply_zero && (a == 0 || b == 0);
    fesetround(host_round(ir->round));
    switch (ir->op) {
    case IR_FADD:
        value = a + b;
        break;
    case IR_FMUL:
        scaled = (double)a * (double)b * ldexp(1, ir->scale); /* no bit is lost */
        value = (float)scaled;
        break;
    default:
        value = zero ? 0.0F + c : fmaf(a, b, c);
        break;
    }
    fesetround(FE_TONEAREST);
    if (zero && ir->op == IR_FMUL)
        value = 0;
    write32(t, ir, value);
}

static void arithmetic64(struct shade_thread *t, const struct ir *ir) {
    volatile double a = source_double(t, &ir->a), b = source_double(t, &ir->b), c = source_double(t, &ir->c), value;
    fesetround(host_round(ir->round));
    switch (ir->op) {
    case IR_FADD:
        value = a + b;
        break;
    case IR_FMUL:
        value = a * b;
        break;
    default:
        value = fma(a, b, c);
        break;
    }
    fesetround(FE_TONEAREST);
    write64(t, ir, value);
}

/* ---- conversions ---- */

static double of_half(uint32_t half) {
    int exponent = half >> 10 & 31, mantissa = half & 0x3ff;
    double value = exponent == 31 ? mantissa ? NAN : INFINITY
                                  : ldexp(exponent ? mantissa + 1024 : mantissa, exponent ? exponent - 25 : -24);
    return half & 0x8000 ? -value : value;
}

/* The largest finite half that is not greater, and the next one, tell the rest. */
static uint32_t to_half(double value, unsigned round) {
    if (isnan(value))
        return 0x7fff;
    uint32_t sign = signbit(value) ? 0x8000 : 0, low = 0, high = 0x7c00;
    double magnitude = fabs(value);
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        *(of_half(middle) <= magnitude ? &low : &high) = middle;
    }
    if (isinf(value))
        return sign | 0x7c00;
    if (of_half(low) == magnitude)
        return sign | low;
    double below = of_half(low), above = low == 0x7bff ? 65536 : of_half(high), middle = (below + above) / 2;
    bool up = round == IR_NEAREST ? magnitude > middle || (magnitude == middle && low & 1)
              : round == IR_UP    ? !sign
              : round == IR_DOWN  ? sign != 0
                                  : false;
    return sign | (up ? low + 1 : low);
}

static uint32_t part(uint32_t value, unsigned which, unsigned type) {
    unsigned bits = type <= IR_S8 ? 8 : type <= IR_S16 || type == IR_F16 ? 16 : 32;
    unsigned shift = which >= IR_BYTE0 && which <= IR_BYTE3 ? 8 * (which - IR_BYTE0) : which == IR_HALF1 ? 16 : 0;
    value >>= bits == 16 ? shift & 16 : shift;
    if (bits == 32)
        return value;
    value &= (1u << bits) - 1;
    if (type <= IR_S16 && type & 1 && value >> (bits - 1))
        value |= 0xffffffff << bits;
    return value;
}

static double source_float(const struct shade_thread *t, const struct ir *ir) {
    if (ir->source_type == IR_F64)
        return source_double(t, &ir->a);
    if (ir->source_type == IR_F32) {
        struct ir plain = *ir;
        plain.multiply_zero = false;
        return f32(source_bits(t, &plain, &ir->a));
    }
    double value = of_half(part(reference_shade_raw(t, &ir->a, 0), ir->a.part, IR_F16));
    value = ir->a.absolute ? fabs(value) : value;
    return ir->a.negate ? -value : value;
}

static double integral(double value, unsigned round) {
    volatile double x = value, out;
    fesetround(host_round(round));
    out = nearbyint(x);
    fesetround(FE_TONEAREST);
    return out;
}

static void f2f(struct shade_thread *t, const struct ir *ir) {
    volatile double value = source_float(t, ir);
    unsigned round = ir->integral ? IR_NEAREST : ir->round;
    if (ir->integral)
        value = integral(value, ir->round);
    if (ir->type == IR_F64) {
        write64(t, ir, value);
        return;
    }
    if (ir->type == IR_F16) {
        if (ir->saturate)
            value = !(value > 0) ? 0 : value > 1 ? 1 : value;
        reference_shade_write(t, ir->d, to_half(value, round));
        return;
    }
    fesetround(host_round(round));
    volatile float narrow = (float)value;
    fesetround(FE_TONEAREST);
    write32(t, ir, narrow);
}

/* The source as a signed number of up to 65 bits. */
__extension__ typedef __int128 wide;

static wide source_integer(const struct shade_thread *t, const struct ir *ir) {
    wide value;
    uint32_t low = reference_shade_raw(t, &ir->a, 0), high = reference_shade_raw(t, &ir->a, 1);
    if (ir->a.kind == IR_IMMEDIATE)
        high = low >> 31 ? 0xffffffff : 0;
    uint64_t both = (uint64_t)high << 32 | low;
    if (ir->source_type == IR_U64 || ir->source_type == IR_S64) {
        value = ir->source_type == IR_S64 ? (wide)(int64_t)both : (wide)both;
    } else {
        uint32_t selected = part(low, ir->a.part, ir->source_type);
        value = ir->source_type & 1 ? (wide)(int32_t)selected : (wide)selected;
    }
    if (ir->a.absolute && value < 0)
        value = -value;
    return ir->a.negate ? -value : value;
}

static void write_integer(struct shade_thread *t, const struct ir *ir, wide value) {
    reference_shade_write(t, ir->d, (uint32_t)value);
    if (ir->type >= IR_U64 && ir->d < IR_ZERO)
        reference_shade_write(t, ir->d + 1u, (uint32_t)((uint64_t)value >> 32));
}

static void range(unsigned type, wide *from, wide *to) {
    unsigned bits = 8u << type / 2;
    wide end = (wide)1 << (type & 1 ? bits - 1 : bits);
    *to = end - 1;
    *from = type & 1 ? -end : 0;
}

static void i2f(struct shade_thread *t, const struct ir *ir) {
    volatile wide value = source_integer(t, ir);
    volatile bool negative = value < 0;
    volatile uint64_t magnitude = (uint64_t)(negative ? -value : value);
    /* The sign is given before the rounding. */
    volatile double high = (double)(magnitude >> 32) * 0x1p32, low = (double)(magnitude & 0xffffffff), exact;
    if (negative) {
        high = -high;
        low = -low;
    }
    if (ir->type == IR_F16) {
        exact = high + low; /* more than 2^53 is infinite, or the largest */
        reference_shade_write(t, ir->d, to_half(exact, ir->round));
        return;
    }
    fesetround(host_round(ir->round));
    if (ir->type == IR_F64) {
        exact = high + low;
        fesetround(FE_TONEAREST);
        write64(t, ir, value == 0 ? 0.0 : exact);
        return;
    }
    volatile long double whole = (long double)high + (long double)low; /* 64 bits: exact */
    volatile float narrow = (float)whole;
    fesetround(FE_TONEAREST);
    write32(t, ir, value == 0 ? 0.0F : narrow);
}

static void f2i(struct shade_thread *t, const struct ir *ir) {
    double value = source_float(t, ir);
    wide from, to;
    range(ir->type, &from, &to);
    bool large = ir->type >= IR_U64;
    if (isnan(value)) {
        wide top = large ? (wide)1 << 63 : (wide)1 << 31;
        write_integer(t, ir, large || ir->source_type == IR_F64 ? top : 0);
        return;
    }
    value = integral(value, ir->round);
    wide whole = value > 0x1p100 ? to : value < -0x1p100 ? from : (wide)value;
    write_integer(t, ir, whole < from ? from : whole > to ? to : whole);
}

static void i2i(struct shade_thread *t, const struct ir *ir) {
    wide value = source_integer(t, ir), from, to;
    range(ir->type, &from, &to);
    unsigned bits = 8u << ir->type / 2;
    if (ir->saturate)
        value = value < from ? from : value > to ? to : value;
    else
        value &= ((wide)1 << bits) - 1;
    write_integer(t, ir, value);
}

/* ---- halves ---- */

static double half_of(const struct shade_thread *t, const struct ir *ir, const struct ir_source *source, unsigned h) {
    uint32_t word = reference_shade_raw(t, source, 0);
    bool high = source->part == IR_HALF1 || (source->part == IR_WHOLE && h);
    uint32_t half = high ? word >> 16 : word & 0xffff;
    if (ir->flush && !(half & 0x7c00))
        half &= 0x8000;
    double value = source->part == IR_FLOAT ? (double)f32(ir->flush ? flush(word) : word) : of_half(half);
    value = source->absolute ? fabs(value) : value;
    return source->negate ? -value : value;
}

static uint32_t half_result(const struct ir *ir, long double exact) {
    if (ir->saturate)
        exact = !(exact > 0) ? 0 : exact > 1 ? 1 : exact;
    if (ir->merge == 1) {
        uint32_t bits = u32((float)exact);
        return ir->flush ? flush(bits) : bits;
    }
    double value = (double)exact;
    if ((long double)value != exact && !isnan(value)) /* keep what is below, for halves that lie in the middle */
        value = nextafter(value, exact > (long double)value ? INFINITY : -INFINITY);
    uint32_t half = to_half(value, IR_NEAREST);
    return ir->flush && !(half & 0x7c00) ? half & 0x8000 : half;
}

/* Sources here are halves only: their products and sums fit the 64 bits of a long double, nearly always. */
static void halves(struct shade_thread *t, const struct ir *ir) {
    uint32_t out[2], old = ir->d < IR_ZERO ? t->r[ir->d] : 0;
    for (unsigned h = 0; h < 2; h++) {
        long double a = half_of(t, ir, &ir->a, h), b = half_of(t, ir, &ir->b, h), c = half_of(t, ir, &ir->c, h);
        out[h] = half_result(ir, ir->op == IR_HADD2 ? a + b : ir->op == IR_HMUL2 ? a * b : a * b + c);
    }
    const uint32_t values[] = {out[0] | out[1] << 16, out[0], (old & 0xffff0000) | (out[0] & 0xffff),
                               (old & 0xffff) | out[1] << 16};
    reference_shade_write(t, ir->d, values[ir->merge]);
}

static bool convert(struct shade_thread *t, const struct ir *ir) {
    switch (ir->op) {
    case IR_F2F:
        f2f(t, ir);
        return true;
    case IR_I2F:
        i2f(t, ir);
        return true;
    case IR_F2I:
        f2i(t, ir);
        return true;
    case IR_I2I:
        i2i(t, ir);
        return true;
    case IR_HADD2:
    case IR_HMUL2:
    case IR_HFMA2:
        halves(t, ir);
        return true;
    default:
        return false;
    }
}

bool reference_shade_float(struct shade_thread *t, const struct ir *ir) {
    if (ir->op < IR_FADD || ir->op > IR_FCMP)
        return convert(t, ir);
    bool wide_type = ir->type == IR_F64;
    double a = wide_type ? source_double(t, &ir->a) : (double)f32(source_bits(t, ir, &ir->a));
    double b = wide_type ? source_double(t, &ir->b) : (double)f32(source_bits(t, ir, &ir->b));
    switch (ir->op) {
    case IR_FMNMX: {
        double value = least(a, b, reference_shade_p(t, ir));
        if (wide_type)
            write64(t, ir, value);
        else
            write32(t, ir, (float)value);
        return true;
    }
    case IR_FSET: {
        bool flags = ir->write_flags;
        struct ir set = *ir;
        set.write_flags = false;
        reference_shade_set(t, &set, compared(a, b, ir->compare));
        return !flags;
    }
    case IR_FSETP:
        reference_shade_setp(t, ir, compared(a, b, ir->compare));
        return true;
    case IR_FCMP:
        reference_shade_write(t, ir->d,
                              compared(f32(source_bits(t, ir, &ir->c)), 0, ir->compare)
                                  ? reference_shade_raw(t, &ir->a, 0)
                                  : reference_shade_raw(t, &ir->b, 0));
        return true;
    default:
        if (wide_type)
            arithmetic64(t, ir);
        else
            arithmetic32(t, ir);
        return true;
    }
}
