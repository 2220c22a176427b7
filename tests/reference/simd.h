/* SPDX-License-Identifier: MIT */
/* PTX's SIMD video instructions in plain words, for the executors of GF100 and GM107. */
#ifndef PFIFO_TESTS_REFERENCE_SIMD_H
#define PFIFO_TESTS_REFERENCE_SIMD_H

#include <stdbool.h>
#include <stdint.h>

struct simd_how {
    char operation;  /* + - r (b - a) v (average) < > d (difference) c (comparison) R L (shifts) ? (choice) */
    unsigned lanes;  /* 2 or 4 */
    char a[5], b[5]; /* digits: parts of {b:a} */
    unsigned mask, merge, compare;
    bool sign_a, sign_b, sign_d, saturates, wraps, choice;
};

/* The digits of v4a and v4b; NULL: the code has none. */
const char *simd_digits_a(unsigned code);
const char *simd_digits_b(unsigned code);
uint32_t simd_of(const struct simd_how *how, uint32_t a, uint32_t b, uint32_t c);

#endif
