/* SPDX-License-Identifier: MIT */
#include "engine/compute/specials.h"

#include <assert.h>

/* Numbers and names: envytools gf100.c (tabsreg), gm107.c; those of GM107 where they differ. */
enum special {
    SR_CLOCK_GM107 = 0x01,
    SR_PHYSICAL_COUNTS = 0x02,
    SR_PHYSICAL = 0x03,
    SR_TID = 0x20, /* all in one word; x, y, z follow */
    SR_PARAMETER = 0x24,
    SR_CTAID = 0x25, /* x, y, z */
    SR_NTID = 0x28,  /* all in one word; x, y, z follow */
    SR_GRID = 0x2c,
    SR_NCTAID = 0x2d, /* x, y, z */
    SR_LOCAL_WINDOW_HIGH = 0x2e,
    SR_SHARED_WINDOW_HIGH = 0x2f,
    SR_SHARED_WINDOW = 0x30,
    SR_SHARED_WINDOW_SIZE = 0x31,
    SR_SHARED_SIZE = 0x32,
    SR_LOCAL_WINDOW = 0x34,
    SR_LOCAL_WINDOW_SIZE = 0x35,
    SR_LOCAL_LOW = 0x36,
    SR_LOCAL_HIGH_START = 0x37,
    SR_CLOCK = 0x50, /* low and high word */
    SR_TIME = 0x52,  /* low and high word */
};

/* x in bits 15..0, y in 25..16, z in 31..26 */
static uint32_t packed(uint32_t x, uint32_t y, uint32_t z) {
    return (x & 0xffff) | (y & 0x3ff) << 16 | z << 26;
}

static void number_threads(struct specials *specials, const struct grid *grid, uint32_t warp) {
    uint32_t x_size = grid->threads[0], y_size = grid->threads[1];
    assert(x_size && y_size);
    for (uint32_t lane = 0; lane < SHADE_LANES; lane++) {
        uint32_t thread = warp * SHADE_LANES + lane;
        uint32_t x = thread % x_size, y = thread / x_size % y_size, z = thread / x_size / y_size;
        specials->thread[0][lane] = x;
        specials->thread[1][lane] = y;
        specials->thread[2][lane] = z;
        specials->thread[3][lane] = packed(x, y, z);
    }
}

static struct shade_special *add(struct specials *specials, uint32_t number, uint32_t value) {
    assert(specials->count < SPECIALS_MOST);
    struct shade_special *special = &specials->list[specials->count++];
    *special = (struct shade_special){.number = number, .value = value};
    return special;
}

static void add_three(struct specials *specials, uint32_t number, const uint32_t value[3]) {
    for (uint32_t i = 0; i < 3; i++)
        add(specials, number + i, value[i]);
}

static void add_windows(struct specials *specials, const struct grid *grid) {
    add(specials, SR_SHARED_WINDOW, (uint32_t)grid->shared_window);
    add(specials, SR_SHARED_WINDOW_SIZE, SHADE_WINDOW);
    add(specials, SR_SHARED_SIZE, grid->shared);
    add(specials, SR_LOCAL_WINDOW, (uint32_t)grid->local_window);
    add(specials, SR_LOCAL_WINDOW_SIZE, SHADE_WINDOW);
    add(specials, SR_LOCAL_LOW, grid->local_low);
    add(specials, SR_LOCAL_HIGH_START, SHADE_WINDOW - grid->local_high);
    if (grid->of->wide_windows) {
        add(specials, SR_LOCAL_WINDOW_HIGH, (uint32_t)(grid->local_window >> 32));
        add(specials, SR_SHARED_WINDOW_HIGH, (uint32_t)(grid->shared_window >> 32));
    }
}

static void add_sizes(struct specials *specials, const struct grid *grid) {
    add(specials, SR_NTID, packed(grid->threads[0], grid->threads[1], grid->threads[2]));
    if (!grid->of->sizes)
        return;
    add_three(specials, SR_NTID + 1, grid->threads);
    add_three(specials, SR_NCTAID, grid->blocks);
    add(specials, SR_GRID, grid->number);
}

/* Low and high word. */
static void add_clock(struct specials *specials, uint32_t number, uint64_t time) {
    add(specials, number, (uint32_t)time)->count = SHADE_COUNTS_LOW;
    struct shade_special *high = add(specials, number + 1, (uint32_t)(time >> 32));
    high->count = SHADE_COUNTS_HIGH;
    high->low = (uint32_t)time;
}

/*
 * UNKNOWN: how fast the clocks of a processor are, and since when they run; chosen: from the time at which the slice of
 * work began on, a nanosecond for each instruction of the warp.
 */
static void add_clocks(struct specials *specials, const struct grid *grid, uint64_t time) {
    add_clock(specials, SR_CLOCK, time);
    if (!grid->of->sizes)
        add(specials, SR_CLOCK_GM107, (uint32_t)time)->count = SHADE_COUNTS_LOW;
    add_clock(specials, SR_TIME, time);
}

/* UNKNOWN: on which processor a block runs; chosen: all run on the first of one. */
void specials_fill(struct specials *specials, const struct grid *grid, const struct specials_place *place) {
    number_threads(specials, grid, place->warp);
    specials->count = SPECIALS_THREAD;
    for (uint32_t i = 0; i < 3; i++)
        add(specials, SR_TID + 1 + i, 0)->row = specials->thread[i];
    add(specials, SR_TID, 0)->row = specials->thread[3];
    assert(specials->count == SPECIALS_BLOCK);
    add_three(specials, SR_CTAID, place->block);
    add(specials, SR_PARAMETER, grid->parameter);
    add(specials, SR_PHYSICAL_COUNTS, 64u << 8 | 1u << 20);
    add(specials, SR_PHYSICAL, place->warp << 8);
    add_sizes(specials, grid);
    add_windows(specials, grid);
    add_clocks(specials, grid, place->time);
}
