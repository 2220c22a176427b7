/* SPDX-License-Identifier: MIT */
/*
 * Where random choices come from: the bytes of a fuzzer's input, and when they are used up (or there are none), a
 * generator that starts from them. The same bytes or seed always give the same choices.
 */
#ifndef PFIFO_TESTS_CHOICE_H
#define PFIFO_TESTS_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct choice {
    const uint8_t *data;
    size_t size, at;
    uint64_t state;
};

struct choice choice_from_seed(uint64_t seed);
struct choice choice_from_bytes(const uint8_t *data, size_t size);

/* Any word; a number below n (n > 0); from a to b; true once in n. */
uint32_t choice_word(struct choice *c);
uint32_t choice_below(struct choice *c, uint32_t n);
uint32_t choice_between(struct choice *c, uint32_t a, uint32_t b);
bool choice_once_in(struct choice *c, uint32_t n);

#endif
