/* SPDX-License-Identifier: MIT */
/* Conversions between numbers of 32 bits and less. */
#include "reference/gf100_bits.h"

static bool from_integers(struct gm107_thread *t, uint64_t w) {
    if (field(w, 23, 2) == 3 || bit(w, 25) || bit(w, 48) || field(w, 20, 2) != 2)
        return false;
    int64_t value =
        number_of(operand_b(t, w, false), field(w, 23, 2), field(w, 55, 2), bit(w, 9), bit(w, 6), bit(w, 8));
    if (code6(w) == 0x06) {
        if (field(w, 49, 2))
            return false;
        put(t, w, as_bits((float)value));
        return true;
    }
    put(t, w, (uint32_t)(bit(w, 5) ? clamped(value, bit(w, 7)) : value));
    return true;
}

static bool from_floats(struct gm107_thread *t, uint64_t w) {
    bool ftz = bit(w, 55);
    unsigned round = field(w, 49, 2);
    if (field(w, 23, 2) != 2 || bit(w, 25) || bit(w, 48) || field(w, 20, 2) != 2)
        return false;
    double value = as_float(sign(flushed(operand_b(t, w, true), ftz), bit(w, 6), bit(w, 8)));
    if (code6(w) == 0x05) {
        put(t, w, integer_of(value, round, bit(w, 7)));
        return true;
    }
    if (!bit(w, 7) && round)
        return false;
    put(t, w, result((float)(bit(w, 7) ? integral(value, round) : value), ftz, bit(w, 5)));
    return true;
}

bool reference_gf100_convert(struct gm107_thread *t, uint64_t w) {
    if (code6(w) < 0x04 || code6(w) > 0x07 || form(w) == FORM_CONSTANT_C)
        return false;
    return code6(w) < 0x06 ? from_floats(t, w) : from_integers(t, w);
}
