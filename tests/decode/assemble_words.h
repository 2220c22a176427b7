/* SPDX-License-Identifier: MIT */
#ifndef TESTS_DECODE_ASSEMBLE_WORDS_H
#define TESTS_DECODE_ASSEMBLE_WORDS_H

#include <pfifo/decode.h>

/* The text gives these words. */
void expect_assembled(const struct pfifo_assemble_options *options, const char *text, size_t count,
                      const uint32_t *expected);

/* The text is refused with this message. */
void expect_refused(const struct pfifo_assemble_options *options, const char *text, const char *message);

#define EXPECT_WORDS(options, text, ...)                                                                               \
    do {                                                                                                               \
        const uint32_t words_[] = {__VA_ARGS__};                                                                       \
        expect_assembled(options, text, sizeof words_ / sizeof words_[0], words_);                                     \
    } while (0)

#endif
