/* SPDX-License-Identifier: MIT */
/* What the files of the plain executor of GK110 share: where operands are. */
#ifndef PFIFO_TESTS_REFERENCE_GK110_BITS_H
#define PFIFO_TESTS_REFERENCE_GK110_BITS_H

#include "reference/gk110.h"
#include "reference/numbers.h"

/* Parts of reference_gk110_step(), by kind. */
bool reference_gk110_float(struct gm107_thread *t, uint64_t w);
bool reference_gk110_double(struct gm107_thread *t, uint64_t w);

enum { TYPE_LONG = 0, TYPE_IMMEDIATE = 1, TYPE_FORMS = 2 };
enum { FORM_CONSTANT = 1, FORM_CONSTANT_C = 2, FORM_REGISTERS = 3 };

static inline unsigned type_of(uint64_t w) {
    return field(w, 0, 2);
}

static inline unsigned form(uint64_t w) {
    return field(w, 62, 2);
}

/* Type 1: the top 16 bits, with the immediate's sign left out. */
static inline bool short_is(uint64_t w, unsigned value, unsigned mask) {
    return type_of(w) == TYPE_IMMEDIATE && (w >> 48 & mask & 0xf7ff) == value;
}

/* Type 2 with one of the forms: those of three sources have all of them, the others not that with c a constant. */
static inline bool form_is(uint64_t w, unsigned value, unsigned mask, bool three) {
    bool exists = form(w) == FORM_CONSTANT || form(w) == FORM_REGISTERS || (three && form(w) == FORM_CONSTANT_C);
    return type_of(w) == TYPE_FORMS && exists && (w >> 48 & mask & 0x3fff) == (value & 0x3fff);
}

static inline uint32_t operand_a(const struct gm107_thread *t, uint64_t w) {
    return t->r[field(w, 10, 8)];
}

static inline uint32_t bank_word(const struct gm107_thread *t, uint64_t w) {
    const uint8_t *at = t->constants + 4 * (size_t)field(w, 23, 14);
    if (field(w, 37, 5) >= 18)
        return 0;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint32_t operand_b(const struct gm107_thread *t, uint64_t w, bool is_float) {
    uint32_t immediate = field(w, 23, 19) | field(w, 59, 1) << 19;
    if (type_of(w) == TYPE_IMMEDIATE)
        return is_float ? immediate << 12 : immediate & 0x80000 ? immediate | 0xfff00000 : immediate;
    if (form(w) == FORM_CONSTANT)
        return bank_word(t, w);
    return t->r[form(w) == FORM_CONSTANT_C ? field(w, 42, 8) : field(w, 23, 8)];
}

static inline uint32_t operand_c(const struct gm107_thread *t, uint64_t w) {
    return type_of(w) == TYPE_FORMS && form(w) == FORM_CONSTANT_C ? bank_word(t, w) : t->r[field(w, 42, 8)];
}

static inline void put(struct gm107_thread *t, uint64_t w, uint32_t value) {
    if (field(w, 2, 8) != RZ)
        t->r[field(w, 2, 8)] = value;
}

static inline bool with_p(const struct gm107_thread *t, uint64_t w, bool relation) {
    return combined(field(w, 48, 2), relation, predicate(t, w, 42));
}

static inline void put_truth(struct gm107_thread *t, uint64_t w, bool relation, bool one) {
    put(t, w, !with_p(t, w, relation) ? 0 : one ? 0x3f800000 : UINT32_MAX);
}

static inline void put_predicates(struct gm107_thread *t, uint64_t w, bool relation) {
    bool p = with_p(t, w, relation), q = with_p(t, w, !relation);
    write_predicate(t, field(w, 5, 3), p);
    write_predicate(t, field(w, 2, 3), q);
}

#endif
