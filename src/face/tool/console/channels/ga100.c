/* SPDX-License-Identifier: MIT */
/*
 * channels of GA100 .. GH100: each runlist has a block of registers, a table of channels (CHRAM) and up to two PBDMAs;
 * the table of devices and the block have their addresses.
 *
 *   0x224fc, 0x22800..  devices --> runlist block --> CHRAM, PBDMAs, engines
 *
 * Modelled:     all of it, from registers
 * Sources:      open-gpu-doc manuals/ampere/ga100/dev_runlist.ref.txt, dev_pbdma.ref.txt; open-gpu-kernel-modules
 *               src/common/inc/swref/published/ampere/ga100/dev_top.h; Linux drivers/gpu/drm/nouveau/nvkm/subdev/top/
 *               ga100.c
 */
#include "face/tool/console/channels/channels.h"
#include "face/tool/console/machine/show.h"
#include "face/tool/console/place.h"
#include "hw/pbdma.h"
#include "hw/pfifo_gf100.h"

#include <inttypes.h>

#define MORE_ROWS    (1u << 31)
#define MAX_RUNLISTS 64
#define MAX_ENGINES  32 /* of a runlist that are remembered */

/* Offsets in the block of a runlist. */
#define CHANNEL_CONFIG 0x004u /* [3:0] log2 of channels, [31:4] place of CHRAM */
#define PBDMA_CONFIG   0x010u /* two: [25:10] place >> 10, 31 valid */
#define BASE_LO        0x080u
#define BASE_HI        0x084u
#define SUBMIT         0x088u
#define SUBMIT_INFO    0x08cu
#define INTR           0x100u
#define ENGINE_STATUS  0x200u
#define ENGINE_BYTES   0x40u

#define SUBMIT_PENDING (1u << 15)
#define PBDMA_VALID    (1u << 31)
#define MAX_LOG2       12

struct console_channels_ga100_runlist {
    uint32_t base;
    unsigned count;
    struct {
        uint8_t type, instance, engine;
    } engines[MAX_ENGINES];
};

static const char *const types[] = {
    [0x00] = "GR",    [0x01] = "COPY0",  [0x02] = "COPY1", [0x03] = "COPY2",  [0x08] = "MSPDEC",
    [0x09] = "MSPPP", [0x0a] = "MSVLD",  [0x0b] = "MSENC", [0x0c] = "VIC",    [0x0d] = "SEC",
    [0x0e] = "NVENC", [0x0f] = "NVENC1", [0x10] = "NVDEC", [0x12] = "IOCTRL", [0x13] = "LCE",
    [0x14] = "GSP",   [0x15] = "NVJPG",  [0x16] = "OFA",   [0x17] = "FLA",
};

/* ---- the table of devices ---- */

static void add_engine(struct console_channels_ga100_runlist *lists, unsigned *count, uint32_t first, uint32_t third) {
    uint32_t base = third & 0x00fffc00;
    unsigned i = 0;

    while (i < *count && lists[i].base != base)
        i++;
    if (!base || i == MAX_RUNLISTS)
        return;
    if (i == *count)
        lists[(*count)++] = (struct console_channels_ga100_runlist){.base = base};
    if (lists[i].count == MAX_ENGINES)
        return;
    lists[i].engines[lists[i].count].type = first >> 24 & 0x3f;
    lists[i].engines[lists[i].count].instance = first >> 16 & 0xf;
    lists[i].engines[lists[i].count++].engine = third & 3;
}

/* A device is three rows, or as many as are chained. Zero rows between devices are skipped. */
static unsigned find_runlists(struct console *console, struct console_channels_ga100_runlist *lists) {
    uint32_t rows = console_rd32(console, NV_PTOP_DEVICE_INFO_CFG) >> 20, device[3] = {0};
    unsigned count = 0, row = 0;

    for (uint32_t i = 0; i < rows; i++) {
        uint32_t word = console_rd32(console, NV_PTOP_DEVICE_INFO_GA100 + 4 * i);
        if ((!word && !row) || console_is_silence(word))
            continue;
        if (row < 3)
            device[row++] = word;
        if (word & MORE_ROWS)
            continue;
        if (row == 3)
            add_engine(lists, &count, device[0], device[2]);
        row = 0;
    }
    return count;
}

/* ---- a runlist ---- */

static void print_runlist(struct console *console, const struct console_channels_ga100_runlist *list) {
    static const struct console_flag info[] = {{SUBMIT_PENDING, SUBMIT_PENDING, "submit pending"}, {0}};
    uint32_t low = console_rd32(console, list->base + BASE_LO),
             high = console_rd32(console, list->base + BASE_HI) & 0xff;
    uint32_t length = console_rd32(console, list->base + SUBMIT) & 0xffff,
             raised = console_rd32(console, list->base + INTR);

    console_print(console, "runlist 0x%06" PRIx32 " of", list->base);
    for (unsigned i = 0; i < list->count; i++) {
        unsigned type = list->engines[i].type;
        const char *name = type < sizeof types / sizeof types[0] ? types[type] : NULL;
        console_print(console, "%s %s%u", i ? "," : "", name ? name : "device", list->engines[i].instance);
    }
    console_print(console, ": %" PRIu32 " entr%s at 0x%" PRIx64 " of %s", length, length == 1 ? "y" : "ies",
                  (low & ~0xfffu) | (uint64_t)high << 32, console_target_text(low));
    console_print_flags(console, console_rd32(console, list->base + SUBMIT_INFO), info);
    if (raised)
        console_print(console, ", interrupts 0x%08" PRIx32, raised);
    console_print(console, "\n");
}

static void print_channels(struct console *console, const struct console_channels_ga100_runlist *list) {
    static const struct console_flag flags[] = {{1u << 1, 1u << 1, "on"},
                                                {1u << 1, 0, "off"},
                                                {1u << 2, 1u << 2, "next"},
                                                {1u << 3, 1u << 3, "busy"},
                                                {1u << 4, 1u << 4, "PBDMA faulted"},
                                                {1u << 5, 1u << 5, "engine faulted"},
                                                {1u << 6, 1u << 6, "on PBDMA"},
                                                {1u << 7, 1u << 7, "on engine"},
                                                {1u << 8, 1u << 8, "pending"},
                                                {1u << 9, 1u << 9, "to be reloaded"},
                                                {1u << 10, 1u << 10, "PBDMA busy"},
                                                {1u << 11, 1u << 11, "engine busy"},
                                                {1u << 12, 1u << 12, "waits in an acquire"},
                                                {0}};
    uint32_t config = console_rd32(console, list->base + CHANNEL_CONFIG), table = config & ~0xfu, log2 = config & 0xf;

    for (uint32_t channel = 0; channel < 1u << (log2 < MAX_LOG2 ? log2 : MAX_LOG2); channel++) {
        uint32_t at = table + 4 * channel, status = at >= table ? console_rd32(console, at) : 0;
        if (!status || status == UINT32_MAX || console_is_silence(status))
            continue;
        console_print(console, "channel %" PRIu32 ": status 0x%08" PRIx32, channel, status);
        console_print_flags(console, status, flags);
        console_print(console, "\n");
    }
}

static void console_channels_ga100_print_pbdmas(struct console *console,
                                                const struct console_channels_ga100_runlist *list) {
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t config = console_rd32(console, list->base + PBDMA_CONFIG + 4 * i), page = config & 0x03fffc00;
        if (!(config & PBDMA_VALID) || console_is_silence(config))
            continue;
        console_print(console, "PBDMA 0x%06" PRIx32 ": ", page);
        console_print_pbdma(console, page, console_rd32(console, page + NV_PBDMA_CHANNEL), 0x7ff, PBDMA_CHANNEL_ACTIVE);
    }
}

/* The values for saving and loading are swapped compared with TU117. */
static void print_engines(struct console *console, const struct console_channels_ga100_runlist *list) {
    static const struct console_flag flags[] = {{7u << 13, 5u << 13, "saves"},
                                                {7u << 13, 6u << 13, "loads"},
                                                {7u << 13, 7u << 13, "switches"},
                                                {1u << 29, 1u << 29, "to be reloaded"},
                                                {1u << 30, 1u << 30, "faulted"},
                                                {1u << 31, 1u << 31, "busy"},
                                                {0}};
    unsigned shown = 0;

    for (unsigned i = 0; i < list->count; i++) {
        unsigned engine = list->engines[i].engine;
        uint32_t status = console_rd32(console, list->base + ENGINE_STATUS + engine * ENGINE_BYTES);
        if (shown >> engine & 1 || !(status >> 13 & 7) || console_is_silence(status) || status == UINT32_MAX)
            continue;
        shown |= 1u << engine;
        console_print(console, "engine %u: TSG %" PRIu32, engine, status & 0x7ff);
        console_print_flags(console, status, flags);
        if ((status >> 13 & 7) >= 5)
            console_print(console, ", next TSG %" PRIu32, status >> 16 & 0x7ff);
        console_print(console, "\n");
    }
}

void console_channels_ga100(struct console *console) {
    struct console_channels_ga100_runlist lists[MAX_RUNLISTS];
    unsigned count = find_runlists(console, lists);

    if (!count)
        console_print(console, "the table of devices at 0x%05x has no runlist\n", (unsigned)NV_PTOP_DEVICE_INFO_GA100);
    for (unsigned i = 0; i < count; i++) {
        print_runlist(console, &lists[i]);
        print_channels(console, &lists[i]);
        console_channels_ga100_print_pbdmas(console, &lists[i]);
        print_engines(console, &lists[i]);
    }
}
