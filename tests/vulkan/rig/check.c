/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vulkan/rig/rig.h"

static const char *program = "vulkan-tests";

void name_program(const char *name) {
    program = name;
}

static void tell(const char *before, const char *format, va_list arguments) {
    char text[1000];
    vsnprintf(text, sizeof text, format, arguments);
    fflush(stdout);
    fprintf(stderr, "%s: %s%s\n", program, before, text);
}

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tell("", format, arguments);
    va_end(arguments);
    exit(ENDED_WRONG);
}

void skip_without(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tell("skipped, there is no ", format, arguments);
    va_end(arguments);
    exit(ENDED_SKIPPED);
}

void must(VkResult result, const char *call) {
    if (result != VK_SUCCESS)
        fail("%.*s gives %d", (int)strcspn(call, "("), call, (int)result);
}

void check_words(const char *what, const uint32_t *words, const uint32_t *wanted, size_t count) {
    size_t wrong = 0, first = 0;
    for (size_t i = count; i-- > 0;) {
        if (words[i] == wanted[i])
            continue;
        first = i;
        wrong++;
    }
    if (wrong)
        fail("%s: word %zu is 0x%08x instead of 0x%08x; of %zu words %zu are wrong", what, first, words[first],
             wanted[first], count, wrong);
}

void check_longs(const char *what, const uint64_t *longs, const uint64_t *wanted, size_t count) {
    size_t wrong = 0, first = 0;
    for (size_t i = count; i-- > 0;) {
        if (longs[i] == wanted[i])
            continue;
        first = i;
        wrong++;
    }
    if (wrong)
        fail("%s: number %zu is 0x%016llx instead of 0x%016llx; of %zu numbers %zu are wrong", what, first,
             (unsigned long long)longs[first], (unsigned long long)wanted[first], count, wrong);
}

void check_bytes(const char *what, const void *bytes, const void *wanted, size_t count) {
    const uint8_t *got = bytes, *want = wanted;
    size_t wrong = 0, first = 0;
    for (size_t i = count; i-- > 0;) {
        if (got[i] == want[i])
            continue;
        first = i;
        wrong++;
    }
    if (wrong)
        fail("%s: byte %zu is 0x%02x instead of 0x%02x; of %zu bytes %zu are wrong", what, first, got[first],
             want[first], count, wrong);
}

void check_filled(const char *what, const uint32_t *words, uint32_t wanted, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (words[i] != wanted)
            fail("%s: word %zu is 0x%08x, and all %zu must be 0x%08x", what, i, words[i], count, wanted);
}

void check_word(const char *what, uint32_t word, uint32_t wanted) {
    if (word != wanted)
        fail("%s is 0x%08x instead of 0x%08x", what, word, wanted);
}

void check_true(const char *what, bool is_true) {
    if (!is_true)
        fail("%s: it is not so", what);
}

uint32_t scrambled(uint32_t seed) {
    seed = (seed ^ seed >> 16) * UINT32_C(0x7feb352d);
    seed = (seed ^ seed >> 15) * UINT32_C(0x846ca68b);
    return seed ^ seed >> 16;
}

void scramble(void *bytes, size_t count, uint32_t seed) {
    uint8_t *to = bytes;
    for (size_t i = 0; i < count; i++)
        to[i] = (uint8_t)(scrambled(seed + (uint32_t)(i / 4)) >> i % 4 * 8);
}
