/* SPDX-License-Identifier: MIT */
/* Floats as nvdisasm prints them: 20 digits, which tell all values apart, and whole numbers as such. */
#include "isa/shader/text.h"

#include <inttypes.h>
#include <string.h>

/* 53 bits of a whole number are exact; nvdisasm writes those beyond 32 bits with an exponent. */
static void say_finite(struct isa_line *line, double value) {
    if (value == 0)
        isa_line_add(line, "%s", 1 / value < 0 ? "-0" : "0");
    else if (value > -2147483648.0 && value < 2147483648.0 && value == (double)(int64_t)value)
        isa_line_add(line, "%" PRId64, (int64_t)value);
    else if ((value <= -2147483648.0 || value >= 2147483648.0))
        isa_line_add(line, "%.20e", value);
    else
        isa_line_add(line, "%.20g", value);
}

/* Infinity, or no number: the bits of one that is not the usual one. */
static void say_special(struct isa_line *line, bool negative, uint64_t fraction, unsigned fraction_bits) {
    bool quiet = fraction >> (fraction_bits - 1) & 1;
    if (!fraction) {
        isa_line_add(line, "%cINF", negative ? '-' : '+');
        return;
    }
    isa_line_add(line, "%c%cNAN", negative ? '-' : '+', quiet ? 'Q' : 'S');
    if (!quiet || fraction << (65 - fraction_bits))
        isa_line_add(line, "(0x%" PRIx64 ")", fraction);
}

void isa_say_double(struct isa_line *line, uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    if ((bits >> 52 & 0x7ff) == 0x7ff)
        say_special(line, bits >> 63, bits & (UINT64_MAX >> 12), 52);
    else
        say_finite(line, value);
}

void isa_say_single(struct isa_line *line, uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    if ((bits >> 23 & 0xff) == 0xff)
        say_special(line, bits >> 31, bits & 0x7fffff, 23);
    else
        say_finite(line, (double)value);
}

void isa_say_half(struct isa_line *line, uint32_t bits) {
    unsigned exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
    if (exponent == 0x1f) {
        say_special(line, bits >> 15 & 1, fraction, 10);
        return;
    }
    double value = exponent ? fraction + 1024.0 : fraction, scale = 1.0 / (1 << 25);
    for (unsigned i = exponent ? exponent : 1; i > 0; i--)
        scale *= 2;
    say_finite(line, bits >> 15 & 1 ? -(value * scale) : value * scale);
}
