/* SPDX-License-Identifier: MIT */
/*
 * Counts with their nouns, as messages and tables have them: "1 word", "2 words", "0 vertices".
 *
 *   printf("%s, %s\n", counted(words, "word").text, counted(entries, "entry").text);
 */
#ifndef PFIFO_SRC_CHIP_COUNTED_H
#define PFIFO_SRC_CHIP_COUNTED_H

#include <stdint.h>

struct counted {
    char text[48];
};

/* The noun is in the singular, and may be several words, of which the last one is counted. A longer text is cut. */
struct counted counted(uint64_t count, const char *noun);

#endif
