/* SPDX-License-Identifier: MIT */
/*
 * A picture on its way through three engines: inline-to-memory (A140) uploads it from the list of commands, 2D (902D)
 * doubles it into block-linear layout, and the copy engine (B0B5) brings that back to rows. Each step is checked.
 */
#include "tegra.h"

#include <stdio.h>

enum {
    WIDTH = 32, /* of the upload, in pixels of four bytes */
    HEIGHT = 16,
    ROW = WIDTH * 4,
    TWICE_ROW = 2 * ROW,
    BLOCK_HEIGHT = 1, /* log2: blocks of two GOBs, 16 rows */
    FORMAT = 0xd5,    /* A8B8G8R8: red is in the lowest byte */
    BLOCK_LINEAR = 0,
    PITCH = 1,
};

static uint32_t pixel(uint32_t x, uint32_t y) {
    return x * 8 | y * 16 << 8 | (x ^ y) << 16 | 0xff000000;
}

/* Lines lie one behind the other in memory. The words follow the launch. */
static void put_upload(struct tegra_channel *channel, uint64_t to) {
    uint32_t words[1 + WIDTH * HEIGHT] = {0x11};
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        words[1 + i] = pixel(i % WIDTH, i / WIDTH);
    PUT(channel, INCREASING, SUBCHANNEL_INLINE, 0x180, ROW, HEIGHT, ADDRESS(to), ROW); /* .. PITCH_OUT */
    tegra_put(channel, INCREASE_ONCE, SUBCHANNEL_INLINE, 0x1b0, words, 1 + WIDTH * HEIGHT);
}

static void put_blit(struct tegra_channel *channel, uint64_t from, uint64_t to) {
    const uint32_t s = SUBCHANNEL_2D;
    PUT(channel, INCREASING, s, 0x200, FORMAT, BLOCK_LINEAR, BLOCK_HEIGHT << 4, 1, 0); /* destination .. depth, layer */
    PUT(channel, INCREASING, s, 0x218, 2 * WIDTH, 2 * HEIGHT, ADDRESS(to));
    PUT(channel, INCREASING, s, 0x230, FORMAT, PITCH); /* source */
    PUT(channel, INCREASING, s, 0x244, ROW, WIDTH, HEIGHT, ADDRESS(from));
    PUT(channel, IMMEDIATE, s, 0x2ac, 3);                            /* SET_OPERATION: SRCCOPY */
    PUT(channel, IMMEDIATE, s, 0x88c, 1);                            /* integers are corners of pixels; nearest pixel */
    PUT(channel, INCREASING, s, 0x8b0, 0, 0, 2 * WIDTH, 2 * HEIGHT); /* the rectangle */
    PUT(channel, INCREASING, s, 0x8c0, 0x80000000, 0, 0x80000000,
        0);                                         /* half a pixel of the source for each, across, down */
    PUT(channel, INCREASING, s, 0x8d0, 0, 0, 0, 0); /* from its corner; the last word launches */
}

static void put_copy(struct tegra_channel *channel, uint64_t from, uint64_t to) {
    const uint32_t s = SUBCHANNEL_COPY;
    PUT(channel, INCREASING, s, 0x728, 0x1000 | BLOCK_HEIGHT << 4, /* SET_SRC_BLOCK_SIZE; GOBs of 8 rows */
        TWICE_ROW, 2 * HEIGHT, 1, 0, 0);                           /* width in bytes, height, depth, layer, origin */
    PUT(channel, INCREASING, s, 0x400, ADDRESS(from), ADDRESS(to), TWICE_ROW, TWICE_ROW, TWICE_ROW, 2 * HEIGHT);
    PUT(channel, IMMEDIATE, s, 0x300, 0x306); /* LAUNCH_DMA: block-linear to pitch, many lines */
}

static uint32_t word_at(const struct tegra_buffer *buffer, uint32_t byte) {
    return ((const uint32_t *)buffer->cpu)[byte / 4];
}

int main(void) {
    struct tegra tegra;
    struct tegra_channel channel;
    tegra_open(&tegra);
    tegra_channel_open(&tegra, &channel);
    struct tegra_buffer upload = tegra_buffer(&tegra, ROW * HEIGHT), blocks = tegra_buffer(&tegra, 4 * ROW * HEIGHT),
                        rows = tegra_buffer(&tegra, 4 * ROW * HEIGHT);
    put_upload(&channel, upload.gpu);
    put_blit(&channel, upload.gpu, blocks.gpu);
    put_copy(&channel, blocks.gpu, rows.gpu);
    tegra_wait(&tegra, &channel, tegra_submit(&tegra, &channel, NULL));

    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            tegra_check(word_at(&upload, y * ROW + x * 4) == pixel(x, y), "the upload");
    for (uint32_t y = 0; y < 2 * HEIGHT; y++)
        for (uint32_t x = 0; x < 2 * WIDTH; x++) {
            uint32_t expected = pixel(x / 2, y / 2);
            uint32_t place = tegra_block_linear(x * 4, y, TWICE_ROW, BLOCK_HEIGHT);
            tegra_check(word_at(&blocks, place) == expected, "the blit");
            tegra_check(word_at(&rows, y * TWICE_ROW + x * 4) == expected, "the copy");
        }
    printf("%d bytes uploaded, scaled to %d in blocks, and copied\n", ROW * HEIGHT, 4 * ROW * HEIGHT);
    tegra_close(&tegra);
    return 0;
}
