/* SPDX-License-Identifier: MIT */
/*
 * A list of commands with each mode of headers. All of them lead to the same: words go inline to memory (class A140),
 * so that the memory says whether each word came to its method.
 */
#include "tegra.h"

#include <stdio.h>

enum {
    LINE_LENGTH_IN = 0x180, /* bytes of a line; then LINE_COUNT, OFFSET_OUT_UPPER, OFFSET_OUT */
    LAUNCH_DMA = 0x1b0,     /* 0x11: to pitch layout, flush; then LOAD_INLINE_DATA, which takes the words */
    LOAD_INLINE_DATA = 0x1b4,
    WORDS = 4, /* of each upload */
};

static uint32_t value(uint32_t upload, uint32_t word) {
    return upload << 16 | 0xda00 | word;
}

#define VALUES(upload) value(upload, 0), value(upload, 1), value(upload, 2), value(upload, 3)

int main(void) {
    struct tegra tegra;
    struct tegra_channel channel;
    tegra_open(&tegra);
    tegra_channel_open(&tegra, &channel);
    struct tegra_buffer buffer = tegra_buffer(&tegra, 0x1000);
    const uint32_t bytes = WORDS * 4, s = SUBCHANNEL_INLINE;

    /* Increasing: four words to 0x180, 0x184, 0x188, 0x18c. Immediate: the word is in the header. */
    PUT(&channel, INCREASING, s, LINE_LENGTH_IN, bytes, 1, ADDRESS(buffer.gpu));
    PUT(&channel, IMMEDIATE, s, LAUNCH_DMA, 0x11);
    PUT(&channel, NON_INCREASING, s, LOAD_INLINE_DATA, VALUES(0));

    /* The same by headers of GPUs before Fermi, which later ones still take. */
    PUT(&channel, OLD_INCREASING, s, LINE_LENGTH_IN, bytes, 1, ADDRESS(buffer.gpu + bytes));
    PUT(&channel, OLD_INCREASING, s, LAUNCH_DMA, 0x11);
    PUT(&channel, OLD_NON_INCREASING, s, LOAD_INLINE_DATA, VALUES(1));

    /* Increase once: the first word launches, all others are data. Macros with many parameters are called like this. */
    PUT(&channel, INCREASING, s, LINE_LENGTH_IN, bytes, 1, ADDRESS(buffer.gpu + 2 * bytes));
    PUT(&channel, INCREASE_ONCE, s, LAUNCH_DMA, 0x11, VALUES(2));

    /* A packet may end anywhere: half of the data in one, the rest as packets of one word. */
    PUT(&channel, IMMEDIATE, s, LINE_LENGTH_IN, bytes);
    PUT(&channel, INCREASING, s, LINE_LENGTH_IN + 8, ADDRESS(buffer.gpu + 3 * bytes));
    PUT(&channel, IMMEDIATE, s, LAUNCH_DMA, 0x11);
    PUT(&channel, NON_INCREASING, s, LOAD_INLINE_DATA, value(3, 0), value(3, 1));
    PUT(&channel, INCREASING, s, LOAD_INLINE_DATA, value(3, 2));
    PUT(&channel, OLD_INCREASING, s, LOAD_INLINE_DATA, value(3, 3));

    /* The largest immediate word: 13 bits. The upper 19 are 0. */
    PUT(&channel, INCREASING, s, LINE_LENGTH_IN, 4, 1, ADDRESS(buffer.gpu + 4 * bytes));
    PUT(&channel, IMMEDIATE, s, LAUNCH_DMA, 0x11);
    PUT(&channel, IMMEDIATE, s, LOAD_INLINE_DATA, 0x1fff);
    tegra_wait(&tegra, &channel, tegra_submit(&tegra, &channel, NULL));

    const uint32_t *found = buffer.cpu;
    for (uint32_t i = 0; i < 4 * WORDS; i++)
        tegra_check(found[i] == value(i / WORDS, i % WORDS), "a word of an upload");
    tegra_check(found[4 * WORDS] == 0x1fff && found[4 * WORDS + 1] == 0, "the immediate word");
    printf("%u words in six modes\n", 4 * WORDS + 1u);
    tegra_close(&tegra);
    return 0;
}
