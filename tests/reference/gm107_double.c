/* SPDX-License-Identifier: MIT */
/* Doubles in pairs of registers, and in immediates; to the nearest. */
#include <math.h>

#include "reference/numbers.h"

static uint64_t pair(const struct gm107_thread *t, unsigned number) {
    return number == RZ ? 0 : (uint64_t)t->r[number + 1] << 32 | t->r[number];
}

static double as_double(uint64_t bits, bool absolute, bool negate) {
    double value;
    bits = absolute ? bits & INT64_MAX : bits;
    bits = negate ? bits ^ (uint64_t)1 << 63 : bits;
    memcpy(&value, &bits, 8);
    return value;
}

static void write_pair(struct gm107_thread *t, uint64_t w, double value) {
    unsigned d = field(w, 0, 8);
    uint64_t bits;
    memcpy(&bits, &value, 8);
    if (value != value)
        bits = INT64_MAX;
    if (d == RZ)
        return;
    t->r[d] = (uint32_t)bits;
    if (d + 1 != RZ)
        t->r[d + 1] = (uint32_t)(bits >> 32);
}

static bool is_pair(unsigned number) {
    return number == RZ || number % 2 == 0;
}

bool reference_gm107_double(struct gm107_thread *t, uint64_t w) {
    unsigned a = field(w, 8, 8), b = field(w, 20, 8), c = field(w, 39, 8), d = field(w, 0, 8);
    bool add = is(w, 0x5c70, 0x3870, 0xfff8), multiply = is(w, 0x5c80, 0x3880, 0xfff8),
         set = is(w, 0x5b80, 0x3680, 0xfff0);
    bool fused = is(w, 0x5b70, 0x3670, 0xfff0), least = is(w, 0x5c50, 0x3850, 0xfff8);
    /* constants are of two words: left out */
    if ((!add && !multiply && !set && !fused && !least) || w >> 60 == 4 || !is_pair(a) ||
        (w >> 60 == 5 && !is_pair(b)) || (!set && !is_pair(d)) || (fused && !is_pair(c)) || (!set && bit(w, 47)))
        return false;
    uint64_t x = pair(t, a), y = w >> 60 == 5 ? pair(t, b) : (uint64_t)short_immediate(w, true) << 32;
    if (add && !field(w, 39, 2)) {
        write_pair(t, w, as_double(x, bit(w, 46), bit(w, 48)) + as_double(y, bit(w, 49), bit(w, 45)));
    } else if (multiply && !field(w, 39, 2)) {
        write_pair(t, w, as_double(x, false, false) * as_double(y, false, bit(w, 48)));
    } else if (fused && !field(w, 50, 2)) {
        write_pair(
            t, w,
            fma(as_double(x, false, false), as_double(y, false, bit(w, 48)), as_double(pair(t, c), false, bit(w, 49))));
    } else if (least) {
        double p = as_double(x, bit(w, 46), bit(w, 48)), q = as_double(y, bit(w, 49), bit(w, 45));
        write_pair(t, w, least_double(p, q, predicate(t, w, 39)));
    } else if (set) {
        double p = as_double(x, bit(w, 7), bit(w, 43)), q = as_double(y, bit(w, 44), bit(w, 6));
        unsigned relation = p < q ? 1 : p == q ? 2 : p > q ? 4 : 8;
        set_predicates(t, w, (field(w, 48, 4) & relation) != 0);
    } else {
        return false;
    }
    return true;
}
