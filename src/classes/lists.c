/* SPDX-License-Identifier: MIT */
#include "classes/lists.h"

/* Bits `low` to `high` of a word. */
static uint64_t bits_between(uint32_t low, uint32_t high) {
    return UINT64_MAX >> (63 - high + low) << low;
}

static void lists_add_range(uint64_t *bits, uint32_t first, uint32_t last) {
    for (uint32_t word = first / 64; word <= last / 64; word++)
        bits[word] |= bits_between(word == first / 64 ? first % 64 : 0, word == last / 64 ? last % 64 : 63);
}

void class_list_add(uint64_t *bits, struct class_list list, uint32_t words) {
    const struct class_range *range = &class_ranges[list.begin];
    for (unsigned i = 0; i < list.count; i++)
        if (range[i].first < words)
            lists_add_range(bits, range[i].first, range[i].last < words ? range[i].last : words - 1);
}
