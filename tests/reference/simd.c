/* SPDX-License-Identifier: MIT */
#include "reference/simd.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const char *simd_digits_a(unsigned code) {
    static const char *const digits[16] = {"0000", "1111", "2222", "3333", "0123", "1234", "2345",
                                           "3456", "1023", "2103", "3120", "0213", "0321", "0132"};
    return digits[code & 15];
}

const char *simd_digits_b(unsigned code) {
    static const char *const digits[16] = {"4444", "5555", "6666", "7777", "4567", "3456",
                                           "2345", "1234", "7654", "5476", "6745"};
    return digits[code & 15];
}

/* Numbers of a part, as doubles: no sum here is too long for them. */
static double number(const uint8_t bytes[8], char digit, unsigned lanes, bool is_signed) {
    unsigned size = 4 / lanes, at = (unsigned)(digit - '0') * size;
    double value = bytes[at] + (size == 2 ? 256.0 * bytes[at + 1] : 0), range = size == 2 ? 65536 : 256;
    return is_signed && value >= range / 2 ? value - range : value;
}

static bool holds(unsigned compare, double a, double b) {
    return (compare & 1 && a < b) || (compare & 2 && a == b) || (compare & 4 && a > b);
}

static double result_of(const struct simd_how *how, double a, double b) {
    double bits = 32.0 / how->lanes, by = fmod(b, bits);
    if (by < 0)
        by += bits;
    if (!how->wraps) /* a negative number is a large one */
        by = b < 0 || b > bits ? bits : b;
    switch (how->operation) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case 'r':
        return b - a;
    case 'v':
        return floor((a + b + (a + b >= 0 ? 1 : 0)) / 2);
    case '<':
        return fmin(a, b);
    case '>':
        return fmax(a, b);
    case 'd':
        return fabs(a - b);
    case 'c':
        return holds(how->compare, a, b) ? 1 : 0;
    case 'R':
        return floor(a / exp2(by));
    case 'L':
        return a * exp2(by);
    default:
        return how->choice ? a : b;
    }
}

/* Into a part: as its nearest number, or the low bits. */
static double fitted(const struct simd_how *how, double value) {
    double range = exp2(32.0 / how->lanes), least = how->sign_d ? -range / 2 : 0, most = least + range - 1;
    if (how->saturates)
        return fmin(fmax(value, least), most);
    value = value - range * floor(value / range);
    return value > most ? value - range : value;
}

static uint32_t unsigned_of(double value) {
    return (uint32_t)(int64_t)value;
}

uint32_t simd_of(const struct simd_how *how, uint32_t a, uint32_t b, uint32_t c) {
    uint8_t bytes[8], old[8] = {0};
    double sum = how->sign_d && c >> 31 ? (double)c - 4294967296.0 : (double)c;
    uint32_t out = 0;
    memcpy(bytes, &a, 4);
    memcpy(bytes + 4, &b, 4);
    memcpy(old, &c, 4);
    for (unsigned i = 0; i < 4 && i < how->lanes; i++) {
        double before = number(old, (char)('0' + i), how->lanes, how->sign_d), now = before;
        if (how->mask >> i & 1) {
            now = fitted(how, result_of(how, number(bytes, how->a[i], how->lanes, how->sign_a),
                                        number(bytes, how->b[i], how->lanes, how->sign_b)));
            sum = how->merge == 4   ? sum + now
                  : how->merge == 5 ? fmin(sum, now)
                  : how->merge == 6 ? fmax(sum, now)
                                    : sum;
            now = how->merge == 1 ? fmin(now, before) : how->merge == 2 ? fmax(now, before) : now;
        }
        out |= (unsigned_of(now) & (how->lanes == 2 ? 0xffff : 0xff)) << i * 32 / how->lanes;
    }
    return how->merge >= 4 ? unsigned_of(sum) : out;
}
