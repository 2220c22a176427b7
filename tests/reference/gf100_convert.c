/* SPDX-License-Identifier: MIT */
/* Conversions between numbers of 32 bits and less. */
#include <math.h>

#include "reference/gf100_bits.h"

static double integral(double value, unsigned how) {
    return how == 0 ? nearbyint(value) : how == 1 ? floor(value) : how == 2 ? ceil(value) : trunc(value);
}

/* A byte, a half or all of b, as a number of unlimited size; then abs and neg. */
static int64_t number(const struct gm107_thread *t, uint64_t w) {
    unsigned size = field(w, 23, 2), bits = 8u << size, at = 8 * field(w, 55, 2);
    at = size == 0 ? at : size == 1 ? at & 16 : 0;
    int64_t limit = INT64_C(1) << bits, value = (int64_t)operand_b(t, w, false) & UINT32_MAX;
    value = value >> at & (limit - 1);
    if (bit(w, 9) && value >= limit / 2)
        value -= limit;
    value = bit(w, 6) && value < 0 ? -value : value;
    return bit(w, 8) ? -value : value;
}

static bool from_integers(struct gm107_thread *t, uint64_t w) {
    if (field(w, 23, 2) == 3 || bit(w, 25) || bit(w, 48) || field(w, 20, 2) != 2)
        return false;
    int64_t value = number(t, w), least = bit(w, 7) ? INT32_MIN : 0, most = bit(w, 7) ? INT32_MAX : UINT32_MAX;
    if (code6(w) == 0x06) {
        if (field(w, 49, 2))
            return false;
        put(t, w, as_bits((float)value));
        return true;
    }
    if (bit(w, 5))
        value = value < least ? least : value > most ? most : value;
    put(t, w, (uint32_t)value);
    return true;
}

static bool from_floats(struct gm107_thread *t, uint64_t w) {
    bool ftz = bit(w, 55);
    unsigned round = field(w, 49, 2);
    if (field(w, 23, 2) != 2 || bit(w, 25) || bit(w, 48) || field(w, 20, 2) != 2)
        return false;
    double value = as_float(sign(flushed(operand_b(t, w, true), ftz), bit(w, 6), bit(w, 8)));
    if (code6(w) == 0x04) {
        if (!bit(w, 7) && round)
            return false;
        put(t, w, result((float)(bit(w, 7) ? integral(value, round) : value), ftz, bit(w, 5)));
        return true;
    }
    double least = bit(w, 7) ? -0x1p31 : 0, most = bit(w, 7) ? 0x1p31 - 1 : 0x1p32 - 1;
    value = integral(value, round);
    value = value != value ? 0 : value < least ? least : value > most ? most : value;
    put(t, w, (uint32_t)(int64_t)value);
    return true;
}

bool reference_gf100_convert(struct gm107_thread *t, uint64_t w) {
    if (code6(w) < 0x04 || code6(w) > 0x07 || form(w) == FORM_CONSTANT_C)
        return false;
    return code6(w) < 0x06 ? from_floats(t, w) : from_integers(t, w);
}
