/* SPDX-License-Identifier: MIT */
#include "differential/choice.h"

/* splitmix64: any state gives a good next one. */
static uint64_t next(struct choice *c) {
    uint64_t z = c->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

struct choice choice_from_seed(uint64_t seed) {
    return (struct choice){.state = seed};
}

struct choice choice_from_bytes(const uint8_t *data, size_t size) {
    struct choice c = {.data = data, .size = size};
    for (size_t i = 0; i < size; i++)
        c.state = (c.state ^ data[i]) * UINT64_C(0x100000001b3);
    return c;
}

static uint32_t take(struct choice *c, unsigned bytes) {
    uint32_t value = 0;
    if (c->size - c->at < bytes)
        return (uint32_t)next(c);
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint32_t)c->data[c->at++] << (8 * i);
    return value;
}

uint32_t choice_word(struct choice *c) {
    return take(c, 4);
}

uint32_t choice_below(struct choice *c, uint32_t n) {
    return take(c, n <= 0x100 ? 1 : n <= 0x10000 ? 2 : 4) % n;
}

uint32_t choice_between(struct choice *c, uint32_t a, uint32_t b) {
    return a + choice_below(c, b - a + 1);
}

bool choice_once_in(struct choice *c, uint32_t n) {
    return choice_below(c, n) == 0;
}
