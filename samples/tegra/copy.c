/* SPDX-License-Identifier: MIT */
/* Map two buffers and copy one to the other with the copy engine (class B0B5): the least that a program can do. */
#include "tegra.h"

#include <stdio.h>
#include <string.h>

#define BYTES 0x3000u

int main(void) {
    struct tegra tegra;
    struct tegra_channel channel;
    tegra_open(&tegra);
    tegra_channel_open(&tegra, &channel);
    struct tegra_buffer from = tegra_buffer(&tegra, BYTES), to = tegra_buffer(&tegra, BYTES);
    for (uint32_t i = 0; i < BYTES; i++)
        ((uint8_t *)from.cpu)[i] = (uint8_t)(i * 7 + i / 256);

    PUT(&channel, INCREASING, SUBCHANNEL_COPY, 0x400,        /* OFFSET_IN_UPPER and what follows */
        ADDRESS(from.gpu), ADDRESS(to.gpu), BYTES, BYTES,    /* PITCH_IN, PITCH_OUT */
        BYTES, 1);                                           /* LINE_LENGTH_IN, LINE_COUNT */
    PUT(&channel, IMMEDIATE, SUBCHANNEL_COPY, 0x300, 0x186); /* LAUNCH_DMA: both in pitch layout, flush */
    struct pfifo_nvhost_fence fence = tegra_submit(&tegra, &channel, NULL);
    tegra_wait(&tegra, &channel, fence);

    tegra_check(memcmp(from.cpu, to.cpu, BYTES) == 0, "the copy");
    printf("%u bytes copied from 0x%llx to 0x%llx; syncpoint %u is at %u\n", BYTES, (unsigned long long)from.gpu,
           (unsigned long long)to.gpu, (unsigned)fence.syncpoint, (unsigned)fence.value);
    tegra_close(&tegra);
    return 0;
}
