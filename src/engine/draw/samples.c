/* SPDX-License-Identifier: MIT */
/*
 * Modes of multisampling: where samples are in a pixel, and in memory.
 *
 * Sources: NVIDIA open-gpu-doc cl9097.h (SET_ANTI_ALIAS), clb197.h (SET_ANTI_ALIAS_SAMPLE_POSITIONS); Mesa
 * src/gallium/drivers/nouveau/nvc0/nvc0_context.c (positions), nvc0_screen.c; deko3d gpu_3d_ms.cpp (modes 4 and 5).
 * UNKNOWN: positions of mode 6 (4 x 4) and of the modes with virtual coverage samples; chosen: mode 6 is none, the
 * others are as the modes of their samples.
 */
#include "engine/draw/draw.h"

#include <assert.h>

struct sample_mode {
    uint8_t count, log2_x, log2_y;
    uint8_t place[DRAW_SAMPLES];   /* x << 4 | y */
    uint8_t element[DRAW_SAMPLES]; /* x << 4 | y */
};

#define MODE_2                                                                                                         \
    {                                                                                                                  \
        2, 1, 0, {0x44, 0xcc}, {                                                                                       \
            0x00, 0x10                                                                                                 \
        }                                                                                                              \
    }
#define MODE_4                                                                                                         \
    {                                                                                                                  \
        4, 1, 1, {0x62, 0xe6, 0x2a, 0xae}, {                                                                           \
            0x00, 0x10, 0x01, 0x11                                                                                     \
        }                                                                                                              \
    }
#define MODE_8                                                                                                         \
    {                                                                                                                  \
        8, 2, 1, {0x17, 0x53, 0x3d, 0x7b, 0x95, 0xf1, 0xbf, 0xd9}, {                                                   \
            0x00, 0x10, 0x01, 0x11, 0x20, 0x30, 0x21, 0x31                                                             \
        }                                                                                                              \
    }
#define MODE_8_D3D                                                                                                     \
    {                                                                                                                  \
        8, 2, 1, {0x95, 0x7b, 0xd9, 0x53, 0x3d, 0x17, 0xbf, 0xf1}, {                                                   \
            0x20, 0x11, 0x31, 0x10, 0x01, 0x00, 0x21, 0x30                                                             \
        }                                                                                                              \
    }

static const struct sample_mode modes[16] = {
    [0] = {1, 0, 0, {0x88}, {0}},
    [1] = MODE_2,
    [2] = MODE_4,
    [3] = MODE_8,
    [4] = MODE_8_D3D,
    [5] = {2, 1, 0, {0xcc, 0x44}, {0x10, 0x00}},
    [8] = MODE_4,
    [9] = MODE_4,
    [0xa] = MODE_8,
    [0xb] = MODE_8,
};

bool draw_samples_of(struct draw_samples *samples, uint32_t mode) {
    bool known = mode < 16 && modes[mode].count;
    const struct sample_mode *row = &modes[known ? mode : 0];
    assert(row->count == 1 << (row->log2_x + row->log2_y));
    *samples = (struct draw_samples){.count = row->count, .log2_x = row->log2_x, .log2_y = row->log2_y};
    for (unsigned i = 0; i < DRAW_SAMPLES; i++) {
        samples->x[i] = row->place[i] >> 4;
        samples->y[i] = row->place[i] & 15;
        samples->element_x[i] = row->element[i] >> 4;
        samples->element_y[i] = row->element[i] & 15;
    }
    return known;
}

/* The blocks of pixels that the 16 positions are for: 4 x 4, 2 x 4, 2 x 2 and 1 x 2. */
void draw_samples_place(struct draw_samples *samples, const uint32_t words[4]) {
    samples->block_x = samples->count == 1 ? 2 : samples->count == 8 ? 0 : 1;
    samples->block_y = samples->count < 4 ? 2 : 1;
    assert(samples->count << (samples->block_x + samples->block_y) == DRAW_POSITIONS);
    for (unsigned i = 0; i < DRAW_POSITIONS; i++) {
        uint8_t place = (uint8_t)(words[i / 4] >> i % 4 * 8);
        samples->x[i] = place & 15;
        samples->y[i] = place >> 4;
    }
    /* The same for all pixels, mostly: then there is one block. */
    for (unsigned i = samples->count; i < DRAW_POSITIONS; i++)
        if (samples->x[i] != samples->x[i % samples->count] || samples->y[i] != samples->y[i % samples->count])
            return;
    samples->block_x = samples->block_y = 0;
}
