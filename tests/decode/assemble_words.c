/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "decode/assemble_words.h"

void expect_assembled(const struct pfifo_assemble_options *options, const char *text, size_t count,
                      const uint32_t *expected) {
    struct pfifo_error error = {0};
    uint32_t words[64] = {0};
    size_t found;

    if (pfifo_assemble_text(text, strlen(text), options, words, 64, &found, &error) != PFIFO_OK)
        fail_msg("%s: %s", text, error.message);
    assert_int_equal(found, count);
    for (size_t i = 0; i < count; i++)
        if (words[i] != expected[i])
            fail_msg("%s: word %zu is %08x, expected %08x", text, i, words[i], expected[i]);
}

void expect_refused(const struct pfifo_assemble_options *options, const char *text, const char *message) {
    struct pfifo_error error = {0};
    uint32_t words[64];
    size_t count;

    assert_int_equal(pfifo_assemble_text(text, strlen(text), options, words, 64, &count, &error), PFIFO_ERROR_ARGUMENT);
    assert_string_equal(error.message, message);
}
