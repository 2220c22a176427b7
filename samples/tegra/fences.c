/* SPDX-License-Identifier: MIT */
/*
 * Two channels that wait for each other. A counter goes from cell to cell of a buffer: even steps are copies of channel
 * 0, odd ones of channel 1, and each waits for the fence of the step before. All of channel 1 is submitted first: it
 * waits for fences of channel 0 that nobody has submitted yet, but whose values are known.
 */
#include "tegra.h"

#include <stdio.h>

#define STEPS      16u
#define INCREMENTS 2u /* the driver's, behind each submission */

static void put_step(struct tegra_channel *channel, const struct tegra_buffer *cells, uint32_t step) {
    const uint64_t from = cells->gpu + 4 * step;
    PUT(channel, INCREASING, SUBCHANNEL_COPY, 0x400, ADDRESS(from), ADDRESS(from + 4), 4, 4, 4, 1);
    PUT(channel, IMMEDIATE, SUBCHANNEL_COPY, 0x300, 0x186);
}

/* The fence that a step will have. */
static struct pfifo_nvhost_fence fence_of(const struct pfifo_nvhost_fence start[2], uint32_t step) {
    struct pfifo_nvhost_fence fence = start[step % 2];
    fence.value += INCREMENTS * (step / 2 + 1);
    return fence;
}

static void submit_steps(struct tegra *tegra, struct tegra_channel *channel, const struct tegra_buffer *cells,
                         const struct pfifo_nvhost_fence start[2], uint32_t first) {
    for (uint32_t step = first; step < STEPS; step += 2) {
        struct pfifo_nvhost_fence before = fence_of(start, step - 1), expected = fence_of(start, step);
        put_step(channel, cells, step);
        struct pfifo_nvhost_fence fence = tegra_submit(tegra, channel, step ? &before : NULL);
        tegra_check(fence.syncpoint == expected.syncpoint && fence.value == expected.value, "the fence of a step");
    }
}

int main(void) {
    struct tegra tegra;
    struct tegra_channel channel[2];
    tegra_open(&tegra);
    tegra_channel_open(&tegra, &channel[0]);
    tegra_channel_open(&tegra, &channel[1]);
    const struct pfifo_nvhost_fence start[2] = {channel[0].fence, channel[1].fence};
    struct tegra_buffer buffer = tegra_buffer(&tegra, 0x1000);
    uint32_t *cells = buffer.cpu;
    cells[0] = 0x600d;

    submit_steps(&tegra, &channel[1], &buffer, start, 1);
    tegra_check(!tegra_reached(&tegra, fence_of(start, 1)) && cells[2] == 0, "a channel that waits");
    submit_steps(&tegra, &channel[0], &buffer, start, 0);
    tegra_wait(&tegra, &channel[1], fence_of(start, STEPS - 1));

    for (uint32_t i = 0; i <= STEPS; i++)
        tegra_check(cells[i] == 0x600d, "a cell");
    printf("%u steps, each after the fence of the one before\n", STEPS);
    tegra_close(&tegra);
    return 0;
}
