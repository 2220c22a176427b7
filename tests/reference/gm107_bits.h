/* SPDX-License-Identifier: MIT */
/* What the files of the plain executor of GM107 share: fields, operands, results. */
#ifndef PFIFO_TESTS_REFERENCE_GM107_BITS_H
#define PFIFO_TESTS_REFERENCE_GM107_BITS_H

#include <string.h>

#include "reference/gm107.h"

/* Parts of reference_gm107_step(), by kind. */
bool reference_gm107_float(struct gm107_thread *t, uint64_t w);
bool reference_gm107_convert(struct gm107_thread *t, uint64_t w);
bool reference_gm107_double(struct gm107_thread *t, uint64_t w);

enum { RZ = 255 };

static inline uint32_t field(uint64_t word, unsigned at, unsigned bits) {
    return (uint32_t)(word >> at & ((UINT64_C(1) << bits) - 1));
}

static inline bool bit(uint64_t word, unsigned at) {
    return word >> at & 1;
}

static inline float as_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static inline uint32_t as_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return value != value ? 0x7fffffff : bits;
}

static inline uint32_t constant(const struct gm107_thread *t, uint64_t word) {
    const uint8_t *at = t->constants + 4 * (size_t)field(word, 20, 14);
    if (field(word, 34, 5) >= 18)
        return 0;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint32_t short_immediate(uint64_t word, bool is_float) {
    uint32_t bits = field(word, 20, 19) | field(word, 56, 1) << 19;
    return is_float ? bits << 12 : bits & 0x80000 ? bits | 0xfff00000 : bits;
}

/* The operation has a row with these bits on top: `r` for a register, 0x1000 less for a constant, `i` for an immediate.
 */
static inline bool is(uint64_t word, unsigned r, unsigned i, unsigned mask) {
    unsigned top = (unsigned)(word >> 48);
    return (top & mask) == r || (top & mask) == r - 0x1000 || (top & mask & 0xfeff) == i;
}

static inline bool is3(uint64_t word, unsigned r, unsigned rc, unsigned i, unsigned mask) {
    return is(word, r, i, mask) || ((word >> 48) & mask) == rc;
}

static inline bool top(uint64_t word, unsigned value, unsigned mask) {
    return ((word >> 48) & mask) == value;
}

static inline uint32_t second(const struct gm107_thread *t, uint64_t word, bool is_float) {
    switch (word >> 60) {
    case 5:
        return t->r[field(word, 20, 8)];
    case 4:
        return constant(t, word);
    default:
        return short_immediate(word, is_float);
    }
}

/* Of those with three: 51 to 53 on top have the constant third. */
static inline bool constant_is_third(uint64_t word) {
    return word >> 60 == 5 && !bit(word, 59);
}

static inline uint32_t middle(const struct gm107_thread *t, uint64_t word, bool is_float) {
    return constant_is_third(word) ? t->r[field(word, 39, 8)] : second(t, word, is_float);
}

static inline uint32_t third(const struct gm107_thread *t, uint64_t word) {
    return constant_is_third(word) ? constant(t, word) : t->r[field(word, 39, 8)];
}

static inline void write(struct gm107_thread *t, uint64_t word, uint32_t value) {
    if (field(word, 0, 8) != RZ)
        t->r[field(word, 0, 8)] = value;
}

static inline void write_predicate(struct gm107_thread *t, unsigned number, bool value) {
    if (number != 7)
        t->p[number] = value;
}

static inline bool predicate(const struct gm107_thread *t, uint64_t word, unsigned at) {
    return t->p[field(word, at, 3)] != bit(word, at + 3);
}

static inline bool combined(unsigned how, bool a, bool b) {
    return how == 0 ? a && b : how == 1 ? a || b : a != b;
}

static inline uint32_t flushed(uint32_t bits, bool flush) {
    return flush && !(bits & 0x7f800000) ? bits & 0x80000000 : bits;
}

static inline uint32_t sign(uint32_t bits, bool absolute, bool negate) {
    bits = absolute ? bits & 0x7fffffff : bits;
    return negate ? bits ^ 0x80000000 : bits;
}

static inline uint32_t saturated(uint32_t bits) {
    float value = as_float(bits);
    return value > 0 ? as_bits(value < 1 ? value : 1) : 0;
}

static inline uint32_t result(float value, bool flush, bool saturate) {
    uint32_t bits = flushed(as_bits(value), flush);
    return saturate ? saturated(bits) : bits;
}

static inline bool compared(uint32_t a, uint32_t b, unsigned how) {
    float x = as_float(a), y = as_float(b);
    unsigned relation = x < y ? 1 : x == y ? 2 : x > y ? 4 : 8;
    return (how & relation) != 0;
}

static inline void set(struct gm107_thread *t, uint64_t w, bool relation, bool one) {
    bool value = combined(field(w, 45, 2), relation, predicate(t, w, 39));
    write(t, w, !value ? 0 : one ? 0x3f800000 : UINT32_MAX);
}

static inline void set_predicates(struct gm107_thread *t, uint64_t w, bool relation) {
    bool other = predicate(t, w, 39);
    write_predicate(t, field(w, 3, 3), combined(field(w, 45, 2), relation, other));
    write_predicate(t, field(w, 0, 3), combined(field(w, 45, 2), !relation, other));
}

static inline int64_t extended(uint32_t value, bool is_signed) {
    return is_signed ? (int64_t)(int32_t)value : (int64_t)value;
}

#endif
