/* SPDX-License-Identifier: MIT */
/* What the files of the plain executor of GF100 share: where operands are. */
#ifndef PFIFO_TESTS_REFERENCE_GF100_BITS_H
#define PFIFO_TESTS_REFERENCE_GF100_BITS_H

#include "reference/gf100.h"
#include "reference/numbers.h"

bool reference_gf100_float(struct gm107_thread *t, uint64_t w);
bool reference_gf100_double(struct gm107_thread *t, uint64_t w);
bool reference_gf100_convert(struct gm107_thread *t, uint64_t w);
bool reference_gf100_video(struct gm107_thread *t, uint64_t w);

enum { ZERO = 63, FORM_REGISTER = 0, FORM_CONSTANT = 1, FORM_CONSTANT_C = 2, FORM_IMMEDIATE = 3 };

static inline unsigned type_of(uint64_t w) {
    return field(w, 0, 3);
}

/* The operation among those of its type: the highest five or six bits. */
static inline unsigned code5(uint64_t w) {
    return field(w, 59, 5);
}

static inline unsigned code6(uint64_t w) {
    return field(w, 58, 6);
}

static inline unsigned form(uint64_t w) {
    return field(w, 46, 2);
}

static inline uint32_t reg(const struct gm107_thread *t, uint64_t w, unsigned at) {
    unsigned number = field(w, at, 6);
    return number == ZERO ? 0 : t->r[number];
}

static inline uint32_t operand_a(const struct gm107_thread *t, uint64_t w) {
    return reg(t, w, 20);
}

static inline uint32_t bank_word(const struct gm107_thread *t, uint64_t w) {
    unsigned bank = field(w, 42, 4) + 16 * field(w, 26, 1);
    const uint8_t *at = t->constants + 4 * (size_t)field(w, 28, 14);
    if (bank >= 18)
        return 0;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint32_t operand_b(const struct gm107_thread *t, uint64_t w, bool is_float) {
    uint32_t immediate = field(w, 26, 20);
    switch (form(w)) {
    case FORM_REGISTER:
        return reg(t, w, 26);
    case FORM_CONSTANT:
        return bank_word(t, w);
    case FORM_CONSTANT_C:
        return reg(t, w, 49);
    default:
        return is_float ? immediate << 12 : immediate & 0x80000 ? immediate | 0xfff00000 : immediate;
    }
}

static inline uint32_t operand_c(const struct gm107_thread *t, uint64_t w) {
    return form(w) == FORM_CONSTANT_C ? bank_word(t, w) : reg(t, w, 49);
}

static inline void put(struct gm107_thread *t, uint64_t w, uint32_t value) {
    if (field(w, 14, 6) != ZERO)
        t->r[field(w, 14, 6)] = value;
}

/* bop P of a comparison, and its results. */
static inline bool with_p(const struct gm107_thread *t, uint64_t w, bool relation) {
    return combined(field(w, 53, 2), relation, predicate(t, w, 49));
}

static inline void put_truth(struct gm107_thread *t, uint64_t w, bool relation, bool one) {
    put(t, w, !with_p(t, w, relation) ? 0 : one ? 0x3f800000 : UINT32_MAX);
}

static inline void put_predicates(struct gm107_thread *t, uint64_t w, bool relation) {
    bool p = with_p(t, w, relation), q = with_p(t, w, !relation);
    write_predicate(t, field(w, 17, 3), p);
    write_predicate(t, field(w, 14, 3), q);
}

#endif
